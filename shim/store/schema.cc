// SPDX-License-Identifier: Apache-2.0
#include "shim/store/schema.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <system_error>

namespace weir {
namespace {

// "weir" in ASCII; it stands in the file's header (offset 68), so that file(1) and others can tell.
constexpr const char kApplicationId[] = "2003134834";

// The pending and claimed indexes begin with the state, although it is the same in every entry, so
// that reading them is a search and comes in the order of the next column. They are covering for
// the reads at start: with a million pending rows that is 0.2 s instead of 2.5 s.
constexpr const char kFirstVersion[] = R"sql(
CREATE TABLE message (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  class        TEXT    NOT NULL,
  lane         INTEGER NOT NULL,
  priority     INTEGER NOT NULL,
  encoding     INTEGER NOT NULL,
  units        INTEGER NOT NULL,
  segments     INTEGER NOT NULL,
  recipients   INTEGER NOT NULL,
  cost         INTEGER NOT NULL,
  created      INTEGER NOT NULL,
  deadline     INTEGER NOT NULL,
  not_before   INTEGER NOT NULL,
  key          TEXT,
  hash_high    INTEGER NOT NULL,
  hash_low     INTEGER NOT NULL,
  tag          TEXT,
  test         INTEGER NOT NULL,
  first_batch  INTEGER NOT NULL,
  last_batch   INTEGER NOT NULL,
  open_batches INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX message_key ON message (key) WHERE key IS NOT NULL;

CREATE TABLE message_text (
  message_id INTEGER PRIMARY KEY,
  body       TEXT NOT NULL,
  sender     TEXT,
  params     BLOB NOT NULL
) STRICT;

CREATE TABLE batch (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id  INTEGER NOT NULL,
  lane        INTEGER NOT NULL,
  class       TEXT    NOT NULL,
  priority    INTEGER NOT NULL,
  state       INTEGER NOT NULL,
  cost        INTEGER NOT NULL,
  recipients  INTEGER NOT NULL,
  attempt     INTEGER NOT NULL,
  not_before  INTEGER NOT NULL,
  eligible    INTEGER NOT NULL,
  deadline    INTEGER NOT NULL,
  claimed_at  INTEGER,
  done_at     INTEGER,
  reason      TEXT,
  code        TEXT,
  gateway_ref TEXT
) STRICT;

CREATE INDEX batch_pending ON batch (state, id, lane, class, priority, cost, recipients, attempt,
                                     not_before, eligible, deadline) WHERE state = 0;
CREATE INDEX batch_claimed ON batch (state) WHERE state = 1;
CREATE INDEX batch_unknown ON batch (state, done_at) WHERE state = 4;
CREATE INDEX batch_done ON batch (done_at) WHERE state IN (2, 3, 5, 6);

CREATE TABLE batch_recipients (
  batch_id INTEGER PRIMARY KEY,
  numbers  BLOB NOT NULL
) STRICT;

CREATE TABLE batch_rejected (
  batch_id  INTEGER NOT NULL,
  recipient INTEGER NOT NULL,
  PRIMARY KEY (batch_id, recipient)
) STRICT, WITHOUT ROWID;

CREATE TABLE template (
  id           TEXT    PRIMARY KEY,
  body         TEXT    NOT NULL,
  class        TEXT,
  sender       TEXT,
  params       BLOB    NOT NULL,
  max_chars    BLOB    NOT NULL,
  max_segments INTEGER NOT NULL,
  smart        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE rate (
  id       INTEGER PRIMARY KEY,
  at       INTEGER NOT NULL,
  old      INTEGER NOT NULL,
  new      INTEGER NOT NULL,
  cause    INTEGER NOT NULL,
  epoch    INTEGER NOT NULL,
  measured INTEGER NOT NULL
) STRICT;

CREATE INDEX rate_at ON rate (at);

CREATE TABLE levels (
  id            INTEGER PRIMARY KEY,
  boot          TEXT    NOT NULL,
  mono_ns       INTEGER NOT NULL,
  account       INTEGER NOT NULL,
  otp           INTEGER NOT NULL,
  transactional INTEGER NOT NULL,
  promotional   INTEGER NOT NULL
) STRICT;

CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
)sql";

// Texts are shared by the messages that have the same one; counters stand beside the rows; the file
// knows which run wrote it.
//
// batch_unknown is for the oldest one and for the recount at start, batch_ledger for the list.
constexpr const char kSecondVersion[] = R"sql(
CREATE TABLE text (
  id     INTEGER PRIMARY KEY,
  uses   INTEGER NOT NULL,
  body   TEXT    NOT NULL,
  sender TEXT,
  params BLOB    NOT NULL
) STRICT;

INSERT INTO text SELECT message_id, 1, body, sender, params FROM message_text;
ALTER TABLE message ADD COLUMN text_id INTEGER;
UPDATE message SET text_id = id WHERE id IN (SELECT message_id FROM message_text);
DROP TABLE message_text;

CREATE INDEX message_tag ON message (tag, id) WHERE tag IS NOT NULL;

ALTER TABLE batch ADD COLUMN evidence TEXT;
DROP INDEX batch_unknown;
CREATE INDEX batch_unknown ON batch (state, done_at, lane, cost) WHERE state = 4;
CREATE INDEX batch_ledger ON batch (state, id) WHERE state = 4;

CREATE TABLE tally (
  lane    INTEGER NOT NULL,
  state   INTEGER NOT NULL,
  batches INTEGER NOT NULL,
  cost    INTEGER NOT NULL,
  entered INTEGER NOT NULL,
  PRIMARY KEY (lane, state)
) STRICT, WITHOUT ROWID;

INSERT INTO tally SELECT lane, state, count(*), sum(cost), count(*) FROM batch GROUP BY lane, state;

CREATE TABLE setting (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

DROP TABLE meta;
)sql";

// Each batch knows the producer that it came from. The covering index has it in place of the
// recipients, which the lanes have no use for.
constexpr const char kThirdVersion[] = R"sql(
ALTER TABLE batch ADD COLUMN producer TEXT;
DROP INDEX batch_pending;
CREATE INDEX batch_pending ON batch (state, id, lane, class, priority, cost, attempt, not_before,
                                     eligible, deadline, producer) WHERE state = 0;
)sql";

// kMigrations[n] turns version n into version n + 1. An entry is never changed after a release.
constexpr const char* kMigrations[] = {kFirstVersion, kSecondVersion, kThirdVersion};

Result<int> version_of(Connection& connection) {
  Result<std::string> text = connection.ask("PRAGMA user_version");
  if (!text) return text.error();
  return std::atoi(text->c_str());
}

Status migrate_from(Connection& connection, int version) {
  const std::string next = std::to_string(version + 1);
  std::string sql = "BEGIN IMMEDIATE;";
  sql += kMigrations[version];
  sql += "PRAGMA user_version = " + next + ";";
  sql += std::string("PRAGMA application_id = ") + kApplicationId + ";";
  sql += "COMMIT;";
  Status done = connection.run(sql.c_str());
  if (done) return done;
  if (connection.in_transaction()) (void)connection.run("ROLLBACK");
  return Error{"cannot bring the database to schema version " + next + ": " + done.error().detail};
}

std::string backup_path(const std::string& path, int version) {
  return path + ".v" + std::to_string(version) + ".backup";
}

// Under another name first, so that what has the name is whole.
Status back_up(Connection& connection, const std::string& to) {
  const std::string draft = to + ".part";
  std::remove(draft.c_str());
  Result<OnlineBackup> copy = OnlineBackup::start(connection, draft);
  if (!copy) return copy.error();
  OnlineBackup::Step step = OnlineBackup::Step::kMore;
  while (step == OnlineBackup::Step::kMore)
    step = copy->copy_pages(1024);
  Status done = copy->finish();
  if (done && std::rename(draft.c_str(), to.c_str()) != 0) {
    done = Error{std::generic_category().message(errno)};
  }
  if (done) return done;
  std::remove(draft.c_str());
  return Error{"cannot back it up to " + to + " before it is migrated: " + done.error().detail};
}

}  // namespace

int schema_version() {
  return static_cast<int>(std::size(kMigrations));
}

Status check_identity(Connection& connection) {
  Result<std::string> application = connection.ask("PRAGMA application_id");
  if (!application) return application.error();
  Result<int> version = version_of(connection);
  if (!version) return version.error();
  Result<std::string> table = connection.ask("SELECT name FROM sqlite_schema LIMIT 1");
  if (!table) return table.error();

  const bool empty = *application == "0" && *version == 0 && table->empty();
  if (!empty && *application != kApplicationId) {
    return Error{"it is an SQLite database, but not one of weir's; name another file"};
  }
  if (*version > schema_version()) {
    return Error{"it has schema version " + std::to_string(*version) +
                 ", and this weir knows versions up to " + std::to_string(schema_version()) +
                 "; start the weir that wrote it, or a newer one"};
  }
  return Done{};
}

Status migrate(Connection& connection, const std::string& path) {
  for (bool first = true;; first = false) {
    Result<int> version = version_of(connection);
    if (!version) return version.error();
    if (*version >= schema_version()) return Done{};
    if (first && *version > 0) {
      Status saved = back_up(connection, backup_path(path, *version));
      if (!saved) return saved;
    }
    Status done = migrate_from(connection, *version);
    if (!done) return done;
  }
}

}  // namespace weir
