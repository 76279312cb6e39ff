// SPDX-License-Identifier: Apache-2.0
//
// What a fake gateway does to its calls, in turn: "ok*20,throttle,reset" takes 20, throttles one,
// resets one, and begins again.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/result.h"

namespace weir {

enum class Turn : uint8_t {
  kOk,           // judged by the ceiling alone
  kThrottle,     // 429 with Retry-After 1, not taken
  kContent,      // code 188, not taken
  kAuth,         // code 216, not taken
  kInvalid,      // taken, but the first number is refused
  kServerError,  // taken, answered 500
  kReset,        // taken, the connection is reset instead of an answer
  kHalf,         // taken, half an answer, then closed
  kStall,        // taken, never answered
  kOdd,          // taken, answered with a code that nobody listed
};

class Script {
 public:
  // Empty text: always ok. At most 1000 entries.
  static Result<Script> parse(std::string_view text);

  Turn next();

 private:
  std::vector<std::pair<Turn, uint32_t>> entries_;
  size_t entry_ = 0;
  uint32_t done_ = 0;
};

}  // namespace weir
