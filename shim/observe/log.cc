// SPDX-License-Identifier: Apache-2.0
#include "shim/observe/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace weir {
namespace {

// The text inside of quotes, for JSON and logfmt alike.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

Log::Log(bool json, const std::string& level)
    : logger_(std::make_shared<spdlog::logger>("weir",
                                               std::make_shared<spdlog::sinks::stderr_sink_st>())) {
  logger_->set_level(spdlog::level::from_str(level));
  const auto utc = spdlog::pattern_time_type::utc;
  logger_->set_pattern(json ? R"({"ts":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l","msg":%v})"
                            : "ts=%Y-%m-%dT%H:%M:%S.%eZ level=%l msg=%v",
                       utc);
}

Log::~Log() = default;

void Log::write(Level level, std::string_view text) {
  constexpr spdlog::level::level_enum kLevels[] = {spdlog::level::debug, spdlog::level::info,
                                                   spdlog::level::warn, spdlog::level::err};
  logger_->log(kLevels[static_cast<size_t>(level)], "{}", quoted(text));
}

void Log::debug(std::string_view text) {
  write(Level::kDebug, text);
}
void Log::info(std::string_view text) {
  write(Level::kInfo, text);
}
void Log::warn(std::string_view text) {
  write(Level::kWarn, text);
}
void Log::error(std::string_view text) {
  write(Level::kError, text);
}

void Log::note(const Note& note) {
  switch (note.level) {
    case Note::Level::kInfo: return info(note.text);
    case Note::Level::kWarning: return warn(note.text);
    case Note::Level::kError: return error(note.text);
  }
}

}  // namespace weir
