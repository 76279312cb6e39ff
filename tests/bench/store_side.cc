// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/store_side.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>

#include <unistd.h>

namespace weir::bench {
namespace {

std::unique_ptr<Store> opened(const std::string& path, size_t bulk_rows,
                              std::function<void()> wake) {
  StoreOptions options;
  options.path = path;
  options.bulk_rows = bulk_rows;
  Result<std::unique_ptr<Store>> store = Store::open(options, kCreated, std::move(wake));
  if (store) return std::move(*store);
  std::fprintf(stderr, "%s\n", store.error().detail.c_str());
  std::exit(1);
}

void cut(Draft& draft, const Shape& shape, int64_t& batch) {
  draft.batches.clear();
  for (uint32_t i = 0; i < shape.batches; ++i) {
    draft.batches.push_back(
        {BatchId{batch++}, i * shape.batch_size, shape.batch_size, Units::of(shape.batch_size)});
  }
}

}  // namespace

Folder::Folder() : path_(WEIR_BENCH_FOLDER "/bench-XXXXXX") {
  if (mkdtemp(path_.data()) != nullptr) return;
  std::perror(path_.c_str());
  std::exit(1);
}

Folder::~Folder() {
  std::filesystem::remove_all(path_);
}

std::string key_of(int64_t message) {
  return "autumn-sale-" + std::to_string(message);
}

std::string text_of(int64_t message, bool own_text) {
  const std::string number = own_text ? std::to_string(message) : std::string("of today");
  return "Your parcel " + number + " arrives between 10 and 12. Reply STOP to end.";
}

std::unique_ptr<Draft> Drafts::next(const Shape& shape) {
  return next(shape, std::make_unique<Draft>());
}

std::unique_ptr<Draft> Drafts::next(const Shape& shape, std::unique_ptr<Draft> used) {
  Draft& draft = *used;
  const uint32_t recipients = shape.batches * shape.batch_size;
  draft.recipients.resize(recipients);
  for (uint32_t i = 0; i < recipients; ++i)
    draft.recipients[i].digits = 910'000'000'000U + static_cast<uint64_t>(batch_) * 200 + i;
  cut(draft, shape, batch_);
  Message& message = draft.message;
  message.id = MessageId{message_++};
  message.class_name = shape.lane == Lane::kOtp ? "otp" : "promotional";
  message.lane = shape.lane;
  message.units = 64;
  message.segments = 1;
  message.recipients = recipients;
  message.cost = Units::of(recipients);
  message.created = kCreated;
  message.deadline = kDeadline;
  message.key = key_of(raw(message.id));
  message.hash = {static_cast<uint64_t>(raw(message.id)) * 0x9e3779b97f4a7c15, 7};
  draft.text.body = text_of(raw(message.id), shape.own_text);
  draft.claim_first = shape.claim_first;
  return used;
}

StoreSide::StoreSide(const std::string& path, size_t bulk_rows)
    : store_(opened(path, bulk_rows,
                    [this] {
                      const std::lock_guard lock(mutex_);
                      wake_ = true;
                      woken_.notify_one();
                    })),
      restored_(store_->take_restored()),
      drafts_(restored_.next_message, restored_.next_batch) {}

StoreSide::~StoreSide() {
  store_->stop();
}

std::optional<StoreAnswer> StoreSide::pop() {
  std::optional<StoreAnswer> answer = store_->pop();
  if (!answer) return answer;
  const auto* persisted = std::get_if<Persisted>(&*answer);
  const auto* claimed = std::get_if<Claimed>(&*answer);
  const bool failed = std::holds_alternative<StoreHealth>(*answer) ||
                      (persisted != nullptr && persisted->result != Persisted::Result::kStored) ||
                      (claimed != nullptr && claimed->payload == nullptr);
  if (!failed) return answer;
  std::fprintf(stderr, "the store failed\n");
  std::exit(1);
}

void StoreSide::wait(std::chrono::steady_clock::time_point until) {
  std::unique_lock lock(mutex_);
  woken_.wait_until(lock, until, [this] { return wake_; });
  wake_ = false;
}

StoreAnswer StoreSide::answer() {
  for (;;) {
    if (std::optional<StoreAnswer> one = pop()) return std::move(*one);
    wait(std::chrono::steady_clock::now() + std::chrono::seconds(1));
  }
}

// Between two looks the thread may have begun with what was pushed, but nothing was.
void StoreSide::settle() {
  while (store_->busy_for(MonoTime::never()) > Duration())
    std::this_thread::yield();
}

void fill(StoreSide& store, const Shape& shape, int64_t messages) {
  constexpr int64_t kInFlight = 4'096;
  const int64_t at_once = std::max<int64_t>(2, kInFlight / shape.batches);
  int64_t pushed = 0;
  for (int64_t stored = 0; stored < messages; ++stored) {
    for (; pushed < messages && pushed < stored + at_once; ++pushed)
      store.push(Persist{RequestId{}, store.drafts().next(shape)});
    store.answer();
  }
  store.settle();
}

uint64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  uint64_t all = 0;
  uint64_t resident = 0;
  statm >> all >> resident;
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

int64_t number_from_environment(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoll(text);
}

}  // namespace weir::bench
