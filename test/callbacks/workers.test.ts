import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CallbackKey, type NotifiedDocument, owedCallback } from '../../server/domain/callbacks/callback.ts';
import { longestDueSeconds, oldestUndeliveredSeconds } from '../../server/domain/callbacks/lane-queries.ts';
import { callbackChannel, oweCallbacks } from '../../server/domain/callbacks/owed-callback-queries.ts';
import { redeliverCallbacks, redeliverInBatches } from '../../server/domain/callbacks/redeliver-callbacks.ts';
import { holdTransaction, lockIsAwaited, openOwnerDatabase } from '../support/database.ts';
import { type TestWorker, until } from '../support/worker.ts';
import { assertInOrder, assertNoDeadlocks, startCallbackStore, storedAccounts } from './callback-store.ts';
import { quick } from './delivery.ts';
import { type Receiver, startHangingReceiver, startReceiver } from './receiver.ts';

const { connection, database, service, startWorker, queue, ...store } = await startCallbackStore();

function startWorkers(count: number, options?: Parameters<typeof startWorker>[0]): TestWorker[] {
  return Array.from({ length: count }, () => startWorker(options));
}

/** Long enough that no lease ends because the machine is busy. */
const patient = { ...quick, leaseSeconds: 120, attemptSeconds: 60 };
/** A worker that is suspended for less than three seconds keeps its lease. */
const soonRenewed = { ...quick, leaseSeconds: 5, attemptSeconds: 60 };

async function leaseIsRenewedTwice(): Promise<void> {
  const readEnd = async () =>
    (await database.read((sql) => sql`select max(due_at)::text as ends_at from callback_delivery`))[0]!.ends_at;
  for (let times = 1; times <= 2; times++) {
    const before = await readEnd();
    await until(`the lease is renewed, ${times}`, async () => (await readEnd()) !== before);
  }
}

const distinctEvents = (received: { eventId: string }[]) => new Set(received.map((one) => one.eventId)).size;

test('three workers send a healthy receiver at most 16 at a time, and each callback once', async () => {
  const receiver = await startReceiver(async () => {
    await sleep(10);
    return { status: 200 };
  });
  await queue({ urls: [receiver.url], count: 1 });
  startWorkers(3, { settings: patient });
  await store.untilQueueIsEmpty();
  await queue({ urls: [receiver.url], count: 600 });
  await store.untilQueueIsEmpty();

  assert.ok(receiver.peak() <= 16, `${receiver.peak()} at a time`);
  assert.deepEqual([receiver.received.length, distinctEvents(receiver.received)], [601, 601]);
  assert.deepEqual(await store.statuses(), { delivered: 601 });
});

test('three workers send a new receiver at most 2 at a time', async () => {
  const receiver = await startReceiver(async () => {
    await sleep(5);
    return { status: 404 };
  });
  await queue({ urls: [receiver.url], count: 30 });
  startWorkers(3, { settings: { ...patient, retryDelaysSeconds: [0] } });
  await store.untilQueueIsEmpty();
  assert.ok(receiver.peak() <= 2, `${receiver.peak()} at a time`);
  assert.deepEqual([receiver.received.length, distinctEvents(receiver.received)], [60, 30]);
});

test('the callbacks of a killed worker are sent by another one after its lease has ended, not before', async () => {
  const receiver = await startReceiver();
  await queue({ urls: [receiver.url], count: 3, notify: false });
  await database.read(
    (sql) => sql`update callback_delivery set lease = gen_random_uuid(), due_at = now() + interval '2 seconds'`,
  );
  await database.read((sql) => sql`update callback_receiver set last_success_at = now()`);
  startWorkers(1);
  await queue({ urls: [receiver.url], count: 1 });
  await until('the fourth is done', async () => (await store.queueLength()) === 3);
  assert.equal(receiver.received.length, 1);
  await store.untilQueueIsEmpty();
  assert.deepEqual([receiver.received.length, distinctEvents(receiver.received)], [4, 4]);
});

test('a worker renews its lease, also while it closes, so a slow callback is sent once', async () => {
  const [renewed, closing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const receiver = await startReceiver(async () => {
    await leaseIsRenewedTwice();
    renewed.resolve();
    await closing.promise;
    await leaseIsRenewedTwice();
    return { status: 200 };
  });
  await queue({ urls: [receiver.url], count: 1 });
  const [first] = startWorkers(1, { settings: soonRenewed });
  await until('it is at the receiver', () => receiver.received.length === 1);
  startWorkers(1, { settings: soonRenewed });
  await renewed.promise;
  const closed = first!.close();
  closing.resolve();
  await closed;

  assert.equal(receiver.received.length, 1);
  assert.deepEqual(await store.statuses(), { delivered: 1 });
});

test('a receiver whose row is locked delays no other; its callbacks are delivered afterwards', async () => {
  const [held, other] = [await startReceiver(), await startReceiver()];
  const holding = openOwnerDatabase(connection, { max: 1, deadlineSeconds: null });
  startWorkers(1);
  await queue({ urls: [held.url, other.url], count: 2 });
  await store.untilQueueIsEmpty();
  const { release } = await holdTransaction(
    holding,
    (tx) => tx`select from callback_receiver where address like ${`${held.url}%`} for update`,
  );
  await queue({ urls: [other.url], count: 50 });
  await queue({ urls: [held.url], count: 5 });
  await until('the others have arrived', () => other.received.length === 51);
  assert.equal(held.received.length, 1);
  await release();
  await holding.close();
  await store.untilQueueIsEmpty();

  assert.deepEqual([held.received.length, other.received.length], [6, 51]);
});

test('a worker that finishes after another one has taken over changes nothing', async () => {
  const receiver = await startReceiver();
  const held = Promise.withResolvers<void>();
  const posting = Promise.withResolvers<void>();
  const slowHttp = {
    async post() {
      posting.resolve();
      await held.promise;
      return {
        kind: 'answered',
        status: 500,
        retryAfter: '3000',
        response: 'late',
        address: '127.0.0.1',
        durationMs: 1,
      } as const;
    },
    close: async () => {},
  };
  const [callback] = await queue({ urls: [receiver.url], count: 1 });
  const [slow] = startWorkers(1, { http: slowHttp, settings: { ...quick, leaseSeconds: 600 } });
  await posting.promise;
  await database.read(
    (sql) => sql`update callback_delivery set lease = gen_random_uuid(), due_at = now() + interval '1 minute'`,
  );
  held.resolve();
  await until('the late one is counted', async () => (await slow!.metric('callback_attempts_lost_total')) === 1);
  await slow!.close();

  assert.deepEqual(await store.attemptsOf(callback!.callbackId), []);
  const [health] = await database.read((sql) => sql`select failures, open_until from callback_receiver`);
  assert.deepEqual({ ...health }, { failures: 0, open_until: null });
  await database.read((sql) => sql`update callback_delivery set due_at = now()`);
  startWorkers(1);
  await store.untilQueueIsEmpty();
  assert.deepEqual(await store.attemptsOf(callback!.callbackId), [
    { attemptNo: 1, httpStatus: 200, error: null, response: 'ok' },
  ]);
  assert.deepEqual(await store.statuses(), { delivered: 1 });
});

test('a worker that was suspended does not send what it may have lost', async () => {
  const receiver = await startReceiver();
  const [callback] = await queue({ urls: [receiver.url], count: 1 });
  let asked = 0;
  startWorkers(1, {
    settings: { ...quick, leaseSeconds: 2 },
    async secretsOf() {
      // Like a stopped process: even timers do not run.
      if (++asked === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1600);
      return ['whsec_c2VjcmV0'];
    },
  });
  await store.untilQueueIsEmpty();
  assert.equal(asked, 2);
  assert.equal(receiver.received.length, 1);
  assert.equal((await store.attemptsOf(callback!.callbackId)).length, 1);
});

test('closing waits for the attempts in flight, records them, and starts no more', async () => {
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
  assert.deepEqual(await store.statuses(), { delivered: 2, pending: 3 });
  const [{ count }] = await database.read(
    (sql) => sql<[{ count: number }]>`select count(*)::integer from callback_delivery where lease is not null`,
  );
  assert.equal(count, 0);
});

const leased = async () =>
  (
    await database.read(
      (sql) => sql<[{ count: number }]>`select count(*)::integer from callback_delivery where lease is not null`,
    )
  )[0].count;

/** A receiver that stops answering while a worker has more callbacks in hand than it may send at once. */
async function stopWithSomeClaimedAhead(count: number) {
  let hold = Promise.withResolvers<number>();
  let isHeld = false;
  const receiver = await startReceiver(async () => ({ status: isHeld ? await hold.promise : 200 }));
  const [worker] = startWorkers(1, { settings: patient });
  await queue({ urls: [receiver.url], count: 1 });
  await store.untilQueueIsEmpty();
  await queue({ urls: [receiver.url], count: count - 1 });
  await until('callbacks are claimed ahead, and none of them is sent', async () => {
    isHeld = true;
    await until('16 are held', () => receiver.present() === 16);
    await until('all that arrived before are recorded', async () => {
      const [row] = await database.read(
        (sql) => sql`select count(*)::integer from callback where status = 'delivered'`,
      );
      return row!.count === receiver.received.length - 16;
    });
    if ((await leased()) > 16) return true;
    isHeld = false;
    hold.resolve(200);
    hold = Promise.withResolvers();
    return false;
  });
  return { receiver, worker: worker!, answer: (status: number) => hold.resolve(status) };
}

test('a worker that closes gives back what it has claimed ahead and not sent; another one sends it, once', async () => {
  const { receiver, worker, answer } = await stopWithSomeClaimedAhead(1000);
  const sent = receiver.received.length;
  const closed = worker.close();
  receiver.behave(() => ({ status: 200 }));
  answer(200);
  await closed;
  assert.deepEqual([receiver.received.length, await leased()], [sent, 0]);

  startWorkers(1);
  await store.untilQueueIsEmpty();
  assert.deepEqual([receiver.received.length, distinctEvents(receiver.received)], [1000, 1000]);
  assert.ok(receiver.peak() <= 16, `${receiver.peak()} at a time`);
});

test('when a receiver begins to fail, callbacks that were claimed ahead are given back without an attempt', async () => {
  const { receiver, answer } = await stopWithSomeClaimedAhead(1000);
  const held = receiver.received.slice(-16).map(({ eventId }) => eventId);
  receiver.behave(() => ({ status: 200 }));
  answer(503);
  await store.untilQueueIsEmpty();
  assert.equal(distinctEvents(receiver.received), 1000);
  const twice = receiver.received.filter(({ time }) => time === 2).map(({ eventId }) => eventId);
  assert.deepEqual(twice.toSorted(), held.toSorted());
});

const documents = 15;
const perDocument = 5;

function documentOf(documentId: number): NotifiedDocument {
  const numbers = {
    partnerNumber: `P${documentId}`,
    name: null,
    internalNo: `I${documentId}`,
    ourNo: `O${documentId}`,
  };
  return {
    accountId: 1,
    type: 'order',
    documentId,
    ...numbers,
    status: 'shipped',
    shipmentNo: null,
    carrier: null,
    items: [],
    note: null,
  };
}

test('callbacks that are added while others of their document are being finished all arrive, in order', async () => {
  const receiver = await startReceiver(() => ({ status: Math.random() < 0.2 ? 404 : 200 }));
  const settings = { ...quick, retryDelaysSeconds: Array(50).fill(0.002), lookEverySeconds: 0.02 };
  startWorkers(3, { settings });
  const format = (event: { sequence: number; document: NotifiedDocument }) =>
    JSON.stringify({ document: event.document.documentId, sequence: event.sequence });

  async function addAll(documentId: number): Promise<void> {
    for (let sequence = 1; sequence <= perDocument; sequence++) {
      const target = { keyName: 'main', url: `${receiver.url}/${documentId % 3}` };
      const owed = owedCallback(documentOf(documentId), target, { sequence, now: new Date(), format });
      await database.transaction((tx) => Promise.all(oweCallbacks(tx, [owed])));
    }
  }
  await Promise.all(Array.from({ length: documents }, (_, index) => addAll(index + 1)));
  await store.untilQueueIsEmpty();

  assert.deepEqual(await store.statuses(), { delivered: documents * perDocument });
  assertInOrder(receiver);

  const ids = await database.read((sql) => sql<{ id: number }[]>`select callback_id as id from callback`);
  await database.transaction((tx) =>
    redeliverCallbacks(
      tx,
      1,
      ids.map((row) => row.id),
    ),
  );
  await store.untilQueueIsEmpty();
  assert.deepEqual(await store.statuses(), { delivered: documents * perDocument });
  await assertNoDeadlocks(database);
});

test('a callback that is added while a worker waits for the row of the previous one is delivered', async () => {
  const held = Promise.withResolvers<void>();
  const receiver = await startReceiver(async () => {
    await held.promise;
    return { status: 200 };
  });
  const format = () => '{}';
  const target = { keyName: 'main', url: receiver.url };
  const owe = (sequence: number) => owedCallback(documentOf(1000), target, { sequence, now: new Date(), format });
  startWorker({ settings: { ...quick, lookEverySeconds: 0.02 } });
  await database.transaction((tx) => Promise.all(oweCallbacks(tx, [owe(1)])));
  await until('the first is at its receiver', () => receiver.received.length === 1);

  await database.transaction(async (tx) => {
    await Promise.all(oweCallbacks(tx, [owe(2)]));
    held.resolve();
    // The worker waits for the row of the first, which this transaction has locked.
    await lockIsAwaited(database);
  });
  await store.untilQueueIsEmpty();

  assert.equal(receiver.received.length, 2);
});

async function health() {
  const [row] = await database.read(
    (sql) =>
      sql<
        [{ failures: number; open: boolean }]
      >`select failures, coalesce(open_until > now(), false) as open from callback_receiver`,
  );
  return { ...row };
}

async function triesUsedUp(): Promise<number> {
  const [row] = await database.read(
    (sql) => sql<[{ sum: number }]>`select coalesce(sum(attempts), 0)::integer as sum from callback_delivery`,
  );
  return row.sum;
}

/** Ends the hold of the receiver. */
async function endWait(): Promise<void> {
  await database.read((sql) => sql`update callback_receiver set open_until = now()`);
}

test('a receiver that fails five times in a row is put on hold, probed with one callback, and healthy after one success', async () => {
  const receiver = await startReceiver(() => ({ status: 500 }));
  await queue({ urls: [receiver.url], count: 40 });
  const settings = { ...quick, openSeconds: 600, openMaxSeconds: 600, retryDelaysSeconds: [600] };
  const workers = startWorkers(2, { settings });
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
  await until(
    'everything that was not tried has arrived',
    () => receiver.received.length === tries + 1 + 40 - (tries + 1),
  );
  assert.deepEqual(await health(), { failures: 0, open: false });
  const changes = await Promise.all(
    workers.map((one) => one.metric('callback_receiver_circuits_total{change="opened"}')),
  );
  assert.equal(
    changes.reduce((a, b) => a + b),
    1,
  );
});

for (const known of [false, true]) {
  test(`nine receivers that hang do not delay the tenth (${known ? 'they were healthy before' : 'they are new'})`, async () => {
    const hanging: (Receiver & { letGo(): void })[] = [];
    for (let index = 1; index <= 9; index++) hanging.push(await startHangingReceiver());
    const tenth = await startReceiver();
    const urls = hanging.map(({ url }) => url);
    await queue({ urls, count: 180, notify: false });
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
    assert.ok((await store.statuses()).pending! >= 180);
    for (const receiver of hanging) receiver.letGo();
    await store.untilQueueIsEmpty();
  });
}

test('a receiver with many callbacks does not delay receivers with few', async () => {
  const [busy, quiet] = [await startReceiver(), await startReceiver()];
  await queue({ urls: [busy.url], count: 500 });
  startWorker({ settings: { ...quick, slots: 4, suspectSlots: 2 } });
  await until('the busy one is being served', () => busy.received.length > 20);
  await queue({ urls: [1, 2, 3, 4, 5].map((index) => `${quiet.url}/${index}`), count: 20 });
  await until('the quiet ones have everything', () => quiet.received.length === 20);
  assert.ok(busy.received.length < 500, `${busy.received.length} were sent before`);
});

test('a host that hangs with one address per document does not delay new receivers at other hosts', async () => {
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

test('with more than a thousand receivers and ten slots one scan serves every receiver', async () => {
  const receiver = await startReceiver();
  const urls = Array.from({ length: 1100 }, (_, index) => `${receiver.url}/${index}`);
  await queue({ urls, count: 1100, notify: false });
  startWorker({ settings: { ...quick, slots: 10, suspectSlots: 5, suspectSlotsPerHost: 5, lookEverySeconds: 600 } });
  await store.untilQueueIsEmpty();
  assert.equal(new Set(receiver.received.map(({ path }) => path)).size, 1100);
  assert.ok(receiver.peak() <= 10, `${receiver.peak()} at a time`);
});

const accountIds = Array.from({ length: storedAccounts }, (_, index) => index + 1);

test('one scan finds the callbacks of all accounts; a notification of an account finds those of the account', async () => {
  const receiver = await startReceiver();
  const urlOf = (accountId: number) => `${receiver.url}/${accountId}`;
  for (const accountId of accountIds) await queue({ urls: [urlOf(accountId)], count: 1, accountId, notify: false });
  startWorker({ settings: { ...quick, lookEverySeconds: 600 } });
  await store.untilQueueIsEmpty();
  const paths = accountIds.map((accountId) => new URL(urlOf(accountId)).pathname).toSorted();
  assert.deepEqual(receiver.received.map(({ path }) => path).toSorted(), paths);

  await queue({ urls: [urlOf(5)], count: 1, accountId: 5, notify: false });
  await queue({ urls: [urlOf(6)], count: 1, accountId: 6, notify: false });
  await database.read((sql) => sql`select pg_notify(${callbackChannel}, '6')`);
  await until('it has arrived', async () => (await store.queueLength()) === 1);
  assert.equal(receiver.received.at(-1)!.path, new URL(urlOf(6)).pathname);
  await sleep(200);
  assert.equal(await store.queueLength(), 1, 'nobody was told of the other account');
});

test('an address that two accounts share is two receivers: one of them does not wait for the other', async () => {
  const receiver = await startReceiver();
  for (const accountId of [1, 2]) await queue({ urls: [receiver.url], count: 3, accountId, notify: false });
  await database.read((sql) => sql`update callback_receiver set paused = true where account_id = 1`);
  startWorker();
  await until('one account has everything', () => receiver.received.length === 3);
  await sleep(250);
  const left = await database.read((sql) => sql`select distinct account_id from callback_delivery`);
  assert.deepEqual([receiver.received.length, left.map((row) => row.account_id)], [3, [1]]);
});

test('account by account: no transaction has callbacks of two accounts, and every callback arrives once', async () => {
  const receiver = await startReceiver();
  const some = accountIds.slice(0, 12);
  for (const accountId of some)
    await queue({ urls: [`${receiver.url}/${accountId}`], count: 5, accountId, notify: false });
  startWorkers(2, { settings: patient, isAccountByAccount: true });
  await store.untilQueueIsEmpty();

  assert.deepEqual(await store.statuses(), { delivered: 60 });
  assert.equal(distinctEvents(receiver.received), 60);
  const transactions = await database.read(
    (sql) => sql<{ accounts: number }[]>`
      select count(distinct account_id)::integer as accounts from callback_attempt group by xmin::text`,
  );
  assert.ok(transactions.length >= some.length);
  assert.deepEqual([...new Set(transactions.map(({ accounts }) => accounts))], [1]);
});

test('account by account: an attempt that cannot be recorded does not stop other accounts or its neighbours', async () => {
  const http = {
    async post({ url }: { url: string }) {
      const status = url.endsWith('/unrecordable') ? 99_999 : 200;
      return { kind: 'answered' as const, status, response: '', address: '127.0.0.1', durationMs: 1, retryAfter: null };
    },
    async close() {},
  };
  await queue({
    urls: ['http://127.0.0.1:1/unrecordable', 'http://127.0.0.1:1/'],
    count: 2,
    accountId: 1,
    notify: false,
  });
  await queue({ urls: ['http://127.0.0.1:1/'], count: 2, accountId: 2, notify: false });
  startWorker({ http, settings: { ...quick, leaseSeconds: 600 }, isAccountByAccount: true });
  await until('all others are recorded', async () => (await store.statuses()).delivered === 3);
  assert.deepEqual(await store.statuses(), { delivered: 3, pending: 1 });
});

test('three workers, redeliveries and new callbacks of many accounts meet without a deadlock', async () => {
  const receiver = await startReceiver(() => ({ status: Math.random() < 0.2 ? 404 : 200 }));
  const some = accountIds.slice(0, 8);
  const format = (event: { sequence: number; document: NotifiedDocument }) =>
    JSON.stringify({ document: event.document.documentId, sequence: event.sequence });
  const owe = (accountId: number, sequence: number) => {
    const document = { ...documentOf(2000 + accountId), accountId };
    return owedCallback(document, { keyName: 'main', url: receiver.url }, { sequence, now: new Date(), format });
  };
  const settings = { ...quick, retryDelaysSeconds: Array(50).fill(0.002), lookEverySeconds: 0.02, leaseSeconds: 600 };
  startWorkers(3, { settings });
  const add = async () => {
    for (let sequence = 1; sequence <= 10; sequence++) {
      const owed = some.map((accountId) => owe(accountId, sequence)).toSorted(() => Math.random() - 0.5);
      await database.transaction((tx) => Promise.all(oweCallbacks(tx, owed)));
    }
  };
  const redeliver = async () => {
    for (let round = 1; round <= 10; round++) {
      const keys = await database.read(
        (sql) => sql<CallbackKey[]>`select account_id as "accountId", callback_id as "callbackId" from callback`,
      );
      await redeliverInBatches(service, keys);
    }
  };
  await Promise.all([add(), redeliver(), redeliver()]);
  await store.untilQueueIsEmpty();

  assert.deepEqual(await store.statuses(), { delivered: 80 });
  await assertNoDeadlocks(database);
});

test('a paused receiver gets no callbacks until it is resumed', async () => {
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
  await store.untilQueueIsEmpty();
  assert.equal(paused.received.length, 4);
});

test('after a failed probe overdue callbacks are given up, then the callbacks behind them', async () => {
  const receiver = await startReceiver(() => ({ status: 500 }));
  const [probe, behindProbe, ...old] = await queue({ urls: [receiver.url], count: 40, perDocument: 2, notify: false });
  await database.read((sql) => sql`update callback_delivery set give_up_at = now()`);
  await database.read((sql) => sql`update callback_receiver set failures = 5, open_until = now()`);
  const [young] = await queue({ urls: [receiver.url], count: 3, notify: false });
  const worker = startWorker({
    settings: { ...quick, openSeconds: 600, openMaxSeconds: 600, retryDelaysSeconds: [600] },
  });
  await until('the first of their documents are given up', async () => (await store.statuses()).failed === 19);
  assert.equal(receiver.received.length, 1);
  await endWait();
  await until('the others are given up', async () => (await store.statuses()).failed === 38);

  assert.deepEqual(
    receiver.received.map(({ eventId }) => eventId),
    [probe!.eventId, young!.eventId],
  );
  assert.deepEqual(await store.statuses(), { failed: 38, pending: 5 });
  const note = {
    attemptNo: 1,
    httpStatus: null,
    error: 'given up: the receiver did not answer for 31 h',
    response: null,
  };
  for (const { callbackId } of old) assert.deepEqual(await store.attemptsOf(callbackId), [note]);
  assert.deepEqual(await store.attemptsOf(behindProbe!.callbackId), []);
  assert.equal(await worker.metric('callback_attempts_total{outcome="given_up"}'), 38);
});

test('the gauges show the age of the oldest callback, and of the oldest one that could be sent', async () => {
  const read = () => database.read((sql) => Promise.all([oldestUndeliveredSeconds(sql), longestDueSeconds(sql)]));
  assert.deepEqual(await read(), [0, 0]);
  await queue({ urls: ['http://127.0.0.1:1/a', 'http://127.0.0.1:1/b'], count: 2 });
  await database.read(
    (sql) => sql`
    update callback_delivery set queued_at = now() - interval '90 seconds', due_at = now() - interval '60 seconds'`,
  );
  assert.equal((await read())[1], 0, 'no receiver has responded yet');
  await database.read((sql) => sql`update callback_receiver set last_success_at = now()`);
  const [queued, due] = await read();
  assert.deepEqual([Math.floor(queued), Math.floor(due)], [90, 60]);
  await database.read((sql) => sql`update callback_receiver set open_until = now() + interval '1 minute'`);
  assert.equal((await read())[1], 0);
  assert.equal(await store.queueLength(), 2);
});
