// SPDX-License-Identifier: Apache-2.0
#include "shim/config/settings.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "shim/calendar/calendar.h"
#include "shim/config/did_you_mean.h"
#include "shim/config/placeholders.h"
#include "shim/config/profile_yaml.h"
#include "shim/config/settings_yaml.h"

namespace weir {
namespace {

namespace fs = std::filesystem;

// The first place that has the file; nothing and an error when none has.
std::optional<std::string> find_profile(const ProfilePlaces& places, YamlErrors& errors) {
  const std::string file = places.profile_name + ".yaml";
  const fs::path beside = fs::path(errors.file()).parent_path() / "profiles" / file;
  const fs::path installed = fs::path(WEIR_PROFILE_DIR) / file;
  for (const fs::path& path : {beside, installed}) {
    std::error_code ignored;
    if (fs::exists(path, ignored)) return path.string();
  }
  errors.add(places.profile,
             "gateway.profile: there is neither " + beside.string() + " nor " + installed.string());
  return std::nullopt;
}

void check_name(const std::string& path, const std::string& wanted, const Profile& profile,
                YamlErrors& errors) {
  if (profile.name == wanted) return;
  errors.add({}, "name: must be " + wanted + ", as the file is called (" + path + ")");
}

struct NamedThing {
  const char* where;
  const char* word;
};

// A secret or parameter that the profile does not know would silently do nothing. The place tells
// which one; a secret's name may be the secret, written in the wrong place.
void check_names(const NamedThing& thing, const std::map<std::string, YamlPlace>& given,
                 const Profile& profile, YamlErrors& errors) {
  const std::vector<std::string> known = names_used(profile, thing.word);
  for (const auto& [name, place] : given) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    std::string text = std::string(thing.where) + ": the profile " + profile.name + " has no {" +
                       thing.word + ":NAME} of this name" + did_you_mean(name, known);
    if (known.empty()) text += "; it has none at all";
    errors.add(place, std::move(text));
  }
}

// Those of the file have been checked where they stand; this is for the default ones.
void check_zones(const EngineOptions& engine, YamlErrors& errors) {
  for (const ClassOptions& one : engine.classes) {
    if (!one.window) continue;
    const Status known = check_zone(one.window->zone);
    if (known) continue;
    errors.add({}, "classes." + one.name + ".window.zone: " + one.window->zone + " " +
                       known.error().detail);
  }
}

void check_together(const Settings& settings, YamlErrors& errors) {
  const GatewayOptions& gateway = settings.gateway;
  if (gateway.connect_timeout > gateway.total_timeout) {
    errors.add({}, "gateway.connect_timeout must not be above gateway.total_timeout");
  }
  if (settings.engine.backoff.base > settings.engine.backoff.cap) {
    errors.add({}, "backoff.base must not be above backoff.cap");
  }
  // Each of these can have one command under way in the store's queue.
  if (settings.store.queue < settings.engine.max_persisting + 2 * size_t{gateway.slots}) {
    errors.add({}, "store.queue must be at least limits.max_persisting and twice the lanes' slots");
  }
  Duration longest;
  for (const ClassOptions& one : settings.engine.classes)
    longest = std::max(longest, one.within);
  // A producer may repeat a message as long as its first one can still go out, and a day more.
  if (settings.store.keys_for < longest + Duration::seconds(86'400)) {
    errors.add({}, "store.keys_for must be at least the longest deadline of a class and 24h");
  }
  check_zones(settings.engine, errors);
  // What a guard counts is read from what is kept.
  if (!settings.store.guarded.empty() && settings.store.keep_for < Duration::seconds(3600)) {
    errors.add({},
               "store.keep_for must be at least 1h where a class has a guard, which counts what "
               "an hour before a start was accepted");
  }
  if (const Status status = check_options(settings.engine); !status) {
    errors.add({}, status.error().detail);
  }
}

void take_profile(Profile profile, Settings& settings) {
  settings.engine.counting = profile.counting;
  settings.engine.weight = profile.weight;
  settings.engine.outcomes = profile.outcomes;
  settings.profile = std::move(profile);
}

// All errors of both files, those of weir.yaml first.
std::string joined(const YamlErrors& file, const YamlErrors& profile) {
  std::string text = file.text();
  if (!text.empty() && !profile.empty()) text += '\n';
  return text + profile.text();
}

// Errors go to `errors`, those of the profile's file to what is returned.
YamlErrors resolve_profile(const ProfilePlaces& places, Settings& settings, YamlErrors& errors) {
  const std::optional<std::string> path =
      places.profile_name.empty() ? std::nullopt : find_profile(places, errors);
  YamlErrors profile_errors(path.value_or(""));
  std::optional<Profile> profile = path ? read_profile(profile_errors) : std::nullopt;
  if (!profile) return profile_errors;
  check_name(*path, places.profile_name, *profile, profile_errors);
  check_names({"gateway.secrets", "secret"}, places.secrets, *profile, errors);
  check_names({"gateway.params", "param"}, places.params, *profile, errors);
  take_profile(std::move(*profile), settings);
  return profile_errors;
}

}  // namespace

Result<Settings> load_settings(const std::string& path) {
  Settings settings;
  settings.path = path;
  YamlErrors errors(path);
  const std::optional<YamlNode> root = load_yaml(errors);
  if (!root) return Error{errors.text()};

  ProfilePlaces places;
  YamlReading reading{errors, {}};
  YamlValue(reading, *root, "").map([&](YamlMap& map) { places = read_settings(map, settings); });
  const YamlErrors profile_errors = resolve_profile(places, settings, errors);
  settings.gateway.slots = 0;
  for (const LaneOptions& lane : settings.engine.lanes)
    settings.gateway.slots += lane.slots;

  for (const ClassOptions& one : settings.engine.classes) {
    if (one.guard) settings.store.guarded.push_back({one.name, one.guard->max_per_hour});
  }

  for (const ProducerOptions& one : settings.engine.producers)
    settings.store.producers.push_back(one.name);

  if (errors.empty() && profile_errors.empty()) check_together(settings, errors);
  if (!errors.empty() || !profile_errors.empty()) return Error{joined(errors, profile_errors)};
  return settings;
}

}  // namespace weir
