// SPDX-License-Identifier: Apache-2.0
#include "shim/store/run_file.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <random>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "shim/store/sync_folder.h"

namespace weir {
namespace {

constexpr size_t kRunDigits = 32;

// Always as long, so that a later mark lies exactly over an earlier one.
std::string text_of(const std::string& run, int64_t claims) {
  std::array<char, 80> text{};
  const int size = std::snprintf(text.data(), text.size(), "run %s\nclaims %019lld\n", run.c_str(),
                                 static_cast<long long>(claims));
  return std::string(text.data(), static_cast<size_t>(size));
}

bool write_all(int descriptor, const std::string& text) {
  return pwrite(descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
}

}  // namespace

std::optional<RunMark> RunFile::read(const std::string& path) {
  std::ifstream file(path);
  std::string run_word;
  std::string claims_word;
  std::string digits;
  RunMark mark;
  if (!(file >> run_word >> mark.run >> claims_word >> digits)) return std::nullopt;
  const char* end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, mark.claims);
  const bool whole = run_word == "run" && mark.run.size() == kRunDigits &&
                     claims_word == "claims" && error == std::errc() && stopped == end;
  return whole ? std::optional(std::move(mark)) : std::nullopt;
}

// Another file that takes the old one's name: whatever happens, one of the two is there, whole.
Result<RunFile> RunFile::create(const std::string& path, const RunMark& mark) {
  const std::string draft = path + ".part";
  const int descriptor = ::open(draft.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor < 0) return Error{std::generic_category().message(errno)};
  RunFile file(descriptor, mark.run);
  if (!write_all(descriptor, text_of(mark.run, mark.claims)) || fsync(descriptor) != 0 ||
      std::rename(draft.c_str(), path.c_str()) != 0) {
    return Error{std::generic_category().message(errno)};
  }
  (void)sync_folder(path);  // lost at a power cut, the old name is still there
  return file;
}

RunFile::RunFile(RunFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), run_(std::move(other.run_)) {}

RunFile& RunFile::operator=(RunFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(run_, other.run_);
  return *this;
}

RunFile::~RunFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

void RunFile::follow(int64_t claims) {
  (void)write_all(descriptor_, text_of(run_, claims));
}

std::string new_run() {
  std::random_device device;
  std::string digits;
  for (size_t i = 0; i < kRunDigits / 8; ++i) {
    std::array<char, 9> part{};
    std::snprintf(part.data(), part.size(), "%08x", device());
    digits += part.data();
  }
  return digits;
}

}  // namespace weir
