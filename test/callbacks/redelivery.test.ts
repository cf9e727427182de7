import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redeliverCallbacks } from '../../server/domain/callbacks/redeliver-callbacks.ts';
import { until } from '../support/worker.ts';
import { startCallbackStore } from './callback-store.ts';
import { quick } from './delivery.ts';
import { insertManyCallbacks } from './insert-callbacks.ts';
import { startHangingReceiver, startReceiver } from './receiver.ts';

const { database, closeWorkers, queueLength, startWorker, queue, untilQueueIsEmpty, statuses, attemptsOf } = await startCallbackStore();
const redeliver = async (...callbackIds: number[]) => (await database.transaction((tx) => redeliverCallbacks(tx, callbackIds))).count;

interface QueuedRow {
  callbackId: number;
  when: 'now' | 'later' | 'behind';
  attempts: number;
  attemptsBefore: number;
}

async function queued(): Promise<QueuedRow[]> {
  const rows = await database.read(
    (sql) => sql<QueuedRow[]>`
      select callback_id as "callbackId", attempts, attempts_before as "attemptsBefore",
        case when due_at = 'infinity' then 'behind' when due_at <= now() then 'now' else 'later' end as when
      from callback_delivery order by callback_id`,
  );
  return rows.map((row) => ({ ...row }));
}

test('delivered, failed and waiting ones are sent again at once, with all their tries before them', async () => {
  const receiver = await startReceiver(({ body }) => ({ status: [200, 410, 404][JSON.parse(body).document % 3]! }));
  const callbacks = await queue({ urls: [receiver.url], count: 3 });
  const settings = { ...quick, retryDelaysSeconds: [0, 600] };
  startWorker({ settings });
  await until('all are tried', async () => (await statuses()).pending === 1 && receiver.received.length === 4);
  await until('the second try is recorded', async () => (await queued())[0]?.attempts === 2);
  await closeWorkers();

  const ids = callbacks.map((one) => one.callbackId);
  const tries = callbacks.map(({ documentId }) => (documentId % 3 === 2 ? 2 : 1));
  assert.equal(await redeliver(...ids), 3);
  const expected = ids.map((callbackId, index) => ({ callbackId, when: 'now', attempts: 0, attemptsBefore: tries[index]! }));
  assert.deepEqual(await queued(), expected);
  assert.deepEqual(await statuses(), { pending: 3 });
  const [{ fresh }] = await database.read(
    (sql) => sql<[{ fresh: boolean }]>`
      select bool_and(give_up_at > now() + interval '30 hours' and updated_at > now() - interval '1 minute') as fresh
      from callback_delivery join callback using (callback_id)`,
  );
  assert.equal(fresh, true);

  receiver.behave(() => ({ status: 200 }));
  startWorker({ settings });
  await untilQueueIsEmpty();
  assert.deepEqual(await statuses(), { delivered: 3 });
  for (const [index, id] of ids.entries()) {
    assert.deepEqual((await attemptsOf(id)).at(-1), {
      attemptNo: tries[index]! + 1,
      httpStatus: 200,
      error: null,
      response: 'ok',
    });
  }
});

test('what a worker has in hand is left as it is, and counts; ids that do not exist do not', async () => {
  const receiver = await startHangingReceiver();
  const [callback] = await queue({ urls: [receiver.url], count: 1 });
  startWorker();
  await until('it is in flight', () => receiver.received.length === 1);
  assert.equal(await redeliver(callback!.callbackId, callback!.callbackId, 999_999_999), 1);
  receiver.letGo();
  await untilQueueIsEmpty();
  assert.deepEqual(await statuses(), { delivered: 1 });
  assert.equal(receiver.received.length, 1);
});

test('several of one document come in their order, behind earlier ones that are still queued', async () => {
  const receiver = await startReceiver(() => ({ status: 410 }));
  const callbacks = await queue({ urls: [receiver.url], count: 8, perDocument: 4 });
  startWorker();
  await untilQueueIsEmpty();
  await closeWorkers();
  const ids = callbacks.map((one) => one.callbackId);
  assert.equal(await redeliver(ids[3]!, ids[1]!, ids[2]!), 3);
  assert.deepEqual(
    (await queued()).map((row) => [row.callbackId, row.when]),
    [
      [ids[1], 'now'],
      [ids[2], 'behind'],
      [ids[3], 'behind'],
    ],
  );
  assert.equal(await redeliver(ids[0]!), 1);
  assert.deepEqual(
    (await queued()).map((row) => row.when),
    ['now', 'behind', 'behind', 'behind'],
  );

  receiver.behave(() => ({ status: 200 }));
  const before = receiver.received.length;
  startWorker();
  await untilQueueIsEmpty();
  assert.deepEqual(
    receiver.received.slice(before).map(({ body }) => JSON.parse(body).sequence),
    [1, 2, 3, 4],
  );
  assert.deepEqual(await statuses(), { delivered: 4, failed: 4 });
});

test('one that fails while an earlier one is sent again goes behind it', async () => {
  const [begun, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const receiver = await startReceiver(async ({ body, time }) => {
    const { sequence } = JSON.parse(body);
    if (sequence === 1) return { status: time < 4 ? (time === 1 ? 410 : 404) : 200 };
    if (time === 1) {
      begun.resolve();
      await finish.promise;
    }
    return { status: time === 1 ? 500 : 200 };
  });
  const [first] = await queue({ urls: [receiver.url], count: 2, perDocument: 2 });
  startWorker();
  await begun.promise;
  assert.equal(await redeliver(first!.callbackId), 1);
  await until('the first is tried again', () => receiver.received.length > 2);
  finish.resolve();
  await untilQueueIsEmpty();
  assert.deepEqual(await statuses(), { delivered: 2 });
  assert.deepEqual(receiver.received.map(({ body }) => JSON.parse(body).sequence).slice(-2), [1, 2]);
});

test('a receiver that is left alone is tried at once', async () => {
  const receiver = await startReceiver();
  const [callback] = await queue({ urls: [receiver.url], count: 1, notify: false });
  await database.read((sql) => sql`update callback_receiver set failures = 7, open_until = now() + interval '5 minutes'`);
  startWorker({ settings: { ...quick, lookEverySeconds: 600 } });
  await redeliver(callback!.callbackId);
  await untilQueueIsEmpty();
  assert.deepEqual(await statuses(), { delivered: 1 });
});

test('ten thousand at a time', async () => {
  const urls = Array.from({ length: 20 }, (_, index) => `http://127.0.0.1:1/${index}`);
  const first = await database.read((sql) => insertManyCallbacks(sql, { urls, count: 10_000, perDocument: 2, notify: false }));
  await database.read((sql) => sql`delete from callback_delivery`);
  await database.read((sql) => sql`update callback set status = 'failed'`);
  const ids = Array.from({ length: 10_000 }, (_, index) => first + index);
  assert.equal(await redeliver(...ids), 10_000);
  const rows = await queued();
  assert.deepEqual([rows.length, rows.filter((row) => row.when === 'now').length], [10_000, 5000]);
});

test('redeliveries and three workers at the same time: no deadlock, no try without its number, everything arrives', async () => {
  const receiver = await startReceiver(() => ({ status: Math.random() < 0.3 ? 404 : 200 }));
  const urls = Array.from({ length: 5 }, (_, index) => `${receiver.url}/${index}`);
  const callbacks = await queue({ urls, count: 150, perDocument: 3, notify: false });
  const ids = callbacks.map((one) => one.callbackId);
  // What a worker has in hand stays its own, however busy the machine is.
  const settings = { ...quick, retryDelaysSeconds: Array(40).fill(0.005), leaseSeconds: 600 };
  for (let worker = 1; worker <= 3; worker++) startWorker({ settings });
  const some = () => ids.filter(() => Math.random() < 0.2).toSorted(() => Math.random() - 0.5);
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let round = 1; round <= 10; round++) {
        const chosen = some();
        assert.equal(await redeliver(...chosen), chosen.length);
      }
    }),
  );
  await untilQueueIsEmpty();
  await closeWorkers();

  assert.deepEqual(await statuses(), { delivered: 150 });
  const [attempts] = await database.read(
    (sql) => sql<[{ count: number; numbered: number }]>`
      select count(*)::integer, sum(most)::integer as numbered
      from (select callback_id, count(*) as tries, max(attempt_no) as most from callback_attempt group by callback_id) each
      join callback_attempt using (callback_id) where attempt_no = 1`,
  );
  assert.equal(attempts.count, 150);
  assert.equal(attempts.numbered, receiver.received.length);
  const [{ deadlocks }] = await database.read(
    (sql) => sql<[{ deadlocks: number }]>`select deadlocks from pg_stat_database where datname = current_database()`,
  );
  assert.equal(deadlocks, 0);
  assert.equal(await queueLength(), 0);
});
