// SPDX-License-Identifier: Apache-2.0
#include "shim/front/rate_json.h"

#include <array>

#include "shim/front/json_writer.h"
#include "shim/front/query_fields.h"
#include "shim/front/timestamps.h"

namespace weir {
namespace {

constexpr std::array<std::string_view, 3> kFields = {"since", "until", "limit"};
constexpr uint32_t kUsualLimit = 1'000;
constexpr uint32_t kMostChanges = 10'000;  // about 2 MB of JSON

bool read_time(const QueryFields& fields, std::string_view name, WallTime& out, Problem& problem) {
  const auto field = fields.find(name);
  if (field == fields.end()) return true;
  const Result<WallTime> time = parse_timestamp(field->second);
  if (time) {
    out = *time;
    return true;
  }
  problem.errors.push_back({"/" + std::string(name), time.error().detail});
  return false;
}

}  // namespace

std::variant<FindRates, Problem> read_rates_query(const HttpRequest& request, WallTime now) {
  auto read = read_query(request.query, kFields);
  if (auto* problem = std::get_if<Problem>(&read)) return std::move(*problem);
  const QueryFields& fields = std::get<QueryFields>(read);

  FindRates query;
  // What has just been written is part of it.
  query.until = now + Duration::millis(1);
  query.limit = kUsualLimit;
  Problem problem{"invalid", "The query is not valid.", {}, {}};
  bool good = read_time(fields, "since", query.since, problem);
  good = read_time(fields, "until", query.until, problem) && good;
  good = read_limit(fields, kMostChanges, query.limit, problem) && good;
  if (!good) return problem;
  return query;
}

std::string rates_json(const FoundRates& found) {
  JsonWriter json;
  json.open_object();
  json.key("changes").open_array();
  for (const RateChange& change : found.changes) {
    json.open_object();
    json.key("at").time(change.at);
    json.key("from_units_per_s").units(change.from_per_s);
    json.key("to_units_per_s").units(change.to_per_s);
    json.key("cause").text(name(change.cause));
    json.key("cuts").natural(change.epoch);
    json.key("measured_units_per_s").units(change.measured_per_s);
    json.close_object();
  }
  json.close_array();
  json.key("more").flag(found.more);
  json.close_object();
  return json.take();
}

}  // namespace weir
