// SPDX-License-Identifier: Apache-2.0
//
// What became of a file that was handed in: in words, as JSON, and as an exit code.
//
// Pure.
#pragma once

#include <string>

#include "weir/time.h"

#include "tools/weir/upload_answer.h"

namespace weir {

struct SendSummary {
  std::string campaign;
  uint64_t messages = 0;  // handed over
  Duration elapsed;
};

std::string summary_text(const SendSummary& what, const UploadAnswer& answer);
std::string summary_json(const SendSummary& what, const UploadAnswer& answer);

// kTryLater before kFailed: to send the same file again is worth it as long as something of it may
// still be taken.
int exit_code_of(const UploadAnswer& answer);

}  // namespace weir
