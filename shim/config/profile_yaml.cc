// SPDX-License-Identifier: Apache-2.0
#include "shim/config/profile_yaml.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

#include "shim/config/counting_yaml.h"
#include "shim/config/placeholders.h"
#include "shim/config/yaml_reader.h"

namespace weir {
namespace {

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

// Room for every real provider, and a bound on what one call makes of a profile.
constexpr size_t kMaxTemplates = 64;
constexpr size_t kMaxOutcomes = 256;
constexpr size_t kMaxPointers = 16;

bool is_token(std::string_view text) {
  constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";  // RFC 9110 section 5.6.2
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kOthers.find(c) != std::string_view::npos;
  });
}

// These say where a request ends; a second opinion in a profile could join or split requests.
bool is_framing_header(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  constexpr std::string_view kFraming[] = {"content-length",    "connection", "host", "expect",
                                           "transfer-encoding", "upgrade",    "te",   "trailer"};
  return std::find(std::begin(kFraming), std::end(kFraming), name) != std::end(kFraming);
}

bool is_pointer(std::string_view text) {
  if (!text.starts_with('/')) return false;
  for (size_t at = text.find('~'); at != std::string_view::npos; at = text.find('~', at + 1)) {
    const char next = at + 1 < text.size() ? text[at + 1] : ' ';
    if (next != '0' && next != '1') return false;
  }
  return true;
}

// What the templates of one map hold, and whether they may hold secrets.
struct TemplateUse {
  bool secrets_allowed = false;
  bool secret = false;
  bool recipients = false;
  bool body = false;
};

void check_template(const YamlValue& value, const std::string& text, TemplateUse& use) {
  const Result<std::vector<Placeholder>> found = placeholders(text);
  if (!found) {
    value.fault(found.error().detail);
    return;
  }
  for (const Placeholder& one : *found) {
    use.recipients |= one.word == "recipients";
    use.body |= one.word == "body";
    use.secret |= one.word == "secret";
    if (one.word == "secret" && !use.secrets_allowed) {
      value.fault("a secret belongs into an entry of auth, so that weir knows what a way in needs");
    }
  }
}

void read_templates(YamlMap& parent, const std::string& key, NamedTexts& out, TemplateUse& use) {
  const bool headers = key == "headers";
  parent.section(key, [&](YamlMap& map) {
    map.each([&](const YamlValue& value) {
      if (headers && !is_token(value.key())) value.key_fault("is not a header's name");
      if (headers && is_framing_header(value.key())) {
        value.key_fault("is written by weir itself; leave it out");
      }
      if (value.key().empty() || value.key().size() > YamlMap::kMaxText) {
        value.key_fault("a name must have 1 to 1024 bytes");
      }
      const std::optional<std::string> text = value.text(YamlMap::kMaxText);
      if (!text) return;
      check_template(value, *text, use);
      out.emplace_back(value.key(), *text);
    });
    if (out.size() > kMaxTemplates) map.value().fault("has more than 64 entries");
  });
}

void read_path(YamlMap& map, std::string& path) {
  const std::optional<YamlValue> value = map.need("path");
  const std::optional<std::string> text = value ? value->text(YamlMap::kMaxText) : std::nullopt;
  if (!text) return;
  const bool printable = std::all_of(text->begin(), text->end(),
                                     [](char c) { return c > 0x20 && c < 0x7F && c != '#'; });
  if (!text->starts_with('/') || !printable) {
    value->fault("must begin with / and hold no spaces; write %XX for other characters");
  }
  path = *text;
}

void read_request(YamlMap& map, Profile& profile) {
  TemplateUse use;
  read_path(map, profile.path);
  read_templates(map, "headers", profile.headers, use);
  read_templates(map, "fields", profile.fields, use);
  if (!use.recipients) map.value().fault("no field holds {recipients}; one must");
  if (!use.body) map.value().fault("no field holds {body}; one must");
  map.section("recipients", [&](YamlMap& recipients) {
    recipients.text("join", profile.recipients_join, 8);
    recipients.flag("plus", profile.recipients_plus);
  });
  map.section("encoding", [&](YamlMap& encoding) {
    encoding.text("gsm7", profile.gsm7_word, 64);
    encoding.text("ucs2", profile.ucs2_word, 64);
  });
}

void read_auth(const YamlValue& list, std::vector<Profile::Auth>& out) {
  list.each([&](const YamlValue& item) {
    item.map([&](YamlMap& map) {
      Profile::Auth auth;
      TemplateUse use{.secrets_allowed = true};
      read_templates(map, "headers", auth.headers, use);
      read_templates(map, "fields", auth.fields, use);
      if (!use.secret) map.value().fault("holds no {secret:NAME}; a way in needs one");
      out.push_back(std::move(auth));
    });
  });
}

void read_pointers(const std::optional<YamlValue>& list, std::vector<std::string>& out) {
  if (!list) return;
  list->each([&](const YamlValue& item) {
    const std::optional<std::string> text = item.text(YamlMap::kMaxText);
    if (!text) return;
    if (!is_pointer(*text)) {
      item.fault(
          "is not a JSON Pointer (RFC 6901); write it like /response/code, ~0 for ~ and ~1 "
          "for a / inside a name");
    }
    out.push_back(*text);
  });
  if (list->node().kind == YamlNode::Kind::kList && (out.empty() || out.size() > kMaxPointers)) {
    list->fault("must hold 1 to 16 pointers");
  }
}

std::optional<int> status_of(std::string_view text) {
  int status = 0;
  if (text.size() != 3) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + 3, status);
  if (error != std::errc() || end != text.data() + 3) return std::nullopt;
  if (status < 100 || status > 999) return std::nullopt;
  return status;
}

// 429, 400-499 or 4xx.
void read_http(YamlMap& map, OutcomeRule& rule) {
  const std::optional<YamlValue> value = map.find("http");
  std::optional<std::string> text = value ? value->text(16) : std::nullopt;
  if (!text) return;
  if (text->size() == 3 && text->ends_with("xx")) {
    const std::string hundreds = text->substr(0, 1);
    text = hundreds + "00-" + hundreds + "99";
  }
  const size_t dash = std::min(text->find('-'), text->size());
  const std::optional<int> least = status_of(std::string_view(*text).substr(0, dash));
  const std::optional<int> most =
      dash == text->size() ? least : status_of(std::string_view(*text).substr(dash + 1));
  if (!least || !most || *least > *most) {
    value->fault("write a status, a range or a class: 429, 400-499 or 4xx");
    return;
  }
  rule.http_min = *least;
  rule.http_max = *most;
}

void check_cause(const YamlMap& map, const OutcomeRule& rule) {
  const bool refused = rule.outcome == Outcome::kRefused;
  if (refused && rule.cause == RefusalCause::kNone) {
    map.value().fault("refused needs a cause: content, number, auth or balance");
  }
  if (!refused && rule.cause != RefusalCause::kNone) {
    map.value().fault("only refused has a cause; leave it out");
  }
}

void read_outcome(YamlMap& map, std::vector<OutcomeRule>& out) {
  OutcomeRule rule;
  read_http(map, rule);
  if (const std::optional<YamlValue> code = map.find("code")) rule.code = code->text(256);
  std::optional<YamlValue> outcome = map.need("outcome");
  map.word<Outcome>("outcome", rule.outcome,
                    {{"accepted", Outcome::kAccepted},
                     {"throttled", Outcome::kThrottled},
                     {"refused", Outcome::kRefused},
                     {"unreachable", Outcome::kUnreachable},
                     {"unknown", Outcome::kUnknown}});
  map.word<RefusalCause>("cause", rule.cause,
                         {{"content", RefusalCause::kContent},
                          {"number", RefusalCause::kNumber},
                          {"auth", RefusalCause::kAuth},
                          {"balance", RefusalCause::kBalance}});
  check_cause(map, rule);
  const bool within_2xx = rule.http_min >= 200 && rule.http_max <= 299;
  if (rule.outcome == Outcome::kAccepted && !within_2xx) {
    map.value().fault("accepted needs http within 2xx, so that no error page passes for a yes");
  }
  out.push_back(std::move(rule));
}

void read_outcomes(const YamlValue& list, std::vector<OutcomeRule>& out) {
  list.each(
      [&](const YamlValue& item) { item.map([&](YamlMap& map) { read_outcome(map, out); }); });
  if (out.size() > kMaxOutcomes) list.fault("has more than 256 rows");
  if (std::none_of(out.begin(), out.end(),
                   [](const OutcomeRule& rule) { return rule.outcome == Outcome::kAccepted; })) {
    list.fault("has no row with accepted, so no message could ever count as submitted");
  }
}

void read_price(YamlMap& map, PriceProfile& price) {
  TemplateUse use;
  read_path(map, price.path);
  read_templates(map, "headers", price.headers, use);
  read_templates(map, "fields", price.fields, use);
  if (!use.body) map.value().fault("no field holds {body}; one must");
  if (use.recipients) map.value().fault("holds {recipients}; a price is asked for one text");
  if (map.need("reply")) {
    map.section("reply", [&](YamlMap& reply) {
      read_pointers(reply.need("encoding"), price.encoding_at);
      read_pointers(reply.need("length"), price.length_at);
      read_pointers(reply.find("remaining"), price.remaining_at);
      read_pointers(reply.need("credit"), price.credit_at);
    });
  }
  map.section("encoding", [&](YamlMap& encoding) {
    encoding.text("gsm7", price.gsm7_word, 64);
    encoding.text("ucs2", price.ucs2_word, 64);
  });
}

void read_top(YamlMap& map, Profile& profile) {
  if (map.need("name")) map.text("name", profile.name, 64);
  if (map.need("request")) {
    map.section("request", [&](YamlMap& request) { read_request(request, profile); });
  }
  if (const std::optional<YamlValue> auth = map.find("auth")) read_auth(*auth, profile.auth);
  if (map.need("reply")) {
    map.section("reply", [&](YamlMap& reply) {
      read_pointers(reply.need("code"), profile.code_at);
      read_pointers(reply.find("ref"), profile.ref_at);
      read_pointers(reply.find("rejected"), profile.rejected_at);
    });
  }
  if (const std::optional<YamlValue> outcomes = map.need("outcomes")) {
    read_outcomes(*outcomes, profile.outcomes);
  }
  map.section("counting", [&](YamlMap& counting) { read_counting(counting, profile.counting); });
  map.units("weight", profile.weight, {Units::from_micro(1), Units::of(1000)});
  map.section("price", [&](YamlMap& price) { read_price(price, profile.price.emplace()); });
}

}  // namespace

std::optional<Profile> read_profile(YamlErrors& errors) {
  const std::optional<YamlNode> root = load_yaml(errors);
  if (!root) return std::nullopt;
  Profile profile;
  YamlReading reading{errors, {}};
  YamlValue(reading, *root, "").map([&](YamlMap& map) { read_top(map, profile); });
  if (!errors.empty()) return std::nullopt;
  return profile;
}

Result<Profile> load_profile(const std::string& path) {
  YamlErrors errors(path);
  std::optional<Profile> profile = read_profile(errors);
  if (!profile) return Error{errors.text()};
  return *std::move(profile);
}

}  // namespace weir
