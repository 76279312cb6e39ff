// SPDX-License-Identifier: Apache-2.0
//
// The placeholders of a profile's templates (shim/egress/profile.h lists them): what a template
// asks for, and whether it is well formed.
//
// Pure; called at start. Filling templates in is the egress's work.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weir/result.h"

#include "shim/egress/profile.h"

namespace weir {

// {body} has the word "body"; {secret:api_key} the word "secret" and the name "api_key".
struct Placeholder {
  std::string word;
  std::string name;
};

// An error says what is wrong with the template without repeating it.
Result<std::vector<Placeholder>> placeholders(std::string_view text);

// The names that templates give after `word` ("secret", "param"), sorted, each once. The profile
// has passed read_profile().
std::vector<std::string> names_used(const Profile& profile, std::string_view word);
std::vector<std::string> names_used(const Profile::Auth& auth, std::string_view word);

}  // namespace weir
