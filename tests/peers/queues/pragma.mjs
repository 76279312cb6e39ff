// SPDX-License-Identifier: Apache-2.0
//
// What an open better-sqlite3 database runs with, as words for the table.
const kSynchronous = ['OFF', 'NORMAL', 'FULL', 'EXTRA'];

export function setting(database) {
  const journal = database.pragma('journal_mode', { simple: true }).toUpperCase();
  const synchronous = kSynchronous[database.pragma('synchronous', { simple: true })];
  return `${journal}, synchronous=${synchronous}`;
}
