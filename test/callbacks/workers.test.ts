import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../server/platform/database.ts';
import { type TestWorker, until } from '../support/worker.ts';
import { startCallbackStore } from './callback-store.ts';
import { quick } from './delivery.ts';
import { startHangingReceiver, startReceiver } from './receiver.ts';

const { connection, database, workers, queueLength, startWorker, queue, untilQueueIsEmpty, statuses, attemptsOf } =
  await startCallbackStore();

function startWorkers(count: number, options?: Parameters<typeof startWorker>[0]): TestWorker[] {
  return Array.from({ length: count }, () => startWorker(options));
}

/** So long that nothing ends only because the machine stood still. */
const patient = { ...quick, leaseSeconds: 120, attemptSeconds: 60 };
/** Whoever stands still for less than three seconds keeps it. */
const soonRenewed = { ...quick, leaseSeconds: 5, attemptSeconds: 60 };

async function leaseIsRenewedTwice(): Promise<void> {
  const readEnd = async () => (await database.read((sql) => sql`select max(due_at)::text as ends_at from callback_delivery`))[0]!.ends_at;
  for (let times = 1; times <= 2; times++) {
    const before = await readEnd();
    await until(`the lease is renewed, ${times}`, async () => (await readEnd()) !== before);
  }
}

const distinctEvents = (received: { eventId: string }[]) => new Set(received.map((one) => one.eventId)).size;

test('three workers send a healthy receiver 16 at a time and no more, and each callback once', async () => {
  const receiver = await startReceiver(async () => {
    await sleep(10);
    return { status: 200 };
  });
  await queue({ urls: [receiver.url], count: 1 });
  startWorkers(3, { settings: patient });
  await untilQueueIsEmpty();
  await queue({ urls: [receiver.url], count: 400 });
  await untilQueueIsEmpty();

  assert.ok(receiver.peak() <= 16, `${receiver.peak()} at a time`);
  assert.deepEqual([receiver.received.length, distinctEvents(receiver.received)], [401, 401]);
  assert.deepEqual(await statuses(), { delivered: 401 });
});

test('three workers send a receiver that has never taken one 2 at a time', async () => {
  const receiver = await startReceiver(async () => {
    await sleep(5);
    return { status: 404 };
  });
  await queue({ urls: [receiver.url], count: 30 });
  startWorkers(3, { settings: { ...patient, retryDelaysSeconds: [0] } });
  await untilQueueIsEmpty();
  assert.ok(receiver.peak() <= 2, `${receiver.peak()} at a time`);
  assert.deepEqual([receiver.received.length, distinctEvents(receiver.received)], [60, 30]);
});

test('three workers share forty receivers: everything arrives once', async () => {
  const receiver = await startReceiver();
  const urls = Array.from({ length: 40 }, (_, index) => `${receiver.url}/${index}`);
  startWorkers(3, { settings: patient });
  for (let round = 1; round <= 5; round++) await queue({ urls, count: 200 });
  await untilQueueIsEmpty();
  assert.deepEqual([receiver.received.length, distinctEvents(receiver.received)], [1000, 1000]);
  assert.deepEqual(await statuses(), { delivered: 1000 });
  assert.equal((await Promise.all(workers.map((worker) => worker.metric('callback_attempts_lost_total')))).join(), '0,0,0');
});

test('what a killed worker had in hand is sent by another one when its lease has ended, not before', async () => {
  const receiver = await startReceiver();
  await queue({ urls: [receiver.url], count: 3, notify: false });
  await database.read((sql) => sql`update callback_delivery set lease = gen_random_uuid(), due_at = now() + interval '2 seconds'`);
  await database.read((sql) => sql`update callback_receiver set last_success_at = now()`);
  startWorkers(1);
  await queue({ urls: [receiver.url], count: 1 });
  await until('the fourth is done', async () => (await queueLength()) === 3);
  assert.equal(receiver.received.length, 1);
  await untilQueueIsEmpty();
  assert.deepEqual([receiver.received.length, distinctEvents(receiver.received)], [4, 4]);
});

test('a worker that is still at it renews its lease: what takes longer is sent once', async () => {
  const receiver = await startReceiver(async () => {
    await leaseIsRenewedTwice();
    return { status: 200 };
  });
  await queue({ urls: [receiver.url], count: 2 });
  startWorkers(2, { settings: soonRenewed });
  await untilQueueIsEmpty();

  assert.deepEqual([receiver.received.length, distinctEvents(receiver.received)], [2, 2]);
  assert.deepEqual(await statuses(), { delivered: 2 });
});

test('a worker that is being closed renews its lease as well', async () => {
  const receiver = await startReceiver(async () => {
    await leaseIsRenewedTwice();
    return { status: 200 };
  });
  await queue({ urls: [receiver.url], count: 1 });
  const [closed] = startWorkers(1, { settings: soonRenewed });
  await until('it is at the receiver', () => receiver.received.length === 1);
  startWorkers(1, { settings: soonRenewed });
  await closed!.close();

  assert.equal(receiver.received.length, 1);
  assert.deepEqual(await statuses(), { delivered: 1 });
});

test('a receiver that somebody holds locked holds up no other; what was finished for it is recorded afterwards', async () => {
  const [held, other] = [await startReceiver(), await startReceiver()];
  const holding = openDatabase(connection, { max: 1, deadlineSeconds: null });
  const release = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  startWorkers(1);
  await queue({ urls: [held.url, other.url], count: 2 });
  await untilQueueIsEmpty();
  const locking = holding.transaction(async (tx) => {
    await tx`select from callback_receiver where address like ${`${held.url}%`} for update`;
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  try {
    await queue({ urls: [other.url], count: 50 });
    await queue({ urls: [held.url], count: 5 });
    await until('the others have arrived', () => other.received.length === 51);
    assert.equal(held.received.length, 1);
  } finally {
    release.resolve();
    await locking;
    await holding.close();
  }
  await untilQueueIsEmpty();

  assert.deepEqual([held.received.length, other.received.length], [6, 51]);
});

test('a worker that finishes after somebody else has taken over changes nothing', async () => {
  const receiver = await startReceiver();
  const held = Promise.withResolvers<void>();
  const posting = Promise.withResolvers<void>();
  const slowHttp = {
    async post() {
      posting.resolve();
      await held.promise;
      return { kind: 'answered', status: 500, retryAfter: '3000', response: 'late', address: '127.0.0.1', durationMs: 1 } as const;
    },
    close: async () => {},
  };
  const [callback] = await queue({ urls: [receiver.url], count: 1 });
  const [slow] = startWorkers(1, { http: slowHttp, settings: { ...quick, leaseSeconds: 600 } });
  await posting.promise;
  await database.read((sql) => sql`update callback_delivery set lease = gen_random_uuid(), due_at = now() + interval '1 minute'`);
  held.resolve();
  await until('the late one is counted', async () => (await slow!.metric('callback_attempts_lost_total')) === 1);
  await slow!.close();

  assert.deepEqual(await attemptsOf(callback!.callbackId), []);
  const [health] = await database.read((sql) => sql`select failures, open_until from callback_receiver`);
  assert.deepEqual({ ...health }, { failures: 0, open_until: null });
  await database.read((sql) => sql`update callback_delivery set due_at = now()`);
  startWorkers(1);
  await untilQueueIsEmpty();
  assert.deepEqual(await attemptsOf(callback!.callbackId), [{ attemptNo: 1, httpStatus: 200, error: null, response: 'ok' }]);
  assert.deepEqual(await statuses(), { delivered: 1 });
});

test('a worker that was held up does not begin with what it may have lost', async () => {
  const receiver = await startReceiver();
  const [callback] = await queue({ urls: [receiver.url], count: 1 });
  let asked = 0;
  startWorkers(1, {
    settings: { ...quick, leaseSeconds: 2 },
    async secretsOf() {
      // As a process that is stopped for a while: not even its timers run.
      if (++asked === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1600);
      return ['whsec_c2VjcmV0'];
    },
  });
  await untilQueueIsEmpty();
  assert.equal(asked, 2);
  assert.equal(receiver.received.length, 1);
  assert.equal((await attemptsOf(callback!.callbackId)).length, 1);
});

test('closing waits for what is in flight, records it, and takes nothing more in hand', async () => {
  const receiver = await startHangingReceiver();
  await queue({ urls: [receiver.url], count: 5 });
  const [worker] = startWorkers(1);
  await until('two are in flight', () => receiver.received.length === 2);
  let closed = false;
  const closing = worker!.close().then(() => {
    closed = true;
  });
  await sleep(100);
  assert.equal(closed, false);
  receiver.letGo();
  await closing;

  assert.equal(receiver.received.length, 2);
  assert.deepEqual(await statuses(), { delivered: 2, pending: 3 });
  const [{ count }] = await database.read(
    (sql) => sql<[{ count: number }]>`select count(*)::integer from callback_delivery where lease is not null`,
  );
  assert.equal(count, 0);
});

test('closing a worker that has nothing to do ends at once', async () => {
  const [worker] = startWorkers(1, { settings: { ...quick, lookEverySeconds: 600 } });
  await worker!.close();
});
