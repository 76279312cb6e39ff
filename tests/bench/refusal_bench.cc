// SPDX-License-Identifier: Apache-2.0
//
// What an OTP costs the loop that is refused as unreachable: the submission read out of its
// request, judged by the engine with a million batches in its lanes and as many as there can be in
// the guard of its class, and its answer put into words.
//   999 of 1,000 take less than, in ms                                                  bar 5
#include <algorithm>
#include <cstdio>
#include <string>

#include "weir/engine.h"

#include "shim/front/problem.h"
#include "shim/front/submission_json.h"
#include "tests/bench/ratio.h"

namespace weir::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t kBatches = 500'000;  // in each of the two lanes
constexpr int64_t kGuarded = 1'000'000;
constexpr int kRefusals = 10'000;

Restored waiting_batches(WallTime now) {
  Restored found;
  for (int64_t id = 1; id <= 2 * kBatches; ++id) {
    const bool otp = id <= kBatches;
    Head head;
    head.id = BatchId{id};
    head.cost = Units::of(1);
    head.deadline = now + Duration::seconds(otp ? 3600 : 7200);
    head.eligible = now;
    found.pending.push_back(
        {otp ? Lane::kOtp : Lane::kPromotional, otp ? "otp" : "promotional", WallTime(), head});
  }
  found.guarded.push_back({"otp", {}});
  for (int64_t i = 1; i < kGuarded; ++i) {
    found.guarded.front().counted.push_back(
        {BatchId{i}, now, Recipient{919'000'000'000 + static_cast<uint64_t>(i)}});
  }
  found.next_message = MessageId{kBatches};
  found.next_batch = BatchId{2 * kBatches + 1};
  return found;
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

  HttpRequest request;
  request.method = "POST";
  request.path = "/v1/messages";
  request.headers = {{"content-type", "application/json"}};
  std::vector<double> took_ms;
  for (int i = 0; i < kRefusals; ++i) {
    request.body = R"({"class":"otp","to":"+919876543210","body":"Your code is )" +
                   std::to_string(100'000 + i) + R"("})";
    effects.clear();
    const auto start = Clock::now();
    auto read = read_submission(request, options);
    engine.step(now, Submitted{RequestId{1}, std::get<Submission>(std::move(read))}, effects);
    const auto refused = std::find_if(effects.begin(), effects.end(), [](const Effect& effect) {
      return std::holds_alternative<Refuse>(effect);
    });
    if (refused == effects.end()) {
      std::printf("an OTP was not refused\n");
      return false;
    }
    const HttpResponse response =
        problem_response(problem_of(std::move(std::get<Refuse>(*refused).refusal)));
    took_ms.push_back(seconds_since(start) * 1e3);
    if (response.status != 503) return false;
  }
  std::printf("a refused OTP takes %.4f ms of the loop p50, %.4f ms p99\n", quantile(took_ms, 0.5),
              quantile(took_ms, 0.99));
  return report("a refused OTP, 999 of 1,000, ms of the loop", quantile(took_ms, 0.999),
                Bar::kAtMost, 5);
}

}  // namespace
}  // namespace weir::bench

int main() {
  return weir::bench::run() ? 0 : 1;
}
