// SPDX-License-Identifier: Apache-2.0
//
// weir cost: what a text costs and why, on this machine, without a running weir.
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>

#include "weir/causes.h"

#include "shim/config/quantities.h"
#include "shim/front/cost_json.h"
#include "shim/front/json_writer.h"
#include "tools/weir/body_lines.h"
#include "tools/weir/commands.h"

namespace weir {
namespace {

void print_offender(const Offender& offender) {
  std::printf("  character %zu (byte %zu): U+%04X %s\n", offender.index + 1, offender.byte_offset,
              static_cast<unsigned>(offender.code_point), offender.name.c_str());
}

std::string price(const Counted& counted, uint64_t recipients) {
  const Units total = cost(counted, recipients);
  return std::to_string(counted.segments) + (counted.segments == 1 ? " segment" : " segments") +
         " x " + std::to_string(recipients) + (recipients == 1 ? " recipient" : " recipients") +
         " = " + format_units(total) + (total == Units::of(1) ? " unit" : " units");
}

void print_text(const Explanation& explanation, uint64_t recipients) {
  const Counted& counted = explanation.counted;
  const bool gsm = counted.encoding == Encoding::kGsm7;
  std::printf("%s: %llu %s in %s\n", std::string(encoding_name(counted.encoding)).c_str(),
              static_cast<unsigned long long>(counted.units), gsm ? "septets" : "UTF-16 units",
              price(counted, recipients).c_str());
  std::printf("%llu left in the last segment\n",
              static_cast<unsigned long long>(counted.remaining));
  if (explanation.offenders.empty()) return;
  std::printf("%s\n", summary(explanation).c_str());
  for (const Offender& offender : explanation.offenders)
    print_offender(offender);
  if (explanation.offenders_total > explanation.offenders.size()) {
    std::printf("  and %zu more\n", explanation.offenders_total - explanation.offenders.size());
  }
  if (!explanation.rewrite) return;
  std::printf("as written: %s\n", price(counted, recipients).c_str());
  std::printf("rewritten:  %s\n", price(explanation.rewrite->counted, recipients).c_str());
  std::printf("rewrite:    %s\n", explanation.rewrite->text.c_str());
}

// What is no text has no price. In JSON it has its line all the same, so that line n of the output
// speaks of line n of the input.
void complain(const CostArgs& args, const std::string& detail, std::optional<size_t> byte_offset) {
  std::fprintf(stderr, "%s\n", detail.c_str());
  if (!args.json) return;
  JsonWriter json;
  json.open_object();
  json.key("encoding").text("INVALID");
  json.key("error").text(detail);
  if (byte_offset) json.key("byte_offset").natural(*byte_offset);
  json.close_object();
  std::printf("%s\n", json.take().c_str());
}

bool explain_one(const CostArgs& args, const std::string& body) {
  const auto explained = explain(body, CountingRules());
  if (const auto* invalid = std::get_if<InvalidText>(&explained)) {
    complain(args, "body " + describe(*invalid), invalid->byte_offset);
    return false;
  }
  const Explanation& explanation = std::get<Explanation>(explained);
  if (args.json) {
    std::printf("%s\n", cost_json(body, explanation, args.recipients, Units::of(1)).c_str());
  } else {
    print_text(explanation, args.recipients);
  }
  return true;
}

}  // namespace

int cost_command(const CostArgs& args) {
  if (args.body != "-") return explain_one(args, args.body) ? kDone : kUsage;
  bool good = true;
  size_t number = 0;
  for (std::string line; std::getline(std::cin, line);) {
    number += 1;
    const auto body = body_of_line(line, args.json_strings);
    if (!body) {
      complain(args, "line " + std::to_string(number) + ": " + body.error().detail, std::nullopt);
      good = false;
      continue;
    }
    if (!explain_one(args, *body)) {
      std::fprintf(stderr, "  in line %zu\n", number);
      good = false;
    }
  }
  return good ? kDone : kUsage;
}

}  // namespace weir
