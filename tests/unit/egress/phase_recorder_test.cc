// SPDX-License-Identifier: Apache-2.0
#include "shim/egress/phase_recorder.h"

#include <array>
#include <string>

#include <gtest/gtest.h>

namespace weir {
namespace {

MonoTime at(int64_t ns) {
  return MonoTime::from_ns(ns);
}

PhaseRecorder begun(size_t max_reply_bytes = 100) {
  PhaseRecorder wire;
  wire.begin("0123456789", max_reply_bytes, at(1));
  return wire;
}

TEST(PhaseRecorder, RefusesASecondPassOnceAByteOfTheBodyWasHandedOver) {
  PhaseRecorder wire = begun();
  EXPECT_TRUE(wire.about_to_write(at(5)));
  EXPECT_TRUE(wire.may_rewind());
  EXPECT_TRUE(wire.about_to_write(at(7)));  // only the head was lost
  EXPECT_FALSE(wire.body_handed());
  std::array<char, 1> room{};
  EXPECT_EQ(wire.take_body(room.data(), room.size()), 1u);
  EXPECT_TRUE(wire.body_handed());
  EXPECT_FALSE(wire.may_rewind());
  EXPECT_FALSE(wire.about_to_write(at(9)));
  EXPECT_EQ(wire.sent_at(), at(7));
}

TEST(PhaseRecorder, HandsEveryByteOfTheBodyOverOnce) {
  PhaseRecorder wire = begun();
  std::string taken;
  std::array<char, 4> room{};
  for (const size_t expected : {4u, 4u, 2u}) {
    EXPECT_EQ(wire.take_body(room.data(), room.size()), expected);
    taken.append(room.data(), expected);
  }
  EXPECT_EQ(taken, "0123456789");
  EXPECT_EQ(wire.take_body(room.data(), room.size()), 0u);
}

TEST(PhaseRecorder, AnInterimHeadIsNoAnswer) {
  PhaseRecorder wire = begun();
  for (const char* line : {"HTTP/1.1 100 Continue\r\n", "Retry-After: 9\r\n", "\r\n"}) {
    EXPECT_TRUE(wire.on_head_line(line));
  }
  EXPECT_EQ(wire.http_status(), 0);
  EXPECT_FALSE(wire.head_done());
  for (const char* line : {"HTTP/1.1 202 Accepted\r\n", "\r\n"}) {
    EXPECT_TRUE(wire.on_head_line(line));
  }
  EXPECT_EQ(wire.http_status(), 202);
  EXPECT_TRUE(wire.head_done());
  EXPECT_FALSE(wire.retry_after().has_value());
}

TEST(PhaseRecorder, AHeadWithoutItsEndIsNotDone) {
  PhaseRecorder wire = begun();
  EXPECT_TRUE(wire.on_head_line("HTTP/1.1 429 Slow down\r\n"));
  EXPECT_TRUE(wire.on_head_line("Retry-After: 9\r\n"));
  EXPECT_EQ(wire.http_status(), 429);
  EXPECT_FALSE(wire.head_done());
  EXPECT_FALSE(wire.retry_after().has_value());
}

TEST(PhaseRecorder, OfARepeatedRetryAfterTheLargestCounts) {
  PhaseRecorder wire = begun();
  for (const char* line : {"HTTP/1.1 429 Slow down\r\n", "Date: Sun, 06 Nov 1994 12:00:00 GMT\r\n",
                           "retry-after: 3\r\n", "RETRY-AFTER: Sun, 06 Nov 1994 12:00:20 GMT\r\n",
                           "Retry-After: later\r\n", "\r\n"}) {
    EXPECT_TRUE(wire.on_head_line(line));
  }
  EXPECT_EQ(wire.retry_after(), Duration::seconds(20));
}

TEST(PhaseRecorder, AFieldThatIsNotAStatusLineSetsNoStatus) {
  PhaseRecorder wire = begun();
  for (const char* line : {"HTTP/1.1\r\n", "HTTP/1.1 20\r\n", "HTTP/1.1 2x0 Odd\r\n", "\r\n"}) {
    EXPECT_TRUE(wire.on_head_line(line));
  }
  EXPECT_EQ(wire.http_status(), 0);
  EXPECT_FALSE(wire.head_done());
}

TEST(PhaseRecorder, BoundsWhatItKeeps) {
  PhaseRecorder wire = begun(8);
  EXPECT_TRUE(wire.on_reply_bytes("12345678"));
  EXPECT_FALSE(wire.too_long());
  EXPECT_FALSE(wire.on_reply_bytes("9"));
  EXPECT_TRUE(wire.too_long());
  EXPECT_EQ(wire.reply(), "12345678");

  PhaseRecorder flooded = begun();
  const std::string line = "Set-Cookie: " + std::string(1000, 'x') + "\r\n";
  size_t taken = 0;
  while (flooded.on_head_line(line))
    taken += line.size();
  EXPECT_LE(taken, PhaseRecorder::kMaxHeadBytes);
  EXPECT_TRUE(flooded.too_long());
}

TEST(PhaseRecorder, ANewCallRemembersNothingOfTheLast) {
  PhaseRecorder wire = begun(8);
  std::array<char, 10> room{};
  wire.take_body(room.data(), room.size());
  for (const char* line : {"HTTP/1.1 429 Slow down\r\n", "Retry-After: 9\r\n", "\r\n"}) {
    wire.on_head_line(line);
  }
  wire.on_reply_bytes("too long a reply");
  wire.begin("next", 8, at(100));
  EXPECT_FALSE(wire.body_handed());
  EXPECT_EQ(wire.http_status(), 0);
  EXPECT_FALSE(wire.head_done());
  EXPECT_FALSE(wire.too_long());
  EXPECT_EQ(wire.reply(), "");
  EXPECT_FALSE(wire.retry_after().has_value());
  EXPECT_EQ(wire.sent_at(), at(100));
}

}  // namespace
}  // namespace weir
