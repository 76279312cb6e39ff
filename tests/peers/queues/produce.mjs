// SPDX-License-Identifier: Apache-2.0
//
// One measurement: 64 producers in this process hand messages to one queue, each waits for its
// answer before its next message. Forked by compare.mjs in an empty folder, where the queue keeps
// its files; tells it the rate, the times, and how many accepted messages the queue does not hold.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const kProducers = 64;
const task = JSON.parse(process.argv[2]);
const total = task.untimed + task.messages;

// A package from the build folder, or an error with code MODULE_NOT_FOUND.
async function load(name) {
  const found = createRequire(path.join(task.packages, 'package.json')).resolve(name);
  return import(pathToFileURL(found));
}

function message(number) {
  return {
    class: 'promotional',
    to: `+${910_000_000_000 + number}`,
    body: `Your parcel ${1_000_000 + number} arrives today between 10 and 12. STOP to end.`,
    key: `parcel-${number}`,
  };
}

// A producer has its next message when it has its last answer, so the time of an answer includes
// the wait for others where a queue takes one message at a time.
async function produce(queue, from, to) {
  const times = new Float64Array(to - from);
  let next = from;
  const start = performance.now();
  async function producer() {
    let ready = start;
    while (next < to) {
      const number = next++;
      await queue.accept(message(number));
      const answered = performance.now();
      times[number - from] = answered - ready;
      ready = answered;
    }
  }
  await Promise.all(Array.from({ length: kProducers }, producer));
  return { times: times.sort(), seconds: (performance.now() - start) / 1000 };
}

async function measure(queue) {
  await produce(queue, 0, task.untimed);
  const before = process.cpuUsage();
  const { times, seconds } = await produce(queue, task.untimed, total);
  const { user, system } = process.cpuUsage(before);
  const at = (share) => times[Math.floor((times.length - 1) * share)];
  return {
    rate: task.messages / seconds,
    busy: (user + system) / 1e6 / seconds,
    p50: at(0.5),
    p99: at(0.99),
    setting: queue.setting,
    missing: total - await queue.held(),
  };
}

async function run() {
  const { open } = await import(`./${task.file}`);
  let queue;
  try {
    queue = await open({ ...task, total, load });
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    return { skipped: error.message.split('\n')[0] };
  }
  const result = await measure(queue);
  await queue.close();
  return result;
}

// A server that was started ends with this process (server.mjs).
process.send(await run(), () => process.exit());
