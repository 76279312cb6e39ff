// SPDX-License-Identifier: Apache-2.0
//
// What a fake gateway really took, recipient by recipient: the truth that a test holds weir's
// belief against.
//
// Limits: the list of calls keeps the last kCallsKept; the counts keep everything.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "weir/units.h"

namespace weir {

class Ledger {
 public:
  static constexpr size_t kCallsKept = 200'000;

  struct Call {
    int64_t at_us = 0;  // of its arrival, on the gateway's monotonic clock
    Units units;
    std::vector<std::string> recipients;
    std::string body;  // what tells one message from another; this is a rehearsal, not a provider
    std::string verdict;
    bool taken = false;  // would be billed and delivered
    std::string ref;
  };

  void add(Call call);
  uint64_t calls() const { return total_; }

  // {"calls_total", "taken_units", "recipients", "sent_twice", "verdicts": {...}, "calls": [...]}
  std::string json(bool with_calls) const;

 private:
  std::deque<Call> calls_;
  uint64_t total_ = 0;
  Units taken_units_;
  std::unordered_map<std::string, uint32_t> taken_;  // recipient and body, times
  uint64_t sent_twice_ = 0;
  std::unordered_map<std::string, uint64_t> verdicts_;
};

}  // namespace weir
