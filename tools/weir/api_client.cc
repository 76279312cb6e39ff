// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/api_client.h"

#include <cstdlib>
#include <memory>

#include <curl/curl.h>
#include <unistd.h>

#include "shim/config/secrets.h"

namespace weir {
namespace {

// An answer of weir is small; a stranger's may not be.
constexpr size_t kMaxAnswer = 64 * 1024 * 1024;

size_t append(char* data, size_t size, size_t count, void* target) {
  auto* body = static_cast<std::string*>(target);
  if (body->size() + size * count > kMaxAnswer) return 0;
  body->append(data, size * count);
  return size * count;
}

std::string socket_path(const ApiArgs& where) {
  if (!where.socket.empty()) return where.socket;
  if (const char* set = std::getenv("WEIR_SOCKET"); set != nullptr && *set != '\0') return set;
  for (const char* usual : {"/run/weir/weir.sock", ".run/weir.sock"}) {
    if (access(usual, F_OK) == 0) return usual;
  }
  return "/run/weir/weir.sock";
}

// Empty: none. The variable is for a url only: over the socket nobody needs a key, and with one an
// operator would be but a producer.
Result<std::string> key_for(const ApiArgs& where) {
  if (!where.key_file.empty()) {
    Result<std::string> key = secret_from_file(where.key_file);
    if (!key) return Error{"--key-file: " + key.error().detail};
    return key;
  }
  if (where.url.empty() || std::getenv("WEIR_KEY") == nullptr) return std::string();
  Result<std::string> key = secret_from_environment("WEIR_KEY");
  if (!key) return Error{"WEIR_KEY: " + key.error().detail};
  return key;
}

using Headers = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

Headers headers_with(const std::string& key) {
  curl_slist* all = curl_slist_append(nullptr, "Content-Type: application/json");
  if (!key.empty()) all = curl_slist_append(all, ("Authorization: Bearer " + key).c_str());
  return {all, curl_slist_free_all};
}

}  // namespace

Result<ApiPlace> place_of(const ApiArgs& where) {
  Result<std::string> key = key_for(where);
  if (!key) return key.error();
  if (!where.url.empty()) return ApiPlace{"", where.url, std::move(*key)};
  return ApiPlace{socket_path(where), "http://localhost", std::move(*key)};
}

Result<ApiReply> call_api(const ApiArgs& where, const std::string& method, const std::string& path,
                          const std::string& body, int64_t most_seconds) {
  const Result<ApiPlace> place = place_of(where);
  if (!place) return place.error();
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(curl_easy_init(),
                                                                 curl_easy_cleanup);
  if (!place->socket.empty()) {
    curl_easy_setopt(curl.get(), CURLOPT_UNIX_SOCKET_PATH, place->socket.c_str());
  }
  const std::string url = place->url + path;
  ApiReply reply;
  const Headers headers = headers_with(place->key);
  curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_PROXY, "");
  curl_easy_setopt(curl.get(), CURLOPT_CUSTOMREQUEST, method.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_HTTPHEADER, headers.get());
  if (!body.empty()) {
    curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDS, body.data());
    curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDSIZE, static_cast<long>(body.size()));
  }
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, append);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &reply.body);
  curl_easy_setopt(curl.get(), CURLOPT_CONNECTTIMEOUT, 5L);
  curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT, static_cast<long>(most_seconds));
  const CURLcode code = curl_easy_perform(curl.get());
  if (code != CURLE_OK) {
    return Error{"no weir answers at " + place->name() + " (" + curl_easy_strerror(code) +
                 "); is it running? --socket or --url say where it is"};
  }
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  reply.status = static_cast<int>(status);
  return reply;
}

std::string percent_encoded(const std::string& value) {
  const std::unique_ptr<char, decltype(&curl_free)> encoded(
      curl_easy_escape(nullptr, value.data(), static_cast<int>(value.size())), curl_free);
  return encoded == nullptr ? value : encoded.get();
}

int exit_code_for(int http_status) {
  if (http_status < 300) return kDone;
  if (http_status == 404) return kNotFound;
  if (http_status == 409) return kFailed;  // the request is right, the state forbids it
  if (http_status == 503 || http_status == 429) return kTryLater;
  return http_status < 500 ? kUsage : kFailed;
}

}  // namespace weir
