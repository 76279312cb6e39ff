// SPDX-License-Identifier: Apache-2.0
//
// Messages that are on disk, a second: 64 producers, each of which waits for its own commit, over
// SQLite alone that writes the same rows in groups as large as the store's were          bar 0.8
#include "tests/bench/bare_side.h"
#include "tests/bench/ratio.h"
#include "tests/bench/store_side.h"

namespace weir::bench {
namespace {

constexpr int kProducers = 64;
constexpr int kRounds = 7;
constexpr Shape kSingle = {.own_text = true};

struct Measured {
  double rate = 0;
  int group = kProducers;  // messages of a commit, on the average
};

Measured store_accepts(int messages) {
  const Folder folder;
  StoreSide store(folder.file("weir.db"));
  const auto start = std::chrono::steady_clock::now();
  int pushed = 0;
  for (; pushed < kProducers; ++pushed)
    store.push(Persist{RequestId{}, store.drafts().next(kSingle)});
  for (int stored = 0; stored < messages; ++stored) {
    store.answer();
    if (pushed++ < messages) store.push(Persist{RequestId{}, store.drafts().next(kSingle)});
  }
  const double rate = messages / seconds_since(start);
  store.settle();
  const StoreTotals totals = store.totals();
  return {rate, static_cast<int>((totals.written + totals.commits / 2) / totals.commits)};
}

double bare_accepts(int messages, int group) {
  const Folder folder;
  make_tables(folder.file("weir.db"));
  BareSide bare(folder.file("weir.db"));
  const auto start = std::chrono::steady_clock::now();
  for (int stored = 0; stored < messages;) {
    bare.begin();
    for (int i = 0; i < group && stored < messages; ++i, ++stored)
      bare.insert(kSingle);
    bare.commit();
  }
  return messages / seconds_since(start);
}

bool run() {
  const int messages = static_cast<int>(number_from_environment("WEIR_BENCH_MESSAGES", 30'000));
  std::vector<double> ratios;
  for (int round = 1; round <= kRounds; ++round) {
    const Measured store = store_accepts(messages);
    const double bare = bare_accepts(messages, store.group);
    ratios.push_back(store.rate / bare);
    std::printf("round %d: store %7.0f /s, SQLite alone %7.0f /s in groups of %d, ratio %.2f\n",
                round, store.rate, bare, store.group, ratios.back());
  }
  return report("durable accepts of 64 producers over SQLite alone", median(ratios), Bar::kAtLeast,
                0.8);
}

}  // namespace
}  // namespace weir::bench

int main() {
  return weir::bench::run() ? 0 : 1;
}
