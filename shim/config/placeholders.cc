// SPDX-License-Identifier: Apache-2.0
#include "shim/config/placeholders.h"

#include <algorithm>
#include <set>
#include <utility>

#include "shim/config/did_you_mean.h"

namespace weir {
namespace {

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

constexpr size_t kMaxName = 64;

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= kMaxName &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '-';
         });
}

Result<Placeholder> placeholder(std::string_view inside) {
  static const std::vector<std::string> kWords = {"recipients", "body",   "sender", "encoding",
                                                  "test",       "secret", "param"};
  const size_t colon = std::min(inside.find(':'), inside.size());
  Placeholder found{std::string(inside.substr(0, colon)), {}};
  if (std::find(kWords.begin(), kWords.end(), found.word) == kWords.end()) {
    return Error{
        "has an unknown placeholder; write {recipients}, {body}, {sender}, {encoding}, "
        "{test}, {secret:NAME} or {param:NAME}" +
        did_you_mean(found.word, kWords)};
  }
  const bool takes_name = found.word == "secret" || found.word == "param";
  if (takes_name != (colon < inside.size())) {
    return Error{"{" + found.word + "}" +
                 (takes_name ? " needs a name, as in {" + found.word + ":NAME}"
                             : " takes no name after a colon")};
  }
  if (!takes_name) return found;
  found.name = inside.substr(colon + 1);
  if (!is_name(found.name)) {
    return Error{"the name in {" + found.word + ":NAME} must be letters, digits, _ or -"};
  }
  return found;
}

void collect(const NamedTexts& templates, std::string_view word, std::set<std::string>& names) {
  for (const auto& [name, text] : templates) {
    const Result<std::vector<Placeholder>> found = placeholders(text);
    if (!found) continue;
    for (const Placeholder& one : *found) {
      if (one.word == word) names.insert(one.name);
    }
  }
}

}  // namespace

Result<std::vector<Placeholder>> placeholders(std::string_view text) {
  std::vector<Placeholder> all;
  while (true) {
    const size_t open = text.find_first_of("{}");
    if (open == std::string_view::npos) return all;
    const size_t close = text.find_first_of("{}", open + 1);
    const bool pair = text[open] == '{' && close != std::string_view::npos && text[close] == '}';
    if (!pair) return Error{"has a brace without its partner; braces hold placeholders only"};
    Result<Placeholder> found = placeholder(text.substr(open + 1, close - open - 1));
    if (!found) return found.error();
    all.push_back(std::move(*found));
    text.remove_prefix(close + 1);
  }
}

std::vector<std::string> names_used(const Profile::Auth& auth, std::string_view word) {
  std::set<std::string> names;
  collect(auth.headers, word, names);
  collect(auth.fields, word, names);
  return {names.begin(), names.end()};
}

std::vector<std::string> names_used(const Profile& profile, std::string_view word) {
  std::set<std::string> names;
  collect(profile.headers, word, names);
  collect(profile.fields, word, names);
  for (const Profile::Auth& auth : profile.auth) {
    collect(auth.headers, word, names);
    collect(auth.fields, word, names);
  }
  if (profile.price) {
    collect(profile.price->headers, word, names);
    collect(profile.price->fields, word, names);
  }
  return {names.begin(), names.end()};
}

}  // namespace weir
