// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/store/store_fixture.h"

namespace weir {
namespace {

Template reminder() {
  Template one;
  one.id = "reminder";
  one.body = "Dear {{name}}, see you at {{time}}";
  one.class_name = "appointment_reminder";
  one.sender = "CLINIC";
  one.params = {{"dltTemplateId", "1007"}, {"dltEntityId", "1001"}};
  one.max_chars = {{"name", 20}, {"time", 5}};
  one.max_segments = 2;
  one.smart = true;
  return one;
}

class TemplateStoreTest : public StoreTest {
 protected:
  TemplateStored change(Template content, bool remove = false) {
    store_->push(StoreTemplate{RequestId{5}, std::move(content), remove});
    return next<TemplateStored>();
  }
};

TEST_F(TemplateStoreTest, ATemplateIsReadBackWholeAfterARestart) {
  open();
  const TemplateStored answer = change(reminder());
  EXPECT_TRUE(answer.written);
  EXPECT_EQ(answer.request, RequestId{5});
  EXPECT_EQ(answer.content.id, "reminder");
  close();
  open();
  ASSERT_EQ(restored_.templates.size(), 1);
  const Template& found = restored_.templates[0];
  EXPECT_EQ(found.id, reminder().id);
  EXPECT_EQ(found.body, reminder().body);
  EXPECT_EQ(found.class_name, reminder().class_name);
  EXPECT_EQ(found.sender, reminder().sender);
  EXPECT_EQ(found.params, reminder().params);
  EXPECT_EQ(found.max_chars, reminder().max_chars);
  EXPECT_EQ(found.max_segments, 2);
  EXPECT_TRUE(found.smart);
}

TEST_F(TemplateStoreTest, SavingAgainReplacesAndRemovingRemoves) {
  open();
  change(reminder());
  Template edited = reminder();
  edited.body = "Other {{name}} {{time}}";
  change(edited);
  Template second = reminder();
  second.id = "second";
  change(second);
  EXPECT_TRUE(change(second, true).remove);
  close();
  open();
  ASSERT_EQ(restored_.templates.size(), 1);
  EXPECT_EQ(restored_.templates[0].body, edited.body);
}

}  // namespace
}  // namespace weir
