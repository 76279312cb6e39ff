// SPDX-License-Identifier: Apache-2.0
#include "tests/support/process.h"

#include <chrono>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace weir::test {
namespace {

constexpr auto kPatience = std::chrono::seconds(60);

// As exec takes them.
std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts)
    pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Process::Process(const std::vector<std::string>& arguments,
                 const std::vector<std::string>& environment) {
  int ends[2];
  EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  const std::vector<char*> argv = pointers_to(arguments);
  std::vector<char*> envp = pointers_to(environment);
  for (char** own = environ; *own != nullptr; ++own)
    envp.insert(envp.end() - 1, *own);
  EXPECT_EQ(posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), envp.data()), 0) << argv[0];
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  reader_ = std::thread([this, descriptor = ends[0]] { read(descriptor); });
}

Process::~Process() {
  if (!reaped_) {
    signal(SIGKILL);
    wait();
  }
  reader_.join();
}

void Process::read(int descriptor) {
  char buffer[4096];
  for (;;) {
    const ssize_t got = ::read(descriptor, buffer, sizeof buffer);
    const std::lock_guard lock(mutex_);
    if (got <= 0) break;
    output_.append(buffer, static_cast<size_t>(got));
    changed_.notify_all();
  }
  close(descriptor);
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

std::string Process::wait_for_line(const std::string& text) {
  std::unique_lock lock(mutex_);
  std::string line;
  changed_.wait_for(lock, kPatience, [&] {
    const size_t at = output_.find(text);
    const size_t end = at == std::string::npos ? at : output_.find('\n', at);
    if (end == std::string::npos) return ended_;
    const size_t begin = output_.rfind('\n', at);
    line = output_.substr(begin == std::string::npos ? 0 : begin + 1,
                          end - (begin == std::string::npos ? 0 : begin + 1));
    return true;
  });
  return line;
}

void Process::signal(int number) {
  kill(pid_, number);
}

int Process::wait() {
  if (!reaped_) {
    waitpid(pid_, &status_, 0);
    reaped_ = true;
  }
  return WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_);
}

std::string Process::output() {
  const std::lock_guard lock(mutex_);
  return output_;
}

int run_to_end(const std::vector<std::string>& arguments, std::string* output) {
  Process process(arguments);
  const int code = process.wait();
  // The pipe is read to its end before the text is taken.
  process.wait_for_line(std::string(1, '\0'));
  if (output != nullptr) *output = process.output();
  return code;
}

}  // namespace weir::test
