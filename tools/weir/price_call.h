// SPDX-License-Identifier: Apache-2.0
//
// Asks a gateway what texts cost, one call after the other on one connection.
//
// Used by `weir cost verify` only, on its only thread; it blocks. The daemon never asks: it counts.
//
// What always holds: no redirect is followed, no proxy is used, and only the scheme of gateway.url
// is spoken, so the credentials go nowhere else. A call ends within gateway.total_timeout.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "weir/result.h"
#include "weir/segments.h"

#include "shim/egress/gateway_options.h"
#include "shim/egress/profile.h"
#include "tools/weir/price_reply.h"

namespace weir {

// The gateway answered, but not with a price.
struct NoPrice {
  std::string what;  // "HTTP 200, code 216"
};

class PriceCall {
 public:
  // The profile has a price section, and it outlives the calls. The error is one of configuration.
  static Result<PriceCall> make(const GatewayOptions& options, const Profile& profile);
  PriceCall(PriceCall&&) noexcept;
  ~PriceCall();

  // The error says that the gateway was not reached, and why.
  Result<std::variant<GatewayPrice, NoPrice>> ask(std::string_view body, Encoding encoding);

 private:
  struct State;
  explicit PriceCall(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace weir
