// SPDX-License-Identifier: Apache-2.0
//
// AwaitedOutcomes: submissions whose producer wants to hear what became of them, not only that they
// are on disk (`Prefer: wait=N`, RFC 7240): a login page that says "sent" or "try another way".
//
// An accepted one is held back. The message is looked up; while batches of it are open, it is
// looked up again each time the last of those has a new state on disk; when none is open, or the
// time is over, its answer goes out.
//
// Threads: the loop's.
//
// What always holds: what is answered as final was read from disk, and no state is missed: the
// store answers in the order of its commits.
//
// Limits: those of the API on requests that wait. Of a message whose report does not show every
// batch (kBatchesShown) the outcome is not waited for.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include <uv.h>

#include "weir/effect.h"
#include "weir/time.h"
#include "weir/types.h"

#include "shim/front/http_server.h"
#include "shim/store/store.h"

namespace weir {

class AwaitedOutcomes {
 public:
  using Find = std::function<void(RequestId, MessageId)>;
  using Answer = std::function<void(RequestId, HttpResponse)>;

  AwaitedOutcomes(uv_loop_t* loop, Find find, Answer answer);
  AwaitedOutcomes(const AwaitedOutcomes&) = delete;
  AwaitedOutcomes& operator=(const AwaitedOutcomes&) = delete;

  // `accepted` is the answer if nothing more is known after `wait`.
  void begin(RequestId request, MessageId message, HttpResponse accepted, Duration wait);
  bool has(RequestId request) const { return held_.contains(request); }
  // The answer to `find`, of a request that it has.
  void found(const Found& found);
  // A batch has a new state on disk.
  void recorded(BatchId batch);
  // Everyone gets the answer that there is.
  void give_up();
  // Must have called back before this object goes. Nobody is answered any more.
  void close(std::function<void()> closed);

 private:
  struct Held {
    MessageId message{};
    HttpResponse accepted;
    uint64_t until_ms = 0;             // of uv_now()
    std::unordered_set<BatchId> open;  // empty: it is being looked up
  };

  void wait_for(RequestId request, Held& held, const MessageReport& report);
  void finish(RequestId request, HttpResponse response);
  void arm();
  void give_up_late_ones();

  uv_loop_t* loop_;
  uv_timer_t timer_{};
  Find find_;
  Answer answer_;
  std::unordered_map<RequestId, Held> held_;
  std::unordered_multimap<BatchId, RequestId> by_batch_;  // the `open` of all
  std::multimap<uint64_t, RequestId> by_time_;
  std::function<void()> closed_;
};

}  // namespace weir
