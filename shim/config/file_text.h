// SPDX-License-Identifier: Apache-2.0
//
// read_file_text: the whole of one small regular file, bounded.
//
// Used at start only, by the configuration; it may block on a slow disk. Refuses what is not a
// regular file, so a pipe or a device can neither hang nor flood the start. An error says what is
// wrong but not the path, because the path of a secret may have been mistaken for the secret.
#pragma once

#include <cstddef>
#include <string>

#include "weir/result.h"

namespace weir {

struct FileText {
  std::string text;
  unsigned mode = 0;  // permission bits
};

Result<FileText> read_file_text(const std::string& path, size_t max_bytes);

}  // namespace weir
