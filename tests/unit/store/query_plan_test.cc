// SPDX-License-Identifier: Apache-2.0
//
// SQLite's own word on how every statement finds its rows.
#include <gmock/gmock.h>

#include "shim/store/statements.h"
#include "tests/unit/store/store_fixture.h"

namespace weir {
namespace {

using testing::HasSubstr;
using testing::Not;

class QueryPlanTest : public StoreTest {
 protected:
  void SetUp() override {
    open();
    close();
  }
  std::string plan(Query query) {
    RawDatabase raw(path());
    std::string text;
    for (const std::string& row : raw.rows(std::string("EXPLAIN QUERY PLAN ") + sql_of(query))) {
      text += row + "\n";
    }
    return text;
  }
};

TEST_F(QueryPlanTest, NothingScansATableOrSorts) {
  for (size_t i = 0; i < kQueries; ++i) {
    const Query query = static_cast<Query>(i);
    ASSERT_NE(sql_of(query), nullptr) << i;
    if (query < Query::kInsertMessage) continue;  // BEGIN and its like have no plan
    // "SCAN CONSTANT ROW" is the VALUES of an upsert.
    EXPECT_THAT(plan(query), Not(testing::ContainsRegex("SCAN [a-z]"))) << sql_of(query);
    EXPECT_THAT(plan(query), Not(HasSubstr("TEMP B-TREE"))) << sql_of(query);
  }
}

TEST_F(QueryPlanTest, ReadsAtStartTouchNothingButTheirIndex) {
  EXPECT_THAT(plan(Query::kPendingBatches), HasSubstr("USING COVERING INDEX batch_pending"));
  EXPECT_THAT(plan(Query::kClaimsBecomeUnknown), HasSubstr("INDEX batch_claimed"));
  EXPECT_THAT(plan(Query::kUnknownBatches), HasSubstr("USING COVERING INDEX batch_unknown"));
}

TEST_F(QueryPlanTest, KeyIsFoundByItsIndex) {
  EXPECT_THAT(plan(Query::kMessageByKey), HasSubstr("USING INDEX message_key (key=?)"));
}

}  // namespace
}  // namespace weir
