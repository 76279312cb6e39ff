// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/ledger_text.h"

#include <cstdio>
#include <iterator>

#include "tools/weir/api_words.h"

namespace weir {
namespace {

namespace json = boost::json;

// Columns are at least as wide as these; what is longer pushes its line, and nothing is cut.
std::string padded(std::string text, size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text + "  ";
}

std::string right(const std::string& text, size_t width) {
  return (text.size() < width ? std::string(width - text.size(), ' ') : "") + text + "  ";
}

std::string tally_line(const std::string& lane, std::string_view state, const json::object& tally) {
  return padded(lane, 14) + padded(std::string(state), 10) + right(text_at(tally, "batches"), 12) +
         right(units_at(tally, "cost_units"), 14) + right(text_at(tally, "entered"), 14);
}

std::string without_end(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string age_text(const json::object& unknown) {
  const std::string age = number_at(unknown, "oldest_age_ms", 0);
  return age == "-" ? "" : ", the oldest for " + std::to_string(std::stoll(age) / 1000) + " s";
}

}  // namespace

std::string message_table(const json::array& messages) {
  std::string text = without_end(padded("id", 10) + padded("state", 10) + padded("class", 20) +
                                 right("cost_units", 10) + padded("created_at", 24) +
                                 padded("key", 24) + padded("tag", 16) + "reason");
  for (const json::value& one : messages) {
    if (!one.is_object()) continue;
    const json::object& message = one.as_object();
    text += without_end(
        padded(shown(text_at(message, "id")), 10) + padded(shown(text_at(message, "state")), 10) +
        padded(shown(text_at(message, "class")), 20) + right(units_at(message, "cost_units"), 10) +
        padded(shown(text_at(message, "created_at")), 24) +
        padded(shown(text_at(message, "key")), 24) + padded(shown(text_at(message, "tag")), 16) +
        shown(text_at(message, "reason")));
  }
  return text;
}

std::string quarantine_text(const json::object& quarantine) {
  std::string text = "In quarantine: " + shown(text_at(quarantine, "reason")) +
                     "\nIf it is released, this is sent:\n";
  for (const json::object& lane : objects_at(quarantine, "lanes")) {
    text += "  " + padded(text_at(lane, "lane"), 14) +
            batches_text(text_at(lane, "pending_batches")) + ", " +
            units_at(lane, "pending_units") + " units\n";
  }
  return text + "Unknown, and not sent: " + batches_text(text_at(quarantine, "unknown_batches")) +
         "; weir list --state unknown shows them.\n";
}

std::string db_stats_text(const json::object& stats) {
  std::string text =
      "file       " + bytes_at(stats, "file_bytes") + "\n" + "unused     " +
      bytes_at(stats, "unused_bytes") + "\n" + "log        " + bytes_at(stats, "log_bytes") + "\n" +
      "disk free  " + bytes_at(stats, "disk_free_bytes") + "\n" + "schema     " +
      text_at(stats, "schema_version") + ", SQLite " + text_at(stats, "sqlite_version") + "\n";
  if (const json::value* unknown = stats.if_contains("unknown"); unknown && unknown->is_object()) {
    const json::object& object = unknown->as_object();
    text += "unknown    " + batches_text(text_at(object, "batches")) + age_text(object) + "\n";
  }
  text += without_end(padded("lane", 14) + padded("state", 10) + right("batches", 12) +
                      right("cost_units", 14) + right("entered", 14));
  for (const json::object& lane : objects_at(stats, "lanes")) {
    for (const auto& [state, one] : lane) {
      // Beside the name of the lane; and a state that no batch was ever in says nothing.
      if (!one.is_object() || text_at(one.as_object(), "entered") == "0") continue;
      text += without_end(
          tally_line(text_at(lane, "lane"), {state.data(), state.size()}, one.as_object()));
    }
  }
  return text;
}

std::string db_check_text(const json::object& check) {
  const bool whole = text_at(check, "whole") == "true";
  std::string text = std::string(whole ? "whole" : "NOT whole") + ": " + bytes_at(check, "bytes") +
                     ", " + text_at(check, "messages") + " messages\n";
  const json::value* faults = check.if_contains("faults");
  if (faults == nullptr || !faults->is_array()) return text;
  for (const json::value& fault : faults->as_array()) {
    if (fault.is_string()) text += "  " + shown(fault.as_string()) + "\n";
  }
  return text;
}

std::string batches_text(const std::string& count) {
  return count + (count == "1" ? " batch" : " batches");
}

std::string bytes_at(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return bytes_text(value != nullptr && value->is_number() ? value->to_number<double>() : 0);
}

std::string bytes_text(double bytes) {
  constexpr const char* kNames[] = {"KiB", "MiB", "GiB", "TiB"};
  char text[48];
  if (bytes < 1024) {
    std::snprintf(text, sizeof text, "%.0f bytes", bytes);
    return text;
  }
  size_t unit = 0;
  for (bytes /= 1024; bytes >= 1024 && unit + 1 < std::size(kNames); ++unit)
    bytes /= 1024;
  std::snprintf(text, sizeof text, "%.1f %s", bytes, kNames[unit]);
  return text;
}

}  // namespace weir
