// SPDX-License-Identifier: Apache-2.0
//
// The store's side of a benchmark: a real Store on its own thread, a file on the disk of the build
// tree, and the program's thread in the place of the loop.
//
// Blocking, on one thread. A store that fails ends the program: there is nothing to measure.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "weir/time.h"

#include "shim/store/store.h"

namespace weir::bench {

inline constexpr WallTime kCreated = WallTime::from_unix_ms(1'790'000'000'000);
inline constexpr WallTime kDeadline = WallTime::from_unix_ms(1'800'000'000'000);

// A folder on the disk of the build tree (a temporary one may be memory), gone with its owner.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// What a message looks like. Everything else is the same for all.
struct Shape {
  Lane lane = Lane::kPromotional;
  uint32_t batches = 1;
  uint32_t batch_size = 1;
  bool own_text = false;  // else all have the same
  bool claim_first = false;
};

// Numbers messages and batches one after the other.
class Drafts {
 public:
  Drafts(MessageId message, BatchId batch) : message_(raw(message)), batch_(raw(batch)) {}
  std::unique_ptr<Draft> next(const Shape& shape);
  // As next(), in the memory of one that came back from the store.
  std::unique_ptr<Draft> next(const Shape& shape, std::unique_ptr<Draft> used);
  // Of the draft that next() gave last.
  int64_t last_message() const { return message_ - 1; }

 private:
  int64_t message_;
  int64_t batch_;
};

std::string key_of(int64_t message);
std::string text_of(int64_t message, bool own_text);

class StoreSide {
 public:
  explicit StoreSide(const std::string& path, size_t bulk_rows = StoreOptions().bulk_rows);
  ~StoreSide();

  const Restored& restored() const { return restored_; }
  Drafts& drafts() { return drafts_; }
  void push(StoreCommand command) { store_->push(std::move(command)); }
  // The next answer, if one is there.
  std::optional<StoreAnswer> pop();
  // The next answer, as soon as it is there.
  StoreAnswer answer();
  // Waits for an answer, at most until then.
  void wait(std::chrono::steady_clock::time_point until);
  // Until the thread has nothing to do, the folding of the log included.
  void settle();
  StoreTotals totals() const { return store_->totals(); }

 private:
  std::mutex mutex_;
  std::condition_variable woken_;
  bool wake_ = false;
  std::unique_ptr<Store> store_;
  Restored restored_;
  Drafts drafts_;
};

// So many messages, as fast as the store takes them.
void fill(StoreSide& store, const Shape& shape, int64_t messages);

// This process's memory, as the kernel has it.
uint64_t resident_bytes();

// Of an environment variable, to run a smaller or a larger case.
int64_t number_from_environment(const char* name, int64_t otherwise);

}  // namespace weir::bench
