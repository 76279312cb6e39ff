// SPDX-License-Identifier: Apache-2.0
//
// The command line. The only file that knows CLI11.
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "tools/weir/commands.h"

namespace weir {
namespace {

// Those of POST /v1/cost: more than any list, and a price that no arithmetic can overflow.
constexpr uint64_t kMostRecipients = 100'000'000;

void add_api_options(CLI::App& verb, ApiArgs& api) {
  auto* socket =
      verb.add_option("--socket", api.socket, "Unix socket of the running weir (or $WEIR_SOCKET)");
  verb.add_option("--url", api.url, "Its address instead, as http://127.0.0.1:8025")
      ->excludes(socket);
  verb.add_option("--key-file", api.key_file,
                  "File with a producer's key (or $WEIR_KEY, with --url)");
}

// Every verb has its arguments for as long as the parse and the call last.
struct Verbs {
  RunArgs run;
  CheckArgs check;
  SendFileArgs send;
  ShowArgs show;
  StatusArgs status;
  ListArgs list;
  ResolveArgs resolve;
  CancelArgs cancel;
  StopArgs stop;
  DbArgs db;
  DbStatsArgs db_stats;
  DbBackupArgs db_backup;
  ReleaseQuarantineArgs release;
  AcquireArgs acquire;
  std::vector<std::string> acquire_what;
  RateHistoryArgs rate_history;
  ShadowReportArgs shadow_report;
  SizeArgs size;
  CostArgs cost;
  CostVerifyArgs verify;
  FakeGatewayArgs fake_gateway;
  std::function<int()> chosen;

  void add_to(CLI::App& app) {
    add_daemon(app);
    add_send(app);
    add_message_verbs(app);
    add_acquire(app);
    add_ledger(app);
    add_stopping(app);
    add_db(app);
    add_rate(app);
    add_sizing(app);
    add_cost(app);
    add_fake_gateway(app);
    app.add_subcommand("version", "Print the version")->callback([this] {
      chosen = [] {
        std::puts(version_text().c_str());
        return kDone;
      };
    });
  }

 private:
  void add_daemon(CLI::App& app) {
    auto* verb = app.add_subcommand("run", "Run weir in the foreground");
    verb->add_option("-c,--config", run.config, "Configuration file")->capture_default_str();
    verb->callback([this] { chosen = [this] { return run_command(run); }; });

    verb = app.add_subcommand("check", "Check a configuration and print what it means");
    verb->add_option("config", check.config, "Configuration file")->capture_default_str();
    verb->callback([this] { chosen = [this] { return check_command(check); }; });
  }

  void add_send(CLI::App& app) {
    auto* verb =
        app.add_subcommand("send", "Hand a message, or a file of them, to the running weir");
    SendArgs& one = send.message;
    add_api_options(*verb, one.api);
    verb->add_option("--class", one.class_name, "otp, promotional, ...");
    auto* to =
        verb->add_option("--to", one.to, "A recipient; may be repeated")->allow_extra_args(false);
    auto* body = verb->add_option("body", one.body, "The text, or - to read it from stdin");
    verb->add_option("--sender", one.sender, "Sender id");
    auto* key = verb->add_option("--key", one.key, "Business key: sending it again sends once");
    auto* tag = verb->add_option("--tag", one.tag, "Campaign");
    verb->add_option("--deadline", one.deadline, "RFC 3339 time; can only shorten the class's");
    verb->add_option("--param", one.params, "NAME=VALUE for the provider; may be repeated")
        ->allow_extra_args(false);
    verb->add_flag("--test", one.test, "Ask the provider to accept but not deliver");
    auto* wait =
        verb->add_option("--wait", one.wait_s, "Follow the message for up to this many seconds");
    verb->add_flag("--json", one.json, "Print JSON");
    auto* file =
        verb->add_option("--file", send.file, "A message for each line of this file; - is stdin");
    for (auto* of_one : {to, key, tag, wait})
      file->excludes(of_one);
    add_file_options(*verb, file);
    verb->callback([this, to, body, file] {
      if (file->count() > 0) {
        chosen = [this] { return send_file_command(send); };
        return;
      }
      if (to->count() == 0 || body->count() == 0 || send.message.class_name.empty()) {
        throw CLI::ValidationError("send", "needs --class, --to and a text, or --file");
      }
      chosen = [this] { return send_command(send.message); };
    });
  }

  void add_file_options(CLI::App& verb, CLI::Option* file) {
    verb.add_option("--format", send.format, "csv or ndjson, when the file's name does not say")
        ->needs(file);
    verb.add_option("--template", send.template_id, "A template of weir, instead of the text")
        ->needs(file);
    verb.add_option("--to-column", send.to_column, "CSV: the column with the recipients")
        ->needs(file)
        ->capture_default_str();
    verb.add_option("--campaign", send.campaign,
                    "Their tag, and how their keys begin; else the file's name")
        ->needs(file);
    verb.add_option("--refused", send.refused, "Write each refusal to this file, as NDJSON")
        ->needs(file);
    verb.add_option("--progress-every", send.progress_every,
                    "Say so often how far it is, where stderr is no terminal")
        ->needs(file)
        ->capture_default_str();
  }

  void add_message_verbs(CLI::App& app) {
    auto* verb = app.add_subcommand("show", "Show a message");
    add_api_options(*verb, show.api);
    verb->add_option("id", show.id, "Its id, as m17")->required();
    verb->add_flag("--json", show.json, "Print JSON");
    verb->callback([this] { chosen = [this] { return show_command(show); }; });

    verb = app.add_subcommand("status", "Show the lanes: rates, depth, age, pressure");
    add_api_options(*verb, status.api);
    verb->add_flag("--json", status.json, "Print JSON");
    verb->callback([this] { chosen = [this] { return status_command(status); }; });
  }

  void add_acquire(CLI::App& app) {
    auto* verb = app.add_subcommand("acquire",
                                    "Take units of the ceiling for a program that sends by itself");
    add_api_options(*verb, acquire.api);
    verb->add_option("what", acquire_what, "CLASS COST, or with --bucket only COST (units)")
        ->expected(0, 2);
    verb->add_option("--bucket", acquire.bucket, "Take them out of this bucket of its own");
    verb->add_option("--wait", acquire.wait, "Wait so long for them, as 5s")->capture_default_str();
    verb->add_flag("--shadow", acquire.shadow,
                   "Rehearse: never wait, and say how long it would have been");
    verb->add_option("--refund", acquire.refund,
                     "Give this lease back instead: nothing was sent, for certain");
    verb->add_flag("--json", acquire.json, "Print JSON, not only the lease's id");
    verb->callback([this] {
      const bool gives_back = !acquire.refund.empty();
      const size_t wanted = acquire.bucket.empty() ? 2 : 1;
      if (acquire_what.size() != (gives_back ? 0 : wanted)) {
        throw CLI::ValidationError(
            "acquire", "needs CLASS COST, or COST and --bucket NAME, or --refund LEASE alone");
      }
      if (!gives_back) acquire.cost = acquire_what.back();
      if (!gives_back && wanted == 2) acquire.class_name = acquire_what.front();
      chosen = [this] { return acquire_command(acquire); };
    });
  }

  void add_ledger(CLI::App& app) {
    auto* verb = app.add_subcommand("list", "Show messages, newest first");
    add_api_options(*verb, list.api);
    verb->add_option("--state", list.state, "With a batch in this state, as unknown");
    verb->add_option("--class", list.class_name, "Of this class");
    verb->add_option("--key", list.key, "With this key");
    verb->add_option("--tag", list.tag, "With this tag");
    verb->add_option("--limit", list.limit, "At most so many")
        ->capture_default_str()
        ->check(CLI::Range(1, 100'000));
    verb->add_flag("--json", list.json, "Print JSON");
    verb->callback([this] { chosen = [this] { return list_command(list); }; });

    verb = app.add_subcommand("resolve", "Say what became of a message that is unknown");
    add_api_options(*verb, resolve.api);
    verb->add_option("id", resolve.id, "The message, as m42")->required();
    verb->add_flag("--submitted", resolve.submitted, "The provider took it");
    verb->add_flag("--not-submitted", resolve.not_submitted, "The provider never got it");
    verb->add_option("--evidence", resolve.evidence, "How you know; kept with the message")
        ->required();
    verb->add_option("--batch", resolve.batch, "Only this batch of it, as b17");
    verb->callback([this] {
      if (resolve.submitted == resolve.not_submitted) {
        throw CLI::ValidationError("resolve", "needs --submitted or --not-submitted");
      }
      chosen = [this] { return resolve_command(resolve); };
    });
  }

  void add_stopping(CLI::App& app) {
    auto* verb = app.add_subcommand("cancel", "Take back what was not submitted yet");
    add_api_options(*verb, cancel.api);
    verb->add_option("id", cancel.id, "A message, as m42");
    verb->add_option("--key", cancel.key, "Or the message with this key");
    verb->add_option("--tag", cancel.tag, "Or all messages with this tag");
    verb->add_flag("--json", cancel.json, "Print JSON");
    verb->callback([this] {
      if (int{cancel.id.has_value()} + cancel.key.has_value() + cancel.tag.has_value() != 1) {
        throw CLI::ValidationError("cancel", "needs one of ID, --key and --tag");
      }
      chosen = [this] { return cancel_command(cancel); };
    });
    add_stop(app, "pause", "Keep what a lane or a class has, and send nothing of it", true,
             pause_command);
    add_stop(app, "drain", "Take nothing new for a lane or a class, and send what it has", true,
             drain_command);
    add_stop(app, "resume", "End a pause or a drain", false, resume_command);
  }

  void add_stop(CLI::App& app, const char* name, const char* help, bool has_reason,
                int (*command)(const StopArgs&)) {
    auto* verb = app.add_subcommand(name, help);
    add_api_options(*verb, stop.api);
    auto* lane = verb->add_option("--lane", stop.lane, "otp, transactional or promotional");
    auto* of_class = verb->add_option("--class", stop.class_name, "Or a class")->excludes(lane);
    if (has_reason) {
      verb->add_option("--reason", stop.reason, "Why; shown until it is resumed")->required();
    }
    verb->callback([this, name, lane, of_class, command] {
      if (lane->count() + of_class->count() == 0) {
        throw CLI::ValidationError(name, "needs --lane or --class");
      }
      chosen = [this, command] { return command(stop); };
    });
  }

  void add_db(CLI::App& app) {
    auto* all = app.add_subcommand("db", "The database of a running weir");
    all->require_subcommand(1);
    auto* verb = all->add_subcommand("stats", "Its size, and its batches by lane and state");
    add_api_options(*verb, db_stats.api);
    verb->add_flag("--json", db_stats.json, "Print JSON");
    verb->callback([this] { chosen = [this] { return db_stats_command(db_stats); }; });

    verb =
        all->add_subcommand("backup", "Copy it while it works, and look whether the copy is whole");
    add_api_options(*verb, db_backup.api);
    verb->add_option("path", db_backup.path, "A new file on weir's machine")->required();
    verb->callback([this] { chosen = [this] { return db_backup_command(db_backup); }; });

    verb = all->add_subcommand("check", "Look whether it is whole (reads all of it)");
    add_api_options(*verb, db.api);
    verb->callback([this] { chosen = [this] { return db_check_command(db); }; });

    verb = all->add_subcommand("compact", "Give unused space back");
    add_api_options(*verb, db.api);
    verb->callback([this] { chosen = [this] { return db_compact_command(db); }; });

    verb = app.add_subcommand("release-quarantine",
                              "Let a database that may be an old copy be sent after all");
    add_api_options(*verb, release.api);
    verb->add_flag("--yes", release.yes, "Without asking");
    verb->callback([this] { chosen = [this] { return release_quarantine_command(release); }; });
  }

  void add_rate(CLI::App& app) {
    auto* rate = app.add_subcommand("rate", "What the account takes a second");
    rate->require_subcommand(1);
    auto* verb = rate->add_subcommand("history", "How the ceiling moved, and why");
    add_api_options(*verb, rate_history.api);
    verb->add_option("--since", rate_history.since, "RFC 3339 time, as 2030-01-31T18:30:00Z");
    verb->add_option("--limit", rate_history.limit, "The newest so many changes")
        ->capture_default_str()
        ->check(CLI::Range(1, 10'000));
    verb->add_flag("--json", rate_history.json, "Print JSON");
    verb->callback([this] { chosen = [this] { return rate_history_command(rate_history); }; });
  }

  void add_sizing(CLI::App& app) {
    auto* shadow = app.add_subcommand("shadow", "Lanes whose limits are counted, not enforced");
    shadow->require_subcommand(1);
    auto* verb = shadow->add_subcommand("report", "What the limits would have done");
    add_api_options(*verb, shadow_report.api);
    verb->add_flag("--json", shadow_report.json, "Print JSON");
    verb->callback([this] { chosen = [this] { return shadow_report_command(shadow_report); }; });

    verb = app.add_subcommand("size", "Propose rate, capacity and OTP reserve from what was seen");
    add_api_options(*verb, size.api);
    verb->add_option("--factor", size.factor, "Room above what was seen")
        ->capture_default_str()
        ->check(CLI::Range(1.0, 10.0));
    verb->add_flag("--per-second", size.per_second, "The provider's limit is per second");
    verb->add_flag("--json", size.json, "Print JSON");
    verb->callback([this] { chosen = [this] { return size_command(size); }; });
  }

  void add_cost(CLI::App& app) {
    auto* verb = app.add_subcommand("cost", "Say what a text costs, and why");
    const auto* body = verb->add_option(
        "body", cost.body, "The text, or - for one a line from stdin (the word verify: -- verify)");
    verb->add_option("--to", cost.recipients, "Number of recipients")
        ->capture_default_str()
        ->check(CLI::Range(uint64_t{0}, kMostRecipients));
    verb->add_flag("--json-strings", cost.json_strings,
                   "Lines of stdin are JSON strings, so that a text may hold line ends");
    verb->add_flag("--json", cost.json, "Print one JSON object a line");
    const auto* asks = add_cost_verify(*verb);
    verb->callback([this, verb, body, asks] {
      if (asks->parsed()) return expect_none(*verb);
      // Not required(): `cost verify` has no body of its own.
      if (body->count() == 0) throw CLI::RequiredError("body");
      chosen = [this] { return cost_command(cost); };
    });
  }

  // What stands before the word verify would be ignored.
  static void expect_none(const CLI::App& verb) {
    for (const CLI::Option* option : verb.get_options()) {
      if (option->count() == 0) continue;
      throw CLI::ValidationError("cost verify", option->get_name() + " stands before verify");
    }
  }

  const CLI::App* add_cost_verify(CLI::App& cost_verb) {
    auto* verb = cost_verb.add_subcommand(
        "verify", "Ask the gateway what texts cost, and show where it counts differently");
    verb->add_option("-c,--config", verify.config, "Configuration file")->capture_default_str();
    auto* file = verb->add_option("--file", verify.file, "One text a line; - is stdin");
    verb->add_flag("--json-strings", verify.json_strings,
                   "Lines are JSON strings, so that a text may hold line ends")
        ->needs(file);
    auto* templates = verb->add_flag("--templates", verify.templates,
                                     "The templates of the running weir, at their longest");
    add_api_options(*verb, verify.api);
    verb->add_option("--rate", verify.rate_per_s, "Calls a second, at most 20")
        ->capture_default_str()
        ->check(CLI::Range(0.01, 20.0));
    verb->add_flag("--json", verify.json, "Print one JSON object a line");
    verb->callback([this, file, templates] {
      if (file->count() + templates->count() == 0) {
        throw CLI::ValidationError(
            "cost verify", "needs --file or --templates; the word itself: weir cost -- verify");
      }
      chosen = [this] { return cost_verify_command(verify); };
    });
    return verb;
  }

  void add_fake_gateway(CLI::App& app) {
    auto* verb = app.add_subcommand(
        "fake-gateway", "A gateway to rehearse with: speaks SMSGatewayCenter on loopback");
    verb->add_option("--listen", fake_gateway.listen, "ADDRESS:PORT; port 0 takes a free one")
        ->capture_default_str();
    verb->add_option("--ceiling", fake_gateway.ceiling, "Units/s above which it throttles")
        ->capture_default_str();
    verb->add_option("--capacity", fake_gateway.capacity, "How long a refill its bucket holds")
        ->capture_default_str();
    verb->add_option("--latency", fake_gateway.latency, "Time to answer")->capture_default_str();
    verb->add_option("--script", fake_gateway.script,
                     "What happens to the calls in turn, again and again, as "
                     "ok*20,throttle,content,500,reset,half,stall,odd");
    verb->add_option("--api-key-file", fake_gateway.api_key_file,
                     "Refuse calls without the key in this file");
    verb->add_option("--disagree", fake_gateway.disagree,
                     "Tell other prices than weir's: divided, gsm-as-unicode or off-by-one");
    verb->callback([this] { chosen = [this] { return fake_gateway_command(fake_gateway); }; });
  }
};

int parse_and_run(int argc, char** argv) {
  CLI::App app{
      "weir paces an application's messages to its SMS provider.\n\n"
      "  weir run --config conf/weir.yaml\n"
      "  weir send --class otp --to +919876543210 \"Your code is 4711\" --wait 10\n"
      "  weir send --file people.csv --class promotional \"Dear {{name}}, ...\"\n"
      "  weir cost \"Don’t miss out\""};
  app.require_subcommand(1);
  Verbs verbs;
  verbs.add_to(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kUsage;
  }
  return verbs.chosen();
}

}  // namespace
}  // namespace weir

int main(int argc, char** argv) {
  return weir::parse_and_run(argc, argv);
}
