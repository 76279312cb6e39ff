// SPDX-License-Identifier: Apache-2.0
#include "shim/store/sync_folder.h"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace weir {

Status sync_folder(const std::string& path) {
  std::string folder = std::filesystem::path(path).parent_path().string();
  if (folder.empty()) folder = ".";
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return Error{std::generic_category().message(errno)};
  const int synced = fsync(descriptor);
  const int errno_then = errno;
  close(descriptor);
  if (synced != 0) return Error{std::generic_category().message(errno_then)};
  return Done{};
}

}  // namespace weir
