// SPDX-License-Identifier: Apache-2.0
//
// Method. Two single-producer, single-consumer rings of pointers, one each way. A command's answer
// is counted against `queue` until it is popped, so neither ring can be full when something is put
// into it: nothing waits, and no answer can be lost. Health is not an answer to anything; it has a
// place of its own that holds the newest.
#include "shim/store/store.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

#include <boost/lockfree/spsc_queue.hpp>

#include "weir/check.h"

#include "shim/store/chores.h"
#include "shim/store/doorbell.h"
#include "shim/store/journal.h"
#include "shim/store/writer.h"

namespace weir {
namespace {

MonoTime mono_now() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return MonoTime::from_ns(std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
}

// A ring of owned pointers.
template <typename T>
class Ring {
 public:
  explicit Ring(size_t capacity) : pointers_(capacity) {}
  ~Ring() {
    pointers_.consume_all([](T* left) { delete left; });
  }

  void push(std::unique_ptr<T> item) {
    // The ring's from here on; the other side may have popped and deleted it when push() returns.
    WEIR_CHECK(pointers_.push(item.release()));
  }
  std::unique_ptr<T> pop() {
    T* item = nullptr;
    return std::unique_ptr<T>(pointers_.pop(item) ? item : nullptr);
  }

 private:
  boost::lockfree::spsc_queue<T*> pointers_;
};

}  // namespace

class Store::Thread {
 public:
  Thread(const StoreOptions& options, std::unique_ptr<Journal> journal, Restored restored,
         std::function<void()> wake)
      : restored_(std::move(restored)),
        queue_(options.queue),
        in_(options.queue),
        out_(options.queue),
        journal_(std::move(journal)),
        writer_(*journal_, options.bulk_rows, options.min_free_bytes),
        chores_(*journal_, options.min_free_bytes),
        wake_(std::move(wake)),
        thread_([this] { run(); }) {}

  ~Thread() {
    stop();
    delete health_.load();
    delete totals_.load();
  }

  // The loop's side.
  void push(StoreCommand command) {
    WEIR_CHECK(!stopping_ && unpopped_ < queue_);
    ++unpopped_;
    in_.push(std::make_unique<StoreCommand>(std::move(command)));
    bell_.ring();
  }

  size_t room() const { return queue_ - unpopped_; }

  std::optional<StoreAnswer> pop() {
    if (std::unique_ptr<StoreHealth> health{health_.exchange(nullptr)}) return std::move(*health);
    std::unique_ptr<StoreAnswer> answer = out_.pop();
    if (answer == nullptr) return std::nullopt;
    --unpopped_;
    return std::move(*answer);
  }

  void stop() {
    if (!thread_.joinable()) return;
    stopping_ = true;
    bell_.ring();
    thread_.join();
  }

  Restored take_restored() { return std::move(restored_); }
  const StoreTotals& totals() {
    if (std::unique_ptr<StoreTotals> newer{totals_.exchange(nullptr)}) read_totals_ = *newer;
    return read_totals_;
  }
  Duration busy_for(MonoTime now) const {
    const int64_t since = busy_since_ns_.load(std::memory_order_relaxed);
    return since == 0 ? Duration() : std::max(Duration(), now - MonoTime::from_ns(since));
  }

 private:
  // The store's side.
  void run() {
    for (;;) {
      // Looked at before the commands are taken in: what was pushed before stop() is then among
      // them.
      const bool last = stopping_;
      if (last) writer_.wind_up();
      const MonoTime now = mono_now();
      busy_since_ns_.store(now.ns(), std::memory_order_relaxed);
      take_in(now);
      const bool writes = writer_.has_work(now);
      const bool idle = !writes && !chores_.active();
      if (journal_->wants_fold(idle ? Hurry::kIdle : writer_.hurry(now))) {
        journal_->fold();
        continue;  // what came meanwhile is taken in before the next transaction is chosen
      }
      if (writes) take_turn(now);
      if (last && !writes) break;
      // Also amid traffic, or a busy shop would never get its backup.
      answer(chores_.step());
      if (!idle) continue;
      busy_since_ns_.store(0, std::memory_order_relaxed);
      bell_.wait(writer_.pause(now));
    }
    answer(chores_.give_up());
    journal_->checkpoint();
    journal_.reset();
  }

  void take_in(MonoTime now) {
    while (CommandPtr command = in_.pop()) {
      if (const auto* backup = std::get_if<Backup>(command.get())) {
        answer(chores_.start(*backup));
      } else if (const auto* compact = std::get_if<Compact>(command.get())) {
        answer(chores_.start(*compact));
      } else {
        writer_.add(std::move(command), now);
      }
    }
  }

  void take_turn(MonoTime now) {
    Writer::Turn turn = writer_.turn(now);
    if (turn.committed) writer_.note_time(mono_now() - now);
    delete totals_.exchange(new StoreTotals(writer_.totals()));
    publish(std::move(turn));
  }

  void answer(std::optional<StoreAnswer> one) {
    if (!one) return;
    out_.push(std::make_unique<StoreAnswer>(std::move(*one)));
    wake_();
  }

  void publish(Writer::Turn turn) {
    if (turn.health) delete health_.exchange(new StoreHealth(std::move(*turn.health)));
    for (StoreAnswer& answer : turn.answers) {
      out_.push(std::make_unique<StoreAnswer>(std::move(answer)));
    }
    if (turn.health || !turn.answers.empty()) wake_();
  }

  Restored restored_;
  const size_t queue_;
  // The loop's.
  size_t unpopped_ = 0;
  StoreTotals read_totals_;

  // Both sides'.
  Ring<StoreCommand> in_;
  Ring<StoreAnswer> out_;
  std::atomic<StoreHealth*> health_{nullptr};
  std::atomic<StoreTotals*> totals_{nullptr};  // the newest that the loop has not taken
  std::atomic<int64_t> busy_since_ns_{0};      // 0: the thread waits for work
  Doorbell bell_;
  std::atomic<bool> stopping_{false};

  // The store's, once the thread runs.
  std::unique_ptr<Journal> journal_;
  Writer writer_;
  Chores chores_;
  std::function<void()> wake_;
  std::thread thread_;  // last: it uses all of the above
};

Result<std::unique_ptr<Store>> Store::open(const StoreOptions& options, WallTime now,
                                           std::function<void()> wake) {
  Result<std::unique_ptr<Journal>> journal = Journal::open(options);
  if (!journal) return journal.error();
  Result<Restored> restored = (*journal)->restore(now);
  if (!restored) return Error{"database " + options.path + ": " + restored.error().detail};
  auto thread =
      std::make_unique<Thread>(options, std::move(*journal), std::move(*restored), std::move(wake));
  return std::unique_ptr<Store>(new Store(std::move(thread)));
}

Store::Store(std::unique_ptr<Thread> thread) : thread_(std::move(thread)) {}

Store::~Store() = default;

Restored Store::take_restored() {
  return thread_->take_restored();
}

void Store::push(StoreCommand command) {
  thread_->push(std::move(command));
}

size_t Store::room() const {
  return thread_->room();
}

std::optional<StoreAnswer> Store::pop() {
  return thread_->pop();
}

const StoreTotals& Store::totals() const {
  return thread_->totals();
}

Duration Store::busy_for(MonoTime now) const {
  return thread_->busy_for(now);
}

void Store::stop() {
  thread_->stop();
}

}  // namespace weir
