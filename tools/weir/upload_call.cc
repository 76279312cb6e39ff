// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/upload_call.h"

#include <memory>

#include <curl/curl.h>

namespace weir {
namespace {

// Often enough for a bar that moves and a Ctrl-C that is heard.
constexpr int kLookEveryMs = 100;

using Easy = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;
using Multi = std::unique_ptr<CURLM, decltype(&curl_multi_cleanup)>;
using Headers = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

struct Body {
  const Upload* what;
  bool paused = false;
};

size_t read_body(char* to, size_t size, size_t count, void* from) {
  auto* body = static_cast<Body*>(from);
  const std::optional<size_t> got = body->what->read(to, size * count);
  body->paused = !got;
  return got ? *got : CURL_READFUNC_PAUSE;
}

size_t take_answer(char* data, size_t size, size_t count, void* target) {
  static_cast<const Upload*>(target)->answer({data, size * count});
  return size * count;
}

Headers headers_of(const ApiPlace& place, const Upload& what) {
  curl_slist* all = curl_slist_append(nullptr, ("Content-Type: " + what.content_type).c_str());
  all = curl_slist_append(all, "Transfer-Encoding: chunked");
  if (!place.key.empty()) {
    all = curl_slist_append(all, ("Authorization: Bearer " + place.key).c_str());
  }
  return {all, curl_slist_free_all};
}

void set_up(CURL* curl, const ApiPlace& place, const Upload& what, Body& body) {
  if (!place.socket.empty()) {
    curl_easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, place.socket.c_str());
  }
  curl_easy_setopt(curl, CURLOPT_URL, (place.url + what.path).c_str());
  curl_easy_setopt(curl, CURLOPT_PROXY, "");
  curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(curl, CURLOPT_POST, 1L);
  curl_easy_setopt(curl, CURLOPT_READFUNCTION, read_body);
  curl_easy_setopt(curl, CURLOPT_READDATA, &body);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_answer);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &what);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, 5L);
  // A machine that has gone away says nothing; a weir that does not read answers these.
  curl_easy_setopt(curl, CURLOPT_TCP_KEEPALIVE, 1L);
}

UploadEnd end_of(CURL* curl, CURLcode code, const ApiPlace& place) {
  UploadEnd end;
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  end.status = static_cast<int>(status);
  if (code == CURLE_OK) return end;
  const bool reached = code != CURLE_COULDNT_CONNECT && code != CURLE_COULDNT_RESOLVE_HOST &&
                       code != CURLE_URL_MALFORMAT && code != CURLE_UNSUPPORTED_PROTOCOL;
  end.how = reached ? UploadEnd::How::kBroken : UploadEnd::How::kNotReached;
  end.detail = (reached ? "the connection to " + place.name() + " broke"
                        : "no weir answers at " + place.name()) +
               " (" + curl_easy_strerror(code) + ")";
  return end;
}

// The end of the one transfer; nothing: it goes on.
std::optional<CURLcode> finished(CURLM* multi) {
  int more = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi, &more)) {
    if (message->msg == CURLMSG_DONE) return message->data.result;
  }
  return std::nullopt;
}

}  // namespace

UploadEnd upload(const ApiPlace& place, const Upload& what) {
  const Multi multi(curl_multi_init(), curl_multi_cleanup);
  const Easy curl(curl_easy_init(), curl_easy_cleanup);
  const Headers headers = headers_of(place, what);
  Body body{&what};
  set_up(curl.get(), place, what, body);
  curl_easy_setopt(curl.get(), CURLOPT_HTTPHEADER, headers.get());
  curl_multi_add_handle(multi.get(), curl.get());
  UploadEnd end{UploadEnd::How::kGivenUp, 0, ""};
  while (what.go_on()) {
    int running = 0;
    curl_multi_perform(multi.get(), &running);
    if (const auto code = finished(multi.get())) {
      end = end_of(curl.get(), *code, place);
      break;
    }
    curl_waitfd input{what.input, CURL_WAIT_POLLIN, 0};
    const bool waits = body.paused && what.input >= 0;
    curl_multi_poll(multi.get(), waits ? &input : nullptr, waits ? 1 : 0, kLookEveryMs, nullptr);
    if (body.paused) curl_easy_pause(curl.get(), CURLPAUSE_CONT);
  }
  curl_multi_remove_handle(multi.get(), curl.get());
  return end;
}

}  // namespace weir
