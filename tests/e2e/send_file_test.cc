// SPDX-License-Identifier: Apache-2.0
//
// A campaign handed in from a file with `weir send --file`, with the real binary: what a person and
// a script are told, and that the same command can be run again whatever ended it.
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/e2e/rig.h"

extern char** environ;

namespace weir::test {
namespace {

namespace json = boost::json;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

// A sanitizer keeps memory of its own, and takes its time.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
constexpr int kMany = 10'000;  // far more than the sockets' buffers hold

// Holds a few hundred messages and drains at 2,000 a second, so that kMany take a while.
RigOptions narrow_lane() {
  RigOptions options;
  options.in_memory = true;
  options.more =
      "lanes:\n  promotional: {reserve: 50%, limit: 100%, slots: 64, max_rows: 650000, "
      "max_units: 500, slow_at: 50%, pause_at: 80%}\n";
  return options;
}

std::string number_of(int i) {
  return "+91" + std::to_string(9'000'000'000 + i);
}

std::string people(int rows) {
  std::string csv = "to,name\n";
  for (int i = 0; i < rows; ++i)
    csv += number_of(i) + ",N" + std::to_string(i) + "\n";
  return csv;
}

class SendFile : public testing::Test {
 protected:
  // `prepare` sees the rig's folder before weir starts.
  explicit SendFile(RigOptions options = {}, void (*prepare)(const Rig&) = nullptr)
      : rig_(std::move(options)) {
    if (prepare != nullptr) prepare(rig_);
    rig_.start_weir();
  }

  std::string file(const std::string& name, const std::string& text) {
    const std::string path = rig_.folder() + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  std::vector<std::string> send(const std::string& path, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"send", "--file", path, "--class", "promotional"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  // Of one that is read while it runs.
  std::unique_ptr<Process> launch(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), weir_binary());
    arguments.insert(arguments.end(), {"--socket", rig_.folder() + "/weir.sock"});
    return std::make_unique<Process>(arguments);
  }
  // Each of the first `rows` people once, but for what was under way when weir was killed.
  void expect_everybody_once(int rows) {
    rig_.wait_until_idle();
    const json::object ledger = rig_.ledger();
    std::multiset<std::string_view> sent;
    for (const json::value& call : ledger.at("calls").as_array()) {
      for (const json::value& recipient : call.as_object().at("recipients").as_array())
        sent.insert(recipient.as_string());
    }
    const std::set<std::string_view> once(sent.begin(), sent.end());
    EXPECT_EQ(sent.size(), once.size());
    const json::value lanes = json::parse(rig_.call("GET", "/v1/lanes").body);
    const auto unknown = lanes.at("unknown_batches").to_number<size_t>();
    EXPECT_LE(once.size(), static_cast<size_t>(rows));
    EXPECT_GE(once.size() + unknown, static_cast<size_t>(rows));
  }

  Rig rig_;
};

class SendFileThroughANarrowLane : public SendFile {
 protected:
  SendFileThroughANarrowLane() : SendFile(narrow_lane()) {}
};

const std::string kShop = "shop-zq-0123456789abcdef";
const std::string kDear = "Dear {{name}}, our sale starts";

// Runs a command of weir with stdout and stderr on a terminal of so many columns.
int run_on_terminal(std::vector<std::string> arguments, uint16_t columns, std::string& output) {
  winsize size{};
  size.ws_row = 24;
  size.ws_col = columns;
  int ours = -1;
  int theirs = -1;
  EXPECT_EQ(openpty(&ours, &theirs, nullptr, nullptr, &size), 0);
  arguments.insert(arguments.begin(), weir_binary());
  std::vector<char*> argv;
  for (std::string& argument : arguments)
    argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, theirs, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, theirs, STDERR_FILENO);
  posix_spawn_file_actions_addclose(&actions, ours);
  posix_spawn_file_actions_addclose(&actions, theirs);
  pid_t pid = -1;
  EXPECT_EQ(posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  close(theirs);
  char buffer[4096];
  for (ssize_t got = 0; (got = read(ours, buffer, sizeof buffer)) > 0;)
    output.append(buffer, static_cast<size_t>(got));
  close(ours);
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST_F(SendFile, EachRowIsAMessageAndTheSameCommandAgainSendsNobodyTwice) {
  const std::string path =
      file("diwali.csv", "To,First Name\r\n" + number_of(1) + ",\"Asha, \"\"A\"\"\"\r\n" +
                             number_of(2) + ",Usha\r\n");
  const auto command = send(path, {"Dear {{first_name}}"});
  std::string output;
  ASSERT_EQ(rig_.command(command, &output), 0) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("campaign     diwali\n"), HasSubstr("accepted     2\n"),
                            HasSubstr("replayed     0\n"), HasSubstr("refused      0\n"),
                            HasSubstr("cost_units   2\n")));
  ASSERT_EQ(rig_.command(command, &output), 0) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("accepted     0\n"), HasSubstr("replayed     2  dup")));
  rig_.wait_until_idle();
  std::set<std::string> bodies;
  const json::object ledger = rig_.ledger();
  for (const json::value& call : ledger.at("calls").as_array())
    bodies.insert(call.at("body").as_string().c_str());
  EXPECT_EQ(bodies, (std::set<std::string>{"Dear Asha, \"A\"", "Dear Usha"}));
  EXPECT_EQ(rig_.calls(), 2U);
  // A row that was corrected is another message.
  file("diwali.csv",
       "to,first name\n" + number_of(1) + ",\"Asha, \"\"A\"\"\"\n" + number_of(2) + ",Usha Devi\n");
  ASSERT_EQ(rig_.command(command, &output), 0) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("accepted     1\n"), HasSubstr("replayed     1  ")));
  // The campaign is the tag.
  ASSERT_EQ(rig_.command({"list", "--tag", "diwali", "--json"}, &output), 0);
  EXPECT_THAT(output, HasSubstr("\"tag\":\"diwali\""));
}

TEST_F(SendFile, TwoRowsThatAreTheSameAreOneMessage) {
  const std::string row = number_of(1) + ",Asha\n";
  const std::string path = file("twice.csv", "to,name\n" + row + row + number_of(2) + ",B\n" + row);
  std::string output;
  ASSERT_EQ(rig_.command(send(path, {kDear}), &output), 0) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("handed over  4 in"), HasSubstr("accepted     2\n"),
                            HasSubstr("replayed     2  duplicates in the file")));
  rig_.wait_until_idle();
  EXPECT_EQ(rig_.calls(), 2U);
}

TEST_F(SendFile, ATemplateOfWeirIsFilledFromTheColumnsThatItNames) {
  ASSERT_EQ(rig_.call("PUT", "/v1/templates/diwali",
                      R"({"body":"Dear {{name}}, code {{code}}","class":"promotional"})")
                .status,
            200);
  const std::string path = file("people.csv", "code,to,age,name\n4711," + number_of(1) + ",40,A\n");
  std::string output;
  ASSERT_EQ(rig_.command({"send", "--file", path, "--template", "diwali", "--json"}, &output), 0)
      << output;
  EXPECT_THAT(output, HasSubstr(R"("accepted":1,)"));
  EXPECT_THAT(output, HasSubstr(R"("campaign":"people")"));
  rig_.wait_until_idle();
  EXPECT_EQ(rig_.ledger().at("calls").at(0).at("body").as_string(), "Dear A, code 4711");
  EXPECT_EQ(rig_.command({"send", "--file", path, "--template", "holi"}, &output), 3);
  file("people.csv", "to,name\n" + number_of(1) + ",A\n");
  EXPECT_EQ(rig_.command({"send", "--file", path, "--template", "diwali"}, &output), 2);
  EXPECT_THAT(output, HasSubstr("no column for {{code}}"));
  EXPECT_EQ(rig_.calls(), 1U);
}

TEST_F(SendFile, RowsThatAreWrongAreRefusedWithTheirLinesAndTheOthersAreSent) {
  const std::string path =
      file("mixed.csv", "to,name\n" + number_of(1) + ",\"two\nlines\"\n" +  // lines 2 and 3
                            number_of(2) + "\n" +                           // 4: too few fields
                            "\n12,short\n" +                                // 6: weir refuses it
                            number_of(3) + ",good\n" + number_of(4) + ",a\"b\n");  // 7, and 8
  std::string output;
  const std::string refused = rig_.folder() + "/refused.ndjson";
  EXPECT_EQ(rig_.command(send(path, {kDear, "--refused", refused}), &output), 1) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("accepted     2\n"), HasSubstr("refused      3\n"),
                            HasSubstr("line 4  malformed: the row has 1 field, the header has 2"),
                            ContainsRegex("line 6  mixed-[0-9a-f]+  invalid: .*/to"),
                            HasSubstr("line 8  malformed: the row a quote stands inside")));
  std::ifstream all(refused);
  std::set<int> lines;
  for (std::string line; std::getline(all, line);)
    lines.insert(json::parse(line).at("line").to_number<int>());
  EXPECT_EQ(lines, (std::set<int>{4, 6, 8}));
  rig_.wait_until_idle();
  EXPECT_EQ(rig_.calls(), 2U);
}

TEST_F(SendFile, WhatIsWrongWithTheFileOrTheCommandIsSaidBeforeAnythingIsSent) {
  std::string output;
  const auto refused = [&](std::vector<std::string> command, const std::string& why) {
    EXPECT_EQ(rig_.command(std::move(command), &output), 2) << output;
    EXPECT_THAT(output, HasSubstr(why));
  };
  refused(send(rig_.folder() + "/nowhere.csv", {kDear}), "No such file");
  refused(send(file("a.txt", "x"), {kDear}), "--format csv");
  refused(send(file("a.csv", "phone,name\n1,2\n"), {kDear}), "--to-column");
  refused(send(file("b.csv", "to\n" + number_of(1) + "\n"), {kDear}), "no column for {{name}}");
  refused(send(file("c.csv", ""), {kDear}), "it is empty");
  refused(send(file("d.csv", people(1)), {"Dear {{Name}}"}), "byte 5");
  refused(send(file("d.csv", people(1))), "--template ID");
  refused(send(rig_.folder() + "/d.csv", {kDear, "--progress-every", "soon"}), "--progress-every");
  refused(send(rig_.folder() + "/d.csv", {kDear, "--refused", "/nowhere/x"}), "--refused");
  refused(send(rig_.folder() + "/d.csv", {kDear, "--to", number_of(1)}), "--to");
  refused(send("-", {"--format", "csv", "--campaign", "x", "-"}), "not both");
  refused({"send", "--class", "otp"}, "needs --class, --to and a text, or --file");
  EXPECT_EQ(rig_.calls(), 0U);
}

TEST_F(SendFile, NdjsonFromAPipeKeepsItsKeys) {
  const std::string path =
      file("in.ndjson", R"({"to":")" + number_of(1) + R"(","key":"mine","body":"x"})" + "\n\n" +
                            R"({"to":")" + number_of(2) + R"("})" + "\n[1]\n");
  const std::string command = weir_binary() +
                              " send --file - --format ndjson --campaign holi --class promotional "
                              "sale --socket " +
                              rig_.folder() + "/weir.sock";
  std::string output;
  const std::vector<std::string> piped = {"/bin/sh", "-c",
                                          "(cat " + path + "; cat " + path + ") | " + command};
  EXPECT_EQ(run_to_end(piped, &output), 1) << output;
  EXPECT_THAT(output, AllOf(HasSubstr("accepted     2\n"), HasSubstr("replayed     2  "),
                            HasSubstr("line 4  malformed"), HasSubstr("line 8  malformed")));
  ASSERT_EQ(rig_.command({"list", "--key", "mine", "--json"}, &output), 0);
  EXPECT_THAT(output, HasSubstr("\"tag\":\"holi\""));
}

TEST_F(SendFile, TheTextCanComeFromStdin) {
  const std::string command = weir_binary() + " send --file " + file("a.csv", people(1)) +
                              " --class promotional --socket " + rig_.folder() + "/weir.sock -";
  std::string output;
  ASSERT_EQ(run_to_end({"/bin/sh", "-c", "printf 'Hello {{name}}' | " + command}, &output), 0)
      << output;
  rig_.wait_until_idle();
  const json::object ledger = rig_.ledger();
  EXPECT_EQ(ledger.at("calls").at(0).at("body").as_string(), "Hello N0");
}

TEST_F(SendFile, AFileThatIsWrongAsAWholeEndsWithWhatWeirSaid) {
  std::string csv = "to,name\n";
  for (int i = 0; i < 30'000; ++i)
    csv += std::to_string(i % 100) + ",N" + std::to_string(i) + "\n";
  std::string output;
  EXPECT_EQ(rig_.command(send(file("numbers.csv", csv), {kDear}), &output), 1);
  EXPECT_THAT(output, AllOf(HasSubstr("refused      10000\n"), HasSubstr("and 9995 more"),
                            HasSubstr("weir refused too many lines")));
}

TEST_F(SendFile, WhatMayPassLaterIsExitCode75) {
  ASSERT_EQ(rig_.command({"drain", "--class", "promotional", "--reason", "moving house"}), 0);
  const auto command = send(file("people.csv", people(3)), {kDear});
  std::string output;
  EXPECT_EQ(rig_.command(command, &output), 75);
  EXPECT_THAT(output, AllOf(HasSubstr("class_draining"), HasSubstr("run the same command again")));
  ASSERT_EQ(rig_.command({"resume", "--class", "promotional"}), 0);
  EXPECT_EQ(rig_.command(command, &output), 0) << output;
  expect_everybody_once(3);
}

TEST_F(SendFile, AWeirThatIsAwayIsExitCode75) {
  rig_.weir().signal(SIGKILL);
  rig_.weir().wait();
  std::string output;
  EXPECT_EQ(rig_.command(send(file("people.csv", people(3)), {kDear}), &output), 75);
  EXPECT_THAT(output, AllOf(HasSubstr("no weir answers"), HasSubstr("run the same command again")));
}

TEST_F(SendFileThroughANarrowLane, PipedItSaysPlainLinesAndASummary) {
  const auto command = send(file("people.csv", people(kMany)), {kDear, "--progress-every", "20ms"});
  std::string output;
  ASSERT_EQ(rig_.command(command, &output), 0) << output;
  EXPECT_THAT(output, ContainsRegex("[0-9]+%, [0-9]+ messages, [0-9]+/s, pressure promotional "));
  EXPECT_THAT(output, ContainsRegex("[0-9]s left\n"));
  EXPECT_THAT(output, HasSubstr("accepted     " + std::to_string(kMany) + "\n"));
  for (char c : output)
    ASSERT_TRUE(c == '\n' || (c >= ' ' && c < '\x7f')) << static_cast<int>(c);
}

TEST_F(SendFileThroughANarrowLane, ATerminalShowsABarThatIsDrawnAgain) {
  auto command = send(file("people.csv", people(kMany)), {kDear, "--socket"});
  command.push_back(rig_.folder() + "/weir.sock");
  std::string output;
  ASSERT_EQ(run_on_terminal(command, 100, output), 0) << output;
  EXPECT_THAT(output, ContainsRegex("\r\\[#+\\.+\\] +[0-9]+%  [0-9]+ messages"));
  EXPECT_THAT(output, ContainsRegex("\r\\[#+\\] +100%  10000 messages[^\r]*\r\n"));
  EXPECT_THAT(output, HasSubstr("campaign     people\r\n"));
  EXPECT_THAT(output, Not(HasSubstr("\x1b")));
  for (size_t at = 0; (at = output.find('\r', at)) != output.npos; ++at)
    EXPECT_LE(output.find_first_of("\r\n", at + 1) - at - 1, 99U);
}

TEST_F(SendFileThroughANarrowLane, WeirIsKilledInTheMiddleAndTheSameCommandGoesOn) {
  const auto command = send(file("people.csv", people(kMany)), {kDear});
  const auto broken = launch(command);
  rig_.wait_for_a_call();
  rig_.kill_and_restart();
  EXPECT_EQ(broken->wait(), 75);
  EXPECT_FALSE(broken->wait_for_line("run the same command again").empty()) << broken->output();
  std::string output;
  ASSERT_EQ(rig_.command(command, &output), 0) << output;
  EXPECT_THAT(output, Not(HasSubstr("replayed     0")));
  expect_everybody_once(kMany);
}

TEST_F(SendFileThroughANarrowLane, WeirStopsInTheMiddleAndTheSameCommandGoesOn) {
  const auto command = send(file("people.csv", people(kMany)), {kDear});
  const auto broken = launch(command);
  rig_.wait_for_a_call();
  rig_.weir().signal(SIGTERM);
  EXPECT_EQ(broken->wait(), 75);
  EXPECT_FALSE(broken->wait_for_line("weir is stopping").empty()) << broken->output();
  EXPECT_EQ(rig_.weir().wait(), 0);
  rig_.start_weir();
  ASSERT_EQ(rig_.command(command), 0);
  expect_everybody_once(kMany);
}

TEST_F(SendFileThroughANarrowLane, CtrlCEndsItAndTheSameCommandGoesOn) {
  const auto command = send(file("people.csv", people(kMany)), {kDear});
  auto talkative = command;
  talkative.insert(talkative.end(), {"--progress-every", "20ms"});
  for (int signal : {SIGINT, SIGTERM}) {
    const auto interrupted = launch(talkative);
    ASSERT_FALSE(interrupted->wait_for_line(" messages").empty()) << interrupted->output();
    rig_.wait_for_a_call();
    interrupted->signal(signal);
    EXPECT_EQ(interrupted->wait(), 128 + signal);
    const std::string line = interrupted->wait_for_line("interrupted; ");
    EXPECT_THAT(line, ContainsRegex("interrupted; [0-9]+ messages were handed over; run the same"));
  }
  std::string output;
  ASSERT_EQ(rig_.command(command, &output), 0) << output;
  EXPECT_THAT(output, Not(HasSubstr("replayed     0")));
  expect_everybody_once(kMany);
}

class SendFileAsAProducer : public SendFile {
 protected:
  SendFileAsAProducer() : SendFile(options(), add_shop) {
    const std::string line = rig_.weir().wait_for_line("listening on http://127.0.0.1:");
    url_ = line.substr(line.find("http://"));
    url_ = url_.substr(0, url_.find('"'));
  }

  static RigOptions options() {
    RigOptions options;
    options.tcp = "127.0.0.1:0";
    return options;
  }
  static void add_shop(const Rig& rig) {
    const std::string path = rig.folder() + "/shop.key";
    std::ofstream(path) << kShop << "\n";
    chmod(path.c_str(), 0400);
    std::ofstream(rig.config(), std::ios::app)
        << "producers:\n  shop:\n    key: {file: " << path
        << "}\n    classes: [promotional]\n    rate_units_per_s: 100\n";
  }

  std::string url_;
};

TEST_F(SendFileAsAProducer, WhoMayNotLookAtATemplateCanStillSendByIt) {
  ASSERT_EQ(rig_.call("PUT", "/v1/templates/diwali", R"({"body":"Dear {{name}}"})").status, 200);
  const std::string path = file("people.csv", people(2));
  const auto with_key = [&](const std::string& key, std::string& output) {
    return run_to_end({"/usr/bin/env", "WEIR_KEY=" + key, weir_binary(), "send", "--file", path,
                       "--class", "promotional", "--template", "diwali", "--url", url_},
                      &output);
  };
  std::string output;
  EXPECT_EQ(with_key(kShop, output), 0) << output;
  EXPECT_THAT(output, HasSubstr("accepted     2\n"));
  EXPECT_EQ(with_key("wrong-zq-0123456789abcdef", output), 2);
  EXPECT_THAT(output, HasSubstr("unauthorized"));
  rig_.wait_until_idle();
  EXPECT_EQ(rig_.calls(), 2U);
}

// The most that it had in memory, looked at until it has gone.
int64_t peak_kib(Process& process) {
  int64_t peak = 0;
  for (;;) {
    std::ifstream status("/proc/" + std::to_string(process.pid()) + "/status");
    int64_t now = 0;
    for (std::string word; status >> word;) {
      if (word == "VmHWM:") status >> now;
    }
    if (now == 0) return peak;
    peak = now;
  }
}

class SendAnyNumber : public SendFile {
 protected:
  SendAnyNumber() : SendFile(wide_lane()) {}

  static RigOptions wide_lane() {
    RigOptions options;
    options.in_memory = true;
    options.rate = "100";
    options.more =
        "lanes:\n  promotional: {reserve: 50%, limit: 100%, slots: 64, max_rows: 650000, "
        "max_units: 650000, slow_at: 98%, pause_at: 99%}\n";
    return options;
  }
  int64_t peak_of(const std::string& path) {
    const auto process = launch(send(path, {kDear}));
    const int64_t peak = peak_kib(*process);
    EXPECT_EQ(process->wait(), 0) << process->output();
    return peak;
  }
};

TEST_F(SendAnyNumber, InFlatMemory) {
  const int many = kSanitized ? 30'000 : 300'000;
  const int64_t few = peak_of(file("few.csv", people(3'000)));
  const int64_t all = peak_of(file("all.csv", people(many)));
  ASSERT_GT(few, 0);
  std::printf("3000 rows: %lld KiB; %d rows: %lld KiB\n", static_cast<long long>(few), many,
              static_cast<long long>(all));
  if (!kSanitized) {
    EXPECT_LT(all - few, 2 * 1024) << "KiB";
  }
}

}  // namespace
}  // namespace weir::test
