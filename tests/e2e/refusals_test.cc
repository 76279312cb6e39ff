// SPDX-License-Identifier: Apache-2.0
//
// Every refusal that the API's manual lists, from the real binary: its code, the status that the
// manual gives it, and when to come back where that is promised.
#include <csignal>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "tests/e2e/rig.h"
#include "tests/support/raw_client.h"

namespace weir::test {
namespace {

namespace json = boost::json;
using Answer = std::optional<RawResponse>;

const std::string kShopKey = "shop-key-0123456789abcdef";

std::string text_of(const std::string& path) {
  std::ifstream file(std::string(WEIR_SOURCE_DIR) + "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// By code: the status under its heading.
std::map<std::string, int> refusals_of_the_manual() {
  std::map<std::string, int> found;
  std::istringstream manual(text_of("shim/front/API.md"));
  std::string code;
  for (std::string line; std::getline(manual, line);) {
    if (line.starts_with("#### ")) {
      code = line.substr(5);
    } else if (!code.empty() && !line.empty()) {
      found[code] = std::stoi(line);
      code.clear();
    }
  }
  return found;
}

std::set<std::string> codes_of_openapi() {
  const std::string text = text_of("shim/front/openapi.yaml");
  const size_t problem = text.rfind("\n    Problem:\n");
  const size_t first = text.find("enum: [", text.find("code:", problem)) + 7;
  std::string list = text.substr(first, text.find(']', first) - first);
  for (char& one : list) {
    if (one == ',') one = ' ';
  }
  std::istringstream words(list);
  std::set<std::string> codes;
  for (std::string word; words >> word;)
    codes.insert(word);
  return codes;
}

// A weir with little of everything: 20 units/s, five connections, one producer with a small quota,
// a class whose window is closed now, and one for each bound of a guard.
RigOptions little_of_everything() {
  RigOptions options;
  options.rate = "20";
  options.capacity = "10s";
  options.listen = {"require_key: true",
                    "limits: {connections: 5, body_bytes: 1KiB, all_bodies_bytes: 1KiB,",
                    "         head_bytes: 1KiB, head_time: 100ms}"};
  options.tcp = "127.0.0.1:0";
  const std::time_t now = std::time(nullptr);
  const bool morning = std::gmtime(&now)->tm_hour < 12;
  options.classes +=
      "  flash: {lane: promotional, policy: buffer, deadline: {after: 10m},\n"
      "    window: {zone: UTC, at_close: shed, " +
      std::string(morning ? R"(open: "22:00", close: "23:00"}})"
                          : R"(open: "01:00", close: "02:00"}})") +
      "\n";
  const std::map<std::string, std::string> guards = {
      {"cooling", "resend_cooldown: 1h"},
      {"for_one", "resend_cooldown: 0s, max_per_recipient_per_hour: 1"},
      {"alike", "max_per_prefix_per_hour: 1, prefix_digits: 7"},
      {"few", "max_per_hour: 1"},
      {"abroad", R"(allowed_prefixes: ["+49"])"},
  };
  for (const auto& [name, guard] : guards) {
    options.classes += "  " + name + ": {lane: transactional, policy: buffer, " +
                       "deadline: {after: 10m}, guard: {" + guard + "}}\n";
  }
  options.more = "lanes:\n  promotional: {max_rows: 2}\n";
  return options;
}

class Weir {
 public:
  Weir() : rig(little_of_everything()) {
    const std::string path = rig.folder() + "/shop.key";
    std::ofstream(path) << kShopKey << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_read);
    std::ofstream more(rig.config(), std::ios::app);
    more << "producers:\n  shop:\n    key: {file: " << path << "}\n"
         << "    classes: [transaction_alert]\n    rate_units_per_s: 0.02\n    capacity: 100s\n";
    more.close();
    rig.start_weir();
  }

  RawClient connect() const { return RawClient::unix_socket(rig.folder() + "/weir.sock"); }
  Answer ask(const std::string& bytes) const { return connect().ask(bytes); }
  Answer get(const std::string& path, const std::string& fields = "") const {
    return ask("GET " + path + " HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n");
  }
  static std::string request(const std::string& path, const std::string& body,
                             const std::string& fields = "") {
    return "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + fields +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }
  Answer post(const std::string& path, const std::string& body) const {
    return ask(request(path, body));
  }
  // As the shop.
  Answer post_as_shop(const std::string& body) const {
    return ask(request("/v1/messages", body, "Authorization: Bearer " + kShopKey + "\r\n"));
  }
  static std::string message(const std::string& class_name, int number = 0,
                             const std::string& more = "") {
    return R"({"class":")" + class_name + R"(","to":"+9198765)" + std::to_string(10'000 + number) +
           R"(","body":"hello")" + more + "}";
  }
  // Asks on until something else than 202 comes.
  Answer first_refusal(const std::string& class_name) const {
    for (int number = 0; number < 1000; ++number) {
      const Answer answer = post("/v1/messages", message(class_name, number));
      if (!answer || answer->status != 202) return answer;
    }
    return std::nullopt;
  }
  // The first has number 0.
  Answer second(const std::string& class_name, int number) const {
    const Answer first = post("/v1/messages", message(class_name));
    EXPECT_TRUE(first && first->status == 202);
    return post("/v1/messages", message(class_name, number));
  }
  std::string submitted_message() {
    const std::string id = rig.send("transaction_alert", 1).value_or("");
    EXPECT_EQ(rig.settled(id), "submitted");
    return id;
  }

  Rig rig;
};

Answer shows_no_key(Weir& weir) {
  const std::string line = weir.rig.weir().wait_for_line("listening on http://127.0.0.1:");
  const int port = std::stoi("0" + line.substr(line.rfind(':') + 1));
  return RawClient::tcp(static_cast<uint16_t>(port))
      .ask("GET /v1/lanes HTTP/1.1\r\nHost: x\r\n\r\n");
}

Answer takes_every_connection(Weir& weir) {
  std::vector<RawClient> held;
  for (int i = 0; i < 5; ++i) {
    held.push_back(weir.connect());
    // Answered, so it was taken.
    EXPECT_TRUE(held.back().ask("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"));
  }
  return weir.connect().read_response();
}

Answer fills_all_bodies(Weir& weir) {
  RawClient first = weir.connect();
  EXPECT_TRUE(
      first.send("POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Type: application/json"
                 "\r\nContent-Length: 1000\r\n\r\n" +
                 std::string(990, ' ')));
  return weir.first_refusal("delivery_update");  // once that is read
}

// Two that come in one read of the same turn of the loop, or of the next.
Answer copies_twice(Weir& weir) {
  for (int copy = 0; copy < 1000; ++copy) {
    RawClient one = weir.connect();
    RawClient other = weir.connect();
    EXPECT_TRUE(one.send(Weir::request("/v1/db/check", "{}")));
    EXPECT_TRUE(other.send(Weir::request("/v1/db/check", "{}")));
    const Answer first = one.read_response();
    const Answer second = other.read_response();
    if (!first || first->status != 200) return first;
    if (!second || second->status != 200) return second;
  }
  return std::nullopt;
}

Answer stops_amid_a_request(Weir& weir) {
  RawClient client = weir.connect();
  EXPECT_TRUE(client.ask("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"));
  EXPECT_TRUE(
      client.send("POST /v1/messages HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
                  "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n"));
  EXPECT_EQ(client.read_response().value_or(RawResponse{}).status, 100);
  weir.rig.weir().signal(SIGTERM);
  return client.read_response();
}

struct Provoked {
  const char* code;
  Answer (*ask)(Weir& weir);
};

const Provoked kProvoked[] = {
    {"malformed", [](Weir& weir) { return weir.post("/v1/messages", "{"); }},
    {"unauthorized", shows_no_key},
    {"not_allowed",
     [](Weir& weir) {
       return weir.get("/v1/lanes", "Authorization: Bearer " + kShopKey + "\r\n");
     }},
    {"not_found", [](Weir& weir) { return weir.get("/v1/messages/m999"); }},
    {"method_not_allowed", [](Weir& weir) { return weir.get("/v1/cost"); }},
    {"request_timeout", [](Weir& weir) { return weir.ask("GET /healthz HTTP/1.1\r\n"); }},
    {"too_large", [](Weir& weir) { return weir.post("/v1/messages", std::string(2000, ' ')); }},
    {"unsupported_media_type",
     [](Weir& weir) {
       return weir.ask(
           "POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n"
           "Content-Length: 2\r\n\r\n{}");
     }},
    {"expectation_failed",
     [](Weir& weir) { return weir.get("/healthz", "Expect: the-unexpected\r\n"); }},
    {"head_too_large",
     [](Weir& weir) { return weir.get("/healthz", "X: " + std::string(2000, 'x') + "\r\n"); }},
    {"not_implemented",
     [](Weir& weir) { return weir.ask("BREW /healthz HTTP/1.1\r\nHost: x\r\n\r\n"); }},
    {"too_many_connections", takes_every_connection},
    {"busy", fills_all_bodies},
    {"not_unknown",
     [](Weir& weir) {
       return weir.post("/v1/messages/" + weir.submitted_message() + "/resolve",
                        R"({"outcome":"submitted","evidence":"seen"})");
     }},
    {"not_pending",
     [](Weir& weir) {
       return weir.post("/v1/messages/" + weir.submitted_message() + "/cancel", "");
     }},
    {"not_quarantined", [](Weir& weir) { return weir.post("/v1/quarantine/release", ""); }},
    {"db_busy", copies_twice},
    {"ceiling_reached",
     [](Weir& weir) {
       return weir.post("/v1/acquire", R"({"class":"transaction_alert","cost_units":150})");
     }},
    {"invalid", [](Weir& weir) { return weir.post("/v1/messages", "{}"); }},
    {"deadline_passed",
     [](Weir& weir) {
       return weir.post("/v1/messages",
                        Weir::message("otp", 0, R"(,"deadline":"2020-01-01T00:00:00Z")"));
     }},
    {"cost_exceeds_bucket",
     [](Weir& weir) {
       return weir.post("/v1/acquire", R"({"class":"transaction_alert","cost_units":1000000})");
     }},
    {"key_reused",
     [](Weir& weir) {
       const std::string key = R"(,"key":"order-1")";
       EXPECT_TRUE(weir.post("/v1/messages", Weir::message("delivery_update", 1, key)));
       return weir.post("/v1/messages", Weir::message("delivery_update", 2, key));
     }},
    {"outside_window",
     [](Weir& weir) { return weir.post("/v1/messages", Weir::message("flash")); }},
    {"class_not_allowed", [](Weir& weir) { return weir.post_as_shop(Weir::message("otp")); }},
    {"over_quota",
     [](Weir& weir) {
       for (int i = 0; i < 2; ++i)
         EXPECT_TRUE(weir.post_as_shop(Weir::message("transaction_alert", i)));
       return weir.post_as_shop(Weir::message("transaction_alert", 2));
     }},
    {"deadline_unreachable", [](Weir& weir) { return weir.first_refusal("otp"); }},
    {"lane_full",
     [](Weir& weir) {
       EXPECT_TRUE(weir.post("/v1/lanes/promotional/pause", R"({"reason":"a test"})"));
       return weir.first_refusal("promotional");
     }},
    {"recipient_cooldown", [](Weir& weir) { return weir.second("cooling", 0); }},
    {"recipient_cap", [](Weir& weir) { return weir.second("for_one", 0); }},
    {"prefix_cap", [](Weir& weir) { return weir.second("alike", 1); }},
    {"class_cap", [](Weir& weir) { return weir.second("few", 1); }},
    {"destination_not_allowed",
     [](Weir& weir) { return weir.post("/v1/messages", Weir::message("abroad")); }},
    {"draining", stops_amid_a_request},
    {"lane_draining",
     [](Weir& weir) {
       EXPECT_TRUE(weir.post("/v1/lanes/otp/drain", R"({"reason":"a test"})"));
       return weir.post("/v1/messages", Weir::message("otp"));
     }},
    {"class_draining",
     [](Weir& weir) {
       EXPECT_TRUE(weir.post("/v1/classes/otp/drain", R"({"reason":"a test"})"));
       return weir.post("/v1/messages", Weir::message("otp"));
     }},
};

void expect_as_in_the_manual(const std::string& code, const Answer& answer) {
  ASSERT_TRUE(answer);
  const auto manual = refusals_of_the_manual();
  ASSERT_TRUE(manual.contains(code));
  EXPECT_EQ(answer->status, manual.at(code)) << answer->body;
  EXPECT_EQ(answer->header("content-type"), "application/problem+json");
  const json::value body = json::parse(answer->body);
  EXPECT_EQ(body.at("code").as_string(), code) << answer->body;
  EXPECT_EQ(body.at("status").as_int64(), answer->status);
  if (answer->status == 503 || answer->status == 429) {
    EXPECT_THAT(answer->header("retry-after"), testing::MatchesRegex("[1-9][0-9]*"));
    const int64_t exact = body.at("retry_after_ms").as_int64();
    EXPECT_EQ(answer->header("retry-after"),
              std::to_string(std::max<int64_t>((exact + 999) / 1000, 1)));
  } else {
    EXPECT_EQ(answer->header("retry-after"), "");
  }
}

class Refusals : public testing::TestWithParam<Provoked> {};

TEST_P(Refusals, AsInTheManual) {
  Weir weir;
  expect_as_in_the_manual(GetParam().code, GetParam().ask(weir));
}

INSTANTIATE_TEST_SUITE_P(All, Refusals, testing::ValuesIn(kProvoked),
                         [](const auto& one) { return std::string(one.param.code); });

// These need a database in trouble.
TEST(RefusalsOfADatabase, ThatTakesNothing) {
  RigOptions options;
  options.in_memory = true;  // where there is never that much
  options.store = {"min_free: 1024GiB"};
  Rig rig(options);
  rig.start_weir();
  rig.wait_for_readyz(503);  // it has looked at the disk
  expect_as_in_the_manual("store_unavailable",
                          RawClient::unix_socket(rig.folder() + "/weir.sock")
                              .ask(Weir::request("/v1/messages", Weir::message("otp"))));
}

// While weir is stopped somebody has taken the recipients out of a message that waits.
TEST(RefusalsOfADatabase, ThatIsDamaged) {
  Rig rig;
  rig.start_weir();
  ASSERT_EQ(rig.call("POST", "/v1/lanes/transactional/pause", R"({"reason":"a test"})").status,
            200);
  ASSERT_TRUE(rig.send("delivery_update", 1));
  rig.weir().signal(SIGTERM);
  ASSERT_EQ(rig.weir().wait(), 0);
  sqlite3* raw = nullptr;
  ASSERT_EQ(sqlite3_open((rig.folder() + "/weir.db").c_str(), &raw), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(raw, "DELETE FROM batch_recipients", nullptr, nullptr, nullptr),
            SQLITE_OK);
  EXPECT_EQ(sqlite3_changes(raw), 1);
  sqlite3_close(raw);
  rig.start_weir();
  const std::string backup = R"({"path":")" + rig.folder() + R"(/copy.db"})";
  expect_as_in_the_manual("copy_damaged", RawClient::unix_socket(rig.folder() + "/weir.sock")
                                              .ask(Weir::request("/v1/db/backup", backup)));
  EXPECT_FALSE(std::filesystem::exists(rig.folder() + "/copy.db"));
}

TEST(RefusalsOfTheManual, AreThoseThatAreTestedAndThoseOfTheDescription) {
  std::set<std::string> tested = {"store_unavailable", "copy_damaged"};
  for (const Provoked& one : kProvoked)
    tested.insert(one.code);
  std::set<std::string> listed;
  for (const auto& [code, status] : refusals_of_the_manual())
    listed.insert(code);
  EXPECT_EQ(listed, tested);
  EXPECT_EQ(listed, codes_of_openapi());
}

}  // namespace
}  // namespace weir::test
