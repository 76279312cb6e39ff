// SPDX-License-Identifier: Apache-2.0
#include "shim/config/addresses.h"

#include <string>

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(Addresses, AddressesInNumbersAreTaken) {
  const Result<TcpAddress> four = parse_tcp_address("127.0.0.1:8025");
  ASSERT_TRUE(four);
  EXPECT_EQ(four->address, "127.0.0.1");
  EXPECT_EQ(four->port, 8025);
  const Result<TcpAddress> six = parse_tcp_address("[::1]:0");
  ASSERT_TRUE(six);
  EXPECT_EQ(six->address, "::1");
  EXPECT_EQ(six->port, 0);
}

TEST(Addresses, AreOfThisMachineAloneOrNot) {
  for (const char* own : {"127.0.0.1:1", "127.1.2.3:1", "[::1]:1"})
    EXPECT_TRUE(parse_tcp_address(own)->loopback) << own;
  for (const char* open : {"0.0.0.0:1", "192.168.1.5:1", "[::]:1", "[fe80::1]:1"})
    EXPECT_FALSE(parse_tcp_address(open)->loopback) << open;
}

TEST(Addresses, WhatIsNoAddressInNumbersIsRefused) {
  for (const char* wrong :
       {"localhost:8025", "127.0.0.1", ":8025", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1",
        "127.0.0.1:80x", "[::1]", "[::1:80", "::1:80", "[127.0.0.1]:80", "127.1:80", ""}) {
    EXPECT_FALSE(parse_tcp_address(wrong)) << wrong;
  }
}

TEST(Addresses, BaseUrlsHaveSchemeHostAndPortOnly) {
  for (const char* right : {"https://gateway.example", "http://127.0.0.1:8026", "http://[::1]:80",
                            "https://a-b.example:8443"}) {
    const Result<std::string> url = parse_base_url(right);
    ASSERT_TRUE(url) << right;
    EXPECT_EQ(*url, right);
  }
  EXPECT_EQ(*parse_base_url("https://gateway.example/"), "https://gateway.example");
  for (const char* wrong :
       {"gateway.example", "ftp://gateway.example", "https://", "https:///path",
        "https://gateway.example/path", "https://gateway.example?x=1", "https://gateway.example#x",
        "https://gateway.example:0", "https://gateway.example:99999",
        "https://gateway.example:", "https://gate way", "https://[::1", ""}) {
    EXPECT_FALSE(parse_base_url(wrong)) << wrong;
  }
}

TEST(Addresses, CredentialsInAUrlAreRefusedAndNotRepeated) {
  const Result<std::string> url = parse_base_url("https://me:hunter2@gateway.example");
  ASSERT_FALSE(url);
  EXPECT_EQ(url.error().detail.find("hunter2"), std::string::npos);
  EXPECT_NE(url.error().detail.find("gateway.secrets"), std::string::npos);
}

TEST(Addresses, LoopbackUrlsAreKnown) {
  EXPECT_TRUE(is_loopback_url("http://127.0.0.1:8026"));
  EXPECT_TRUE(is_loopback_url("http://localhost"));
  EXPECT_TRUE(is_loopback_url("http://[::1]:80"));
  EXPECT_FALSE(is_loopback_url("http://gateway.example"));
  EXPECT_FALSE(is_loopback_url("http://127.0.0.1.example"));
}

}  // namespace
}  // namespace weir
