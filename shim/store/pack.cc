// SPDX-License-Identifier: Apache-2.0
#include "shim/store/pack.h"

#include <cstdint>

#include "weir/check.h"

namespace weir {
namespace {

constexpr char kRecipientsVersion = 1;
constexpr char kParamsVersion = 1;
constexpr size_t kRecipientBytes = 8;
constexpr size_t kLengthBytes = 4;

// Little-endian whatever the machine, so that a file can be carried to another one.
void append_number(std::string& out, uint64_t number, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i)
    out.push_back(static_cast<char>(number >> (8 * i)));
}

uint64_t number_at(std::string_view bytes) {
  uint64_t number = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    number |= uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return number;
}

void append_text(std::string& out, std::string_view text) {
  WEIR_CHECK(text.size() <= UINT32_MAX);
  append_number(out, text.size(), kLengthBytes);
  out.append(text);
}

// Takes a text off the front of `bytes`.
std::optional<std::string> take_text(std::string_view& bytes) {
  if (bytes.size() < kLengthBytes) return std::nullopt;
  const uint64_t size = number_at(bytes.substr(0, kLengthBytes));
  bytes.remove_prefix(kLengthBytes);
  if (bytes.size() < size) return std::nullopt;
  std::string text(bytes.substr(0, size));
  bytes.remove_prefix(size);
  return text;
}

}  // namespace

std::string pack_recipients(std::span<const Recipient> recipients) {
  std::string out(1, kRecipientsVersion);
  out.reserve(1 + recipients.size() * kRecipientBytes);
  for (const Recipient& recipient : recipients) {
    append_number(out, recipient.digits, kRecipientBytes);
  }
  return out;
}

std::optional<std::vector<Recipient>> unpack_recipients(std::string_view bytes) {
  if (bytes.empty() || bytes[0] != kRecipientsVersion) return std::nullopt;
  bytes.remove_prefix(1);
  if (bytes.size() % kRecipientBytes != 0) return std::nullopt;
  std::vector<Recipient> recipients;
  recipients.reserve(bytes.size() / kRecipientBytes);
  for (size_t at = 0; at < bytes.size(); at += kRecipientBytes) {
    recipients.push_back({number_at(bytes.substr(at, kRecipientBytes))});
  }
  return recipients;
}

std::string pack_params(const Params& params) {
  std::string out(1, kParamsVersion);
  for (const auto& [name, value] : params) {
    append_text(out, name);
    append_text(out, value);
  }
  return out;
}

std::optional<Params> unpack_params(std::string_view bytes) {
  if (bytes.empty() || bytes[0] != kParamsVersion) return std::nullopt;
  bytes.remove_prefix(1);
  Params params;
  while (!bytes.empty()) {
    std::optional<std::string> name = take_text(bytes);
    std::optional<std::string> value = name ? take_text(bytes) : std::nullopt;
    if (!value) return std::nullopt;
    params.emplace_back(std::move(*name), std::move(*value));
  }
  return params;
}

}  // namespace weir
