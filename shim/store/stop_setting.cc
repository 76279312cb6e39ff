// SPDX-License-Identifier: Apache-2.0
#include "shim/store/stop_setting.h"

#include <charconv>
#include <string>
#include <string_view>

namespace weir {
namespace {

constexpr std::string_view kOfLane = "stop lane ";
constexpr std::string_view kOfClass = "stop class ";

std::string name_of(const StopOrder& order) {
  if (order.lane) return std::string(kOfLane) + std::string(name(*order.lane));
  return std::string(kOfClass) + order.class_name;
}

bool read_name(std::string_view text, StopOrder& order) {
  if (text.starts_with(kOfLane)) order.lane = lane_named(text.substr(kOfLane.size()));
  if (text.starts_with(kOfClass)) order.class_name = text.substr(kOfClass.size());
  return order.lane || !order.class_name.empty();
}

bool read_value(std::string_view text, Stop& stop) {
  const size_t time = text.find(' ');
  if (time == text.npos) return false;
  const auto mode = stop_mode_named(text.substr(0, time));
  int64_t since = 0;
  const auto [end, error] =
      std::from_chars(text.data() + time + 1, text.data() + text.size(), since);
  const size_t reason = static_cast<size_t>(end - text.data());
  if (!mode || error != std::errc() || reason >= text.size() || text[reason] != ' ') return false;
  stop = {*mode, std::string(text.substr(reason + 1)), WallTime::from_unix_ms(since)};
  return true;
}

}  // namespace

bool put_stop(Statements& statements, const StopOrder& order) {
  const std::string key = name_of(order);
  if (order.stop.mode == StopMode::kNone) {
    return statements[Query::kDropSetting].run({std::string_view(key)});
  }
  const std::string value = std::string(name(order.stop.mode)) + " " +
                            std::to_string(order.stop.since.unix_ms()) + " " + order.stop.reason;
  return statements[Query::kPutSetting].run({std::string_view(key), std::string_view(value)});
}

Status read_stops(Statements& statements, std::vector<StopOrder>& stops) {
  Rows rows(statements[Query::kStops], {});
  while (rows.next()) {
    StopOrder order;
    if (!read_name(rows.text(0), order) || !read_value(rows.text(1), order.stop)) {
      return Error{"its setting \"" + std::string(rows.text(0)) +
                   "\" is none that a weir writes; the file was changed by something else"};
    }
    stops.push_back(std::move(order));
  }
  if (rows.failed()) return Error{"cannot read what is paused"};
  return Done{};
}

}  // namespace weir
