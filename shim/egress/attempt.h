// SPDX-License-Identifier: Apache-2.0
//
// An attempt: one slot of the egress, which makes one call at a time with a curl handle of its own.
//
// The egress starts it, is told by the driver when curl has let go, and then asks what it had come
// to. On the loop's thread.
//
// What always holds: no default of curl's decides anything (attempt.cc says why, option by option);
// a call whose connection turns out to be unclean before a byte was written is made again at once
// on a new connection, within the same call and its time; a curl handle that has not ended with
// success is not used again, because some errors stay with a handle.
#pragma once

#include <cstdint>
#include <string>

#include "weir/gateway.h"
#include "weir/time.h"
#include "weir/types.h"

#include "shim/egress/curl_driver.h"
#include "shim/egress/gateway_options.h"
#include "shim/egress/phase_recorder.h"
#include "shim/egress/profile.h"
#include "shim/egress/request_form.h"

namespace weir {

class Attempt {
 public:
  // All outlive the attempt.
  struct Context {
    CurlDriver& driver;
    const GatewayOptions& options;
    const Profile& profile;
    const std::string& url;
  };

  explicit Attempt(Context context) : context_(context) {}
  ~Attempt();
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

  // False: curl did not take the call; ask reply() what to report.
  bool start(BatchId batch, FormRequest request);
  // After curl has ended it. True: the call goes on, on a new connection.
  bool goes_on_after(CURLcode code);
  // Takes the call from curl, because of `reason`, which is for people.
  void stop(const char* reason);

  BatchId batch() const { return batch_; }
  bool busy() const { return busy_; }
  MonoTime started() const { return started_; }
  // What the call had come to. The slot is free then.
  GatewayReply reply();

 private:
  static size_t on_read(char* to, size_t size, size_t count, void* self);
  static int on_seek(void* self, curl_off_t offset, int origin);
  static int on_prereq(void* self, char* peer_ip, char* local_ip, int peer_port, int local_port);
  static size_t on_head(char* line, size_t size, size_t count, void* self);
  static size_t on_body(char* bytes, size_t size, size_t count, void* self);

  bool issue();
  void set_request();
  void set_limits();
  void set_transport();
  void drop_handle();
  std::string fault_text() const;

  Context context_;
  CURL* easy_ = nullptr;
  curl_slist* headers_ = nullptr;
  PhaseRecorder wire_;
  BatchId batch_{};
  bool busy_ = false;
  MonoTime started_;
  uint32_t issues_ = 0;  // passes through curl: one, and one more for each unclean connection
  bool clean_ = false;   // the pass got a connection that it may write on
  bool vetoed_ = false;  // the pass got one that it must not write on
  CURLcode code_ = CURLE_OK;
  int os_error_ = 0;  // of a connect that failed
  const char* stopped_because_ = nullptr;
  char error_[CURL_ERROR_SIZE] = {};
};

}  // namespace weir
