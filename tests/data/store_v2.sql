-- What weir's second schema version left on disk after it was killed: messages in several states, a
-- lane that a person paused, a call under way. Written by that weir; read by migration_test.cc.
PRAGMA auto_vacuum = INCREMENTAL;
PRAGMA application_id = 2003134834;
PRAGMA user_version = 2;
BEGIN TRANSACTION;
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
, text_id INTEGER) STRICT;
INSERT INTO message VALUES(1,'otp',0,5,0,17,1,1,1000000,1796303717086,1796303762086,0,'otp-1',1136132547223409902,1840453264945743703,NULL,0,1,1,0,NULL);
INSERT INTO message VALUES(2,'delivery_update',1,5,0,25,1,1,1000000,1796303718122,1796325318122,0,NULL,-5220371307035745034,9144267366953201991,'autumn',0,2,2,0,NULL);
INSERT INTO message VALUES(3,'delivery_update',1,5,0,25,1,1,1000000,1796303719161,1796325319161,0,NULL,1790934155167569482,3082200130270750434,NULL,0,3,3,1,3);
INSERT INTO message VALUES(4,'transaction_alert',1,5,0,11,1,1,1000000,1796303735203,1796304335203,0,'alert-4',-8241694534906972559,344920825242671224,NULL,0,4,4,0,NULL);
INSERT INTO message VALUES(5,'promotional',2,5,0,34,1,7,7000000,1796303735824,1796390135824,0,'sale',-8384113425476312925,-5533915158237453879,'autumn',0,5,7,3,5);
INSERT INTO message VALUES(6,'delivery_update',1,5,0,25,1,1,1000000,1796303736144,1796325336144,0,NULL,2693904721686599211,-4254114248663014836,NULL,0,8,8,1,3);
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
, evidence TEXT) STRICT;
INSERT INTO batch VALUES(1,1,0,'otp',5,2,1000000,1,1,0,1796303717086,1796303762086,1796303717086,1796303717389,NULL,'200','fake-1',NULL);
INSERT INTO batch VALUES(2,2,1,'delivery_update',5,3,1000000,1,1,0,1796303718122,1796325318122,1796303718123,1796303718430,'content','188',NULL,NULL);
INSERT INTO batch VALUES(3,3,1,'delivery_update',5,4,1000000,1,1,0,1796303719161,1796325319161,1796303719168,1796303719471,'unlisted_reply','31337',NULL,NULL);
INSERT INTO batch VALUES(4,4,1,'transaction_alert',5,2,1000000,1,1,0,1796303735203,1796304335203,1796303735204,1796303735508,NULL,'200','fake-4',NULL);
INSERT INTO batch VALUES(5,5,2,'promotional',5,0,3000000,3,0,0,1796303735824,1796390135824,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO batch VALUES(6,5,2,'promotional',5,0,3000000,3,0,0,1796303735824,1796390135824,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO batch VALUES(7,5,2,'promotional',5,0,1000000,1,0,0,1796303735824,1796390135824,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO batch VALUES(8,6,1,'delivery_update',5,1,1000000,1,1,0,1796303736144,1796325336144,1796303736145,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE batch_recipients (
  batch_id INTEGER PRIMARY KEY,
  numbers  BLOB NOT NULL
) STRICT;
INSERT INTO batch_recipients VALUES(1,X'010126abf8d5000000');
INSERT INTO batch_recipients VALUES(3,X'010326abf8d5000000');
INSERT INTO batch_recipients VALUES(4,X'010426abf8d5000000');
INSERT INTO batch_recipients VALUES(5,X'010b26abf8d50000000c26abf8d50000000d26abf8d5000000');
INSERT INTO batch_recipients VALUES(6,X'010e26abf8d50000000f26abf8d50000001026abf8d5000000');
INSERT INTO batch_recipients VALUES(7,X'011126abf8d5000000');
INSERT INTO batch_recipients VALUES(8,X'010526abf8d5000000');
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
INSERT INTO rate VALUES(1,1796303715094,0,100000000,0,0,0);
CREATE TABLE levels (
  id            INTEGER PRIMARY KEY,
  boot          TEXT    NOT NULL,
  mono_ns       INTEGER NOT NULL,
  account       INTEGER NOT NULL,
  otp           INTEGER NOT NULL,
  transactional INTEGER NOT NULL,
  promotional   INTEGER NOT NULL
) STRICT;
CREATE TABLE text (
  id     INTEGER PRIMARY KEY,
  uses   INTEGER NOT NULL,
  body   TEXT    NOT NULL,
  sender TEXT,
  params BLOB    NOT NULL
) STRICT;
INSERT INTO text VALUES(3,2,'Your parcel is on its way',NULL,X'01');
INSERT INTO text VALUES(5,1,'Sale: everything at half its price',NULL,X'01');
CREATE TABLE tally (
  lane    INTEGER NOT NULL,
  state   INTEGER NOT NULL,
  batches INTEGER NOT NULL,
  cost    INTEGER NOT NULL,
  entered INTEGER NOT NULL,
  PRIMARY KEY (lane, state)
) STRICT, WITHOUT ROWID;
INSERT INTO tally VALUES(0,1,0,0,1);
INSERT INTO tally VALUES(0,2,1,1000000,1);
INSERT INTO tally VALUES(1,0,0,0,4);
INSERT INTO tally VALUES(1,1,1,1000000,4);
INSERT INTO tally VALUES(1,2,1,1000000,1);
INSERT INTO tally VALUES(1,3,1,1000000,1);
INSERT INTO tally VALUES(1,4,1,1000000,1);
INSERT INTO tally VALUES(2,0,3,7000000,3);
CREATE TABLE setting (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO setting VALUES('run','ef5549b8b5a0d6b6569471380a671c20');
INSERT INTO setting VALUES('stop lane promotional','paused 1796303735190 the text is wrong');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('message',6);
INSERT INTO sqlite_sequence VALUES('batch',8);
CREATE UNIQUE INDEX message_key ON message (key) WHERE key IS NOT NULL;
CREATE INDEX batch_pending ON batch (state, id, lane, class, priority, cost, recipients, attempt,
                                     not_before, eligible, deadline) WHERE state = 0;
CREATE INDEX batch_claimed ON batch (state) WHERE state = 1;
CREATE INDEX batch_done ON batch (done_at) WHERE state IN (2, 3, 5, 6);
CREATE INDEX rate_at ON rate (at);
CREATE INDEX message_tag ON message (tag, id) WHERE tag IS NOT NULL;
CREATE INDEX batch_unknown ON batch (state, done_at, lane, cost) WHERE state = 4;
CREATE INDEX batch_ledger ON batch (state, id) WHERE state = 4;
COMMIT;
