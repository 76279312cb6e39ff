// SPDX-License-Identifier: Apache-2.0
//
// What counting costs, against work that has to be done anyway.
//
// Two ratios are printed after the figures, each of two timings of this same run:
//   - counting a GSM-7 body of 160 characters, over memchr() for an absent byte in the same bytes:
//     the C library's vectorised scan, the least that any look at the text can cost. Bar: 4.
//   - pricing a submission to 10,000 recipients (body and list), over parsing its JSON with
//     json::parse() of Boost.JSON. Bar: 0.10, for a sorted list; the figure for a shuffled one, in
//     which duplicates have to be looked for, is printed beside it.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>
#include <boost/json.hpp>

#include "weir/recipients.h"
#include "weir/segments.h"

namespace weir {
namespace {

namespace json = boost::json;

const std::string& gsm_body() {
  static const std::string kBody = [] {
    std::string body =
        "Dear customer, your order no. 58213 has left our warehouse and will reach you "
        "today between 14:00 and 16:00. Track it at example.test/t/58213. Reply STOP.";
    body.resize(160, '.');
    return body;
  }();
  return kBody;
}

std::string repeated_to(std::string_view word, size_t bytes) {
  std::string body;
  while (body.size() < bytes)
    body += word;
  return body;
}

// The same number of letters with a bracket in every eighth place: the slow way over every block.
const std::string& bracket_body() {
  static const std::string kBody = repeated_to("letters[", 160);
  return kBody;
}

// 1,000 characters: five-letter words and spaces.
const std::string& hindi_body() {
  static const std::string kBody = [] {
    std::string body;
    for (int i = 0; i < 1000; ++i)
      body += i % 6 == 5 ? " " : "\u0928";
    return body;
  }();
  return kBody;
}

const std::vector<std::string>& numbers() {
  static const std::vector<std::string> kNumbers = [] {
    std::vector<std::string> all;
    for (uint64_t i = 0; i < 10'000; ++i) {
      all.push_back("+91" + std::to_string(7'000'000'000 + i * 299'993 % 3'000'000'000));
    }
    return all;
  }();
  return kNumbers;
}

// The same numbers in no order.
const std::vector<std::string>& shuffled_numbers() {
  static const std::vector<std::string> kNumbers = [] {
    std::vector<std::string> all = numbers();
    for (size_t i = 0; i < all.size(); ++i)
      std::swap(all[i], all[i * 7919 % all.size()]);
    return all;
  }();
  return kNumbers;
}

const std::string& submission() {
  static const std::string kJson = [] {
    json::array to;
    for (const std::string& number : numbers())
      to.emplace_back(number);
    return json::serialize(
        json::object{{"class", "promotional"}, {"to", std::move(to)}, {"body", gsm_body()}});
  }();
  return kJson;
}

void scan_bytes(benchmark::State& state, const std::string& body) {
  const char* text = body.data();
  for (auto _ : state) {
    benchmark::DoNotOptimize(text);
    benchmark::DoNotOptimize(std::memchr(text, 0x01, body.size()));
  }
}

void count_body(benchmark::State& state, const std::string& body) {
  const CountingRules rules;
  std::string_view text = body;
  for (auto _ : state) {
    benchmark::DoNotOptimize(text);
    benchmark::DoNotOptimize(count(text, rules));
  }
}

void parse_json(benchmark::State& state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(json::parse(submission()));
}

void parse_list(benchmark::State& state, const std::vector<std::string>& list) {
  const std::vector<std::string_view> raw(list.begin(), list.end());
  const RecipientRules rules{"91", "0", 10};
  for (auto _ : state)
    benchmark::DoNotOptimize(parse_recipients(raw, rules));
}

std::vector<std::string> spaced_numbers() {
  std::vector<std::string> all;
  for (const std::string& number : numbers()) {
    all.push_back("0" + number.substr(3, 5) + " " + number.substr(8));
  }
  return all;
}

void price_submission(benchmark::State& state, const std::vector<std::string>& list) {
  const std::vector<std::string_view> raw(list.begin(), list.end());
  const CountingRules counting;
  const RecipientRules rules{"91", "0", 10};
  for (auto _ : state) {
    const auto counted = std::get<Counted>(count(gsm_body(), counting));
    const Recipients recipients = parse_recipients(raw, rules);
    benchmark::DoNotOptimize(cost(counted, recipients.valid.size()));
  }
}

// Prints as usual and remembers the least processor time of each benchmark: the least is what the
// machine can do, and the rest is what else it was doing.
class LeastTimes : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const double each = run.cpu_accumulated_time / static_cast<double>(run.iterations);
      const auto [at, fresh] = least_.emplace(run.run_name.function_name, each);
      if (!fresh) at->second = std::min(at->second, each);
    }
  }

  // False if the ratio was measured and lies over the bar.
  bool report(const char* what, const char* over, double bar) const {
    const auto one = least_.find(what);
    const auto other = least_.find(over);
    if (one == least_.end() || other == least_.end()) return true;
    const double ratio = one->second / other->second;
    std::printf("%s / %s = %.3f (bar %.2f): %s\n", what, over, ratio, bar,
                ratio <= bar ? "held" : "MISSED");
    return ratio <= bar;
  }

 private:
  std::map<std::string, double> least_;
};

void register_all() {
  constexpr int kRepetitions = 5;
  const auto add = [](const char* name, auto function, auto&&... arguments) {
    benchmark::RegisterBenchmark(name, function, arguments...)->Repetitions(kRepetitions);
  };
  static const std::vector<std::string> kSpaced = spaced_numbers();
  add("memchr_gsm_160", [](auto& state) { scan_bytes(state, gsm_body()); });
  add("count_gsm_160", [](auto& state) { count_body(state, gsm_body()); });
  add("count_brackets_160", [](auto& state) { count_body(state, bracket_body()); });
  add("count_hindi_1000", [](auto& state) { count_body(state, hindi_body()); });
  add("parse_recipients_10000", [](auto& state) { parse_list(state, numbers()); });
  add("parse_recipients_10000_national", [](auto& state) { parse_list(state, kSpaced); });
  add("json_parse_10000", [](auto& state) { parse_json(state); });
  add("price_10000", [](auto& state) { price_submission(state, numbers()); });
  add("price_10000_shuffled", [](auto& state) { price_submission(state, shuffled_numbers()); });
}

}  // namespace
}  // namespace weir

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  weir::register_all();
  weir::LeastTimes times;
  benchmark::RunSpecifiedBenchmarks(&times);
  const bool scan = times.report("count_gsm_160", "memchr_gsm_160", 4.0);
  times.report("price_10000_shuffled", "json_parse_10000", 1.0);
  const bool price = times.report("price_10000", "json_parse_10000", 0.10);
  return scan && price ? 0 : 1;
}
