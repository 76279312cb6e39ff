// SPDX-License-Identifier: Apache-2.0
//
// LoopThread: a libuv loop on a thread of its own, so that a test can talk to it with blocking
// sockets.
//
// run() carries something out on the loop's thread and waits for it; everything that belongs to the
// loop is touched there only. finish() is called when the test has closed what it opened: it
// returns what uv_loop_close() says, which is 0 only if no handle was left.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <uv.h>

namespace weir::test {

class LoopThread {
 public:
  LoopThread() {
    uv_loop_init(&loop_);
    uv_async_init(&loop_, &bell_,
                  [](uv_async_t* bell) { static_cast<LoopThread*>(bell->data)->work_off(); });
    bell_.data = this;
    thread_ = std::thread([this] { uv_run(&loop_, UV_RUN_DEFAULT); });
  }
  ~LoopThread() {
    if (thread_.joinable()) finish();
  }
  LoopThread(const LoopThread&) = delete;
  LoopThread& operator=(const LoopThread&) = delete;

  uv_loop_t* loop() { return &loop_; }

  void run(const std::function<void()>& task) {
    // Shared, because set_value() may still be at work when the waiter goes on.
    const auto done = std::make_shared<std::promise<void>>();
    post([&task, done] {
      task();
      done->set_value();
    });
    done->get_future().wait();
  }

  // Hands `start` a callback and waits until that is called, on a later turn or at once.
  void run_until(const std::function<void(std::function<void()>)>& start) {
    const auto done = std::make_shared<std::promise<void>>();
    post([&start, done] { start([done] { done->set_value(); }); });
    done->get_future().wait();
  }

  int finish() {
    post([this] { uv_close(reinterpret_cast<uv_handle_t*>(&bell_), nullptr); });
    thread_.join();
    return uv_loop_close(&loop_);
  }

 private:
  void post(std::function<void()> task) {
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    uv_async_send(&bell_);
  }

  void work_off() {
    std::vector<std::function<void()>> tasks;
    {
      const std::lock_guard lock(mutex_);
      tasks.swap(tasks_);
    }
    for (const auto& task : tasks)
      task();
  }

  uv_loop_t loop_{};
  uv_async_t bell_{};
  std::mutex mutex_;
  std::vector<std::function<void()>> tasks_;
  std::thread thread_;
};

}  // namespace weir::test
