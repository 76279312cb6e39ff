// SPDX-License-Identifier: Apache-2.0

#include "shim/front/gate.h"

#include <algorithm>
#include <optional>

#include "weir/check.h"

#include "shim/front/ascii.h"

namespace weir {
namespace {

constexpr std::string_view kScheme = "bearer ";

// What stands after the scheme. Empty: something else, or two of it. Nothing: no field at all.
std::optional<std::string_view> shown_key(const HttpRequest& request) {
  std::optional<std::string_view> key;
  for (const auto& [field, value] : request.headers) {
    if (field != "authorization") continue;
    if (key) return std::string_view();
    const std::string_view text = value;
    const bool bearer = text.size() > kScheme.size() &&
                        equals_ignoring_case(text.substr(0, kScheme.size()), kScheme);
    key = bearer ? trimmed(text.substr(kScheme.size())) : std::string_view();
  }
  return key;
}

}  // namespace

ProducerKeys::Padded ProducerKeys::padded(std::string_view text) {
  Padded padded{};
  std::copy_n(text.begin(), std::min(text.size(), kMostKeyBytes), padded.begin());
  return padded;
}

ProducerKeys::ProducerKeys(const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    WEIR_CHECK(!key.empty() && key.size() <= kMostKeyBytes);
    keys_.push_back(padded(key));
  }
}

ProducerId ProducerKeys::owner_of(std::string_view shown) const {
  const Padded candidate = padded(shown);
  // No key is empty or holds a zero, so equal when padded is equal.
  const bool usable =
      !shown.empty() && shown.size() <= kMostKeyBytes && shown.find('\0') == std::string_view::npos;
  uint32_t owner = 0;  // 1 + the index of the key that fits
  for (uint32_t i = 0; i < keys_.size(); ++i) {
    // Volatile, so that the compiler makes no early end of it.
    volatile uint8_t difference = 0;
    for (size_t byte = 0; byte < kMostKeyBytes; ++byte)
      difference = static_cast<uint8_t>(difference | (candidate[byte] ^ keys_[i][byte]));
    // All ones where it is 0, else 0.
    const uint32_t fits = static_cast<uint32_t>((int32_t{difference} - 1) >> 31);
    owner |= fits & (i + 1);
  }
  if (owner == 0 || !usable) return kNoProducer;
  return ProducerId{static_cast<uint8_t>(owner - 1)};
}

Gate::Gate(const std::vector<std::string>& keys, bool require_key,
           const std::vector<ProducerOptions>& producers)
    : producers_(producers), keys_(keys), require_key_(require_key) {
  WEIR_CHECK(keys.size() == producers.size());
}

std::variant<ProducerId, Problem> Gate::let_in(const HttpRequest& request, Access access) const {
  if (access == Access::kOpen) return kNoProducer;
  const bool needed = require_key_ && !request.over_unix;
  // Where nobody has a key, a field that something on the way has added says nothing.
  const auto key = keys_.empty() ? std::nullopt : shown_key(request);
  if (!key && !needed) return kNoProducer;
  const ProducerId producer = key ? keys_.owner_of(*key) : kNoProducer;
  if (producer == kNoProducer) {
    return Problem{
        "unauthorized", "Send the key of a producer: Authorization: Bearer KEY.", {}, {}};
  }
  if (access == Access::kOperator && !producers_[index(producer)].admin) {
    return Problem{"not_allowed",
                   "This is for operators; producer " + producers_[index(producer)].name +
                       " has no admin rights.",
                   {},
                   {}};
  }
  return producer;
}

}  // namespace weir
