// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/body_lines.h"

#include <boost/json.hpp>

namespace weir {
namespace {

// Twenty maximal messages; a longer line is not a text message.
constexpr size_t kMaxBody = 1024 * 1024;

}  // namespace

Result<std::string> body_of_line(const std::string& line, bool json_strings) {
  std::string body = line;
  if (json_strings) {
    boost::json::error_code failed;
    const boost::json::value value = boost::json::parse(line, failed);
    if (failed || !value.is_string()) return Error{"is not a JSON string in UTF-8"};
    body = std::string(value.as_string());
  }
  if (body.size() > kMaxBody) return Error{"longer than 1 MiB"};
  return body;
}

}  // namespace weir
