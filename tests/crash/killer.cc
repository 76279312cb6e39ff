// SPDX-License-Identifier: Apache-2.0
//
// The killer: a library that is preloaded into an unmodified weir and ends it with SIGKILL at one
// point of the straight line, so that a test can compare what the point left behind.
//
// It stands before the calls of libc that leave a trace outside of the process, and counts those of
// one act. What it does is told by the environment, and without it does nothing:
//   WEIR_TEST_KILL_AT      ACT.PHASE:N, as commit.before:7
//   WEIR_TEST_KILL_MARK    a file that is made just before the end: the point was reached
//   WEIR_TEST_KILL_LOSES   set: what was written and not synced is taken back first, as a power cut
//                          would
//   WEIR_TEST_GATEWAY_PORT whose calls are the gateway's
// ACT is log, commit (write and sync of the file ending in -wal), page, fold (the same of the one
// ending in .db), trim (the log is cut), answer (to a client), connect, head, body (of a call to
// the gateway) or reply (bytes came back). PHASE is before, after, or, of what writes, torn: half
// of the bytes, then the end. reply has only after.
//
// Threads: any; the counter is one word, and files are written under a lock where writes may be
// taken back.
//
// Limits: the calls that SQLite, libuv and curl make today. Should they make others, the points are
// not reached any more, which the test tells.
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

namespace {

enum class Act {
  kNone,
  kLog,
  kCommit,
  kPage,
  kFold,
  kTrim,
  kAnswer,
  kConnect,
  kHead,
  kBody,
  kReply
};
enum class Phase { kBefore, kTorn, kAfter };

struct Plan {
  Act act = Act::kNone;
  Phase phase = Phase::kBefore;
  long at = 0;
  std::string mark;
  bool loses = false;
  int gateway_port = 0;
};

const char* setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Act act_named(std::string_view name) {
  constexpr std::string_view kNames[] = {"",       "log",     "commit", "page", "fold", "trim",
                                         "answer", "connect", "head",   "body", "reply"};
  for (size_t i = 1; i < std::size(kNames); ++i) {
    if (name == kNames[i]) return static_cast<Act>(i);
  }
  std::abort();  // the test names a point that is not there
}

Phase phase_named(std::string_view name) {
  if (name == "before") return Phase::kBefore;
  if (name == "torn") return Phase::kTorn;
  if (name == "after") return Phase::kAfter;
  std::abort();
}

Plan read_plan() {
  Plan plan;
  const std::string_view point = setting("WEIR_TEST_KILL_AT");
  const size_t dot = point.find('.');
  const size_t colon = point.find(':');
  if (dot == point.npos || colon == point.npos) return plan;
  plan.act = act_named(point.substr(0, dot));
  plan.phase = phase_named(point.substr(dot + 1, colon - dot - 1));
  plan.at = std::atol(point.data() + colon + 1);
  plan.mark = setting("WEIR_TEST_KILL_MARK");
  plan.loses = *setting("WEIR_TEST_KILL_LOSES") != '\0';
  plan.gateway_port = std::atoi(setting("WEIR_TEST_GATEWAY_PORT"));
  return plan;
}

// Read by the first call of all, which may come before this library's own start.
const Plan& plan() {
  static const Plan plan = read_plan();
  return plan;
}

template <typename Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

using Pwrite = ssize_t (*)(int, const void*, size_t, off64_t);
using Ftruncate = int (*)(int, off64_t);

Pwrite next_pwrite() {
  static const auto found = next<Pwrite>("pwrite64");
  return found;
}

Ftruncate next_ftruncate() {
  static const auto found = next<Ftruncate>("ftruncate64");
  return found;
}

// --- What a descriptor is.

enum class File { kOther, kLog, kMain };

File file_of(int fd) {
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  char path[4096];
  const ssize_t length = readlink(link.c_str(), path, sizeof path);
  if (length <= 0) return File::kOther;
  const std::string_view name(path, static_cast<size_t>(length));
  if (name.ends_with("-wal")) return File::kLog;
  return name.ends_with(".db") ? File::kMain : File::kOther;
}

bool goes_to_gateway(int fd) {
  sockaddr_in peer{};
  socklen_t length = sizeof peer;
  return getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &length) == 0 &&
         peer.sin_family == AF_INET && ntohs(peer.sin_port) == plan().gateway_port;
}

// An accepted connection of the unix socket has its path; the pairs that libraries talk to
// themselves with have none.
bool goes_to_client(int fd) {
  sockaddr_un own{};
  socklen_t length = sizeof own;
  return getsockname(fd, reinterpret_cast<sockaddr*>(&own), &length) == 0 &&
         own.sun_family == AF_UNIX && length > offsetof(sockaddr_un, sun_path);
}

Act act_of_send(int fd, const void* data, size_t size) {
  switch (plan().act) {
    case Act::kAnswer: return goes_to_client(fd) ? Act::kAnswer : Act::kNone;
    case Act::kHead:
    case Act::kBody: {
      if (!goes_to_gateway(fd)) return Act::kNone;
      const std::string_view bytes(static_cast<const char*>(data), size);
      return bytes.starts_with("POST ") ? Act::kHead : Act::kBody;
    }
    default: return Act::kNone;
  }
}

Act act_on_file(int fd, Act on_log, Act on_main) {
  if (plan().act != on_log && plan().act != on_main) return Act::kNone;
  const File file = file_of(fd);
  if (file == File::kLog) return on_log;
  return file == File::kMain ? on_main : Act::kNone;
}

// --- What would be lost with the power.

struct Written {
  int fd = -1;
  off64_t at = 0;
  off64_t size_before = 0;  // of the file
  std::string before;
};

// Held while a file is changed, and by the one who ends it all.
std::recursive_mutex files;
std::vector<Written>& unsynced() {
  static auto* const all = new std::vector<Written>;  // outlives every thread
  return *all;
}

void remember(int fd, size_t size, off64_t at) {
  struct stat64 status {};
  if (file_of(fd) == File::kOther || fstat64(fd, &status) != 0) return;
  Written written{fd, at, status.st_size, std::string(size, '\0')};
  const ssize_t had = pread64(fd, written.before.data(), size, at);
  written.before.resize(had > 0 ? static_cast<size_t>(had) : 0);
  unsynced().push_back(std::move(written));
}

void forget(int fd) {
  std::erase_if(unsynced(), [fd](const Written& one) { return one.fd == fd; });
}

void take_back_unsynced() {
  for (auto one = unsynced().rbegin(); one != unsynced().rend(); ++one) {
    (void)next_pwrite()(one->fd, one->before.data(), one->before.size(), one->at);
    (void)next_ftruncate()(one->fd, one->size_before);
  }
}

// --- The end.

std::atomic<long> seen{0};

// Whether this is the one. Counts, so it is asked once a call.
bool is_due(Act act) {
  return act != Act::kNone && act == plan().act && seen.fetch_add(1) + 1 == plan().at;
}

[[noreturn]] void die() {
  const std::lock_guard lock(files);
  if (plan().loses) take_back_unsynced();
  close(open(plan().mark.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  kill(getpid(), SIGKILL);
  for (;;)
    pause();
}

template <typename Whole, typename Half>
auto carry_out(Act act, const Whole& whole, const Half& half) {
  if (!is_due(act)) return whole();
  if (plan().phase == Phase::kTorn) half();
  if (plan().phase == Phase::kAfter) (void)whole();
  die();
}

constexpr auto kNoHalf = [] {};

ssize_t write_file(int fd, const void* data, size_t size, off64_t at) {
  if (plan().act == Act::kNone) return next_pwrite()(fd, data, size, at);
  const std::lock_guard lock(files);
  if (plan().loses) remember(fd, size, at);
  return carry_out(
      act_on_file(fd, Act::kLog, Act::kPage), [&] { return next_pwrite()(fd, data, size, at); },
      [&] { (void)next_pwrite()(fd, data, size / 2, at); });
}

template <typename Sync>
int sync_file(int fd, Sync sync) {
  if (plan().act == Act::kNone) return sync(fd);
  const std::lock_guard lock(files);
  const auto whole = [&] {
    const int result = sync(fd);
    if (result == 0 && plan().loses) forget(fd);
    return result;
  };
  return carry_out(act_on_file(fd, Act::kCommit, Act::kFold), whole, kNoHalf);
}

}  // namespace

// As libc declares them.
extern "C" {

ssize_t pwrite64(int fd, const void* data, size_t size, off64_t at) {
  return write_file(fd, data, size, at);
}

ssize_t pwrite(int fd, const void* data, size_t size, off_t at) {
  return write_file(fd, data, size, at);
}

int fdatasync(int fd) {
  static const auto sync = next<int (*)(int)>("fdatasync");
  return sync_file(fd, sync);
}

int fsync(int fd) {
  static const auto sync = next<int (*)(int)>("fsync");
  return sync_file(fd, sync);
}

int ftruncate64(int fd, off64_t size) noexcept {
  if (plan().act == Act::kNone) return next_ftruncate()(fd, size);
  const std::lock_guard lock(files);
  const auto whole = [&] {
    if (plan().loses) forget(fd);  // what was there is not wanted any more
    return next_ftruncate()(fd, size);
  };
  return carry_out(act_on_file(fd, Act::kTrim, Act::kNone), whole, kNoHalf);
}

ssize_t send(int fd, const void* data, size_t size, int flags) {
  static const auto real = next<ssize_t (*)(int, const void*, size_t, int)>("send");
  return carry_out(
      act_of_send(fd, data, size), [&] { return real(fd, data, size, flags); },
      [&] { (void)real(fd, data, (size + 1) / 2, flags); });
}

ssize_t write(int fd, const void* data, size_t size) {
  static const auto real = next<ssize_t (*)(int, const void*, size_t)>("write");
  return carry_out(
      act_of_send(fd, data, size), [&] { return real(fd, data, size); },
      [&] { (void)real(fd, data, (size + 1) / 2); });
}

ssize_t writev(int fd, const iovec* parts, int count) {
  static const auto real = next<ssize_t (*)(int, const iovec*, int)>("writev");
  const iovec first = count > 0 ? parts[0] : iovec{};
  const iovec half = {first.iov_base, (first.iov_len + 1) / 2};
  return carry_out(
      act_of_send(fd, first.iov_base, first.iov_len), [&] { return real(fd, parts, count); },
      [&] { (void)real(fd, &half, 1); });
}

int connect(int fd, const sockaddr* address, socklen_t length) {
  static const auto real = next<int (*)(int, const sockaddr*, socklen_t)>("connect");
  const auto* to = reinterpret_cast<const sockaddr_in*>(address);
  const bool gateway = plan().act == Act::kConnect && to->sin_family == AF_INET &&
                       ntohs(to->sin_port) == plan().gateway_port;
  return carry_out(
      gateway ? Act::kConnect : Act::kNone, [&] { return real(fd, address, length); }, kNoHalf);
}

ssize_t recv(int fd, void* data, size_t size, int flags) {
  static const auto real = next<ssize_t (*)(int, void*, size_t, int)>("recv");
  const ssize_t got = real(fd, data, size, flags);
  const bool reply =
      got > 0 && plan().act == Act::kReply && (flags & MSG_PEEK) == 0 && goes_to_gateway(fd);
  if (reply && is_due(Act::kReply)) die();
  return got;
}

}  // extern "C"
