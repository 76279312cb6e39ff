// SPDX-License-Identifier: Apache-2.0
#include "shim/egress/template_text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace weir {
namespace {

constexpr std::string_view kSecret = "secret:";
constexpr std::string_view kParam = "param:";

}  // namespace

std::optional<TemplateText::Kind> TemplateText::kind_named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Kind>, 5> kKinds = {{
      {"recipients", Kind::kRecipients},
      {"body", Kind::kBody},
      {"sender", Kind::kSender},
      {"encoding", Kind::kEncoding},
      {"test", Kind::kTest},
  }};
  for (const auto& [known, kind] : kKinds) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

bool TemplateText::add_placeholder(std::string_view inside,
                                   const std::map<std::string, std::string>& secrets) {
  if (inside.starts_with(kSecret)) {
    const std::string secret_name(inside.substr(kSecret.size()));
    needs_secret_ = true;
    const auto found = secrets.find(secret_name);
    const bool set = found != secrets.end() && !found->second.empty();
    if (set) pieces_.push_back({Kind::kLiteral, found->second});
    if (!set) missing_secrets_.push_back(secret_name);
    return !secret_name.empty();
  }
  if (inside.starts_with(kParam)) {
    pieces_.push_back({Kind::kParam, std::string(inside.substr(kParam.size()))});
    return inside.size() > kParam.size();
  }
  const auto kind = kind_named(inside);
  if (kind) pieces_.push_back({*kind, {}});
  return kind.has_value();
}

Result<TemplateText> TemplateText::compile(std::string_view text,
                                           const std::map<std::string, std::string>& secrets) {
  TemplateText compiled;
  while (!text.empty()) {
    const size_t open = std::min(text.find('{'), text.size());
    if (open > 0) compiled.pieces_.push_back({Kind::kLiteral, std::string(text.substr(0, open))});
    text.remove_prefix(open);
    if (text.empty()) break;
    const size_t close = text.find('}');
    if (close == std::string_view::npos) {
      return Error{"a { without its }; placeholders are written {body}"};
    }
    const std::string_view inside = text.substr(1, close - 1);
    if (!compiled.add_placeholder(inside, secrets)) {
      return Error{"{" + std::string(inside) +
                   "} is no placeholder; there are {recipients}, {body}, {sender}, {encoding}, "
                   "{test}, {secret:NAME} and {param:NAME}"};
    }
    text.remove_prefix(close + 1);
  }
  return compiled;
}

std::string_view TemplateText::value_of(const Piece& piece, const Values& values) {
  switch (piece.kind) {
    case Kind::kLiteral: return piece.text;
    case Kind::kRecipients: return values.recipients;
    case Kind::kBody: return values.body;
    case Kind::kSender: return values.sender;
    case Kind::kEncoding: return values.encoding;
    case Kind::kTest: return values.test;
    case Kind::kParam: break;
  }
  for (const auto& [name, value] : *values.params) {
    if (name == piece.text) return value;
  }
  const auto found = values.default_params->find(piece.text);
  return found == values.default_params->end() ? std::string_view{} : found->second;
}

std::optional<std::string> TemplateText::fill(const Values& values) const {
  if (pieces_.size() == 1) {
    const Piece& only = pieces_.front();
    const bool optional = only.kind == Kind::kSender || only.kind == Kind::kParam;
    const std::string_view value = value_of(only, values);
    if (optional && value.empty()) return std::nullopt;
    return std::string(value);
  }
  std::string text;
  for (const Piece& piece : pieces_)
    text += value_of(piece, values);
  return text;
}

bool TemplateText::holds_recipients() const {
  return std::any_of(pieces_.begin(), pieces_.end(),
                     [](const Piece& piece) { return piece.kind == Kind::kRecipients; });
}

}  // namespace weir
