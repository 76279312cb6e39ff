// SPDX-License-Identifier: Apache-2.0
//
// Paths and methods, and that the documents list exactly those.

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/front/api_host.h"

namespace weir::test {
namespace {

using ::testing::HasSubstr;

std::string text_of(const std::string& path) {
  std::ifstream file(std::string(WEIR_SOURCE_DIR) + "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(ApiRoutes, UnknownPathsAre404) {
  ApiHost host;
  for (const char* path :
       {"/", "/v1", "/v1/", "/v1/message", "/v1/messages/", "/v1/messages/m1/x", "/V1/lanes",
        "/v1/lanes/", "//v1/lanes", "/v1/../healthz", "/favicon.ico"}) {
    const RawResponse response = host.get(path);
    EXPECT_EQ(response.status, 404) << path;
    EXPECT_THAT(response.body, HasSubstr("\"code\":\"not_found\""));
  }
}

TEST(ApiRoutes, AQueryChangesNothing) {
  ApiHost host;
  EXPECT_EQ(host.get("/healthz?verbose=1").status, 200);
}

TEST(ApiRoutes, WrongMethodsAre405WithAllow) {
  ApiHost host;
  struct Row {
    const char* method;
    const char* path;
    const char* allow;
  };
  const Row rows[] = {{"DELETE", "/v1/messages", "POST, GET"},
                      {"PUT", "/v1/messages", "POST, GET"},
                      {"GET", "/v1/messages/m1/resolve", "POST"},
                      {"GET", "/v1/messages/m1/cancel", "POST"},
                      {"GET", "/v1/cancel", "POST"},
                      {"GET", "/v1/lanes/otp/pause", "POST"},
                      {"PUT", "/v1/classes/otp/resume", "POST"},
                      {"GET", "/v1/db/check", "POST"},
                      {"POST", "/v1/db", "GET"},
                      {"GET", "/v1/quarantine/release", "POST"},
                      {"POST", "/v1/messages/m1", "GET"},
                      {"DELETE", "/v1/messages/m1", "GET"},
                      {"GET", "/v1/cost", "POST"},
                      {"POST", "/healthz", "GET"},
                      {"OPTIONS", "/v1/lanes", "GET"},
                      {"PATCH", "/metrics", "GET"},
                      {"POST", "/v1/templates", "GET"},
                      {"POST", "/v1/templates/a", "GET, PUT, DELETE"}};
  for (const Row& row : rows) {
    const RawResponse response =
        host.ask(std::string(row.method) + " " + row.path + " HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(response.status, 405) << row.method << " " << row.path;
    EXPECT_EQ(response.header("allow"), row.allow);
  }
  RawClient client = host.connect();
  client.send("HEAD /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client.read_response(true)->status, 405);
}

// As openapi.yaml lists them: "  /path:" and below it "    method:".
std::set<std::string> described_routes(const std::string& openapi) {
  std::set<std::string> routes;
  std::istringstream lines(openapi.substr(0, openapi.find("\ncomponents:")));
  std::string path;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("  /", 0) == 0) path = line.substr(2, line.size() - 3);
    if (line == "    get:") routes.insert("GET " + path);
    if (line == "    post:") routes.insert("POST " + path);
    if (line == "    put:") routes.insert("PUT " + path);
    if (line == "    delete:") routes.insert("DELETE " + path);
  }
  return routes;
}

// As API.md lists them: each under a heading of its own.
std::set<std::string> explained_routes(const std::string& manual) {
  std::set<std::string> routes;
  std::istringstream lines(manual);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("### ", 0) == 0) routes.insert(line.substr(4));
  }
  return routes;
}

TEST(ApiRoutes, AreThoseOfTheDocuments) {
  const std::vector<std::string> list = Api::routes();
  const std::set<std::string> routes(list.begin(), list.end());
  EXPECT_EQ(routes.size(), list.size());
  EXPECT_EQ(described_routes(text_of("shim/front/openapi.yaml")), routes);
  EXPECT_EQ(explained_routes(text_of("shim/front/API.md")), routes);
}

TEST(ApiRoutes, TheDescriptionIsServedFromTheProgram) {
  ApiHost host;
  const RawResponse response = host.get("/openapi.yaml");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.header("content-type"), "application/yaml");
  EXPECT_EQ(response.body, text_of("shim/front/openapi.yaml"));
}

TEST(ApiRoutes, ListeningNowhereIsAnError) {
  LoopThread thread;
  EngineOptions engine;
  std::unique_ptr<Api> api;
  thread.run([&] {
    ApiBackend backend;
    backend.engine = &engine;
    ApiOptions options;
    options.tcp = false;
    api = std::make_unique<Api>(thread.loop(), options, backend);
    EXPECT_FALSE(api->listen());
  });
  thread.run_until([&](std::function<void()> closed) { api->close(std::move(closed)); });
  thread.run([&] { api.reset(); });
  EXPECT_EQ(thread.finish(), 0);
}

}  // namespace
}  // namespace weir::test
