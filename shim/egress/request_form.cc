// SPDX-License-Identifier: Apache-2.0
#include "shim/egress/request_form.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <optional>
#include <utility>

namespace weir {
namespace {

bool is_alnum(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

constexpr std::string_view kTokenMarks = "!#$%&'*+-.^_`|~";

// RFC 9110 section 5.6.2.
bool is_token(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return is_alnum(c) || kTokenMarks.find(c) != std::string_view::npos;
  });
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// These decide where a request ends or how a reply is framed, which is the transport's business.
bool is_framing(std::string_view name) {
  constexpr std::array<std::string_view, 8> kFraming = {
      "content-length", "transfer-encoding", "expect",  "connection",
      "content-type",   "accept-encoding",   "upgrade", "te"};
  return std::find(kFraming.begin(), kFraming.end(), lower(name)) != kFraming.end();
}

// A trailing newline of a secret's file, or a parameter with one, must not begin another header.
std::string header_value(std::string value) {
  std::replace_if(value.begin(), value.end(), is_control, ' ');
  const size_t first = value.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return value.substr(first, value.find_last_not_of(' ') - first + 1);
}

Result<std::string> joined_url(const std::string& url, const std::string& path) {
  const bool scheme = url.starts_with("https://") || url.starts_with("http://");
  const size_t host = scheme ? url.find("//") + 2 : 0;
  if (!scheme || host == url.size() || url[host] == '/') {
    return Error{"gateway.url: not a URL; write https://, a host, and a port if it is not 443"};
  }
  if (url.find_first_of("?#@") != std::string::npos ||
      std::any_of(url.begin(), url.end(), [](char c) { return is_control(c) || c == ' '; })) {
    return Error{
        "gateway.url: holds a space, a query or credentials; only scheme, host and port belong "
        "there, credentials are secrets"};
  }
  if (std::any_of(path.begin(), path.end(), [](char c) { return is_control(c) || c == ' '; })) {
    return Error{"profile: path: holds a space or a control character; write %20 for a space"};
  }
  std::string joined = url.substr(0, url.find_last_not_of('/') + 1);
  if (!path.starts_with('/')) joined += '/';
  return joined + path;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : " and ") + name;
  return text;
}

}  // namespace

void append_percent_encoded(std::string_view text, std::string& to) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  for (const char c : text) {
    if (is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~') {
      to += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    to += '%';
    to += kHex[byte >> 4];
    to += kHex[byte & 15];
  }
}

Result<std::vector<RequestForm::Entry>> RequestForm::compile(const Named& entries,
                                                             std::string_view kind,
                                                             const GatewayOptions& options) {
  std::vector<Entry> compiled;
  for (const auto& [name, text] : entries) {
    auto pieces = TemplateText::compile(text, options.secrets);
    if (!pieces) {
      return Error{"profile: " + std::string(kind) + " " + name + ": " + pieces.error().detail};
    }
    compiled.push_back({name, std::move(*pieces)});
  }
  return compiled;
}

Status RequestForm::check_entries(const Way& way) {
  for (const Entry& header : way.headers) {
    if (!is_token(header.name)) {
      return Error{"profile: header " + header.name + ": not a header's name"};
    }
    if (is_framing(header.name)) {
      return Error{"profile: header " + header.name + ": is set by the transport; take it out"};
    }
  }
  for (const Entry& field : way.fields) {
    if (field.name.empty()) return Error{"profile: fields: one has no name"};
  }
  return Done{};
}

std::vector<std::string> RequestForm::missing_secrets(const Way& way) {
  std::vector<std::string> missing;
  for (const auto* entries : {&way.headers, &way.fields}) {
    for (const Entry& entry : *entries) {
      const auto& names = entry.text.missing_secrets();
      missing.insert(missing.end(), names.begin(), names.end());
    }
  }
  return missing;
}

RequestForm::Way RequestForm::secret_entries(Way& always) {
  Way way;
  const auto split = [](std::vector<Entry>& from, std::vector<Entry>& to) {
    const auto first = std::stable_partition(
        from.begin(), from.end(), [](const Entry& entry) { return !entry.text.needs_secret(); });
    to.assign(std::make_move_iterator(first), std::make_move_iterator(from.end()));
    from.erase(first, from.end());
  };
  split(always.headers, way.headers);
  split(always.fields, way.fields);
  return way;
}

Status RequestForm::choose_way(std::vector<Way> ways) {
  std::string wanted;
  for (Way& way : ways) {
    const auto missing = missing_secrets(way);
    if (missing.empty()) {
      std::move(way.headers.begin(), way.headers.end(), std::back_inserter(entries_.headers));
      std::move(way.fields.begin(), way.fields.end(), std::back_inserter(entries_.fields));
      return Done{};
    }
    wanted += (wanted.empty() ? "" : ", or ") + listed(missing);
  }
  if (ways.empty()) return Done{};
  return Error{"gateway.secrets: no way into the gateway is complete; set " + wanted};
}

Result<RequestForm> RequestForm::make(const GatewayOptions& options, const Profile& profile) {
  RequestForm form;
  auto url = joined_url(options.url, profile.path);
  if (!url) return url.error();
  form.url_ = std::move(*url);

  std::vector<Way> ways;
  const auto compile_way = [&](const Named& headers, const Named& fields) -> Result<Way> {
    auto compiled_headers = compile(headers, "header", options);
    if (!compiled_headers) return compiled_headers.error();
    auto compiled_fields = compile(fields, "field", options);
    if (!compiled_fields) return compiled_fields.error();
    Way way{std::move(*compiled_headers), std::move(*compiled_fields)};
    if (const auto checked = check_entries(way); !checked) return checked.error();
    return way;
  };
  auto always = compile_way(profile.headers, profile.fields);
  if (!always) return always.error();
  Way first = secret_entries(*always);
  if (!first.headers.empty() || !first.fields.empty()) ways.push_back(std::move(first));
  form.entries_ = std::move(*always);
  for (const Profile::Auth& auth : profile.auth) {
    auto way = compile_way(auth.headers, auth.fields);
    if (!way) return way.error();
    ways.push_back(std::move(*way));
  }
  if (const auto chosen = form.choose_way(std::move(ways)); !chosen) return chosen.error();
  if (std::none_of(form.entries_.fields.begin(), form.entries_.fields.end(),
                   [](const Entry& field) { return field.text.holds_recipients(); })) {
    return Error{"profile: fields: none holds {recipients}; the gateway could not know to whom"};
  }
  form.recipients_join_ = profile.recipients_join;
  form.recipients_plus_ = profile.recipients_plus;
  form.gsm7_word_ = profile.gsm7_word;
  form.ucs2_word_ = profile.ucs2_word;
  form.default_sender_ = options.default_sender;
  form.default_params_ = options.params;
  return form;
}

std::string RequestForm::recipients(const Payload& payload) const {
  std::string joined;
  for (const Recipient& recipient : payload.recipients) {
    if (!joined.empty()) joined += recipients_join_;
    if (recipients_plus_) joined += '+';
    joined += std::to_string(recipient.digits);
  }
  return joined;
}

FormRequest RequestForm::fill(const Payload& payload) const {
  const std::string numbers = recipients(payload);
  const TemplateText::Values values{
      .recipients = numbers,
      .body = payload.text.body,
      .sender = payload.text.sender.empty() ? default_sender_ : payload.text.sender,
      .encoding = payload.encoding == Encoding::kGsm7 ? gsm7_word_ : ucs2_word_,
      .test = payload.test ? "true" : "false",
      .params = &payload.text.params,
      .default_params = &default_params_};
  FormRequest request;
  for (const Entry& header : entries_.headers) {
    const auto text = header.text.fill(values);
    if (!text) continue;
    const std::string value = header_value(*text);
    if (!value.empty()) request.headers.push_back(header.name + ": " + value);
  }
  for (const Entry& field : entries_.fields) {
    const auto text = field.text.fill(values);
    if (!text) continue;
    if (!request.body.empty()) request.body += '&';
    append_percent_encoded(field.name, request.body);
    request.body += '=';
    append_percent_encoded(*text, request.body);
  }
  return request;
}

}  // namespace weir
