// SPDX-License-Identifier: Apache-2.0
//
// A profile: how one provider's HTTP API is spoken. Data, read from conf/profiles/*.yaml; nothing
// in the code knows a provider by name.
//
// A field's text is a template. It may hold: {recipients} (all numbers, joined), {body}, {sender},
// {encoding} (the profile's word for it, always from the counter), {test} ("true"/"false"),
// {secret:NAME} (from the gateway's credentials), {param:NAME} (from the submission, else from the
// gateway's options). A field or header whose only content is a {sender} or {param:NAME} that is
// not given is left out of the request. Control characters in a header's value become spaces, so
// that no parameter can begin a header of its own.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/gateway.h"
#include "weir/segments.h"
#include "weir/units.h"

namespace weir {

// The call that asks what a text costs, where the provider has one: a form POST that goes in the
// same way as a message and sends nothing. `weir cost verify` makes it, the way of a message
// never does. Its templates hold no {recipients} and no {secret:NAME}; the credentials come from
// `auth`.
struct PriceProfile {
  std::string path;
  std::vector<std::pair<std::string, std::string>> headers;  // name, template
  std::vector<std::pair<std::string, std::string>> fields;   // name, template
  // JSON Pointers into the reply; of each list the first that leads to something counts.
  std::vector<std::string> encoding_at;
  std::vector<std::string> length_at;     // in septets or UTF-16 units
  std::vector<std::string> remaining_at;  // may be empty: the provider does not say
  std::vector<std::string> credit_at;     // what one recipient is billed
  // The provider's words for the encodings in this reply; upper and lower case are the same.
  std::string gsm7_word = "TEXT";
  std::string ucs2_word = "UNICODE";
};

struct Profile {
  std::string name;

  // Request: a form POST to the gateway's base URL + path.
  std::string path;
  std::vector<std::pair<std::string, std::string>> headers;  // name, template
  std::vector<std::pair<std::string, std::string>> fields;   // name, template
  // A way in. The entries above that need a secret are one, if there are any, and come first; the
  // first way whose secrets are all set is used, and the entries of the others are left out:
  // exactly one way in is spoken.
  struct Auth {
    std::vector<std::pair<std::string, std::string>> headers;
    std::vector<std::pair<std::string, std::string>> fields;
  };
  std::vector<Auth> auth;
  std::string recipients_join = ",";
  bool recipients_plus = false;  // numbers with a leading plus
  std::string gsm7_word = "text";
  std::string ucs2_word = "unicode";

  // Reply: JSON. Each list holds JSON Pointers (RFC 6901); the first that exists counts. A code or
  // reference is a text or a whole number, and not empty. A reply has the profile's shape if it is
  // an object in which at least one pointer of the three lists finds something.
  std::vector<std::string> code_at;
  std::vector<std::string> ref_at;
  std::vector<std::string> rejected_at;  // an array of numbers, or one text joined by commas
  std::vector<OutcomeRule> outcomes;

  // How the provider counts and bills.
  CountingRules counting;
  Units weight = Units::of(1);

  std::optional<PriceProfile> price;  // where the provider has one
};

}  // namespace weir
