// SPDX-License-Identifier: Apache-2.0
//
// weir, by POST /v1/messages on its unix socket. Nothing leaves while it is measured: its buckets
// start empty and fill with a unit in 100 seconds, and the gateway is not there.
import fs from 'node:fs';
import { start } from './server.mjs';
import * as clients from './weir_clients.mjs';

export const rows = [
  { queue: 'weir, by undici', answer: 'on disk', options: { client: 'undici' } },
  { queue: 'weir, by a bare socket', answer: 'on disk', options: { client: 'bare' } },
];

function configure(capacity) {
  const profile = new URL('../../../conf/profiles/smsgatewaycenter.yaml', import.meta.url);
  fs.mkdirSync('profiles');
  fs.copyFileSync(profile, 'profiles/smsgatewaycenter.yaml');
  fs.writeFileSync('api_key', 'none\n', { mode: 0o400 });
  fs.writeFileSync('weir.yaml', `
listen: {tcp: off, unix: ./weir.sock}
store: {path: ./weir.db}
gateway:
  profile: smsgatewaycenter
  url: http://127.0.0.1:1
  secrets: {api_key: {file: ./api_key}}
  ceiling: {rate_units_per_s: 0.01, capacity: 1h}
classes: {promotional: {lane: promotional, policy: buffer, deadline: {after: 24h}}}
lanes: {promotional: {max_rows: ${capacity}}}
`);
}

export async function open({ options, weir, total, load }) {
  configure(total);
  const stop = await start(weir, ['run', '--config', 'weir.yaml'], 'listening on ./weir.sock');
  const { call, close } = await clients[options.client]('weir.sock', load);
  return {
    setting: 'WAL, synchronous=FULL',
    accept: (message) => call('POST', '/v1/messages', 202, JSON.stringify(message)),
    held: async () => {
      const { lanes } = await call('GET', '/v1/lanes', 200);
      return lanes.reduce((sum, lane) => sum + lane.pending_batches + lane.in_flight_batches, 0);
    },
    close: async () => {
      await close();
      await stop();
    },
  };
}
