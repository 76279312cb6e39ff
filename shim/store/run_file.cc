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
constexpr char kNoRun[] = "-";

// Always as long for one run, so that a later mark lies exactly over an earlier one.
std::string text_of(const RunMark& mark) {
  std::array<char, 128> text{};
  const int size = std::snprintf(text.data(), text.size(), "run %s\nclaims %019lld\nbefore %s\n",
                                 mark.run.c_str(), static_cast<long long>(mark.claims),
                                 mark.before.empty() ? kNoRun : mark.before.c_str());
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
  std::string before_word;
  RunMark mark;
  if (!(file >> run_word >> mark.run >> claims_word >> digits >> before_word >> mark.before)) {
    return std::nullopt;
  }
  if (mark.before == kNoRun) mark.before.clear();
  const char* end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, mark.claims);
  const bool whole = run_word == "run" && mark.run.size() == kRunDigits &&
                     claims_word == "claims" && before_word == "before" && error == std::errc() &&
                     stopped == end;
  return whole ? std::optional(std::move(mark)) : std::nullopt;
}

// Another file that takes the old one's name: whatever happens, one of the two is there, whole.
Result<RunFile> RunFile::create(const std::string& path, const RunMark& mark) {
  const std::string draft = path + ".part";
  const int descriptor = ::open(draft.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor < 0) return Error{std::generic_category().message(errno)};
  RunFile file(descriptor, mark);
  if (!write_all(descriptor, text_of(mark)) || fsync(descriptor) != 0 ||
      std::rename(draft.c_str(), path.c_str()) != 0) {
    return Error{std::generic_category().message(errno)};
  }
  (void)sync_folder(path);  // lost at a power cut, the old name is still there
  return file;
}

RunFile::RunFile(RunFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), mark_(std::move(other.mark_)) {}

RunFile& RunFile::operator=(RunFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(mark_, other.mark_);
  return *this;
}

RunFile::~RunFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

void RunFile::follow(int64_t claims) {
  mark_.claims = claims;
  (void)write_all(descriptor_, text_of(mark_));
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
