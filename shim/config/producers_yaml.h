// SPDX-License-Identifier: Apache-2.0
//
// The section `producers` of weir.yaml: who may hand in what, and the keys by which they are known.
//
// Called by read_settings(), after the classes. A key comes from a file or a variable, as the
// gateway's secrets do, and is part of no error.
#pragma once

#include "shim/config/settings.h"
#include "shim/config/yaml_reader.h"

namespace weir {

// Fills EngineOptions::producers and ApiOptions::keys, in the same order.
void read_producers(YamlMap& map, Settings& settings);

}  // namespace weir
