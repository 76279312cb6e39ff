// SPDX-License-Identifier: Apache-2.0
//
// liteque, the SQLite queue of a widely used application (Karakeep). It runs inside of the
// producers' process and commits one message at a time; keys are its idempotency keys.
import { setting } from './pragma.mjs';

export const rows = [
  { queue: 'liteque, its default', answer: 'power loss can take it', options: {} },
  { queue: 'liteque', answer: 'on disk', options: { synchronous: 'FULL' } },
];

export async function open({ options, load }) {
  await load('better-sqlite3');
  const { buildDBClient, SqliteQueue } = await load('liteque');
  const client = buildDBClient('queue.db', { runMigrations: true });
  const database = client.session.client;
  if (options.synchronous) database.pragma(`synchronous = ${options.synchronous}`);
  const queue = new SqliteQueue('messages', client, {
    defaultJobArgs: { numRetries: 0 },
    keepFailedJobs: false,
  });
  return {
    setting: setting(database),
    accept: ({ key, ...message }) => queue.enqueue(message, { idempotencyKey: key }),
    held: async () => (await queue.stats()).pending,
    close: () => database.close(),
  };
}
