// SPDX-License-Identifier: Apache-2.0
//
// The files in conf/ and the code say the same.
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shim/config/profile_yaml.h"
#include "shim/config/settings.h"
#include "shim/config/settings_yaml.h"
#include "tests/unit/config/scratch.h"

namespace weir {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kWeirYaml = WEIR_SOURCE_DIR "/conf/weir.yaml";
constexpr const char* kDemoYaml = WEIR_SOURCE_DIR "/conf/demo.yaml";
constexpr const char* kProfileYaml = WEIR_SOURCE_DIR "/conf/profiles/smsgatewaycenter.yaml";

// The tests below compare field by field and cannot see a field that was added. When one of these
// fails, give the new field a key in shim/config/settings_yaml.cc (or say in conf/ why it has
// none), a line in conf/weir.yaml or the profile, a comparison below, and set the size anew.
TEST(ShippedFiles, NoStructHasGrownAFieldWithoutAKey) {
  if (sizeof(void*) != 8 || sizeof(std::string) != 32)
    GTEST_SKIP() << "sizes are of libstdc++, 64 bits";
  EXPECT_EQ(sizeof(EngineOptions), 608u);
  EXPECT_EQ(sizeof(CeilingOptions), 80u);
  EXPECT_EQ(sizeof(LaneOptions), 64u);
  EXPECT_EQ(sizeof(ClassOptions), 160u);
  EXPECT_EQ(sizeof(GuardOptions), 48u);
  EXPECT_EQ(sizeof(SendingWindow), 40u);
  EXPECT_EQ(sizeof(BackoffOptions), 16u);
  EXPECT_EQ(sizeof(BucketOptions), 48u);
  EXPECT_EQ(sizeof(ProducerOptions), 112u);
  EXPECT_EQ(sizeof(RecipientRules), 72u);
  EXPECT_EQ(sizeof(CountingRules), 40u);
  EXPECT_EQ(sizeof(GatewayOptions), 264u);
  EXPECT_EQ(sizeof(StoreOptions), 160u);
  EXPECT_EQ(sizeof(ApiOptions), 184u);
  EXPECT_EQ(sizeof(HttpLimits), 64u);
  EXPECT_EQ(sizeof(LogOptions), 40u);
  EXPECT_EQ(sizeof(Profile), 632u);
  EXPECT_EQ(sizeof(OutcomeRule), 56u);
}

TEST(ShippedFiles, EveryKeyIsReadAndEveryReadableKeyIsThere) {
  YamlErrors errors(kWeirYaml);
  const auto root = load_yaml(errors);
  ASSERT_TRUE(root) << errors.text();
  YamlReading reading{errors, {}};
  Settings settings;
  YamlValue(reading, *root, "").map([&](YamlMap& map) { read_settings(map, settings); });
  // An unread key is an error.
  EXPECT_EQ(errors.text(), "");
  // Each class has one of the two, see the test below.
  std::vector<std::string> missing;
  for (const std::string& name : reading.left_out) {
    const bool either = name.starts_with("classes.") &&
                        (name.ends_with(".deadline.after") || name.ends_with(".deadline.at"));
    // Most classes go out at any hour.
    const bool at_any_hour = name.starts_with("classes.") && name.ends_with(".window");
    // Codes only are worth a guard.
    const bool unguarded = name.starts_with("classes.") && name.ends_with(".guard");
    if (!either && !at_any_hour && !unguarded) missing.push_back(name);
  }
  EXPECT_THAT(missing, IsEmpty());
}

TEST(ShippedFiles, EveryKeyOfTheProfileIsExplainedWhereItStands) {
  YamlErrors errors(kProfileYaml);
  const auto profile = read_profile(errors);
  ASSERT_TRUE(profile) << errors.text();
  const Profile defaults;
  EXPECT_EQ(profile->recipients_join, defaults.recipients_join);
  EXPECT_EQ(profile->weight, defaults.weight);
  const std::string text = read_text(kProfileYaml);
  for (const char* key : {"alphabet:", "excluded:", "concat_reference_bits:", "straddle:",
                          "max_segments:", "past_max:", "locking_table:", "single_shift_table:",
                          "weight:", "join:", "plus:", "gsm7:", "ucs2:", "ref:", "rejected:"}) {
    EXPECT_THAT(text, HasSubstr(key));
  }
}

void expect_same(const LaneOptions& a, const LaneOptions& b) {
  EXPECT_EQ(a.reserve, b.reserve);
  EXPECT_EQ(a.limit, b.limit);
  EXPECT_EQ(a.slots, b.slots);
  EXPECT_EQ(a.max_rows, b.max_rows);
  EXPECT_EQ(a.max_units, b.max_units);
  EXPECT_EQ(a.slow_at, b.slow_at);
  EXPECT_EQ(a.pause_at, b.pause_at);
  EXPECT_EQ(a.shadow, b.shadow);
}

void expect_same(const ClassOptions& a, const ClassOptions& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.lane, b.lane) << a.name;
  EXPECT_EQ(a.policy, b.policy) << a.name;
  EXPECT_EQ(a.smart, b.smart) << a.name;
  EXPECT_EQ(a.rule, b.rule) << a.name;
  EXPECT_EQ(a.within, b.within) << a.name;
  EXPECT_EQ(a.window, b.window) << a.name;
  // Nobody has a guard who did not ask for one; the file shows it with its defaults, where codes
  // go.
  EXPECT_FALSE(b.guard) << b.name;
  EXPECT_EQ(a.guard, a.name == "otp" ? std::optional(GuardOptions{}) : std::nullopt) << a.name;
}

class WeirYaml : public testing::Test {
 protected:
  void SetUp() override {
    Result<Settings> loaded = load_settings(kWeirYaml);
    ASSERT_TRUE(loaded) << loaded.error().detail;
    found_ = *std::move(loaded);
  }
  Settings found_;
  const Settings defaults_{};
};

TEST_F(WeirYaml, EngineOptionsAreTheDefaults) {
  const EngineOptions& a = found_.engine;
  const EngineOptions& b = defaults_.engine;
  EXPECT_EQ(a.ceiling.rate_per_s, b.ceiling.rate_per_s);
  EXPECT_EQ(a.ceiling.capacity, b.ceiling.capacity);
  EXPECT_EQ(a.ceiling.control, b.ceiling.control);
  EXPECT_EQ(a.ceiling.floor_per_s, b.ceiling.floor_per_s);
  EXPECT_EQ(a.ceiling.cap_per_s, b.ceiling.cap_per_s);
  EXPECT_EQ(a.ceiling.cut, b.ceiling.cut);
  EXPECT_EQ(a.ceiling.step, b.ceiling.step);
  EXPECT_EQ(a.ceiling.step_least_per_s, b.ceiling.step_least_per_s);
  EXPECT_EQ(a.ceiling.hold, b.ceiling.hold);
  EXPECT_EQ(a.ceiling.slow_start, b.ceiling.slow_start);
  for (Lane lane : kAllLanes)
    expect_same(a.lanes[index(lane)], b.lanes[index(lane)]);
  ASSERT_EQ(a.classes.size(), b.classes.size());
  for (size_t i = 0; i < a.classes.size(); ++i)
    expect_same(a.classes[i], b.classes[i]);
  EXPECT_EQ(a.backoff.base, b.backoff.base);
  EXPECT_EQ(a.backoff.cap, b.backoff.cap);
  EXPECT_EQ(a.recipients.default_country_code, b.recipients.default_country_code);
  EXPECT_EQ(a.recipients.trunk_prefix, b.recipients.trunk_prefix);
  EXPECT_EQ(a.recipients.national_digits_max, b.recipients.national_digits_max);
  EXPECT_EQ(a.batch_max, b.batch_max);
  EXPECT_EQ(a.account_refused_pause, b.account_refused_pause);
  EXPECT_EQ(a.max_retry_after, b.max_retry_after);
}

TEST_F(WeirYaml, EngineLimitsAreTheDefaults) {
  const EngineOptions& a = found_.engine;
  const EngineOptions& b = defaults_.engine;
  EXPECT_EQ(a.max_recipients, b.max_recipients);
  EXPECT_EQ(a.max_segments, b.max_segments);
  EXPECT_EQ(a.max_key_bytes, b.max_key_bytes);
  EXPECT_EQ(a.max_tag_bytes, b.max_tag_bytes);
  EXPECT_EQ(a.max_sender_bytes, b.max_sender_bytes);
  EXPECT_EQ(a.max_params, b.max_params);
  EXPECT_EQ(a.max_deadline, b.max_deadline);
  EXPECT_EQ(a.max_templates, b.max_templates);
  EXPECT_EQ(a.max_persisting, b.max_persisting);
  EXPECT_EQ(a.slice, b.slice);
  EXPECT_EQ(a.max_waiters, b.max_waiters);
  EXPECT_EQ(a.max_leases, b.max_leases);
  EXPECT_EQ(a.lease_time, b.lease_time);
  EXPECT_EQ(a.max_acquire_wait, b.max_acquire_wait);
  EXPECT_TRUE(a.buckets.empty());
  EXPECT_TRUE(a.producers.empty());
}

TEST_F(WeirYaml, CountingIsTheDefaultAndOutcomesAreTheProfiles) {
  const CountingRules& a = found_.engine.counting;
  const CountingRules& b = defaults_.engine.counting;
  EXPECT_EQ(a.alphabet, b.alphabet);
  EXPECT_EQ(a.excluded, b.excluded);
  EXPECT_EQ(a.concat_reference, b.concat_reference);
  EXPECT_EQ(a.straddle, b.straddle);
  EXPECT_EQ(a.max_segments, b.max_segments);
  EXPECT_EQ(a.past_max, b.past_max);
  EXPECT_EQ(a.locking_table, b.locking_table);
  EXPECT_EQ(a.single_shift_table, b.single_shift_table);
  EXPECT_EQ(found_.engine.weight, defaults_.engine.weight);
  EXPECT_EQ(found_.engine.outcomes.size(), found_.profile.outcomes.size());
}

TEST_F(WeirYaml, GatewayOptionsAreTheDefaults) {
  const GatewayOptions& a = found_.gateway;
  const GatewayOptions& b = defaults_.gateway;
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.url, "https://unify.smsgateway.center");  // no default
  EXPECT_EQ(a.secrets, b.secrets);
  EXPECT_EQ(a.default_sender, b.default_sender);
  EXPECT_EQ(a.params, b.params);
  EXPECT_EQ(a.connect_timeout, b.connect_timeout);
  EXPECT_EQ(a.total_timeout, b.total_timeout);
  EXPECT_EQ(a.watchdog_delay, b.watchdog_delay);
  EXPECT_EQ(a.idle_timeout, b.idle_timeout);
  EXPECT_EQ(a.slots, b.slots);
  EXPECT_EQ(a.max_reply_bytes, b.max_reply_bytes);
  EXPECT_EQ(a.ca_file, b.ca_file);
}

TEST_F(WeirYaml, TheRestIsTheDefaults) {
  EXPECT_EQ(found_.store.path, "/var/lib/weir/weir.db");  // no default
  EXPECT_EQ(found_.store.boot_id, "");                    // of the machine, not of the file
  EXPECT_EQ(found_.store.guarded,
            (std::vector<GuardedName>{{"otp", GuardOptions{}.max_per_hour}}));  // of the classes
  EXPECT_EQ(found_.store.queue, defaults_.store.queue);
  EXPECT_EQ(found_.store.bulk_rows, defaults_.store.bulk_rows);
  EXPECT_EQ(found_.store.keep_for, defaults_.store.keep_for);
  EXPECT_EQ(found_.store.keys_for, defaults_.store.keys_for);
  EXPECT_EQ(found_.store.min_free_bytes, defaults_.store.min_free_bytes);
  EXPECT_EQ(found_.store.erase, defaults_.store.erase);
  const ApiOptions& a = found_.api;
  const ApiOptions& b = defaults_.api;
  EXPECT_EQ(a.tcp_address, b.tcp_address);
  EXPECT_EQ(a.tcp_port, b.tcp_port);
  EXPECT_EQ(a.tcp, b.tcp);
  EXPECT_EQ(a.unix_path, "/run/weir/weir.sock");  // none by default
  EXPECT_EQ(a.unix_mode, b.unix_mode);
  EXPECT_EQ(a.http.head_bytes, b.http.head_bytes);
  EXPECT_EQ(a.http.head_fields, b.http.head_fields);
  EXPECT_EQ(a.http.body_bytes, b.http.body_bytes);
  EXPECT_EQ(a.http.all_bodies_bytes, b.http.all_bodies_bytes);
  EXPECT_EQ(a.http.connections, b.http.connections);
  EXPECT_EQ(a.http.head_time, b.http.head_time);
  EXPECT_EQ(a.http.body_time, b.http.body_time);
  EXPECT_EQ(a.http.idle_time, b.http.idle_time);
  EXPECT_EQ(a.most_outcome_wait, b.most_outcome_wait);
  EXPECT_EQ(found_.log.json, defaults_.log.json);
  EXPECT_EQ(found_.log.level, defaults_.log.level);
  EXPECT_EQ(found_.drain_timeout, defaults_.drain_timeout);
}

TEST_F(WeirYaml, DescribeSaysThatTheCredentialsAreStillMissing) {
  EXPECT_THAT(describe(found_), HasSubstr("note: no way into the gateway is complete"));
}

Outcome outcome_of(const std::vector<OutcomeRule>& rules, int http, const std::string& code) {
  GatewayReply reply;
  reply.http_status = http;
  reply.code = code;
  reply.complete = true;
  reply.body_handed = true;
  return classify(reply, rules).outcome;
}

TEST_F(WeirYaml, RepliesOfTheShippedProfileMeanWhatItsTableSays) {
  struct Row {
    int http;
    const char* code;
    Outcome outcome;
  };
  using enum Outcome;
  const Row rows[] = {
      {200, "200", kAccepted},  {200, "success", kAccepted}, {200, "", kUnknown},
      {200, "error", kUnknown}, {200, "999", kUnknown},      {200, "188", kRefused},
      {400, "147", kRefused},   {200, "216", kRefused},      {429, "", kThrottled},
      {429, "429", kThrottled}, {401, "", kRefused},         {403, "x", kRefused},
      {404, "", kRefused},      {408, "x", kUnknown},        {422, "301", kRefused},
      {422, "", kUnknown},      {500, "200", kUnknown},      {503, "", kUnknown},
      {201, "200", kUnknown},   {302, "200", kUnknown},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(outcome_of(found_.profile.outcomes, row.http, row.code), row.outcome)
        << row.http << " " << row.code;
  }
}

// Runs in a directory of its own, as the relative paths of the file demand.
class DemoYaml : public testing::Test {
 protected:
  DemoYaml() : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(scratch_.path(""));
  }
  ~DemoYaml() override { std::filesystem::current_path(before_); }

  std::filesystem::path before_;
  Scratch scratch_;
};

TEST_F(DemoYaml, LoadsWithTheKeyThatTheFirstRunWrites) {
  scratch_.write(".run/api_key", "demo\n");
  const Result<Settings> settings = load_settings(kDemoYaml);
  ASSERT_TRUE(settings) << settings.error().detail;
  EXPECT_EQ(settings->gateway.url, "http://127.0.0.1:8026");
  EXPECT_EQ(settings->gateway.secrets.at("api_key"), "demo");
  EXPECT_EQ(settings->api.unix_path, "./.run/weir.sock");
  EXPECT_THAT(describe(*settings), testing::Not(HasSubstr("note:")));
  for (const ClassOptions& one : settings->engine.classes)
    EXPECT_FALSE(one.window) << one.name << ": the first run must not depend on the hour";
}

TEST_F(DemoYaml, SaysWhatIsMissingWithoutTheKey) {
  const Result<Settings> settings = load_settings(kDemoYaml);
  ASSERT_FALSE(settings);
  EXPECT_THAT(settings.error().detail,
              HasSubstr("a relative path starts at the current directory"));
}

}  // namespace
}  // namespace weir
