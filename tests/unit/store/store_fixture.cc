// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/store/store_fixture.h"

#include <chrono>
#include <cstdlib>
#include <utility>

#include <sqlite3.h>

namespace weir {
namespace {

constexpr std::chrono::minutes kPatience{1};

}  // namespace

void Waker::wake() {
  std::unique_lock lock(mutex_);
  ++wakes_;
  held_ = hold_;
  changed_.notify_all();
  changed_.wait(lock, [this] { return !hold_; });
  held_ = false;
}

uint64_t Waker::wakes() {
  std::unique_lock lock(mutex_);
  return wakes_;
}

void Waker::wait_beyond(uint64_t seen) {
  std::unique_lock lock(mutex_);
  ASSERT_TRUE(changed_.wait_for(lock, kPatience, [&] { return wakes_ > seen; }));
}

void Waker::hold() {
  std::unique_lock lock(mutex_);
  hold_ = true;
}

void Waker::wait_until_held() {
  std::unique_lock lock(mutex_);
  ASSERT_TRUE(changed_.wait_for(lock, kPatience, [this] { return held_; }));
}

void Waker::release() {
  std::unique_lock lock(mutex_);
  hold_ = false;
  changed_.notify_all();
}

RawDatabase::RawDatabase(const std::string& path) {
  EXPECT_EQ(sqlite3_open(path.c_str(), &handle_), SQLITE_OK);
}

RawDatabase::~RawDatabase() {
  EXPECT_EQ(sqlite3_close(handle_), SQLITE_OK);
}

int RawDatabase::run(const std::string& sql) {
  return sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
}

std::vector<std::string> RawDatabase::rows(const std::string& sql) {
  std::vector<std::string> found;
  const auto append = [](void* out, int columns, char** values, char**) {
    std::string row;
    for (int i = 0; i < columns; ++i) {
      row += std::string(i > 0 ? "|" : "") + (values[i] != nullptr ? values[i] : "");
    }
    static_cast<std::vector<std::string>*>(out)->push_back(std::move(row));
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(handle_, sql.c_str(), append, &found, nullptr), SQLITE_OK)
      << sqlite3_errmsg(handle_);
  return found;
}

int64_t RawDatabase::number(const std::string& sql) {
  const std::vector<std::string> found = rows(sql);
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? -1 : std::atoll(found[0].c_str());
}

std::unique_ptr<Draft> make_draft(const DraftSpec& spec) {
  auto draft = std::make_unique<Draft>();
  uint32_t first = 0;
  int64_t batch = spec.first_batch;
  for (uint32_t size : spec.batch_sizes) {
    draft->batches.push_back({BatchId{batch++}, first, size, Units::of(size) * 2});
    first += size;
  }
  for (uint32_t i = 0; i < first; ++i)
    draft->recipients.push_back({919'800'000'000U + i});

  Message& message = draft->message;
  message.id = MessageId{spec.message};
  message.class_name = "transaction_alert";
  message.lane = Lane::kTransactional;
  message.priority = 3;
  message.encoding = Encoding::kUcs2;
  message.segments = 2;
  message.recipients = first;
  message.cost = Units::of(first) * 2;
  message.created = at_ms(kCreatedMs);
  message.deadline = at_ms(kDeadlineMs);
  message.key = spec.key;
  message.hash = {~spec.hash, spec.hash};
  message.tag = "autumn";
  message.test = true;
  draft->text = {spec.body, "SHOPIN", {{"dltEntityId", "1101"}, {"empty", ""}}};
  draft->claim_first = spec.claim_first;
  return draft;
}

Persist make_persist(const DraftSpec& spec) {
  return {request_of(spec.message), make_draft(spec)};
}

Record make_record(int64_t batch, BatchState from, BatchState to) {
  Record record;
  record.batch = BatchId{batch};
  record.from = from;
  record.to = to;
  record.at = at_ms(kDoneMs);
  record.reason = "why";
  record.code = "E17";
  record.gateway_ref = "T-99";
  return record;
}

StoreTest::StoreTest() {
  std::string pattern = (std::filesystem::temp_directory_path() / "weir_store_XXXXXX").string();
  EXPECT_NE(mkdtemp(pattern.data()), nullptr);
  folder_ = pattern;
  options_.path = path();
}

StoreTest::~StoreTest() {
  waker_.release();
  store_.reset();
  std::filesystem::remove_all(folder_);
}

Result<std::unique_ptr<Store>> StoreTest::try_open() {
  return Store::open(options_, at_ms(kOpenedMs), [this] { waker_.wake(); });
}

void StoreTest::open() {
  store_.reset();
  Result<std::unique_ptr<Store>> opened = try_open();
  ASSERT_TRUE(opened) << opened.error().detail;
  store_ = std::move(*opened);
  restored_ = store_->take_restored();
}

void StoreTest::close() {
  store_.reset();
}

StoreAnswer StoreTest::next_answer() {
  for (;;) {
    const uint64_t seen = waker_.wakes();
    if (std::optional<StoreAnswer> answer = store_->pop()) return std::move(*answer);
    waker_.wait_beyond(seen);
    if (HasFatalFailure()) std::abort();  // nothing that follows could be right
  }
}

void StoreTest::push_together(std::vector<StoreCommand> commands) {
  waker_.hold();
  store_->push(FindMessage{RequestId{1}, MessageId{1}});
  waker_.wait_until_held();
  next<Found>();
  for (StoreCommand& command : commands)
    store_->push(std::move(command));
  waker_.release();
}

Persisted StoreTest::persist(const DraftSpec& spec) {
  store_->push(make_persist(spec));
  return next<Persisted>();
}

Claimed StoreTest::claim(int64_t batch, uint16_t attempt) {
  store_->push(Claim{BatchId{batch}, attempt, at_ms(kCreatedMs + 5)});
  return next<Claimed>();
}

void StoreTest::record(Record command) {
  const BatchId batch = command.batch;
  store_->push(std::move(command));
  EXPECT_EQ(next<Recorded>().batch, batch);
}

Found StoreTest::find(int64_t message) {
  store_->push(FindMessage{RequestId{77}, MessageId{message}});
  return next<Found>();
}

BatchReport StoreTest::batch_of(int64_t message) {
  const Found found = find(message);
  EXPECT_EQ(found.result, Found::Result::kFound);
  EXPECT_EQ(found.report.batches.size(), 1U);
  return found.report.batches.empty() ? BatchReport{} : found.report.batches[0];
}

}  // namespace weir
