// SPDX-License-Identifier: Apache-2.0
//
// What the queue costs in memory: the resident size of the real binary, empty and with much that
// waits, and again after a restart on the same file. The gateway is gone, so nothing leaves.
//
//   five million recipients in batches against ten thousand: less than 30 MB apart
//   a million single-recipient messages against an empty queue: less than 80 MB
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include <boost/json.hpp>

#include "tests/e2e/rig.h"

namespace weir::test {
namespace {

namespace json = boost::json;

constexpr uint64_t kUpload = 100'000;  // limits.max_recipients

struct Size {
  double resident_mb = 0;
  double highest_mb = 0;
};

Size size_of(Rig& rig) {
  std::ifstream status("/proc/" + std::to_string(rig.weir().pid()) + "/status");
  Size size;
  std::string word;
  while (status >> word) {
    if (word == "VmRSS:") status >> size.resident_mb;
    if (word == "VmHWM:") status >> size.highest_mb;
  }
  size.resident_mb /= 1024;
  size.highest_mb /= 1024;
  return size;
}

void print(const char* what, Size size) {
  std::printf("  %-28s %7.1f MB resident, %7.1f MB at the highest\n", what, size.resident_mb,
              size.highest_mb);
}

void upload(Rig& rig, uint64_t first, uint64_t recipients) {
  json::array to;
  for (uint64_t i = 0; i < recipients; ++i)
    to.emplace_back("+" + std::to_string(910'000'000'000 + first + i));
  const json::object request = {
      {"class", "promotional"}, {"to", std::move(to)}, {"body", "A sale that ends today"}};
  const ApiReply reply = rig.call("POST", "/v1/messages", json::serialize(request));
  if (reply.status == 202) return;
  std::fprintf(stderr, "an upload was answered %d: %s\n", reply.status, reply.body.c_str());
  std::exit(1);
}

// How much larger weir is with `recipients` that wait in batches of `batch`, than empty; in MB.
double growth(uint64_t recipients, uint64_t batch) {
  RigOptions options;
  options.rate = "100";  // what waits can make its deadline
  options.capacity = "10s";
  options.more = "batch:\n  max_recipients: " + std::to_string(batch) +
                 "\nlanes:\n  promotional:\n    max_rows: 2000000\n";
  Rig rig(options);
  rig.stop_gateway();
  rig.start_weir();
  std::printf("%llu recipients in batches of %llu\n", static_cast<unsigned long long>(recipients),
              static_cast<unsigned long long>(batch));
  const Size empty = size_of(rig);
  print("empty", empty);
  for (uint64_t first = 0; first < recipients; first += kUpload)
    upload(rig, first, std::min(kUpload, recipients - first));
  const Size full = size_of(rig);
  print("full", full);
  rig.weir().signal(SIGTERM);
  rig.weir().wait();
  rig.start_weir();
  print("after a restart", size_of(rig));
  return full.resident_mb - empty.resident_mb;
}

bool judge(const char* what, double is_mb, double most_mb) {
  std::printf("%s: %.1f MB, at most %.0f: %s\n", what, is_mb, most_mb,
              is_mb < most_mb ? "holds" : "DOES NOT HOLD");
  return is_mb < most_mb;
}

int run() {
  const double few = growth(10'000, 200);
  const double many = growth(5'000'000, 200);
  const double singles = growth(1'000'000, 1);
  bool good = judge("five million recipients against ten thousand", many - few, 30);
  good &= judge("a million single-recipient batches", singles, 80);
  return good ? 0 : 1;
}

}  // namespace
}  // namespace weir::test

int main() {
  return weir::test::run();
}
