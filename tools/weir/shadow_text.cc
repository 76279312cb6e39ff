// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/shadow_text.h"

#include <algorithm>
#include <cstdio>

#include "shim/config/quantities.h"
#include "shim/front/timestamps.h"

namespace weir {
namespace {

template <typename... Values>
std::string printed(const char* form, Values... values) {
  char text[256];
  std::snprintf(text, sizeof text, form, values...);
  return text;
}

std::string share(Units part, Units whole) {
  const double all = whole.as_double();
  return printed("%.1f%%", all > 0 ? part.as_double() * 100 / all : 0.0);
}

std::string wait_text(Duration wait) {
  if (wait < Duration::seconds(1)) return std::to_string(wait.ms_ceil()) + " ms";
  if (wait < Duration::seconds(600)) return printed("%.1f s", wait.as_seconds());
  return span_text(wait);
}

std::string row(Lane lane, const ShadowReport::PerLane& own) {
  const ShadowView& would = own.would;
  const auto only = [&](std::string text) { return own.shadow ? text : std::string("-"); };
  return printed(
      "%-14s %-6s %12s %10.1f %10.1f %10.1f %11s %10s %10s %10s\n", std::string(name(lane)).c_str(),
      own.shadow ? "yes" : "no", format_units(own.load.offered).c_str(), own.load.peak_1s_per_s,
      own.load.peak_10s_per_s, own.load.peak_60s_per_s,
      only(share(would.waited, would.decided())).c_str(), only(wait_text(would.wait_p99)).c_str(),
      only(share(would.shed, would.decided())).c_str(),
      only(share(would.refused, would.decided())).c_str());
}

std::string counted(Units units) {
  return format_units(units) + (units == Units::of(1) ? " unit" : " units");
}

// "12 units (3.0%)"
std::string part(Units units, Units whole) {
  return counted(units) + " (" + share(units, whole) + ")";
}

std::string decided_text(const ShadowView& would) {
  const Units whole = would.decided();
  if (whole <= Units()) return "Nothing was decided upon yet.\n";
  std::string text = "Had its limits held, then of " + counted(whole) + ":\n";
  text += "  " + part(would.passed, whole) + " would have gone at once;\n";
  text += "  " + part(would.waited, whole) + " would have waited";
  if (would.waited > Units()) {
    text += ": half of them up to " + wait_text(would.wait_p50) + ", 99 of 100 up to " +
            wait_text(would.wait_p99);
  }
  text += ";\n  " + part(would.shed, whole) +
          " would have been shed, because their deadline came before their tokens;\n";
  text += "  " + part(would.refused, whole) +
          " would have been refused at the door, for want of room or time.\n";
  return text;
}

std::string sentences(Lane lane, const ShadowView& would) {
  std::string text = "\nLane " + std::string(name(lane)) + " is in shadow. " + decided_text(would);
  if (would.in_line > Units()) text += "  " + counted(would.in_line) + " more would still wait.\n";
  return text;
}

}  // namespace

std::string span_text(Duration span) {
  const int64_t seconds = span.ns() / 1'000'000'000;
  if (seconds < 120) return std::to_string(seconds) + " s";
  if (seconds < 120 * 60) return std::to_string(seconds / 60) + " min";
  if (seconds < 48 * 3'600) return std::to_string(seconds / 3'600) + " h";
  return std::to_string(seconds / 86'400) + " days";
}

std::string shadow_text(const ShadowReport& report) {
  std::string text = "since " + format_timestamp(report.since) + " (" + span_text(report.recorded) +
                     "), at a ceiling of " + format_units(report.rate_per_s) + " units/s\n\n";
  text +=
      printed("%-14s %-6s %12s %10s %10s %10s %11s %10s %10s %10s\n", "lane", "shadow", "offered",
              "peak 1s/s", "10s/s", "60s/s", "would wait", "wait p99", "would shed", "refuse");
  for (Lane lane : kAllLanes)
    text += row(lane, report.lanes[index(lane)]);
  bool any = false;
  for (Lane lane : kAllLanes) {
    const ShadowReport::PerLane& own = report.lanes[index(lane)];
    if (!own.shadow) continue;
    any = true;
    text += sentences(lane, own.would);
  }
  if (!any) {
    text +=
        "\nNo lane is in shadow: all limits hold, and what they hold back stands in weir "
        "status.\nlanes.NAME.shadow: true in the configuration puts one there.\n";
  } else {
    text +=
        "\nThis is what tokens alone would do: neither slots nor pauses of the gateway are in "
        "it.\n";
  }
  return text;
}

}  // namespace weir
