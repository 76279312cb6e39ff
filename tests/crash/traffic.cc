// SPDX-License-Identifier: Apache-2.0
#include "tests/crash/traffic.h"

#include <boost/json.hpp>

namespace weir::test {
namespace {

namespace json = boost::json;

constexpr uint64_t kFirstNumber = 919'800'000'000;

Submission make_one(Random& random, const std::string& name) {
  Submission one;
  uint32_t recipients = 1;
  const uint32_t kind = drawn(random, 1, 100);
  if (kind <= 35) {
    one.class_name = "otp";
  } else if (kind <= 75) {
    one.class_name = "delivery_update";
  } else if (kind <= 85) {
    one.class_name = "transaction_alert";
    recipients = drawn(random, 2, 5);
  } else {
    one.class_name = "promotional";
    recipients = drawn(random, 30, 240);
  }
  uint64_t number = kFirstNumber + drawn(random, 0, 1'000'000);
  for (uint32_t i = 0; i < recipients; ++i) {
    one.recipients.push_back(std::to_string(number));
    number += drawn(random, 1, 9);
  }
  one.body = "Message " + name;
  if (one_in(random, 5)) one.body += std::string(drawn(random, 100, 250), 'x');  // two segments
  if (!one_in(random, 3)) one.key = "key-" + name;
  return one;
}

}  // namespace

uint32_t drawn(Random& random, uint32_t least, uint32_t most) {
  return std::uniform_int_distribution<uint32_t>(least, most)(random);
}

bool one_in(Random& random, uint32_t times) {
  return drawn(random, 1, times) == 1;
}

std::string Submission::json() const {
  json::array to;
  for (const std::string& recipient : recipients)
    to.emplace_back("+" + recipient);
  json::object request = {{"class", class_name}, {"to", std::move(to)}, {"body", body}};
  if (!key.empty()) request["key"] = key;
  return json::serialize(request);
}

std::vector<Submission> make_traffic(Random& random, const std::string& name) {
  std::vector<Submission> all;
  const uint32_t count = drawn(random, 24, 48);
  for (uint32_t i = 0; i < count; ++i)
    all.push_back(make_one(random, name + "-" + std::to_string(i)));
  return all;
}

}  // namespace weir::test
