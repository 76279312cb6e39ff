// SPDX-License-Identifier: Apache-2.0
#include "tests/power/losing_vfs.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include <sqlite3.h>

#include "weir/check.h"

namespace weir {
namespace {

constexpr size_t kSector = 512;
constexpr int kLongestPath = 512;

struct Change {
  bool truncates = false;  // to `offset`
  size_t offset = 0;
  std::string bytes;

  void apply(std::string& content) const {
    if (truncates) {
      if (content.size() > offset) content.resize(offset);
    } else if (!bytes.empty()) {
      if (content.size() < offset + bytes.size()) content.resize(offset + bytes.size());
      content.replace(offset, bytes.size(), bytes);
    }
  }
  // From where in `bytes` the next sector begins after `at`.
  size_t next_sector(size_t at) const {
    return std::min(bytes.size(), at + kSector - (offset + at) % kSector);
  }
};

struct File {
  std::string seen;
  std::string durable;
  std::vector<Change> unsynced;
  bool removed = false;  // from a folder that was not synced since

  void change(Change one) {
    one.apply(seen);
    unsynced.push_back(std::move(one));
  }
};

// Some of the sectors of a write.
void apply_sectors(const Change& change, std::string& content, Rng& rng) {
  if (change.truncates) return change.apply(content);
  for (size_t at = 0; at < change.bytes.size();) {
    const size_t end = change.next_sector(at);
    if (rng() % 2 == 0)
      Change{false, change.offset + at, change.bytes.substr(at, end - at)}.apply(content);
    at = end;
  }
}

// The first sectors of a write.
Change torn(const Change& change, Rng& rng) {
  Change part = change;
  if (change.truncates) return part;
  size_t end = 0;
  while (end < change.bytes.size() && rng() % 8 != 0)
    end = change.next_sector(end);
  part.bytes.resize(end);
  return part;
}

// What is on the disk when `unsynced` was on its way there.
std::string survivors(const File& file, Rng& rng) {
  std::string content = file.durable;
  const uint64_t kind = rng() % 4;
  if (kind == 0 || file.unsynced.empty()) return content;
  const size_t length = rng() % (file.unsynced.size() + 1);
  for (size_t i = 0; i < file.unsynced.size(); ++i) {
    const Change& change = file.unsynced[i];
    if (kind == 1 && rng() % 2 == 0) change.apply(content);
    if (kind == 2) apply_sectors(change, content, rng);
    if (kind == 3 && i < length) change.apply(content);
    if (kind == 3 && i == length) torn(change, rng).apply(content);
  }
  return content;
}

}  // namespace

struct Disk {
  struct Fault {
    uint64_t left = 0;  // 0: none
    int code = 0;
  };

  sqlite3_vfs vfs{};
  sqlite3_vfs* before = nullptr;
  std::map<std::string, File> files;
  Rng rng;
  int characteristics = 0;
  uint64_t generation = 0;
  std::array<Fault, LosingVfs::kCalls> faults{};
  uint64_t until_stop = 0;  // 0: none
  bool stopped = false;
  int open_files = 0;

  // The code that this call fails with; SQLITE_OK: it does not.
  int fault(LosingVfs::Call kind) {
    Fault& one = faults[static_cast<size_t>(kind)];
    if (one.left == 0 || --one.left > 0) return SQLITE_OK;
    return one.code;
  }
  void count_towards_stop() {
    if (until_stop > 0 && --until_stop == 0) stopped = true;
  }
  // What was removed from it does not come back.
  void sync_folder() {
    for (auto& [path, file] : files) {
      if (file.removed) file = {};
    }
  }
  void forget_orders() {
    faults = {};
    until_stop = 0;
    stopped = false;
    ++generation;
  }
};

namespace {

struct Handle {
  sqlite3_file base;
  Disk* disk;
  File* file;
  uint64_t generation;
  int characteristics;
  bool created;  // and not synced yet

  bool dead() const { return disk->stopped || generation != disk->generation; }
};

Handle& handle(sqlite3_file* file) {
  return *reinterpret_cast<Handle*>(file);
}

int close_file(sqlite3_file* file) {
  --handle(file).disk->open_files;
  return SQLITE_OK;
}

int read_file(sqlite3_file* file, void* to, int size, sqlite3_int64 offset) {
  const Handle& h = handle(file);
  if (h.dead()) return SQLITE_IOERR_READ;
  const std::string& content = h.file->seen;
  const auto wanted = static_cast<size_t>(size);
  const size_t begin = std::min(content.size(), static_cast<size_t>(offset));
  const size_t found = std::min(wanted, content.size() - begin);
  std::memcpy(to, content.data() + begin, found);
  std::memset(static_cast<char*>(to) + found, 0, wanted - found);
  return found == wanted ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

int write_file(sqlite3_file* file, const void* from, int size, sqlite3_int64 offset) {
  const Handle& h = handle(file);
  if (h.dead()) return SQLITE_IOERR_WRITE;
  Change change{false, static_cast<size_t>(offset),
                std::string(static_cast<const char*>(from), static_cast<size_t>(size))};
  if (const int code = h.disk->fault(LosingVfs::Call::kWrite); code != SQLITE_OK) {
    h.file->change(torn(change, h.disk->rng));  // a full disk takes what fits
    return code;
  }
  h.file->change(std::move(change));
  h.disk->count_towards_stop();
  return h.disk->stopped ? SQLITE_IOERR_WRITE : SQLITE_OK;
}

int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  const Handle& h = handle(file);
  if (h.dead()) return SQLITE_IOERR_TRUNCATE;
  if (const int code = h.disk->fault(LosingVfs::Call::kTruncate); code != SQLITE_OK) return code;
  h.file->change({true, static_cast<size_t>(size), {}});
  return SQLITE_OK;
}

int sync_file(sqlite3_file* file, int /*flags*/) {
  Handle& h = handle(file);
  if (h.dead()) return SQLITE_IOERR_FSYNC;
  h.disk->count_towards_stop();
  if (h.disk->stopped) return SQLITE_IOERR_FSYNC;
  if (const int code = h.disk->fault(LosingVfs::Call::kSync); code != SQLITE_OK) {
    h.file->durable = survivors(*h.file, h.disk->rng);
    h.file->unsynced.clear();
    return code;
  }
  for (const Change& change : h.file->unsynced)
    change.apply(h.file->durable);
  h.file->unsynced.clear();
  // As SQLite's own does it for journals and logs, so that the new file can be found.
  if (std::exchange(h.created, false)) h.disk->sync_folder();
  return SQLITE_OK;
}

int size_of_file(sqlite3_file* file, sqlite3_int64* size) {
  if (handle(file).dead()) return SQLITE_IOERR_FSTAT;
  *size = static_cast<sqlite3_int64>(handle(file).file->seen.size());
  return SQLITE_OK;
}

int lock_file(sqlite3_file* /*file*/, int /*level*/) {
  return SQLITE_OK;
}

int is_reserved(sqlite3_file* /*file*/, int* reserved) {
  *reserved = 0;
  return SQLITE_OK;
}

int control_file(sqlite3_file* /*file*/, int what, void* argument) {
  if (what != SQLITE_FCNTL_MMAP_SIZE) return SQLITE_NOTFOUND;
  *static_cast<sqlite3_int64*>(argument) = 0;  // nothing is mapped, as the store wants it
  return SQLITE_OK;
}

int sector_size(sqlite3_file* /*file*/) {
  return kSector;
}

int characteristics_of(sqlite3_file* file) {
  return handle(file).characteristics;
}

constexpr sqlite3_io_methods kMethods = {
    1,
    close_file,
    read_file,
    write_file,
    truncate_file,
    sync_file,
    size_of_file,
    lock_file,
    lock_file,
    is_reserved,
    control_file,
    sector_size,
    characteristics_of,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
};

Disk& disk_of(sqlite3_vfs* vfs) {
  return *static_cast<Disk*>(vfs->pAppData);
}

int open_path(sqlite3_vfs* vfs, const char* path, sqlite3_file* file, int flags, int* out_flags) {
  Disk& disk = disk_of(vfs);
  Handle& h = handle(file);
  h.base.pMethods = nullptr;  // nothing to close after a failure
  if (disk.stopped) return SQLITE_CANTOPEN;
  if (const int code = disk.fault(LosingVfs::Call::kOpen); code != SQLITE_OK) return code;
  WEIR_CHECK(path != nullptr);  // temp_store=MEMORY
  File& content = disk.files[path];
  const bool created = content.seen.empty() && (flags & SQLITE_OPEN_CREATE) != 0 &&
                       (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL)) != 0;
  if (created) content.removed = false;
  h = {{&kMethods}, &disk, &content, disk.generation, disk.characteristics, created};
  ++disk.open_files;
  if (out_flags != nullptr) *out_flags = flags;
  return SQLITE_OK;
}

int remove_path(sqlite3_vfs* vfs, const char* path, int sync_folder) {
  Disk& disk = disk_of(vfs);
  if (disk.stopped) return SQLITE_IOERR_DELETE;
  File& file = disk.files[path];
  file.change({true, 0, {}});
  file.removed = true;
  if (sync_folder != 0) disk.sync_folder();
  return SQLITE_OK;
}

int access_path(sqlite3_vfs* vfs, const char* path, int /*flags*/, int* yes) {
  const auto found = disk_of(vfs).files.find(path);
  *yes = found != disk_of(vfs).files.end() && !found->second.seen.empty() ? 1 : 0;
  return SQLITE_OK;
}

int full_path(sqlite3_vfs* /*vfs*/, const char* path, int size, char* out) {
  sqlite3_snprintf(size, out, "%s", path);
  return SQLITE_OK;
}

int random_bytes(sqlite3_vfs* vfs, int size, char* out) {
  std::generate_n(out, size, [&] { return static_cast<char>(disk_of(vfs).rng()); });
  return size;
}

int wait_for(sqlite3_vfs* /*vfs*/, int microseconds) {
  return microseconds;
}

int day(sqlite3_vfs* /*vfs*/, double* julian) {
  *julian = 2460000.5;
  return SQLITE_OK;
}

int last_error(sqlite3_vfs* /*vfs*/, int /*size*/, char* /*text*/) {
  return 0;
}

}  // namespace

LosingVfs::LosingVfs() : disk_(std::make_unique<Disk>()) {
  sqlite3_vfs& vfs = disk_->vfs;
  vfs.iVersion = 1;
  vfs.szOsFile = sizeof(Handle);
  vfs.mxPathname = kLongestPath;
  vfs.zName = "losing";
  vfs.pAppData = disk_.get();
  vfs.xOpen = open_path;
  vfs.xDelete = remove_path;
  vfs.xAccess = access_path;
  vfs.xFullPathname = full_path;
  vfs.xRandomness = random_bytes;
  vfs.xSleep = wait_for;
  vfs.xCurrentTime = day;
  vfs.xGetLastError = last_error;
  disk_->before = sqlite3_vfs_find(nullptr);
  WEIR_CHECK(sqlite3_vfs_register(&vfs, 1) == SQLITE_OK);
}

LosingVfs::~LosingVfs() {
  WEIR_CHECK(disk_->open_files == 0);
  sqlite3_vfs_unregister(&disk_->vfs);
  sqlite3_vfs_register(disk_->before, 1);
}

void LosingVfs::start_anew(uint64_t seed) {
  WEIR_CHECK(disk_->open_files == 0);
  disk_->files.clear();
  disk_->forget_orders();
  disk_->rng.seed(seed);
  sqlite3_randomness(0, nullptr);  // asks random_bytes() again
}

void LosingVfs::promise(int device_characteristics) {
  disk_->characteristics = device_characteristics;
}

void LosingVfs::cut_power() {
  for (auto& [path, file] : disk_->files) {
    std::string left = survivors(file, disk_->rng);
    file = {left, left, {}, false};
  }
  disk_->forget_orders();
}

void LosingVfs::kill_process() {
  disk_->forget_orders();
}

void LosingVfs::fail_nth(Call kind, uint64_t n, int code) {
  disk_->faults[static_cast<size_t>(kind)] = {n, code};
}

bool LosingVfs::fault_is_due() const {
  return std::any_of(disk_->faults.begin(), disk_->faults.end(),
                     [](const Disk::Fault& fault) { return fault.left > 0; });
}

void LosingVfs::stop_at(uint64_t n) {
  disk_->until_stop = n;
}

std::string LosingVfs::content(const std::string& path) const {
  const auto found = disk_->files.find(path);
  return found == disk_->files.end() ? std::string() : found->second.seen;
}

void LosingVfs::replace(const std::string& path, const std::string& content) {
  disk_->files[path] = {content, content, {}, false};
}

}  // namespace weir
