// SPDX-License-Identifier: Apache-2.0
//
// RunFile: what tells the database that weir wrote last from a copy that was put in its place.
//
// Beside weir.db stands weir.db.run. It holds the identity of the run that wrote last, another one
// at each start, of the run before that, and how many calls had been begun by then; the database
// holds the first and the last as well. At a start the file is written first, so what is killed in
// between leaves a database of the file's run before. After each commit with a claim the file
// follows, so of calls it never knows more than the database that it belongs to. It does know more
// than a copy that was made before the last claim; a copy of another run, or in another place, does
// not match it at all.
//
// Why it matters: what waits in such a copy may have been sent since the copy was made.
//
// Store's thread. The writes after the first are not synced: after a power cut the file may be
// behind, which is allowed, and a block of a file that is only overwritten is not lost.
//
// Limits: a copy that brings its own weir.db.run with it is taken for the original.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weir/result.h"

namespace weir {

struct RunMark {
  std::string run;
  int64_t claims = 0;
  std::string before;  // empty: the first run of this file
};

class RunFile {
 public:
  // Nothing: it is not there, or not readable as what weir writes.
  static std::optional<RunMark> read(const std::string& path);
  // Writes the first mark, on disk when this returns.
  static Result<RunFile> create(const std::string& path, const RunMark& mark);
  RunFile(RunFile&& other) noexcept;
  RunFile& operator=(RunFile&& other) noexcept;
  ~RunFile();

  // A failure is no harm: the file stays behind.
  void follow(int64_t claims);

 private:
  RunFile(int descriptor, RunMark mark) : descriptor_(descriptor), mark_(std::move(mark)) {}
  int descriptor_;
  RunMark mark_;
};

// 128 random bits in hexadecimal digits.
std::string new_run();

}  // namespace weir
