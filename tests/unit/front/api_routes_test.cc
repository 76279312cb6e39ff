// SPDX-License-Identifier: Apache-2.0
//
// Paths and methods, and that the documents list exactly those.

#include <fstream>
#include <map>
#include <sstream>
#include <string>

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
  const Row rows[] = {{"GET", "/v1/messages", "POST"},    {"PUT", "/v1/messages", "POST"},
                      {"POST", "/v1/messages/m1", "GET"}, {"DELETE", "/v1/messages/m1", "GET"},
                      {"GET", "/v1/cost", "POST"},        {"POST", "/healthz", "GET"},
                      {"OPTIONS", "/v1/lanes", "GET"},    {"PATCH", "/metrics", "GET"}};
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

// path -> methods, as openapi.yaml lists them: "  /path:" and below it "    method:".
std::map<std::string, std::string> documented_routes(const std::string& openapi) {
  std::map<std::string, std::string> routes;
  std::istringstream lines(openapi.substr(0, openapi.find("\ncomponents:")));
  std::string path;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("  /", 0) == 0) path = line.substr(2, line.size() - 3);
    for (const char* method : {"GET", "POST", "PUT", "DELETE", "PATCH"}) {
      std::string key = std::string("    ") + method + ":";
      for (char& c : key)
        c = static_cast<char>(std::tolower(c));
      if (line != key) continue;
      routes[path] += (routes[path].empty() ? "" : ", ") + std::string(method);
    }
  }
  return routes;
}

TEST(ApiRoutes, AreThoseOfTheDocuments) {
  ApiHost host;
  const std::string manual = text_of("shim/front/API.md");
  const auto routes = documented_routes(text_of("shim/front/openapi.yaml"));
  EXPECT_EQ(routes.size(), 9u);
  for (const auto& [path, methods] : routes) {
    std::string concrete = path;
    if (const size_t id = concrete.find("{id}"); id != concrete.npos) concrete.replace(id, 4, "m1");
    // No route takes OPTIONS, so the server says what it takes.
    const RawResponse response = host.ask("OPTIONS " + concrete + " HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(response.status, 405) << path;
    EXPECT_EQ(response.header("allow"), methods) << path;
    EXPECT_THAT(manual, HasSubstr("### " + methods + " " + path + "\n"));
  }
  size_t headings = 0;
  for (size_t at = manual.find("\n### "); at != manual.npos; at = manual.find("\n### ", at + 1)) {
    headings += manual.compare(at + 5, 4, "GET ") == 0 || manual.compare(at + 5, 5, "POST ") == 0;
  }
  EXPECT_EQ(headings, routes.size());
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
  thread.run([&] {
    EngineOptions engine;
    ApiBackend backend;
    backend.engine = &engine;
    ApiOptions options;
    options.tcp = false;
    Api api(thread.loop(), options, backend);
    EXPECT_FALSE(api.listen());
    bool closed = false;
    api.close([&] { closed = true; });
    EXPECT_TRUE(closed);
  });
  EXPECT_EQ(thread.finish(), 0);
}

}  // namespace
}  // namespace weir::test
