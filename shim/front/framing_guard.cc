// SPDX-License-Identifier: Apache-2.0

#include "shim/front/framing_guard.h"

#include <algorithm>
#include <array>
#include <string>

#include "shim/front/ascii.h"

namespace weir {
namespace {

constexpr std::array<std::string_view, 7> kMethods = {"GET",   "POST", "PUT",    "DELETE",
                                                      "PATCH", "HEAD", "OPTIONS"};

constexpr HttpFault malformed(std::string_view detail) {
  return {"malformed", detail};
}

// The fields that decide where a request ends, and whose it is.
struct Framing {
  std::string_view content_length;
  std::string_view transfer_encoding;
  int content_lengths = 0;
  int transfer_encodings = 0;
  int hosts = 0;
  int upgrades = 0;
  bool expects_other = false;  // than 100-continue
};

Framing framing_of(const HttpRequest& request) {
  Framing framing;
  for (const auto& [name, value] : request.headers) {
    if (name == "host") {
      ++framing.hosts;
    } else if (name == "content-length") {
      ++framing.content_lengths;
      framing.content_length = value;
    } else if (name == "transfer-encoding") {
      ++framing.transfer_encodings;
      framing.transfer_encoding = value;
    } else if (name == "expect") {
      framing.expects_other |= !equals_ignoring_case(value, "100-continue");
    } else if (name == "upgrade") {
      ++framing.upgrades;
    }
  }
  return framing;
}

std::optional<HttpFault> check_method(std::string_view method) {
  if (std::find(kMethods.begin(), kMethods.end(), method) != kMethods.end()) return std::nullopt;
  const bool upper =
      std::all_of(method.begin(), method.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  if (upper) return HttpFault{"not_implemented", "This method is not known here."};
  return malformed("The method is not written in upper-case letters.");
}

std::optional<HttpFault> check_target(std::string_view target) {
  const bool printable =
      std::all_of(target.begin(), target.end(), [](char c) { return c > ' ' && c < '\x7f'; });
  if (printable && target.front() == '/') return std::nullopt;
  return malformed("The target is not a path: it must begin with / and be printable ASCII.");
}

// `most`: nothing is too long without it.
std::optional<HttpFault> check_length(const Framing& framing, std::optional<size_t> most) {
  if (framing.content_lengths == 0) return std::nullopt;
  if (framing.content_lengths > 1) return malformed("There is more than one Content-Length.");
  const std::string_view digits = framing.content_length;
  const bool number = !digits.empty() && std::all_of(digits.begin(), digits.end(),
                                                     [](char c) { return c >= '0' && c <= '9'; });
  if (!number) return malformed("The Content-Length is not a number.");
  // Leading zeros are harmless; a number with more digits than any limit is not read at all.
  const size_t first = std::min(digits.find_first_not_of('0'), digits.size());
  const bool readable = digits.size() - first < 19;
  uint64_t length = 0;
  for (size_t i = first; readable && i < digits.size(); ++i) {
    length = length * 10 + static_cast<uint64_t>(digits[i] - '0');
  }
  if (!readable || (most && length > *most)) {
    return HttpFault{"too_large", "The Content-Length is above the limit; nothing was read."};
  }
  return std::nullopt;
}

std::optional<HttpFault> check_coding(const Framing& framing, int minor_version) {
  if (framing.transfer_encodings == 0) return std::nullopt;
  if (framing.content_lengths > 0) {
    return malformed("There is a Transfer-Encoding and a Content-Length; send one of them.");
  }
  if (minor_version == 0) return malformed("HTTP/1.0 has no Transfer-Encoding.");
  if (framing.transfer_encodings > 1 ||
      !equals_ignoring_case(framing.transfer_encoding, "chunked")) {
    return HttpFault{"not_implemented", "The only Transfer-Encoding that is taken is chunked."};
  }
  return std::nullopt;
}

}  // namespace

std::optional<HttpFault> check_head_bytes(std::string_view head, size_t from) {
  // One back: the line feed before `from` may only now turn out to begin a fold.
  const size_t start = from == 0 ? 0 : from - 1;
  for (size_t at = head.find('\n', start); at != head.npos; at = head.find('\n', at + 1)) {
    if (at == 0 || head[at - 1] != '\r') {
      return malformed("A line of the head does not end in CR LF.");
    }
    const char next = at + 1 < head.size() ? head[at + 1] : '\0';
    if (next == ' ' || next == '\t') return malformed("A header field is folded over two lines.");
  }
  return std::nullopt;
}

std::optional<HttpFault> check_head(const HttpRequest& request, const HeadFacts& facts,
                                    const HttpLimits& limits) {
  if (auto fault = check_method(request.method)) return fault;
  if (auto fault = check_target(facts.target)) return fault;
  const Framing framing = framing_of(request);
  if (framing.hosts > 1) return malformed("There is more than one Host.");
  if (framing.hosts == 0 && facts.minor_version > 0) return malformed("There is no Host.");
  if (auto fault = check_coding(framing, facts.minor_version)) return fault;
  if (auto fault =
          check_length(framing, facts.streamed ? std::nullopt : std::optional(limits.body_bytes)))
    return fault;
  if (framing.upgrades > 0) return malformed("No upgrade of the connection is offered here.");
  if (framing.expects_other) {
    return HttpFault{"expectation_failed", "The only Expect that is met is 100-continue."};
  }
  return std::nullopt;
}

}  // namespace weir
