// SPDX-License-Identifier: Apache-2.0
//
// What `weir cost verify` asks about: the bodies of a file, and the templates of the running weir
// with every variable as long as it may be.
//
// Called once, before the first call to the gateway, so that a wrong line costs no call.
//
// Limits: kMaxSubjects of them, which at the usual pace are asked in under two hours.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "weir/options.h"

#include "tools/weir/commands.h"

namespace weir {

inline constexpr size_t kMaxSubjects = 10'000;

// `body` is UTF-8 and not empty.
struct Subject {
  std::string name;  // "line 3" or "template otp_login"
  std::string body;
};

struct NoSubjects {
  int exit_code = 0;
  std::string detail;
};

using Subjects = std::variant<std::vector<Subject>, NoSubjects>;

// Empty lines are passed over: no gateway sends them.
Subjects subjects_in_file(const std::string& path, bool json_strings);

// A body is rewritten where the template or its class asks for it, as it would be when it is sent.
Subjects subjects_of_templates(const ApiArgs& api, const EngineOptions& options);

}  // namespace weir
