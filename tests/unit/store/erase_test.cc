// SPDX-License-Identifier: Apache-2.0
//
// What is left of a text and of numbers after their message is settled: no row, and with
// store.erase no byte in the file or in its log.
#include <fstream>
#include <iterator>

#include "tests/unit/store/store_fixture.h"

namespace weir {
namespace {

constexpr char kSecret[] = "code 7731-4402";
// Longer than a page, so that whole pages become free: those are overwritten with store.erase only.
const std::string kLongText = std::string(20'000, 'x') + kSecret;

class EraseTest : public StoreTest {
 protected:
  bool holds_secret(const std::string& file) const {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    return bytes.find(kSecret) != std::string::npos;
  }
  std::string log() const { return path() + "-wal"; }
  void open_erasing() {
    options_.erase = true;
    open();
  }
  void settle_one() {
    persist({.message = 1, .first_batch = 1, .body = kLongText});
    claim(1);
    record(make_record(1, BatchState::kClaimed, BatchState::kSubmitted));
  }
};

TEST_F(EraseTest, TheTextIsGoneFromTheTablesAsSoonAsItsMessageIsFinal) {
  open();
  settle_one();
  close();
  RawDatabase database(path());
  EXPECT_EQ(database.number("SELECT count(*) FROM text"), 0);
  EXPECT_EQ(database.number("SELECT count(*) FROM message WHERE text_id IS NOT NULL"), 0);
}

TEST_F(EraseTest, WithEraseItsBytesAreGoneFromTheFile) {
  open_erasing();
  persist({.message = 1, .first_batch = 1, .body = kLongText});
  close();  // the log is folded into the file
  ASSERT_TRUE(holds_secret(path()));
  open();
  record(make_record(1, BatchState::kPending, BatchState::kShed));
  close();
  EXPECT_FALSE(holds_secret(path()));
}

// The first Tend after it empties the log, when nothing else is to be done.
TEST_F(EraseTest, WithEraseItsBytesAreGoneFromTheLogToo) {
  open_erasing();
  settle_one();
  ASSERT_TRUE(holds_secret(log()));
  store_->push(Tend{at_ms(kDoneMs)});
  EXPECT_FALSE(next<Tended>().more);
  for (int looks = 0; holds_secret(log()); ++looks) {
    ASSERT_LT(looks, 10'000) << "the log is not emptied";
    store_->push(ReadStats{RequestId{1}});
    ASSERT_FALSE(next<StoreStats>().failed);
  }
  EXPECT_FALSE(holds_secret(path()));
}

}  // namespace
}  // namespace weir
