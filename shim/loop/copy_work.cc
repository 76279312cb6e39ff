// SPDX-License-Identifier: Apache-2.0
#include "shim/loop/copy_work.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>
#include <utility>

#include <uv.h>

#include "weir/check.h"

namespace weir {
namespace {

struct Work {
  uv_work_t request{};
  std::string part;
  CopyChecked checked;
  std::function<void(CopyChecked)> done;
};

void look(Work& work) {
  CopyChecked& checked = work.checked;
  checked.found = check_copy(work.part);
  if (checked.kept && checked.found.whole) {
    if (std::rename(work.part.c_str(), checked.path.c_str()) == 0) return;
    checked.failure = checked.path + ": " + std::generic_category().message(errno);
  }
  std::remove(work.part.c_str());
}

}  // namespace

void check_and_place(uv_loop_t* loop, std::string part, CopyChecked checked,
                     std::function<void(CopyChecked)> done) {
  auto work = std::make_unique<Work>();
  work->part = std::move(part);
  work->checked = std::move(checked);
  work->done = std::move(done);
  work->request.data = work.get();
  const int queued = uv_queue_work(
      loop, &work->request, [](uv_work_t* request) { look(*static_cast<Work*>(request->data)); },
      [](uv_work_t* request, int) {
        const std::unique_ptr<Work> owned(static_cast<Work*>(request->data));
        owned->done(std::move(owned->checked));
      });
  WEIR_CHECK(queued == 0);
  work.release();  // the worker's, until its end
}

}  // namespace weir
