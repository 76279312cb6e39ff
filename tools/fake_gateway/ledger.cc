// SPDX-License-Identifier: Apache-2.0
#include "tools/fake_gateway/ledger.h"

#include <boost/json.hpp>

namespace weir {

namespace json = boost::json;

void Ledger::add(Call call) {
  total_ += 1;
  verdicts_[call.verdict] += 1;
  if (call.taken) {
    taken_units_ += call.units;
    for (const std::string& recipient : call.recipients) {
      if (++taken_[recipient + '\n' + call.body] == 2) sent_twice_ += 1;
    }
  }
  calls_.push_back(std::move(call));
  if (calls_.size() > kCallsKept) calls_.pop_front();
}

std::string Ledger::json(bool with_calls) const {
  json::object all;
  all["calls_total"] = total_;
  all["taken_units"] = taken_units_.as_double();
  all["recipients"] = taken_.size();
  all["sent_twice"] = sent_twice_;
  json::object verdicts;
  for (const auto& [verdict, times] : verdicts_)
    verdicts[verdict] = times;
  all["verdicts"] = std::move(verdicts);
  if (with_calls) {
    json::array calls;
    for (const Call& call : calls_) {
      calls.push_back(json::object{
          {"at_us", call.at_us},
          {"units", call.units.as_double()},
          {"verdict", call.verdict},
          {"taken", call.taken},
          {"ref", call.ref},
          {"body", call.body},
          {"recipients", json::array(call.recipients.begin(), call.recipients.end())}});
    }
    all["calls"] = std::move(calls);
  }
  return json::serialize(all);
}

}  // namespace weir
