// SPDX-License-Identifier: Apache-2.0
//
// Method: a head is handed to Beast only when its blank line is there, so Beast always sees it in
// one piece, and the guard sees the bytes that Beast would have unfolded. Chunk lines must lie in
// one piece too (Beast remembers how far it looked, not what it saw), so an unfinished one is kept
// in `pending_` and given again with what follows.

#include "shim/front/request_parser.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

#include "shim/front/ascii.h"

namespace weir {
namespace {

namespace http = boost::beast::http;
using BeastText = boost::beast::string_view;
using ErrorCode = boost::beast::error_code;

constexpr std::string_view kBlankLine = "\r\n\r\n";
// A size of 16 hex digits and an extension; Beast 1.81 has no bound of its own here.
constexpr size_t kChunkLineBytes = 8 * 1024;
// What chunk lines may cost above the bytes they carry: a flood of one-byte chunks with long
// extensions would be read for the price of its length otherwise.
constexpr size_t kChunkOverheadBytes = 16 * 1024;

std::string_view view(BeastText text) {
  return {text.data(), text.size()};
}

std::string lower_case(BeastText text) {
  std::string lower(text.size(), '\0');
  std::transform(text.begin(), text.end(), lower.begin(), ascii_lower);
  return lower;
}

HttpFault fault_of(const ErrorCode& error) {
  if (error == http::error::body_limit) {
    return {"too_large", "The body is above the limit; it was not read to its end."};
  }
  if (error == http::error::header_limit) {
    return {"head_too_large", "The head has too many fields."};
  }
  if (error == http::error::bad_version) {
    return {"malformed", "The request line does not end in HTTP/1.1 or HTTP/1.0."};
  }
  if (error == http::error::bad_method || error == http::error::bad_target) {
    return {"malformed", "The request line is not: method, space, path, space, HTTP/1.1."};
  }
  if (error == http::error::bad_content_length || error == http::error::multiple_content_length ||
      error == http::error::bad_transfer_encoding) {
    return {"malformed", "Content-Length and Transfer-Encoding do not give one length."};
  }
  if (error == http::error::bad_chunk || error == http::error::bad_chunk_extension) {
    return {"malformed", "The chunked body is broken."};
  }
  return {"malformed", "A header field is broken."};
}

}  // namespace

class RequestParser::Machine final : public http::basic_parser<true> {
 public:
  explicit Machine(const HttpLimits& limits) : limits_(limits) {
    header_limit(static_cast<uint32_t>(limits.head_bytes));
    body_limit(boost::none);      // it is held here, because a streamed body has none
    request.headers.reserve(12);  // what curl and the HTTP libraries send, with some room
  }

  HttpRequest request;
  std::string target;
  int minor_version = 1;
  bool expects_continue = false;
  bool streamed = false;
  uint64_t body_bytes = 0;

 private:
  void on_request_impl(http::verb, BeastText method, BeastText path, int version,
                       ErrorCode&) override {
    request.method = view(method);
    target = view(path);
    minor_version = version - 10;
  }
  // Never called: it belongs to the parser of answers.
  void on_response_impl(int, BeastText, int, ErrorCode&) override {}
  void on_field_impl(http::field name, BeastText name_text, BeastText value,
                     ErrorCode& error) override {
    if (++fields_ > limits_.head_fields) {
      error = http::error::header_limit;
      return;
    }
    if (head_done_) return;  // a trailer
    if (name == http::field::expect) expects_continue = true;
    request.headers.emplace_back(lower_case(name_text), view(value));
  }
  void on_header_impl(ErrorCode&) override { head_done_ = true; }
  void on_body_init_impl(const boost::optional<uint64_t>& length, ErrorCode&) override {
    // A promise is not a body: a large one is made room for as it comes.
    constexpr uint64_t kAtOnce = 64 * 1024;
    if (length) request.body.reserve(static_cast<size_t>(std::min(*length, kAtOnce)));
  }
  size_t on_body_impl(BeastText bytes, ErrorCode& error) override { return take(bytes, error); }
  void on_chunk_header_impl(uint64_t size, BeastText, ErrorCode& error) override {
    if (!fits(size)) error = http::error::body_limit;
  }
  size_t on_chunk_body_impl(uint64_t, BeastText bytes, ErrorCode& error) override {
    return take(bytes, error);
  }
  void on_finish_impl(ErrorCode&) override {}

  bool fits(uint64_t more) const {
    return streamed ||
           (body_bytes <= limits_.body_bytes && more <= limits_.body_bytes - body_bytes);
  }
  size_t take(BeastText bytes, ErrorCode& error) {
    if (!fits(bytes.size())) {
      error = http::error::body_limit;
      return 0;
    }
    body_bytes += bytes.size();
    request.body.append(bytes.data(), bytes.size());
    return bytes.size();
  }

  const HttpLimits& limits_;
  size_t fields_ = 0;
  bool head_done_ = false;
};

RequestParser::RequestParser(const HttpLimits& limits, const Streams& streams)
    : limits_(limits), streams_(streams), machine_(std::make_unique<Machine>(limits)) {}

RequestParser::~RequestParser() = default;

RequestParser::Fed RequestParser::feed(std::string_view bytes) {
  if (!head_done()) return feed_head(bytes);
  return machine_->chunked() ? feed_chunks(bytes) : feed_body(bytes);
}

// One empty line before a request is forgiven (RFC 9112 section 2.2): some old clients end a body
// with it.
size_t RequestParser::skip_leading_line(std::string_view bytes) {
  constexpr std::string_view kLine = "\r\n";
  size_t skipped = 0;
  while (leading_ < kLine.size() && skipped < bytes.size() && bytes[skipped] == kLine[leading_]) {
    ++leading_;
    ++skipped;
  }
  return skipped;
}

RequestParser::Fed RequestParser::feed_head(std::string_view bytes) {
  const size_t skipped = pending_.empty() ? skip_leading_line(bytes) : 0;
  bytes.remove_prefix(skipped);
  if (bytes.empty()) return {skipped, Progress::kMore};
  if (leading_ == 1) return {skipped, fail({"malformed", "A carriage return stands alone."})};
  leading_ = 2;

  const size_t before = pending_.size();
  // The whole head in one read is the rule; then nothing is copied.
  const size_t end = before == 0 ? bytes.find(kBlankLine) : std::string_view::npos;
  if (end != std::string_view::npos) {
    const size_t length = end + kBlankLine.size();
    return {skipped + length, read_head(bytes.substr(0, length))};
  }

  const size_t room = limits_.head_bytes + kBlankLine.size() - std::min(before, limits_.head_bytes);
  pending_.append(bytes.substr(0, room));
  const size_t all = skipped + bytes.size();
  const size_t found = pending_.find(kBlankLine, before < 3 ? 0 : before - 3);
  if (found != std::string::npos) {
    const size_t length = found + kBlankLine.size();
    const std::string head = std::exchange(pending_, {}).substr(0, length);
    return {skipped + length - before, read_head(head)};
  }
  // Seen here and not only in the whole head: one of bare line feeds never becomes whole.
  if (auto fault = check_head_bytes(pending_, before)) return {all, fail(*fault)};
  if (pending_.size() > limits_.head_bytes) {
    return {all, fail({"head_too_large", "The head is above the limit."})};
  }
  return {all, Progress::kMore};
}

RequestParser::Progress RequestParser::read_head(std::string_view head) {
  if (head.size() > limits_.head_bytes) {
    return fail({"head_too_large", "The head is above the limit."});
  }
  if (auto fault = check_head_bytes(head, 0)) return fail(*fault);
  ErrorCode error;
  machine_->put(boost::asio::const_buffer(head.data(), head.size()), error);
  if (error) return fail(fault_of(error));

  HttpRequest& request = machine_->request;
  const std::string_view target = machine_->target;
  const size_t question = target.find('?');
  request.path = target.substr(0, question);
  if (question != target.npos) request.query = target.substr(question + 1);
  machine_->streamed = streams_ && streams_(request);
  const HeadFacts facts{target, machine_->minor_version, machine_->streamed};
  if (auto fault = check_head(request, facts, limits_)) return fail(*fault);
  return machine_->is_done() ? Progress::kComplete : Progress::kHead;
}

RequestParser::Fed RequestParser::feed_body(std::string_view bytes) {
  ErrorCode error;
  const size_t consumed =
      machine_->put(boost::asio::const_buffer(bytes.data(), bytes.size()), error);
  if (error) return {consumed, fail(fault_of(error))};
  return {consumed, machine_->is_done() ? Progress::kComplete : Progress::kMore};
}

RequestParser::Fed RequestParser::feed_chunks(std::string_view bytes) {
  const size_t before = pending_.size();
  std::string_view rest = bytes;
  if (before > 0) rest = pending_.append(bytes);
  const size_t offered = rest.size();
  ErrorCode error;
  while (!machine_->is_done() && !rest.empty() && !error) {
    rest.remove_prefix(machine_->put(boost::asio::const_buffer(rest.data(), rest.size()), error));
  }
  if (error && error != http::error::need_more) return {bytes.size(), fail(fault_of(error))};

  if (machine_->is_done()) {
    const size_t consumed = bytes.size() - rest.size();
    pending_.clear();
    return {consumed, Progress::kComplete};
  }
  chunk_bytes_ += offered - rest.size();
  if (chunk_bytes_ > 2 * machine_->body_bytes + kChunkOverheadBytes ||
      rest.size() > kChunkLineBytes) {
    return {bytes.size(), fail({"malformed", "The chunks carry too little for their size."})};
  }
  pending_ = std::string(rest);
  return {bytes.size(), Progress::kMore};
}

RequestParser::Progress RequestParser::fail(HttpFault fault) {
  fault_ = fault;
  return Progress::kFault;
}

bool RequestParser::started() const {
  return machine_->got_some() || !pending_.empty();
}
bool RequestParser::head_done() const {
  return machine_->is_header_done();
}
size_t RequestParser::body_held() const {
  return machine_->request.body.size();
}
uint64_t RequestParser::declared_body() const {
  return machine_->content_length().value_or(0);
}
bool RequestParser::expects_continue() const {
  return machine_->expects_continue;
}
bool RequestParser::keep_alive() const {
  return machine_->keep_alive();
}
bool RequestParser::http_1_0() const {
  return machine_->minor_version == 0;
}

bool RequestParser::streamed() const {
  return machine_->streamed;
}
std::string RequestParser::take_piece() {
  return std::exchange(machine_->request.body, {});
}
const HttpRequest& RequestParser::head() const {
  return machine_->request;
}

HttpRequest RequestParser::take() {
  return std::move(machine_->request);
}

void RequestParser::next() {
  machine_ = std::make_unique<Machine>(limits_);
  chunk_bytes_ = 0;
  leading_ = 0;
}

}  // namespace weir
