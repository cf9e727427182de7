import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { longestDueSeconds, oldestUndeliveredSeconds } from '../../server/domain/callbacks/delivery-queries.ts';
import { until } from '../support/worker.ts';
import { startCallbackStore } from './callback-store.ts';
import { quick } from './delivery.ts';
import { type Receiver, startHangingReceiver, startReceiver } from './receiver.ts';

const { database, workers, queueLength, startWorker, queue, untilQueueIsEmpty, statuses, attemptsOf } = await startCallbackStore();

async function health() {
  const [row] = await database.read(
    (sql) =>
      sql<[{ failures: number; open: boolean }]>`select failures, coalesce(open_until > now(), false) as open from callback_receiver`,
  );
  return { ...row };
}

async function triesUsedUp(): Promise<number> {
  const [row] = await database.read(
    (sql) => sql<[{ sum: number }]>`select coalesce(sum(attempts), 0)::integer as sum from callback_delivery`,
  );
  return row.sum;
}

/** As if the time of the circuit had passed. */
async function endWait(): Promise<void> {
  await database.read((sql) => sql`update callback_receiver set open_until = now()`);
}

test('a receiver that fails five times in a row is left alone, probed with one callback at a time, and back after one success', async () => {
  const receiver = await startReceiver(() => ({ status: 500 }));
  await queue({ urls: [receiver.url], count: 40 });
  const settings = { ...quick, openSeconds: 600, openMaxSeconds: 600, retryDelaysSeconds: [600] };
  const [worker] = [startWorker({ settings }), startWorker({ settings })];
  await until('the circuit is open', async () => (await health()).open);
  await sleep(300);
  // Two were in flight at a time, so a sixth may have been when the fifth failed.
  const tries = receiver.received.length;
  assert.ok(tries === 5 || tries === 6, `${tries} tries`);
  assert.deepEqual(await health(), { failures: 5, open: true });
  assert.equal(await triesUsedUp(), tries);

  const probing = Promise.withResolvers<void>();
  receiver.behave(async () => {
    await probing.promise;
    return { status: 500 };
  });
  await endWait();
  await until('it is probed', () => receiver.received.length > tries);
  await sleep(300);
  assert.equal(receiver.received.length, tries + 1);
  probing.resolve();
  await until('the circuit is open again', async () => (await health()).open);
  assert.deepEqual(await health(), { failures: 6, open: true });
  assert.equal(receiver.received.length, tries + 1);

  receiver.behave(() => ({ status: 200 }));
  await endWait();
  await until('everything that was not tried has arrived', () => receiver.received.length === tries + 1 + 40 - (tries + 1));
  assert.deepEqual(await health(), { failures: 0, open: false });
  const changes = await Promise.all(workers.map((one) => one.metric('callback_receiver_circuits_total{change="opened"}')));
  assert.equal(
    changes.reduce((a, b) => a + b),
    1,
  );
  assert.ok(worker);
});

test('sixteen at a time that fail together open the circuit once', async () => {
  const receiver = await startReceiver();
  await queue({ urls: [receiver.url], count: 1 });
  startWorker({ settings: { ...quick, openSeconds: 600, openMaxSeconds: 6000, retryDelaysSeconds: [600] } });
  await untilQueueIsEmpty();
  const together = Promise.withResolvers<void>();
  receiver.behave(async () => {
    await together.promise;
    return { status: 503 };
  });
  await queue({ urls: [receiver.url], count: 50 });
  await until('sixteen are there', () => receiver.received.length === 17);
  together.resolve();
  await until('all are recorded', async () => (await triesUsedUp()) === 16);
  assert.deepEqual(await health(), { failures: 5, open: true });
  assert.equal(receiver.received.length, 17);
  const [{ seconds }] = await database.read(
    (sql) => sql<[{ seconds: number }]>`select extract(epoch from open_until - now())::float8 as seconds from callback_receiver`,
  );
  assert.ok(seconds > 500 && seconds <= 660, `${seconds} s`);
});

for (const known of [false, true]) {
  test(`nine receivers that hang do not delay the tenth (${known ? 'they were healthy before' : 'they are new'})`, async () => {
    const hanging: (Receiver & { letGo(): void })[] = [];
    for (let index = 1; index <= 9; index++) hanging.push(await startHangingReceiver());
    const tenth = await startReceiver();
    const urls = hanging.map(({ url }) => url);
    await queue({ urls, count: 900, notify: false });
    if (known) await database.read((sql) => sql`update callback_receiver set last_success_at = now()`);
    startWorker({ settings: { ...quick, slots: 60, suspectSlots: 30 } });
    await until('the nine hang', () => hanging.every(({ received }) => received.length > 0));
    for (let round = 1; round <= 3; round++) {
      await queue({ urls: [tenth.url], count: 50 });
      await until('the tenth has everything', () => tenth.received.length === 50 * round);
    }
    assert.deepEqual(
      hanging.map(({ received }) => received.length > (known ? 16 : 2)),
      Array(9).fill(false),
    );
    assert.ok((await statuses()).pending! >= 900);
    for (const receiver of hanging) receiver.letGo();
    await untilQueueIsEmpty();
  });
}

for (const slots of [4, 200]) {
  test(`a receiver with much to come does not delay those with little (${slots} slots)`, async () => {
    const [busy, quiet] = [await startReceiver(), await startReceiver()];
    await queue({ urls: [busy.url], count: 2000 });
    startWorker({ settings: { ...quick, slots, suspectSlots: slots / 2 } });
    await until('the busy one is being served', () => busy.received.length > 100);
    await queue({ urls: [1, 2, 3, 4, 5].map((index) => `${quiet.url}/${index}`), count: 20 });
    await until('the quiet ones have everything', () => quiet.received.length === 20);
    assert.ok(busy.received.length < 2000, `${busy.received.length} were sent before`);
  });
}

test('three hundred receivers and ten slots: everyone has their turn', async () => {
  const receiver = await startReceiver();
  const urls = Array.from({ length: 300 }, (_, index) => `${receiver.url}/${index}`);
  await queue({ urls, count: 900 });
  startWorker({ settings: { ...quick, slots: 10, suspectSlots: 5, lookEverySeconds: 600 } });
  await untilQueueIsEmpty();
  assert.equal(receiver.received.length, 900);
  assert.ok(receiver.peak() <= 10, `${receiver.peak()} at a time`);
});

test('a host that hangs with an address for each document leaves room for whoever is new elsewhere', async () => {
  const [hanging, good] = [await startHangingReceiver(), await startReceiver()];
  const urls = Array.from({ length: 120 }, (_, index) => `${hanging.url}/${index}`);
  await queue({ urls, count: 120, notify: false });
  startWorker({ settings: { ...quick, attemptSeconds: 30 } });
  try {
    await until('the host has all it may have', () => hanging.received.length === 4);
    await queue({ urls: [good.url], count: 1, accountId: 2 });
    await until('the other one has its callback', () => good.received.length === 1);
    assert.equal(hanging.received.length, 4);
  } finally {
    hanging.letGo();
  }
});

test('a look finds every receiver, also of more than a thousand', async () => {
  const receiver = await startReceiver();
  const urls = Array.from({ length: 2100 }, (_, index) => `${receiver.url}/${index}`);
  startWorker();
  await queue({ urls, count: 2100, notify: false });
  await untilQueueIsEmpty();
  assert.equal(new Set(receiver.received.map(({ path }) => path)).size, 2100);
});

test('a paused receiver is left alone until it is not', async () => {
  const [paused, other] = [await startReceiver(), await startReceiver()];
  await queue({ urls: [paused.url], count: 3, notify: false });
  await database.read((sql) => sql`update callback_receiver set paused = true`);
  startWorker();
  await queue({ urls: [other.url], count: 3 });
  await queue({ urls: [paused.url], count: 1 });
  await until('the other has everything', () => other.received.length === 3);
  await sleep(250);
  assert.equal(paused.received.length, 0);
  await database.read((sql) => sql`update callback_receiver set paused = false`);
  await untilQueueIsEmpty();
  assert.equal(paused.received.length, 4);
});

test('when a probe fails, what has waited too long is given up, then what was behind it', async () => {
  const receiver = await startReceiver(() => ({ status: 500 }));
  const [probe, behindProbe, ...old] = await queue({ urls: [receiver.url], count: 40, perDocument: 2, notify: false });
  await database.read((sql) => sql`update callback_delivery set give_up_at = now()`);
  await database.read((sql) => sql`update callback_receiver set failures = 5, open_until = now()`);
  const [young] = await queue({ urls: [receiver.url], count: 3, notify: false });
  const worker = startWorker({ settings: { ...quick, openSeconds: 600, openMaxSeconds: 600, retryDelaysSeconds: [600] } });
  await until('the first of their documents are given up', async () => (await statuses()).failed === 19);
  assert.equal(receiver.received.length, 1);
  await endWait();
  await until('the others are given up', async () => (await statuses()).failed === 38);

  assert.deepEqual(
    receiver.received.map(({ eventId }) => eventId),
    [probe!.eventId, young!.eventId],
  );
  assert.deepEqual(await statuses(), { failed: 38, pending: 5 });
  const note = { attemptNo: 1, httpStatus: null, error: 'given up: the receiver did not answer for 31 h', response: null };
  for (const { callbackId } of old) assert.deepEqual(await attemptsOf(callbackId), [note]);
  assert.deepEqual(await attemptsOf(behindProbe!.callbackId), []);
  assert.equal(await worker.metric('callback_attempts_total{outcome="given_up"}'), 38);
});

test('the gauges tell how long the oldest has waited, and the first that could be sent', async () => {
  const read = () => database.read((sql) => Promise.all([oldestUndeliveredSeconds(sql), longestDueSeconds(sql)]));
  assert.deepEqual(await read(), [0, 0]);
  await queue({ urls: ['http://127.0.0.1:1/a', 'http://127.0.0.1:1/b'], count: 2 });
  await database.read(
    (sql) => sql`
    update callback_delivery set queued_at = now() - interval '90 seconds', due_at = now() - interval '60 seconds'`,
  );
  assert.equal((await read())[1], 0, 'of nobody it is known that they answer');
  await database.read((sql) => sql`update callback_receiver set last_success_at = now()`);
  const [queued, due] = await read();
  assert.deepEqual([Math.floor(queued), Math.floor(due)], [90, 60]);
  await database.read((sql) => sql`update callback_receiver set open_until = now() + interval '1 minute'`);
  assert.equal((await read())[1], 0);
  assert.equal(await queueLength(), 2);
});
