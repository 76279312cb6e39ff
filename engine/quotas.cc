// SPDX-License-Identifier: Apache-2.0
#include "engine/quotas.h"

#include <utility>

#include "engine/number_text.h"
#include "engine/share.h"

namespace weir {

Quotas::Account::Account(MonoTime now, const ProducerOptions& options) : name(options.name) {
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
