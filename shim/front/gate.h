// SPDX-License-Identifier: Apache-2.0
//
// Gate: who may ask what.
//
// A producer shows its key as `Authorization: Bearer KEY` (RFC 6750). Over the unix socket the
// file's permissions decide and none is needed; over TCP on loopback none is needed either, unless
// ApiOptions::require_key says so, as it always does beyond loopback. A key that is shown is looked
// at wherever it comes from, so that a producer's classes and quota hold for it everywhere. Who
// needs no key and shows none is an operator.
//
// How long the comparison takes says nothing of the keys: each is kept padded to kMostKeyBytes,
// what is shown is padded alike, and it is compared with every byte of every key to the end,
// without a branch. The time depends on the number of producers, and on the length of what was
// shown, which the client knows. Nothing here logs or repeats what was shown.
//
// Threads: the loop's; pure.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "weir/options.h"

#include "shim/front/http_server.h"
#include "shim/front/problem.h"

namespace weir {

// What a route asks of those who have a key.
enum class Access : uint8_t {
  kOpen,      // nothing, not even a key
  kProducer,  // any key
  kOperator,  // that of a producer with `admin`
};

class ProducerKeys {
 public:
  static constexpr size_t kMostKeyBytes = 256;
  // At most kMostKeyBytes each, none empty, no two the same; by ProducerId.
  explicit ProducerKeys(const std::vector<std::string>& keys);

  bool empty() const { return keys_.empty(); }
  // kNoProducer: it is nobody's.
  ProducerId owner_of(std::string_view shown) const;

 private:
  using Padded = std::array<uint8_t, kMostKeyBytes>;
  static Padded padded(std::string_view text);
  std::vector<Padded> keys_;
};

class Gate {
 public:
  // `producers` outlives it and has as many as there are keys.
  Gate(const std::vector<std::string>& keys, bool require_key,
       const std::vector<ProducerOptions>& producers);

  // Who asks, kNoProducer for an operator; or why it may not.
  std::variant<ProducerId, Problem> let_in(const HttpRequest& request, Access access) const;

 private:
  const std::vector<ProducerOptions>& producers_;
  ProducerKeys keys_;
  bool require_key_;
};

}  // namespace weir
