// SPDX-License-Identifier: Apache-2.0
//
// plainjob, the SQLite queue from npm that is built for speed. It runs inside of the producers'
// process and commits one message at a time. It knows no keys.
import { setting } from './pragma.mjs';

export const rows = [
  { queue: 'plainjob, its default', answer: 'power loss can take it', options: {} },
  { queue: 'plainjob', answer: 'on disk', options: { synchronous: 'FULL' } },
];

export async function open({ options, load }) {
  const { default: Database } = await load('better-sqlite3');
  const { better, defineQueue } = await load('plainjob');
  const database = new Database('queue.db');
  const queue = defineQueue({ connection: better(database) });
  if (options.synchronous) database.pragma(`synchronous = ${options.synchronous}`);
  return {
    setting: setting(database),
    accept: (message) => queue.add('send', message),
    held: () => queue.countJobs({ type: 'send' }),
    close: () => queue.close(),
  };
}
