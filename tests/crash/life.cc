// SPDX-License-Identifier: Apache-2.0
#include "tests/crash/life.h"

#include <atomic>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "tests/crash/producers.h"

namespace weir::test {
namespace {

namespace json = boost::json;

// Fast, because the rounds are short; small batches and few slots, so that much waits.
RigOptions rig_options(Random& random) {
  RigOptions options;
  options.rate = one_in(random, 4) ? "8000" : "20000";
  options.capacity = "200ms";
  // A killed process loses nothing that it wrote, and the killer itself takes back what a power cut
  // would; so the disk is not what is tried here, and mostly it is only slow.
  options.in_memory = !one_in(random, 4);
  const char* const latencies[] = {"0ms", "2ms", "5ms", "20ms"};
  // A throttle holds the account for a second, so it is rare and comes once.
  const char* const scripts[] = {"ok*5,reset", "ok*9,500,ok*3,half,ok*2,odd", "ok*4,content"};
  options.gateway = {"--ceiling", "1000000", "--latency", latencies[drawn(random, 0, 3)]};
  if (one_in(random, 12)) {
    options.gateway.insert(options.gateway.end(), {"--script", "ok*8,throttle,ok*1000000"});
  } else if (one_in(random, 2)) {
    options.gateway.insert(options.gateway.end(), {"--script", scripts[drawn(random, 0, 2)]});
  }
  const std::string slots = std::to_string(kSlots);
  options.more = "batch:\n  max_recipients: " + std::to_string(kBatchMost) +
                 "\nbackoff:\n  base: 5ms\n  cap: 50ms\nlanes:\n";
  for (const char* lane : {"otp", "transactional", "promotional"})
    options.more += "  " + std::string(lane) + ":\n    slots: " + slots + "\n";
  return options;
}

std::span<const Submission> from(const std::vector<Submission>& all, size_t first) {
  return std::span(all).subspan(first);
}

}  // namespace

std::string Ending::text() const {
  std::ostringstream text;
  if (point != nullptr) text << "at " << point->name << ':' << count << ' ';
  if (power_cut) text << "with the power, ";
  if (accepted > 0) text << "after " << accepted << " acceptances ";
  if (calls > 0) text << "after " << calls << " calls ";
  return text.str();
}

std::string Tally::text() const {
  std::ostringstream text;
  text << rounds << " rounds, " << kills << " kills (" << while_recovering << " while recovering), "
       << found.messages << " messages, " << found.batches << " batches, " << found.taken
       << " calls taken, " << found.unknown << " batches unknown, " << in_doubt
       << " submissions in doubt, " << found.sent_twice << " sent twice; the longest round took "
       << longest.count() << " ms";
  for (const auto& [point, times] : tried) {
    const auto times_in = [&point = point](const std::map<std::string, size_t>& which) {
      const auto entry = which.find(point);
      return entry == which.end() ? size_t{0} : entry->second;
    };
    text << "\n  " << point << ": tried " << times << ", reached " << times_in(reached)
         << " and at start " << times_in(at_start);
  }
  return text.str();
}

Life::Life(uint64_t seed) : random_(seed), rig_(rig_options(random_)) {}

void Life::round(const Ending& ending, Tally& tally) {
  SCOPED_TRACE("round " + std::to_string(rounds_) + " of its life, weir ends " + ending.text());
  const auto began = std::chrono::steady_clock::now();
  const size_t first = all_.size();
  std::vector<Submission> more = make_traffic(random_, std::to_string(rounds_));
  std::move(more.begin(), more.end(), std::back_inserter(all_));
  if (!is_new()) end_idle_weir();

  const size_t kills_before = kills_;
  run_until_dead(ending, tally);
  for (const Submission& one : from(all_, first))
    tally.in_doubt += one.known == Submission::Known::kInDoubt ? 1 : 0;
  if (one_in(random_, 4)) die_while_recovering(tally);
  recover(first);
  if (::testing::Test::HasFatalFailure()) return;
  const Findings found = compare_with_ledger(rig_, from(all_, first), kills_ - kills_before);
  tally.found.messages += found.messages;
  tally.found.batches += found.batches;
  tally.found.taken += found.taken;
  tally.found.unknown += found.unknown;
  tally.found.sent_twice += found.sent_twice;
  tally.kills += kills_ - kills_before;
  tally.rounds += 1;
  tally.longest = std::max(tally.longest, std::chrono::duration_cast<std::chrono::milliseconds>(
                                              std::chrono::steady_clock::now() - began));
  rounds_ += 1;
}

std::string Life::last_words() {
  return "The weir that ended:\n" + last_words_ + "The one after it:\n" + rig_.weir().output();
}

void Life::compare_all() {
  compare_with_ledger(rig_, all_, kills_);
  compare_with_producers(rig_, all_);
}

void Life::end_idle_weir() {
  const int how = one_in(random_, 3) ? SIGTERM : SIGKILL;
  rig_.weir().signal(how);
  EXPECT_EQ(rig_.weir().wait(), how == SIGTERM ? 0 : -SIGKILL) << rig_.weir().output();
}

std::vector<std::string> Life::environment(const Ending& ending) const {
  if (ending.point == nullptr) return {};
  std::vector<std::string> all = {
      std::string("LD_PRELOAD=") + WEIR_KILLER,
      std::string("WEIR_TEST_KILL_AT=") + ending.point->name + ':' + std::to_string(ending.count),
      "WEIR_TEST_KILL_MARK=" + mark(),
      "WEIR_TEST_GATEWAY_PORT=" + std::to_string(rig_.gateway_port()),
  };
  if (ending.power_cut) all.emplace_back("WEIR_TEST_KILL_LOSES=1");
  return all;
}

void Life::run_until_dead(const Ending& ending, Tally& tally) {
  std::filesystem::remove(mark());
  const auto weir = rig_.launch_weir(environment(ending));
  const bool listening = !weir->wait_for_line("listening on ").empty();
  if (listening) take_traffic(*weir, ending);
  const int status = weir->wait();
  const bool reached = std::filesystem::exists(mark());
  if (!reached && ending.by_stop()) {
    EXPECT_EQ(status, 0) << weir->output();
  } else {
    EXPECT_EQ(status, -SIGKILL) << weir->output();
    EXPECT_TRUE(listening || reached) << weir->output();
  }
  kills_ += 1;
  last_words_ = weir->output();
  if (ending.point == nullptr) return;
  tally.tried[ending.point->name] += 1;
  if (reached) (listening ? tally.reached : tally.at_start)[ending.point->name] += 1;
}

// Returns when weir is dead or on its way there.
void Life::take_traffic(Process& weir, const Ending& ending) {
  std::atomic<bool> ended{false};
  const auto end = [&] {
    if (!ended.exchange(true)) weir.signal(ending.by_stop() ? SIGTERM : SIGKILL);
  };
  std::thread watch;
  if (ending.calls > 0) {
    watch = std::thread([&, until = rig_.calls() + ending.calls] {
      while (!ended && rig_.calls() < until) {
      }
      end();
    });
  }
  hand_in(rig_, to_hand_in(all_), [&](size_t accepted) {
    if (accepted == ending.accepted) end();
  });
  while (rig_.idle() == false) {
  }
  end();
  if (watch.joinable()) watch.join();
}

// What the first death left is being put in order when the second comes.
void Life::die_while_recovering(Tally& tally) {
  const char* const names[] = {"log.before", "log.torn", "commit.before", "commit.after"};
  const Point point = {.name = names[drawn(random_, 0, 3)], .most_new = 4, .most_old = 4};
  Ending ending;
  ending.point = &point;
  ending.count = drawn(random_, 1, 4);
  ending.power_cut = one_in(random_, 2);
  SCOPED_TRACE("and again while it recovers, " + ending.text());
  std::filesystem::remove(mark());
  const auto weir = rig_.launch_weir(environment(ending));
  weir->wait_for_line("listening on ");
  weir->signal(SIGKILL);
  EXPECT_EQ(weir->wait(), -SIGKILL) << weir->output();
  kills_ += 1;
  tally.while_recovering += std::filesystem::exists(mark()) ? 1 : 0;
}

void Life::recover(size_t first) {
  rig_.start_weir();
  if (::testing::Test::HasFatalFailure()) return;
  hand_in(rig_, to_hand_in(all_));
  for (const Submission& one : from(all_, first)) {
    if (!one.key.empty() && one_in(random_, 4)) hand_in_again(rig_, one);
  }
  rig_.wait_until_idle();
}

}  // namespace weir::test
