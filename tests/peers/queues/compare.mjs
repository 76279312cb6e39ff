// SPDX-License-Identifier: Apache-2.0
//
// Durable accepts a second, weir beside other queues: each row is measured by a process of its own
// (produce.mjs), all rows in turn, several rounds, medians. A row whose package is not there is
// left out with a word. Ends with 1 when a queue does not hold what it accepted.
//
//   node compare.mjs WEIR_BINARY PACKAGES_FOLDER DATA_FOLDER
import { fork } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const [weir, packages, data] = process.argv.slice(2);
const messages = Number(process.env.WEIR_PEERS_MESSAGES || 20000);
const rounds = Number(process.env.WEIR_PEERS_ROUNDS || 3);

// So many more come first and are not timed: the compiler of Node warms up, the queue opens files.
const untimed = Math.ceil(messages / 10);

// The first row's rate is divided by those of the others.
const rows = [];
for (const file of ['weir.mjs', 'bullmq.mjs', 'plainjob.mjs', 'liteque.mjs'])
  for (const row of (await import(`./${file}`)).rows) rows.push({ ...row, file, results: [] });

let child;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    if (!child?.kill('SIGTERM')) process.exit(1);
    child.once('close', () => process.exit(1));
  });

function measure(row) {
  const folder = path.join(data, 'one');
  fs.mkdirSync(folder);
  return new Promise((resolve, reject) => {
    const task = { file: row.file, options: row.options, messages, untimed, weir, packages };
    let result;
    child = fork(new URL('produce.mjs', import.meta.url), [JSON.stringify(task)], { cwd: folder });
    child.on('message', (told) => { result = told; });
    child.on('close', (code) => {
      fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
      if (code === 0 && result) resolve(result);
      else reject(new Error(`${row.queue}: the measurement ended with ${code}`));
    });
  });
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

for (let round = 0; round < rounds; ++round) {
  for (const row of rows) {
    if (row.skipped) continue;
    const result = await measure(row);
    if (result.skipped) {
      row.skipped = true;
      console.log(`${row.queue} is left out: ${result.skipped}`);
    } else if (result.missing !== 0) {
      console.error(`${row.queue}: ${result.missing} of the messages that it accepted are MISSING`);
      process.exit(1);
    } else {
      row.results.push(result);
    }
  }
}

const measured = rows.filter((row) => !row.skipped);
const [first] = measured;
const titles = ['queue', 'setting', 'an answer means', 'messages/s', 'weir / it',
  'p50 ms', 'p99 ms', 'client busy'];
const lines = measured.map((row) => {
  const middle = (of) => median(row.results.map(of));
  const ratio = middle((one, round) => first.results[round].rate / one.rate);
  return [
    row.queue, row.results[0].setting, row.answer,
    middle((one) => one.rate).toFixed(0), `${ratio.toFixed(2)}x`,
    middle((one) => one.p50).toFixed(2), middle((one) => one.p99).toFixed(2),
    `${(100 * middle((one) => one.busy)).toFixed(0)}%`,
  ];
});
const widths = titles.map((_, i) => Math.max(...[titles, ...lines].map((line) => line[i].length)));
const pad = (cell, i) => (i < 3 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]));
console.log(`accepted by each queue: ${messages} messages of 64 producers in one Node process, ` +
  `median of ${rounds} rounds`);
for (const line of [titles, ...lines]) console.log(line.map(pad).join('  '));
console.log(`weir / it: the rate of "${first.queue}" over that of the row, in the same round
client busy: CPU time of the producers' process, of one core. It shares the
  ${os.cpus().length} cores with weir or Redis; plainjob and liteque run inside of it
every queue held all that it had accepted, in every round`);
