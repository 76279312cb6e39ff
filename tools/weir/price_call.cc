// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/price_call.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <curl/curl.h>

#include "shim/egress/reply_parser.h"
#include "tools/weir/price_form.h"

namespace weir {
namespace {

// Of a provider's code: it is shown to a person, and may be anything.
constexpr size_t kShownCode = 32;

using HeaderLines = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

HeaderLines header_lines(const FormRequest& request) {
  // Without Expect, or a long body waits for a server that does not know it.
  HeaderLines lines(curl_slist_append(nullptr, "Expect:"), curl_slist_free_all);
  for (const std::string& line : request.headers)
    curl_slist_append(lines.get(), line.c_str());
  return lines;
}

std::string shown_code(const std::string& code) {
  std::string shown = code.substr(0, kShownCode);
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return c < 0x20 || c > 0x7e; }, '?');
  return shown;
}

}  // namespace

struct PriceCall::State {
  State(PriceForm the_form, const GatewayOptions& the_options, const Profile& the_profile)
      : form(std::move(the_form)), options(the_options), profile(the_profile) {}

  void set_up();
  static size_t take(char* data, size_t size, size_t count, void* state);

  PriceForm form;
  GatewayOptions options;
  const Profile& profile;
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl{curl_easy_init(), curl_easy_cleanup};
  std::string reply;
};

size_t PriceCall::State::take(char* data, size_t size, size_t count, void* state) {
  auto* self = static_cast<State*>(state);
  if (self->reply.size() + size * count > self->options.max_reply_bytes) return 0;
  self->reply.append(data, size * count);
  return size * count;
}

void PriceCall::State::set_up() {
  const auto ms = [](Duration time) {
    return static_cast<long>(std::max<int64_t>(1, time.ms_ceil()));
  };
  CURL* easy = curl.get();
  curl_easy_setopt(easy, CURLOPT_URL, form.url().c_str());
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR,
                   form.url().starts_with("https:") ? "https" : "http");
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_PROXY, "");
  curl_easy_setopt(easy, CURLOPT_USERAGENT, "weir");
  curl_easy_setopt(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  curl_easy_setopt(easy, CURLOPT_CAINFO, options.ca_file.c_str());
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, ms(options.connect_timeout));
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, ms(options.total_timeout));
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, static_cast<void*>(this));
}

PriceCall::PriceCall(std::unique_ptr<State> state) : state_(std::move(state)) {}
PriceCall::PriceCall(PriceCall&&) noexcept = default;
PriceCall::~PriceCall() = default;

Result<PriceCall> PriceCall::make(const GatewayOptions& options, const Profile& profile) {
  Result<PriceForm> form = PriceForm::make(options, profile);
  if (!form) return form.error();
  auto state = std::make_unique<State>(*std::move(form), options, profile);
  WEIR_CHECK(state->curl != nullptr);
  state->set_up();
  return PriceCall(std::move(state));
}

Result<std::variant<GatewayPrice, NoPrice>> PriceCall::ask(std::string_view body,
                                                           Encoding encoding) {
  State& state = *state_;
  CURL* easy = state.curl.get();
  const FormRequest request = state.form.fill(body, encoding);
  const HeaderLines headers = header_lines(request);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.body.data());
  state.reply.clear();
  const CURLcode code = curl_easy_perform(easy);
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  if (code == CURLE_WRITE_ERROR) return {NoPrice{"an answer beyond gateway.max_reply_bytes"}};
  if (code != CURLE_OK) {
    return Error{"no gateway answers at " + state.options.url + " (" + curl_easy_strerror(code) +
                 "); gateway.url says where it is"};
  }
  if (status >= 200 && status < 300) {
    if (auto price = parse_price(*state.profile.price, state.reply)) return {*std::move(price)};
  }
  const std::string said = parse_reply(state.profile, state.reply).code;
  return {NoPrice{"HTTP " + std::to_string(status) +
                  (said.empty() ? "" : ", code " + shown_code(said))}};
}

}  // namespace weir
