// SPDX-License-Identifier: Apache-2.0
//
// The messages that `weir list` asks for, page after page.
#pragma once

#include <functional>
#include <string>

#include <boost/json.hpp>

#include "tools/weir/commands.h"

namespace weir {

// GET of a path: kDone and the body, or the exit code, with the reason on stderr.
using AskPage = std::function<int(const std::string& path, std::string& body)>;

struct MessagesFound {
  int code = kDone;
  boost::json::array messages;  // at most args.limit
  bool more = false;            // there may be older ones
};

// Follows the cursors, those of empty pages too, until there are enough or no more.
MessagesFound find_messages(const ListArgs& args, const AskPage& ask);

}  // namespace weir
