// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <sstream>

#include "shim/config/settings.h"
#include "shim/egress/egress.h"
#include "shim/loop/clocks.h"
#include "shim/loop/loop.h"
#include "shim/observe/log.h"
#include "tools/weir/commands.h"

#ifndef WEIR_VERSION
#error "the build defines WEIR_VERSION"
#endif

namespace weir {

std::string version_text() {
  return WEIR_VERSION;
}

int check_command(const CheckArgs& args) {
  const auto settings = load_settings(args.config);
  if (!settings) {
    std::fprintf(stderr, "%s\n", settings.error().detail.c_str());
    return kUsage;
  }
  std::fputs(describe(*settings).c_str(), stdout);
  const std::string openings = describe_openings(settings->engine, read_clocks().wall);
  if (!openings.empty()) std::fprintf(stdout, "\n%s", openings.c_str());
  return kDone;
}

int run_command(const RunArgs& args) {
  const auto settings = load_settings(args.config);
  if (!settings) {
    std::fprintf(stderr, "%s\n", settings.error().detail.c_str());
    return kUsage;
  }
  Log log(settings->log.json, settings->log.level);
  log.info("weir " + version_text() + " starts with " + args.config);
  std::istringstream policy(describe(*settings));
  for (std::string line; std::getline(policy, line);) {
    if (!line.empty()) log.debug(line);
  }
  if (Status status = check_gateway(settings->gateway, settings->profile); !status) {
    log.error(status.error().detail);
    return kUsage;
  }
  auto loop = Loop::start(*settings, log, version_text());
  if (!loop) {
    log.error(loop.error().detail);
    return kFailed;
  }
  const ApiOptions& api = settings->api;
  if (api.tcp) {
    log.info("listening on http://" + api.tcp_address + ":" + std::to_string((*loop)->tcp_port()));
  }
  if (!api.unix_path.empty()) log.info("listening on " + api.unix_path);
  (*loop)->run();
  return kDone;
}

}  // namespace weir
