// SPDX-License-Identifier: Apache-2.0
//
// Producers with keys over TCP: what each may send, over its quota, and that no key is ever shown.
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/rig.h"
#include "tests/support/raw_client.h"

namespace weir::test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

const std::string kShop = "shop-zq-0123456789abcdef";
const std::string kCrm = "crm-zq-0123456789abcdef";
const std::string kWrong = "wrong-zq-0123456789abcdef";

// The shop may send two classes, 20 units at once and a fiftieth of one a second after that; the
// CRM may have 5 units waiting. weir listens on all addresses, as other machines would reach it.
class Producers : public testing::Test {
 protected:
  Producers() : rig_(options()) {
    write("shop.key", kShop);
    write("crm.key", kCrm);
    write("wrong.key", kWrong);
    std::ofstream more(rig_.config(), std::ios::app);
    more << "producers:\n  shop:\n    key: {file: " << rig_.folder() << "/shop.key}\n"
         << "    classes: [transaction_alert, delivery_update]\n"
         << "    rate_units_per_s: 0.02\n    capacity: 1000s\n"
         << "  crm: {key: {file: " << rig_.folder() << "/crm.key}, classes: all, max_units: 5}\n";
    more.close();
    rig_.start_weir();
    find_port();
  }

  void find_port() {
    const std::string line = rig_.weir().wait_for_line("listening on http://0.0.0.0:");
    port_ = static_cast<uint16_t>(std::stoi("0" + line.substr(line.rfind(':') + 1)));
  }

  static RigOptions options() {
    RigOptions options;
    options.tcp = "0.0.0.0:0";
    return options;
  }
  void write(const std::string& name, const std::string& key) {
    const std::string path = rig_.folder() + "/" + name;
    std::ofstream(path) << key << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_read);
  }
  RawResponse post(const std::string& key, const std::string& class_name, int recipients = 1) {
    std::string to;
    for (int i = 0; i < recipients; ++i)
      to += (i == 0 ? "\"" : ",\"") + std::string("+9198765") + std::to_string(10'000 + i) + "\"";
    const std::string json =
        R"({"class":")" + class_name + R"(","to":[)" + to + R"(],"body":"hello"})";
    const std::string field = key.empty() ? "" : "Authorization: Bearer " + key + "\r\n";
    const auto answer = RawClient::tcp(port_).ask(
        "POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + field +
        "Content-Length: " + std::to_string(json.size()) + "\r\n\r\n" + json);
    EXPECT_TRUE(answer);
    const RawResponse found = answer.value_or(RawResponse{});
    EXPECT_THAT(found.body, Not(HasSubstr("zq-0123")));
    return found;
  }
  // The command, by TCP.
  int run(std::vector<std::string> arguments, const std::string& key_file, std::string* output) {
    arguments.insert(arguments.begin(), weir_binary());
    arguments.insert(arguments.end(), {"--url", "http://127.0.0.1:" + std::to_string(port_)});
    if (!key_file.empty()) {
      arguments.insert(arguments.end(), {"--key-file", rig_.folder() + "/" + key_file});
    }
    return run_to_end(arguments, output);
  }

  Rig rig_;
  uint16_t port_ = 0;
};

TEST_F(Producers, SendTheirClassesWithTheirKeyAndNothingElse) {
  EXPECT_EQ(post("", "transaction_alert").status, 401);
  EXPECT_EQ(post(kWrong, "transaction_alert").status, 401);
  EXPECT_EQ(post(kShop, "transaction_alert").status, 202);
  const RawResponse otp = post(kShop, "otp");
  EXPECT_EQ(otp.status, 403);
  EXPECT_THAT(otp.body, HasSubstr(R"("code":"class_not_allowed")"));
  EXPECT_TRUE(rig_.send("otp", 1)) << "over the socket the file's permissions decide";
  rig_.weir().signal(SIGTERM);
  rig_.weir().wait();
  EXPECT_THAT(rig_.weir().output(), Not(HasSubstr("zq-0123")));
}

TEST_F(Producers, OverTheirQuotaAreToldSoAndOthersAreNotTouched) {
  EXPECT_EQ(post(kShop, "transaction_alert", 20).status, 202);
  const RawResponse over = post(kShop, "transaction_alert");
  EXPECT_EQ(over.status, 429);
  EXPECT_THAT(over.body, HasSubstr(R"("code":"over_quota")"));
  EXPECT_THAT(over.header("retry-after"), MatchesRegex("[1-9][0-9]*"));
  EXPECT_TRUE(rig_.send("transaction_alert", 1));
  const ApiReply metrics = rig_.call("GET", "/metrics");
  EXPECT_THAT(metrics.body, HasSubstr("weir_producer_offered_units_total{producer=\"shop\"} 21\n"));
  EXPECT_THAT(metrics.body, HasSubstr("weir_refused_total{code=\"over_quota\"} 1\n"));
}

TEST_F(Producers, ThatHaveTooMuchWaitingAreToldSoAlsoAfterACrashUntilItIsSent) {
  ASSERT_EQ(rig_.command({"pause", "--lane", "transactional", "--reason", "a look"}), 0);
  EXPECT_EQ(post(kCrm, "transaction_alert", 5).status, 202);
  EXPECT_EQ(post(kCrm, "transaction_alert", 6).status, 422) << "that can never be";
  EXPECT_EQ(post(kShop, "transaction_alert").status, 202);
  for (const bool crashed : {false, true}) {
    if (crashed) {
      rig_.kill_and_restart();
      find_port();
    }
    const RawResponse over = post(kCrm, "transaction_alert");
    EXPECT_EQ(over.status, 429);
    EXPECT_THAT(over.body, HasSubstr(R"("code":"over_quota")"));
    EXPECT_THAT(over.body, HasSubstr("has 5 units waiting, and its max_units is 5"));
    EXPECT_THAT(over.header("retry-after"), MatchesRegex("[1-9][0-9]*"));
    EXPECT_THAT(rig_.call("GET", "/metrics").body,
                HasSubstr("weir_producer_unsettled_units{producer=\"crm\"} 5\n"));
  }
  ASSERT_EQ(rig_.command({"resume", "--lane", "transactional"}), 0);
  rig_.wait_until_idle();
  EXPECT_EQ(post(kCrm, "transaction_alert", 5).status, 202);
}

TEST_F(Producers, GiveTheCommandTheirKeyInAFile) {
  std::string output;
  const std::vector<std::string> send = {"send", "--class",       "transaction_alert",
                                         "--to", "+919876543210", "hello"};
  EXPECT_EQ(run(send, "shop.key", &output), 0) << output;
  EXPECT_NE(run(send, "", &output), 0);
  EXPECT_THAT(output, HasSubstr("key of a producer"));
  EXPECT_NE(run(send, "wrong.key", &output), 0);
  EXPECT_NE(run({"status"}, "shop.key", &output), 0) << "that is for operators";
  EXPECT_NE(run(send, "none.key", &output), 0);
  EXPECT_THAT(output, HasSubstr("--key-file"));
  EXPECT_THAT(output, Not(HasSubstr("zq-0123")));
}

}  // namespace
}  // namespace weir::test
