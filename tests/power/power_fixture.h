// SPDX-License-Identifier: Apache-2.0
//
// A losing disk, and a folder for the real files that the store makes beside it (the lock file).
//
// Threads: the test's.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "tests/power/workload.h"

namespace weir {

class PowerTest : public testing::Test {
 protected:
  PowerTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "weir_power_XXXXXX").string();
    EXPECT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  ~PowerTest() override { std::filesystem::remove_all(folder_); }

  std::string path() const { return (folder_ / "weir.db").string(); }

  LosingVfs vfs_;
  std::filesystem::path folder_;
};

}  // namespace weir
