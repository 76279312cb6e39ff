// SPDX-License-Identifier: Apache-2.0
//
// BullMQ on a redis-server of its own, over its unix socket. The key of a message is the job's id.
import { start } from './server.mjs';

export const rows = [
  { queue: 'BullMQ, Redis', answer: 'on disk', options: { fsync: 'always' } },
  { queue: 'BullMQ, Redis', answer: 'up to 1 s can be lost', options: { fsync: 'everysec' } },
];

export async function open({ options, load }) {
  const [{ Queue }, { Redis }] = [await load('bullmq'), await load('ioredis')];
  const stop = await start('redis-server', [
    '--port', '0', '--unixsocket', './redis.sock', '--dir', '.', '--save', '',
    '--appendonly', 'yes', '--appendfsync', options.fsync,
  ], 'ready to accept connections');
  const connection = new Redis({ path: 'redis.sock', maxRetriesPerRequest: null });
  const queue = new Queue('messages', { connection });
  await queue.waitUntilReady();
  const [, fsync] = await connection.config('GET', 'appendfsync');
  return {
    setting: `AOF, appendfsync ${fsync}`,
    accept: ({ key, ...message }) => queue.add('send', message, { jobId: key }),
    held: () => queue.getWaitingCount(),
    close: async () => {
      await queue.close();
      await connection.quit();
      await stop();
    },
  };
}
