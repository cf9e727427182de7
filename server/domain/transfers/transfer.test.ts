import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMessage } from '../../../messages/format-message.ts';
import { type Message, readMessage, storeMessage } from '../../../messages/message.ts';
import { sending } from '../../../messages/sending-texts.ts';
import { type PendingBatch, type Posted, pushRules, retrySeconds, verdictOn } from './transfer.ts';
import { batchesInTurns, type FindPending } from './transfer-batches.ts';
import { shareLots } from './transfer-lots.ts';

const redact = (text: string) => text.replaceAll('0912345678', '***');
const calm = { isIsolating: false, redact, idField: 'transfer_id' } as const;
const isolating = { ...calm, isIsolating: true };

const answered = (status: number, response = '', more: Partial<Posted & { kind: 'answered' }> = {}): Posted => ({
  kind: 'answered',
  status,
  response,
  retryAfterSeconds: null,
  isCut: false,
  ...more,
});
const accepted = (rejected: [string, Message][] = [], isUnreadable = false) => ({
  kind: 'accepted',
  rejected: new Map(rejected),
  isUnreadable,
});

test('the retry delay grows with each failure up to five minutes; Retry-After extends it up to an hour', () => {
  const delays = [1, 2, 3, 4, 5, 100].map((failures) => retrySeconds(failures, 0, pushRules, 0));
  assert.deepEqual(delays, [5, 30, 120, 300, 300, 300]);
  assert.equal(retrySeconds(1, 0, pushRules, 1), 5.5);
  assert.equal(retrySeconds(1, 1, pushRules, 0), 5);
  assert.equal(retrySeconds(1, 600, pushRules, 0), 600);
  assert.equal(retrySeconds(4, 1e9, pushRules, 1), 3600);
});

test('a 2xx accepts all orders except those that it rejects by id', () => {
  const some =
    '{"results":[{"transfer_id":"AB-1","accepted":false,"reason":"no"},{"transfer_id":"ab-2","accepted":false},{"transfer_id":"ab-3","accepted":true}]}';
  for (const status of [200, 202, 204, 299]) {
    const rejected: [string, Message][] = [
      ['ab-1', sending('warehouse_reason', { text: 'no' })],
      ['ab-2', sending('no_reason_given')],
    ];
    assert.deepEqual(verdictOn(answered(status, some), 3, calm), accepted(rejected));
    assert.deepEqual(verdictOn(answered(status, ' '), 3, calm), accepted());
    assert.deepEqual(verdictOn(answered(status, '{'), 3, calm), accepted([], true));
  }
  const ofOtherShape = [
    '{"results": {"0": 1}}',
    'null',
    '{"results":[null,{"accepted":false},{"accepted":"no","transfer_id":"x"}]}',
  ];
  for (const response of ofOtherShape) assert.deepEqual(verdictOn(answered(200, response), 3, calm), accepted());
});

test('a reason of a warehouse in the form of our messages stays text', () => {
  const reason = JSON.stringify(sending('stopped'));
  const response = JSON.stringify({ results: [{ transfer_id: 'ab-1', accepted: false, reason }] });
  const verdict = verdictOn(answered(200, response), 1, calm);
  const message = readMessage(storeMessage(verdict.kind === 'accepted' ? verdict.rejected.get('ab-1')! : ''));
  assert.deepEqual([formatMessage(message), formatMessage(message, 'zh-TW')], [reason, reason]);
});

test('400, 409, 413 and 422 reject a single order, and halve a batch', () => {
  for (const status of [400, 409, 413, 422]) {
    assert.deepEqual(verdictOn(answered(status, 'why'), 2, calm), { kind: 'too_many' });
    assert.deepEqual(verdictOn(answered(status, 'why'), 1, calm), {
      kind: 'rejected',
      reason: sending('rejected_with', { status, response: 'why' }),
    });
  }
  const reason = sending('rejected_with', { status: 422, response: '😀'.repeat(500) });
  assert.deepEqual(verdictOn(answered(422, '😀'.repeat(600)), 1, calm), { kind: 'rejected', reason });
});

test('an incomplete response halves a batch; for a single order it counts as accepted', () => {
  const cut = answered(200, '{"results":[', { isCut: true });
  assert.deepEqual(verdictOn(cut, 2, calm), { kind: 'too_many' });
  assert.deepEqual(verdictOn(cut, 1, calm), accepted([], true));
});

test('everything else is retried', () => {
  for (const status of [100, 301, 307, 401, 403, 404, 410, 429, 500, 502, 503]) {
    const verdict = verdictOn(answered(status, 'x', { retryAfterSeconds: 7 }), 1, calm);
    assert.deepEqual(verdict, {
      kind: 'again',
      why: sending('http_status', { status }),
      askedForSeconds: 7,
      mayBeTakenBack: false,
    });
  }
  for (const wasConnected of [true, false]) {
    const why = sending('connection_reset');
    const lost: Posted = { kind: 'unanswered', error: why, wasConnected };
    assert.deepEqual(verdictOn(lost, 2, calm), {
      kind: 'again',
      why,
      askedForSeconds: 0,
      mayBeTakenBack: !wasConnected,
    });
  }
});

test('while isolating, 5xx halves a batch and blocks a single order; other responses have the usual effect', () => {
  for (const status of [500, 502, 503, 599]) {
    assert.deepEqual(verdictOn(answered(status), 2, isolating), { kind: 'too_many' });
    const blocked = { kind: 'blocked', why: sending('http_status', { status }), askedForSeconds: 7 };
    assert.deepEqual(verdictOn(answered(status, 'x', { retryAfterSeconds: 7 }), 1, isolating), blocked);
  }
  const others: Posted[] = [
    ...[200, 307, 400, 401, 404, 422, 429].map((status) => answered(status, 'x')),
    { kind: 'unanswered', error: sending('connection_reset'), wasConnected: true },
    { kind: 'unanswered', error: sending('connection_refused'), wasConnected: false },
  ];
  for (const posted of others) {
    for (const count of [1, 2]) assert.deepEqual(verdictOn(posted, count, isolating), verdictOn(posted, count, calm));
  }
});

const line = (skuId: string, qty: number, batchId: string | null = null) => ({ skuId, qty, batchId });
const lot = (skuId: string, qty: number, expireDate: string | null, batchId = '') => ({
  skuId,
  qty,
  expireDate,
  batchId,
});
const shared = (...args: Parameters<typeof shareLots>) =>
  shareLots(...args).map(({ lots }) =>
    lots.map(({ batchId, expireDate, qty }) => `${qty} of ${batchId || '-'} ${expireDate ?? 'never'}`),
  );

test('each line gets its quantity, the earliest expiry first', () => {
  const lines = [line('A', 2), line('B', 1), line('A', 3)];
  const lots = [lot('A', 1, null), lot('A', 4, '2030-01-01'), lot('B', 1, '2031-01-01')];
  assert.deepEqual(shared(lines, lots), [
    ['2 of - 2030-01-01'],
    ['1 of - 2031-01-01'],
    ['2 of - 2030-01-01', '1 of - never'],
  ]);
});

test('a line that names a batch gets units of that batch before other lines', () => {
  const lines = [line('A', 2), line('A', 2, 'X')];
  const lots = [lot('A', 2, '2030-01-01', 'X'), lot('A', 2, '2031-01-01', 'Y')];
  assert.deepEqual(shared(lines, lots), [['2 of Y 2031-01-01'], ['2 of X 2030-01-01']]);
});

test('an order without held stock has no lots', () => {
  assert.deepEqual(shared([line('A', 2)], []), [[]]);
});

/** `lengths[i]` orders of account i + 1, created in turn, and a `findPending` that records its queries. */
function orders(lengths: number[]): {
  findPending: FindPending;
  looks: { accounts: number; limit: number; found: number }[];
  ids: number[];
} {
  const looks: { accounts: number; limit: number; found: number }[] = [];
  const idOf = (accountId: number, nth: number) => nth * lengths.length + accountId;
  const instantOf = (orderId: number) => `2026-01-01 00:00:00.${String(orderId).padStart(9, '0')}+00`;
  const findPending: FindPending = async (beyond, limit) => {
    const found = beyond.flatMap(({ accountId, orderId }) => {
      const from = orderId === 0 ? 0 : (orderId - accountId) / lengths.length + 1;
      const count = Math.max(0, Math.min(limit, lengths[accountId - 1]! - from));
      return Array.from({ length: count }, (_, index) => {
        const id = idOf(accountId, from + index);
        return { accountId, orderId: id, createdAt: instantOf(id) };
      });
    });
    looks.push({ accounts: beyond.length, limit, found: found.length });
    return found;
  };
  const ids = lengths
    .flatMap((length, index) => Array.from({ length }, (_, nth) => idOf(index + 1, nth)))
    .sort((one, other) => one - other);
  return { findPending, looks, ids };
}

/** The orders of each account, in the order in which they come. */
function byAccount(batches: PendingBatch[]): Map<number, number[]> {
  const grouped = Map.groupBy(batches, (batch) => batch.accountId);
  return new Map([...grouped].map(([accountId, own]) => [accountId, own.flatMap((batch) => batch.orderIds)]));
}

function expectedByAccount(ids: number[], accounts: number): Map<number, number[]> {
  return Map.groupBy(ids, (id) => ((id - 1) % accounts) + 1);
}

function sorted(orders: Map<number, number[]>): [number, number[]][] {
  return [...orders].sort(([one], [other]) => one - other);
}

test('each batch is of one account, the oldest orders come first, and accounts take turns, the one with the oldest order first', async () => {
  const { findPending, ids } = orders([0, 1, 3, 14, 7, 3]);
  for (const pageMax of [1, 3, 100]) {
    const batches = await Array.fromAsync(batchesInTurns([6, 5, 4, 3, 2, 1], findPending, { pageMax, batchMax: 4 }));
    assert.deepEqual(sorted(byAccount(batches)), sorted(expectedByAccount(ids, 6)));
    assert.deepEqual(
      batches.map(({ accountId, orderIds }) => [accountId, orderIds.length]),
      [
        ...[
          [2, 1],
          [3, 3],
          [4, 4],
          [5, 4],
          [6, 3],
        ],
        ...[
          [4, 4],
          [5, 3],
        ],
        ...[[4, 4]],
        ...[[4, 2]],
      ],
    );
  }
});

test('three hundred accounts with five hundred orders each: no query finds more than fifty thousand orders', async () => {
  const { findPending, looks, ids } = orders(Array(300).fill(500));
  const accountIds = Array.from({ length: 300 }, (_, index) => index + 1);
  const batches = await Array.fromAsync(batchesInTurns(accountIds, findPending, { pageMax: 1000, batchMax: 100 }));

  assert.deepEqual(sorted(byAccount(batches)), sorted(expectedByAccount(ids, 300)));
  assert.equal(batches.length, 1500);
  assert.deepEqual(
    batches.slice(0, 300).map((batch) => batch.accountId),
    accountIds,
  );
  assert.equal(looks[0]!.limit, 166);
  assert.ok(looks.every((look) => look.found <= 50_000));
});

test('a query finds ten orders of each account even when there are thousands of accounts', async () => {
  const { findPending, looks, ids } = orders(Array(6000).fill(12));
  const accountIds = Array.from({ length: 6000 }, (_, index) => index + 1);
  const batches = await Array.fromAsync(batchesInTurns(accountIds, findPending, { pageMax: 1000, batchMax: 500 }));

  assert.deepEqual(sorted(byAccount(batches)), sorted(expectedByAccount(ids, 6000)));
  assert.equal(batches.length, 6000);
  assert.deepEqual(looks[0], { accounts: 6000, limit: 10, found: 60_000 });
});
