// SPDX-License-Identifier: Apache-2.0
//
// Two ways for a Node process to speak HTTP to weir's unix socket, each over 64 connections that
// are kept. Both give call(method, path, status, body), which reads the JSON of an answer and fails
// when the status is another, and close().
import net from 'node:net';

const kConnections = 64;

function parsed(answered, expected, text) {
  if (answered !== expected) throw new Error(`weir answered ${answered}: ${text}`);
  return JSON.parse(text);
}

// What an application would use. It takes some three times the CPU of the one below.
export async function undici(socketPath, load) {
  const { Pool } = await load('undici');
  const pool = new Pool('http://weir', { socketPath, connections: kConnections, pipelining: 1 });
  const headers = { 'content-type': 'application/json' };
  return {
    call: async (method, path, expected, body) => {
      const answer = await pool.request({ method, path, headers, body });
      return parsed(answer.statusCode, expected, await answer.body.text());
    },
    close: () => pool.close(),
  };
}

// As little as can be: it writes a request and reads an answer that has a Content-Length.
export async function bare(socketPath) {
  const free = Array.from({ length: kConnections }, () => connection(socketPath));
  return {
    call: async (method, path, expected, body = '') => {
      const ask = free.pop();
      const [answered, text] = await ask(
        `${method} ${path} HTTP/1.1\r\nHost: weir\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      free.push(ask);
      return parsed(answered, expected, text);
    },
    close: () => free.forEach((ask) => ask.socket.destroy()),
  };
}

// A function that asks on one connection, one request at a time. Answers are ASCII.
function connection(socketPath) {
  const socket = net.connect(socketPath).setEncoding('latin1');
  let asked;
  let answer = '';
  socket.on('data', (part) => {
    answer += part;
    const head = answer.indexOf('\r\n\r\n') + 4;
    if (head < 4) return;
    const length = Number(/\ncontent-length: *(\d+)/i.exec(answer.slice(0, head))[1]);
    if (answer.length < head + length) return;
    const whole = answer;
    answer = '';
    asked.resolve([Number(whole.slice(9, 12)), whole.slice(head)]);
  });
  socket.on('error', (error) => asked?.reject(error));
  socket.on('close', () => asked?.reject(new Error('weir closed the connection')));
  const ask = (request) => new Promise((resolve, reject) => {
    asked = { resolve, reject };
    socket.write(request);
  });
  return Object.assign(ask, { socket });
}
