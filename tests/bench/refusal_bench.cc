// SPDX-License-Identifier: Apache-2.0
//
// What a message costs the loop that is refused as unreachable: the submission read out of its
// request, judged by the engine with half a million batches in each of its lanes and as many as
// there can be in the guard of the OTPs, and its answer put into words. An OTP is judged by the
// length of its lane; a message that could wait, by the lane's order, here past six hours of
// deadlines.
//   999 of 1,000 OTPs take less than, in ms                                             bar 5
//   999 of 1,000 of the others take less than, in ms                                    bar 5
#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "weir/engine.h"

#include "shim/front/problem.h"
#include "shim/front/submission_json.h"
#include "tests/bench/ratio.h"

namespace weir::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t kBatches = 500'000;  // in each lane
constexpr int64_t kGuarded = 1'000'000;
constexpr int kRefusals = 10'000;

struct Waiting {
  Lane lane;
  const char* class_name;
  int64_t first_s;  // deadlines, evenly from here
  int64_t last_s;
};
constexpr Waiting kWaiting[] = {
    {Lane::kOtp, "otp", 3600, 3600},
    {Lane::kTransactional, "delivery_update", 1, 21'600},
    {Lane::kPromotional, "promotional", 7200, 7200},
};

Restored waiting_batches(WallTime now) {
  Restored found;
  int64_t id = 0;
  for (const Waiting& one : kWaiting) {
    for (int64_t i = 1; i <= kBatches; ++i) {
      Head head;
      head.id = BatchId{++id};
      head.cost = Units::of(1);
      const int64_t spread_ms = (one.last_s - one.first_s) * 1000 * i / kBatches;
      head.deadline = now + Duration::millis(one.first_s * 1000 + spread_ms);
      head.eligible = now;
      found.pending.push_back({one.lane, one.class_name, WallTime(), head});
    }
  }
  found.guarded.push_back({"otp", {}});
  for (int64_t i = 1; i < kGuarded; ++i) {
    found.guarded.front().counted.push_back(
        {BatchId{i}, now, Recipient{919'000'000'000 + static_cast<uint64_t>(i)}});
  }
  found.next_message = MessageId{kBatches};
  found.next_batch = BatchId{id + 1};
  return found;
}

// What each refusal took, in ms; less than kRefusals: one was not refused.
std::vector<double> refuse(Engine& engine, Now now, const EngineOptions& options,
                           const std::string& message) {
  HttpRequest request;
  request.method = "POST";
  request.path = "/v1/messages";
  request.headers = {{"content-type", "application/json"}};
  std::vector<double> took_ms;
  Effects effects;
  for (int i = 0; i < kRefusals; ++i) {
    request.body = message + R"(,"to":"+919876543210","body":"Your code is )" +
                   std::to_string(100'000 + i) + R"("})";
    effects.clear();
    const auto start = Clock::now();
    auto read = read_submission(request, options);
    engine.step(now, Submitted{RequestId{1}, std::get<Submission>(std::move(read))}, effects);
    const auto refused = std::find_if(effects.begin(), effects.end(), [](const Effect& effect) {
      return std::holds_alternative<Refuse>(effect);
    });
    if (refused == effects.end()) return took_ms;
    Refusal refusal = std::get<Refuse>(*refused).refusal;
    if (refusal.code != RefusalCode::kDeadlineUnreachable) return took_ms;
    const HttpResponse response = problem_response(problem_of(std::move(refusal)));
    took_ms.push_back(seconds_since(start) * 1e3);
  }
  return took_ms;
}

bool run() {
  const Now now{MonoTime() + Duration::seconds(1), WallTime::from_unix_ms(1'790'000'000'000)};
  EngineOptions options;
  for (LaneOptions& lane : options.lanes)
    lane.max_rows = 4 * kBatches;
  GuardOptions& guard = options.classes.front().guard.emplace();
  guard.max_per_prefix_per_hour = 1'000'000;
  guard.max_per_hour = kGuarded;
  Engine engine(now, options);
  Effects effects;
  engine.step(now, waiting_batches(now.wall), effects);

  bool all = true;
  for (const auto& [who, message] : {std::pair{"a refused OTP", R"({"class":"otp")"},
                                     std::pair{"a refused message that could wait",
                                               R"({"class":"delivery_update","priority":9)"}}) {
    const std::vector<double> took_ms = refuse(engine, now, options, message);
    if (took_ms.size() < kRefusals) {
      std::printf("%s was not refused\n", who);
      return false;
    }
    std::printf("%s takes %.4f ms of the loop p50, %.4f ms p99\n", who, quantile(took_ms, 0.5),
                quantile(took_ms, 0.99));
    all &= report((std::string(who) + ", 999 of 1,000, ms").c_str(), quantile(took_ms, 0.999),
                  Bar::kAtMost, 5);
  }
  return all;
}

}  // namespace
}  // namespace weir::bench

int main() {
  return weir::bench::run() ? 0 : 1;
}
