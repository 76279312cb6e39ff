// SPDX-License-Identifier: Apache-2.0
#include "shim/front/db_json.h"

#include <algorithm>
#include <array>
#include <utility>

#include "shim/front/json_fields.h"
#include "shim/front/json_response.h"
#include "shim/front/json_writer.h"
#include "shim/front/submission_json.h"

namespace weir {
namespace {

HttpResponse busy() {
  return problem_response(
      {"db_busy", "Another copy or compaction is under way; try again after it.", {}, {}});
}

HttpResponse failed(const std::string& why) {
  return problem_response({"store_unavailable", "It could not be done: " + why + ".", {}, {}});
}

void write_tally(JsonWriter& json, const Tally& tally) {
  json.open_object();
  json.key("batches").integer(tally.batches);
  json.key("cost_units").units(tally.cost);
  json.key("entered").integer(tally.entered);
  json.close_object();
}

uint64_t unknown_batches(const Tallies& tallies) {
  int64_t batches = 0;
  for (const auto& lane : tallies)
    batches += lane[index(BatchState::kUnknown)].batches;
  return static_cast<uint64_t>(batches);
}

}  // namespace

std::variant<Backup, Problem> read_backup(const HttpRequest& request) {
  Backup backup;
  const std::array fields = {JsonField{"path", TextField{&backup.path}, Need::kFilled}};
  FieldsRead read = read_fields(request.body, fields);
  if (read.ok() && backup.path.front() != '/') {
    read.errors.push_back({"/path", "must be absolute, like /var/backups/weir.db"});
  }
  if (!read.ok()) return problem_of(std::move(read));
  return backup;
}

std::string stats_json(const StoreStats& stats, WallTime now) {
  JsonWriter json;
  json.open_object();
  json.key("file_bytes").natural(stats.file_bytes);
  json.key("unused_bytes").natural(stats.unused_bytes);
  json.key("log_bytes").natural(stats.log_bytes);
  json.key("disk_free_bytes").natural(stats.disk_free_bytes);
  json.key("schema_version").integer(stats.schema_version);
  json.key("sqlite_version").text(stats.sqlite_version);
  json.key("unknown").open_object();
  json.key("batches").natural(unknown_batches(stats.tallies));
  json.key("oldest_age_ms");
  if (stats.oldest_unknown) {
    json.integer(std::max<int64_t>(0, (now - *stats.oldest_unknown).ms()));
  } else {
    json.null();
  }
  json.close_object();
  json.key("lanes").open_array();
  for (Lane lane : kAllLanes) {
    json.open_object();
    json.key("lane").text(name(lane));
    for (size_t state = 0; state < kBatchStates; ++state) {
      json.key(kBatchStateNames[state]);
      write_tally(json, stats.tallies[index(lane)][state]);
    }
    json.close_object();
  }
  json.close_array();
  json.close_object();
  return json.take();
}

HttpResponse copy_response(const CopyChecked& checked) {
  if (checked.busy) return busy();
  if (!checked.failure.empty()) return failed(checked.failure);
  const CopyCheck& found = checked.found;
  if (checked.kept && !found.whole) {
    Problem damaged{
        "copy_damaged",
        "The copy is not whole, so it was not kept; the database itself may be damaged.",
        {},
        {}};
    for (const std::string& fault : found.faults)
      damaged.errors.push_back({"", fault});
    return problem_response(damaged);
  }
  JsonWriter json;
  json.open_object();
  if (checked.kept) json.key("path").text(checked.path);
  json.key("whole").flag(found.whole);
  json.key("bytes").natural(found.bytes);
  json.key("messages").natural(found.messages);
  json.key("faults").open_array();
  for (const std::string& fault : found.faults)
    json.text(fault);
  json.close_array();
  json.close_object();
  return json_response(json.take());
}

HttpResponse compacted_response(const Compacted& done) {
  if (done.busy) return busy();
  if (!done.failure.empty()) return failed(done.failure);
  JsonWriter json;
  json.open_object();
  json.key("bytes_before").natural(done.bytes_before);
  json.key("bytes_after").natural(done.bytes_after);
  json.close_object();
  return json_response(json.take());
}

std::string quarantine_json(const EngineView& view) {
  JsonWriter json;
  json.open_object();
  json.key("quarantined").flag(!view.quarantine.empty());
  json.key("reason").text(view.quarantine);
  json.key("lanes").open_array();
  for (const LaneView& lane : view.lanes) {
    json.open_object();
    json.key("lane").text(name(lane.lane));
    json.key("pending_batches").integer(lane.pending_rows);
    json.key("pending_units").units(lane.pending_units);
    json.close_object();
  }
  json.close_array();
  json.key("unknown_batches").natural(view.unknown_batches);
  json.close_object();
  return json.take();
}

HttpResponse released_response(const AnswerRelease& answer) {
  switch (answer.result) {
    case AnswerRelease::Result::kReleased: {
      JsonWriter json;
      json.open_object();
      json.key("released").flag(true);
      json.close_object();
      return json_response(json.take());
    }
    case AnswerRelease::Result::kNotQuarantined:
      return problem_response({"not_quarantined", "The database is not in quarantine.", {}, {}});
    case AnswerRelease::Result::kFailed: break;
  }
  return problem_response(
      {"store_unavailable", "It could not be written; the quarantine stands.", {}, {}});
}

}  // namespace weir
