// SPDX-License-Identifier: Apache-2.0

#include "shim/front/response_head.h"

#include <algorithm>
#include <string_view>

#include "weir/check.h"

namespace weir {
namespace {

std::string_view reason_phrase(int status) {
  switch (status) {
    case 200: return "OK";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 413: return "Content Too Large";
    case 415: return "Unsupported Media Type";
    case 417: return "Expectation Failed";
    case 422: return "Unprocessable Content";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    default: return "";  // RFC 9112 lets it be empty; clients read the number
  }
}

// A line end in a value would let whoever chose the value write fields of his own.
bool one_line(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

void append_field(std::string& head, std::string_view name, std::string_view value) {
  WEIR_CHECK(one_line(name) && one_line(value));
  head += name;
  head += ": ";
  head += value;
  head += "\r\n";
}

}  // namespace

std::string response_head(const HttpResponse& response, Persistence persistence) {
  std::string head;
  head.reserve(256);
  head += "HTTP/1.1 ";
  head += std::to_string(response.status);
  head += ' ';
  head += reason_phrase(response.status);
  head += "\r\n";
  const bool bodiless = response.status == 204 || response.status == 304;
  if (!bodiless) {
    if (!response.content_type.empty()) append_field(head, "Content-Type", response.content_type);
    if (persistence != Persistence::kStream)
      append_field(head, "Content-Length", std::to_string(response.body.size()));
  }
  for (const auto& [name, value] : response.headers)
    append_field(head, name, value);
  const bool closes = persistence == Persistence::kClose || persistence == Persistence::kStream;
  if (closes) append_field(head, "Connection", "close");
  if (persistence == Persistence::kKeepSaid) append_field(head, "Connection", "keep-alive");
  head += "\r\n";
  return head;
}

}  // namespace weir
