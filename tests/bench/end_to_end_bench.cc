// SPDX-License-Identifier: Apache-2.0
//
// What weir costs beside the bare libraries under it, in one run on one machine:
//   accepts/s  64 producers over its socket, each waiting for its 202  /  SQLite alone committing
//              the same rows in groups of 64
//   sends/s    its queue draining into the fake gateway at 64 in flight  /  a bare curl-multi loop
//              at 64 in flight against the same gateway
// The load generator and the gateway share the two cores with weir; the baselines have them alone
// (SQLite) or share them with the gateway (curl). So the ratios understate weir.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <curl/curl.h>
#include <sqlite3.h>

#include "tests/e2e/rig.h"
#include "tests/support/raw_client.h"

namespace weir::test {
namespace {

namespace json = boost::json;

constexpr int kProducers = 64;
constexpr int kAccepts = 20'000;
constexpr int kSends = 6'000;
constexpr const char* kBody = "Your parcel arrives today between 10 and 12. Reply STOP to end.";

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string request_text(int number, const std::string& extra = "") {
  const std::string body = R"({"class":"promotional","to":"+)" +
                           std::to_string(910'000'000'000 + number) + R"(","body":")" + kBody +
                           R"(","key":"bench-)" + std::to_string(number) + '"' + extra + "}";
  return "POST /v1/messages HTTP/1.1\r\nHost: weir\r\nContent-Type: application/json\r\n"
         "Content-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

int post_all(const Rig& rig, int count, const std::string& extra = "") {
  std::atomic<int> next{0};
  std::atomic<int> accepted{0};
  std::vector<std::thread> producers;
  for (int p = 0; p < kProducers; ++p) {
    producers.emplace_back([&] {
      RawClient client = RawClient::unix_socket(rig.folder() + "/weir.sock");
      for (int i = next++; i < count; i = next++) {
        const auto answer = client.ask(request_text(i, extra));
        if (answer && answer->status == 202) accepted += 1;
      }
    });
  }
  for (std::thread& producer : producers)
    producer.join();
  return accepted;
}

double weir_accepts() {
  RigOptions options;
  options.rate = "10";  // sending shall not take part
  options.capacity = "10s";
  Rig rig(options);
  rig.start_weir();
  const auto start = std::chrono::steady_clock::now();
  const int accepted = post_all(rig, kAccepts);
  const double rate = accepted / seconds_since(start);
  if (accepted != kAccepts) std::printf("only %d of %d were accepted\n", accepted, kAccepts);
  return rate;
}

void must(int code, sqlite3* database) {
  if (code == SQLITE_OK || code == SQLITE_DONE) return;
  std::fprintf(stderr, "baseline: %s\n", sqlite3_errmsg(database));
  std::exit(1);
}

sqlite3_stmt* prepared(sqlite3* database, const char* sql) {
  sqlite3_stmt* statement = nullptr;
  must(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr),
       database);
  return statement;
}

// The four rows of one message, as weir writes them.
struct Rows {
  explicit Rows(sqlite3* opened)
      : database(opened),
        message(
            prepared(database,
                     "INSERT INTO message (class, lane, priority, encoding, units, segments, "
                     "recipients, cost, created, deadline, not_before, key, hash_high, "
                     "hash_low, test, first_batch, last_batch, open_batches) VALUES "
                     "('promotional', 2, 5, 0, 64, 1, 1, 1000000, 1796000000000, 1796086400000, 0, "
                     "?1, ?2, ?3, 0, ?2, ?2, 1)")),
        text(prepared(database,
                      "INSERT INTO text (id, uses, body, params) VALUES (?1, 1, ?2, x'')")),
        batch(prepared(database,
                       "INSERT INTO batch (id, message_id, lane, class, priority, state, cost, "
                       "recipients, attempt, not_before, eligible, deadline) VALUES (?1, ?1, 2, "
                       "'promotional', 5, 0, 1000000, 1, 0, 0, 1796000000000, 1796086400000)")),
        recipients(prepared(database, "INSERT INTO batch_recipients VALUES (?1, ?2)")) {}
  ~Rows() {
    for (sqlite3_stmt* one : {message, text, batch, recipients})
      sqlite3_finalize(one);
  }

  void insert(int number) {
    const std::string key = "bench-" + std::to_string(number);
    const int64_t phone = 910'000'000'000 + number;
    sqlite3_bind_text(message, 1, key.c_str(), -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(message, 2, number + 1);
    sqlite3_bind_int64(message, 3, number * 7919);
    run(message);
    sqlite3_bind_int64(text, 1, number + 1);
    sqlite3_bind_text(text, 2, kBody, -1, SQLITE_STATIC);
    run(text);
    sqlite3_bind_int64(batch, 1, number + 1);
    run(batch);
    sqlite3_bind_int64(recipients, 1, number + 1);
    sqlite3_bind_blob(recipients, 2, &phone, sizeof phone, SQLITE_TRANSIENT);
    run(recipients);
  }

 private:
  void run(sqlite3_stmt* statement) {
    must(sqlite3_step(statement), database);
    sqlite3_reset(statement);
  }
  sqlite3* database;
  sqlite3_stmt* message;
  sqlite3_stmt* text;
  sqlite3_stmt* batch;
  sqlite3_stmt* recipients;
};

double bare_sqlite() {
  Rig rig;
  rig.start_weir();  // makes the tables
  rig.weir().signal(SIGTERM);
  rig.weir().wait();
  sqlite3* database = nullptr;
  must(sqlite3_open((rig.folder() + "/weir.db").c_str(), &database), database);
  must(sqlite3_exec(database,
                    "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL;"
                    "PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=2000;"
                    "PRAGMA cache_size=-32768",
                    nullptr, nullptr, nullptr),
       database);
  double rate = 0;
  {
    Rows rows(database);
    const auto start = std::chrono::steady_clock::now();
    for (int number = 0; number < kAccepts;) {
      must(sqlite3_exec(database, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), database);
      for (int i = 0; i < kProducers && number < kAccepts; ++i)
        rows.insert(number++);
      must(sqlite3_exec(database, "COMMIT", nullptr, nullptr, nullptr), database);
    }
    rate = kAccepts / seconds_since(start);
  }
  sqlite3_close(database);
  return rate;
}

RigOptions fast_gateway() {
  RigOptions options;
  options.rate = "1000000";
  options.capacity = "1s";
  options.gateway = {"--ceiling", "1000000000", "--latency", "0ms"};
  options.more = "lanes:\n  promotional:\n    slots: 64\n";
  return options;
}

// Everything becomes due at one instant; the gateway's own clock says how long the rest took.
double weir_sends() {
  Rig rig(fast_gateway());
  rig.start_weir();
  const std::time_t due = std::time(nullptr) + 20;
  char when[32];
  std::strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&due));
  post_all(rig, kSends, std::string(R"(,"not_before":")") + when + '"');
  rig.wait_until_idle();
  const json::object ledger = rig.ledger();
  const json::array& calls = ledger.at("calls").as_array();
  if (calls.size() != kSends) std::printf("only %zu of %d were sent\n", calls.size(), kSends);
  const double took_us = static_cast<double>(calls.back().at("at_us").to_number<int64_t>() -
                                             calls.front().at("at_us").to_number<int64_t>());
  return static_cast<double>(calls.size()) / (took_us / 1e6);
}

size_t discard(char*, size_t size, size_t count, void*) {
  return size * count;
}

double bare_curl() {
  Rig rig(fast_gateway());
  const std::string url = "http://127.0.0.1:" + std::to_string(rig.gateway_port()) + "/SMSApi/send";
  const std::string form = std::string("sendMethod=quick&mobile=910000000001&msg=") +
                           "Your%20parcel%20arrives%20today%20between%2010%20and%2012.%20Reply" +
                           "%20STOP%20to%20end.&msgType=text&duplicatecheck=true&output=json";
  CURLM* multi = curl_multi_init();
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 128L);
  int started = 0;
  std::vector<CURL*> handles;
  for (int i = 0; i < kProducers; ++i, ++started) {
    CURL* easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, form.c_str());
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, discard);
    curl_multi_add_handle(multi, easy);
    handles.push_back(easy);
  }
  const auto start = std::chrono::steady_clock::now();
  int done = 0;
  while (done < kSends) {
    int running = 0;
    curl_multi_perform(multi, &running);
    int left = 0;
    while (CURLMsg* message = curl_multi_info_read(multi, &left)) {
      CURL* easy = message->easy_handle;
      done += 1;
      curl_multi_remove_handle(multi, easy);
      if (started < kSends) {
        curl_multi_add_handle(multi, easy);
        started += 1;
      }
    }
    if (done < kSends) curl_multi_poll(multi, nullptr, 0, 100, nullptr);
  }
  const double rate = kSends / seconds_since(start);
  for (CURL* easy : handles)
    curl_easy_cleanup(easy);
  curl_multi_cleanup(multi);
  return rate;
}

// Pairs in turn, so that a machine that slows down slows both.
void compare(const char* what, const char* baseline, double (*ours)(), double (*theirs)()) {
  std::vector<double> ratios;
  std::printf("%s against %s\n", what, baseline);
  for (int round = 0; round < 3; ++round) {
    const double base = theirs();
    const double mine = ours();
    ratios.push_back(mine / base);
    std::printf("  round %d: %9.0f /s   %9.0f /s   ratio %.2f\n", round + 1, mine, base,
                ratios.back());
  }
  std::sort(ratios.begin(), ratios.end());
  std::printf("  median ratio %.2f\n", ratios[1]);
}

}  // namespace
}  // namespace weir::test

int main() {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  weir::test::compare("accepted messages (64 producers)", "bare SQLite, groups of 64",
                      weir::test::weir_accepts, weir::test::bare_sqlite);
  weir::test::compare("sent requests (64 in flight)", "a bare curl-multi loop",
                      weir::test::weir_sends, weir::test::bare_curl);
}
