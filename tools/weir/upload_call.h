// SPDX-License-Identifier: Apache-2.0
//
// upload: one request to a running weir whose body is made while it is sent, as fast as the other
// side reads it.
//
// Blocks until the end; calls back on the calling thread. It has no time limit of its own: weir
// reads nothing while the lane is paused, and that may take hours.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tools/weir/api_client.h"

namespace weir {

struct Upload {
  std::string path;
  std::string content_type;
  // Writes at most `room` bytes; 0: that was all; nothing: there is none at the moment.
  std::function<std::optional<size_t>(char* to, size_t room)> read;
  std::function<void(std::string_view)> answer;
  // Asked several times a second; false: give up.
  std::function<bool()> go_on;
  int input = -1;  // a descriptor that is readable when there is more to read()
};

struct UploadEnd {
  enum class How { kAnswered, kNotReached, kBroken, kGivenUp };
  How how = How::kAnswered;
  int status = 0;      // of an answer, as far as one has come
  std::string detail;  // why it was not reached, or broke
};

UploadEnd upload(const ApiPlace& place, const Upload& what);

}  // namespace weir
