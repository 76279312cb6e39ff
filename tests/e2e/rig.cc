// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/rig.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

namespace weir::test {

namespace json = boost::json;

std::string weir_binary() {
  return WEIR_BINARY;
}

namespace {

constexpr char kUnshare[] = "/usr/bin/unshare";

std::filesystem::path place_for_folder(bool in_memory) {
  const std::filesystem::path memory = "/dev/shm";
  if (in_memory && access(memory.c_str(), W_OK) == 0) return memory;
  return std::filesystem::temp_directory_path();
}

}  // namespace

bool can_mount() {
  return run_to_end({kUnshare, "--map-root-user", "--mount", "/bin/sh", "-c",
                     "mount -t tmpfs tmpfs /mnt"}) == 0;
}

Rig::Rig(RigOptions options) : options_(std::move(options)) {
  std::string pattern = (place_for_folder(options_.in_memory) / "weir-XXXXXX").string();
  folder_ = mkdtemp(pattern.data());
  start_gateway();
  write_config();
}

Rig::~Rig() {
  weir_.reset();
  gateway_.reset();
  std::filesystem::remove_all(folder_);
}

void Rig::start_gateway() {
  std::vector<std::string> arguments = {weir_binary(), "fake-gateway", "--listen",
                                        "127.0.0.1:" + std::to_string(gateway_port_)};
  arguments.insert(arguments.end(), options_.gateway.begin(), options_.gateway.end());
  gateway_ = std::make_unique<Process>(arguments);
  const std::string line = gateway_->wait_for_line("fake gateway on http://");
  ASSERT_FALSE(line.empty()) << gateway_->output();
  gateway_port_ = static_cast<uint16_t>(std::stoi(line.substr(line.rfind(':') + 1)));
}

void Rig::stop_gateway() {
  gateway_->signal(SIGTERM);
  EXPECT_EQ(gateway_->wait(), 0);
}

void Rig::write_config() {
  std::ofstream key(folder_ + "/api_key");
  key << "demo-key\n";
  key.close();
  std::filesystem::permissions(folder_ + "/api_key", std::filesystem::perms::owner_read);
  std::ofstream config(this->config());
  config << "listen:\n  tcp: '" << options_.tcp << "'\n  unix: " << folder_ << "/weir.sock\n";
  for (const std::string& line : options_.listen)
    config << "  " << line << "\n";
  config << "store:\n  path: " << folder_ << (options_.disk_size.empty() ? "" : "/disk")
         << "/weir.db\n";
  for (const std::string& line : options_.store)
    config << "  " << line << "\n";
  config << "gateway:\n  name: fake\n  profile: smsgatewaycenter\n"
         << "  url: http://127.0.0.1:" << gateway_port_ << "\n"
         << "  secrets:\n    api_key: {file: " << folder_ << "/api_key}\n"
         << "  ceiling:\n    rate_units_per_s: " << options_.rate
         << "\n    capacity: " << options_.capacity << "\n";
  for (const std::string& line : options_.ceiling)
    config << "    " << line << "\n";
  config << "  connect_timeout: 1s\n"
         << "  total_timeout: " << options_.total_timeout << "\n"
         << "drain_timeout: " << options_.drain_timeout << "\n"
         << options_.classes << options_.more;
  std::filesystem::create_directory(folder_ + "/profiles");
  std::filesystem::copy_file(std::string(WEIR_SOURCE_DIR) + "/conf/profiles/smsgatewaycenter.yaml",
                             folder_ + "/profiles/smsgatewaycenter.yaml");
}

std::unique_ptr<Process> Rig::launch_weir(const std::vector<std::string>& environment) {
  std::vector<std::string> arguments = {weir_binary(), "run", "--config", config()};
  if (!options_.disk_size.empty()) {
    const std::string folder = folder_ + "/disk";
    std::filesystem::create_directory(folder);
    // The process stays the same through all three, so a signal reaches weir.
    const std::string mount =
        "mount -t tmpfs -o size=" + options_.disk_size + " tmpfs " + folder + " && exec \"$@\"";
    arguments.insert(arguments.begin(),
                     {kUnshare, "--map-root-user", "--mount", "/bin/sh", "-c", mount, "sh"});
  }
  return std::make_unique<Process>(arguments, environment);
}

std::string Rig::disk() const {
  return "/proc/" + std::to_string(weir_->pid()) + "/root" + folder_ + "/disk";
}

void Rig::start_weir() {
  weir_ = launch_weir();
  ASSERT_FALSE(weir_->wait_for_line("listening on " + folder_ + "/weir.sock").empty())
      << weir_->output();
}

ApiReply Rig::call(const std::string& method, const std::string& path, const std::string& body) {
  const auto reply = call_api({.socket = folder_ + "/weir.sock", .url = ""}, method, path, body);
  return reply ? *reply : ApiReply{};
}

std::optional<std::string> Rig::send(const std::string& class_name, uint64_t number,
                                     const std::string& body) {
  const json::object one = {{"class", class_name},
                            {"to", "+" + std::to_string(910'000'000'000 + number)},
                            {"body", body}};
  const ApiReply reply = call("POST", "/v1/messages", json::serialize(one));
  if (reply.status != 202) return std::nullopt;
  return std::string(json::parse(reply.body).at("id").as_string().c_str());
}

json::object Rig::message(const std::string& id) {
  const ApiReply reply = call("GET", "/v1/messages/" + id);
  EXPECT_EQ(reply.status, 200) << id << ": " << reply.body;
  return reply.status == 200 ? json::parse(reply.body).as_object() : json::object();
}

std::string Rig::state(const std::string& id) {
  const json::object found = message(id);
  const json::value* state = found.if_contains("state");
  return state == nullptr ? "" : std::string(state->as_string().c_str());
}

std::string Rig::settled(const std::string& id) {
  for (;;) {
    const std::string now = state(id);
    if (now != "pending" && now != "claimed") return now;
  }
}

std::optional<bool> Rig::idle() {
  const ApiReply reply = call("GET", "/v1/lanes");
  boost::system::error_code cut_short;
  const json::value answer = json::parse(reply.body, cut_short);
  if (reply.status != 200 || cut_short) return std::nullopt;
  for (const json::value& lane : answer.at("lanes").as_array()) {
    if (lane.at("pending_batches").to_number<int64_t>() != 0 ||
        lane.at("in_flight_batches").to_number<int64_t>() != 0) {
      return false;
    }
  }
  return true;
}

void Rig::wait_until_idle() {
  for (;;) {
    const std::optional<bool> now = idle();
    ASSERT_TRUE(now);
    if (*now) return;
  }
}

std::string Rig::wait_for_readyz(int status) {
  for (;;) {
    const ApiReply reply = call("GET", "/readyz");
    if (reply.status == status) return reply.body;
  }
}

void Rig::kill_and_restart() {
  weir_->signal(SIGKILL);
  EXPECT_EQ(weir_->wait(), -SIGKILL) << weir_->output();
  start_weir();
}

json::object Rig::ask_gateway(const std::string& path) {
  const auto reply = call_api(
      {.socket = "", .url = "http://127.0.0.1:" + std::to_string(gateway_port_)}, "GET", path);
  EXPECT_TRUE(reply);
  return reply ? json::parse(reply->body).as_object() : json::object();
}

json::object Rig::ledger() {
  return ask_gateway("/ledger");
}

uint32_t Rig::calls() {
  const json::object answer = ask_gateway("/ledger?calls=0");
  const json::value* total = answer.if_contains("calls_total");
  return total == nullptr ? UINT32_MAX : total->to_number<uint32_t>();
}

void Rig::wait_for_a_call() {
  while (calls() == 0)
    ASSERT_EQ(call("GET", "/healthz").status, 200);
}

int Rig::command(std::vector<std::string> arguments, std::string* output) {
  arguments.insert(arguments.begin(), weir_binary());
  arguments.insert(arguments.end(), {"--socket", folder_ + "/weir.sock"});
  return run_to_end(arguments, output);
}

}  // namespace weir::test
