// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/send_progress.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tools/weir/api_words.h"

namespace weir {
namespace {

constexpr size_t kMostBar = 30;
constexpr size_t kLeastBar = 8;
// Before that a rate says nothing.
constexpr int64_t kLeastMs = 500;

std::optional<double> share_of(const SendProgress& at) {
  if (!at.bytes_total) return std::nullopt;
  if (*at.bytes_total == 0) return 1;
  return std::min(1.0, static_cast<double>(at.bytes) / static_cast<double>(*at.bytes_total));
}

std::string percent(double share) {
  return std::to_string(static_cast<int>(std::floor(share * 100))) + '%';
}

std::string lines(const SendProgress& at) {
  return std::to_string(at.messages) + (at.messages == 1 ? " message" : " messages");
}

std::string rate(const SendProgress& at) {
  const int64_t ms = at.elapsed.ms();
  if (ms < kLeastMs) return "";
  const double per_second = static_cast<double>(at.messages) * 1000 / static_cast<double>(ms);
  return std::to_string(std::llround(per_second)) + "/s";
}

std::string time_words(int64_t seconds) {
  const int64_t minutes = seconds / 60;
  if (minutes == 0) return std::to_string(seconds) + 's';
  if (minutes < 60) return std::to_string(minutes) + 'm' + std::to_string(seconds % 60) + 's';
  return std::to_string(minutes / 60) + 'h' + std::to_string(minutes % 60) + 'm';
}

// As if the rest went as fast as what has gone.
std::string rest(const SendProgress& at) {
  if (at.all_handed) return "weir takes the last ones";
  const auto share = share_of(at);
  const int64_t ms = at.elapsed.ms();
  if (!share || *share <= 0 || ms < kLeastMs) return "";
  return time_words(std::llround(static_cast<double>(ms) * (1 - *share) / *share / 1000)) + " left";
}

std::string pressure(const SendProgress& at) {
  return at.pressure.empty() ? "" : "pressure " + at.pressure;
}

std::string joined(const std::vector<std::string>& parts, const char* between) {
  std::string text;
  for (const std::string& part : parts) {
    if (!part.empty()) text += (text.empty() ? "" : between) + part;
  }
  return text;
}

std::string bar(double share, size_t cells) {
  const auto full = static_cast<size_t>(share * static_cast<double>(cells));
  return '[' + std::string(full, '#') + std::string(cells - full, '.') + ']';
}

}  // namespace

std::string progress_bar(const SendProgress& at, size_t width) {
  const auto share = share_of(at);
  std::vector<std::string> parts = {share ? percent(*share) : "", lines(at), rate(at), pressure(at),
                                    rest(at)};
  for (size_t least_needed : {3, 2, 4, 1}) {
    if (joined(parts, "  ").size() <= width) break;
    parts[least_needed].clear();
  }
  std::string text = joined(parts, "  ");
  if (share && text.size() + kLeastBar + 4 <= width) {
    text = bar(*share, std::min(kMostBar, width - text.size() - 4)) + "  " + text;
  }
  return text.substr(0, width);
}

std::string progress_line(const SendProgress& at) {
  const auto share = share_of(at);
  return joined({share ? percent(*share) : "", lines(at), rate(at), pressure(at), rest(at)}, ", ");
}

std::string pressure_words(const std::string& answer) {
  const std::vector<boost::json::object> lanes = objects_at(parsed(answer), "lanes");
  if (lanes.empty()) return "";
  std::vector<std::string> found;
  for (const boost::json::object& lane : lanes) {
    const std::string level = text_at(lane, "pressure");
    if (level != "clear") found.push_back(shown(text_at(lane, "lane") + ' ' + level));
  }
  return found.empty() ? "clear" : joined(found, ", ");
}

}  // namespace weir
