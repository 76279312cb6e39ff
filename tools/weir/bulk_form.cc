// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/bulk_form.h"

#include <filesystem>
#include <utility>
#include <variant>

#include "weir/segments.h"
#include "weir/template.h"

#include "shim/front/control_character.h"
#include "tools/weir/message_key.h"

namespace weir {
namespace {

Result<std::string> campaign_of(const SendFileArgs& args) {
  std::string name = args.campaign;
  if (name.empty() && args.file == "-") {
    return Error{"stdin has no name; --campaign NAME says how the messages' keys begin"};
  }
  if (name.empty()) name = std::filesystem::path(args.file).stem().string();
  if (name.size() > kMostCampaignBytes) {
    return Error{"the campaign's name is above " + std::to_string(kMostCampaignBytes) +
                 " bytes; --campaign NAME gives it a shorter one"};
  }
  const auto text = count(name, {});
  if (name.empty() || has_control_character(name) || std::holds_alternative<InvalidText>(text)) {
    return Error{"the file's name is no name for a campaign; give it one with --campaign NAME"};
  }
  return name;
}

Status check_csv(const SendFileArgs& args) {
  const bool has_template = !args.template_id.empty();
  if (has_template == !args.message.body.empty()) {
    return Error{has_template ? "give --template ID or a text, not both"
                              : "a CSV file needs a text, as \"Dear {{name}}, ...\", or "
                                "--template ID"};
  }
  if (args.message.class_name.empty() && !has_template) return Error{"--class is missing"};
  return Done{};
}

Status check_ndjson(const SendFileArgs& args) {
  if (!args.template_id.empty() && !args.message.body.empty()) {
    return Error{"give --template ID or a text, not both"};
  }
  if (args.to_column != SendFileArgs().to_column) {
    return Error{"--to-column is for CSV; a line of NDJSON has its own \"to\""};
  }
  const auto places = places_of(args.message.body);
  if (!places || !places->empty()) {
    return Error{
        "places like {{name}} are filled from the columns of a CSV file only; save the "
        "text as a template of weir and give the lines \"vars\""};
  }
  return Done{};
}

}  // namespace

Result<BulkFormat> bulk_format(const SendFileArgs& args) {
  if (args.format == "csv") return BulkFormat::kCsv;
  if (args.format == "ndjson") return BulkFormat::kNdjson;
  if (!args.format.empty()) return Error{"--format is csv or ndjson"};
  const std::string ending = std::filesystem::path(args.file).extension().string();
  if (ending == ".csv") return BulkFormat::kCsv;
  if (ending == ".ndjson" || ending == ".jsonl") return BulkFormat::kNdjson;
  return Error{args.file == "-" ? "stdin has no name that says what it is; --format csv or "
                                  "--format ndjson does"
                                : args.file +
                                      " ends neither in .csv nor in .ndjson; --format csv "
                                      "or --format ndjson says what it is"};
}

Result<BulkForm> bulk_form(const SendFileArgs& args, BulkFormat format) {
  const Status right = format == BulkFormat::kCsv ? check_csv(args) : check_ndjson(args);
  if (!right) return right.error();
  auto campaign = campaign_of(args);
  if (!campaign) return campaign.error();
  BulkForm form;
  form.campaign = std::move(*campaign);
  form.class_name = args.message.class_name;
  form.template_id = args.template_id;
  form.text = args.message.body;
  form.sender = args.message.sender;
  form.deadline = args.message.deadline;
  form.test = args.message.test;
  for (const std::string& pair : args.message.params) {
    const size_t equals = pair.find('=');
    form.params.emplace_back(pair.substr(0, equals),
                             equals == std::string::npos ? "" : pair.substr(equals + 1));
  }
  return form;
}

Result<std::vector<std::string>> places_of(const std::string& text) {
  if (const auto counted = count(text, {}); std::holds_alternative<InvalidText>(counted)) {
    return Error{"the text: " + describe(std::get<InvalidText>(counted))};
  }
  auto places = variables_of(text);
  if (const auto* fault = std::get_if<FieldError>(&places)) {
    return Error{"the text: " + fault->detail};
  }
  return std::get<std::vector<std::string>>(std::move(places));
}

}  // namespace weir
