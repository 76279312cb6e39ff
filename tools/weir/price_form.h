// SPDX-License-Identifier: Apache-2.0
//
// The request that asks a gateway what a text costs: the profile's price section and its way in,
// filled with one body.
//
// Made and filled by `weir cost verify`, on its only thread.
//
// What always holds: exactly one way in is spoken, the first whose secrets are all set; a value
// cannot end its own field or header line.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/result.h"
#include "weir/segments.h"

#include "shim/egress/gateway_options.h"
#include "shim/egress/profile.h"
#include "shim/egress/request_form.h"
#include "shim/egress/template_text.h"

namespace weir {

class PriceForm {
 public:
  // The profile has a price section. The error names the setting and holds no secret.
  static Result<PriceForm> make(const GatewayOptions& options, const Profile& profile);

  const std::string& url() const { return url_; }
  FormRequest fill(std::string_view body, Encoding encoding) const;

 private:
  using Named = std::vector<std::pair<std::string, std::string>>;
  using Entries = std::vector<std::pair<std::string, TemplateText>>;

  static Status compile(const Named& named, const GatewayOptions& options, Entries& out);
  Status add_way_in(const GatewayOptions& options, const Profile& profile);

  std::string url_;
  Entries headers_;
  Entries fields_;
  std::string gsm7_word_;
  std::string ucs2_word_;
  std::string default_sender_;
  std::map<std::string, std::string> default_params_;
};

}  // namespace weir
