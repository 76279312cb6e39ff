// SPDX-License-Identifier: Apache-2.0
//
// weir.yaml -> Settings, value by value. conf/weir.yaml explains every key; a test holds the two
// together (each key there is asked for here, and each asked for here stands there).
//
// Called by load_settings(), which adds the profile and the checks across values. Fills secrets in
// from their files and variables.
#pragma once

#include <map>
#include <string>

#include "shim/config/settings.h"
#include "shim/config/yaml_reader.h"

namespace weir {

// Where names stand that only the profile can judge.
struct ProfilePlaces {
  YamlPlace profile;
  std::string profile_name;  // empty: none that can be looked for
  std::map<std::string, YamlPlace> secrets;
  std::map<std::string, YamlPlace> params;
};

ProfilePlaces read_settings(YamlMap& map, Settings& settings);

}  // namespace weir
