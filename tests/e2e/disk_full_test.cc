// SPDX-License-Identifier: Apache-2.0
//
// The database's disk is really full: a small one in memory that the test fills and empties.
#include <filesystem>
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/rig.h"

namespace weir::test {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

class DiskFull : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_mount()) GTEST_SKIP() << "mounting a disk in memory needs user namespaces or root";
  }

  static RigOptions options(const std::string& min_free) {
    RigOptions options;
    options.rate = "200";  // so that something waits
    options.disk_size = "16m";
    options.store = {"min_free: " + min_free};
    return options;
  }

  // Until the disk takes no more, or until no more than `left` bytes are free.
  void fill(Rig& rig, uintmax_t left = 0) {
    std::ofstream file(filler(rig), std::ios::app);
    const std::string block(4096, 'x');
    while (file && std::filesystem::space(rig.disk()).available > left) {
      file << block << std::flush;
    }
  }
  void empty(Rig& rig) { std::filesystem::remove(filler(rig)); }
  static std::string filler(const Rig& rig) { return rig.disk() + "/filler"; }

  ApiReply hand_in(Rig& rig) {
    const std::string body = "message " + std::to_string(handed_in_++);
    const json::object one = {
        {"class", "delivery_update"}, {"to", "+919876543210"}, {"body", body}};
    const ApiReply reply = rig.call("POST", "/v1/messages", json::serialize(one));
    if (reply.status == 202) {
      accepted_.insert({json::parse(reply.body).at("id").as_string().c_str(), body});
    } else {
      EXPECT_EQ(reply.status, 503) << reply.body;
    }
    return reply;
  }

  // Each that was accepted went out once, and nothing else did.
  void compare(Rig& rig) {
    rig.wait_until_idle();
    std::multiset<std::string> wanted;
    for (const auto& [id, body] : accepted_) {
      wanted.insert(body);
      EXPECT_EQ(rig.state(id), "submitted") << id;
    }
    std::multiset<std::string> taken;
    const json::object ledger = rig.ledger();
    for (const json::value& call : ledger.at("calls").as_array())
      taken.insert(call.at("body").as_string().c_str());
    EXPECT_EQ(taken, wanted);
    const ApiReply checked = rig.call("POST", "/v1/db/check", "{}");
    EXPECT_THAT(checked.body, HasSubstr("\"whole\":true"));
  }

  int handed_in_ = 0;
  std::set<std::pair<std::string, std::string>> accepted_;  // id and body
};

TEST_F(DiskFull, IsA503AndNothingIsLostAndItGoesOnWhenSpaceReturns) {
  Rig rig(options("0"));
  rig.start_weir();
  for (int times = 0; times < 2; ++times) {
    for (int i = 0; i < 100; ++i)
      hand_in(rig);
    fill(rig);
    // What the log holds already can still be written over.
    ApiReply reply;
    do {
      reply = hand_in(rig);
    } while (reply.status == 202);
    EXPECT_THAT(reply.body, HasSubstr("store_unavailable"));
    EXPECT_THAT(rig.wait_for_readyz(503), HasSubstr("disk_full"));
    EXPECT_EQ(rig.call("GET", "/healthz").status, 200);
    empty(rig);
    rig.wait_for_readyz(200);
    EXPECT_EQ(hand_in(rig).status, 202);
  }
  compare(rig);
}

TEST_F(DiskFull, LittleSpaceStopsIntakeAndWhatIsHereStillGoesOut) {
  Rig rig(options("6MiB"));
  rig.start_weir();
  for (int i = 0; i < 300; ++i)
    hand_in(rig);
  fill(rig, 5U << 20);
  EXPECT_THAT(rig.wait_for_readyz(503), HasSubstr("low_space"));
  EXPECT_THAT(hand_in(rig).body, HasSubstr("store_unavailable"));
  rig.wait_until_idle();
  EXPECT_EQ(rig.call("GET", "/readyz").status, 503);
  empty(rig);
  rig.wait_for_readyz(200);
  EXPECT_EQ(hand_in(rig).status, 202);
  compare(rig);
}

}  // namespace
}  // namespace weir::test
