// SPDX-License-Identifier: Apache-2.0
//
// A profile's text with placeholders, compiled once at start and filled for every call.
//
// Pure; any thread may call it. profile.h lists the placeholders. A secret is put in when the text
// is compiled, because it is the same for every call.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/result.h"

namespace weir {

class TemplateText {
 public:
  // What the placeholders stand for in one call. The views outlive the filling only.
  struct Values {
    std::string_view recipients;
    std::string_view body;
    std::string_view sender;
    std::string_view encoding;
    std::string_view test;
    const std::vector<std::pair<std::string, std::string>>* params = nullptr;
    const std::map<std::string, std::string>* default_params = nullptr;
  };

  // The error says what is wrong with the text, and is to be put behind the name of its place.
  static Result<TemplateText> compile(std::string_view text,
                                      const std::map<std::string, std::string>& secrets);

  // Absent: the text is one {sender} or {param:NAME} and that is not given.
  std::optional<std::string> fill(const Values& values) const;

  bool holds_recipients() const;
  // Secrets that the text needs: whether there are any, and those that are not set.
  bool needs_secret() const { return needs_secret_; }
  const std::vector<std::string>& missing_secrets() const { return missing_secrets_; }

 private:
  enum class Kind : unsigned char {
    kLiteral,
    kRecipients,
    kBody,
    kSender,
    kEncoding,
    kTest,
    kParam
  };
  struct Piece {
    Kind kind = Kind::kLiteral;
    std::string text;  // the literal, or the parameter's name
  };

  static std::optional<Kind> kind_named(std::string_view name);
  static std::string_view value_of(const Piece& piece, const Values& values);
  // False: there is no such placeholder.
  bool add_placeholder(std::string_view inside, const std::map<std::string, std::string>& secrets);

  std::vector<Piece> pieces_;
  bool needs_secret_ = false;
  std::vector<std::string> missing_secrets_;
};

}  // namespace weir
