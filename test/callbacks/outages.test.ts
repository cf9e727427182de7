import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '../../server/platform/postgres/database.ts';
import { startListening } from '../../server/platform/postgres/listen.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { type TestWorker, until } from '../support/worker.ts';
import { startCallbackStore } from './callback-store.ts';
import { quick } from './delivery.ts';
import { startHangingReceiver, startReceiver } from './receiver.ts';

const proxy = await startDatabaseProxy();
// Before workers are closed, because they would wait for the database.
afterEach(() => proxy.heal());
const { serviceConnection, database, startWorker, queue, untilQueueIsEmpty, statuses, attemptsOf } =
  await startCallbackStore();
/** The worker's connections, which the test can cut; those of the test stay. */
const proxied: Database = openDatabase(proxy.through(serviceConnection), { max: 2, deadlineSeconds: 5 });
after(() => proxied.close());
let worker: TestWorker;

const surprises: unknown[] = [];
process.on('unhandledRejection', (reason) => void surprises.push(reason));
afterEach(() => assert.deepEqual(surprises, []));

async function terminateBackends(): Promise<void> {
  await database.read(
    (sql) => sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and (query ilike '%callback%' or query ilike '%listen%' or query = 'commit')`,
  );
}

const warnings = () =>
  worker.logLines.filter((line) => line.level === 'warn' || line.level === 'error').map((line) => line.msg);

test('connections that are cut during the delivery: every callback arrives, and every response is recorded once', async () => {
  const receiver = await startReceiver(async () => {
    await sleep(2);
    return { status: 200 };
  });
  worker = startWorker({ settings: { ...quick, leaseSeconds: 2 } }, proxied);
  await queue({ urls: [receiver.url, `${receiver.url}/2`, `${receiver.url}/3`], count: 300, perDocument: 2 });
  for (let round = 1; round <= 8; round++) {
    await sleep(40);
    if (round % 2) await terminateBackends();
    else proxy.cut();
  }
  await untilQueueIsEmpty();

  assert.deepEqual(await statuses(), { delivered: 300 });
  const [{ count }] = await database.read(
    (sql) => sql<[{ count: number }]>`select count(*)::integer from callback_attempt where http_status = 200`,
  );
  assert.equal(count, 300);
  assert.ok(receiver.received.length >= 300);
  for (const inOrder of Map.groupBy(
    receiver.received.map(({ body }) => JSON.parse(body)),
    (one) => one.document,
  ).values()) {
    const firstSeconds = inOrder.findIndex((one) => one.sequence === 2);
    assert.equal(
      inOrder.slice(firstSeconds).every((one) => one.sequence === 2),
      true,
    );
  }
});

test('while the database is unavailable results are kept, then recorded, and one warning is logged', async () => {
  const receiver = await startHangingReceiver();
  const callbacks = await queue({ urls: [receiver.url], count: 2 });
  worker = startWorker({}, proxied);
  await until('they are in flight', () => receiver.received.length === 2);
  await proxy.refuse();
  receiver.letGo();
  await until('it is noticed', () => warnings().length > 0);
  await sleep(300);
  assert.deepEqual(warnings(), ['the database is out of reach; callbacks wait']);
  assert.deepEqual(await statuses(), { pending: 2 });
  await proxy.heal();
  await untilQueueIsEmpty();

  assert.equal(receiver.received.length, 2);
  for (const { callbackId } of callbacks) {
    assert.deepEqual(await attemptsOf(callbackId), [{ attemptNo: 1, httpStatus: 200, error: null, response: 'ok' }]);
  }
  await until('it is said that it is back', () =>
    worker.logLines.some((line) => line.msg === 'the database is back; callbacks are delivered again'),
  );
});

test('results that cannot be recorded before the lease ends are dropped, and the callback is sent again', async () => {
  const receiver = await startHangingReceiver();
  const [callback] = await queue({ urls: [receiver.url], count: 1 });
  worker = startWorker({ settings: { ...quick, leaseSeconds: 1 } }, proxied);
  await until('it is in flight', () => receiver.received.length === 1);
  await proxy.refuse();
  receiver.letGo();
  await until('it is dropped', async () => (await worker.metric('callback_attempts_lost_total')) === 1);
  await proxy.heal();
  await untilQueueIsEmpty();
  assert.equal(receiver.received.length, 2);
  assert.equal((await attemptsOf(callback!.callbackId)).length, 1);
});

test('a database that stops responding and recovers delays callbacks and loses none', async () => {
  const receiver = await startReceiver();
  worker = startWorker({ settings: { ...quick, leaseSeconds: 2, turnSeconds: 1 } }, proxied);
  await queue({ urls: [receiver.url], count: 1 });
  await untilQueueIsEmpty();
  proxy.freeze();
  await queue({ urls: [receiver.url], count: 20 });
  await until('it is noticed', () => warnings().includes('the database is out of reach; callbacks wait'));
  await proxy.heal();
  await untilQueueIsEmpty();
  assert.deepEqual(await statuses(), { delivered: 21 });
});

test('after a lost connection notifications are received again, without a scan', async () => {
  const receiver = await startReceiver();
  worker = startWorker({ settings: { ...quick, lookEverySeconds: 600 } }, proxied);
  for (let round = 1; round <= 2; round++) {
    await queue({ urls: [receiver.url], count: 1 });
    await untilQueueIsEmpty();
    await terminateBackends();
    await queue({ urls: [receiver.url], count: 1 });
    await untilQueueIsEmpty();
    assert.equal(receiver.received.length, round * 2);
  }
});

test('closing waits for an unavailable database no longer than the lease', async () => {
  const receiver = await startHangingReceiver();
  await queue({ urls: [receiver.url], count: 1 });
  worker = startWorker({ settings: { ...quick, leaseSeconds: 1 } }, proxied);
  await until('it is in flight', () => receiver.received.length === 1);
  await proxy.refuse();
  const closing = worker.close();
  receiver.letGo();
  await closing;
  assert.equal(await worker.metric('callback_attempts_lost_total'), 1);
});

test('a listener receives notifications, reconnects, reports each time that it listens, and closes at once', async () => {
  const heard: string[] = [];
  let listening = 0;
  const listener = startListening(proxied, 'lading_test', {
    onListening: () => listening++,
    onNotified: (payload) => heard.push(payload),
  });
  const notify = (payload: string) =>
    database.read((sql) => sql`select pg_notify('lading_test', ${payload}), pg_notify('another', 'x')`);
  await until('it listens', () => listening === 1);
  await notify('one');
  await until('one is heard', () => heard.length === 1);
  proxy.cut();
  await until('it listens again', () => listening === 2);
  await notify('two');
  await until('two is heard', () => heard.length === 2);
  await proxy.refuse();
  await sleep(300);
  await proxy.heal();
  await until('it listens again', () => listening === 3);
  await notify('');
  await until('an empty one is heard', () => heard.length === 3);
  assert.deepEqual(heard, ['one', 'two', '']);

  await proxy.refuse();
  await sleep(200);
  await listener.close();
  await proxy.heal();
  assert.equal(listening, 3);
});
