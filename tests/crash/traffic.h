// SPDX-License-Identifier: Apache-2.0
//
// What producers hand in during one round, and what they know of it: a random mix of login codes,
// updates to one or a few, and campaigns of several batches, with and without keys.
//
// Every body is its own, so that a call in the gateway's ledger leads to its submission; a
// submission's recipients rise, so that a call's first one leads to its batch.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace weir::test {

using Random = std::mt19937_64;

// A number from `least` to `most`.
uint32_t drawn(Random& random, uint32_t least, uint32_t most);
bool one_in(Random& random, uint32_t times);

// Recipients of one call; the rig's weir is told the same.
constexpr uint32_t kBatchMost = 20;

struct Submission {
  std::string class_name;
  std::vector<std::string> recipients;  // digits
  std::string body;
  std::string key;  // empty: none

  enum class Known : uint8_t {
    kNothing,   // not handed in, or refused for now
    kInDoubt,   // no answer came
    kAccepted,  // 202
  };
  Known known = Known::kNothing;
  std::string id;  // of the first 202

  // As POST /v1/messages takes it.
  std::string json() const;
};

// `name` is in every body and key.
std::vector<Submission> make_traffic(Random& random, const std::string& name);

}  // namespace weir::test
