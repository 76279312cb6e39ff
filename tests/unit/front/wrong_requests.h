// SPDX-License-Identifier: Apache-2.0
//
// Requests that must be refused, as a table.
#pragma once

#include <initializer_list>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/front/api_host.h"

namespace weir::test {

struct WrongRequest {
  std::string what;  // the query or the body
  int status;
  const char* expected;  // a part of the answer
};

// `ask` makes a request of each and returns the answer.
template <typename Ask>
void expect_each_is_named(std::initializer_list<WrongRequest> requests, const Ask& ask) {
  for (const WrongRequest& one : requests) {
    const RawResponse response = ask(one.what);
    EXPECT_EQ(response.status, one.status) << one.what;
    EXPECT_THAT(response.body, ::testing::HasSubstr(one.expected)) << one.what;
  }
}

}  // namespace weir::test
