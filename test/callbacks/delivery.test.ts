import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { verifyCallback } from '../../sdk/client.ts';
import { DatabaseUnavailable } from '../../server/platform/database.ts';
import { type TestWorker, until } from '../support/worker.ts';
import { type StoredAttempt, startCallbackStore } from './callback-store.ts';
import { quick, secret } from './delivery.ts';
import { insertManyCallbacks } from './insert-callbacks.ts';
import { startReceiver } from './receiver.ts';

const { database, startWorker, queue, untilQueueIsEmpty, statuses, attemptsOf } = await startCallbackStore();
let delivery: TestWorker;

function deliver(options?: Parameters<typeof startWorker>[0]): TestWorker {
  delivery = startWorker(options);
  return delivery;
}

const answered = (attemptNo: number, httpStatus: number): StoredAttempt => ({ attemptNo, httpStatus, error: null, response: 'ok' });

test('500 twice, then 200: it arrives at the third try, the same bytes under the same id', async () => {
  const receiver = await startReceiver(({ time }) => ({ status: time < 3 ? 500 : 200 }));
  const [callback] = await queue({ urls: [receiver.url], count: 1 });
  deliver();
  await untilQueueIsEmpty();

  const [stored] = await database.read((sql) => sql<[{ body: string; status: string }]>`select body, status from callback`);
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

test('every try says who it is from, what it is, and is signed for this moment', async () => {
  const receiver = await startReceiver();
  const [callback] = await queue({ urls: [`${receiver.url}?token=1`], count: 1 });
  deliver();
  await untilQueueIsEmpty();

  const [{ headers, body, path }] = receiver.received as [(typeof receiver.received)[0]];
  assert.equal(path, '/callbacks?token=1');
  assert.equal(headers['content-type'], 'application/json');
  assert.equal(headers['user-agent'], 'Lading');
  assert.equal(headers['accept-encoding'], 'identity');
  assert.equal(headers['webhook-id'], callback!.eventId);
  assert.deepEqual(new Webhook(secret).verify(body, headers as Record<string, string>), JSON.parse(body));
  assert.match(body, /"name":"é茶"/);
});

test('during a rotation it is signed with both secrets', async () => {
  const next = `whsec_${randomBytes(32).toString('base64')}`;
  const asked: unknown[] = [];
  const receiver = await startReceiver();
  await queue({ urls: [receiver.url], count: 1, accountId: 7, keyName: 'shop' });
  deliver({
    async secretsOf(...whose) {
      asked.push(whose);
      return [next, secret];
    },
  });
  await untilQueueIsEmpty();

  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
  for (const known of [next, secret]) verifyCallback({ headers, body }, { secrets: known });
  assert.equal(String(headers['webhook-signature']).split(' ').length, 2);
  assert.deepEqual(asked, [[7, 'shop']]);
});

test('after the eighth try it has failed, and is not sent any more', async () => {
  const receiver = await startReceiver(() => ({ status: 404 }));
  const [callback] = await queue({ urls: [receiver.url], count: 1 });
  deliver();
  await untilQueueIsEmpty();

  assert.deepEqual(await statuses(), { failed: 1 });
  assert.equal(receiver.received.length, 8);
  assert.deepEqual(
    await attemptsOf(callback!.callbackId),
    [1, 2, 3, 4, 5, 6, 7, 8].map((no) => answered(no, 404)),
  );
  assert.equal(await delivery.metric('callback_attempts_total{outcome="refused"}'), 8);
  assert.equal(await delivery.metric('callback_ended_total{status="failed"}'), 1);
});

test('the times of the next tries are those of the schedule', async () => {
  const receiver = await startReceiver(() => ({ status: 404 }));
  const [callback] = await queue({ urls: [receiver.url], count: 1 });
  const { retryDelaysSeconds: _, ...settings } = quick;
  deliver({ settings });
  const seconds: number[] = [];
  for (let attempt = 1; attempt <= 7; attempt++) {
    await until('it is tried', async () => (await attemptsOf(callback!.callbackId)).length === attempt);
    const [row] = await database.read(
      (sql) => sql<[{ seconds: number }]>`
        select extract(epoch from due_at - at)::float8 as seconds from callback_delivery join callback_attempt using (callback_id)
        where attempt_no = ${attempt}`,
    );
    seconds.push(row.seconds);
    await database.read((sql) => sql`update callback_delivery set due_at = now()`);
  }
  await untilQueueIsEmpty();

  const schedule = [5, 300, 1800, 7200, 18_000, 36_000, 36_000];
  schedule.forEach((wanted, index) => {
    assert.ok(seconds[index]! >= wanted && seconds[index]! <= wanted * 1.1 + 2, `${seconds[index]} s instead of ${wanted} s`);
  });
});

test('410 fails at once', async () => {
  const receiver = await startReceiver(() => ({ status: 410 }));
  const [callback] = await queue({ urls: [receiver.url], count: 1 });
  deliver();
  await untilQueueIsEmpty();
  assert.deepEqual(await statuses(), { failed: 1 });
  assert.deepEqual(await attemptsOf(callback!.callbackId), [answered(1, 410)]);
});

test('a redirect is not followed but tried again', async () => {
  const elsewhere = await startReceiver();
  const receiver = await startReceiver(({ time }) =>
    time === 1 ? { status: 302, headers: { location: elsewhere.url } } : { status: 204, body: '' },
  );
  const [callback] = await queue({ urls: [receiver.url], count: 1 });
  deliver();
  await untilQueueIsEmpty();
  assert.deepEqual(await statuses(), { delivered: 1 });
  assert.equal(elsewhere.received.length, 0);
  assert.deepEqual(await attemptsOf(callback!.callbackId), [answered(1, 302), { ...answered(2, 204), response: '' }]);
});

test('nobody there: the try says so, and where it went', async () => {
  const gone = await startReceiver();
  await gone.close();
  const [callback] = await queue({ urls: [gone.url], count: 1 });
  deliver({ settings: { ...quick, retryDelaysSeconds: [] } });
  await untilQueueIsEmpty();
  const [attempt, ...others] = await attemptsOf(callback!.callbackId);
  assert.deepEqual({ ...attempt, error: typeof attempt!.error }, { attemptNo: 1, httpStatus: null, error: 'string', response: null });
  assert.equal(others.length, 0);
  assert.equal(await delivery.metric('callback_attempts_total{outcome="unanswered"}'), 1);
});

test('Retry-After holds back the callback; with 503 the whole receiver', async () => {
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
      from callback_delivery join callback_receiver using (receiver_id) where callback_id = ${first!.callbackId}`,
  );
  assert.deepEqual({ ...row }, { due: true, open: true, failures: 1 });
});

test('the callbacks of a document come in their order, those of other documents do not wait for them', async () => {
  const slow = { documentId: 0 };
  const receiver = await startReceiver(({ body, time }) => {
    const { document, sequence } = JSON.parse(body);
    return { status: document === slow.documentId && sequence === 1 && time <= 2 ? 404 : 200 };
  });
  const callbacks = await queue({ urls: [receiver.url], count: 30, perDocument: 3, notify: false });
  slow.documentId = callbacks[0]!.documentId;
  deliver({ settings: { ...quick, retryDelaysSeconds: [0.3, 0.3, 0.3] } });
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

test('when the first of a document has failed for good, the second goes', async () => {
  const receiver = await startReceiver(({ body }) => ({ status: JSON.parse(body).sequence === 1 ? 410 : 200 }));
  await queue({ urls: [receiver.url], count: 2, perDocument: 2 });
  deliver();
  await untilQueueIsEmpty();
  assert.deepEqual(await statuses(), { failed: 1, delivered: 1 });
  assert.deepEqual(
    receiver.received.map(({ body }) => JSON.parse(body).sequence),
    [1, 2],
  );
});

test('without a secret nothing is sent: a failed try that is no fault of the receiver', async () => {
  const receiver = await startReceiver();
  const [callback] = await queue({ urls: [receiver.url], count: 1 });
  let asked = 0;
  deliver({
    async secretsOf() {
      asked++;
      if (asked === 2) throw new Error('out of order');
      return asked === 1 ? [] : [secret];
    },
  });
  await untilQueueIsEmpty();
  const unsigned = { httpStatus: null, error: 'no secret to sign with', response: null };
  assert.deepEqual(await attemptsOf(callback!.callbackId), [
    { attemptNo: 1, ...unsigned },
    { attemptNo: 2, ...unsigned },
    answered(3, 200),
  ]);
  const [{ failures }] = await database.read((sql) => sql<[{ failures: number }]>`select failures from callback_receiver`);
  assert.equal(failures, 0);
  assert.equal(receiver.received.length, 1);
});

test('secrets that cannot be read because the database is away use up no try', async () => {
  const receiver = await startReceiver();
  const [callback] = await queue({ urls: [receiver.url], count: 1 });
  let asked = 0;
  deliver({
    async secretsOf() {
      if (++asked === 1) throw new DatabaseUnavailable('away');
      return [secret];
    },
  });
  await untilQueueIsEmpty();
  assert.deepEqual(await attemptsOf(callback!.callbackId), [answered(1, 200)]);
});

test('a notification is enough: nobody waits for the next look', async () => {
  const receiver = await startReceiver();
  deliver({ settings: { ...quick, lookEverySeconds: 600 } });
  await queue({ urls: [receiver.url], count: 1 });
  await untilQueueIsEmpty();
  for (let round = 2; round <= 5; round++) {
    await database.read((sql) => insertManyCallbacks(sql, { urls: [receiver.url], count: 1 }));
    await untilQueueIsEmpty();
    assert.equal(receiver.received.length, round);
  }
});

test('what an answer contains can always be kept', async () => {
  const receiver = await startReceiver();
  const [callback] = await queue({ urls: [receiver.url], count: 1 });
  deliver({
    http: {
      post: async () => ({
        kind: 'answered',
        status: 999,
        retryAfter: 'soon',
        response: 'a\0b"\\{}\ud800',
        address: '127.0.0.1',
        durationMs: 0.4,
      }),
      close: async () => {},
    },
    settings: { ...quick, retryDelaysSeconds: [] },
  });
  await untilQueueIsEmpty();
  const [attempt] = await attemptsOf(callback!.callbackId);
  assert.deepEqual(attempt, { attemptNo: 1, httpStatus: 999, error: null, response: 'ab"\\{}\ufffd' });
});

test('one try that can never be recorded keeps no other from it', async () => {
  let posts = 0;
  await queue({ urls: ['http://127.0.0.1:1/'], count: 2 });
  deliver({
    http: {
      async post() {
        const status = ++posts === 1 ? 99_999 : 200;
        return { kind: 'answered', status, retryAfter: null, response: 'ok', address: '127.0.0.1', durationMs: 1 };
      },
      close: async () => {},
    },
    settings: { ...quick, leaseSeconds: 4 },
  });
  await until('the other one is recorded', async () => (await statuses()).delivered === 1);
  assert.deepEqual(await statuses(), { delivered: 1, pending: 1 });
  await untilQueueIsEmpty();
  assert.deepEqual(await statuses(), { delivered: 2 });
  assert.equal(posts, 3);
  assert.equal(await delivery.metric('callback_attempts_lost_total'), 1);
});

test('the log names events and receivers, and nothing of what is sent', async () => {
  const receiver = await startReceiver(() => ({ status: 410, body: 'hidden-answer' }));
  const [callback] = await queue({ urls: [`${receiver.url}?hidden-query`], count: 1 });
  deliver();
  await untilQueueIsEmpty();
  await delivery.close();
  const line = delivery.logLines.find((one) => one.msg === 'callback failed for good')!;
  assert.deepEqual([line.level, line.event_id, line.outcome], ['warn', callback!.eventId, 'refused']);
  assert.doesNotMatch(JSON.stringify(delivery.logLines), /hidden|whsec_|é茶|127\.0\.0\.1/);
});
