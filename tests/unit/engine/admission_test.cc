// SPDX-License-Identifier: Apache-2.0
#include "engine/admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Now kNow{MonoTime::from_ns(1), WallTime::from_unix_ms(1'796'000'000'000)};

Submission good() {
  return test::submission("otp", 1);
}

std::unique_ptr<Draft> taken(Submission submission,
                             const EngineOptions& options = test::test_options(),
                             const Templates& templates = {}) {
  const Calendar calendar(options.classes.size());
  auto result = examine(kNow, {options, templates, calendar}, std::move(submission));
  if (const auto* refusal = std::get_if<Refusal>(&result)) {
    ADD_FAILURE() << name(refusal->code) << ": "
                  << (refusal->fields.empty() ? refusal->detail : refusal->fields[0].detail);
    return std::make_unique<Draft>();
  }
  return std::get<std::unique_ptr<Draft>>(std::move(result));
}

Refusal refused(Submission submission, const EngineOptions& options = test::test_options(),
                const Templates& templates = {}) {
  const Calendar calendar(options.classes.size());
  auto result = examine(kNow, {options, templates, calendar}, std::move(submission));
  if (std::holds_alternative<Refusal>(result)) return std::get<Refusal>(std::move(result));
  ADD_FAILURE() << "was taken";
  return {};
}

TEST(Admission, PricesRecipientsTimesSegments) {
  Submission one = test::submission("promotional", 1, 7);
  one.body = std::string(161, 'a');
  const auto draft = taken(one);
  EXPECT_EQ(draft->message.segments, 2);
  EXPECT_EQ(draft->message.recipients, 7);
  EXPECT_EQ(draft->message.cost, Units::of(14));
}

TEST(Admission, WeighsASegmentAsTheProfileBillsIt) {
  EngineOptions options = test::test_options();
  options.weight = Units::from_micro(350'000);
  EXPECT_EQ(taken(test::submission("promotional", 1, 3), options)->message.cost,
            Units::from_micro(1'050'000));
}

TEST(Admission, CutsAListIntoBatchesThatFitTheBucket) {
  EngineOptions options = test::test_options();
  options.batch_max = 40;
  const auto draft = taken(test::submission("promotional", 1, 95), options);
  ASSERT_EQ(draft->batches.size(), 3);
  EXPECT_EQ(draft->batches[0].recipients, 40);
  EXPECT_EQ(draft->batches[1].first, 40);
  EXPECT_EQ(draft->batches[2].recipients, 15);
  EXPECT_EQ(draft->batches[2].cost, Units::of(15));
}

TEST(Admission, ReportsDuplicatesAndInvalidOnesAndTakesTheRest) {
  Submission one = good();
  one.to = {"+919876543210", "00919876543210", "nobody", "+919876543211"};
  const auto draft = taken(one);
  EXPECT_EQ(draft->message.recipients, 2);
  EXPECT_THAT(draft->duplicates, ElementsAre(1));
  ASSERT_EQ(draft->invalid.size(), 1);
  EXPECT_EQ(draft->invalid[0].pointer, "/to/2");
}

TEST(Admission, NamesEveryWrongFieldAtOnce) {
  Submission one = good();
  one.class_name = "otpp";
  one.body = "";
  one.to = {"12"};
  one.key = std::string(129, 'k');
  const Refusal refusal = refused(one);
  EXPECT_EQ(refusal.code, RefusalCode::kInvalid);
  std::vector<std::string> pointers;
  for (const FieldError& field : refusal.fields)
    pointers.push_back(field.pointer);
  EXPECT_THAT(pointers, ElementsAre("/key", "/to", "/body", "/class"));
  EXPECT_THAT(refusal.fields[3].detail, HasSubstr("transaction_alert"));
}

TEST(Admission, RefusesWhatIsNotTextWithTheOffset) {
  Submission one = good();
  one.body = "ab\xff";
  EXPECT_THAT(refused(one).fields[0].detail, HasSubstr("2"));
}

TEST(Admission, RefusesABodyOfTooManySegmentsWithTheNumber) {
  Submission one = good();
  one.body = std::string(153 * 3 + 1, 'a');
  EXPECT_THAT(refused(one).fields[0].detail, HasSubstr("4 segments; at most 3"));
}

TEST(Admission, RefusesAListThatIsTooLongOrEmpty) {
  EngineOptions options = test::test_options();
  options.max_recipients = 10;
  EXPECT_THAT(refused(test::submission("promotional", 1, 11), options).fields[0].detail,
              HasSubstr("11 recipients; at most 10"));
  Submission nobody = good();
  nobody.to.clear();
  EXPECT_EQ(refused(nobody).fields[0].pointer, "/to");
}

TEST(Admission, FixesAnAbsoluteDeadlineThatAProducerCanOnlyShorten) {
  EXPECT_EQ(taken(good())->message.deadline, kNow.wall + Duration::seconds(45));
  Submission sooner = good();
  sooner.deadline = kNow.wall + Duration::seconds(10);
  EXPECT_EQ(taken(sooner)->message.deadline, *sooner.deadline);
  Submission longer = good();
  longer.deadline = kNow.wall + Duration::seconds(1000);
  EXPECT_EQ(taken(longer)->message.deadline, kNow.wall + Duration::seconds(45));
  Submission past = good();
  past.deadline = kNow.wall;
  EXPECT_EQ(refused(past).code, RefusalCode::kDeadlinePassed);
}

TEST(Admission, AReminderNeedsItsEventAndASessionItsEnd) {
  const Refusal no_event = refused(test::submission("appointment_reminder", 1));
  EXPECT_EQ(no_event.fields[0].pointer, "/event_at");
  Submission reminder = test::submission("appointment_reminder", 1);
  reminder.event_at = kNow.wall + Duration::seconds(7200);
  EXPECT_EQ(taken(reminder)->message.deadline, *reminder.event_at);
  reminder.event_at = kNow.wall + Duration::seconds(-1);
  EXPECT_EQ(refused(reminder).code, RefusalCode::kDeadlinePassed);

  EXPECT_EQ(refused(test::submission("whatsapp_session", 1)).fields[0].pointer,
            "/session_expires_at");
  Submission session = test::submission("whatsapp_session", 1);
  session.session_expires_at = kNow.wall + Duration::seconds(25 * 3600);
  EXPECT_THAT(refused(session).fields[0].detail, HasSubstr("24 hours"));
}

TEST(Admission, RefusesAStartAfterTheEnd) {
  Submission one = good();
  one.not_before = kNow.wall + Duration::seconds(46);
  EXPECT_EQ(refused(one).fields[0].pointer, "/not_before");
}

TEST(Admission, RefusesWhatItsLaneCanNeverHold) {
  EngineOptions options = test::test_options();
  options.ceiling = {Units::of(2), Duration::seconds(1)};  // promotional: 1 unit above the floors
  Submission one = test::submission("promotional", 1);
  one.body = std::string(161, 'a');
  EXPECT_EQ(refused(one, options).code, RefusalCode::kCostExceedsBucket);
}

TEST(ContentHash, FollowsEverythingTheProducerCanSetButNotTheSpellingOfANumber) {
  const ContentHash first = taken(good())->message.hash;
  Submission respelt = good();
  respelt.to = {"00" + respelt.to[0].substr(1)};
  EXPECT_EQ(taken(respelt)->message.hash, first);
  Submission tagged = good();
  tagged.tag = "x";
  EXPECT_NE(taken(tagged)->message.hash, first);
  Submission reworded = good();
  reworded.body = "hello!";
  EXPECT_NE(taken(reworded)->message.hash, first);
}

}  // namespace
}  // namespace weir
