import { formatMessage } from '../messages/format-message.ts';
/**
 * Measures the cost of strict parsing: JSON.parse of the decoded text compared with our parser, then bodies that an
 * attacker would send.
 */
import { readJson, readLargeJson } from '../server/platform/json/strict-json.ts';
import type { BenchOptions } from './benchmark.ts';
import { type Output, rounded } from './figures.ts';

const fullRounds = { rounds: 7, milliseconds: 150 };
const quickRounds = { rounds: 2, milliseconds: 20 };
const hostileRounds = 5;
const hostileRoundsQuick = 1;
const hostileBytes = 1024 * 1024;

const ordinaryBodies = {
  'order, 2 lines': orderBody(2, { name: 'Anna Schmidt', city: 'Hamburg', remark: '' }),
  'order, 5 lines, Chinese': orderBody(5, {
    name: '王小明',
    city: '广东省深圳市南山区',
    remark: '请在工作日上午送货，谢谢',
  }),
  'order, 500 lines': orderBody(
    500,
    { name: 'Anna Schmidt', city: 'Hamburg', remark: '' },
    ' "description": "Cotton shirt, long sleeve, blue, size M", "lot_no": "L-2025-0142",',
  ),
};

const hostileBodies = {
  'open brackets': '['.repeat(hostileBytes),
  'nested arrays, closed': '['.repeat(hostileBytes / 2) + ']'.repeat(hostileBytes / 2),
  'nested keys': '{"a":'.repeat(hostileBytes / 5),
  'digits in one number': '7'.repeat(hostileBytes),
  'zeros in one number': `0.${'0'.repeat(hostileBytes)}1`,
  'many long numbers': `[${'0.1234567890123456,'.repeat(hostileBytes / 19)}0]`,
  'many exponents': `[${'1e300,'.repeat(hostileBytes / 6)}0]`,
  'many exponents near the end': `[${'1e308,'.repeat(hostileBytes / 6)}0]`,
  'backslashes in a string': `"${'\\'.repeat(hostileBytes)}"`,
  'backslashes in a key': `{"${'\\'.repeat(hostileBytes)}":1}`,
  'lone surrogates': `"${'\\ud800'.repeat(hostileBytes / 6)}"`,
  'surrogate pairs': `"${'\\ud83d\\ude00'.repeat(hostileBytes / 12)}"`,
  'objects with an escaped key': `[${'{"\\u0061":0},'.repeat(hostileBytes / 13)}0]`,
  'wrongly escaped keys': `{${'"\\x":1,'.repeat(hostileBytes / 7)}}`,
  'objects of 24 like keys': `[${Array.from({ length: 650 }, () => objectOf(24, (key) => `${'k'.repeat(56)}${key + 10}`)).join()}]`,
  'object of 20,000 keys': objectOf(20_000, (key) => `a key of quite some length, number ${key}`),
  'object of 100,000 keys': objectOf(100_000, (key) => `k${key}`),
};

export async function benchStrictJson({ quick }: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  for (const [name, text] of Object.entries(ordinaryBodies))
    compare(name, text, quick ? quickRounds : fullRounds, output);
  for (const [name, text] of Object.entries(hostileBodies))
    await attack(name, text, quick ? hostileRoundsQuick : hostileRounds, output);
  return { mistakes: [] };
}

function compare(name: string, text: string, { rounds, milliseconds }: typeof fullRounds, output: Output): void {
  const bytes = Buffer.from(text);
  if (readJson(bytes).kind !== 'value') throw new Error(`The reader refuses the body "${name}".`);

  const parseRounds: number[] = [];
  const readRounds: number[] = [];
  for (let round = 0; round < rounds; round++) {
    parseRounds.push(nanosecondsEach(milliseconds, () => JSON.parse(text)));
    readRounds.push(nanosecondsEach(milliseconds, () => readJson(bytes)));
  }

  const [parse, read] = [Math.min(...parseRounds), Math.min(...readRounds)];
  output.row('reading a body, nanoseconds', {
    body: name,
    bytes: bytes.length,
    'JSON.parse': rounded(parse, 0),
    'our reader': rounded(read, 0),
    ratio: rounded(read / parse, 2),
  });
}

function nanosecondsEach(milliseconds: number, work: () => unknown): number {
  const startedAt = performance.now();
  let calls = 0;
  let elapsed = 0;
  while (elapsed < milliseconds) {
    for (let call = 0; call < 10; call++) work();
    calls += 10;
    elapsed = performance.now() - startedAt;
  }
  return (elapsed / calls) * 1e6;
}

async function attack(name: string, text: string, rounds: number, output: Output): Promise<void> {
  const bytes = Buffer.from(text);
  let parse = Number.POSITIVE_INFINITY;
  let read = 0;
  let atATime = Number.POSITIVE_INFINITY;
  let outcome = '';
  for (let round = 0; round < rounds; round++) {
    const parseStartedAt = performance.now();
    parseOrGiveUp(text);
    parse = Math.min(parse, performance.now() - parseStartedAt);
    const readStartedAt = performance.now();
    const reading = readJson(bytes);
    read = Math.max(read, performance.now() - readStartedAt);
    atATime = Math.min(atATime, await longestTurn(() => readLargeJson(bytes)));
    outcome = reading.kind === 'value' ? 'a value' : formatMessage(reading.message);
  }
  output.row('hostile bodies, milliseconds at worst', {
    body: name,
    bytes: bytes.length,
    'JSON.parse': rounded(parse, 1),
    'our reader': rounded(read, 1),
    'in slices, at a time': rounded(atATime, 1),
    outcome,
  });
}

/** For how long other work waits at most. The shortest of several rounds, because the machine may stand still. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let isRunning = true;
  const measure = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (isRunning) setImmediate(measure);
  };
  setImmediate(measure);
  await work();
  isRunning = false;
  measure();
  return longest;
}

function parseOrGiveUp(text: string) {
  try {
    JSON.parse(text);
  } catch {
    // Only the time matters.
  }
}

function objectOf(keyCount: number, nameOf: (key: number) => string): string {
  return `{${Array.from({ length: keyCount }, (_, key) => `"${nameOf(key)}":1`).join()}}`;
}

function orderBody(lineCount: number, receiver: { name: string; city: string; remark: string }, extra = ''): string {
  const lines = Array.from(
    { length: lineCount },
    (_, line) => `{"sku_id":"SKU-${1000 + line}",${extra}"qty":${1 + (line % 7)},"price":19.90}`,
  );
  const head = `"order_sn":"SO-20250114-000172","warehouse_no":"WH-EU-01","created_at":1736840000,"remark":"${receiver.remark}","carrier":"DHL","service_level":"standard","callback":true`;
  const to = `"receiver":{"name":"${receiver.name}","phone":"+49 40 1234567","city":"${receiver.city}","zip":"20095","country":"DE"}`;
  return `{${head},${to},"insured":false,"details":[${lines.join()}]}`;
}
