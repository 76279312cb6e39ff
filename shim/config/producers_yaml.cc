// SPDX-License-Identifier: Apache-2.0
#include "shim/config/producers_yaml.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "shim/config/names.h"
#include "shim/config/secrets.h"
#include "shim/front/gate.h"

namespace weir {
namespace {

// 16 random bytes are more than anybody can try; as text they are longer.
constexpr size_t kLeastKeyBytes = 16;
constexpr size_t kMostProducers = 255;

// What a field of HTTP carries after the word Bearer (RFC 6750, b64token).
bool is_token(std::string_view text) {
  while (text.ends_with('='))
    text.remove_suffix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~+/").find(c) != std::string_view::npos;
  });
}

std::string read_key(const YamlValue& value) {
  std::string key;
  read_secret(value, key);
  if (key.empty()) return key;  // that has been said
  if (key.size() < kLeastKeyBytes || key.size() > ProducerKeys::kMostKeyBytes) {
    value.fault("the key must have 16 to 256 bytes; `openssl rand -hex 32` makes one");
  } else if (!is_token(key)) {
    value.fault("the key must be of letters, digits and -._~+/ (and = at its end)");
  }
  return key;
}

void read_allowed(const YamlValue& value, const EngineOptions& engine, ClassSet& classes) {
  if (value.node().kind != YamlNode::Kind::kList) {
    if (value.node().text == "all" && value.node().kind != YamlNode::Kind::kMap) {
      classes.set();
    } else {
      value.fault("write a list of classes, like [otp, delivery_update], or all");
    }
    return;
  }
  std::vector<std::string> names;
  for (const ClassOptions& one : engine.classes)
    names.push_back(one.name);
  value.each([&](const YamlValue& one) {
    if (const auto found = one.one_of(names)) classes.set(*found);
  });
}

ProducerOptions read_producer(YamlMap& map, const EngineOptions& engine, std::string& key) {
  ProducerOptions one;
  if (const auto value = map.need("key")) key = read_key(*value);
  if (const auto value = map.need("classes")) read_allowed(*value, engine, one.classes);
  if (const auto rate = map.find("rate_units_per_s")) {
    one.rate_per_s = rate->units({Units::from_micro(1'000), Units::of(1'000'000)});
  } else if (const auto capacity = map.find("capacity")) {
    capacity->fault("is of no use without rate_units_per_s");
  }
  map.duration("capacity", one.capacity, {Duration::millis(100), Duration::seconds(3600)});
  if (const auto most = map.find("max_units")) {
    one.max_units = most->units({Units::of(1), Units::of(1'000'000'000'000)});
  }
  map.flag("admin", one.admin);
  return one;
}

}  // namespace

void read_producers(YamlMap& map, Settings& settings) {
  std::vector<ProducerOptions>& producers = settings.engine.producers;
  std::vector<std::string>& keys = settings.api.keys;
  map.each([&](const YamlValue& value) {
    if (!is_name(value.key())) value.key_fault(kNameHelp);
    if (producers.size() == kMostProducers) {
      value.key_fault("is one too many; at most 255 producers");
      return;
    }
    ProducerOptions one;
    std::string key;
    value.map([&](YamlMap& own) { one = read_producer(own, settings.engine, key); });
    one.name = value.key();
    const auto same = std::find(keys.begin(), keys.end(), key);
    if (!key.empty() && same != keys.end()) {
      value.key_fault("has the same key as producer " +
                      producers[static_cast<size_t>(same - keys.begin())].name +
                      "; give each its own");
    }
    producers.push_back(std::move(one));
    keys.push_back(std::move(key));
  });
}

}  // namespace weir
