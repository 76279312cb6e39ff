// SPDX-License-Identifier: Apache-2.0
//
// A program that a test starts, reads and ends. It is killed when the test lets go of it, whatever
// happened in between.
#pragma once

#include <condition_variable>
#include <csignal>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <sys/types.h>

namespace weir::test {

class Process {
 public:
  // The first argument is the program. stdout and stderr are read together. `environment` is added
  // to this program's own, as NAME=value.
  explicit Process(const std::vector<std::string>& arguments,
                   const std::vector<std::string>& environment = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // The first line, from the start, that holds `text`; empty when the program ended or a minute
  // passed without one.
  std::string wait_for_line(const std::string& text);
  void signal(int number);
  // Waits for its end. The exit status, or minus the signal that ended it.
  int wait();
  std::string output();
  pid_t pid() const { return pid_; }

 private:
  void read(int descriptor);

  pid_t pid_ = -1;
  int status_ = 0;
  bool reaped_ = false;
  std::thread reader_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string output_;
  bool ended_ = false;
};

// Runs a program to its end. `output` gets stdout and stderr.
int run_to_end(const std::vector<std::string>& arguments, std::string* output = nullptr);

}  // namespace weir::test
