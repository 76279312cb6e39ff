// SPDX-License-Identifier: Apache-2.0
//
// Method. Every pass sets every option again on a handle that was reset. The body goes out through
// a read callback, so that the recorder knows whether a byte of it was handed over; the seek
// callback and the pre-request callback refuse a second time. The pre-request callback also looks
// at the socket: curl 7.88 calls a connection alive that holds a TLS close or an answer which
// nobody asked for, and would give the latter to this call.
#include "shim/egress/attempt.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "weir/check.h"

#include "shim/egress/clock.h"
#include "shim/egress/reply_parser.h"

namespace weir {
namespace {

// The second pass asks for a new connection, which cannot be unclean. One more for the unforeseen;
// the bound keeps a call from going round for ever.
constexpr uint32_t kMaxIssues = 3;
// A connection is replaced after an hour, so that a gateway's new addresses are found.
constexpr long kMaxConnectionSeconds = 3600;
constexpr size_t kMaxErrorBytes = 200;

template <typename Value>
void set(CURL* easy, CURLoption option, Value value) {
  WEIR_CHECK(curl_easy_setopt(easy, option, value) == CURLE_OK);
}

// Why a connect failed: curl's text does not say.
int os_error_of(CURL* easy) {
  long error = 0;
  WEIR_CHECK(curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &error) == CURLE_OK);
  return static_cast<int>(error);
}

curl_slist* with(curl_slist* list, const char* line) {
  curl_slist* const longer = curl_slist_append(list, line);
  WEIR_CHECK(longer != nullptr);
  return longer;
}

}  // namespace

Attempt::~Attempt() {
  WEIR_CHECK(!busy_);
  drop_handle();
}

void Attempt::drop_handle() {
  if (easy_ != nullptr) curl_easy_cleanup(std::exchange(easy_, nullptr));
  curl_slist_free_all(std::exchange(headers_, nullptr));
}

bool Attempt::start(BatchId batch, FormRequest request) {
  WEIR_CHECK(!busy_);
  batch_ = batch;
  started_ = clock_now();
  issues_ = 0;
  stopped_because_ = nullptr;
  wire_.begin(std::move(request.body), context_.options.max_reply_bytes, started_);
  curl_slist_free_all(std::exchange(headers_, nullptr));
  headers_ = with(headers_, "Content-Type: application/x-www-form-urlencoded");
  headers_ = with(headers_, "Expect:");  // or a body above 1 MiB waits a second for a 100
  for (const std::string& header : request.headers)
    headers_ = with(headers_, header.c_str());
  busy_ = issue();
  return busy_;
}

bool Attempt::issue() {
  ++issues_;
  clean_ = false;
  vetoed_ = false;
  error_[0] = '\0';
  os_error_ = 0;
  code_ = CURLE_OK;
  if (easy_ == nullptr) easy_ = curl_easy_init();
  WEIR_CHECK(easy_ != nullptr);
  curl_easy_reset(easy_);
  context_.driver.prepare(easy_, this);
  set_request();
  set_limits();
  set_transport();
  if (context_.driver.add(easy_)) return true;
  code_ = CURLE_FAILED_INIT;
  return false;
}

void Attempt::set_request() {
  set(easy_, CURLOPT_URL, context_.url.c_str());
  set(easy_, CURLOPT_POST, 1L);
  set(easy_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(wire_.body_size()));
  set(easy_, CURLOPT_HTTPHEADER, headers_);
  set(easy_, CURLOPT_USERAGENT, "weir");
  set(easy_, CURLOPT_READFUNCTION, &on_read);
  set(easy_, CURLOPT_READDATA, static_cast<void*>(this));
  set(easy_, CURLOPT_SEEKFUNCTION, &on_seek);
  set(easy_, CURLOPT_SEEKDATA, static_cast<void*>(this));
  set(easy_, CURLOPT_PREREQFUNCTION, &on_prereq);
  set(easy_, CURLOPT_PREREQDATA, static_cast<void*>(this));
  set(easy_, CURLOPT_HEADERFUNCTION, &on_head);
  set(easy_, CURLOPT_HEADERDATA, static_cast<void*>(this));
  set(easy_, CURLOPT_WRITEFUNCTION, &on_body);
  set(easy_, CURLOPT_WRITEDATA, static_cast<void*>(this));
  set(easy_, CURLOPT_ERRORBUFFER, &error_[0]);
  // ACCEPT_ENCODING stays unset: nothing is unpacked, so nothing can unpack into a flood.
}

void Attempt::set_limits() {
  const GatewayOptions& options = context_.options;
  const Duration left = options.total_timeout - (clock_now() - started_);
  set(easy_, CURLOPT_TIMEOUT_MS, static_cast<long>(std::max<int64_t>(1, left.ms_ceil())));
  set(easy_, CURLOPT_CONNECTTIMEOUT_MS,
      static_cast<long>(std::max<int64_t>(1, options.connect_timeout.ms_ceil())));
  // curl compares whole seconds with ">", so N lets N+1 pass.
  const int64_t idle_s = options.idle_timeout.ms() / 1000;
  set(easy_, CURLOPT_MAXAGE_CONN, static_cast<long>(std::max<int64_t>(0, idle_s - 1)));
  set(easy_, CURLOPT_FORBID_REUSE, idle_s < 1 ? 1L : 0L);
  set(easy_, CURLOPT_MAXLIFETIME_CONN, kMaxConnectionSeconds);
  set(easy_, CURLOPT_FRESH_CONNECT, issues_ > 1 ? 1L : 0L);
  // Or a handle that is taken back while it resolves a name waits for the resolver's thread, and
  // the loop with it.
  set(easy_, CURLOPT_QUICK_EXIT, 1L);
}

void Attempt::set_transport() {
  const bool plain = context_.url.starts_with("http://");
  set(easy_, CURLOPT_NOSIGNAL, 1L);
  // One request a connection: HTTP/2 gained nothing and makes every stream of a lost connection
  // ambiguous at once.
  set(easy_, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  set(easy_, CURLOPT_PROTOCOLS_STR, plain ? "http" : "https");
  set(easy_, CURLOPT_FOLLOWLOCATION, 0L);
  set(easy_, CURLOPT_PROXY, "");  // or http_proxy of the environment is asked
  set(easy_, CURLOPT_TCP_KEEPALIVE, 1L);
  set(easy_, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  set(easy_, CURLOPT_CAINFO, context_.options.ca_file.c_str());
  // Debian's default path keeps curl from caching the parsed file: 24 ms for each new connection
  // instead of 0.5, during which the loop stands.
  set(easy_, CURLOPT_CAPATH, static_cast<char*>(nullptr));
}

bool Attempt::goes_on_after(CURLcode code) {
  WEIR_CHECK(busy_);
  code_ = code;
  const bool again =
      code == CURLE_ABORTED_BY_CALLBACK && vetoed_ && !wire_.body_handed() && issues_ < kMaxIssues;
  if (code != CURLE_OK) {
    if (code == CURLE_COULDNT_CONNECT) os_error_ = os_error_of(easy_);
    curl_easy_cleanup(std::exchange(easy_, nullptr));
  }
  busy_ = again && issue();
  return busy_;
}

void Attempt::stop(const char* reason) {
  WEIR_CHECK(busy_);
  context_.driver.remove(easy_);
  curl_easy_cleanup(std::exchange(easy_, nullptr));
  stopped_because_ = reason;
  busy_ = false;
}

GatewayReply Attempt::reply() {
  WEIR_CHECK(!busy_);
  GatewayReply reply;
  reply.body_handed = wire_.body_handed();
  reply.http_status = wire_.http_status();
  reply.retry_after = wire_.retry_after();
  reply.sent_at = wire_.sent_at();
  reply.transport_error = fault_text();
  if (!reply.transport_error.empty()) return reply;
  ParsedReply parsed = parse_reply(context_.profile, wire_.reply());
  reply.complete = parsed.fault.empty();
  reply.transport_error = parsed.fault;
  reply.code = std::move(parsed.code);
  reply.gateway_ref = std::move(parsed.gateway_ref);
  reply.rejected = std::move(parsed.rejected);
  return reply;
}

// Empty: a whole reply came.
std::string Attempt::fault_text() const {
  if (stopped_because_ != nullptr) return stopped_because_;
  if (wire_.too_long()) return "the reply is longer than max_reply_bytes, or its head than 32 KiB";
  if (code_ == CURLE_OK) return wire_.head_done() ? "" : "the reply's head was cut short";
  if (code_ == CURLE_SEND_FAIL_REWIND || code_ == CURLE_ABORTED_BY_CALLBACK) {
    return wire_.body_handed() ? "the connection ended without an answer"
                               : "no clean connection to the gateway could be had";
  }
  std::string text = curl_easy_strerror(code_);
  // curl's longer text tells host and port. Once a request was written it could hold words of the
  // gateway's, so it is taken only before.
  if (!clean_ && error_[0] != '\0') text = error_;
  if (os_error_ != 0) text += " (" + std::generic_category().message(os_error_) + ")";
  if (text.size() > kMaxErrorBytes) text.resize(kMaxErrorBytes);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text;
}

size_t Attempt::on_read(char* to, size_t size, size_t count, void* self) {
  return static_cast<Attempt*>(self)->wire_.take_body(to, size * count);
}

int Attempt::on_seek(void* self, curl_off_t offset, int) {
  // Refused only where it would repeat something: a handle whose rewind failed is spoilt in 8.14.
  const bool may = offset == 0 && static_cast<Attempt*>(self)->wire_.may_rewind();
  return may ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL;
}

int Attempt::on_prereq(void* self, char* peer_ip, char* local_ip, int peer_port, int local_port) {
  auto* const attempt = static_cast<Attempt*>(self);
  if (!attempt->wire_.about_to_write(clock_now())) return CURL_PREREQFUNC_ABORT;
  attempt->clean_ = attempt->context_.driver.check_out(
      {.peer_ip = peer_ip, .local_ip = local_ip, .peer_port = peer_port, .local_port = local_port});
  attempt->vetoed_ = !attempt->clean_;
  return attempt->clean_ ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

size_t Attempt::on_head(char* line, size_t size, size_t count, void* self) {
  const bool taken = static_cast<Attempt*>(self)->wire_.on_head_line({line, size * count});
  return taken ? size * count : 0;
}

size_t Attempt::on_body(char* bytes, size_t size, size_t count, void* self) {
  const bool taken = static_cast<Attempt*>(self)->wire_.on_reply_bytes({bytes, size * count});
  return taken ? size * count : 0;
}

}  // namespace weir
