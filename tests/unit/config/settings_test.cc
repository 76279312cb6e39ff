// SPDX-License-Identifier: Apache-2.0
#include "shim/config/settings.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/config/scratch.h"

namespace weir {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kMinimal = R"(store: {path: weir.db}
gateway:
  profile: smsgatewaycenter
  url: https://gateway.example
)";

// weir.yaml with the shipped profile beside it.
class SettingsTest : public testing::Test {
 protected:
  SettingsTest() {
    scratch_.write("profiles/smsgatewaycenter.yaml",
                   read_text(WEIR_SOURCE_DIR "/conf/profiles/smsgatewaycenter.yaml"));
  }

  Result<Settings> load(const std::string& text) {
    return load_settings(scratch_.write("weir.yaml", text));
  }
  std::string error(const std::string& text) {
    const Result<Settings> settings = load(text);
    return settings ? "" : settings.error().detail;
  }

  Scratch scratch_;
};

TEST_F(SettingsTest, ThreeValuesAreEnough) {
  const Result<Settings> settings = load(kMinimal);
  ASSERT_TRUE(settings) << settings.error().detail;
  EXPECT_EQ(settings->store.path, "weir.db");
  EXPECT_EQ(settings->gateway.url, "https://gateway.example");
  EXPECT_EQ(settings->profile.name, "smsgatewaycenter");
  EXPECT_EQ(settings->api.unix_path, "");
}

TEST_F(SettingsTest, TheProfileReachesTheEngine) {
  scratch_.write("profiles/mine.yaml", R"(name: mine
request: {path: /s, fields: {to: "{recipients}", text: "{body}"}}
reply: {code: [/code]}
outcomes: [{http: 200, code: "0", outcome: accepted}]
counting: {concat_reference_bits: 16}
weight: 0.35
)");
  const Result<Settings> settings =
      load("store: {path: a}\ngateway: {profile: mine, url: 'http://127.0.0.1:1'}\n");
  ASSERT_TRUE(settings) << settings.error().detail;
  EXPECT_EQ(settings->engine.weight, Units::from_micro(350'000));
  EXPECT_EQ(settings->engine.counting.concat_reference, ConcatReference::k16Bits);
  ASSERT_EQ(settings->engine.outcomes.size(), 1u);
  EXPECT_EQ(settings->engine.outcomes[0].outcome, Outcome::kAccepted);
}

TEST_F(SettingsTest, SlotsOfTheGatewayAreTheSumOfTheLanes) {
  const Result<Settings> settings = load(
      kMinimal + "lanes: {otp: {slots: 1}, transactional: {slots: 2}, promotional: {slots: 4}}");
  ASSERT_TRUE(settings) << settings.error().detail;
  EXPECT_EQ(settings->gateway.slots, 7u);
}

TEST_F(SettingsTest, WhatIsWrongIsSaidWithItsPlace) {
  struct Row {
    const char* text;
    const char* error;
  };
  const Row rows[] = {
      {"limits: {max_segmnts: 3}",
       ":5:10: limits: the key max_segmnts is unknown; did you mean "
       "max_segments?"},
      {"lanse: {}", ":5:1: the key lanse is unknown; did you mean lanes?"},
      {"limits: {max_segments: many}", ":5:24: limits.max_segments: cannot be read; write a whole"},
      {"limits: {max_segments: '3'}", ":5:24: limits.max_segments: is a text in quotes"},
      {"limits: {max_segments: [3]}", ":5:24: limits.max_segments: is a list"},
      {"limits: {max_segments: 256}", "is out of range; write 1 to 255"},
      {"limits: {max_segments: }", "limits.max_segments: is empty"},
      {"limits: 3", ":5:9: limits: is a plain value; write a map"},
      {"limits:", "limits: is empty"},
      {"drain_timeout: 35", ":5:16: drain_timeout: cannot be read; write a duration"},
      {"drain_timeout: 2d", "write 100ms to 1h"},
      {"lanes: {otp: {reserve: 120%}}", "lanes.otp.reserve: cannot be read; write a share"},
      {"lanes: {otp: {reserve: 50%}}", "weir.yaml: lanes.otp.limit"},
      {"lanes: {otp: {max_units: 0}}", "write 1 to 1000000000000"},
      {"lanes: {opt: {}}", "did you mean otp?"},
      {"log: {format: jsn}",
       ":5:15: log.format: is not one of the words it can be: write logfmt or "
       "json; did you mean json?"},
      {"listen: {tcp: '0.0.0.0:8025'}", ":5:15: listen.tcp: is not a loopback address"},
      {"listen: {tcp: off}", "weir would listen nowhere"},
      {"listen: {unix_mode: rw}", "permission bits"},
      {"listen: {unix_mode: 7777}", "permission bits"},
      {"classes: {}", "weir.yaml: classes must name"},
      {"classes: {Otp: {lane: otp, policy: shed, deadline: {after: 1s}}}", "1 to 64 characters"},
      {"classes: {otp: {lane: otp, policy: shed}}", ":5:16: classes.otp: lacks deadline"},
      {"classes: {otp: {lane: opt, policy: shed, deadline: {after: 1s}}}", "did you mean otp?"},
      {"classes: {otp: {lane: otp, policy: shed, deadline: {}}}", "write {after: 45s}"},
      {"classes: {otp: {lane: otp, policy: shed, deadline: {after: 32d}}}", "write 1ms to 31d"},
      {"classes: {otp: {lane: otp, policy: shed, deadline: {after: 1s, at: event_at}}}",
       "write {after: 45s}"},
      {"classes: {otp: {lane: otp, policy: shed, deadline: {after: 1s, within: 2s}}}",
       "the key within is unknown"},
      {"recipients: {default_country_code: '+91'}", "digits without a plus"},
      {"recipients: {default_country_code: '091'}", "must not begin with 0"},
      {"backoff: {base: 1m, cap: 1s}", "backoff.base must not be above backoff.cap"},
      {"store: {path: again}", ":5:1: this key stands twice"},
      {"store: {queue: 2048}", "stands twice"},
      {"buckets: {crm: {capacity: 1s}}", "buckets.crm: lacks rate_units_per_s"},
      {"buckets: {crm: {rate_units_per_s: 0}}", "buckets.crm.rate_units_per_s"},
      {"buckets: {otp: {rate_units_per_s: 1}}", "buckets.otp is the name of a class"},
      {"limits: {max_acquire_wait: 2h}", "limits.max_acquire_wait"},
      {"batch: {max_recipients: 0}", ":5:25: batch.max_recipients: is out of range"},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(error(kMinimal + row.text), HasSubstr(row.error)) << row.text;
  }
}

TEST_F(SettingsTest, WhatHasNoDefaultMustBeGiven) {
  const std::string none = error("log: {}\n");
  EXPECT_THAT(none, AllOf(HasSubstr("lacks store"), HasSubstr("lacks gateway")));
  const std::string empty = error("store: {}\ngateway: {}\n");
  EXPECT_THAT(empty, AllOf(HasSubstr("store: lacks path"), HasSubstr("gateway: lacks profile"),
                           HasSubstr("gateway: lacks url")));
}

TEST_F(SettingsTest, ValuesThatContradictEachOtherAreFound) {
  EXPECT_THAT(error("store: {path: a, queue: 2048}\n" + kMinimal.substr(kMinimal.find('\n') + 1)),
              HasSubstr("store.queue must be at least"));
  EXPECT_THAT(error(kMinimal + "  connect_timeout: 40s\n"),
              HasSubstr("gateway.connect_timeout must not be above"));
}

TEST_F(SettingsTest, AllErrorsOfBothFilesAreReported) {
  scratch_.write("profiles/bad.yaml", "name: bad\nreqest: {}\n");
  const std::string errors = error(
      "store: {path: a, bulk_rows: x}\n"
      "gateway: {profile: bad, url: nowhere}\n"
      "drain: 1s\n");
  EXPECT_THAT(errors, AllOf(HasSubstr("weir.yaml:1:29: store.bulk_rows"),
                            HasSubstr("weir.yaml:2:30: gateway.url"),
                            HasSubstr("weir.yaml:3:1: the key drain is unknown"),
                            HasSubstr("bad.yaml:2:1: the key reqest is unknown; did you mean "
                                      "request?")));
}

TEST_F(SettingsTest, AProfileIsLookedForBesideTheFile) {
  EXPECT_THAT(error("store: {path: a}\ngateway: {profile: nobody, url: 'http://a'}\n"),
              AllOf(HasSubstr("weir.yaml:2:20: gateway.profile: there is neither "),
                    HasSubstr(scratch_.path("profiles/nobody.yaml"))));
  EXPECT_THAT(error("store: {path: a}\ngateway: {profile: ../x, url: 'http://a'}\n"),
              HasSubstr("gateway.profile: write 1 to 64 characters"));
  scratch_.write("profiles/other.yaml",
                 read_text(WEIR_SOURCE_DIR "/conf/profiles/smsgatewaycenter.yaml"));
  EXPECT_THAT(error("store: {path: a}\ngateway: {profile: other, url: 'http://a'}\n"),
              HasSubstr("name: must be other"));
}

TEST_F(SettingsTest, NamesThatTheProfileDoesNotUseAreErrors) {
  scratch_.write("key", "hunter2");
  const std::string secret = "  secrets: {api_kye: {file: " + scratch_.path("key") + "}}\n";
  EXPECT_THAT(error(kMinimal + secret), AllOf(HasSubstr(":5:13: gateway.secrets: the profile"),
                                              HasSubstr("did you mean api_key?")));
  EXPECT_THAT(error(kMinimal + "  params: {dltEntityID: x}\n"),
              AllOf(HasSubstr(":5:12: gateway.params: the profile"),
                    HasSubstr("did you mean dltEntityId?")));
}

TEST_F(SettingsTest, SecretsAreReadAndShownNowhere) {
  scratch_.write("key", "hunter2\n");
  const std::string secret = "  secrets: {api_key: {file: " + scratch_.path("key") + "}}\n";
  const Result<Settings> settings = load(kMinimal + secret);
  ASSERT_TRUE(settings) << settings.error().detail;
  EXPECT_EQ(settings->gateway.secrets.at("api_key"), "hunter2");
  EXPECT_THAT(describe(*settings), Not(HasSubstr("hunter2")));
  EXPECT_THAT(describe(*settings), HasSubstr("api_key: set"));
  EXPECT_THAT(describe(*settings), HasSubstr("userid: not set"));

  const std::string later = error(kMinimal + secret + "limits: {max_segments: 0}\nhunter3: 1\n");
  EXPECT_THAT(later, AllOf(Not(HasSubstr("hunter2")), HasSubstr("limits.max_segments")));
}

TEST_F(SettingsTest, ASecretWrittenWhereItDoesNotBelongIsNotRepeated) {
  for (const std::string text :
       {"  secrets: {api_key: hunter2}\n", "  secrets: hunter2\n", "  secrets: {hunter2}\n",
        "  total_timeout: hunter2\n", "  max_reply_bytes: hunter2\n", "log: {level: hunter2}\n",
        "  name: Hunter2 hunter2\n", "listen: {tcp: hunter2}\n"}) {
    EXPECT_THAT(error(kMinimal + text), AllOf(Not(HasSubstr("unter2")), Not(testing::IsEmpty())))
        << text;
  }
  EXPECT_THAT(error("store: {path: a}\ngateway: {profile: smsgatewaycenter, url: "
                    "'https://me:hunter2@gateway.example'}\n"),
              AllOf(Not(HasSubstr("hunter2")), HasSubstr("credentials belong under")));
}

TEST_F(SettingsTest, FilesThatCannotBeSettingsAreRefused) {
  EXPECT_THAT(error(""), HasSubstr("is empty"));
  EXPECT_THAT(error("- a\n"), HasSubstr("must be a map"));
  EXPECT_THAT(error("\tstore: 1\n"), HasSubstr("weir.yaml:1:"));
  EXPECT_THAT(error(std::string(2'000'000, '#')), HasSubstr("is larger than 1MiB"));
  const Result<Settings> missing = load_settings(scratch_.path("none.yaml"));
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().detail, HasSubstr("none.yaml: cannot be read: No such file"));
}

TEST_F(SettingsTest, DescribeShowsWhatFollowsFromTheSettings) {
  const Result<Settings> settings = load(kMinimal + R"(  sender: WEIR
  ceiling: {rate_units_per_s: 200, capacity: 5s}
  total_timeout: 40s
)");
  ASSERT_TRUE(settings) << settings.error().detail;
  const std::string text = describe(*settings);
  EXPECT_THAT(text, HasSubstr("200 units/s; holds 1000 units, full from empty in 5s"));
  EXPECT_THAT(text, HasSubstr("tcp 127.0.0.1:8025"));
  EXPECT_THAT(text, HasSubstr("64 at once; connect within 5s, done within 40s"));
  EXPECT_THAT(text, HasSubstr("otp            40/s      80/s"));
  EXPECT_THAT(text, HasSubstr("2.0 MB"));  // 50,000 rows of 40 bytes
  EXPECT_THAT(text, HasSubstr("45s after acceptance"));
  EXPECT_THAT(text, HasSubstr("event_at, within 31d"));
  EXPECT_THAT(text, HasSubstr("under gateway.secrets set api_key, or password and userid"));
  EXPECT_THAT(text, HasSubstr("note: drain_timeout is not above"));
  for (const ClassOptions& one : settings->engine.classes)
    EXPECT_THAT(text, HasSubstr(one.name));
}

TEST_F(SettingsTest, AWindowIsReadAndShown) {
  const std::string start = kMinimal +
                            "classes:\n  news: {lane: promotional, policy: buffer, "
                            "deadline: {after: 24h}, window: ";
  const Result<Settings> settings = load(
      start + "{open: '22:30', close: \"06:00\", zone: Europe/Berlin, at_close: carry_over}}\n");
  ASSERT_TRUE(settings) << settings.error().detail;
  const SendingWindow wanted{22 * 60 + 30, 6 * 60, AtClose::kCarryOver, "Europe/Berlin"};
  EXPECT_EQ(settings->engine.classes.at(0).window, wanted);
  EXPECT_THAT(describe(*settings), HasSubstr("22:30 to 06:00 Europe/Berlin, then carry over"));
  // Noon and midnight of 1 July 2026, UTC.
  const auto shown = [&](int64_t unix_s) {
    return describe_openings(settings->engine, WallTime::from_unix_ms(unix_s * 1000));
  };
  EXPECT_THAT(shown(1'782'907'200), HasSubstr("opens 2026-07-01 22:30 +02:00 (2026-07-01 20:30"));
  EXPECT_THAT(shown(1'782'864'000),
              AllOf(HasSubstr("open "), HasSubstr("2026-07-01 06:00 +02:00")));
  EngineOptions none;
  none.classes.clear();
  EXPECT_EQ(describe_openings(none, WallTime()), "");
}

TEST_F(SettingsTest, AWrongWindowSaysWhereAndWhat) {
  struct Row {
    const char* window;
    const char* part;
  };
  const Row rows[] = {
      {"{open: '10:00', close: '21:00', zone: Asia/Calcuta, at_close: shed}",
       ":7:49: classes.news.window.zone: is not a time zone of this machine; write a name"},
      {"{open: '10:00', close: '24:00', zone: UTC, at_close: shed}",
       ":7:34: classes.news.window.close: write a time of day from 00:00 to 23:59, like 10:00"},
      {"{open: 9, close: '21:00', zone: UTC, at_close: shed}", "window.open: write a time of day"},
      {"{open: '9:00', close: '21:00', zone: UTC, at_close: shed}", "window.open: write a time"},
      {"{open: '10:00', close: '10:00', zone: UTC, at_close: shed}",
       ":7:11: classes.news.window: opens and closes at the same minute; leave the window out"},
      {"{open: '10:00', close: '21:00', zone: UTC}", "classes.news.window: lacks at_close"},
      {"{open: '10:00', close: '21:00', at_close: shed}", "classes.news.window: lacks zone"},
      {"{open: '10:00', close: '21:00', zone: UTC, at_close: drop}", "window.at_close: "},
      {"{open: '10:00', close: '21:00', zone: UTC, at_close: shed, days: 5}", "days"},
  };
  for (const Row& row : rows) {
    const std::string file = kMinimal +
                             "classes:\n  news: {lane: promotional, policy: buffer, deadline: "
                             "{after: 24h},\n" +
                             "  window: " + row.window + "}\n";
    EXPECT_THAT(error(file), HasSubstr(row.part)) << row.window;
  }
}

TEST_F(SettingsTest, AGuardIsReadAndShownAndReachesTheStore) {
  const Result<Settings> settings = load(kMinimal + R"(classes:
  otp:
    lane: otp
    policy: shed
    deadline: {after: 45s}
    guard:
      resend_cooldown: 20s
      max_per_recipient_per_hour: 4
      max_per_prefix_per_hour: 0
      prefix_digits: 6
      max_per_hour: 900
      allowed_prefixes: ["+91", "+49"]
  news: {lane: promotional, policy: buffer, deadline: {after: 1h}, guard: {}}
  other: {lane: promotional, policy: buffer, deadline: {after: 1h}}
)");
  ASSERT_TRUE(settings) << settings.error().detail;
  GuardOptions expected;
  expected.resend_cooldown = Duration::seconds(20);
  expected.max_per_recipient_per_hour = 4;
  expected.max_per_prefix_per_hour = 0;
  expected.prefix_digits = 6;
  expected.max_per_hour = 900;
  expected.allowed_prefixes = {"91", "49"};
  EXPECT_EQ(settings->engine.classes.at(0).guard, expected);
  EXPECT_EQ(settings->engine.classes.at(1).guard, GuardOptions{});
  EXPECT_FALSE(settings->engine.classes.at(2).guard);
  EXPECT_EQ(settings->store.guarded,
            (std::vector<GuardedName>{{"otp", 900}, {"news", GuardOptions{}.max_per_hour}}));
  EXPECT_THAT(describe(*settings),
              HasSubstr("guard  cooldown  to one recipient  to one prefix    in all  places\n"
                        "otp    20s       4/h               -                900/h   +91, +49\n"
                        "news   30s       5/h               300/h, 7 digits  5000/h  all\n"));
}

TEST_F(SettingsTest, AWrongGuardSaysWhereAndWhat) {
  const auto with = [](const std::string& guard) {
    return kMinimal +
           "classes:\n  otp: {lane: otp, policy: shed, deadline: {after: 45s}, guard: " + guard +
           "}\n";
  };
  EXPECT_THAT(error(with("{resend_cooldown: 2h}")), HasSubstr("classes.otp.guard.resend_cooldown"));
  EXPECT_THAT(error(with("{max_per_hour: 0}")), HasSubstr("classes.otp.guard.max_per_hour"));
  EXPECT_THAT(error(with("{prefix_digits: 16}")), HasSubstr("classes.otp.guard.prefix_digits"));
  EXPECT_THAT(error(with("{max_per_hours: 5}")), HasSubstr("max_per_hour"));
  for (const char* wrong : {"91", "+", "+0", "+9a", "+1234567890123456"}) {
    EXPECT_THAT(error(with("{allowed_prefixes: ['" + std::string(wrong) + "']}")),
                AllOf(HasSubstr("classes.otp.guard.allowed_prefixes"), HasSubstr("like \"+91\"")))
        << wrong;
  }
  EXPECT_EQ(error(with("{allowed_prefixes: []}")), "");
}

TEST_F(SettingsTest, WhatAGuardCountsMustBeKeptForItsHour) {
  const std::string brief =
      "store: {path: weir.db, keep_for: 59m}\n" + kMinimal.substr(kMinimal.find("gateway:"));
  EXPECT_EQ(error(brief), "");
  EXPECT_THAT(error(brief + "classes:\n  otp: {lane: otp, policy: shed, deadline: {after: 45s}, "
                            "guard: {}}\n"),
              HasSubstr("store.keep_for must be at least 1h"));
}

TEST_F(SettingsTest, AimdNeedsItsBoundsAndFitsAtItsFloor) {
  const std::string start = kMinimal + "  ceiling: {rate_units_per_s: 200, capacity: 1s, ";
  EXPECT_THAT(error(start + "control: aimd, cap_units_per_s: 400}\n"),
              HasSubstr("lacks floor_units_per_s"));
  EXPECT_THAT(error(start + "control: aimd, floor_units_per_s: 100}\n"),
              HasSubstr("lacks cap_units_per_s"));
  EXPECT_THAT(error(start + "control: aimd, floor_units_per_s: 300, cap_units_per_s: 400}\n"),
              HasSubstr("floor_units_per_s must be above 0 and not above rate_units_per_s (200)"));
  EXPECT_THAT(error(start + "control: aimd, floor_units_per_s: 1, cap_units_per_s: 400}\n"),
              HasSubstr("at ceiling.floor_units_per_s (1); raise that, or raise ceiling.capacity"));
  EXPECT_THAT(error(start + "control: aimd, floor_units_per_s: 100, cap_units_per_s: 400, "
                            "cut: 99%}\n"),
              HasSubstr("ceiling.cut is 0.99"));
  const Result<Settings> good =
      load(start + "control: aimd, floor_units_per_s: 100, cap_units_per_s: 400}\n");
  ASSERT_TRUE(good) << good.error().detail;
  EXPECT_THAT(describe(*good), HasSubstr("aimd: from 100 to 400 units/s"));
}

TEST_F(SettingsTest, DescribeShowsTheBucketsAndTheBoundsOfLeases) {
  const Result<Settings> settings = load(kMinimal + R"(
buckets: {crm: {rate_units_per_s: 2.5, capacity: 20s}}
limits: {max_waiters: 600, max_leases: 777, lease_time: 5m, max_acquire_wait: 30s}
)");
  ASSERT_TRUE(settings) << settings.error().detail;
  const std::string text = describe(*settings);
  EXPECT_THAT(text, HasSubstr("crm     2.5/s  50 units, full from empty in 20s"));
  EXPECT_THAT(text, HasSubstr("at most 600 wait at once, each up to 30s"));
  EXPECT_THAT(text, HasSubstr("the last 777 can be given back, for 5m"));
  EXPECT_THAT(text, HasSubstr("note: limits.max_waiters is not below"));
  const std::string plain = describe(*load(kMinimal));
  EXPECT_THAT(plain, Not(HasSubstr("max_waiters")));
  EXPECT_THAT(plain, Not(HasSubstr("apart from the ceiling")));
}

TEST_F(SettingsTest, PlainHttpBeyondThisMachineIsNoted) {
  const std::string start = "store: {path: a}\ngateway: {profile: smsgatewaycenter, url: ";
  EXPECT_THAT(describe(*load(start + "'http://gateway.example'}\n")), HasSubstr("plain http"));
  EXPECT_THAT(describe(*load(start + "'http://127.0.0.1:1'}\n")), Not(HasSubstr("plain http")));
}

}  // namespace
}  // namespace weir
