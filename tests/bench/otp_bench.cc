// SPDX-License-Identifier: Apache-2.0
//
// From the hand-over of an OTP to the answer that it is on disk (the direct path: inserted and
// claimed in one commit), 99th percentile: while a campaign floods in, over the same with nothing
// else to do. bar 2 at the default of store.bulk_rows; other values are shown beside it, and
// what each lets through of the campaign.
//
// The campaign comes as messages of 200 recipients, so that the cap can be met exactly, and
// once as submissions of 100,000, which are written whole whatever the cap.
#include <deque>
#include <optional>

#include "tests/bench/ratio.h"
#include "tests/bench/store_side.h"

namespace weir::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Shape kOtp = {.lane = Lane::kOtp, .own_text = true, .claim_first = true};
constexpr Shape kBatch = {.batch_size = 200};
constexpr Shape kSubmission = {.batches = 500, .batch_size = 200};
constexpr auto kBetweenOtps = std::chrono::milliseconds(5);
constexpr int kRounds = 5;

struct Case {
  const char* name;
  size_t bulk_rows;
  std::optional<Shape> flood;
  int64_t in_flight;  // messages of the flood that wait for their commit
};

struct Measured {
  double p50 = 0;  // ms
  double p99 = 0;
  double bulk_rows_per_s = 0;
};

// One OTP each 5 ms, whether or not the one before is answered, and the flood in between.
class Run {
 public:
  Run(const std::string& path, const Case& one) : case_(one), store_(path, one.bulk_rows) {}

  Measured measure(size_t otps) {
    const auto start = Clock::now();
    auto due = start;
    size_t sent = 0;
    while (took_ms_.size() < otps) {
      if (sent < otps && Clock::now() >= due) {
        ++sent;
        due_.push_back(due);
        store_.push(Persist{kOtpRequest, store_.drafts().next(kOtp)});
        due += kBetweenOtps;
      }
      turn(sent < otps ? due : Clock::now() + std::chrono::seconds(1));
    }
    const double seconds = seconds_since(start);
    return {quantile(took_ms_, 0.50), quantile(took_ms_, 0.99),
            static_cast<double>(flood_rows_) / seconds};
  }

 private:
  static constexpr RequestId kOtpRequest{1};
  static constexpr RequestId kFloodRequest{2};

  void turn(Clock::time_point until) {
    if (case_.flood) {
      for (; flooding_ < case_.in_flight; ++flooding_)
        store_.push(Persist{kFloodRequest, store_.drafts().next(*case_.flood, fresh_draft())});
    }
    bool any = false;
    while (std::optional<StoreAnswer> answer = store_.pop()) {
      take(std::get<Persisted>(std::move(*answer)));
      any = true;
    }
    if (!any) store_.wait(until);
  }

  void take(Persisted answer) {
    if (answer.request == kOtpRequest) {
      took_ms_.push_back(seconds_since(due_.front()) * 1e3);
      due_.pop_front();
      return;
    }
    --flooding_;
    flood_rows_ += case_.flood->batches;
    used_.push_back(std::move(answer.draft));
  }

  std::unique_ptr<Draft> fresh_draft() {
    if (used_.empty()) return std::make_unique<Draft>();
    std::unique_ptr<Draft> draft = std::move(used_.back());
    used_.pop_back();
    return draft;
  }

  const Case& case_;
  StoreSide store_;
  std::vector<std::unique_ptr<Draft>> used_;
  std::vector<double> took_ms_;
  std::deque<Clock::time_point> due_;  // of the OTPs that wait for their answer
  int64_t flooding_ = 0;
  uint64_t flood_rows_ = 0;
};

const std::vector<Case>& cases() {
  static const size_t chosen = StoreOptions().bulk_rows;
  static const std::vector<Case> all = {
      {"idle", chosen, std::nullopt, 0},
      {"bulk_rows 1", 1, kBatch, 2'048},
      {"bulk_rows 4", 4, kBatch, 2'048},
      {"bulk_rows 8", 8, kBatch, 2'048},
      {"bulk_rows 16", 16, kBatch, 2'048},
      {"bulk_rows 64", 64, kBatch, 2'048},
      {"bulk_rows 256", 256, kBatch, 2'048},
      {"the default, submissions of 100,000", chosen, kSubmission, 2},
  };
  return all;
}

struct Series {
  std::vector<double> p50, p99, ratio, bulk;
};

bool is_the_default(const Case& one) {
  return one.flood && one.flood->batches == 1 && one.bulk_rows == StoreOptions().bulk_rows;
}

bool run() {
  const auto otps = static_cast<size_t>(number_from_environment("WEIR_BENCH_OTPS", 300));
  std::vector<Series> found(cases().size());
  for (int round = 0; round < kRounds; ++round) {
    double idle = 0;
    for (size_t i = 0; i < cases().size(); ++i) {
      const Folder folder;
      const Measured one = Run(folder.file("weir.db"), cases()[i]).measure(otps);
      if (i == 0) idle = one.p99;
      found[i].p50.push_back(one.p50);
      found[i].p99.push_back(one.p99);
      found[i].ratio.push_back(one.p99 / idle);
      found[i].bulk.push_back(one.bulk_rows_per_s);
    }
  }
  bool held = true;
  for (size_t i = 0; i < cases().size(); ++i) {
    std::printf(
        "%-38s OTP on disk after %6.2f ms p50 %7.2f ms p99, %5.1f x idle; campaign %6.0f "
        "batches/s\n",
        cases()[i].name, median(found[i].p50), median(found[i].p99), median(found[i].ratio),
        median(found[i].bulk));
  }
  for (size_t i = 0; i < cases().size(); ++i) {
    if (!is_the_default(cases()[i])) continue;
    held = report("p99 of an OTP amid a campaign over idle, at the default", median(found[i].ratio),
                  Bar::kAtMost, 2.0);
  }
  return held;
}

}  // namespace
}  // namespace weir::bench

int main() {
  return weir::bench::run() ? 0 : 1;
}
