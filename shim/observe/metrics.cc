// SPDX-License-Identifier: Apache-2.0
#include "shim/observe/metrics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

namespace weir {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

using Labels = std::vector<ClientMetric::Label>;

class Exposition {
 public:
  MetricFamily& family(const char* name, MetricType type, const char* help) {
    MetricFamily family;
    family.name = name;
    family.help = help;
    family.type = type;
    families_.push_back(std::move(family));
    return families_.back();
  }
  static void add(MetricFamily& family, Labels labels, double value) {
    ClientMetric metric;
    metric.label = std::move(labels);
    metric.gauge.value = value;
    metric.counter.value = value;
    family.metric.push_back(std::move(metric));
  }
  void single(const char* name, const char* help, double value) {
    add(family(name, MetricType::Gauge, help), {}, value);
  }
  void total(const char* name, const char* help, uint64_t value) {
    add(family(name, MetricType::Counter, help), {}, static_cast<double>(value));
  }
  std::string text() const { return prometheus::TextSerializer().Serialize(families_); }

 private:
  std::vector<MetricFamily> families_;
};

struct LaneGauge {
  const char* name;
  const char* help;
  double (*value)(const LaneView&);
};

// The first four predict an incident: offered, admitted, depth, age.
constexpr LaneGauge kLaneGauges[] = {
    {"weir_offered_units_per_second", "Units handed in, over the last 10 s.",
     [](const LaneView& lane) { return lane.offered_units_per_s; }},
    {"weir_admitted_units_per_second", "Units that passed the bucket, over the last 10 s.",
     [](const LaneView& lane) { return lane.admitted_units_per_s; }},
    {"weir_queue_units", "Units that wait in the lane.",
     [](const LaneView& lane) { return lane.pending_units.as_double(); }},
    {"weir_queue_oldest_age_seconds", "Age of the oldest batch that could be sent.",
     [](const LaneView& lane) { return lane.oldest_age ? lane.oldest_age->as_seconds() : 0.0; }},
    {"weir_queue_batches", "Batches that wait in the lane.",
     [](const LaneView& lane) { return static_cast<double>(lane.pending_rows); }},
    {"weir_in_flight_batches", "Batches that are claimed.",
     [](const LaneView& lane) { return static_cast<double>(lane.in_flight); }},
    {"weir_bucket_level_units", "Units that the lane could take now.",
     [](const LaneView& lane) { return lane.level.as_double(); }},
    {"weir_bucket_capacity_units", "Units that the lane can ever take at once.",
     [](const LaneView& lane) { return lane.capacity.as_double(); }},
    {"weir_limit_units_per_second", "What the lane can never pass.",
     [](const LaneView& lane) { return lane.limit_units_per_s; }},
    {"weir_reserve_units_per_second", "What no lower lane can take.",
     [](const LaneView& lane) { return lane.reserve_units_per_s; }},
    {"weir_lane_stop", "0 none, 1 paused, 2 draining.",
     [](const LaneView& lane) { return static_cast<double>(lane.stop.mode); }},
    {"weir_predicted_wait_seconds", "Wait of a message that comes now; NaN while it is paused.",
     [](const LaneView& lane) {
       return lane.predicted_wait ? lane.predicted_wait->as_seconds() : std::nan("");
     }},
    {"weir_pressure", "0 clear, 1 slow, 2 pause, 3 shed.",
     [](const LaneView& lane) { return static_cast<double>(lane.pressure); }},
};

struct LaneCounter {
  const char* name;
  const char* help;
  double (*value)(const LaneTotals&);
};

constexpr LaneCounter kLaneCounters[] = {
    {"weir_offered_units_total", "Units handed in.",
     [](const LaneTotals& totals) { return totals.offered.as_double(); }},
    {"weir_admitted_units_total", "Units that passed the bucket.",
     [](const LaneTotals& totals) { return totals.admitted.as_double(); }},
    {"weir_submitted_units_total", "Units that the gateway took.",
     [](const LaneTotals& totals) { return totals.submitted.as_double(); }},
    {"weir_gateway_refused_units_total", "Units that the gateway refused for good.",
     [](const LaneTotals& totals) { return totals.refused_by_gateway.as_double(); }},
    {"weir_unknown_units_total", "Units that became unknown.",
     [](const LaneTotals& totals) { return totals.unknown.as_double(); }},
    {"weir_shed_units_total", "Units that were given up before they were submitted.",
     [](const LaneTotals& totals) { return totals.shed.as_double(); }},
    {"weir_shadow_waited_units_total", "Units that the limits would have held back (shadow).",
     [](const LaneTotals& totals) { return totals.shadow_waited.as_double(); }},
    {"weir_shadow_shed_units_total", "Units that would have been late behind the limits (shadow).",
     [](const LaneTotals& totals) { return totals.shadow_shed.as_double(); }},
    {"weir_shadow_refused_units_total", "Units that the door would have refused (shadow).",
     [](const LaneTotals& totals) { return totals.shadow_refused.as_double(); }},
    {"weir_throttled_batches_total", "Calls that the gateway throttled.",
     [](const LaneTotals& totals) { return static_cast<double>(totals.throttled_batches); }},
    {"weir_unreachable_batches_total", "Calls that did not reach the gateway.",
     [](const LaneTotals& totals) { return static_cast<double>(totals.unreachable_batches); }},
};

void add_lanes(const EngineView& view, Exposition& out) {
  for (const LaneGauge& gauge : kLaneGauges) {
    MetricFamily& family = out.family(gauge.name, MetricType::Gauge, gauge.help);
    for (const LaneView& lane : view.lanes) {
      Exposition::add(family, {{"lane", std::string(name(lane.lane))}}, gauge.value(lane));
    }
  }
  for (const LaneCounter& counter : kLaneCounters) {
    MetricFamily& family = out.family(counter.name, MetricType::Counter, counter.help);
    for (Lane lane : kAllLanes) {
      Exposition::add(family, {{"lane", std::string(name(lane))}},
                      counter.value(view.totals[index(lane)]));
    }
  }
}

void add_classes(const EngineView& view, Exposition& out) {
  MetricFamily& family =
      out.family("weir_class_stop", MetricType::Gauge, "0 none, 1 paused, 2 draining.");
  for (const ClassView& one : view.classes)
    Exposition::add(family, {{"class", one.name}}, static_cast<double>(one.stop.mode));
}

struct LeaseMetric {
  const char* name;
  MetricType type;
  const char* help;
  double (*value)(const LeaseView&);
};

constexpr LeaseMetric kLeaseMetrics[] = {
    {"weir_lease_waiters", MetricType::Gauge, "Requests that wait for units.",
     [](const LeaseView& leases) { return static_cast<double>(leases.waiting); }},
    {"weir_lease_waiting_units", MetricType::Gauge, "Units that they wait for.",
     [](const LeaseView& leases) { return leases.waiting_units.as_double(); }},
    {"weir_lease_granted_units_total", MetricType::Counter,
     "Units granted to programs that send by themselves.",
     [](const LeaseView& leases) { return leases.granted.as_double(); }},
    {"weir_lease_denied_total", MetricType::Counter,
     "Requests whose units were not there in time, and shadows that would have been such.",
     [](const LeaseView& leases) { return static_cast<double>(leases.denied); }},
};

struct BucketGauge {
  const char* name;
  const char* help;
  double (*value)(const BucketView&);
};

constexpr BucketGauge kBucketGauges[] = {
    {"weir_private_bucket_level_units", "Units that the private bucket holds now.",
     [](const BucketView& bucket) { return bucket.level.as_double(); }},
    {"weir_private_bucket_capacity_units", "Units that the private bucket holds when full.",
     [](const BucketView& bucket) { return bucket.capacity.as_double(); }},
    {"weir_private_bucket_rate_units_per_second", "What flows into the private bucket.",
     [](const BucketView& bucket) { return bucket.rate_per_s.as_double(); }},
};

// Of each lane and of each private bucket: the label says which.
void add_leases(const EngineView& view, Exposition& out) {
  for (const LeaseMetric& metric : kLeaseMetrics) {
    MetricFamily& family = out.family(metric.name, metric.type, metric.help);
    for (const LaneView& lane : view.lanes) {
      Exposition::add(family, {{"lane", std::string(name(lane.lane))}}, metric.value(lane.leases));
    }
    for (const BucketView& bucket : view.buckets)
      Exposition::add(family, {{"bucket", bucket.name}}, metric.value(bucket.leases));
  }
  if (view.buckets.empty()) return;
  for (const BucketGauge& gauge : kBucketGauges) {
    MetricFamily& family = out.family(gauge.name, MetricType::Gauge, gauge.help);
    for (const BucketView& bucket : view.buckets)
      Exposition::add(family, {{"bucket", bucket.name}}, gauge.value(bucket));
  }
}

void add_producers(const EngineView& view, Exposition& out) {
  if (view.producers.empty()) return;
  MetricFamily& family =
      out.family("weir_producer_offered_units_total", MetricType::Counter,
                 "Units that the producer handed in or asked for, refused or not.");
  for (const ProducerView& producer : view.producers)
    Exposition::add(family, {{"producer", producer.name}}, producer.offered.as_double());
  MetricFamily& waiting =
      out.family("weir_producer_unsettled_units", MetricType::Gauge,
                 "Units of its messages that wait, are being written or are claimed.");
  for (const ProducerView& producer : view.producers)
    Exposition::add(waiting, {{"producer", producer.name}}, producer.unsettled.as_double());
}

struct TallyMetric {
  const char* name;
  MetricType type;
  const char* help;
  double (*value)(const Tally&);
};

constexpr TallyMetric kTallyMetrics[] = {
    {"weir_store_batches", MetricType::Gauge, "Batches on disk, by lane and state.",
     [](const Tally& tally) { return static_cast<double>(tally.batches); }},
    {"weir_store_units", MetricType::Gauge, "Units of those batches.",
     [](const Tally& tally) { return tally.cost.as_double(); }},
    {"weir_store_entered_batches_total", MetricType::Counter,
     "Batches that ever came into the state, since the file was made.",
     [](const Tally& tally) { return static_cast<double>(tally.entered); }},
};

void add_tallies(const Tallies& tallies, Exposition& out) {
  for (const TallyMetric& metric : kTallyMetrics) {
    MetricFamily& family = out.family(metric.name, metric.type, metric.help);
    for (Lane lane : kAllLanes) {
      for (size_t state = 0; state < kBatchStates; ++state) {
        Exposition::add(
            family,
            {{"lane", std::string(name(lane))}, {"state", std::string(kBatchStateNames[state])}},
            metric.value(tallies[index(lane)][state]));
      }
    }
  }
}

// Buckets count everything up to their bound, as Prometheus wants them.
void add_commit_times(const StoreTotals& store, Exposition& out) {
  ClientMetric metric;
  uint64_t below = 0;
  for (size_t i = 0; i < StoreTotals::kCommitBounds.size(); ++i) {
    below += store.commit_times[i];
    metric.histogram.bucket.push_back({below, StoreTotals::kCommitBounds[i]});
  }
  metric.histogram.sample_count = below + store.commit_times.back();
  metric.histogram.sample_sum = store.commit_seconds;
  out.family("weir_store_commit_seconds", MetricType::Histogram,
             "How long transactions took, their sync included.")
      .metric.push_back(std::move(metric));
}

void add_store(const EngineView& view, const StoreTotals& store, WallTime now, Exposition& out) {
  out.single("weir_store_writable", "1 while the store can write.",
             commits(view.store_trouble) ? 1 : 0);
  MetricFamily& troubles =
      out.family("weir_store_trouble", MetricType::Gauge, "1 for what ails the store.");
  for (size_t i = 1; i < kStoreTroubles; ++i) {
    const auto trouble = static_cast<StoreTrouble>(i);
    Exposition::add(troubles, {{"trouble", std::string(name(trouble))}},
                    view.store_trouble == trouble ? 1 : 0);
  }
  out.single("weir_quarantined", "1 while nothing is sent because the file may be an old copy.",
             view.quarantine.empty() ? 0 : 1);
  const Duration age = store.oldest_unknown ? now - *store.oldest_unknown : Duration();
  out.single("weir_unknown_oldest_age_seconds", "Since when the oldest unknown batch is that.",
             std::max(0.0, age.as_seconds()));
  out.single("weir_store_file_bytes", "Size of the database.",
             static_cast<double>(store.file_bytes));
  out.single("weir_store_log_bytes", "Size of its write-ahead log.",
             static_cast<double>(store.log_bytes));
  out.single("weir_disk_free_bytes", "Free space of the disk that it is on.",
             static_cast<double>(store.disk_free_bytes));
  out.total("weir_store_purged_batches_total", "Batches that left after store.keep_for.",
            store.purged_batches);
  add_commit_times(store, out);
  add_tallies(store.tallies, out);
}

}  // namespace

std::string metrics_text(const EngineView& view, const StoreTotals& store, WallTime now,
                         const std::string& version) {
  Exposition out;
  add_lanes(view, out);
  add_classes(view, out);
  add_producers(view, out);
  add_leases(view, out);
  MetricFamily& refused = out.family("weir_refused_total", MetricType::Counter,
                                     "Submissions that were not accepted, by code.");
  for (size_t i = 0; i < kRefusalCodes; ++i) {
    Exposition::add(refused, {{"code", std::string(name(static_cast<RefusalCode>(i)))}},
                    static_cast<double>(view.refusals[i]));
  }
  out.single("weir_ceiling_units_per_second", "What the account takes, as far as weir knows.",
             view.ceiling_per_s.as_double());
  out.total("weir_ceiling_cuts_total", "How often the ceiling was cut, of earlier runs too.",
            view.ceiling_cuts);
  out.single("weir_unknown_batches", "Batches whose outcome is unknown, in all.",
             static_cast<double>(view.unknown_batches));
  out.total("weir_store_commits_total", "Transactions that are on disk.", store.commits);
  out.total("weir_store_failed_commits_total", "Transactions that failed.", store.failed_commits);
  out.total("weir_store_written_total", "Inserts, claims and outcomes in those transactions.",
            store.written);
  out.total("weir_store_unmatched_records_total", "Outcomes without their claim; a bug if not 0.",
            store.unmatched_records);
  add_store(view, store, now, out);
  out.single("weir_gateway_paused", "1 while the gateway is paused.", view.gateway_paused ? 1 : 0);
  out.single("weir_draining", "1 while weir is stopping.", view.draining ? 1 : 0);
  Exposition::add(out.family("weir_build_info", MetricType::Gauge, "The running version."),
                  {{"version", version}}, 1);
  return out.text();
}

}  // namespace weir
