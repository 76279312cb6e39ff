// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/upload_answer.h"

#include <algorithm>
#include <utility>

#include <boost/json.hpp>

#include "shim/front/problem.h"
#include "tools/weir/api_words.h"

namespace weir {
namespace {

namespace json = boost::json;

// What speaks of weir or of a quota, and not of the message.
bool may_pass(std::string_view code) {
  const auto kinds = problem_kinds();
  const auto kind =
      std::find_if(kinds.begin(), kinds.end(), [&](const auto& one) { return one.code == code; });
  return kind != kinds.end() && (kind->status == 503 || kind->status == 429);
}

}  // namespace

void UploadAnswer::refuse(const RefusedLine& line) {
  add({{"line", line.line},
       {"key", ""},
       {"code", line.code},
       {"detail", line.detail},
       {"errors", json::array()}});
}

void UploadAnswer::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t end = bytes.find('\n');
    line_.append(bytes.substr(0, std::min(end, kMostAnswerLine - line_.size())));
    if (end == bytes.npos) return;
    take_line();
    bytes.remove_prefix(end + 1);
  }
}

void UploadAnswer::end() {
  if (!line_.empty()) take_line();
}

void UploadAnswer::take_line() {
  const std::string line = std::exchange(line_, {});
  const json::object object = parsed(line);
  if (object.contains("complete")) {
    summary_ = object;
  } else if (object.contains("line")) {
    add(object);
  } else if (other_.size() < kMostAnswerLine) {
    other_ += line + '\n';
  }
}

void UploadAnswer::add(const json::object& refusal) {
  refused_ += 1;
  if (may_pass(text_at(refusal, "code"))) refused_for_now_ += 1;
  if (shown_.size() < kMostShown) shown_.push_back(refusal);
  if (all_refused_ != nullptr) *all_refused_ << json::serialize(refusal) << '\n';
}

std::string refusal_words(const json::object& refusal) {
  std::string text = "line " + text_at(refusal, "line") + "  ";
  if (const std::string key = text_at(refusal, "key"); !key.empty()) text += shown(key) + "  ";
  text += shown(text_at(refusal, "code")) + ": " + shown(text_at(refusal, "detail"));
  for (const json::object& error : objects_at(refusal, "errors")) {
    text += "; " + shown(text_at(error, "pointer")) + ' ' + shown(text_at(error, "detail"));
  }
  return text;
}

}  // namespace weir
