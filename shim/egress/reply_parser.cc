// SPDX-License-Identifier: Apache-2.0
#include "shim/egress/reply_parser.h"

#include <array>
#include <charconv>
#include <optional>

#include <boost/json.hpp>

namespace weir {
namespace {

namespace json = boost::json;

constexpr size_t kMaxWordBytes = 256;    // the longest identifier of a provider we know has 36
constexpr size_t kMaxNumberDigits = 15;  // E.164
constexpr std::string_view kSeparators = ",; \t\r\n";

const json::value* at(const json::value& reply, const std::string& pointer) {
  boost::system::error_code error;
  return reply.find_pointer(pointer, error);
}

std::optional<std::string> word(const json::value& value) {
  if (value.is_string() && !value.get_string().empty()) {
    if (value.get_string().size() > kMaxWordBytes) return std::nullopt;
    return std::string(value.get_string().data(), value.get_string().size());
  }
  if (value.is_int64()) return std::to_string(value.get_int64());
  if (value.is_uint64()) return std::to_string(value.get_uint64());
  return std::nullopt;
}

std::optional<std::string> first_word(const json::value& reply,
                                      const std::vector<std::string>& pointers) {
  for (const std::string& pointer : pointers) {
    const json::value* found = at(reply, pointer);
    if (found == nullptr) continue;
    if (auto text = word(*found)) return text;
  }
  return std::nullopt;
}

void append_number(std::string_view text, std::vector<Recipient>& numbers) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.size() > kMaxNumberDigits) return;
  uint64_t digits = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), digits);
  if (error == std::errc{} && end == text.data() + text.size()) numbers.push_back({digits});
}

void append_list(std::string_view text, std::vector<Recipient>& numbers) {
  while (true) {
    const size_t begin = text.find_first_not_of(kSeparators);
    if (begin == std::string_view::npos) return;
    text.remove_prefix(begin);
    const size_t length = std::min(text.find_first_of(kSeparators), text.size());
    append_number(text.substr(0, length), numbers);
    text.remove_prefix(length);
  }
}

void append_value(const json::value& value, std::vector<Recipient>& numbers) {
  if (value.is_string()) {
    append_list({value.get_string().data(), value.get_string().size()}, numbers);
  } else if (const auto text = word(value)) {
    append_number(*text, numbers);
  }
}

// Absent: none of the pointers leads anywhere.
std::optional<std::vector<Recipient>> rejected(const json::value& reply,
                                               const std::vector<std::string>& pointers) {
  for (const std::string& pointer : pointers) {
    const json::value* found = at(reply, pointer);
    if (found == nullptr || found->is_null()) continue;
    std::vector<Recipient> numbers;
    if (found->is_array()) {
      for (const json::value& element : found->get_array())
        append_value(element, numbers);
    } else {
      append_value(*found, numbers);
    }
    return numbers;
  }
  return std::nullopt;
}

}  // namespace

ParsedReply parse_reply(const Profile& profile, std::string_view body) {
  ParsedReply parsed;
  std::array<unsigned char, 4096> room;  // holds a usual reply, so that parsing allocates nothing
  json::monotonic_resource memory(room.data(), room.size());
  boost::system::error_code error;
  const json::value reply = json::parse({body.data(), body.size()}, error, &memory);
  if (error || !reply.is_object()) {
    parsed.fault = error ? "the reply is not JSON" : "the reply is JSON, but no object";
    return parsed;
  }
  auto code = first_word(reply, profile.code_at);
  auto ref = first_word(reply, profile.ref_at);
  auto numbers = rejected(reply, profile.rejected_at);
  if (!code && !ref && !numbers) parsed.fault = "the reply has nothing where the profile looks";
  if (code) parsed.code = std::move(*code);
  if (ref) parsed.gateway_ref = std::move(*ref);
  if (numbers) parsed.rejected = std::move(*numbers);
  return parsed;
}

bool is_json_pointer(std::string_view text) {
  if (!text.empty() && text.front() != '/') return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '~') continue;
    if (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1')) return false;
  }
  return true;
}

}  // namespace weir
