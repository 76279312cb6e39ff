// SPDX-License-Identifier: Apache-2.0
#include "tests/crash/producers.h"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

namespace weir::test {
namespace {

namespace json = boost::json;
using Known = Submission::Known;

constexpr size_t kProducers = 4;

// Whether an answer came, to its end: a head that was cut short passes for one without a body.
bool is_whole(const ApiReply& reply) {
  boost::system::error_code cut_short;
  json::parse(reply.body, cut_short);
  return reply.status != 0 && !cut_short;
}

std::string id_in(const ApiReply& reply) {
  return json::parse(reply.body).at("id").as_string().c_str();
}

void learn(Submission& one, const ApiReply& reply) {
  if (!is_whole(reply)) {
    one.known = Known::kInDoubt;
  } else if (reply.status == 202) {
    one.known = Known::kAccepted;
    one.id = id_in(reply);
  } else {
    EXPECT_EQ(reply.status, 503) << one.body << ": " << reply.body;
  }
}

}  // namespace

std::vector<Submission*> to_hand_in(std::vector<Submission>& all) {
  std::vector<Submission*> which;
  for (Submission& one : all) {
    if (one.known == Known::kNothing || (one.known == Known::kInDoubt && !one.key.empty())) {
      which.push_back(&one);
    }
  }
  return which;
}

void hand_in(Rig& rig, const std::vector<Submission*>& which,
             const std::function<void(size_t)>& on_accepted) {
  std::atomic<size_t> next{0};
  std::atomic<size_t> accepted{0};
  std::atomic<bool> gone{false};
  const auto produce = [&] {
    for (size_t i = next++; i < which.size() && !gone; i = next++) {
      const ApiReply reply = rig.call("POST", "/v1/messages", which[i]->json());
      learn(*which[i], reply);
      if (which[i]->known == Known::kInDoubt) gone = true;
      if (which[i]->known == Known::kAccepted) on_accepted(++accepted);
    }
  };
  std::vector<std::thread> producers;
  for (size_t i = 0; i < kProducers; ++i)
    producers.emplace_back(produce);
  for (std::thread& producer : producers)
    producer.join();
}

void hand_in_again(Rig& rig, const Submission& accepted) {
  const ApiReply reply = rig.call("POST", "/v1/messages", accepted.json());
  ASSERT_EQ(reply.status, 202) << accepted.body << ": " << reply.body;
  EXPECT_EQ(id_in(reply), accepted.id) << accepted.body;
  EXPECT_TRUE(json::parse(reply.body).at("replayed").as_bool()) << accepted.body;
}

}  // namespace weir::test
