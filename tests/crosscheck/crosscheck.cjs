// SPDX-License-Identifier: Apache-2.0
//
// Counts the same bodies with weir and with two published calculators, and lists where encoding or
// segments differ. Every difference must be explained by a row of known_disagreements.json;
// anything else, and a row that explains nothing any more, fails.
//
//   node crosscheck.cjs WEIR_BINARY VECTORS_JSON PACKAGES_FOLDER
'use strict';
const { execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');
const { createRequire } = require('module');

const [weir, vectors, packages] = process.argv.slice(2);
const load = createRequire(path.join(path.resolve(packages), 'package.json'));
const splitSms = load('split-sms');
const { SegmentedMessage } = load('sms-segments-calculator');

const calculators = {
  'split-sms': (body) => {
    const counted = splitSms.split(body);
    return { encoding: counted.characterSet === 'GSM' ? 'GSM7' : 'UCS2', segments: counted.parts.length };
  },
  'sms-segments-calculator': (body) => {
    const counted = new SegmentedMessage(body);
    return { encoding: counted.getEncodingName() === 'GSM-7' ? 'GSM7' : 'UCS2', segments: counted.segmentsCount };
  },
};

// SplitMix-like, so that a failure can be repeated.
let state = 20260101;
function random(below) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 4294967296) * below);
}

const alphabets = {
  letters: [...'abcdefghijklmnopqrstuvwxyz ABCDEFG 0123456789.,!?'],
  gsm: [...'abc @£$¥èéùìòÇ\nØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà'],
  extension: [...'ab[]{}\\^~|€\f'],
  hindi: [...'नमस्ते दीपावली की शुभकामनाएं '],
  emoji: [...'ab 😀🎉👍'],
  mixed: [...'abc [€] é ’–… 😀 ñ'],
};

function bodies() {
  const rows = JSON.parse(fs.readFileSync(vectors, 'utf8'))
    .filter((row) => row.body !== undefined)
    .map((row) => ({ name: row.name, body: row.body }));
  for (const [name, letters] of Object.entries(alphabets)) {
    for (let i = 0; i < 80; ++i) {
      const length = 1 + random(i % 4 === 0 ? 600 : 200);
      let body = '';
      for (let at = 0; at < length; ++at) body += letters[random(letters.length)];
      rows.push({ name: `random_${name}_${i}`, body });
    }
  }
  return rows;
}

function weirCounts(rows) {
  // JSON strings, ASCII only: a lone surrogate would not survive as UTF-8.
  const input = rows.map((row) => JSON.stringify(row.body)).join('\n') + '\n';
  const output = execFileSync(weir, ['cost', '-', '--json', '--json-strings'], {
    input, maxBuffer: 256 * 1024 * 1024,
  }).toString().trimEnd().split('\n').map((line) => JSON.parse(line));
  if (output.length !== rows.length) throw new Error(`${rows.length} bodies, ${output.length} counts`);
  return output;
}

const known = JSON.parse(fs.readFileSync(path.join(__dirname, 'known_disagreements.json'), 'utf8'));
const used = new Set();
// A row explains by the name of the body or, for a whole class of bodies, by a pattern in them.
function explanation(calculator, row) {
  return known.find((one) => one.calculator === calculator &&
    (one.name === row.name || (one.body_matches && new RegExp(one.body_matches, 'u').test(row.body))));
}

const rows = bodies();
const ours = weirCounts(rows);
let explained = 0;
let unexplained = 0;
rows.forEach((row, i) => {
  for (const [calculator, count] of Object.entries(calculators)) {
    const theirs = count(row.body);
    if (theirs.encoding === ours[i].encoding && theirs.segments === ours[i].segments) continue;
    const reason = explanation(calculator, row);
    if (reason) {
      used.add(reason);
      explained += 1;
      continue;
    }
    unexplained += 1;
    console.log(`${row.name}: weir ${ours[i].encoding} ${ours[i].segments}, ` +
      `${calculator} ${theirs.encoding} ${theirs.segments}`);
  }
});
const idle = known.filter((one) => !used.has(one));
for (const one of idle) console.log(`explains nothing any more: ${one.calculator} ${one.name || one.body_matches}`);
console.log(`${rows.length} bodies, ${explained} explained and ${unexplained} unexplained disagreements`);
process.exit(unexplained === 0 && idle.length === 0 ? 0 : 1);
