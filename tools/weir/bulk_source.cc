// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/bulk_source.h"

#include <algorithm>
#include <array>
#include <utility>

namespace weir {
namespace {

constexpr size_t kPiece = 16 * 1024;
constexpr int kLookEveryMs = 100;

}  // namespace

BulkSource::BulkSource(InputFile input, std::unique_ptr<BulkLines> lines,
                       std::chrono::milliseconds most_silence)
    : input_(std::move(input)),
      lines_(std::move(lines)),
      most_silence_(most_silence),
      last_given_(std::chrono::steady_clock::now()) {}

Status BulkSource::begin(const std::function<bool()>& go_on) {
  while (!ended_ && messages() == 0 && go_on()) {
    const auto taken = take_piece(kLookEveryMs);
    if (!taken) return taken.error();
  }
  last_given_ = std::chrono::steady_clock::now();
  return Done{};
}

std::optional<size_t> BulkSource::read(char* to, size_t room) {
  std::string& out = lines_->out();
  while (given_ == out.size()) {
    out.clear();
    given_ = 0;
    if (!failure_.empty()) return std::nullopt;
    if (ended_) return 0;
    const auto taken = take_piece(0);
    if (!taken) {
      failure_ = taken.error().detail;
    } else if (!*taken) {
      if (std::chrono::steady_clock::now() - last_given_ < most_silence_) return std::nullopt;
      out = " ";
    }
  }
  const size_t part = std::min(room, out.size() - given_);
  std::copy_n(out.data() + given_, part, to);
  given_ += part;
  last_given_ = std::chrono::steady_clock::now();
  return part;
}

Result<bool> BulkSource::take_piece(int most_wait_ms) {
  std::array<char, kPiece> piece;
  const auto got = input_.read(piece.data(), piece.size(), most_wait_ms);
  if (!got) return got.error();
  if (!*got) return false;
  ended_ = **got == 0;
  bytes_ += **got;
  const Status taken = ended_ ? lines_->end() : lines_->feed({piece.data(), **got});
  if (!taken) return taken.error();
  return true;
}

}  // namespace weir
