// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/egress/egress_fixture.h"

#include <filesystem>
#include <iterator>
#include <utility>

namespace weir::test {

namespace {
constexpr uint64_t kGuardMs = 30'000;
}

std::string text_of(int64_t id) {
  return "m" + std::to_string(id);
}

std::string ok_json(const std::string& request_body) {
  constexpr std::string_view kField = "msg=";
  const size_t begin = request_body.find(kField) + kField.size();
  // A test's longer text follows its number after a space.
  const std::string text =
      request_body.substr(begin, request_body.find_first_of("&%", begin) - begin);
  return R"({"status":"success","code":"200","transactionId":")" + text + R"("})";
}

void serve(RawConnection& connection) {
  while (const auto request = connection.read_request()) {
    connection.answer(200, ok_json(request->body));
  }
}

EgressTest::EgressTest() {
  profile_.name = "test";
  profile_.path = "/send";
  profile_.fields = {{"msg", "{body}"}, {"mobile", "{recipients}"}};
  profile_.code_at = {"/code"};
  profile_.ref_at = {"/transactionId"};
  profile_.rejected_at = {"/invalidMobile"};
  options_.slots = 16;
  EXPECT_EQ(uv_loop_init(&loop_), 0);
  EXPECT_EQ(uv_timer_init(&loop_, &guard_), 0);
  guard_.data = this;
}

EgressTest::~EgressTest() {
  close();
  uv_close(reinterpret_cast<uv_handle_t*>(&guard_), nullptr);
  uv_run(&loop_, UV_RUN_DEFAULT);
  EXPECT_EQ(uv_loop_close(&loop_), 0);
}

void EgressTest::open(const std::string& url) {
  options_.url = url;
  egress_ = std::make_unique<Egress>(&loop_, options_, profile_, [this](Replied replied) {
    replies_.push_back(std::move(replied));
    if (on_reply_) on_reply_(replies_.back());
  });
}

void EgressTest::close() {
  if (!egress_) return;
  on_reply_ = nullptr;
  egress_->abandon();
  run_until(replies_.size() + egress_->in_flight());
  bool closed = false;
  egress_->close([&closed] { closed = true; });
  EXPECT_FALSE(closed);
  uv_run(&loop_, UV_RUN_DEFAULT);
  EXPECT_TRUE(closed);
  egress_.reset();
}

void EgressTest::send(int64_t id, const std::string& more_text) {
  auto payload = std::make_unique<Payload>();
  payload->batch = BatchId{id};
  payload->text.body = text_of(id) + more_text;
  payload->recipients = {{919876543210}};
  egress_->send(std::move(payload));
}

void EgressTest::run_until(size_t replies) {
  start_guard(kGuardMs);
  while (replies_.size() < replies && !too_late_)
    uv_run(&loop_, UV_RUN_ONCE);
  uv_timer_stop(&guard_);
  ASSERT_FALSE(too_late_) << "only " << replies_.size() << " of " << replies << " replies came";
}

void EgressTest::start_guard(uint64_t ms) {
  too_late_ = false;
  uv_update_time(&loop_);
  uv_timer_start(
      &guard_, [](uv_timer_t* timer) { static_cast<EgressTest*>(timer->data)->too_late_ = true; },
      ms, 0);
}

void EgressTest::idle_for(Duration time) {
  start_guard(static_cast<uint64_t>(time.ms_ceil()) + 1);  // a timer can be a millisecond early
  while (!too_late_)
    uv_run(&loop_, UV_RUN_ONCE);
}

GatewayReply EgressTest::call(int64_t id, const std::string& more_text) {
  const size_t before = replies_.size();
  send(id, more_text);
  run_until(before + 1);
  if (replies_.size() != before + 1) return {};
  EXPECT_EQ(replies_.back().batch, BatchId{id});
  return replies_.back().reply;
}

size_t EgressTest::open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<size_t>(std::distance(begin(all), end(all)));
}

}  // namespace weir::test
