// SPDX-License-Identifier: Apache-2.0
#include "shim/store/guarded_rows.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "shim/store/pack.h"

namespace weir {
namespace {

constexpr Duration kHour = Duration::seconds(3600);

// All messages up to this id were accepted at `since` or before; nothing: an error.
std::optional<int64_t> last_before(Statements& statements, WallTime since) {
  int64_t old = 0;
  int64_t young = std::numeric_limits<int64_t>::max();
  while (old < young) {
    const int64_t middle = old + (young - old) / 2;
    Rows rows(statements[Query::kMessagesFrom], {middle, int64_t{1}});
    const bool is_old = rows.next() && rows.integer(1) <= since.unix_ms();
    if (rows.failed()) return std::nullopt;
    if (is_old) {
      old = rows.integer(0);
    } else {
      young = middle;
    }
  }
  return old;
}

// `rows` stands on a row of kGuardedSince.
void add_batch(const Rows& rows, Restored::GuardedClass& own) {
  Restored::Counted one{BatchId{rows.integer(0)}, WallTime::from_unix_ms(rows.integer(1)), {}};
  std::optional<std::vector<Recipient>> numbers;
  if (!rows.is_null(3)) numbers = unpack_recipients(rows.bytes(3));
  if (!numbers) numbers.emplace(static_cast<size_t>(std::max<int64_t>(rows.integer(2), 0)));
  for (auto recipient = numbers->rbegin(); recipient != numbers->rend(); ++recipient) {
    one.recipient = *recipient;
    own.counted.push_back(one);
  }
}

bool read_class(Statements& statements, int64_t after, WallTime since, size_t most,
                Restored::GuardedClass& own) {
  Rows rows(statements[Query::kGuardedSince],
            {after, std::string_view(own.class_name), since.unix_ms()});
  while (own.counted.size() < most && rows.next())
    add_batch(rows, own);
  if (own.counted.size() > most) own.counted.resize(most);
  std::reverse(own.counted.begin(), own.counted.end());
  return !rows.failed();
}

}  // namespace

bool read_guarded(Statements& statements, const std::vector<GuardedName>& classes, WallTime now,
                  std::vector<Restored::GuardedClass>& found) {
  if (classes.empty()) return true;
  const WallTime since = now + kHour * -1;
  const std::optional<int64_t> after = last_before(statements, since);
  if (!after) return false;
  for (const GuardedName& one : classes) {
    found.push_back({one.class_name, {}});
    if (!read_class(statements, *after, since, one.most, found.back())) return false;
  }
  return true;
}

}  // namespace weir
