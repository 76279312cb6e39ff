// SPDX-License-Identifier: Apache-2.0
#include "shim/store/chores.h"

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace weir {
namespace {

// Pages of a slice: a backup of 256 takes 2 to 5 ms, giving 128 back takes 2 to 6 ms.
constexpr int kCopiedPages = 256;
constexpr int kGivenBackPages = 128;

// File and log: what is new may stand in either.
uint64_t taken(const Journal::Space& now) {
  return now.file_bytes + now.log_bytes;
}

// Why there can be no copy at `path`; empty: there can. A copy that filled the disk would stop
// weir.
std::string hindrance(const std::string& path, const Journal::Space& now, uint64_t min_free) {
  std::error_code error;
  if (std::filesystem::exists(path, error)) return path + " is there already; name a new file";
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const std::filesystem::space_info disk = std::filesystem::space(folder, error);
  if (error) return folder.string() + ": " + error.message();
  const uint64_t needed = taken(now) + min_free;
  if (disk.available >= needed) return "";
  return folder.string() + " has " + std::to_string(disk.available >> 20) +
         " MiB free, and the copy with a margin needs " + std::to_string(needed >> 20);
}

}  // namespace

std::optional<StoreAnswer> Chores::start(const Backup& backup) {
  if (active()) return BackedUp{backup.request, true, "", backup.path, 0};
  BackedUp failed{backup.request, false, "", backup.path, 0};
  failed.failure = hindrance(backup.path, journal_.space(), min_free_bytes_);
  if (!failed.failure.empty()) return failed;
  const std::string part = backup.path + ".part";
  std::remove(part.c_str());  // of a run that ended in the middle
  Result<OnlineBackup> copy = journal_.start_backup(part);
  if (!copy) {
    failed.failure = copy.error().detail;
    return failed;
  }
  work_.emplace<Copying>(Copying{backup.request, part, std::move(*copy)});
  return std::nullopt;
}

std::optional<StoreAnswer> Chores::start(const Compact& compact) {
  if (active()) return Compacted{compact.request, true, "", 0, 0};
  work_ = Compacting{compact, taken(journal_.space())};
  return std::nullopt;
}

std::optional<StoreAnswer> Chores::step() {
  std::optional<StoreAnswer> answer;
  if (auto* copying = std::get_if<Copying>(&work_)) {
    answer = step(*copying);
  } else if (auto* compacting = std::get_if<Compacting>(&work_)) {
    answer = step(*compacting);
  }
  if (answer) work_ = std::monostate{};
  return answer;
}

StoreAnswer Chores::failed(const Copying& copying, const std::string& why) {
  std::remove(copying.part.c_str());
  return BackedUp{copying.request, false, why, copying.part, 0};
}

std::optional<StoreAnswer> Chores::step(Copying& copying) {
  const OnlineBackup::Step step = copying.copy.copy_pages(kCopiedPages);
  if (step == OnlineBackup::Step::kMore) return std::nullopt;
  const Status done = copying.copy.finish();
  if (!done) return failed(copying, done.error().detail);
  std::error_code unknown;
  const uint64_t bytes = std::filesystem::file_size(copying.part, unknown);
  return BackedUp{copying.request, false, "", copying.part, unknown ? 0 : bytes};
}

std::optional<StoreAnswer> Chores::step(Compacting& compacting) {
  Compacted done{compacting.order.request, false, "", compacting.bytes_before, 0};
  const Result<int64_t> left = journal_.give_back(kGivenBackPages);
  if (left && *left > 0) return std::nullopt;
  if (left) {
    journal_.checkpoint();  // the file gets shorter when the log is folded into it
  } else {
    done.failure = left.error().detail;
  }
  done.bytes_after = taken(journal_.space());
  return done;
}

std::optional<StoreAnswer> Chores::give_up() {
  constexpr const char* kWhy = "weir is stopping";
  std::optional<StoreAnswer> answer;
  if (const auto* copying = std::get_if<Copying>(&work_)) {
    answer = failed(*copying, kWhy);
  } else if (const auto* compacting = std::get_if<Compacting>(&work_)) {
    answer = Compacted{compacting->order.request, false, kWhy, compacting->bytes_before, 0};
  }
  work_ = std::monostate{};
  return answer;
}

}  // namespace weir
