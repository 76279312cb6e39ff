// SPDX-License-Identifier: Apache-2.0
//
// Settings: all of weir.yaml and of the profile it names, checked and resolved. Read once at start,
// before any thread; immutable afterwards.
//
// Relative paths in the file (store, socket, secrets, CA) start at the current directory.
//
// Strict: an unknown key, a wrong type, a value out of range is an error with file, line, column
// and, where one is near, the name that was probably meant. Secrets come from files or the
// environment, never from the YAML itself, and are never part of an error or of describe().
#pragma once

#include <string>
#include <vector>

#include "weir/options.h"
#include "weir/result.h"

#include "shim/egress/gateway_options.h"
#include "shim/egress/profile.h"
#include "shim/front/api.h"
#include "shim/store/store.h"

namespace weir {

struct LogOptions {
  bool json = false;
  std::string level = "info";  // debug, info, warn, error
};

struct Settings {
  std::string path;  // of the file they came from
  EngineOptions engine;
  GatewayOptions gateway;
  Profile profile;
  StoreOptions store;
  ApiOptions api;
  LogOptions log;
  Duration drain_timeout = Duration::seconds(35);  // above the gateway's total timeout
};

// Reads a file and the profile that it names (looked for beside the file in profiles/, then in the
// installed place). All errors of both are collected, one a line: "FILE:LINE:COLUMN: what".
//
// A gateway without credentials loads, so that a file can be checked where its secrets are not;
// describe() says so, and check_gateway() (shim/egress/egress.h) refuses to run with it.
Result<Settings> load_settings(const std::string& path);

// The effective policy in words and numbers, for `weir check` and the start-up log: derived rates,
// capacities, the largest batch a lane, time to fill, deadlines. Names secrets as set or not set.
std::string describe(const Settings& settings);
// When the classes that have a window may be sent next, by their own clocks; empty: none has one.
std::string describe_openings(const EngineOptions& engine, WallTime now);

}  // namespace weir
