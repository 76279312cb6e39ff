// SPDX-License-Identifier: Apache-2.0
//
// Five million recipients of one campaign, in messages of 100,000 (the most of a submission) and
// batches of 200, as the front door hands them on:
//   recipients/s over SQLite alone that writes the same rows in as many transactions  bar 0.7
//   memory that the process grows by, MB                                              bar 30
// and how many bytes of the file a recipient takes. WEIR_BENCH_RECIPIENTS sets another number.
#include <filesystem>

#include "tests/bench/bare_side.h"
#include "tests/bench/ratio.h"
#include "tests/bench/store_side.h"

namespace weir::bench {
namespace {

constexpr int kRounds = 5;
constexpr Shape kSubmission = {.batches = 500, .batch_size = 200};
constexpr int64_t kSubmissionRecipients = 100'000;
// Submissions under way at once: a producer that writes while the one before is stored.
constexpr int64_t kInFlight = 2;

struct Measured {
  double seconds = 0;
  int64_t group = 1;  // messages of a commit, on the average
  double grown_mb = 0;
  double file_bytes = 0;
};

Measured store_upload(int64_t messages) {
  const Folder folder;
  const std::string path = folder.file("weir.db");
  Measured measured;
  const uint64_t before = resident_bytes();
  uint64_t most = before;
  {
    StoreSide store(path);
    const auto start = std::chrono::steady_clock::now();
    int64_t pushed = 0;
    for (; pushed < std::min(kInFlight, messages); ++pushed)
      store.push(Persist{RequestId{}, store.drafts().next(kSubmission)});
    for (int64_t stored = 0; stored < messages; ++stored) {
      Persisted answer = std::get<Persisted>(store.answer());
      most = std::max(most, resident_bytes());
      if (pushed++ >= messages) continue;
      store.push(Persist{RequestId{}, store.drafts().next(kSubmission, std::move(answer.draft))});
    }
    measured.seconds = seconds_since(start);
    store.settle();
    const StoreTotals totals = store.totals();
    measured.group = static_cast<int64_t>((totals.written + totals.commits / 2) / totals.commits);
  }
  measured.grown_mb = static_cast<double>(most - before) / 1e6;
  measured.file_bytes = static_cast<double>(std::filesystem::file_size(path));
  return measured;
}

double bare_upload(int64_t messages, int64_t group) {
  const Folder folder;
  make_tables(folder.file("weir.db"));
  BareSide bare(folder.file("weir.db"));
  const auto start = std::chrono::steady_clock::now();
  for (int64_t stored = 0; stored < messages;) {
    bare.begin();
    for (int64_t i = 0; i < group && stored < messages; ++i, ++stored)
      bare.insert(kSubmission);
    bare.commit();
  }
  return seconds_since(start);
}

bool run() {
  const int64_t recipients = number_from_environment("WEIR_BENCH_RECIPIENTS", 5'000'000);
  const int64_t messages = std::max<int64_t>(1, recipients / kSubmissionRecipients);
  std::vector<double> ratios;
  double grown_mb = 0;  // the first round's, really: the later ones find the memory there
  double file_bytes = 0;
  for (int round = 1; round <= kRounds; ++round) {
    const Measured store = store_upload(messages);
    const double bare = bare_upload(messages, store.group);
    ratios.push_back(bare / store.seconds);
    grown_mb = std::max(grown_mb, store.grown_mb);
    file_bytes = store.file_bytes;
    std::printf(
        "round %d: store %5.2f s, SQLite alone %5.2f s in %lld messages a commit, ratio "
        "%.2f\n",
        round, store.seconds, bare, static_cast<long long>(store.group), ratios.back());
  }
  std::printf("%.1f bytes of the file for a recipient\n",
              file_bytes / static_cast<double>(messages * kSubmissionRecipients));
  const bool fast =
      report("recipients/s of one upload over SQLite alone", median(ratios), Bar::kAtLeast, 0.7);
  return report("memory that the upload took, MB", grown_mb, Bar::kAtMost, 30) && fast;
}

}  // namespace
}  // namespace weir::bench

int main() {
  return weir::bench::run() ? 0 : 1;
}
