// SPDX-License-Identifier: Apache-2.0
//
// The effective policy for a person: what was set, and what follows from it.
#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "weir/message.h"

#include "shim/calendar/calendar.h"
#include "shim/config/addresses.h"
#include "shim/config/placeholders.h"
#include "shim/config/quantities.h"
#include "shim/config/settings.h"

namespace weir {
namespace {

using Row = std::vector<std::string>;

// Columns as wide as their widest cell, two spaces apart.
std::string table(const std::vector<Row>& rows) {
  std::vector<size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      line += row[i] + std::string(widths[i] - row[i].size() + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

std::string percent(double share) {
  return number(share * 100) + "%";
}

std::string megabytes(int64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f MB", static_cast<double>(bytes) / 1e6);
  return text;
}

bool is_set(const GatewayOptions& gateway, const std::string& secret) {
  const auto found = gateway.secrets.find(secret);
  return found != gateway.secrets.end() && !found->second.empty();
}

bool is_complete(const GatewayOptions& gateway, const std::vector<std::string>& secrets) {
  return std::all_of(secrets.begin(), secrets.end(),
                     [&](const std::string& name) { return is_set(gateway, name); });
}

// "api_key, or password and userid"
std::string ways_in(const Profile& profile) {
  std::string text;
  for (const Profile::Auth& auth : profile.auth) {
    if (!text.empty()) text += ", or ";
    bool first = true;
    for (const std::string& name : names_used(auth, "secret")) {
      text += (first ? "" : " and ") + name;
      first = false;
    }
  }
  return text;
}

bool has_way_in(const Settings& settings) {
  const std::vector<Profile::Auth>& auth = settings.profile.auth;
  return auth.empty() || std::any_of(auth.begin(), auth.end(), [&](const Profile::Auth& way) {
           return is_complete(settings.gateway, names_used(way, "secret"));
         });
}

std::string address_text(const ApiOptions& api) {
  const bool six = api.tcp_address.find(':') != std::string::npos;
  const std::string address = six ? "[" + api.tcp_address + "]" : api.tcp_address;
  return address + ":" + std::to_string(api.tcp_port);
}

std::string listen_text(const Settings& settings) {
  const ApiOptions& api = settings.api;
  std::vector<Row> rows;
  char mode[16];
  std::snprintf(mode, sizeof mode, "%04o", api.unix_mode);
  if (api.tcp) {
    rows.push_back(
        {"listen", "tcp " + address_text(api) + (api.require_key ? ", with a key only" : "")});
  }
  if (!api.unix_path.empty()) {
    rows.push_back({"listen", "unix " + api.unix_path + " (mode " + mode + ")"});
  }
  rows.push_back({"store", settings.store.path});
  return table(rows);
}

std::string control_text(const CeilingOptions& ceiling) {
  if (ceiling.control == Control::kManual) return "manual: the rate stays as it is";
  return "aimd: from " + format_units(ceiling.floor_per_s) + " to " +
         format_units(ceiling.cap_per_s) + " units/s; a throttle leaves " + percent(ceiling.cut) +
         ", growth is " + percent(ceiling.step) + " a second";
}

std::string gateway_text(const Settings& settings) {
  const GatewayOptions& gateway = settings.gateway;
  const CeilingOptions& ceiling = settings.engine.ceiling;
  const double rate = ceiling.rate_per_s.as_double();
  std::vector<Row> rows = {
      {"gateway", gateway.name + " at " + gateway.url},
      {"  profile", settings.profile.name + ", POST " + settings.profile.path},
      {"  ceiling", format_units(ceiling.rate_per_s) + " units/s; holds " +
                        number(rate * ceiling.capacity.as_seconds()) +
                        " units, full from empty in " + format_duration(ceiling.capacity)},
      {"  control", control_text(ceiling)},
      {"  billing", "a segment to one recipient counts " + format_units(settings.engine.weight)},
      {"  calls", std::to_string(gateway.slots) + " at once; connect within " +
                      format_duration(gateway.connect_timeout) + ", done within " +
                      format_duration(gateway.total_timeout)},
      {"  sender", gateway.default_sender.empty() ? "none by default" : gateway.default_sender},
  };
  for (const std::string& name : names_used(settings.profile, "secret")) {
    rows.push_back({"  secret", name + (is_set(gateway, name) ? ": set" : ": not set")});
  }
  return table(rows);
}

std::string lanes_text(const EngineOptions& engine) {
  const double rate = engine.ceiling.rate_per_s.as_double();
  std::vector<Row> rows = {{"lane", "reserved", "at most", "largest batch", "slots", "rows",
                            "units", "memory", "slow", "pause"}};
  for (Lane lane : kAllLanes) {
    const LaneOptions& own = engine.lanes[index(lane)];
    rows.push_back({std::string(name(lane)), number(rate * own.reserve) + "/s",
                    number(rate * own.limit) + "/s",
                    std::to_string(batch_limit(engine, lane, 1)) + " recipients",
                    std::to_string(own.slots), std::to_string(own.max_rows),
                    format_units(own.max_units),
                    megabytes(own.max_rows * static_cast<int64_t>(sizeof(Head))),
                    percent(own.slow_at), percent(own.pause_at)});
  }
  return table(rows) +
         "Rates are units/s. The largest batch is for one segment; a longer body makes it "
         "smaller.\n"
         "Memory is what the lane takes when all its rows are full.\n";
}

std::string deadline_text(const ClassOptions& one) {
  const std::string within = format_duration(one.within);
  switch (one.rule) {
    case DeadlineRule::kAfter: return within + " after acceptance";
    case DeadlineRule::kEvent: return "event_at, within " + within;
    case DeadlineRule::kSessionExpires: return "session_expires_at, within " + within;
  }
  return within;
}

std::string window_text(const ClassOptions& one) {
  if (!one.window) return "any hour";
  return format_time_of_day(one.window->open_minute) + " to " +
         format_time_of_day(one.window->close_minute) + " " + one.window->zone +
         (one.window->at_close == AtClose::kShed ? ", then shed" : ", then carry over");
}

std::string classes_text(const EngineOptions& engine) {
  std::vector<Row> rows = {{"class", "lane", "deadline", "window", "policy"}};
  for (const ClassOptions& one : engine.classes) {
    const bool shed = one.policy == Policy::kShed;
    rows.push_back({one.name, std::string(name(one.lane)), deadline_text(one), window_text(one),
                    std::string(shed ? "shed: refuse what the queue makes late"
                                     : "buffer: keep to the deadline") +
                        (one.smart ? "; bodies are rewritten to GSM-7" : "")});
  }
  return table(rows);
}

// "5/h", or "-" where there is no bound.
std::string hourly(uint32_t most) {
  return most == 0 ? "-" : std::to_string(most) + "/h";
}

std::string guards_text(const EngineOptions& engine) {
  std::vector<Row> rows = {
      {"guard", "cooldown", "to one recipient", "to one prefix", "in all", "places"}};
  for (const ClassOptions& one : engine.classes) {
    if (!one.guard) continue;
    const GuardOptions& own = *one.guard;
    std::string places;
    for (const std::string& prefix : own.allowed_prefixes)
      places += (places.empty() ? "+" : ", +") + prefix;
    std::string block = hourly(own.max_per_prefix_per_hour);
    if (own.max_per_prefix_per_hour > 0) {
      block += ", " + std::to_string(own.prefix_digits) + " digits";
    }
    rows.push_back({one.name, format_duration(own.resend_cooldown),
                    hourly(own.max_per_recipient_per_hour), block, hourly(own.max_per_hour),
                    places.empty() ? "all" : places});
  }
  return rows.size() == 1 ? "" : table(rows) + "\n";
}

std::string buckets_text(const EngineOptions& engine) {
  if (engine.buckets.empty()) return "";
  std::vector<Row> rows = {{"bucket", "rate", "holds"}};
  for (const BucketOptions& one : engine.buckets) {
    rows.push_back({one.name, format_units(one.rate_per_s) + "/s",
                    number(one.rate_per_s.as_double() * one.capacity.as_seconds()) +
                        " units, full from empty in " + format_duration(one.capacity)});
  }
  return table(rows) + "These are apart from the ceiling, and start empty.\n\n";
}

std::string allowed_text(const EngineOptions& engine, const ClassSet& classes) {
  if (classes.all()) return "all classes";
  std::string text;
  for (size_t i = 0; i < engine.classes.size(); ++i) {
    if (classes.test(i)) text += (text.empty() ? "" : ", ") + engine.classes[i].name;
  }
  return text.empty() ? "no class" : text;
}

std::string producers_text(const EngineOptions& engine) {
  if (engine.producers.empty()) return "";
  std::vector<Row> rows = {{"producer", "quota", "may send"}};
  for (const ProducerOptions& one : engine.producers) {
    std::string quota;
    if (one.rate_per_s) {
      quota = format_units(*one.rate_per_s) + "/s, " +
              number(one.rate_per_s->as_double() * one.capacity.as_seconds()) + " at once";
    }
    if (one.max_units) {
      quota += (quota.empty() ? "" : ", ") + format_units(*one.max_units) + " waiting";
    }
    rows.push_back({one.name, quota.empty() ? "none" : quota,
                    allowed_text(engine, one.classes) + (one.admin ? "; is an operator" : "")});
  }
  return table(rows) + "\n";
}

std::string limits_text(const Settings& settings) {
  const EngineOptions& engine = settings.engine;
  const RecipientRules& numbers = engine.recipients;
  return table({
      {"batch", "at most " + std::to_string(engine.batch_max) + " recipients"},
      {"message", "at most " + std::to_string(engine.max_recipients) + " recipients, " +
                      std::to_string(engine.max_segments) + " segments, a deadline " +
                      format_duration(engine.max_deadline) + " ahead"},
      {"numbers", numbers.default_country_code.empty()
                      ? "international only"
                      : "national ones are of +" + numbers.default_country_code},
      {"retry", "after up to " + format_duration(engine.backoff.base) + ", doubling to " +
                    format_duration(engine.backoff.cap) + ", jittered"},
      {"leases", "at most " + std::to_string(engine.max_waiters) + " wait at once, each up to " +
                     format_duration(engine.max_acquire_wait)},
      {"", "the last " + std::to_string(engine.max_leases) + " can be given back, for " +
               format_duration(engine.lease_time)},
      {"stop", "calls under way have " + format_duration(settings.drain_timeout)},
      {"log", settings.log.level + ", " + (settings.log.json ? "json" : "logfmt")},
  });
}

// What is legal and still likely to surprise.
std::string notes_text(const Settings& settings) {
  const GatewayOptions& gateway = settings.gateway;
  std::string text;
  if (!has_way_in(settings)) {
    text += "note: no way into the gateway is complete; under gateway.secrets set " +
            ways_in(settings.profile) + "\n";
  }
  if (gateway.url.starts_with("http://") && !is_loopback_url(gateway.url)) {
    text += "note: gateway.url is plain http; credentials and texts can be read on the way\n";
  }
  if (settings.api.tcp && !is_loopback_url("http://" + address_text(settings.api))) {
    text +=
        "note: listen.tcp is beyond loopback and plain http; keys and texts can be read on the "
        "way, unless a proxy before it speaks https\n";
  }
  if (settings.engine.max_waiters >= settings.api.http.connections) {
    text +=
        "note: limits.max_waiters is not below listen.limits.connections; those who wait for units "
        "can take every connection\n";
  }
  if (settings.drain_timeout <= gateway.total_timeout) {
    text +=
        "note: drain_timeout is not above gateway.total_timeout; a stop can cut calls short, "
        "whose outcome is then unknown\n";
  }
  for (Lane lane : kAllLanes) {
    if (!settings.engine.lanes[index(lane)].shadow) continue;
    text += "note: lane " + std::string(name(lane)) +
            " is in shadow; its reserve and limit are counted and hold nothing back\n";
  }
  return text;
}

}  // namespace

std::string describe(const Settings& settings) {
  std::string text = "settings of " + settings.path + "\n\n";
  text += listen_text(settings) + "\n" + gateway_text(settings) + "\n";
  text += lanes_text(settings.engine) + "\n" + classes_text(settings.engine) + "\n";
  text += guards_text(settings.engine);
  text += buckets_text(settings.engine) + producers_text(settings.engine) + limits_text(settings);
  const std::string notes = notes_text(settings);
  return notes.empty() ? text : text + "\n" + notes;
}

std::string describe_openings(const EngineOptions& engine, WallTime now) {
  const auto both = [](WallTime t, const std::string& zone) {
    return local_text(t, zone) + " (" + local_text(t, "UTC") + ")";
  };
  std::vector<Row> rows = {{"class", "window", "until"}};
  for (const ClassOptions& one : engine.classes) {
    if (!one.window) continue;
    const std::string& zone = one.window->zone;
    const Openings openings = openings_of(*one.window, now, now + engine.max_deadline);
    const Opening* next = openings.at_or_after(now);
    if (next == nullptr) {
      rows.push_back({one.name, "does not open before " + both(now + engine.max_deadline, zone)});
    } else {
      const bool open = next->open <= now;
      rows.push_back(
          {one.name, open ? "open" : "opens " + both(next->open, zone), both(next->close, zone)});
    }
  }
  return rows.size() == 1 ? "" : table(rows);
}

}  // namespace weir
