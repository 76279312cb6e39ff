// SPDX-License-Identifier: Apache-2.0
//
// The database as a whole, in the words of the API: its size and counters, copies of it, and the
// quarantine of one that may be an old copy.
//
// Threads: the loop's; pure.
#pragma once

#include <string>
#include <variant>

#include "weir/engine.h"

#include "shim/front/api.h"
#include "shim/front/http_server.h"
#include "shim/front/problem.h"
#include "shim/store/reports.h"

namespace weir {

// `request` is not set. The path is one of weir's machine, not of the caller's.
std::variant<Backup, Problem> read_backup(const HttpRequest& request);

std::string stats_json(const StoreStats& stats, WallTime now);
HttpResponse copy_response(const CopyChecked& checked);
HttpResponse compacted_response(const Compacted& done);
std::string quarantine_json(const EngineView& view);
HttpResponse released_response(const AnswerRelease& answer);

}  // namespace weir
