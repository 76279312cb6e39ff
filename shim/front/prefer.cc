// SPDX-License-Identifier: Apache-2.0
#include "shim/front/prefer.h"

#include <charconv>
#include <optional>
#include <string_view>

#include "shim/front/ascii.h"

namespace weir {
namespace {

constexpr int64_t kMostSeconds = 86'400;

// Calls `take` with each member of a comma-separated field, of all its lines, until it is true.
template <typename Take>
bool any_member(const HttpRequest& request, std::string_view field, Take take) {
  for (const auto& [name, value] : request.headers) {
    if (name != field) continue;
    for (std::string_view rest = value;;) {
      const size_t comma = rest.find(',');
      if (take(trimmed(rest.substr(0, comma)))) return true;
      if (comma == rest.npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  return false;
}

std::optional<int64_t> seconds_of(std::string_view text) {
  if (text.size() > 1 && text.front() == '"' && text.back() == '"') {
    text = text.substr(1, text.size() - 2);
  }
  int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (seconds < 0 || seconds > kMostSeconds) return std::nullopt;
  return seconds;
}

}  // namespace

Duration preferred_wait(const HttpRequest& request) {
  Duration wait;
  any_member(request, "prefer", [&](std::string_view member) {
    member = trimmed(member.substr(0, member.find(';')));
    const size_t equals = member.find('=');
    if (equals == member.npos) return false;
    if (!equals_ignoring_case(trimmed(member.substr(0, equals)), "wait")) return false;
    if (const auto seconds = seconds_of(trimmed(member.substr(equals + 1)))) {
      wait = Duration::seconds(*seconds);
    }
    return true;
  });
  return wait;
}

bool accepts_event_stream(const HttpRequest& request) {
  return any_member(request, "accept", [](std::string_view member) {
    return equals_ignoring_case(trimmed(member.substr(0, member.find(';'))), "text/event-stream");
  });
}

}  // namespace weir
