// SPDX-License-Identifier: Apache-2.0
#include "shim/loop/copy_work.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include <uv.h>

#include "weir/check.h"

#include "shim/store/sync_folder.h"

namespace weir {
namespace {

struct Work {
  uv_work_t request{};
  std::string part;
  CopyChecked checked;
  std::function<void(CopyChecked)> done;
};

// Why the copy has not got its name for good; empty: it has. There was nothing of this name when
// the copy was begun, which may be minutes ago.
std::string place(const std::string& part, const std::string& path) {
  std::error_code unknown;
  if (std::filesystem::exists(path, unknown)) return path + " is there already; name a new file";
  if (std::rename(part.c_str(), path.c_str()) != 0) {
    return path + ": " + std::generic_category().message(errno);
  }
  const Status synced = sync_folder(path);
  return synced ? "" : path + ": its folder could not be synced: " + synced.error().detail;
}

void look(Work& work) {
  CopyChecked& checked = work.checked;
  checked.found = check_copy(work.part);
  if (checked.kept && checked.found.whole) {
    checked.failure = place(work.part, checked.path);
    if (checked.failure.empty()) return;
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
