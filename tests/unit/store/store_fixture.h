// SPDX-License-Identifier: Apache-2.0
//
// A real store on a real file in a folder of its own, driven as the loop drives it: push, wait for
// the wake-up, pop. Nothing sleeps; what does not come within a minute fails the test.
//
// Threads: the test's, and the store's in wake().
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "shim/store/store.h"

struct sqlite3;

namespace weir {

// The store's wake(), which can be made to hold the store's thread until the test has pushed
// everything that shall be found together.
class Waker {
 public:
  void wake();
  uint64_t wakes();
  // Until wakes() is above `seen`.
  void wait_beyond(uint64_t seen);

  // The next wake-ups are held.
  void hold();
  void wait_until_held();
  void release();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t wakes_ = 0;
  bool hold_ = false;
  bool held_ = false;
};

// A connection of the test's own, for when the store is closed.
class RawDatabase {
 public:
  explicit RawDatabase(const std::string& path);
  ~RawDatabase();
  RawDatabase(const RawDatabase&) = delete;
  RawDatabase& operator=(const RawDatabase&) = delete;

  // The SQLite result code.
  int run(const std::string& sql);
  // All rows, the columns of each joined by '|'.
  std::vector<std::string> rows(const std::string& sql);
  // The one value of the one row.
  int64_t number(const std::string& sql);

 private:
  sqlite3* handle_ = nullptr;
};

// A message with one batch for each entry of `batch_sizes`; ids count up from `first_batch`.
struct DraftSpec {
  int64_t message = 1;
  int64_t first_batch = 1;
  std::vector<uint32_t> batch_sizes = {1};
  std::string key = "";
  uint64_t hash = 7;
  std::string body = "Your code is 1234";
  bool claim_first = false;
};
std::unique_ptr<Draft> make_draft(const DraftSpec& spec);
Persist make_persist(const DraftSpec& spec);
Record make_record(int64_t batch, BatchState from, BatchState to);
// The request that make_persist gives to a message.
inline RequestId request_of(int64_t message) {
  return RequestId{static_cast<uint64_t>(1000 + message)};
}

inline WallTime at_ms(int64_t ms) {
  return WallTime::from_unix_ms(ms);
}
inline constexpr int64_t kOpenedMs = 1'700'000'000'000;
inline constexpr int64_t kCreatedMs = kOpenedMs + 1'000;
inline constexpr int64_t kDeadlineMs = kOpenedMs + 90'000;
inline constexpr int64_t kDoneMs = kCreatedMs + 900;

class StoreTest : public testing::Test {
 protected:
  StoreTest();
  ~StoreTest() override;

  Result<std::unique_ptr<Store>> try_open();
  // Opens the store, or opens it anew after a stop; `restored` is what it found.
  void open();
  void close();

  // The next answer, which must be a T.
  template <typename T>
  T next() {
    StoreAnswer answer = next_answer();
    T* wanted = std::get_if<T>(&answer);
    if (wanted == nullptr) {
      ADD_FAILURE() << "an answer of kind " << answer.index() << " came";
      return T{};
    }
    return std::move(*wanted);
  }
  StoreAnswer next_answer();

  // Pushes all of them while the store's thread is held, so that it finds them together.
  void push_together(std::vector<StoreCommand> commands);

  Persisted persist(const DraftSpec& spec);
  Claimed claim(int64_t batch, uint16_t attempt = 1);
  void record(Record command);
  Found find(int64_t message);
  // Of the message's only batch.
  BatchReport batch_of(int64_t message);

  std::string path() const { return (folder_ / "weir.db").string(); }

  std::filesystem::path folder_;
  StoreOptions options_;
  Waker waker_;
  std::unique_ptr<Store> store_;
  Restored restored_;
};

}  // namespace weir
