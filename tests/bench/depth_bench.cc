// SPDX-License-Identifier: Apache-2.0
//
// What depth costs, with 1,000 and with 1,000,000 batches pending (WEIR_BENCH_ROWS sets another
// number):
//   claim and outcome of a batch, 32 under way, deep over shallow                      bar 1.2
//   from a closed file to the first claim that the engine asks for, less what reading the same
//   heads takes SQLite alone, in seconds                                               bar 1.0
// Each pending batch is a message of its own to one recipient, the most rows that there can be.
#include <filesystem>

#include "weir/engine.h"

#include "tests/bench/bare_side.h"
#include "tests/bench/ratio.h"
#include "tests/bench/store_side.h"

namespace weir::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Shape kSingle = {};
constexpr int64_t kShallow = 1'000;
constexpr int64_t kTurnover = 500;  // batches of a round; then as many are put back
constexpr int64_t kInFlight = 32;   // the slots of the promotional lane
constexpr int kTurnoverRounds = 25;
constexpr int kStartRounds = 5;

Record submitted(BatchId batch) {
  Record record;
  record.batch = batch;
  record.to = BatchState::kSubmitted;
  record.at = kCreated;
  record.reason = "accepted";
  record.gateway_ref = "8812734561234";
  return record;
}

// Takes from the front of the queue, as a lane does.
class Queue {
 public:
  Queue(const std::string& path, int64_t rows) : store_(path) { fill(store_, kSingle, rows); }

  double us_each() {
    const auto start = Clock::now();
    const int64_t end = next_ + kTurnover;
    for (int64_t i = 0; i < kInFlight; ++i)
      claim();
    for (int64_t done = 0; done < kTurnover;) {
      const StoreAnswer answer = store_.answer();
      if (const auto* claimed = std::get_if<Claimed>(&answer)) {
        store_.push(submitted(claimed->batch));
      } else {
        ++done;
        if (next_ < end) claim();
      }
    }
    const double each = seconds_since(start) * 1e6 / kTurnover;
    fill(store_, kSingle, kTurnover);
    return each;
  }

 private:
  void claim() { store_.push(Claim{BatchId{next_++}, 1, kCreated}); }

  StoreSide store_;
  int64_t next_ = 1;
};

bool turnover(const std::string& shallow_path, const std::string& deep_path, int64_t rows) {
  Queue shallow(shallow_path, kShallow);
  Queue deep(deep_path, rows);
  std::vector<double> shallow_us;
  std::vector<double> deep_us;
  std::vector<double> ratios;
  for (int round = 0; round < kTurnoverRounds; ++round) {
    shallow_us.push_back(shallow.us_each());
    deep_us.push_back(deep.us_each());
    ratios.push_back(deep_us.back() / shallow_us.back());
  }
  std::printf("claim and outcome of a batch: %.0f us at %lld pending, %.0f us at %lld\n",
              median(shallow_us), static_cast<long long>(kShallow), median(deep_us),
              static_cast<long long>(rows));
  return report("claim and outcome, deep over shallow", median(ratios), Bar::kAtMost, 1.2);
}

EngineOptions sending_at_once(int64_t rows) {
  EngineOptions options;
  options.ceiling.rate_per_s = Units::of(1'000'000);
  for (ClassOptions& one : options.classes)
    one.window.reset();
  options.lanes[index(Lane::kPromotional)].max_rows = 2 * rows;
  return options;
}

bool asks_for_a_claim(const Effects& effects) {
  return std::any_of(effects.begin(), effects.end(),
                     [](const Effect& effect) { return std::holds_alternative<Claim>(effect); });
}

struct Start {
  double open = 0;         // seconds until the store is open and has read everything
  double first_claim = 0;  // until the engine asks for the first claim
};

Start store_start(const std::string& path, int64_t rows) {
  const auto start = Clock::now();
  const MonoTime boot = MonoTime::from_ns(1'000'000'000);
  Engine engine({boot, kCreated}, sending_at_once(rows));
  Start measured;
  StoreOptions options;
  options.path = path;
  Result<std::unique_ptr<Store>> store = Store::open(options, kCreated, [] {});
  if (!store) return {};
  measured.open = seconds_since(start);
  Effects effects;
  // In the engine's own time, so that the bucket has filled: it begins empty, and the reserves
  // first.
  const Now now{boot + Duration::seconds(60), kCreated};
  engine.step(now, (*store)->take_restored(), effects);
  if (asks_for_a_claim(effects)) measured.first_claim = seconds_since(start);
  return measured;
}

double bare_start(const std::string& path) {
  const auto start = Clock::now();
  BareSide bare(path);
  (void)bare.read_heads();
  return seconds_since(start);
}

bool starting(const std::string& path, int64_t rows) {
  std::vector<double> beyond;
  for (int round = 1; round <= kStartRounds; ++round) {
    const double bare = bare_start(path);
    const Start store = store_start(path, rows);
    if (store.first_claim == 0) {
      std::printf("the engine did not ask for a claim\n");
      return false;
    }
    beyond.push_back(store.first_claim - bare);
    std::printf(
        "start %d at %lld pending: SQLite alone reads the heads in %.2f s; the store is "
        "open after %.2f s, the first claim asked for after %.2f s\n",
        round, static_cast<long long>(rows), bare, store.open, store.first_claim);
  }
  return report("start to first claim beyond reading the heads, s", median(beyond), Bar::kAtMost,
                1.0);
}

bool run() {
  const int64_t rows = number_from_environment("WEIR_BENCH_ROWS", 1'000'000);
  const Folder folder;
  const std::string deep = folder.file("deep.db");
  const auto start = Clock::now();
  const bool flat = turnover(folder.file("shallow.db"), deep, rows);
  std::printf("the deep file has %.0f MB; filling and measuring it took %.0f s\n",
              static_cast<double>(std::filesystem::file_size(deep)) / 1e6, seconds_since(start));
  return starting(deep, rows) && flat;
}

}  // namespace
}  // namespace weir::bench

int main() {
  return weir::bench::run() ? 0 : 1;
}
