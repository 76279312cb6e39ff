// SPDX-License-Identifier: Apache-2.0
#include "engine/quotas.h"

#include <algorithm>
#include <utility>

#include "engine/number_text.h"
#include "engine/prediction.h"
#include "engine/share.h"

namespace weir {
namespace {

// A lane empties at its own pace; nobody gains by asking again sooner.
constexpr Duration kLeastRetry = Duration::seconds(1);

}  // namespace

Quotas::Account::Account(MonoTime now, const ProducerOptions& options)
    : name(options.name), max_units(options.max_units) {
  if (!options.rate_per_s) return;
  BucketSpec spec;
  spec.rate_per_s = *options.rate_per_s;
  spec.capacity = share_of(*options.rate_per_s, options.capacity.as_seconds());
  tokens.emplace(now, spec, spec.capacity);
}

Quotas::Quotas(MonoTime now, const EngineOptions& options) {
  for (const ProducerOptions& one : options.producers)
    accounts_.emplace_back(now, one);
}

std::optional<Refusal> Quotas::charge(MonoTime now, ProducerId producer, Units cost,
                                      const char* pointer) {
  if (producer == kNoProducer) return std::nullopt;
  Account& account = accounts_[index(producer)];
  if (!account.tokens) return std::nullopt;
  const TokenBucket::Decision decision = account.tokens->acquire(now, cost);
  if (decision.verdict == TokenBucket::Verdict::kGranted) return std::nullopt;
  Refusal no;
  if (decision.verdict == TokenBucket::Verdict::kWait) {
    no.code = RefusalCode::kOverQuota;
    no.detail = "producer " + account.name + " is over its quota of " +
                number_text(account.tokens->spec().rate_per_s.as_double()) + " units/s";
    no.retry_after = decision.retry_at() - now;
    return no;
  }
  no.code = RefusalCode::kCostExceedsBucket;
  no.detail = "it costs " + number_text(cost.as_double()) + " units, and the quota of producer " +
              account.name + " holds " + number_text(account.tokens->spec().capacity.as_double()) +
              " when it is full; ask for less at once, or raise producers." + account.name +
              ".capacity";
  no.fields.push_back({pointer, "costs more than the quota can ever hold"});
  return no;
}

std::optional<Refusal> Quotas::turn_away_deep(ProducerId producer, Units cost, Units unsettled,
                                              double per_s) const {
  if (producer == kNoProducer) return std::nullopt;
  const Account& account = accounts_[index(producer)];
  if (!account.max_units || unsettled + cost <= *account.max_units) return std::nullopt;
  const std::string most = number_text(account.max_units->as_double());
  Refusal no;
  if (cost > *account.max_units) {
    no.code = RefusalCode::kCostExceedsBucket;
    no.detail = "it costs " + number_text(cost.as_double()) + " units, and producer " +
                account.name + " may have " + most +
                " waiting; ask for less at once, or raise producers." + account.name + ".max_units";
    no.fields.push_back({"/to", "costs more than the producer may ever have waiting"});
    return no;
  }
  // What the other quota can never hold is no matter of waiting.
  if (account.tokens && cost > account.tokens->spec().capacity) return std::nullopt;
  no.code = RefusalCode::kOverQuota;
  no.detail = "producer " + account.name + " has " + number_text(unsettled.as_double()) +
              " units waiting, and its max_units is " + most;
  no.retry_after =
      std::max(time_to_flow(unsettled + cost - *account.max_units, per_s), kLeastRetry);
  return no;
}

void Quotas::give_back(ProducerId producer, Units cost) {
  if (producer == kNoProducer) return;
  if (auto& tokens = accounts_[index(producer)].tokens) tokens->refund(cost);
}

void Quotas::count_offered(ProducerId producer, Units cost) {
  if (producer != kNoProducer) accounts_[index(producer)].offered += cost;
}

std::vector<ProducerView> Quotas::view() const {
  std::vector<ProducerView> all;
  for (const Account& one : accounts_)
    all.push_back({one.name, one.offered});
  return all;
}

}  // namespace weir
