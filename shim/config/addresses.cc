// SPDX-License-Identifier: Apache-2.0
#include "shim/config/addresses.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <arpa/inet.h>

namespace weir {
namespace {

std::optional<uint16_t> port_of(std::string_view text) {
  uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return port;
}

struct HostPort {
  std::string_view host;  // without brackets
  std::string_view port;  // empty: none
  bool bracketed = false;
};

std::optional<HostPort> split(std::string_view text) {
  HostPort parts;
  if (text.starts_with('[')) {
    const size_t close = text.find(']');
    if (close == std::string_view::npos) return std::nullopt;
    parts = {text.substr(1, close - 1), {}, true};
    text.remove_prefix(close + 1);
  } else {
    const size_t colon = std::min(text.find(':'), text.size());
    parts.host = text.substr(0, colon);
    text.remove_prefix(colon);
  }
  if (parts.host.empty()) return std::nullopt;
  if (text.empty()) return parts;
  if (text.front() != ':' || text.size() == 1) return std::nullopt;
  parts.port = text.substr(1);
  return parts;
}

bool is_numeric(const std::string& address, bool bracketed) {
  in6_addr any{};  // large enough for both
  return ::inet_pton(bracketed ? AF_INET6 : AF_INET, address.c_str(), &any) == 1;
}

bool is_loopback(const std::string& address, bool bracketed) {
  if (bracketed) {
    in6_addr six{};
    return ::inet_pton(AF_INET6, address.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
  }
  in_addr four{};
  return ::inet_pton(AF_INET, address.c_str(), &four) == 1 && ntohl(four.s_addr) >> 24 == 127;
}

bool is_host(std::string_view host, bool bracketed) {
  const std::string_view more = bracketed ? ":" : ".-_";
  return std::all_of(host.begin(), host.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           more.find(c) != std::string_view::npos;
  });
}

std::optional<std::string_view> after_scheme(std::string_view url) {
  for (std::string_view scheme : {"https://", "http://"}) {
    if (url.starts_with(scheme)) return url.substr(scheme.size());
  }
  return std::nullopt;
}

}  // namespace

Result<TcpAddress> parse_tcp_address(std::string_view text) {
  const std::optional<HostPort> parts = split(text);
  const std::optional<uint16_t> port = parts ? port_of(parts->port) : std::nullopt;
  if (!port) return Error{"write a numeric address and a port, like 127.0.0.1:8025, or off"};
  TcpAddress address{std::string(parts->host), *port};
  if (!is_numeric(address.address, parts->bracketed)) {
    return Error{"write the address in numbers, like 127.0.0.1:8025 or [::1]:8025"};
  }
  address.loopback = is_loopback(address.address, parts->bracketed);
  return address;
}

Result<std::string> parse_base_url(std::string_view text) {
  if (text.ends_with('/')) text.remove_suffix(1);
  const std::optional<std::string_view> rest = after_scheme(text);
  if (!rest) return Error{"must begin with https:// (or http://)"};
  if (rest->find('@') != std::string_view::npos) {
    return Error{"holds a user or password; credentials belong under gateway.secrets"};
  }
  if (rest->find_first_of("/?#") != std::string_view::npos) {
    return Error{"must end after the host and its port; the profile adds the path"};
  }
  const std::optional<HostPort> parts = split(*rest);
  const bool port_is_right =
      parts && (parts->port.empty() || port_of(parts->port).value_or(0) != 0);
  if (!port_is_right || !is_host(parts->host, parts->bracketed)) {
    return Error{
        "has no right host; write https://gateway.example or https://gateway.example:8443"};
  }
  return std::string(text);
}

bool is_loopback_url(std::string_view url) {
  const std::optional<std::string_view> rest = after_scheme(url);
  const std::optional<HostPort> parts = rest ? split(*rest) : std::nullopt;
  return parts &&
         (parts->host == "localhost" || is_loopback(std::string(parts->host), parts->bracketed));
}

}  // namespace weir
