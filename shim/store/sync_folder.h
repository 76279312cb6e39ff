// SPDX-License-Identifier: Apache-2.0
//
// A file that was just created, or has just taken another's name, is there after a power cut only
// if its folder was synced.
//
// Blocks. Called while the store is opened, and by the worker thread that places a backup.
#pragma once

#include <string>

#include "weir/result.h"

namespace weir {

// Of the file at `path`.
Status sync_folder(const std::string& path);

}  // namespace weir
