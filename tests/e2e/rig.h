// SPDX-License-Identifier: Apache-2.0
//
// Rig: the real binary against its fake gateway, in a folder of their own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "tests/support/process.h"
#include "tools/weir/api_client.h"

namespace weir::test {

// The default classes without a sending window, so that a test does the same at any hour.
inline const std::string kAtAnyHour = R"(classes:
  otp: {lane: otp, policy: shed, deadline: {after: 45s}}
  transaction_alert: {lane: transactional, policy: buffer, deadline: {after: 10m}}
  appointment_reminder: {lane: transactional, policy: buffer, deadline: {at: event_at}}
  delivery_update: {lane: transactional, policy: buffer, deadline: {after: 6h}}
  promotional: {lane: promotional, policy: buffer, deadline: {after: 24h}}
  whatsapp_session:
    {lane: transactional, policy: buffer, deadline: {at: session_expires_at, within: 24h}}
)";

struct RigOptions {
  std::string rate = "2000";  // units/s of weir's own ceiling
  std::string capacity = "1s";
  std::vector<std::string> ceiling;  // more settings of it, as "control: aimd"
  std::vector<std::string> gateway = {"--ceiling", "1000000", "--latency", "5ms"};
  std::string total_timeout = "10s";
  std::string drain_timeout = "12s";
  std::string tcp = "off";          // where it listens besides its socket
  std::vector<std::string> listen;  // more settings of that, as "require_key: true"
  std::string classes = kAtAnyHour;
  std::string more;  // YAML lines for the end of the file
  bool in_memory =
      false;  // the folder, where the system has such a place: syncs cost nothing there
  // The database gets a disk of its own of this size, as "16m"; see disk().
  std::string disk_size;
  std::vector<std::string> store;  // more settings of it, as "min_free: 0"
};

// Whether this machine lets a test mount a disk in memory.
bool can_mount();

class Rig {
 public:
  explicit Rig(RigOptions options = {});
  ~Rig();

  void start_gateway();
  void stop_gateway();
  // Returns when it takes requests.
  void start_weir();
  Process& weir() { return *weir_; }
  // Without waiting for it to be ready; `environment` as for a Process.
  std::unique_ptr<Process> launch_weir(const std::vector<std::string>& environment = {});

  ApiReply call(const std::string& method, const std::string& path, const std::string& body = "");
  // One recipient; the id of the message, or nothing when it was not accepted.
  std::optional<std::string> send(const std::string& class_name, uint64_t number,
                                  const std::string& body = "hello");
  boost::json::object message(const std::string& id);
  std::string state(const std::string& id);
  // Looks until the message has left pending and claimed; its state then.
  std::string settled(const std::string& id);
  // Whether no lane holds anything; nothing: weir did not answer, or not to the end.
  std::optional<bool> idle();
  // Looks until no lane holds anything.
  void wait_until_idle();
  // Looks until readyz is answered with this status; the answer's body.
  std::string wait_for_readyz(int status);
  // Ends weir with SIGKILL and starts it again.
  void kill_and_restart();
  boost::json::object ledger();
  // That the gateway has had; a number that no test reaches when it does not answer.
  uint32_t calls();
  // Looks until the gateway has had one, while weir is there.
  void wait_for_a_call();

  // Runs the command with --socket and returns its exit code.
  int command(std::vector<std::string> arguments, std::string* output = nullptr);

  const std::string& folder() const { return folder_; }
  uint16_t gateway_port() const { return gateway_port_; }
  std::string config() const { return folder_ + "/weir.yaml"; }
  // The folder of the database's own disk. Only the running weir has it mounted, so this leads
  // through its process, and the disk is gone when that ends.
  std::string disk() const;

 private:
  void write_config();
  boost::json::object ask_gateway(const std::string& path);

  RigOptions options_;
  std::string folder_;
  uint16_t gateway_port_ = 0;
  std::unique_ptr<Process> gateway_;
  std::unique_ptr<Process> weir_;
};

// The program under test.
std::string weir_binary();

}  // namespace weir::test
