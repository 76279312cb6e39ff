// SPDX-License-Identifier: Apache-2.0
//
// The ranges here keep out what cannot be meant. What depends on other values is for
// check_options() and load_settings().
#include "shim/config/settings_yaml.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "shim/calendar/calendar.h"
#include "shim/config/addresses.h"
#include "shim/config/guard_yaml.h"
#include "shim/config/names.h"
#include "shim/config/producers_yaml.h"
#include "shim/config/quantities.h"
#include "shim/config/secrets.h"

namespace weir {
namespace {

constexpr Duration kMs = Duration::millis(1);
constexpr Duration kSecond = Duration::seconds(1);
constexpr Duration kHour = Duration::seconds(3600);
constexpr Duration kDay = Duration::seconds(86'400);
constexpr uint64_t kKiB = 1024;
constexpr uint64_t kMiB = 1024 * 1024;

void read_name(const std::optional<YamlValue>& value, std::string& out) {
  const std::optional<std::string> text = value ? value->text(64) : std::nullopt;
  if (!text) return;
  if (!is_name(*text)) {
    value->fault(kNameHelp);
    return;
  }
  out = *text;
}

void read_tcp(YamlMap& map, ApiOptions& api) {
  const std::optional<YamlValue> value = map.find("tcp");
  const std::optional<std::string> text = value ? value->text(64) : std::nullopt;
  if (!text) return;
  api.tcp = *text != "off";
  if (!api.tcp) return;
  const Result<TcpAddress> address = parse_tcp_address(*text);
  if (!address) {
    value->fault(address.error().detail);
    return;
  }
  api.tcp_address = address->address;
  api.tcp_port = address->port;
  if (address->loopback) return;
  // Whoever reaches it could spend the account.
  api.require_key = true;
  if (api.keys.empty()) {
    value->fault(
        "is not a loopback address, so whoever reaches it must be asked for a key: name those "
        "who may send under `producers`, or write 127.0.0.1 or [::1]");
  }
}

void read_unix_mode(YamlMap& map, unsigned& mode) {
  const std::optional<YamlValue> value = map.find("unix_mode");
  const std::optional<std::string> text = value ? value->text(8) : std::nullopt;
  if (!text) return;
  const bool octal = text->size() >= 3 && text->size() <= 4 &&
                     text->find_first_not_of("01234567") == std::string::npos;
  const unsigned long parsed = octal ? std::stoul(*text, nullptr, 8) : 01000;
  if (parsed > 0777) {
    value->fault("write permission bits as chmod takes them, like 0660");
    return;
  }
  mode = static_cast<unsigned>(parsed);
}

void read_http_limits(YamlMap& map, HttpLimits& http) {
  map.size("head_bytes", http.head_bytes, {kKiB, kMiB});
  map.integer("head_fields", http.head_fields, {8, 1000});
  map.size("body_bytes", http.body_bytes, {kKiB, 256 * kMiB});
  map.size("all_bodies_bytes", http.all_bodies_bytes, {kKiB, 16 * 1024 * kMiB});
  map.integer("connections", http.connections, {1, 65'536});
  map.duration("head_time", http.head_time, {kMs * 100, kSecond * 300});
  map.duration("body_time", http.body_time, {kSecond, kHour});
  map.duration("idle_time", http.idle_time, {kSecond, kHour});
}

void read_listen_limits(YamlMap& map, ApiOptions& api) {
  read_http_limits(map, api.http);
  map.duration("outcome_wait", api.most_outcome_wait, {Duration(), kHour});
}

void read_require_key(YamlMap& map, ApiOptions& api) {
  const std::optional<YamlValue> value = map.find("require_key");
  const std::optional<bool> wanted = value ? value->flag() : std::nullopt;
  if (!wanted) return;
  api.require_key = *wanted;
  if (*wanted && api.keys.empty()) {
    value->fault("nobody has a key; name those who may send under `producers`");
  }
}

void read_listen(YamlMap& map, ApiOptions& api) {
  read_require_key(map, api);
  read_tcp(map, api);
  // sun_path holds 108 bytes with its ending zero.
  map.text("unix", api.unix_path, 107);
  read_unix_mode(map, api.unix_mode);
  map.section("limits", [&](YamlMap& limits) { read_listen_limits(limits, api); });
  const std::optional<YamlValue> limits = map.find("limits");
  if (limits && api.http.all_bodies_bytes < api.http.body_bytes) {
    limits->fault("all_bodies_bytes must not be below body_bytes");
  }
  if (!api.tcp && api.unix_path.empty()) {
    map.value().fault("weir would listen nowhere; set tcp or unix");
  }
}

void read_store(YamlMap& map, StoreOptions& store) {
  if (const std::optional<YamlValue> path = map.need("path")) {
    map.text("path", store.path);
    if (path->node().kind != YamlNode::Kind::kEmpty && path->node().text.empty()) {
      path->fault("must name the database's file");
    }
  }
  map.integer("queue", store.queue, {1024, 1 << 24});
  map.integer("bulk_rows", store.bulk_rows, {1, 65'536});
  map.duration("keep_for", store.keep_for, {kSecond * 60, kDay * 3660});
  map.duration("keys_for", store.keys_for, {kSecond * 60, kDay * 3660});
  map.size("min_free", store.min_free_bytes, {0, 1024 * 1024 * kMiB});
  map.flag("erase", store.erase);
}

void read_url(YamlMap& map, std::string& out) {
  const std::optional<YamlValue> value = map.need("url");
  const std::optional<std::string> text = value ? value->text(YamlMap::kMaxText) : std::nullopt;
  if (!text) return;
  Result<std::string> url = parse_base_url(*text);
  if (!url) {
    value->fault(url.error().detail);
    return;
  }
  out = std::move(*url);
}

void read_credentials(YamlMap& map, GatewayOptions& gateway, ProfilePlaces& places) {
  map.section("secrets", [&](YamlMap& secrets) {
    read_secrets(secrets, gateway.secrets);
    for (const YamlNode& one : secrets.value().node().children) {
      places.secrets.emplace(one.key, one.key_place);
    }
  });
  map.section("params", [&](YamlMap& params) {
    params.each([&](const YamlValue& value) {
      places.params.emplace(value.key(), value.node().key_place);
      if (auto text = value.text(YamlMap::kMaxText)) gateway.params[value.key()] = *text;
    });
  });
}

void read_ceiling(YamlMap& map, CeilingOptions& ceiling) {
  const Range<Units> rates{Units::from_micro(1'000), Units::of(1'000'000)};
  map.units("rate_units_per_s", ceiling.rate_per_s, rates);
  map.duration("capacity", ceiling.capacity, {kMs * 100, kHour});
  map.word<Control>("control", ceiling.control,
                    {{"manual", Control::kManual}, {"aimd", Control::kAimd}});
  // Nobody but the operator knows how far weir may go by itself, so there is no default for that.
  if (ceiling.control == Control::kAimd) {
    map.need("floor_units_per_s");
    map.need("cap_units_per_s");
  }
  map.units("floor_units_per_s", ceiling.floor_per_s, rates);
  map.units("cap_units_per_s", ceiling.cap_per_s, rates);
  map.share("cut", ceiling.cut);
  map.share("step", ceiling.step);
  map.units("step_least_units_per_s", ceiling.step_least_per_s, rates);
  map.duration("hold", ceiling.hold, {kMs * 100, kHour});
  map.flag("slow_start", ceiling.slow_start);
}

void read_gateway(YamlMap& map, Settings& settings, ProfilePlaces& places) {
  GatewayOptions& gateway = settings.gateway;
  EngineOptions& engine = settings.engine;
  read_name(map.find("name"), gateway.name);
  if (const std::optional<YamlValue> profile = map.need("profile")) {
    places.profile = profile->node().place;
    read_name(profile, places.profile_name);
  }
  read_url(map, gateway.url);
  read_credentials(map, gateway, places);
  map.text("sender", gateway.default_sender, 64);
  map.section("ceiling", [&](YamlMap& ceiling) { read_ceiling(ceiling, engine.ceiling); });
  map.duration("connect_timeout", gateway.connect_timeout, {kMs * 100, kSecond * 300});
  map.duration("total_timeout", gateway.total_timeout, {kMs * 100, kSecond * 600});
  map.duration("watchdog_delay", gateway.watchdog_delay, {kMs * 100, kSecond * 60});
  map.duration("idle_timeout", gateway.idle_timeout, {Duration(), kSecond * 600});
  map.duration("account_refused_pause", engine.account_refused_pause, {kSecond, kDay});
  map.duration("max_retry_after", engine.max_retry_after, {kSecond, kDay});
  map.size("max_reply_bytes", gateway.max_reply_bytes, {kKiB, 16 * kMiB});
  map.text("ca_file", gateway.ca_file);
}

void read_lane(YamlMap& map, LaneOptions& lane) {
  map.share("reserve", lane.reserve);
  map.share("limit", lane.limit);
  map.integer("slots", lane.slots, {1, 1000});
  map.integer("max_rows", lane.max_rows, {1, 100'000'000});
  map.units("max_units", lane.max_units, {Units::of(1), Units::of(1'000'000'000'000)});
  map.share("slow_at", lane.slow_at);
  map.share("pause_at", lane.pause_at);
  map.flag("shadow", lane.shadow);
}

void read_lanes(YamlMap& map, std::array<LaneOptions, kLanes>& lanes) {
  for (Lane lane : kAllLanes) {
    map.section(std::string(name(lane)), [&](YamlMap& own) { read_lane(own, lanes[index(lane)]); });
  }
}

// {after: 45s} or {at: event_at, within: 31d}.
void read_deadline(YamlMap& map, ClassOptions& one, Duration longest) {
  const std::optional<YamlValue> after = map.find("after");
  const std::optional<YamlValue> at = map.find("at");
  if (after.has_value() == at.has_value()) {
    map.value().fault("write {after: 45s}, {at: event_at} or {at: session_expires_at}");
  }
  one.within = longest;
  map.duration(after ? "after" : "within", one.within, {kMs, longest});
  if (after) return;
  map.word<DeadlineRule>(
      "at", one.rule,
      {{"event_at", DeadlineRule::kEvent}, {"session_expires_at", DeadlineRule::kSessionExpires}});
}

// "10:00" as minutes after midnight.
std::optional<uint16_t> read_hour(YamlMap& map, const std::string& key) {
  const std::optional<YamlValue> value = map.need(key);
  const std::optional<std::string> text = value ? value->text(8) : std::nullopt;
  if (!text) return std::nullopt;
  const Result<uint16_t> parsed = parse_time_of_day(*text);
  if (parsed) return *parsed;
  value->fault(parsed.error().detail);
  return std::nullopt;
}

void read_window(YamlMap& map, SendingWindow& window) {
  const std::optional<uint16_t> open = read_hour(map, "open");
  const std::optional<uint16_t> close = read_hour(map, "close");
  if (open && open == close) {
    map.value().fault(
        "opens and closes at the same minute; leave the window out to send at any hour");
  }
  window.open_minute = open.value_or(0);
  window.close_minute = close.value_or(0);
  if (const std::optional<YamlValue> zone = map.need("zone")) {
    map.text("zone", window.zone, 64);
    if (Status known = check_zone(window.zone); !known) zone->fault(known.error().detail);
  }
  if (map.need("at_close")) {
    map.word<AtClose>("at_close", window.at_close,
                      {{"shed", AtClose::kShed}, {"carry_over", AtClose::kCarryOver}});
  }
}

void read_class(YamlMap& map, ClassOptions& one, Duration longest) {
  if (map.need("lane")) {
    map.word<Lane>("lane", one.lane,
                   {{name(Lane::kOtp), Lane::kOtp},
                    {name(Lane::kTransactional), Lane::kTransactional},
                    {name(Lane::kPromotional), Lane::kPromotional}});
  }
  if (map.need("policy")) {
    map.word<Policy>("policy", one.policy, {{"shed", Policy::kShed}, {"buffer", Policy::kBuffer}});
  }
  if (const std::optional<YamlValue> deadline = map.need("deadline")) {
    deadline->map([&](YamlMap& rule) { read_deadline(rule, one, longest); });
  }
  if (const std::optional<YamlValue> window = map.find("window")) {
    SendingWindow own;
    window->map([&](YamlMap& hours) { read_window(hours, own); });
    one.window = std::move(own);
  }
  if (const std::optional<YamlValue> guard = map.find("guard")) {
    GuardOptions own;
    guard->map([&](YamlMap& bounds) { read_guard(bounds, own); });
    one.guard = std::move(own);
  }
  map.flag("smart", one.smart);
}

void read_classes(YamlMap& map, EngineOptions& engine) {
  engine.classes.clear();
  map.each([&](const YamlValue& value) {
    ClassOptions one;
    one.name = value.key();
    if (!is_name(one.name)) value.key_fault(kNameHelp);
    value.map([&](YamlMap& own) { read_class(own, one, engine.max_deadline); });
    engine.classes.push_back(std::move(one));
  });
}

void read_limits(YamlMap& map, EngineOptions& engine) {
  map.integer("max_recipients", engine.max_recipients, {1, 1'000'000});
  map.integer("max_segments", engine.max_segments, {1, 255});
  map.integer("max_key_bytes", engine.max_key_bytes, {1, 1024});
  map.integer("max_tag_bytes", engine.max_tag_bytes, {1, 1024});
  map.integer("max_sender_bytes", engine.max_sender_bytes, {1, 1024});
  map.integer("max_params", engine.max_params, {0, 1024});
  map.duration("max_deadline", engine.max_deadline, {kSecond, kDay * 366});
  map.integer("max_templates", engine.max_templates, {0, 100'000});
  map.integer("max_persisting", engine.max_persisting, {1, 1 << 20});
  map.integer("slice", engine.slice, {1, 65'536});
  map.integer("max_waiters", engine.max_waiters, {0, 100'000});
  map.integer("max_leases", engine.max_leases, {1, 10'000'000});
  map.duration("lease_time", engine.lease_time, {kSecond, kDay});
  map.duration("max_acquire_wait", engine.max_acquire_wait, {Duration(), kHour});
}

void read_buckets(YamlMap& map, EngineOptions& engine) {
  map.each([&](const YamlValue& value) {
    BucketOptions one;
    one.name = value.key();
    if (!is_name(one.name)) value.key_fault(kNameHelp);
    value.map([&](YamlMap& own) {
      if (own.need("rate_units_per_s")) {
        own.units("rate_units_per_s", one.rate_per_s,
                  {Units::from_micro(1'000), Units::of(1'000'000)});
      }
      own.duration("capacity", one.capacity, {kMs * 100, kHour});
    });
    engine.buckets.push_back(std::move(one));
  });
}

// Digits as text: a leading zero counts.
void read_digits(YamlMap& map, const std::string& key, std::string& out) {
  const std::optional<YamlValue> value = map.find(key);
  const std::optional<std::string> text = value ? value->text(64) : std::nullopt;
  if (!text) return;
  if (text->size() > 4 || text->find_first_not_of("0123456789") != std::string::npos) {
    value->fault("write up to 4 digits without a plus, or \"\" for none");
    return;
  }
  out = *text;
}

void read_recipients(YamlMap& map, RecipientRules& rules) {
  read_digits(map, "default_country_code", rules.default_country_code);
  read_digits(map, "trunk_prefix", rules.trunk_prefix);
  map.integer("national_digits_max", rules.national_digits_max, {0, 15});
  if (rules.default_country_code.starts_with('0')) {
    map.value().fault("default_country_code must not begin with 0, like 91 or 1");
  }
}

void read_log(YamlMap& map, LogOptions& log) {
  map.word<bool>("format", log.json, {{"logfmt", false}, {"json", true}});
  map.word<std::string>(
      "level", log.level,
      {{"debug", "debug"}, {"info", "info"}, {"warn", "warn"}, {"error", "error"}});
}

}  // namespace

ProfilePlaces read_settings(YamlMap& map, Settings& settings) {
  ProfilePlaces places;
  EngineOptions& engine = settings.engine;
  if (map.need("store")) {
    map.section("store", [&](YamlMap& store) { read_store(store, settings.store); });
  }
  if (map.need("gateway")) {
    map.section("gateway", [&](YamlMap& gateway) { read_gateway(gateway, settings, places); });
  }
  map.section("lanes", [&](YamlMap& lanes) { read_lanes(lanes, engine.lanes); });
  // Before the classes, whose deadlines are measured by limits.max_deadline.
  map.section("limits", [&](YamlMap& limits) { read_limits(limits, engine); });
  map.section("classes", [&](YamlMap& classes) { read_classes(classes, engine); });
  map.section("producers", [&](YamlMap& producers) { read_producers(producers, settings); });
  // After the producers, without whom it is loopback only.
  map.section("listen", [&](YamlMap& listen) { read_listen(listen, settings.api); });
  map.section("buckets", [&](YamlMap& buckets) { read_buckets(buckets, engine); });
  map.section("batch", [&](YamlMap& batch) {
    batch.integer("max_recipients", engine.batch_max, {1, 100'000});
  });
  map.section("backoff", [&](YamlMap& backoff) {
    backoff.duration("base", engine.backoff.base, {kMs, kHour});
    backoff.duration("cap", engine.backoff.cap, {kMs, kDay});
  });
  map.section("recipients", [&](YamlMap& rules) { read_recipients(rules, engine.recipients); });
  map.section("log", [&](YamlMap& log) { read_log(log, settings.log); });
  map.duration("drain_timeout", settings.drain_timeout, {kMs * 100, kHour});
  return places;
}

}  // namespace weir
