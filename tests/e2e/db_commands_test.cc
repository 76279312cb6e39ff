// SPDX-License-Identifier: Apache-2.0
//
// db stats, backup, check, compact and release-quarantine with the real binary.
#include <csignal>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/rig.h"

namespace weir::test {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

TEST(DbCommands, StatisticsCountWhatIsThere) {
  Rig rig;
  rig.start_weir();
  ASSERT_EQ(rig.settled(rig.send("delivery_update", 1).value()), "submitted");
  std::string output;
  EXPECT_EQ(rig.command({"db", "stats"}, &output), 0);
  EXPECT_THAT(output, ContainsRegex("\ntransactional +submitted +1 +1 +1\n"));
  EXPECT_THAT(output, HasSubstr("unknown    0 batches\n"));
  EXPECT_EQ(rig.command({"db", "stats", "--json"}, &output), 0);
  EXPECT_GT(json::parse(output).at("file_bytes").to_number<int64_t>(), 0);
}

TEST(DbCommands, ABackupIsWholeAndIsNeverWrittenOverAnything) {
  Rig rig;
  rig.start_weir();
  ASSERT_EQ(rig.settled(rig.send("delivery_update", 1).value()), "submitted");
  std::string output;
  const std::string path = rig.folder() + "/copy.db";
  EXPECT_EQ(rig.command({"db", "backup", path}, &output), 0) << output;
  EXPECT_THAT(output, ContainsRegex("/copy.db: .*, 1 messages, whole\n"));
  const auto size = fs::file_size(path);
  EXPECT_EQ(rig.command({"db", "backup", path}, &output), 1);
  EXPECT_EQ(fs::file_size(path), size);
  EXPECT_EQ(rig.command({"db", "backup", rig.folder() + "/nowhere/copy.db"}), 1);
  EXPECT_EQ(rig.command({"db", "backup"}), 2);
}

TEST(DbCommands, ARelativePathIsTheCommandsOwn) {
  Rig rig;
  rig.start_weir();
  const fs::path there = fs::path(rig.folder()) / "there";
  fs::create_directory(there);
  const std::string script = "cd \"$2\" && exec \"$0\" db backup a/../copy.db --socket \"$1\"";
  std::string output;
  EXPECT_EQ(run_to_end({"/bin/sh", "-c", script, weir_binary(), rig.folder() + "/weir.sock", there},
                       &output),
            0)
      << output;
  EXPECT_TRUE(fs::exists(there / "copy.db"));
}

TEST(DbCommands, ACheckLeavesNothingBehindAndACompactionGoesOnWorking) {
  Rig rig;
  rig.start_weir();
  ASSERT_TRUE(rig.send("delivery_update", 1));
  std::string output;
  EXPECT_EQ(rig.command({"db", "check"}, &output), 0) << output;
  EXPECT_THAT(output, ContainsRegex("^whole: .*, 1 messages\n"));
  for (const auto& file : fs::directory_iterator(rig.folder()))
    EXPECT_EQ(file.path().string().find(".check"), std::string::npos) << file.path();
  EXPECT_EQ(rig.command({"db", "compact"}, &output), 0) << output;
  EXPECT_THAT(output, ContainsRegex(" before, .* now\n"));
  const auto after = rig.send("delivery_update", 2);
  ASSERT_TRUE(after);
  EXPECT_EQ(rig.settled(*after), "submitted");
}

TEST(DbCommands, WithoutADaemonNothingIsDone) {
  EXPECT_EQ(run_to_end({weir_binary(), "db", "check", "--socket", "/nowhere/weir.sock"}), 69);
  EXPECT_EQ(run_to_end({weir_binary(), "release-quarantine", "--socket", "/nowhere/weir.sock"}),
            69);
}

TEST(Quarantine, WithoutOneThereIsNothingToRelease) {
  Rig rig;
  rig.start_weir();
  std::string output;
  EXPECT_EQ(rig.command({"release-quarantine", "--yes"}, &output), 0);
  EXPECT_THAT(output, HasSubstr("not in quarantine"));
}

// The first call takes the lane's only slot and is never answered, the others are.
RigOptions one_slot_that_stalls() {
  RigOptions options;
  options.gateway = {"--ceiling", "1000000", "--latency", "5ms", "--script", "stall,ok*100"};
  options.total_timeout = "60s";
  options.more = "lanes:\n  transactional:\n    slots: 1\n";
  return options;
}

// A copy in which one message waits for the slot of another is put back after both were called.
TEST(Quarantine, AnOldCopySendsNothingUntilAPersonLetsItAndThenOnce) {
  Rig rig(one_slot_that_stalls());
  rig.start_weir();
  const std::string called = rig.send("delivery_update", 1).value();
  rig.wait_for_a_call();
  const std::string waits = rig.send("delivery_update", 2).value();
  const std::string copy = rig.folder() + "/copy.db";
  ASSERT_EQ(rig.command({"db", "backup", copy}), 0);
  rig.stop_gateway();
  rig.start_gateway();  // which knows of no call, and stalls the one of `waits`
  ASSERT_EQ(rig.settled(called), "unknown");
  rig.wait_for_a_call();
  rig.weir().signal(SIGKILL);
  rig.weir().wait();
  for (const char* gone : {"-wal", "-shm"})
    fs::remove(rig.folder() + "/weir.db" + gone);
  fs::rename(copy, rig.folder() + "/weir.db");

  rig.start_weir();
  const ApiReply ready = rig.call("GET", "/readyz");
  EXPECT_EQ(ready.status, 503);
  EXPECT_THAT(ready.body, HasSubstr(R"({"name":"quarantine","ok":false,)"));
  EXPECT_EQ(rig.call("GET", "/healthz").status, 200);
  const std::string fresh = rig.send("delivery_update", 3).value();

  // Nobody is there to be asked.
  const std::string script = "exec \"$0\" release-quarantine --socket \"$1\" < /dev/null";
  std::string output;
  EXPECT_EQ(
      run_to_end({"/bin/sh", "-c", script, weir_binary(), rig.folder() + "/weir.sock"}, &output),
      1);
  EXPECT_THAT(output, HasSubstr("In quarantine: "));
  EXPECT_THAT(output, ContainsRegex("\n  transactional +2 batches, 2 units\n"));
  EXPECT_THAT(output, HasSubstr("--yes is needed"));
  EXPECT_THAT(output, HasSubstr("Unknown, and not sent: 1 batch;"));
  EXPECT_EQ(rig.state(waits), "pending");
  EXPECT_EQ(rig.state(fresh), "pending");
  EXPECT_EQ(rig.calls(), 1);

  EXPECT_EQ(rig.command({"release-quarantine", "--yes"}, &output), 0) << output;
  EXPECT_THAT(output, HasSubstr("released"));
  EXPECT_EQ(rig.settled(waits), "submitted");
  EXPECT_EQ(rig.settled(fresh), "submitted");
  EXPECT_EQ(rig.state(called), "unknown");
  EXPECT_EQ(rig.calls(), 3);  // the one of before, and one for each that waited
  EXPECT_EQ(rig.call("GET", "/readyz").status, 200);
}

}  // namespace
}  // namespace weir::test
