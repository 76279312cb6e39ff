// SPDX-License-Identifier: Apache-2.0
#include "shim/front/query_fields.h"

#include <algorithm>

#include <boost/url/params_view.hpp>
#include <boost/url/parse_query.hpp>

namespace weir {
namespace {

Problem invalid(std::string field, std::string detail) {
  return {"invalid", "The query is not valid.", {{"/" + std::move(field), std::move(detail)}}, {}};
}

std::string list_of(std::span<const std::string_view> known) {
  std::string text;
  for (std::string_view one : known)
    text += (text.empty() ? "" : ", ") + std::string(one);
  return text;
}

}  // namespace

std::variant<QueryFields, Problem> read_query(std::string_view query,
                                              std::span<const std::string_view> known) {
  QueryFields fields;
  if (query.empty()) return fields;
  const auto encoded = boost::urls::parse_query(boost::core::string_view(query));
  if (!encoded) {
    return Problem{"malformed", "The query is not percent-encoded as RFC 3986 asks.", {}, {}};
  }
  for (const auto& param : boost::urls::params_view(*encoded)) {
    std::string name(param.key);
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return invalid(name, "is not a field of this query; it has " + list_of(known));
    }
    if (!fields.emplace(name, std::string(param.value)).second) {
      return invalid(name, "is given twice");
    }
  }
  return fields;
}

}  // namespace weir
