// SPDX-License-Identifier: Apache-2.0
//
// What a later run finds.
#include "tests/unit/store/store_fixture.h"

namespace weir {
namespace {

class RestartTest : public StoreTest {
 protected:
  void SetUp() override { open(); }
};

TEST_F(RestartTest, NewFileHasNothingAndCountsFromOne) {
  EXPECT_TRUE(restored_.pending.empty());
  EXPECT_EQ(restored_.next_message, MessageId{1});
  EXPECT_EQ(restored_.next_batch, BatchId{1});
  EXPECT_EQ(restored_.unknown_batches, 0U);
}

TEST_F(RestartTest, PendingBatchesComeBackInOrderWithWhatTheirLaneNeeds) {
  Persist later = make_persist({.message = 2, .first_batch = 11, .batch_sizes = {4}});
  later.draft->message.lane = Lane::kPromotional;
  later.draft->message.class_name = "promotional";
  later.draft->message.not_before = at_ms(kCreatedMs + 60'000);
  store_->push(std::move(later));
  next<Persisted>();
  persist({.message = 1, .first_batch = 5, .batch_sizes = {3, 2}});
  open();

  ASSERT_EQ(restored_.pending.size(), 3U);
  const Restored::Pending& first = restored_.pending[0];
  EXPECT_EQ(first.head.id, BatchId{5});
  EXPECT_EQ(first.lane, Lane::kTransactional);
  EXPECT_EQ(first.class_name, "transaction_alert");
  EXPECT_EQ(first.not_before, WallTime());
  EXPECT_EQ(first.head.cost, Units::of(6));
  EXPECT_EQ(first.head.deadline, at_ms(kDeadlineMs));
  EXPECT_EQ(first.head.eligible, at_ms(kCreatedMs));
  EXPECT_EQ(first.head.attempt, 0);
  EXPECT_EQ(first.head.priority, 3);
  EXPECT_EQ(restored_.pending[1].head.id, BatchId{6});
  const Restored::Pending& last = restored_.pending[2];
  EXPECT_EQ(last.head.id, BatchId{11});
  EXPECT_EQ(last.lane, Lane::kPromotional);
  EXPECT_EQ(last.class_name, "promotional");
  EXPECT_EQ(last.not_before, at_ms(kCreatedMs + 60'000));
  EXPECT_EQ(last.head.eligible, at_ms(kCreatedMs + 60'000));
  EXPECT_EQ(restored_.next_message, MessageId{3});
  EXPECT_EQ(restored_.next_batch, BatchId{12});
}

// By its name, whatever its place in the configuration is now.
TEST_F(RestartTest, EachPendingBatchKnowsItsProducerIfThatIsStillConfigured) {
  options_.producers = {"shop", "crm", "billing"};
  open();
  const ProducerId by[] = {ProducerId{0}, ProducerId{1}, kNoProducer, ProducerId{2}};
  for (int64_t i = 1; i <= 4; ++i) {
    Persist one = make_persist({.message = i, .first_batch = 2 * i, .batch_sizes = {3, 1}});
    one.draft->producer = by[i - 1];
    store_->push(std::move(one));
    ASSERT_EQ(next<Persisted>().result, Persisted::Result::kStored);
  }
  const auto found = [&] {
    std::vector<ProducerId> producers;
    for (const Restored::Pending& one : restored_.pending)
      producers.push_back(one.head.producer);
    return producers;
  };
  options_.producers = {"billing", "shop"};
  open();
  EXPECT_EQ(found(), (std::vector{ProducerId{1}, ProducerId{1}, kNoProducer, kNoProducer,
                                  kNoProducer, kNoProducer, ProducerId{0}, ProducerId{0}}));
  options_.producers = {"crm"};
  open();
  EXPECT_EQ(found()[2], ProducerId{0}) << "one who comes back has its own again";
}

TEST_F(RestartTest, ClaimsOfAnEarlierRunBecomeUnknownAndKeepWhatTheyWere) {
  persist({.message = 1, .first_batch = 1, .claim_first = true});
  persist({.message = 2, .first_batch = 2});
  claim(2);
  persist({.message = 3, .first_batch = 3});
  open();

  ASSERT_EQ(restored_.pending.size(), 1U);
  EXPECT_EQ(restored_.pending[0].head.id, BatchId{3});
  EXPECT_EQ(restored_.unknown_batches, 2U);
  for (int64_t message : {1, 2}) {
    const BatchReport batch = batch_of(message);
    EXPECT_EQ(batch.state, BatchState::kUnknown);
    EXPECT_EQ(batch.reason, "restart");
    EXPECT_EQ(batch.done_at, at_ms(kOpenedMs));
    EXPECT_TRUE(claim(message).gone);
  }
  open();
  EXPECT_EQ(restored_.unknown_batches, 2U);
  close();
  RawDatabase raw(path());
  EXPECT_EQ(raw.number("SELECT count(*) FROM batch_recipients"), 3);
  EXPECT_EQ(raw.number("SELECT sum(uses) FROM text"), 3);
}

TEST_F(RestartTest, KeysAreRemembered) {
  persist({.message = 1, .first_batch = 1, .key = "order-17"});
  open();
  const Persisted again = persist({.message = 2, .first_batch = 2, .key = "order-17"});
  EXPECT_EQ(again.result, Persisted::Result::kReplayed);
  EXPECT_EQ(again.first.id, MessageId{1});
}

TEST_F(RestartTest, IdsAreNotUsedAgainAfterTheirRowsAreGone) {
  persist({.message = 41, .first_batch = 90, .batch_sizes = {1, 1}});
  close();
  {
    RawDatabase raw(path());
    ASSERT_EQ(raw.run("DELETE FROM message; DELETE FROM batch"), 0);
  }
  open();
  EXPECT_EQ(restored_.next_message, MessageId{42});
  EXPECT_EQ(restored_.next_batch, BatchId{92});
}

TEST_F(RestartTest, StopCarriesOutWhatWasPushedAndLeavesItsAnswers) {
  waker_.hold();
  store_->push(FindMessage{RequestId{1}, MessageId{1}});
  waker_.wait_until_held();
  for (int64_t i = 1; i <= 5; ++i) {
    store_->push(make_persist({.message = i, .first_batch = i}));
  }
  waker_.release();
  store_->stop();
  next<Found>();
  for (int64_t i = 1; i <= 5; ++i) {
    EXPECT_EQ(next<Persisted>().result, Persisted::Result::kStored);
  }
  EXPECT_FALSE(store_->pop());
  open();
  EXPECT_EQ(restored_.pending.size(), 5U);
}

TEST_F(RestartTest, StopFoldsTheLogIntoTheFile) {
  persist({.message = 1, .first_batch = 1});
  store_->stop();
  EXPECT_FALSE(std::filesystem::exists(path() + "-wal"));
}

}  // namespace
}  // namespace weir
