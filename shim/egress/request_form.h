// SPDX-License-Identifier: Apache-2.0
//
// The request of one call: a profile's headers and fields, filled with a payload, as header lines
// and a form body (application/x-www-form-urlencoded).
//
// Pure; made once at start, filled for every call on the loop's thread.
//
// What always holds: the body is never empty, because "no byte of the body was handed over" is how
// a call that was certainly not made is told; a value cannot end its own field or header line.
//
// A space is sent as %20: every form reader takes it, and some do not take the plus.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weir/message.h"
#include "weir/result.h"

#include "shim/egress/gateway_options.h"
#include "shim/egress/profile.h"
#include "shim/egress/template_text.h"

namespace weir {

struct FormRequest {
  std::vector<std::string> headers;  // "Name: value"
  std::string body;
};

class RequestForm {
 public:
  // The error names the profile's field or the gateway's setting; it holds no secret.
  static Result<RequestForm> make(const GatewayOptions& options, const Profile& profile);

  const std::string& url() const { return url_; }
  FormRequest fill(const Payload& payload) const;

 private:
  struct Entry {
    std::string name;
    TemplateText text;
  };
  struct Way {  // a way in
    std::vector<Entry> headers;
    std::vector<Entry> fields;
  };
  using Named = std::vector<std::pair<std::string, std::string>>;

  static Result<std::vector<Entry>> compile(const Named& entries, std::string_view kind,
                                            const GatewayOptions& options);
  static Status check_entries(const Way& way);
  static std::vector<std::string> missing_secrets(const Way& way);
  // Moves the entries that need a secret out of the ones that are always sent.
  static Way secret_entries(Way& always);
  // Adds the entries of the first way in whose secrets are all set.
  Status choose_way(std::vector<Way> ways);
  std::string recipients(const Payload& payload) const;

  std::string url_;
  Way entries_;
  std::string recipients_join_;
  bool recipients_plus_ = false;
  std::string gsm7_word_;
  std::string ucs2_word_;
  std::string default_sender_;
  std::map<std::string, std::string> default_params_;
};

// Everything but letters, digits and - . _ ~ becomes %XX.
void append_percent_encoded(std::string_view text, std::string& to);

}  // namespace weir
