// SPDX-License-Identifier: Apache-2.0
//
// Method. Each kind of traffic is taken at the pace at which it has to leave: OTPs at the peak of
// the window that a person at a login waits, transactional messages at that of a longer one, and a
// campaign, which comes all at once and may take its time, at its mean. The bucket takes what comes
// faster than that for a short while.
#include "tools/weir/sizing.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tools/weir/shadow_text.h"

namespace weir {
namespace {

constexpr size_t kOtp = index(Lane::kOtp);
constexpr size_t kTransactional = index(Lane::kTransactional);
constexpr size_t kPromotional = index(Lane::kPromotional);

// Below this the buckets hold next to nothing and every message is a burst.
constexpr double kLeastRate = 1;
constexpr double kMostRate = 1'000'000;  // as the configuration has it
// A campaign may take an hour; a record that is shorter would make a mean of its first minutes.
constexpr double kMeanOver_s = 3'600;
constexpr double kDay_s = 86'400;
// What is left to the other lanes, and to the lowest one: a lane without any could hold no message.
constexpr int kMostOtpPercent = 90;
constexpr int kLeastForLowestPercent = 5;

struct Span {
  int least_s;
  int most_s;
};

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", std::round(value * 100) / 100);
  return text;
}

std::string percent(int value) {
  return std::to_string(value) + "%";
}

int percent_up(double share) {
  return static_cast<int>(std::ceil(share * 100 - 1e-9));
}

double two_digits_up(double value) {
  const double step = std::pow(10, std::floor(std::log10(value)) - 1);
  return std::ceil(value / step - 1e-9) * step;
}

// What a lane's traffic asks for, and in what words.
struct Need {
  double seen = 0;
  std::string words;
};

class Proposal {
 public:
  Proposal(const ShadowReport& record, const SizingWish& wish) : record_(record), wish_(wish) {
    capacity_ = wish.per_second ? Span{1, 2} : Span{10, 60};
    needs_ = {otp_need(), transactional_need(), promotional_need()};
  }

  Sizing make() {
    choose_rate();
    choose_capacity();
    share_out();
    fit();
    explain_reserve();
    warn();
    write_yaml();
    return std::move(out_);
  }

 private:
  const LoadView& load(size_t lane) const { return record_.lanes[lane].load; }
  double wanted(size_t lane) const { return wish_.factor * needs_[lane].seen; }
  void because(std::string text) { out_.reasons.push_back(std::move(text)); }

  Need otp_need() const {
    return wish_.per_second ? Need{load(kOtp).peak_1s_per_s, "its busiest second"}
                            : Need{load(kOtp).peak_10s_per_s, "its busiest 10 s"};
  }
  Need transactional_need() const {
    return wish_.per_second ? Need{load(kTransactional).peak_10s_per_s, "its busiest 10 s"}
                            : Need{load(kTransactional).peak_60s_per_s, "its busiest minute"};
  }
  Need promotional_need() const {
    const double over_s = std::max(record_.recorded.as_seconds(), kMeanOver_s);
    return {load(kPromotional).offered.as_double() / over_s, "its mean, because it may wait"};
  }

  void choose_rate() {
    double sum = 0;
    for (Lane lane : kAllLanes) {
      const Need& need = needs_[index(lane)];
      sum += wanted(index(lane));
      because("rate: lane " + std::string(name(lane)) + " came at " + number(need.seen) +
              " units/s (" + need.words + "); x " + number(wish_.factor) + " = " +
              number(wanted(index(lane))));
    }
    const double least = std::max(kLeastRate, wanted(kOtp) * 100 / kMostOtpPercent);
    out_.rate_units_per_s = std::min(kMostRate, two_digits_up(std::max(sum, least)));
    std::string text = "rate: " + number(sum) + " together, rounded up to " +
                       number(out_.rate_units_per_s) + " units/s";
    if (sum < least && least > kLeastRate) text += " so that OTPs are at most 90% of it";
    if (sum < least && least == kLeastRate) text += ", the least that is of use";
    because(text);
  }

  // What came faster than the rate, of those who cannot wait, as time of refill.
  void choose_capacity() {
    if (wish_.per_second) {
      out_.capacity_s = capacity_.least_s;
      because(
          "capacity: 1 s, because the provider counts by the second (1 to 2 s): what is saved up "
          "leaves at once, and in any second at most 2 x rate");
      return;
    }
    double burst = 0;
    int within_s = 0;
    for (const auto& [window_s, peak] :
         {std::pair{1, load(kOtp).peak_1s_per_s + load(kTransactional).peak_1s_per_s},
          std::pair{10, load(kOtp).peak_10s_per_s + load(kTransactional).peak_10s_per_s}}) {
      const double above = (peak - out_.rate_units_per_s) * window_s;
      if (above > burst) within_s = window_s;
      burst = std::max(burst, above);
    }
    const double refill_s = burst / out_.rate_units_per_s;
    out_.capacity_s = static_cast<int>(
        std::ceil(std::clamp<double>(refill_s, capacity_.least_s, capacity_.most_s)));
    std::string text = "capacity: ";
    text += burst > 0 ? "the largest burst of OTPs and transactional messages was " +
                            number(burst) + " units above that rate, within " +
                            std::to_string(within_s) + " s: " + number(refill_s) + " s of refill"
                      : "no burst of OTPs or transactional messages was above that rate";
    because(text + "; taken: " + std::to_string(out_.capacity_s) +
            " s (from 10 s, so that a short pause costs nothing, to 60 s, so that a full bucket is "
            "no flood)");
    if (refill_s > capacity_.most_s) {
      out_.warnings.push_back(
          "Part of the largest burst will wait: it is more than 60 s of refill.");
    }
  }

  // The OTPs' reserve, and what the others have to give up for it, the lowest lane first.
  void share_out() {
    std::array<int, kLanes>& shares = out_.reserve_percent;
    for (size_t i = 0; i < kLanes; ++i)
      shares[i] = percent_up(record_.lanes[i].reserve);
    if (wanted(kOtp) > 0) {
      shares[kOtp] = std::min(percent_up(wanted(kOtp) / out_.rate_units_per_s), kMostOtpPercent);
    }
    const int rest = 100 - shares[kOtp];
    shares[kTransactional] = std::min(shares[kTransactional], rest - kLeastForLowestPercent);
    shares[kPromotional] = std::min(shares[kPromotional], rest - shares[kTransactional]);
    out_.otp_limit_percent = std::max(present_otp_limit(), shares[kOtp]);
  }

  // The smallest part of the bucket that is a lane's to take at once.
  double smallest_part() const {
    double smallest = out_.otp_limit_percent / 100.0;
    int above = out_.reserve_percent[kOtp];
    for (size_t lane : {kTransactional, kPromotional}) {
      smallest = std::min({smallest, (100 - above) / 100.0, record_.lanes[lane].limit});
      above += out_.reserve_percent[lane];
    }
    return smallest;
  }

  // Raises the capacity, and if that is not enough the rate.
  void fit() {
    const double bucket = record_.dearest_recipient.as_double() / smallest_part();
    const double holds = out_.rate_units_per_s * out_.capacity_s;
    if (holds >= bucket) return;
    const double needed_s = std::ceil(bucket / out_.rate_units_per_s - 1e-9);
    out_.capacity_s = static_cast<int>(std::min<double>(needed_s, capacity_.most_s));
    if (needed_s > capacity_.most_s) {
      out_.rate_units_per_s = two_digits_up(bucket / capacity_.most_s);
      share_out();
    }
    because("rate, capacity: raised to " + number(out_.rate_units_per_s) + " units/s and " +
            std::to_string(out_.capacity_s) +
            " s, so that every lane can hold the dearest message (" +
            number(record_.dearest_recipient.as_double()) +
            " units: one recipient at limits.max_segments)");
  }

  void explain_reserve() {
    if (needs_[kOtp].seen <= 0) {
      because("otp reserve: no OTP was offered, so it stays at " +
              percent(out_.reserve_percent[kOtp]));
      return;
    }
    because("otp reserve: " + number(needs_[kOtp].seen) + " units/s (" + needs_[kOtp].words +
            ") x " + number(wish_.factor) + " = " + number(wanted(kOtp)) + " of " +
            number(out_.rate_units_per_s) + " units/s, rounded up to " +
            percent(out_.reserve_percent[kOtp]));
    for (Lane lane : {Lane::kTransactional, Lane::kPromotional}) {
      if (!changes(index(lane))) continue;
      because("the reserve of lane " + std::string(name(lane)) + " goes down to " +
              percent(out_.reserve_percent[index(lane)]) +
              ", because reserves are at most 100% together");
    }
  }

  bool changes(size_t lane) const {
    return out_.reserve_percent[lane] != percent_up(record_.lanes[lane].reserve);
  }
  int present_otp_limit() const {
    return static_cast<int>(std::floor(record_.lanes[kOtp].limit * 100 + 1e-9));
  }

  void warn() {
    const double recorded_s = record_.recorded.as_seconds();
    const double present = record_.rate_per_s.as_double();
    std::vector<std::string>& all = out_.warnings;
    if (recorded_s < kDay_s) {
      all.push_back("Only " + span_text(record_.recorded) +
                    " are recorded; a day with your busiest hour in it says more.");
    }
    if (needs_[kOtp].seen > present) {
      all.push_back("OTPs alone came at " + number(needs_[kOtp].seen) +
                    " units/s, above the present ceiling of " + number(present) +
                    ": no reserve helps while the ceiling is so low.");
    }
    if (out_.rate_units_per_s > present) {
      all.push_back("The proposed rate is above the present one, " + number(present) +
                    ". Ask the provider whether the account takes it: above what it takes, calls "
                    "are throttled.");
    }
  }

  void write_yaml() {
    std::string& yaml = out_.yaml;
    yaml = "gateway:\n  ceiling:\n    rate_units_per_s: " + number(out_.rate_units_per_s) +
           "\n    capacity: " + std::to_string(out_.capacity_s) + "s\nlanes:\n";
    for (Lane lane : kAllLanes) {
      const size_t i = index(lane);
      if (lane != Lane::kOtp && !changes(i)) continue;
      yaml += "  " + std::string(name(lane)) +
              ":\n    reserve: " + percent(out_.reserve_percent[i]) + "\n";
      if (lane == Lane::kOtp && out_.otp_limit_percent > present_otp_limit()) {
        yaml += "    limit: " + percent(out_.otp_limit_percent) + "\n";
      }
    }
  }

  const ShadowReport& record_;
  const SizingWish& wish_;
  Span capacity_{};
  std::array<Need, kLanes> needs_;
  Sizing out_;
};

}  // namespace

std::optional<Sizing> size(const ShadowReport& record, const SizingWish& wish) {
  if (record.account.offered <= Units()) return std::nullopt;
  return Proposal(record, wish).make();
}

}  // namespace weir
