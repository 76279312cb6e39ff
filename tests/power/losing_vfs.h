// SPDX-License-Identifier: Apache-2.0
//
// A disk in memory that loses power, as a file system of SQLite's: the default one while it lives.
//
// Each file is held twice, as the process sees it and as it would be found after a power cut. What
// was written since the file's last sync is kept in order; a cut lets any of it come through.
//
// What it promises SQLite is as little as a disk may: sectors of 512 bytes, each of which is
// written whole or not at all, and by default nothing else (device characteristics 0). A promise of
// order or of atomic pages would let SQLite leave out what the test is about. Linux adds that bytes
// beside a write are left alone (SQLITE_IOCAP_POWERSAFE_OVERWRITE); as the log is laid out
// otherwise then, runs are made both ways (promise()).
//
// A sync that fails has lost what it was to write: Linux marks the pages clean, so that no later
// sync writes them, and still shows them to the process. Some of it may have come through before.
//
// Threads: one. Locks always succeed: the store is alone, and with locking_mode=EXCLUSIVE it needs
// no shared memory, which this version (1) of a file system does not have.
//
// Limits: files are told apart by path; a real file at the same path is not touched. A file that
// was removed is an empty one.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>

namespace weir {

using Rng = std::mt19937_64;

struct Disk;

class LosingVfs {
 public:
  enum class Call : uint8_t { kOpen, kWrite, kTruncate, kSync };
  static constexpr int kCalls = 4;

  LosingVfs();
  ~LosingVfs();
  LosingVfs(const LosingVfs&) = delete;
  LosingVfs& operator=(const LosingVfs&) = delete;

  // An empty disk without faults; everything random from here on, in SQLite too, follows the seed.
  // Nothing may be open.
  void start_anew(uint64_t seed);
  // SQLite's device characteristics, for files that are opened from now on.
  void promise(int device_characteristics);

  // What is open now fails until it is closed; faults that were ordered are forgotten.
  void cut_power();
  // The same for a process that is killed: nothing is lost, and nothing is durable for it either.
  void kill_process();

  // The n-th call of this kind from now, counted from 1, fails once with `code`.
  void fail_nth(Call kind, uint64_t n, int code);
  bool fault_is_due() const;
  // The n-th write or sync from now, counted from 1, is the last thing that happens: it and what
  // follows fails, until the power is cut.
  void stop_at(uint64_t n);

  // For damage done while nothing is open.
  std::string content(const std::string& path) const;
  void replace(const std::string& path, const std::string& content);

 private:
  std::unique_ptr<Disk> disk_;
};

}  // namespace weir
