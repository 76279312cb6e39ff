// SPDX-License-Identifier: Apache-2.0
//
// A server beside the producers, in the folder of this process. It ends with this process, also
// when that gets a signal or loses the process that forked it.
import { spawn } from 'node:child_process';

// Starts it and waits until it says `ready`. Gives a function that ends it in order.
export function start(command, args, ready) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  process.once('exit', () => child.kill('SIGKILL'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  process.once('disconnect', () => process.exit(1));

  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (text) => {
      output += text;
      if (output.includes(ready)) resolve(stop);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('close', () => reject(new Error(`${command} ended too early:\n${output}`)));
  });
}
