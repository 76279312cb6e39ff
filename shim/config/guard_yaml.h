// SPDX-License-Identifier: Apache-2.0
//
// The section `guard` of a class in weir.yaml: how often it may send where.
//
// Called by read_settings().
#pragma once

#include "weir/options.h"

#include "shim/config/yaml_reader.h"

namespace weir {

void read_guard(YamlMap& map, GuardOptions& guard);

}  // namespace weir
