// SPDX-License-Identifier: Apache-2.0
//
// The driver: one curl multi handle on the loop, and the sockets of its connections, which are
// ours.
//
// Why ours: with the textbook driver curl opens and closes sockets, the loop learns of it before or
// after, and a poll can outlive its descriptor. Here a socket gets its poll when it is opened and
// keeps it until it is closed, so a connection that lies idle in curl's cache is still watched:
// whatever arrives on it then was not asked for and taints it. It also is cheaper, because libuv
// 1.44 takes a descriptor out of epoll whenever the interest changes.
//
// Called by the egress and its attempts, on the loop's thread. curl's callbacks never call curl.
//
// What always holds: `on_ended` is called after curl has let go of the handle, outside of all of
// curl's callbacks; a descriptor that is closed is polled no more when the loop goes on.
//
// Limits: HTTP/1.1; curl's own limits on connections are off (its queue is neither fair nor seen),
// so that the caller's slots are the only bound; the cache is sized above them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <curl/curl.h>
#include <uv.h>

namespace weir {

class CurlDriver {
 public:
  // `owner` is what the handle was prepared with.
  using OnEnded = std::function<void(void* owner, CURLcode code)>;

  CurlDriver(uv_loop_t* loop, uint32_t slots, OnEnded on_ended);
  ~CurlDriver();  // after close() has called back
  CurlDriver(const CurlDriver&) = delete;
  CurlDriver& operator=(const CurlDriver&) = delete;

  // Sets the options of a handle that tie it to its owner and to our sockets.
  void prepare(CURL* easy, void* owner);
  // False: curl did not take it, and nothing will be reported.
  bool add(CURL* easy);
  // Takes a handle back before it has ended; nothing is reported.
  void remove(CURL* easy);

  // A connection, as curl names it to the pre-request callback. (CURLINFO_ACTIVESOCKET is not set
  // there in 7.88.)
  struct Endpoints {
    std::string_view peer_ip;
    std::string_view local_ip;
    int peer_port = 0;
    int local_port = 0;
  };
  // Whether a request may be written on it: it is new, or it has been used and is silent and
  // whole. What is asked for counts as used from here on.
  bool check_out(const Endpoints& endpoints);

  // Closes all connections and handles of the loop, then calls back. All handles are out.
  void close(std::function<void()> closed);

 private:
  struct OwnedSocket {
    CurlDriver* driver = nullptr;
    curl_socket_t fd = CURL_SOCKET_BAD;
    uint64_t inode = 0;  // tells the socket from a later one of the same number
    uv_poll_t poll{};
    int polled = 0;        // what the poll waits for
    int wanted = 0;        // what curl waits for
    bool foreign = false;  // curl's own (its resolver's pipe): gone as soon as curl wants nothing
    bool tainted = false;
    bool used = false;  // has carried a request
    bool named = false;
    std::string peer_ip;
    std::string local_ip;
    int peer_port = 0;
    int local_port = 0;
  };
  struct Ended {
    CURL* easy = nullptr;
    CURLcode code = CURLE_OK;
  };

  static curl_socket_t on_open(void* self, curlsocktype purpose, curl_sockaddr* address);
  static int on_close(void* self, curl_socket_t fd);
  static int on_interest(CURL* easy, curl_socket_t fd, int what, void* self, void* socket);
  static int on_timeout(CURLM* multi, long timeout_ms, void* self);
  static void on_timer(uv_timer_t* timer);
  static void on_event(uv_poll_t* poll, int status, int events);

  OwnedSocket* socket_at(curl_socket_t fd);
  OwnedSocket* adopt(curl_socket_t fd);
  void let_go(curl_socket_t fd);
  // Lets go of sockets that curl has opened and closed again without a word.
  void sweep();
  void poll_for(OwnedSocket& socket, int events);
  void act(curl_socket_t fd, int flags);
  void released();

  uv_loop_t* loop_;
  OnEnded on_ended_;
  CURLM* multi_;
  uv_timer_t timer_{};
  bool in_timer_ = false;
  bool acting_ = false;
  std::unordered_map<curl_socket_t, std::unique_ptr<OwnedSocket>> sockets_;
  std::vector<curl_socket_t> opened_;  // since the last sweep
  std::vector<Ended> ended_;
  // Handles of the loop that are open or closing: the timer and one for each socket.
  size_t handles_ = 0;
  std::function<void()> closed_;
};

}  // namespace weir
