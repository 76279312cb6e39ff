// SPDX-License-Identifier: Apache-2.0
//
// Names: curl resolves them on threads of its own, and must not make the loop wait for one.
//
// The binary's own getaddrinfo stands in the place of the system's, so nothing leaves the machine:
// gateway.test is here, slow.test takes until the test says so, nothing else exists.
#include <condition_variable>
#include <cstring>
#include <mutex>

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <netdb.h>

#include "tests/unit/egress/egress_fixture.h"

namespace weir::test {
namespace {

struct Resolver {
  std::mutex mutex;
  std::condition_variable changed;
  bool asked = false;
  bool released = false;
  bool done = false;
};
Resolver& resolver() {
  // Never destroyed: curl's resolver thread may still be in here when the program ends.
  static Resolver& instance = *new Resolver;
  return instance;
}

void wait_until(bool Resolver::*flag) {
  std::unique_lock lock(resolver().mutex);
  resolver().changed.wait(lock, [&] { return resolver().*flag; });
}

void raise(bool Resolver::*flag) {
  const std::lock_guard lock(resolver().mutex);
  resolver().*flag = true;
  resolver().changed.notify_all();
}

}  // namespace
}  // namespace weir::test

extern "C" int getaddrinfo(const char* node, const char* service, const addrinfo* hints,
                           addrinfo** result) {
  using weir::test::Resolver;
  if (std::strcmp(node, "slow.test") == 0) {
    weir::test::raise(&Resolver::asked);
    weir::test::wait_until(&Resolver::released);
    weir::test::raise(&Resolver::done);
    return EAI_NONAME;
  }
  if (std::strcmp(node, "gateway.test") != 0) return EAI_NONAME;
  static const auto system =
      reinterpret_cast<decltype(&getaddrinfo)>(dlsym(RTLD_NEXT, "getaddrinfo"));
  return system("127.0.0.1", service, hints, result);
}

namespace weir::test {
namespace {

using testing::HasSubstr;

TEST_F(EgressTest, ReachesAGatewayByName) {
  RawGateway gateway(serve);
  open("http://gateway.test:" + std::to_string(gateway.port()));
  EXPECT_TRUE(call(1).complete);
  EXPECT_TRUE(call(2).complete);
  EXPECT_EQ(gateway.connections(), 1u);
}

TEST_F(EgressTest, AnUnknownNameIsACallNotMade) {
  open("http://nowhere.test:8080");
  const GatewayReply reply = call(1);
  EXPECT_FALSE(reply.body_handed);
  EXPECT_FALSE(reply.complete);
  EXPECT_THAT(reply.transport_error, HasSubstr("resolve"));
}

// The resolver answers only after everything else is over: were the loop to wait for it anywhere,
// this test would never end.
TEST_F(EgressTest, NeitherATimeoutNorAbandonNorCloseWaitsForAResolver) {
  options_.connect_timeout = Duration::millis(100);
  open("http://slow.test:8080");
  const GatewayReply timed_out = call(1);
  EXPECT_FALSE(timed_out.body_handed);
  EXPECT_FALSE(timed_out.complete);
  wait_until(&Resolver::asked);
  send(2);
  turn();
  egress_->abandon();
  run_until(2);
  EXPECT_FALSE(replies_.back().reply.body_handed);
  close();
  raise(&Resolver::released);
  wait_until(&Resolver::done);
}

}  // namespace
}  // namespace weir::test
