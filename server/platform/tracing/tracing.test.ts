import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomHex } from '../ids.ts';
import { makeLog } from '../log.ts';
import { statementName } from './statement-name.ts';
import { readTraceparent } from './traceparent.ts';
import { startTracing } from './tracer.ts';
import type { SamplerName } from './tracing-settings.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

test('a statement is named after its command and its table, and after nothing else of its text', () => {
  const names: Record<string, string | null> = {
    'select secret from lot where lot_id = 7 for update skip locked': 'select lot',
    'insert into orders (a) values (1) on conflict (a) do update set b = 2': 'insert orders',
    '  -- why\n  update "lot" set locked = 1': 'update lot',
    'delete from waiting_line': 'delete waiting_line',
    'with claimed as (update callback_delivery set a = 1 returning b) select b from claimed':
      'update callback_delivery',
    'with given as (select 1) select * from given': 'select given',
    "select * from unnest('{7}'::int[]) as t(a) join lot using (a)": 'select null',
    "select pg_notify('channel', 'secret')": 'select null',
    "begin; set local lading.accounts = '{7}'": 'begin null',
    commit: 'commit null',
    '': 'statement null',
  };
  for (const [text, expected] of Object.entries(names)) {
    const { operation, table } = statementName(text);
    assert.equal(`${operation} ${table}`, expected, text);
  }
});

test('a traceparent is read as the W3C recommendation says, and ignored if it is malformed', () => {
  const read = { traceId, spanId, isSampled: true };
  assert.deepEqual(readTraceparent(`00-${traceId}-${spanId}-01`), read);
  assert.deepEqual(readTraceparent(`00-${traceId}-${spanId}-00`), { ...read, isSampled: false });
  assert.deepEqual(readTraceparent(`cc-${traceId}-${spanId}-09-later`), read);
  const malformed = [
    undefined,
    [`00-${traceId}-${spanId}-01`],
    '',
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-`,
    `00-${traceId}-${spanId}-1`,
    `00-${traceId}-${spanId}`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    ` 00-${traceId}-${spanId}-01`,
    `cc-${traceId}-${spanId}-01-${'x'.repeat(300)}`,
  ];
  for (const header of malformed) assert.equal(readTraceparent(header), null, String(header));
});

test('each sampler decides by the parent, the ratio or neither, the same for every span of a trace', () => {
  const sampled = `00-${traceId}-${spanId}-01`;
  const unsampled = `00-${traceId}-${spanId}-00`;
  const half = { low: '01a1ec52-1641-7c58-8000-000000000000', high: '01a1ec52-1641-7c58-bfff-ffffffffffff' };
  const decisions: [SamplerName, ratio: number, header: string | null, ourId: string, isSampled: boolean][] = [
    ['always_on', 0, unsampled, half.high, true],
    ['always_off', 1, sampled, half.low, false],
    ['traceidratio', 0.5, null, half.low, true],
    ['traceidratio', 0.5, null, half.high, false],
    ['traceidratio', 1, null, half.high, true],
    ['traceidratio', 0, null, half.low, false],
    ['parentbased_always_on', 0, unsampled, half.high, false],
    ['parentbased_always_on', 0, null, half.high, true],
    ['parentbased_always_off', 0, sampled, half.high, true],
    ['parentbased_always_off', 0, null, half.high, false],
    ['parentbased_traceidratio', 0.5, sampled, half.high, true],
    ['parentbased_traceidratio', 0.5, null, half.high, false],
  ];
  for (const [tracesSampler, tracesSamplerRatio, header, ourId, isSampled] of decisions) {
    const tracer = tracerWith({ tracesSampler, tracesSamplerRatio });
    const span = tracer.startRequest(ourId, header ?? undefined);
    assert.equal(span.isSampled, isSampled, `${tracesSampler} ${header} ${ourId}`);
    assert.equal(span.child('child', 'internal').isSampled, isSampled);
  }
});

test('spans that find no room in the queue are dropped and counted, and nothing waits for the receiver', async () => {
  const counts = { exported: 0, dropped: 0 };
  const tracer = tracerWith({}, counts);
  const spans = 10_000;
  for (let index = 0; index < spans; index++) tracer.startWork('work', 'internal', null).end();
  assert.ok(counts.dropped > 0 && counts.dropped < spans);
  await tracer.close();
  assert.deepEqual(counts, { exported: 0, dropped: spans });
});

/** Nothing listens at its endpoint. */
function tracerWith(
  sampling: Partial<{ tracesSampler: SamplerName; tracesSamplerRatio: number }>,
  counts = { exported: 0, dropped: 0 },
) {
  return startTracing({
    settings: {
      otlpEndpoint: 'http://127.0.0.1:9',
      otlpHeaders: {},
      serviceName: randomHex(4),
      resourceAttributes: {},
      tracesSampler: 'always_on',
      tracesSamplerRatio: 1,
      ...sampling,
    },
    version: '0',
    log: makeLog('silent'),
    onSpans: (outcome, count) => {
      counts[outcome] += count;
    },
  });
}
