// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/price_form.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace weir {
namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : " and ") + name;
  return text;
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

}  // namespace

Status PriceForm::compile(const Named& named, const GatewayOptions& options, Entries& out) {
  for (const auto& [name, text] : named) {
    auto compiled = TemplateText::compile(text, options.secrets);
    if (!compiled) return Error{"profile: price: " + name + ": " + compiled.error().detail};
    out.emplace_back(name, *std::move(compiled));
  }
  return Done{};
}

Status PriceForm::add_way_in(const GatewayOptions& options, const Profile& profile) {
  std::string wanted;
  for (const Profile::Auth& auth : profile.auth) {
    Entries headers;
    Entries fields;
    if (Status status = compile(auth.headers, options, headers); !status) return status;
    if (Status status = compile(auth.fields, options, fields); !status) return status;
    std::vector<std::string> missing;
    for (const Entries* entries : {&headers, &fields}) {
      for (const auto& [name, text] : *entries)
        missing.insert(missing.end(), text.missing_secrets().begin(), text.missing_secrets().end());
    }
    if (missing.empty()) {
      std::move(headers.begin(), headers.end(), std::back_inserter(headers_));
      std::move(fields.begin(), fields.end(), std::back_inserter(fields_));
      return Done{};
    }
    wanted += (wanted.empty() ? "" : ", or ") + listed(missing);
  }
  if (profile.auth.empty()) return Done{};
  return Error{"gateway.secrets: no way into the gateway is complete; set " + wanted};
}

Result<PriceForm> PriceForm::make(const GatewayOptions& options, const Profile& profile) {
  WEIR_CHECK(profile.price.has_value());
  PriceForm form;
  form.url_ = options.url + profile.price->path;
  if (Status status = compile(profile.price->headers, options, form.headers_); !status) {
    return status.error();
  }
  if (Status status = compile(profile.price->fields, options, form.fields_); !status) {
    return status.error();
  }
  if (Status status = form.add_way_in(options, profile); !status) return status.error();
  form.gsm7_word_ = profile.gsm7_word;
  form.ucs2_word_ = profile.ucs2_word;
  form.default_sender_ = options.default_sender;
  form.default_params_ = options.params;
  return form;
}

FormRequest PriceForm::fill(std::string_view body, Encoding encoding) const {
  const std::vector<std::pair<std::string, std::string>> no_params;
  const TemplateText::Values values{
      .recipients = {},
      .body = body,
      .sender = default_sender_,
      .encoding = encoding == Encoding::kGsm7 ? gsm7_word_ : ucs2_word_,
      .test = "false",
      .params = &no_params,
      .default_params = &default_params_};
  FormRequest request;
  for (const auto& [name, text] : headers_) {
    std::optional<std::string> value = text.fill(values);
    if (!value) continue;
    std::replace_if(value->begin(), value->end(), is_control, ' ');
    request.headers.push_back(name + ": " + *value);
  }
  for (const auto& [name, text] : fields_) {
    const std::optional<std::string> value = text.fill(values);
    if (!value) continue;
    if (!request.body.empty()) request.body += '&';
    append_percent_encoded(name, request.body);
    request.body += '=';
    append_percent_encoded(*value, request.body);
  }
  return request;
}

}  // namespace weir
