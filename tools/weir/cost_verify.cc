// SPDX-License-Identifier: Apache-2.0
//
// **Method.** All bodies are read and counted before the first call. Then one call after the other,
// none sooner than 1/rate after the one before it began. The first call that reaches nobody ends
// the run; so do kMaxNoPrice answers in a row that hold no price, because then the account or the
// profile is wrong and not the bodies.
#include "tools/weir/cost_verify.h"

#include <chrono>
#include <cstdio>
#include <iterator>
#include <optional>
#include <thread>
#include <utility>
#include <variant>

#include <boost/json.hpp>

#include "shim/config/quantities.h"
#include "shim/config/settings.h"
#include "tools/weir/price_call.h"
#include "tools/weir/verify_subjects.h"

namespace weir {
namespace {

namespace json = boost::json;

constexpr size_t kShownCharacters = 20;
constexpr int kMaxNoPrice = 3;

struct Tally {
  size_t agree = 0;
  size_t differ = 0;
  size_t no_price = 0;
};

struct Row {
  const Subject& subject;
  OwnPrice own;
  std::variant<GatewayPrice, NoPrice> answer;
  std::vector<std::string> differs;

  const GatewayPrice* theirs() const { return std::get_if<GatewayPrice>(&answer); }
};

// The first characters, in one line: what does not print is a space.
std::string beginning(const std::string& body) {
  std::string shown;
  size_t characters = 0;
  for (const char c : body) {
    const auto byte = static_cast<unsigned char>(c);
    const bool begins = (byte & 0xC0) != 0x80;
    if (begins && ++characters > kShownCharacters) break;
    shown += byte < 0x20 || byte == 0x7F ? ' ' : c;
  }
  return shown;
}

std::string encoding_shown(const GatewayPrice& price) {
  return std::string(price.encoding ? encoding_name(*price.encoding) : price.encoding_word);
}

std::string verdict(const Row& row) {
  if (const auto* none = std::get_if<NoPrice>(&row.answer)) return "no price: " + none->what;
  if (row.differs.empty()) return "agrees";
  std::string text = "differs:";
  for (const std::string& what : row.differs)
    text += " " + what;
  return text;
}

void print_head() {
  std::printf("%-22s  %-25s  %-25s\n", "", "weir", "gateway");
  std::printf("%-22s  %-8s %6s %9s  %-8s %6s %9s  %-32s  %s\n", "body", "encoding", "length",
              "segments", "encoding", "length", "credit", "verdict", "begins");
}

void print_row(const Row& row) {
  const Counted& own = row.own.counted;
  std::printf("%-22s  %-8s %6llu %9llu  ", row.subject.name.c_str(),
              std::string(encoding_name(own.encoding)).c_str(),
              static_cast<unsigned long long>(own.units),
              static_cast<unsigned long long>(own.segments));
  if (const GatewayPrice* theirs = row.theirs()) {
    std::printf("%-8s %6llu %9s  ", encoding_shown(*theirs).c_str(),
                static_cast<unsigned long long>(theirs->length),
                format_units(theirs->credit).c_str());
  } else {
    std::printf("%-8s %6s %9s  ", "-", "-", "-");
  }
  std::printf("%-32s  %s\n", verdict(row).c_str(), beginning(row.subject.body).c_str());
  std::fflush(stdout);
}

// Whole credits without a fraction, or the library writes 1E0.
json::value credit_json(Units credit) {
  if (credit.micro() % Units::kMicro == 0) return credit.micro() / Units::kMicro;
  return credit.as_double();
}

void print_json(const Row& row) {
  json::object line;
  line["body"] = row.subject.name;
  line["begins"] = beginning(row.subject.body);
  const Counted& own = row.own.counted;
  line["weir"] = {{"encoding", encoding_name(own.encoding)},
                  {"length", own.units},
                  {"segments", own.segments},
                  {"remaining", own.remaining},
                  {"credit", credit_json(row.own.credit)}};
  line["gateway"] = nullptr;
  if (const GatewayPrice* theirs = row.theirs()) {
    json::object gateway = {{"encoding", encoding_shown(*theirs)},
                            {"length", theirs->length},
                            {"remaining", nullptr},
                            {"credit", credit_json(theirs->credit)}};
    if (theirs->remaining) gateway["remaining"] = *theirs->remaining;
    line["gateway"] = std::move(gateway);
  }
  line["agrees"] = row.theirs() != nullptr && row.differs.empty();
  line["differs"] = json::array(row.differs.begin(), row.differs.end());
  line["verdict"] = verdict(row);
  std::printf("%s\n", json::serialize(line).c_str());
  std::fflush(stdout);
}

void print_summary(const Tally& tally, size_t wanted, bool as_json) {
  const size_t asked = tally.agree + tally.differ + tally.no_price;
  FILE* out = as_json ? stderr : stdout;
  std::fprintf(out, "%zu of %zu asked: %zu agree, %zu differ, %zu without a price\n", asked, wanted,
               tally.agree, tally.differ, tally.no_price);
  if (tally.differ == 0) return;
  std::fprintf(
      out,
      "weir counts by `counting` and `weight` of the profile; set them to what the gateway "
      "bills\n");
}

OwnPrice own_price(const std::string& body, const Profile& profile) {
  // The subjects are UTF-8.
  const Counted counted = std::get<Counted>(count(body, profile.counting));
  return {counted, cost(counted, 1, profile.weight)};
}

void note(const Row& row, Tally& tally) {
  if (row.theirs() == nullptr) {
    tally.no_price += 1;
  } else if (row.differs.empty()) {
    tally.agree += 1;
  } else {
    tally.differ += 1;
  }
}

int ask_all(const CostVerifyArgs& args, const Settings& settings, PriceCall& gateway,
            const std::vector<Subject>& subjects) {
  using Clock = std::chrono::steady_clock;
  const auto apart = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(1 / args.rate_per_s));
  Tally tally;
  int exit_code = kDone;
  int no_price_in_a_row = 0;
  auto next = Clock::now();
  if (!args.json) print_head();
  for (const Subject& subject : subjects) {
    std::this_thread::sleep_until(next);
    next = Clock::now() + apart;
    const OwnPrice own = own_price(subject.body, settings.profile);
    auto answer = gateway.ask(subject.body, own.counted.encoding);
    if (!answer) {
      std::fprintf(stderr, "%s\n", answer.error().detail.c_str());
      exit_code = kNotReachable;
      break;
    }
    Row row{subject, own, *std::move(answer), {}};
    if (row.theirs() != nullptr) row.differs = differences(own, *row.theirs());
    args.json ? print_json(row) : print_row(row);
    note(row, tally);
    no_price_in_a_row = row.theirs() == nullptr ? no_price_in_a_row + 1 : 0;
    if (no_price_in_a_row == kMaxNoPrice) {
      std::fprintf(stderr, "%d answers in a row without a price; the rest is not asked\n",
                   kMaxNoPrice);
      break;
    }
  }
  print_summary(tally, subjects.size(), args.json);
  if (exit_code != kDone) return exit_code;
  return tally.differ + tally.no_price == 0 ? kDone : kFailed;
}

ApiArgs api_of(const CostVerifyArgs& args, const ApiOptions& listens) {
  if (!args.api.socket.empty() || !args.api.url.empty()) return args.api;
  ApiArgs found = args.api;
  if (!listens.unix_path.empty()) {
    found.socket = listens.unix_path;
    return found;
  }
  const bool six = listens.tcp_address.find(':') != std::string::npos;
  const std::string host = six ? "[" + listens.tcp_address + "]" : listens.tcp_address;
  found.url = "http://" + host + ":" + std::to_string(listens.tcp_port);
  return found;
}

Subjects collect(const CostVerifyArgs& args, const Settings& settings) {
  std::vector<Subject> all;
  const auto add = [&](Subjects more) -> std::optional<NoSubjects> {
    if (auto* none = std::get_if<NoSubjects>(&more)) return std::move(*none);
    auto& subjects = std::get<std::vector<Subject>>(more);
    std::move(subjects.begin(), subjects.end(), std::back_inserter(all));
    return std::nullopt;
  };
  if (!args.file.empty()) {
    if (auto none = add(subjects_in_file(args.file, args.json_strings))) return *none;
  }
  if (args.templates) {
    const ApiArgs api = api_of(args, settings.api);
    if (auto none = add(subjects_of_templates(api, settings.engine))) return *none;
  }
  if (all.empty()) return NoSubjects{kUsage, "there is no body to ask about"};
  return all;
}

}  // namespace

std::vector<std::string> differences(const OwnPrice& own, const GatewayPrice& theirs) {
  std::vector<std::string> found;
  if (theirs.encoding != own.counted.encoding) found.emplace_back("encoding");
  if (theirs.length != own.counted.units) found.emplace_back("length");
  if (theirs.credit != own.credit) found.emplace_back("credit");
  return found;
}

int cost_verify_command(const CostVerifyArgs& args) {
  const auto settings = load_settings(args.config);
  if (!settings) {
    std::fprintf(stderr, "%s\n", settings.error().detail.c_str());
    return kUsage;
  }
  if (!settings->profile.price) {
    std::fprintf(stderr, "the profile %s has no section price, so weir cannot ask its gateway\n",
                 settings->profile.name.c_str());
    return kUsage;
  }
  auto gateway = PriceCall::make(settings->gateway, settings->profile);
  if (!gateway) {
    std::fprintf(stderr, "%s\n", gateway.error().detail.c_str());
    return kUsage;
  }
  const Subjects subjects = collect(args, *settings);
  if (const auto* none = std::get_if<NoSubjects>(&subjects)) {
    std::fprintf(stderr, "%s\n", none->detail.c_str());
    return none->exit_code;
  }
  return ask_all(args, *settings, *gateway, std::get<std::vector<Subject>>(subjects));
}

}  // namespace weir
