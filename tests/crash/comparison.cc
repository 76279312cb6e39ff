// SPDX-License-Identifier: Apache-2.0
#include "tests/crash/comparison.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

namespace weir::test {
namespace {

namespace json = boost::json;
using Known = Submission::Known;

std::string text_at(const json::value& object, const char* name) {
  return object.at(name).as_string().c_str();
}

struct Call {
  std::vector<std::string> recipients;
  bool taken = false;
  std::string ref;
};

class Comparison {
 public:
  explicit Comparison(Rig& rig);

  void look_at(const Submission& submission);
  void judge_unknown(size_t kills) const;
  const Findings& findings() const { return findings_; }

 private:
  void look_at_calls(const std::vector<Call>& calls);
  void look_at_message(const Submission& submission, const json::value& message);
  void look_at_batch(const json::value& batch, const std::vector<Call>& calls);

  Rig& rig_;
  std::map<std::string, std::vector<Call>> calls_;  // by body
  std::map<std::string, size_t> left_unknown_;      // by lane; batches that a kill made unknown
  Findings findings_;
};

Comparison::Comparison(Rig& rig) : rig_(rig) {
  const json::object ledger = rig.ledger();
  EXPECT_EQ(ledger.at("sent_twice").to_number<int>(), 0);
  for (const json::value& entry : ledger.at("calls").as_array()) {
    Call call;
    for (const json::value& recipient : entry.at("recipients").as_array())
      call.recipients.emplace_back(recipient.as_string().c_str());
    call.taken = entry.at("taken").as_bool();
    call.ref = text_at(entry, "ref");
    calls_[text_at(entry, "body")].push_back(std::move(call));
  }
}

void Comparison::look_at(const Submission& submission) {
  SCOPED_TRACE(submission.class_name + " " + submission.id + " " + submission.body.substr(0, 40));
  look_at_calls(calls_[submission.body]);
  // In doubt for ever: whether it was accepted, no producer can ask.
  if (submission.known == Known::kInDoubt) return;
  ASSERT_EQ(submission.known, Known::kAccepted);
  const ApiReply reply = rig_.call("GET", "/v1/messages/" + submission.id);
  ASSERT_EQ(reply.status, 200) << "accepted, and gone: " << reply.body;
  look_at_message(submission, json::parse(reply.body));
}

// Once to each recipient at most, whatever the messages and batches.
void Comparison::look_at_calls(const std::vector<Call>& calls) {
  std::set<std::string> had;
  for (const Call& call : calls) {
    if (!call.taken) continue;
    findings_.taken += 1;
    for (const std::string& recipient : call.recipients)
      findings_.sent_twice += had.insert(recipient).second ? 0 : 1;
  }
}

void Comparison::look_at_message(const Submission& submission, const json::value& message) {
  findings_.messages += 1;
  EXPECT_EQ(text_at(message, "key"), submission.key);
  const std::vector<Call>& calls = calls_[submission.body];
  size_t matched = 0;
  auto first = submission.recipients.begin();
  for (const json::value& batch : message.at("batches").as_array()) {
    const auto size = batch.at("recipients").to_number<ptrdiff_t>();
    ASSERT_LE(size, submission.recipients.end() - first);
    std::vector<Call> own;
    std::copy_if(calls.begin(), calls.end(), std::back_inserter(own), [&](const Call& call) {
      return std::equal(first, first + size, call.recipients.begin(), call.recipients.end());
    });
    look_at_batch(batch, own);
    if (text_at(batch, "reason") == "restart") left_unknown_[text_at(message, "lane")] += 1;
    matched += own.size();
    first += size;
  }
  EXPECT_EQ(first, submission.recipients.end()) << "a batch is missing";
  EXPECT_EQ(matched, calls.size()) << "the gateway had calls that are no batch of it";
}

void Comparison::look_at_batch(const json::value& batch, const std::vector<Call>& calls) {
  findings_.batches += 1;
  const std::string state = text_at(batch, "state");
  std::vector<std::string> taken;  // their refs
  for (const Call& call : calls) {
    if (call.taken) taken.push_back(call.ref);
  }
  SCOPED_TRACE(text_at(batch, "id") + " " + state + " " + text_at(batch, "reason") + ", taken " +
               std::to_string(taken.size()) + " times of " + std::to_string(calls.size()));
  EXPECT_LE(taken.size(), 1u);
  if (state == "submitted") {
    ASSERT_EQ(taken.size(), 1u) << "told as sent, and not taken";
    EXPECT_EQ(text_at(batch, "gateway_ref"), taken.front());
  } else if (state == "unknown") {
    findings_.unknown += 1;
    // What is unknown without a crash is so because its answer was lost, and the call was not.
    if (text_at(batch, "reason") != "restart") {
      EXPECT_EQ(taken.size(), 1u);
    }
  } else {
    EXPECT_TRUE(state == "refused" || state == "shed") << "not at its end";
    EXPECT_TRUE(taken.empty()) << "told as not sent, and taken";
  }
}

void Comparison::judge_unknown(size_t kills) const {
  EXPECT_EQ(findings_.sent_twice, 0u);
  for (const auto& [lane, batches] : left_unknown_)
    EXPECT_LE(batches, kills * kSlots) << lane;
}

}  // namespace

Findings compare_with_ledger(Rig& rig, std::span<const Submission> submissions, size_t kills) {
  Comparison comparison(rig);
  for (const Submission& submission : submissions)
    comparison.look_at(submission);
  comparison.judge_unknown(kills);
  return comparison.findings();
}

void compare_with_producers(Rig& rig, std::span<const Submission> submissions) {
  std::set<std::string> known;
  size_t in_doubt = 0;
  size_t newest = 0;
  for (const Submission& one : submissions) {
    in_doubt += one.known == Known::kInDoubt ? 1 : 0;
    if (one.known != Known::kAccepted) continue;
    EXPECT_TRUE(known.insert(one.id).second) << one.id << " was given to two messages";
    newest = std::max<size_t>(newest, std::stoul(one.id.substr(1)));
  }
  size_t others = 0;
  size_t unknown = 0;
  // One in doubt may be the newest.
  for (size_t i = 1; i <= newest + in_doubt; ++i) {
    const std::string id = "m" + std::to_string(i);
    const ApiReply reply = rig.call("GET", "/v1/messages/" + id);
    if (reply.status != 200) continue;
    others += known.contains(id) ? 0 : 1;
    const json::value message = json::parse(reply.body);
    const json::object& states = message.at("states").as_object();
    for (const char* open : {"pending", "claimed"})
      EXPECT_EQ(states.at(open).at("batches").to_number<int>(), 0) << id;
    unknown += states.at("unknown").at("batches").to_number<size_t>();
  }
  EXPECT_LE(others, in_doubt);
  const json::value lanes = json::parse(rig.call("GET", "/v1/lanes").body);
  EXPECT_EQ(lanes.at("unknown_batches").to_number<size_t>(), unknown);
  // The counters against a recount is a part of it.
  const ApiReply checked = rig.call("POST", "/v1/db/check", "{}");
  EXPECT_EQ(checked.status, 200) << checked.body;
  EXPECT_TRUE(json::parse(checked.body).at("whole").as_bool()) << checked.body;
}

}  // namespace weir::test
