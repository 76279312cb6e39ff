// SPDX-License-Identifier: Apache-2.0
//
// The log: one line an event on stderr, logfmt or JSON. No files and no rotation: that is the
// service manager's work.
//
// Called on the loop's thread (and by the commands before it runs). A line is written at once;
// lines are few, because per-message traffic is in the metrics and in the store.
//
// Limits: a text never holds a secret, a body or a whole phone number; the callers see to it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "weir/effect.h"

namespace spdlog {
class logger;
}

namespace weir {

class Log {
 public:
  // `level`: debug, info, warn or error.
  Log(bool json, const std::string& level);
  ~Log();

  void debug(std::string_view text);
  void info(std::string_view text);
  void warn(std::string_view text);
  void error(std::string_view text);
  void note(const Note& note);

 private:
  enum class Level { kDebug, kInfo, kWarn, kError };
  void write(Level level, std::string_view text);

  std::shared_ptr<spdlog::logger> logger_;  // spdlog hands its loggers out shared
};

}  // namespace weir
