// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/progress_display.h"

#include <cstdio>
#include <string>

#include <sys/ioctl.h>
#include <unistd.h>

namespace weir {
namespace {

constexpr std::chrono::milliseconds kRedrawEvery{200};
constexpr size_t kUsualWidth = 80;

// The last column stays empty: some terminals begin a new line when it is written.
size_t width_of_terminal() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2) return kUsualWidth - 1;
  return size.ws_col - 1U;
}

}  // namespace

ProgressDisplay::ProgressDisplay(std::chrono::milliseconds line_every)
    : terminal_(isatty(STDERR_FILENO) == 1),
      every_(terminal_ ? kRedrawEvery : line_every),
      last_(std::chrono::steady_clock::now()) {}

bool ProgressDisplay::is_due() const {
  return std::chrono::steady_clock::now() - last_ >= every_;
}

void ProgressDisplay::show(const SendProgress& at) {
  last_ = std::chrono::steady_clock::now();
  if (terminal_) return draw(progress_bar(at, width_of_terminal()));
  std::fprintf(stderr, "%s\n", progress_line(at).c_str());
}

void ProgressDisplay::draw(const std::string& text) {
  std::string line = "\r" + text;
  if (text.size() < drawn_) line.append(drawn_ - text.size(), ' ');
  drawn_ = text.size();
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

void ProgressDisplay::end() {
  if (drawn_ == 0) return;
  drawn_ = 0;
  std::fputc('\n', stderr);
}

}  // namespace weir
