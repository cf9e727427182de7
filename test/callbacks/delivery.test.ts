import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { redeliverCallbacks } from '../../server/domain/callbacks/redeliver-callbacks.ts';
import type { OutgoingHttp } from '../../server/platform/outgoing/http-client.ts';
import { DatabaseUnavailable } from '../../server/platform/postgres/deadline.ts';
import { type TestWorker, until } from '../support/worker.ts';
import { assertInOrder, assertNoDeadlocks, type StoredAttempt, startCallbackStore } from './callback-store.ts';
import { quick, secret } from './delivery.ts';
import { insertManyCallbacks } from './insert-callbacks.ts';
import { startHangingReceiver, startReceiver } from './receiver.ts';

const { database, empty, closeWorkers, startWorker, queue, queueLength, untilQueueIsEmpty, statuses, attemptsOf } =
  await startCallbackStore();
let delivery: TestWorker;

function deliver(options?: Parameters<typeof startWorker>[0]): TestWorker {
  delivery = startWorker(options);
  return delivery;
}

const answered = (attemptNo: number, httpStatus: number): StoredAttempt => ({
  attemptNo,
  httpStatus,
  error: null,
  response: 'ok',
});

test('after 500 twice and 200 a callback is delivered by its third attempt, with the same bytes and id', async () => {
  const receiver = await startReceiver(({ time }) => ({ status: time < 3 ? 500 : 200 }));
  const [callback] = await queue({ urls: [receiver.url], count: 1 });
  deliver();
  await untilQueueIsEmpty();

  const [stored] = await database.read(
    (sql) => sql<[{ body: string; status: string }]>`select body, status from callback`,
  );
  assert.equal(stored.status, 'delivered');
  assert.deepEqual(
    receiver.received.map((one) => [one.eventId, one.body]),
    Array(3).fill([callback!.eventId, stored.body]),
  );
  assert.deepEqual(await attemptsOf(callback!.callbackId), [answered(1, 500), answered(2, 500), answered(3, 200)]);
  assert.equal(await delivery.metric('callback_attempts_total{outcome="failed"}'), 2);
  assert.equal(await delivery.metric('callback_attempts_total{outcome="delivered"}'), 1);
  assert.equal(await delivery.metric('callback_lag_seconds_count'), 1);
  assert.equal(await delivery.metric('callback_ended_total{status="delivered"}'), 1);
  assert.equal(await delivery.metric('callback_attempts_in_flight'), 0);
});

test('an attempt names its sender and its event, and is signed', async () => {
  const receiver = await startReceiver();
  const [callback] = await queue({ urls: [`${receiver.url}?token=1`], count: 1 });
  deliver();
  await untilQueueIsEmpty();

  const [{ headers, body, path }] = receiver.received as [(typeof receiver.received)[0]];
  assert.equal(path, '/callbacks?token=1');
  assert.deepEqual(
    [headers['content-type'], headers['user-agent'], headers['accept-encoding'], headers['webhook-id']],
    ['application/json', 'Lading', 'identity', callback!.eventId],
  );
  assert.deepEqual(new Webhook(secret).verify(body, headers as Record<string, string>), JSON.parse(body));
  assert.match(body, /"name":"é茶"/);
});

test('an attempt without a server is recorded with its error', async () => {
  const gone = await startReceiver();
  await gone.close();
  const [callback] = await queue({ urls: [gone.url], count: 1 });
  deliver({ settings: { ...quick, retryDelaysSeconds: [] } });
  await untilQueueIsEmpty();
  const [attempt, ...others] = await attemptsOf(callback!.callbackId);
  assert.deepEqual(
    { ...attempt, error: typeof attempt!.error },
    { attemptNo: 1, httpStatus: null, error: 'string', response: null },
  );
  assert.equal(others.length, 0);
  assert.equal(await delivery.metric('callback_attempts_total{outcome="unanswered"}'), 1);
});

test('503 with Retry-After holds back the callback and its receiver, but no other receiver', async () => {
  const receiver = await startReceiver(() => ({ status: 503, headers: { 'retry-after': '600' } }));
  const [first] = await queue({ urls: [receiver.url], count: 1 });
  deliver();
  await until('it is tried', async () => (await attemptsOf(first!.callbackId)).length === 1);
  await queue({ urls: [receiver.url], count: 5 });
  const other = await startReceiver();
  await queue({ urls: [other.url], count: 5 });
  await until('the other receiver has everything', () => other.received.length === 5);

  assert.equal(receiver.received.length, 1);
  const [row] = await database.read(
    (sql) => sql<[{ due: boolean; open: boolean; failures: number }]>`
      select due_at between now() + interval '590 seconds' and now() + interval '600 seconds' as due,
        open_until between now() + interval '590 seconds' and now() + interval '600 seconds' as open, failures
      from callback_delivery join callback_receiver using (account_id, receiver_id) where callback_id = ${first!.callbackId}`,
  );
  assert.deepEqual({ ...row }, { due: true, open: true, failures: 1 });
});

test('the callbacks of a document arrive in order, and those of other documents do not wait for them', async () => {
  const slow = { documentId: 0 };
  const receiver = await startReceiver(({ body, time }) => {
    const { document, sequence } = JSON.parse(body);
    return { status: document === slow.documentId && sequence === 1 && time <= 2 ? 404 : 200 };
  });
  const callbacks = await queue({ urls: [receiver.url], count: 30, perDocument: 3, notify: false });
  slow.documentId = callbacks[0]!.documentId;
  deliver({ settings: { ...quick, retryDelaysSeconds: [0.2, 0.2, 0.2] } });
  await untilQueueIsEmpty();

  assert.deepEqual(await statuses(), { delivered: 30 });
  const arrived = receiver.received.map(({ body }) => JSON.parse(body) as { document: number; sequence: number });
  for (const [document, inOrder] of Map.groupBy(arrived, (one) => one.document)) {
    const expected = document === slow.documentId ? [1, 1, 1, 2, 3] : [1, 2, 3];
    assert.deepEqual(
      inOrder.map((one) => one.sequence),
      expected,
    );
  }
  assert.deepEqual(
    arrived.slice(-2).map((one) => [one.document, one.sequence]),
    [
      [slow.documentId, 2],
      [slow.documentId, 3],
    ],
  );
});

test('without a secret nothing is sent; the attempt fails, but does not count against the receiver, nor at all while the database is unavailable', async () => {
  const receiver = await startReceiver();
  const [callback] = await queue({ urls: [receiver.url], count: 1 });
  let asked = 0;
  deliver({
    async secretsOf() {
      asked++;
      if (asked === 1) throw new DatabaseUnavailable('away');
      if (asked === 3) throw new Error('out of order');
      return asked === 2 ? [] : [secret];
    },
  });
  await untilQueueIsEmpty();
  const unsigned = { httpStatus: null, error: 'no secret to sign with', response: null };
  assert.deepEqual(await attemptsOf(callback!.callbackId), [
    { attemptNo: 1, ...unsigned },
    { attemptNo: 2, ...unsigned },
    answered(3, 200),
  ]);
  const [{ failures }] = await database.read(
    (sql) => sql<[{ failures: number }]>`select failures from callback_receiver`,
  );
  assert.deepEqual([failures, receiver.received.length], [0, 1]);
});

test('a notification starts the delivery without waiting for the next scan', async () => {
  const receiver = await startReceiver();
  deliver({ settings: { ...quick, lookEverySeconds: 600 } });
  await queue({ urls: [receiver.url], count: 1 });
  await untilQueueIsEmpty();
  for (let round = 2; round <= 3; round++) {
    await database.read((sql) => insertManyCallbacks(sql, { urls: [receiver.url], count: 1 }));
    await untilQueueIsEmpty();
    assert.equal(receiver.received.length, round);
  }
});

/** Answers each post without a socket. */
const answering = (status: () => number, response = 'ok'): OutgoingHttp => ({
  post: async () => ({
    kind: 'answered',
    status: status(),
    retryAfter: 'soon',
    response,
    address: '127.0.0.1',
    durationMs: 0.4,
  }),
  close: async () => {},
});

test('any content of a response can be stored', async () => {
  const receiver = await startReceiver();
  const [callback] = await queue({ urls: [receiver.url], count: 1 });
  deliver({
    http: answering(() => 999, 'a\0b"\\{}\ud800'),
    settings: { ...quick, retryDelaysSeconds: [] },
  });
  await untilQueueIsEmpty();
  const [attempt] = await attemptsOf(callback!.callbackId);
  assert.deepEqual(attempt, { attemptNo: 1, httpStatus: 999, error: null, response: 'ab"\\{}\ufffd' });
});

test('an attempt that cannot be recorded does not prevent others from being recorded', async () => {
  let posts = 0;
  await queue({ urls: ['http://127.0.0.1:1/'], count: 2 });
  deliver({
    http: answering(() => (++posts === 1 ? 99_999 : 200)),
    settings: { ...quick, leaseSeconds: 4 },
  });
  await until('the other one is recorded', async () => (await statuses()).delivered === 1);
  assert.deepEqual(await statuses(), { delivered: 1, pending: 1 });
  await untilQueueIsEmpty();
  assert.deepEqual(await statuses(), { delivered: 2 });
  assert.equal(posts, 3);
  assert.equal(await delivery.metric('callback_attempts_lost_total'), 1);
});

test('the log names the event of a failed callback, and nothing of its content', async () => {
  const receiver = await startReceiver(() => ({ status: 410, body: 'hidden-answer' }));
  const [callback] = await queue({ urls: [`${receiver.url}?hidden-query`], count: 1 });
  deliver();
  await untilQueueIsEmpty();
  await delivery.close();
  assert.equal(await delivery.metric('callback_attempts_total{outcome="refused"}'), 1);
  assert.equal(await delivery.metric('callback_ended_total{status="failed"}'), 1);
  const line = delivery.logLines.find((one) => one.msg === 'callback failed for good')!;
  assert.deepEqual([line.level, line.event_id, line.outcome], ['warn', callback!.eventId, 'refused']);
  assert.doesNotMatch(JSON.stringify(delivery.logLines), /hidden|whsec_|é茶|127\.0\.0\.1/);
});

const redeliver = async (...callbackIds: number[]) =>
  (await database.transaction((tx) => redeliverCallbacks(tx, 1, callbackIds))).count;

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

test('delivered, failed and waiting callbacks are sent again at once, and keep their earlier attempts', async () => {
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
  const expected = ids.map((callbackId, index) => ({
    callbackId,
    when: 'now',
    attempts: 0,
    attemptsBefore: tries[index]!,
  }));
  assert.deepEqual(await queued(), expected);
  assert.deepEqual(await statuses(), { pending: 3 });
  const [{ fresh }] = await database.read(
    (sql) => sql<[{ fresh: boolean }]>`
      select bool_and(give_up_at > now() + interval '30 hours' and updated_at > now() - interval '1 minute') as fresh
      from callback_delivery join callback using (account_id, callback_id)`,
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

test('a callback in flight stays as it is and counts; unknown ids do not', async () => {
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

test('several callbacks of one document are sent in order, behind earlier ones that are still queued', async () => {
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

test('a callback that fails while an earlier one is sent again goes behind it', async () => {
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

test('a receiver on hold is tried at once', async () => {
  const receiver = await startReceiver();
  const [callback] = await queue({ urls: [receiver.url], count: 1, notify: false });
  await database.read(
    (sql) => sql`update callback_receiver set failures = 7, open_until = now() + interval '5 minutes'`,
  );
  startWorker({ settings: { ...quick, lookEverySeconds: 600 } });
  await redeliver(callback!.callbackId);
  await untilQueueIsEmpty();
  assert.deepEqual(await statuses(), { delivered: 1 });
});

test('redeliveries beside three workers: each attempt has its number, and every callback arrives', async () => {
  const receiver = await startReceiver(() => ({ status: Math.random() < 0.3 ? 404 : 200 }));
  const urls = Array.from({ length: 5 }, (_, index) => `${receiver.url}/${index}`);
  const callbacks = await queue({ urls, count: 90, perDocument: 3, notify: false });
  const ids = callbacks.map((one) => one.callbackId);
  // A worker keeps its callbacks, however busy the machine is.
  const settings = { ...quick, retryDelaysSeconds: Array(40).fill(0.005), leaseSeconds: 600 };
  for (let worker = 1; worker <= 3; worker++) startWorker({ settings });
  const some = () => ids.filter(() => Math.random() < 0.2).toSorted(() => Math.random() - 0.5);
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let round = 1; round <= 5; round++) {
        const chosen = some();
        assert.equal(await redeliver(...chosen), chosen.length);
      }
    }),
  );
  await untilQueueIsEmpty();
  await closeWorkers();

  assert.deepEqual(await statuses(), { delivered: 90 });
  const [attempts] = await database.read(
    (sql) => sql<[{ count: number; numbered: number }]>`
      select count(*)::integer, sum(most)::integer as numbered
      from (select account_id, callback_id, count(*) as tries, max(attempt_no) as most from callback_attempt group by account_id, callback_id) each
      join callback_attempt using (account_id, callback_id) where attempt_no = 1`,
  );
  assert.equal(attempts.count, 90);
  assert.equal(attempts.numbered, receiver.received.length);
  await assertNoDeadlocks(database);
  assert.equal(await queueLength(), 0);
});

const triesMax = 4;
const modelRules = {
  ...quick,
  retryDelaysSeconds: Array(triesMax - 1).fill(0.01),
  openSeconds: 0.02,
  openMaxSeconds: 0.04,
  lookEverySeconds: 0.03,
};

/** null: the receiver closes the connection. */
type Script = (number | null)[];
const status = fc.constantFrom(200, 200, 204, 301, 400, 404, 410, 429, 500, 503, null);
const script: fc.Arbitrary<Script> = fc.array(status, { minLength: triesMax, maxLength: triesMax });
const scenario = fc.record({
  receivers: fc.integer({ min: 1, max: 4 }),
  perDocument: fc.integer({ min: 1, max: 3 }),
  workers: fc.integer({ min: 1, max: 3 }),
  scripts: fc.array(script, { minLength: 1, maxLength: 30 }),
});

interface Ending {
  status: string;
  tries: Script;
}

/** The required end of a callback whose receiver responds like this. */
function modelEnding(answers: Script): Ending {
  const last = answers.findIndex((one) => one === 410 || (one !== null && one >= 200 && one <= 299));
  const tries = last === -1 ? answers : answers.slice(0, last + 1);
  return { status: last !== -1 && answers[last] !== 410 ? 'delivered' : 'failed', tries };
}

test('for any responses every callback ends as they require, after exactly those attempts, in the order of its document', async () => {
  const plan = new Map<string, Script>();
  const receiver = await startReceiver(({ eventId, time }) => {
    const answer = plan.get(eventId)?.[time - 1];
    if (answer === undefined) return { status: 299 };
    if (answer === null) throw new Error('closes the connection');
    return { status: answer, ...(answer === 204 ? { body: '' } : {}) };
  });

  await fc.assert(
    fc.asyncProperty(scenario, async ({ receivers, perDocument, workers, scripts }) => {
      await empty();
      plan.clear();
      receiver.received.length = 0;
      const urls = Array.from({ length: receivers }, (_, index) => `${receiver.url}/${index}`);
      const callbacks = await queue({ urls, count: scripts.length, perDocument, notify: false });
      for (const [index, { eventId }] of callbacks.entries()) plan.set(eventId, scripts[index]!);
      const started = Array.from({ length: workers }, () => startWorker({ settings: modelRules }));
      await untilQueueIsEmpty();
      await Promise.all(started.map((worker) => worker.close()));

      const endings = await database.read(
        (sql) => sql<Ending[]>`
          select status, array(select http_status from callback_attempt made where made.callback_id = callback.callback_id order by attempt_no) as tries
          from callback order by callback_id`,
      );
      assert.deepEqual(
        endings.map((one) => ({ ...one })),
        scripts.map(modelEnding),
      );
      assert.equal(receiver.received.length, scripts.flatMap((one) => modelEnding(one).tries).length);
      assertInOrder(receiver);
    }),
    { numRuns: 6 },
  );
});
