// SPDX-License-Identifier: Apache-2.0
#include "shim/front/query_fields.h"

#include <algorithm>
#include <charconv>

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

bool read_limit(const QueryFields& fields, uint32_t most, uint32_t& out, Problem& problem) {
  const auto field = fields.find("limit");
  if (field == fields.end()) return true;
  const std::string& text = field->second;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, out);
  if (read.ec == std::errc() && read.ptr == end && out >= 1 && out <= most) return true;
  problem.errors.push_back({"/limit", "must be a whole number from 1 to " + std::to_string(most)});
  return false;
}

}  // namespace weir
