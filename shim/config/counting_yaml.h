// SPDX-License-Identifier: Apache-2.0
//
// counting: of a profile -> CountingRules (include/weir/segments.h explains each).
#pragma once

#include "weir/segments.h"

#include "shim/config/yaml_reader.h"

namespace weir {

void read_counting(YamlMap& map, CountingRules& rules);

}  // namespace weir
