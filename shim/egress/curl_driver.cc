// SPDX-License-Identifier: Apache-2.0
//
// Method. curl says what it waits for on a socket; the poll of that socket is changed only if it
// does not wait for that already. A socket that curl wants nothing of waits for input, so that
// between two requests of a connection nothing changes at all. After every action the ended
// handles are first collected, then taken from curl, then reported.
//
// Until a connect has succeeded, curl 7.88 closes a socket by itself and not through our callback.
// Such a socket has carried no request; it is looked for when curl says that it wants nothing of it
// any more, and after every action among those that the action opened.
#include "shim/egress/curl_driver.h"

#include <cerrno>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "weir/check.h"

namespace weir {
namespace {

// Above the slots, because a connection that is being replaced still sits in the cache. With its
// default, four times the handles that are added just now, curl throws its connections away at the
// end of every burst.
constexpr uint32_t kSpareConnections = 16;

struct Name {
  std::string ip;
  int port = 0;
};

bool to_name(const sockaddr_storage& address, Name& name) {
  char text[INET6_ADDRSTRLEN] = {};
  if (address.ss_family == AF_INET) {
    const auto* in = reinterpret_cast<const sockaddr_in*>(&address);
    if (inet_ntop(AF_INET, &in->sin_addr, text, sizeof text) == nullptr) return false;
    name = {text, ntohs(in->sin_port)};
    return true;
  }
  if (address.ss_family != AF_INET6) return false;
  const auto* in = reinterpret_cast<const sockaddr_in6*>(&address);
  if (inet_ntop(AF_INET6, &in->sin6_addr, text, sizeof text) == nullptr) return false;
  name = {text, ntohs(in->sin6_port)};
  return true;
}

using NameOf = int (*)(int, sockaddr*, socklen_t*);

bool name_of(NameOf side, int fd, Name& name) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  if (side(fd, reinterpret_cast<sockaddr*>(&address), &length) != 0) return false;
  return to_name(address, name);
}

// Nothing to read, no end, no error.
bool is_silent(int fd) {
  char byte = 0;
  const ssize_t got = ::recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

// 0: the descriptor is closed.
uint64_t inode_of(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 ? status.st_ino : 0;
}

int poll_events(int what) {
  switch (what) {
    case CURL_POLL_IN: return UV_READABLE;
    case CURL_POLL_OUT: return UV_WRITABLE;
    case CURL_POLL_INOUT: return UV_READABLE | UV_WRITABLE;
    default: return 0;
  }
}

}  // namespace

CurlDriver::CurlDriver(uv_loop_t* loop, uint32_t slots, OnEnded on_ended)
    : loop_(loop), on_ended_(std::move(on_ended)), multi_(curl_multi_init()) {
  WEIR_CHECK(multi_ != nullptr);
  WEIR_CHECK(uv_timer_init(loop_, &timer_) == 0);
  timer_.data = this;
  handles_ = 1;
  const auto set = [this](CURLMoption option, auto value) {
    WEIR_CHECK(curl_multi_setopt(multi_, option, value) == CURLM_OK);
  };
  set(CURLMOPT_MAXCONNECTS, static_cast<long>(slots + kSpareConnections));
  set(CURLMOPT_PIPELINING, CURLPIPE_NOTHING);
  set(CURLMOPT_SOCKETFUNCTION, &on_interest);
  set(CURLMOPT_SOCKETDATA, static_cast<void*>(this));
  set(CURLMOPT_TIMERFUNCTION, &on_timeout);
  set(CURLMOPT_TIMERDATA, static_cast<void*>(this));
}

CurlDriver::~CurlDriver() {
  WEIR_CHECK(multi_ == nullptr && handles_ == 0);
}

void CurlDriver::prepare(CURL* easy, void* owner) {
  const auto set = [easy](CURLoption option, auto value) {
    WEIR_CHECK(curl_easy_setopt(easy, option, value) == CURLE_OK);
  };
  // A connection keeps the callbacks of the handle that opened it and calls them when that handle
  // is long gone, so their data is the driver, which outlives the multi handle.
  set(CURLOPT_PRIVATE, owner);
  set(CURLOPT_OPENSOCKETFUNCTION, &on_open);
  set(CURLOPT_OPENSOCKETDATA, static_cast<void*>(this));
  set(CURLOPT_CLOSESOCKETFUNCTION, &on_close);
  set(CURLOPT_CLOSESOCKETDATA, static_cast<void*>(this));
}

bool CurlDriver::add(CURL* easy) {
  WEIR_CHECK(!acting_);
  return curl_multi_add_handle(multi_, easy) == CURLM_OK;
}

void CurlDriver::remove(CURL* easy) {
  WEIR_CHECK(!acting_);
  WEIR_CHECK(curl_multi_remove_handle(multi_, easy) == CURLM_OK);
  sweep();
}

bool CurlDriver::check_out(const Endpoints& endpoints) {
  for (auto& [fd, socket] : sockets_) {
    if (socket->foreign) continue;
    if (!socket->named) {
      Name peer;
      Name local;
      if (!name_of(&::getpeername, fd, peer) || !name_of(&::getsockname, fd, local)) continue;
      socket->named = true;
      socket->peer_ip = std::move(peer.ip);
      socket->peer_port = peer.port;
      socket->local_ip = std::move(local.ip);
      socket->local_port = local.port;
    }
    if (socket->local_port != endpoints.local_port || socket->peer_port != endpoints.peer_port ||
        socket->local_ip != endpoints.local_ip || socket->peer_ip != endpoints.peer_ip) {
      continue;
    }
    // A new connection may hold bytes: a TLS server sends its session tickets unasked.
    if (std::exchange(socket->used, true) && (socket->tainted || !is_silent(fd))) {
      return false;
    }
    return true;
  }
  return false;
}

void CurlDriver::close(std::function<void()> closed) {
  WEIR_CHECK(!acting_ && !closed_);
  closed_ = std::move(closed);
  acting_ = true;
  WEIR_CHECK(curl_multi_cleanup(std::exchange(multi_, nullptr)) == CURLM_OK);
  acting_ = false;
  for (const auto& [fd, socket] : sockets_)
    opened_.push_back(fd);
  sweep();
  WEIR_CHECK(sockets_.empty());
  uv_close(reinterpret_cast<uv_handle_t*>(&timer_),
           [](uv_handle_t* handle) { static_cast<CurlDriver*>(handle->data)->released(); });
}

void CurlDriver::released() {
  --handles_;
  if (handles_ > 0 || !closed_) return;
  const auto closed = std::move(closed_);
  closed();  // may end the driver
}

CurlDriver::OwnedSocket* CurlDriver::socket_at(curl_socket_t fd) {
  const auto found = sockets_.find(fd);
  return found == sockets_.end() ? nullptr : found->second.get();
}

CurlDriver::OwnedSocket* CurlDriver::adopt(curl_socket_t fd) {
  if (socket_at(fd) != nullptr) let_go(fd);  // curl has closed it, or the number were not free
  auto socket = std::make_unique<OwnedSocket>();
  socket->driver = this;
  socket->fd = fd;
  socket->inode = inode_of(fd);
  if (uv_poll_init(loop_, &socket->poll, fd) != 0) return nullptr;
  socket->poll.data = socket.get();
  ++handles_;
  OwnedSocket* const adopted = socket.get();
  WEIR_CHECK(sockets_.emplace(fd, std::move(socket)).second);
  return adopted;
}

void CurlDriver::let_go(curl_socket_t fd) {
  const auto found = sockets_.find(fd);
  WEIR_CHECK(found != sockets_.end());
  OwnedSocket* const socket = found->second.release();
  sockets_.erase(found);
  uv_poll_stop(&socket->poll);
  uv_close(reinterpret_cast<uv_handle_t*>(&socket->poll), [](uv_handle_t* handle) {
    const std::unique_ptr<OwnedSocket> owned(static_cast<OwnedSocket*>(handle->data));
    owned->driver->released();
  });
}

void CurlDriver::sweep() {
  for (const curl_socket_t fd : opened_) {
    const OwnedSocket* const socket = socket_at(fd);
    if (socket != nullptr && inode_of(fd) != socket->inode) let_go(fd);
  }
  opened_.clear();
}

curl_socket_t CurlDriver::on_open(void* self, curlsocktype, curl_sockaddr* address) {
  const int fd = ::socket(address->family, address->socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
                          address->protocol);
  if (fd < 0) return CURL_SOCKET_BAD;
  auto* const driver = static_cast<CurlDriver*>(self);
  if (driver->adopt(fd) == nullptr) {
    ::close(fd);
    return CURL_SOCKET_BAD;
  }
  driver->opened_.push_back(fd);
  return fd;
}

int CurlDriver::on_close(void* self, curl_socket_t fd) {
  static_cast<CurlDriver*>(self)->let_go(fd);
  return ::close(fd);
}

int CurlDriver::on_interest(CURL*, curl_socket_t fd, int what, void* self, void*) {
  auto* const driver = static_cast<CurlDriver*>(self);
  OwnedSocket* socket = driver->socket_at(fd);
  const int events = poll_events(what);
  if (socket == nullptr) {
    // Either curl's own, or ours and closed already.
    if (events == 0) return 0;
    socket = driver->adopt(fd);
    // -1 would end every call of the multi handle; this one call ends by its time limit.
    if (socket == nullptr) return 0;
    socket->foreign = true;
  }
  socket->wanted = events;
  if (events == 0 && (socket->foreign || (!socket->used && inode_of(fd) != socket->inode))) {
    driver->let_go(fd);
    return 0;
  }
  driver->poll_for(*socket, events == 0 && !socket->tainted ? UV_READABLE : events);
  return 0;
}

void CurlDriver::poll_for(OwnedSocket& socket, int events) {
  if (socket.polled == events) return;
  socket.polled = events;
  WEIR_CHECK(uv_poll_start(&socket.poll, events, &on_event) == 0);
}

int CurlDriver::on_timeout(CURLM*, long timeout_ms, void* self) {
  auto* const driver = static_cast<CurlDriver*>(self);
  if (timeout_ms < 0) {
    uv_timer_stop(&driver->timer_);
    return 0;
  }
  // The loop's time is that of the turn's start and would make the timer early. A timer of 0 that
  // is armed in a timer's callback runs in the same pass in libuv 1.44, and could do so for ever.
  uv_update_time(driver->loop_);
  const uint64_t wait =
      timeout_ms == 0 && driver->in_timer_ ? 1 : static_cast<uint64_t>(timeout_ms);
  uv_timer_start(&driver->timer_, &on_timer, wait, 0);
  return 0;
}

void CurlDriver::on_timer(uv_timer_t* timer) {
  auto* const driver = static_cast<CurlDriver*>(timer->data);
  driver->in_timer_ = true;
  driver->act(CURL_SOCKET_TIMEOUT, 0);
  driver->in_timer_ = false;
}

void CurlDriver::on_event(uv_poll_t* poll, int status, int events) {
  auto* const socket = static_cast<OwnedSocket*>(poll->data);
  CurlDriver* const driver = socket->driver;
  if (status < 0) socket->polled = 0;  // libuv has stopped it
  if (socket->wanted == 0) {
    socket->tainted = true;
    if (socket->polled != 0) uv_poll_stop(poll);
    socket->polled = 0;
    return;
  }
  int flags = status < 0 ? CURL_CSELECT_ERR : 0;
  if ((events & UV_READABLE) != 0) flags |= CURL_CSELECT_IN;
  if ((events & UV_WRITABLE) != 0) flags |= CURL_CSELECT_OUT;
  const curl_socket_t fd = socket->fd;
  const uint64_t inode = socket->inode;
  driver->act(fd, flags);
  // curl tells changes only: what it goes on waiting for after an error is to be polled again.
  OwnedSocket* const still = driver->socket_at(fd);
  if (status < 0 && still != nullptr && still->inode == inode && still->wanted != 0) {
    driver->poll_for(*still, still->wanted);
  }
}

void CurlDriver::act(curl_socket_t fd, int flags) {
  WEIR_CHECK(!acting_);
  acting_ = true;
  int running = 0;
  WEIR_CHECK(curl_multi_socket_action(multi_, fd, flags, &running) == CURLM_OK);
  sweep();
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
    if (message->msg == CURLMSG_DONE) {
      ended_.push_back({message->easy_handle, message->data.result});
    }
  }
  acting_ = false;
  for (const Ended& ended : ended_) {
    char* owner = nullptr;
    WEIR_CHECK(curl_easy_getinfo(ended.easy, CURLINFO_PRIVATE, &owner) == CURLE_OK);
    remove(ended.easy);
    on_ended_(owner, ended.code);
  }
  ended_.clear();
}

}  // namespace weir
