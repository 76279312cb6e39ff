// SPDX-License-Identifier: Apache-2.0

#include "shim/front/unix_socket.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/unit/front/http_host.h"

namespace weir::test {
namespace {

class UnixSocketTest : public ::testing::Test {
 protected:
  UnixSocketTest() {
    std::string pattern = ::testing::TempDir() + "weir_unix_XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    path_ = folder_ + "/weir.sock";
  }
  ~UnixSocketTest() override { std::filesystem::remove_all(folder_); }

  Status listen(HttpHost& host, unsigned mode = 0660) {
    Status status = Error{"not called"};
    host.run([&] { status = host.server().listen_unix(path_, mode); });
    return status;
  }

  // As a killed process leaves it: bound once, and nobody there any more.
  void leave_stale_file() {
    const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path_.c_str(), sizeof address.sun_path - 1);
    ASSERT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    ::close(fd);
  }

  std::string folder_;
  std::string path_;
};

TEST_F(UnixSocketTest, ServesRequestsAndHasItsMode) {
  HttpHost host;
  const Status listening = listen(host, 0600);
  ASSERT_TRUE(listening) << listening.error().detail;
  struct stat file {};
  ASSERT_EQ(::lstat(path_.c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777, 0600u);
  RawClient client = RawClient::unix_socket(path_);
  const std::string request = "GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n";
  EXPECT_EQ(client.ask(request)->body, "GET /a? ");
  EXPECT_EQ(client.ask(request)->body, "GET /a? ");
}

TEST_F(UnixSocketTest, TheFileGoesWithTheServer) {
  HttpHost host;
  ASSERT_TRUE(listen(host));
  host.run([&] { host.server().stop_accepting(); });
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(UnixSocketTest, AStaleFileIsReplaced) {
  leave_stale_file();
  HttpHost host;
  const Status listening = listen(host);
  ASSERT_TRUE(listening) << listening.error().detail;
  EXPECT_TRUE(RawClient::unix_socket(path_).connected());
}

TEST_F(UnixSocketTest, AFileThatSomebodyListensOnIsLeftAlone) {
  HttpHost first;
  ASSERT_TRUE(listen(first));
  HttpHost second;
  const Status listening = listen(second);
  ASSERT_FALSE(listening);
  EXPECT_NE(listening.error().detail.find(path_), std::string::npos);
  EXPECT_NE(listening.error().detail.find("another process listens"), std::string::npos);
  second.close();
  EXPECT_EQ(RawClient::unix_socket(path_).ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n")->status, 200);
}

TEST_F(UnixSocketTest, AFileThatIsNoSocketIsLeftAlone) {
  std::ofstream(path_) << "precious";
  HttpHost host;
  const Status listening = listen(host);
  ASSERT_FALSE(listening);
  EXPECT_NE(listening.error().detail.find("is no socket"), std::string::npos);
  std::string word;
  std::ifstream(path_) >> word;
  EXPECT_EQ(word, "precious");
}

// A successor may have put its own file there; it must not lose it to us.
TEST_F(UnixSocketTest, TheFileOfASuccessorIsNotRemoved) {
  HttpHost old;
  ASSERT_TRUE(listen(old));
  std::filesystem::remove(path_);
  HttpHost successor;
  ASSERT_TRUE(listen(successor));
  old.close();
  EXPECT_TRUE(RawClient::unix_socket(path_).connected());
}

TEST_F(UnixSocketTest, PathsThatCannotBeAreErrors) {
  HttpHost host;
  path_ = folder_ + "/" + std::string(120, 'x');
  const Status too_long = listen(host);
  ASSERT_FALSE(too_long);
  EXPECT_NE(too_long.error().detail.find("107 bytes"), std::string::npos);
  path_ = folder_ + "/missing/weir.sock";
  const Status missing = listen(host);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().detail.find("bind"), std::string::npos);
}

TEST_F(UnixSocketTest, ResetEndsTheConnectionThereToo) {
  HttpHost host(
      {}, [](HttpServer& server, ExchangeId exchange, HttpRequest) { server.reset(exchange); });
  ASSERT_TRUE(listen(host));
  RawClient client = RawClient::unix_socket(path_);
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_NE(client.wait_end(), RawClient::End::kTimedOut);
}

}  // namespace
}  // namespace weir::test
