// SPDX-License-Identifier: Apache-2.0
#include "tools/fake_gateway/fake_gateway.h"

#include <csignal>
#include <cstdio>
#include <fstream>

#include <uv.h>

#include "shim/config/quantities.h"
#include "tools/weir/commands.h"

namespace weir {
namespace {

Result<std::string> first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return Error{"--api-key-file: " + path + " cannot be read"};
  return line;
}

Status read_listen(const std::string& text, FakeGatewayOptions& options) {
  const size_t colon = text.rfind(':');
  const auto port = colon == std::string::npos
                        ? Result<int64_t>(Error{"--listen wants ADDRESS:PORT"})
                        : parse_integer(text.substr(colon + 1));
  if (!port) return port.error();
  if (*port < 0 || *port > 65535) return Error{"--listen: the port is from 0 to 65535"};
  options.address = text.substr(0, colon);
  options.port = static_cast<uint16_t>(*port);
  return Done{};
}

Result<FakeGatewayOptions> read_options(const FakeGatewayArgs& args) {
  FakeGatewayOptions options;
  if (Status status = read_listen(args.listen, options); !status) return status.error();
  const auto ceiling = parse_units(args.ceiling);
  if (!ceiling) return Error{"--ceiling: " + ceiling.error().detail};
  const auto capacity = parse_duration(args.capacity);
  if (!capacity) return Error{"--capacity: " + capacity.error().detail};
  const auto latency = parse_duration(args.latency);
  if (!latency) return Error{"--latency: " + latency.error().detail};
  const auto disagreement = parse_disagreement(args.disagree);
  if (!disagreement) return Error{"--disagree: " + disagreement.error().detail};
  options.disagreement = *disagreement;
  auto script = Script::parse(args.script);
  if (!script) return script.error();
  options.ceiling_per_s = *ceiling;
  options.capacity = Units::from_micro(
      static_cast<int64_t>(static_cast<double>(ceiling->micro()) * capacity->as_seconds()));
  if (*ceiling <= Units() || options.capacity <= Units()) {
    return Error{"--ceiling and --capacity must be above 0"};
  }
  options.latency = *latency;
  options.script = *std::move(script);
  if (!args.api_key_file.empty()) {
    auto key = first_line(args.api_key_file);
    if (!key) return key.error();
    options.api_key = *key;
  }
  return options;
}

void stop_on(uv_signal_t* handle, FakeGateway* gateway, int signal) {
  handle->data = gateway;
  uv_signal_start(
      handle,
      [](uv_signal_t* fired, int) {
        static_cast<FakeGateway*>(fired->data)->close([] {});
        uv_stop(fired->loop);
      },
      signal);
}

}  // namespace

int fake_gateway_command(const FakeGatewayArgs& args) {
  auto options = read_options(args);
  if (!options) {
    std::fprintf(stderr, "%s\n", options.error().detail.c_str());
    return kUsage;
  }
  std::signal(SIGPIPE, SIG_IGN);
  const std::string address = options->address;
  uv_loop_t loop;
  uv_loop_init(&loop);
  FakeGateway gateway(&loop, *std::move(options));
  const auto port = gateway.listen();
  if (!port) {
    std::fprintf(stderr, "%s\n", port.error().detail.c_str());
    return kFailed;
  }
  uv_signal_t terminate;
  uv_signal_t interrupt;
  uv_signal_init(&loop, &terminate);
  uv_signal_init(&loop, &interrupt);
  stop_on(&terminate, &gateway, SIGTERM);
  stop_on(&interrupt, &gateway, SIGINT);
  // Said last: who reads it may stop us at once.
  std::printf("fake gateway on http://%s:%u\n", address.c_str(), static_cast<unsigned>(*port));
  std::fflush(stdout);
  uv_run(&loop, UV_RUN_DEFAULT);
  uv_close(reinterpret_cast<uv_handle_t*>(&terminate), nullptr);
  uv_close(reinterpret_cast<uv_handle_t*>(&interrupt), nullptr);
  uv_run(&loop, UV_RUN_DEFAULT);
  uv_loop_close(&loop);
  return kDone;
}

}  // namespace weir
