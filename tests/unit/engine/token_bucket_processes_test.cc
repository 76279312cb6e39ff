// SPDX-License-Identifier: Apache-2.0
//
// The bucket in memory that processes share, on the machine's own clock, while processes are killed
// at any point of it.
#include <atomic>
#include <new>
#include <vector>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "weir/token_bucket.h"

#include "engine/rng.h"

namespace weir {
namespace {

MonoTime mono_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return MonoTime::from_ns(now.tv_sec * 1'000'000'000 + now.tv_nsec);
}

BucketSpec spec(int64_t rate) {
  return {.rate_per_s = Units::of(rate), .capacity = Units::of(100)};
}

struct Shared {
  explicit Shared(MonoTime now) : bucket(now, spec(20'000), Units()) {}
  TokenBucket bucket;
  std::atomic<int64_t> granted{0};  // micro-units, counted before a process can be sure of them
  std::atomic<uint64_t> grants{0};
};

class Mapping {
 public:
  Mapping() {
    void* memory =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(memory, MAP_FAILED);
    shared = new (memory) Shared(mono_now());
  }
  ~Mapping() { munmap(shared, sizeof(Shared)); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  Shared* shared;
};

[[noreturn]] void spend(Shared& shared, uint64_t seed) {
  Rng rng(seed);
  for (;;) {
    const Units cost = Units::from_micro(1 + rng.up_to(3'000'000));
    if (shared.bucket.acquire(mono_now(), cost).verdict != TokenBucket::Verdict::kGranted) continue;
    shared.granted.fetch_add(cost.micro());
    shared.grants.fetch_add(1);
  }
}

pid_t start(Shared& shared, uint64_t seed) {
  const pid_t child = fork();
  if (child == 0) spend(shared, seed);
  return child;
}

void wait_for_grants(const Shared& shared, uint64_t more) {
  const uint64_t wanted = shared.grants.load() + more;
  while (shared.grants.load() < wanted)
    sched_yield();
}

void stop(pid_t child) {
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

// T41.
TEST(TokenBucketProcesses, ConserveWhileOneOfThemIsKilledAgainAndAgain) {
  Mapping mapping;
  Shared& shared = *mapping.shared;
  const MonoTime begin = mono_now();
  const pid_t survivor = start(shared, 1);
  // The rate that was highest bounds the supply; changes are part of the trial.
  constexpr int64_t kHighest = 20'000;
  for (uint64_t round = 0; round < 100; ++round) {
    const pid_t victim = start(shared, 2 + round);
    shared.bucket.set_spec(mono_now(), spec(round % 2 == 0 ? kHighest / 2 : kHighest));
    wait_for_grants(shared, 5 + round % 20);
    stop(victim);
    wait_for_grants(shared, 2);  // the other goes on
  }
  stop(survivor);
  const double supply = 100 + kHighest * (mono_now() - begin).as_seconds() + 1;
  EXPECT_LE(static_cast<double>(shared.granted.load()) / Units::kMicro, supply);
}

TEST(TokenBucketProcesses, AWriterThatIsKilledLeavesALineInForceAndCanBeSucceeded) {
  Mapping mapping;
  Shared& shared = *mapping.shared;
  const pid_t spender = start(shared, 7);
  for (int round = 0; round < 100; ++round) {
    const pid_t writer = fork();
    if (writer == 0) {
      for (int64_t rate = 10'000;; rate = rate % 20'000 + 1000) {
        shared.bucket.set_spec(mono_now(), spec(rate));
      }
    }
    wait_for_grants(shared, 3);
    stop(writer);
    shared.bucket.adopt();
    shared.bucket.set_spec(mono_now(), spec(15'000));
    EXPECT_EQ(shared.bucket.spec().rate_per_s, Units::of(15'000));
    wait_for_grants(shared, 3);
  }
  stop(spender);
}

}  // namespace
}  // namespace weir
