// SPDX-License-Identifier: Apache-2.0
//
// FakeGateway: a provider to rehearse with. It speaks the send call of SMSGatewayCenter's HTTP API
// and the call that asks for a price (price.h), has a ceiling in units/s above which it throttles,
// takes its time to answer, and can be told to misbehave (script.h). GET /ledger tells what it
// really took.
//
// It counts segments as weir does, but it keeps its own books.
//
// Threads: the loop's that it is given.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "weir/result.h"
#include "weir/time.h"
#include "weir/units.h"

#include "tools/fake_gateway/price.h"
#include "tools/fake_gateway/script.h"

struct uv_loop_s;

namespace weir {

struct FakeGatewayOptions {
  std::string address = "127.0.0.1";
  uint16_t port = 0;
  Units ceiling_per_s = Units::of(50);
  Units capacity = Units::of(50);  // full at start, as a provider's is
  Duration latency = Duration::millis(50);
  Script script;
  std::string api_key;                              // empty: every key is good
  Disagreement disagreement = Disagreement::kNone;  // about prices
};

class FakeGateway {
 public:
  FakeGateway(uv_loop_s* loop, FakeGatewayOptions options);
  ~FakeGateway();
  FakeGateway(const FakeGateway&) = delete;
  FakeGateway& operator=(const FakeGateway&) = delete;

  Result<uint16_t> listen();
  void close(std::function<void()> closed);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weir
