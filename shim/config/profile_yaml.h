// SPDX-License-Identifier: Apache-2.0
//
// profiles/NAME.yaml -> Profile.
//
// Called at start. Strict like weir.yaml, with the same errors; beyond the single values it checks
// that what a profile promises can work: templates hold known placeholders, recipients and body
// have a field, a way in has a secret, JSON Pointers are pointers, and some row of the outcome
// table accepts, within 2xx only (success is never guessed).
//
// Limits: what shim/egress/profile.h can express; that header explains each value, and
// conf/profiles/smsgatewaycenter.yaml shows them all.
#pragma once

#include <optional>
#include <string>

#include "weir/result.h"

#include "shim/config/yaml_tree.h"
#include "shim/egress/profile.h"

namespace weir {

// Reads errors.file(). Nothing when there was an error.
std::optional<Profile> read_profile(YamlErrors& errors);

// The same for one who has no errors to collect.
Result<Profile> load_profile(const std::string& path);

}  // namespace weir
