// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

Template reminder() {
  Template one;
  one.id = "reminder";
  one.class_name = "delivery_update";
  one.body = "Parcel {{number}} arrives today";
  return one;
}

Submission from_template(const char* number) {
  Submission one = submission("", 1);
  one.body.clear();
  one.template_id = "reminder";
  one.vars = {{"number", number}};
  return one;
}

TEST(TemplatesAreKept, ATemplateCountsFromItsCommitAndSurvivesARestart) {
  World world;
  const RequestId put = world.put_template(reminder());
  EXPECT_TRUE(world.templates().empty());
  world.run_for(world.commit_time);
  ASSERT_NE(world.template_answer(put), nullptr);
  EXPECT_EQ(world.template_answer(put)->result, AnswerTemplate::Result::kStored);
  world.restart();
  const RequestId sent = world.submit(from_template("17"));
  EXPECT_TRUE(world.run_until_idle(Duration::seconds(60)));
  EXPECT_EQ(world.states(sent), std::vector{BatchState::kSubmitted});
}

TEST(TemplatesAreKept, WhatTheDiskDoesNotTakeIsNotUsed) {
  World world;
  world.disk_works = false;
  const RequestId put = world.put_template(reminder());
  world.run_for(world.commit_time);
  EXPECT_EQ(world.template_answer(put)->result, AnswerTemplate::Result::kFailed);
  EXPECT_TRUE(world.templates().empty());
}

TEST(TemplatesAreKept, RemovedIsRemovedAndUnknownIsSaid) {
  World world;
  world.put_template(reminder());
  world.run_for(world.commit_time);
  const RequestId drop = world.drop_template("reminder");
  world.run_for(world.commit_time);
  EXPECT_EQ(world.template_answer(drop)->result, AnswerTemplate::Result::kRemoved);
  EXPECT_EQ(world.template_answer(world.drop_template("reminder"))->result,
            AnswerTemplate::Result::kNone);
  const RequestId late = world.submit(from_template("17"));
  ASSERT_NE(world.refused(late), nullptr);
  EXPECT_EQ(world.refused(late)->fields[0].pointer, "/template");
}

TEST(TemplatesAreKept, ThereAreOnlySoMany) {
  EngineOptions options = test_options();
  options.max_templates = 1;
  World world(options);
  world.put_template(reminder());
  Template second = reminder();
  second.id = "second";
  const RequestId refused = world.put_template(second);
  ASSERT_NE(world.refused(refused), nullptr);
  EXPECT_EQ(world.refused(refused)->fields[0].pointer, "/id");
  world.run_for(world.commit_time);
  const RequestId edited = world.put_template(reminder());
  world.run_for(world.commit_time);
  EXPECT_EQ(world.template_answer(edited)->result, AnswerTemplate::Result::kStored);
}

}  // namespace
}  // namespace weir::test
