import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { exampleInboundForm } from '../../../contract/logistics/inbound-form.ts';
import { redeliverMax } from '../../../contract/main/callbacks-redeliver.ts';
import { alpha, beta, startTestApp } from '../../support/app.ts';
import { accountIdOf, assertNotDone, dumpAll, retvalOf } from '../../support/main.ts';

const app = await startTestApp();
const { database } = app.store;

let numbers = 0;

/** A callback that was owed and has failed for good. */
async function failedCallback(caller = alpha): Promise<string> {
  const formNo = `PO-${++numbers}`;
  assert.equal(
    (await app.callLogistics('/purchases/purchase', { ...exampleInboundForm, form_no: formNo }, caller)).status,
    200,
  );
  return await database.transaction(async (tx) => {
    const [row] =
      await tx`update callback set status = 'failed' where document_no = ${formNo} returning callback_id, account_id, event_id`;
    await tx`delete from callback_delivery where callback_id = ${row!.callback_id}`;
    await tx`
      insert into callback_attempt (callback_id, attempt_no, account_id, duration_ms, http_status)
      values (${row!.callback_id}, 1, ${row!.account_id}, 12, 500)`;
    return row!.event_id;
  });
}

function redeliver(body: object, caller = alpha) {
  return app.callMain('/callbacks/redeliver', body, { as: caller });
}

async function rowOf(eventId: string) {
  const { rows } = retvalOf(await app.callMain('/getCallbacksData/searchList', { 'callbacks.event_id': eventId }));
  return rows[0];
}

async function queued(): Promise<string[]> {
  const rows = await database.read(
    (sql) =>
      sql`select event_id from callback_delivery join callback using (account_id, callback_id) order by callback_id`,
  );
  return rows.map((row) => row.event_id);
}

const events: string[] = [];
let theirs = '';
before(async () => {
  for (let index = 0; index < 3; index++) events.push(await failedCallback());
  theirs = await failedCallback(beta);
});

test('callbacks are sent again by their event ids, with the same event and the same bytes', async () => {
  const [eventId] = events;
  const { body } = await rowOf(eventId!);

  assert.deepEqual(retvalOf(await redeliver({ event_ids: [eventId] })), { count: 1, erased: 0 });

  assert.deepEqual(await queued(), [eventId]);
  const again = await rowOf(eventId!);
  assert.deepEqual([again.status, again.body, again.attempts.length], ['pending', body, 1]);
  assert.ok(again.next_attempt_at !== null);
  await database.read((sql) => sql`delete from callback_delivery`);
});

test('another account’s callbacks are ignored like unknown ones', async () => {
  const state = await dumpAll(app);

  assert.deepEqual(retvalOf(await redeliver({ event_ids: [theirs] })), { count: 0, erased: 0 });
  assert.deepEqual(retvalOf(await redeliver({ event_ids: ['00000000-0000-4000-8000-000000000000'] })), {
    count: 0,
    erased: 0,
  });

  assert.deepEqual(await dumpAll(app), state);
});

test('with dry_run they are only counted', async () => {
  const state = await dumpAll(app);
  const filter = { 'callbacks.status': 'failed', dry_run: true };

  assert.deepEqual(retvalOf(await redeliver(filter)), { count: 2, erased: 0 });
  assert.deepEqual(retvalOf(await redeliver(filter, beta)), { count: 1, erased: 0 });
  assert.deepEqual(retvalOf(await redeliver({ event_ids: events, dry_run: true })), { count: 3, erased: 0 });

  assert.deepEqual(await dumpAll(app), state);
});

test('by filters, all of the account that fit are sent again, those of a time range too', async () => {
  const nothing = { 'callbacks.created_at': { lt: '2020-01-01T00:00:00Z' } };
  const all = {
    'callbacks.status': ['failed', 'pending'],
    'callbacks.created_at': { gte: '2020-01-01T00:00:00Z', lt: '2100-01-01T00:00:00+08:00' },
  };

  assert.deepEqual(retvalOf(await redeliver(nothing)), { count: 0, erased: 0 });
  assert.deepEqual(retvalOf(await redeliver(all)), { count: 3, erased: 0 });

  assert.deepEqual(await queued(), events);
  assert.equal((await rowOf(events[2]!)).status, 'pending');
});

test('filters that are unknown or only for searching are refused, and nothing is sent again', async () => {
  const state = await dumpAll(app);
  for (const [body, msg] of [
    [{ 'callbacks.url': 'x' }, /^callbacks\.url is not a filter of this list/],
    [
      { 'callbacks.status': 'failed', cursor: 'x', sort: 'status' },
      /^cursor is for searching only; sort is for searching only$/,
    ],
  ] as const)
    assert.match(assertNotDone(await redeliver(body)), msg);
  assert.deepEqual(await dumpAll(app), state);
});

test('filters that select nothing never send all callbacks again', async () => {
  const state = await dumpAll(app);
  for (const nothing of [null, '']) {
    for (const body of [
      { event_ids: nothing },
      { 'callbacks.status': nothing },
      { 'callbacks.document_no': nothing, dry_run: nothing },
    ])
      assertNotDone(await redeliver(body), { status: 400, msg: 'event_ids is missing; or say by filters which' });
  }
  assert.deepEqual(await dumpAll(app), state);
});

test('an operator without a value is rejected instead of selecting more callbacks, and nothing is sent again', async () => {
  const state = await dumpAll(app);
  const message = 'must have a value; omit it to select more callbacks';
  const status = { 'callbacks.status': ['failed', 'pending'] };
  for (const [filter, operators] of [
    [{ 'callbacks.created_at': { gte: null } }, ['callbacks.created_at.gte']],
    [{ 'callbacks.created_at': { gte: null, lt: '2100-01-01T00:00:00Z' } }, ['callbacks.created_at.gte']],
    [
      { 'callbacks.updated_at': { gt: '', lte: null }, 'callbacks.document_no': { prefix: '' } },
      ['callbacks.document_no.prefix', 'callbacks.updated_at.gt', 'callbacks.updated_at.lte'],
    ],
    [{ 'callbacks.event': { ne: null, prefix: 'inbound' } }, ['callbacks.event.ne']],
  ] as const) {
    for (const more of [status, {}, { event_ids: events }, { ...status, dry_run: true }]) {
      const answer = await redeliver({ ...more, ...filter });
      assert.equal(answer.status, 400);
      assert.deepEqual(
        answer.json.errors.map(({ doc_url: _, ...error }: Record<string, string>) => error),
        operators.map((path) => ({ code: 'field_invalid', path, message })),
      );
    }
  }
  assert.deepEqual(await dumpAll(app), state);
});

test('a filter that is null as a whole was not sent: clients may send all fields that they know', async () => {
  const nothingSent = { event_ids: null, 'callbacks.status': null, 'callbacks.created_at': null };
  const one = { ...nothingSent, event_ids: [events[0]], dry_run: true };
  assert.deepEqual(retvalOf(await redeliver(one)), { count: 1, erased: 0 });
  const none = { ...nothingSent, 'callbacks.document_no': 'NONE', dry_run: true };
  assert.deepEqual(retvalOf(await redeliver(none)), { count: 0, erased: 0 });
});

test(`more than ${redeliverMax} are not sent again by one call`, async () => {
  const accountId = await accountIdOf(app, alpha.accountNo);
  await database.read(
    (sql) => sql`
      insert into callback (account_id, event_id, event, document_type, document_no, document_id, sequence, url, key_name, receiver_id, body, status, occurred_at)
      select ${accountId}, gen_random_uuid(), 'order.shipped', 'order', 'MANY', 1000000 + n, 1, 'https://partner.example', 'wms', gen_random_uuid(), '{}', 'failed', now()
      from generate_series(1, ${redeliverMax + 1}::integer) n`,
  );
  const before = await queued();

  for (const dry_run of [true, false]) {
    const answer = await redeliver({ 'callbacks.document_no': 'MANY', dry_run });
    assert.match(assertNotDone(answer), /^more than 10000 callbacks fit; narrow it down/);
  }
  assert.deepEqual(await queued(), before);
});
