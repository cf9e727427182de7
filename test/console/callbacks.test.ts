import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import {
  callbackDetail,
  callbackRedeliver,
  callbackRedeliverCount,
  callbackRedeliverFiltered,
  callbackSearch,
  callbackTest,
  receiverList,
  receiverPause,
  receiverResume,
} from '../../contract/console/callbacks.ts';
import { receiverIdOf } from '../../server/domain/callbacks/callback.ts';
import { countSelection, redeliverSelection } from '../../server/domain/callbacks/redeliver-selection.ts';
import { quick, startTestDelivery } from '../callbacks/delivery.ts';
import { type CallbacksToInsert, insertCallbacks } from '../callbacks/insert-callbacks.ts';
import { startReceiver } from '../callbacks/receiver.ts';
import { actionsOf, allRows, column, columns, startConsole } from '../support/console.ts';
import { provisionLive } from '../support/live.ts';
import { form, formCallbackUrl, formPath, take, unchanged } from '../support/logistics.ts';
import { accountIdOf } from '../support/main.ts';
import { until } from '../support/worker.ts';

const { app, database, service, admin, staff, viewer } = await startConsole();
await provisionLive(app);
const [alphaId, betaId] = [await accountIdOf(app, 'ALPHA'), await accountIdOf(app, 'BETA')];

beforeEach(async () => {
  await database.read((sql) => sql`truncate callback, callback_attempt, callback_receiver, callback_delivery`);
});

async function queue(wanted: Partial<CallbacksToInsert>) {
  const urls = ['https://partner.example/hook'];
  return await database.read((sql) =>
    insertCallbacks(sql, { urls, count: 1, accountId: alphaId, notify: false, ...wanted }),
  );
}

/** As if the last try of all that are queued had been in vain. */
async function failAll(): Promise<void> {
  await database.transaction(async (tx) => {
    await tx`
      insert into callback_attempt (callback_id, attempt_no, account_id, at, duration_ms, http_status, address, response)
      select callback_id, attempts_before + 1, account_id, '2026-11-16T01:00:00Z', 12, 502, '203.0.113.7', 'Bad Gateway' from callback_delivery`;
    await tx`update callback set status = 'failed' where callback_id in (select callback_id from callback_delivery)`;
    await tx`delete from callback_delivery`;
  });
}

async function statuses(): Promise<Record<string, number>> {
  const rows = await database.read((sql) => sql`select status, count(*)::integer from callback group by status`);
  return Object.fromEntries(rows.map((row) => [row.status, row.count]));
}

async function lastAction(action: string) {
  return (await actionsOf(app, action)).at(-1);
}

test('callbacks are found by account, status, event, document, receiver and day, over all accounts, page by page', async () => {
  const [first, second] = await queue({ count: 2, urls: ['https://partner.example/hook?a=1'] });
  await failAll();
  const [other] = await queue({ accountId: betaId, urls: ['https://beta.example/in'] });
  const createdAt = (callbackId: number, at: string) =>
    database.read((sql) => sql`update callback set created_at = ${at} where callback_id = ${callbackId}`);
  await createdAt(first!.callbackId, '2026-11-10T15:59:59Z');
  await createdAt(second!.callbackId, '2026-11-10T16:00:00Z');
  const find = async (body: Parameters<typeof viewer.ask<typeof callbackSearch>>[1]) =>
    column((await viewer.ask(callbackSearch, body)).rows, 'callback_id');
  const ids = [other!.callbackId, second!.callbackId, first!.callbackId];
  assert.deepEqual(await find({}), ids);
  assert.deepEqual(await find({ accounts: ['BETA'] }), ids.slice(0, 1));
  assert.deepEqual(await find({ status: ['failed'] }), ids.slice(1));
  assert.deepEqual(await find({ status: ['pending', 'delivered'] }), ids.slice(0, 1));
  assert.deepEqual(await find({ event: ['order.cancelled'] }), []);
  assert.deepEqual(await find({ document_type: ['order'], document_no: `D${second!.documentId}` }), [
    second!.callbackId,
  ]);
  assert.deepEqual(await find({ receiver_id: receiverIdOf(betaId, 'https://beta.example/in') }), [other!.callbackId]);
  assert.deepEqual(
    await find({ receiver_id: receiverIdOf(alphaId, 'https://partner.example/hook'), status: ['failed'] }),
    ids.slice(1),
  );
  assert.deepEqual(await find({ created_from: '2026-11-11', created_to: '2026-11-11' }), [second!.callbackId]);
  assert.deepEqual(await find({ created_to: '2026-11-10' }), [first!.callbackId]);

  const rows = await allRows(viewer, callbackSearch, { page_size: 2 });
  assert.deepEqual(column(rows, 'callback_id'), ids);
  const { next_cursor } = await viewer.ask(callbackSearch, { page_size: 2 });
  const refiltered = { page_size: 2, cursor: next_cursor, status: ['failed'] };
  const strange = await viewer.send('/callbacks/search', refiltered);
  assert.deepEqual([strange.status, strange.json.error?.mistakes?.[0]?.path], [400, 'cursor']);

  const { created_at, updated_at, ...row } = rows[2]!;
  assert.equal(created_at, '2026-11-10T23:59:59.000000+08:00');
  assert.ok(updated_at);
  assert.deepEqual(row, {
    callback_id: first!.callbackId,
    account_no: 'ALPHA',
    event_id: first!.eventId,
    event: 'order.shipped',
    document_type: 'order',
    document_id: first!.documentId,
    document_no: `D${first!.documentId}`,
    sequence: 1,
    receiver_id: receiverIdOf(alphaId, 'https://partner.example/hook'),
    url: 'https://partner.example/hook?a=1',
    status: 'failed',
    attempts: 1,
    last_attempt: { at: '2026-11-16T09:00:00.000000+08:00', http_status: 502, error: null },
    waits_for: null,
    next_attempt_at: null,
    test: false,
  });
});

test('a callback is shown as it is sent, with every try, what was answered, and the others of its document; never with a secret', async () => {
  await take(app, formPath, form('SHOWN-1', [{ sku: 'TEA', quantity: 3, storage_type: 'ambient' }]));
  await failAll();
  const [listed] = (await viewer.ask(callbackSearch, { document_no: 'SHOWN-1' })).rows;
  await staff.ask(callbackRedeliver, { callback_ids: [listed!.callback_id] });
  const shown = await viewer.ask(callbackDetail, { callback_id: listed!.callback_id });
  assert.deepEqual(shown.headers, [
    { name: 'content-type', value: 'application/json' },
    { name: 'user-agent', value: 'Lading' },
    { name: 'accept-encoding', value: 'identity' },
    { name: 'webhook-id', value: listed!.event_id },
    { name: 'webhook-timestamp', value: null },
    { name: 'webhook-signature', value: null },
  ]);
  const [{ body }] = await database.read((sql) => sql<[{ body: string }]>`select body from callback`);
  assert.equal(shown.body, body);
  assert.deepEqual([JSON.parse(shown.body).event, shown.event], ['inbound.received', 'inbound.received']);
  assert.deepEqual(
    [shown.status, shown.attempts, shown.key_name, shown.document_type],
    ['pending', 1, 'wms', 'inbound'],
  );
  assert.deepEqual(shown.receiver, {
    state: 'unproven',
    address: 'https://partner.example/forms',
    on_hold_until: null,
  });
  assert.deepEqual(shown.attempt_list, [
    {
      attempt_no: 1,
      at: '2026-11-16T09:00:00.000000+08:00',
      duration_ms: 12,
      http_status: 502,
      error: null,
      address: '203.0.113.7',
      response: 'Bad Gateway',
    },
  ]);
  assert.deepEqual(shown.document_callbacks, [
    { callback_id: listed!.callback_id, sequence: 1, event: 'inbound.received', status: 'pending' },
  ]);
  assert.ok(!JSON.stringify(shown).includes('whsec_'));
  assert.equal((await viewer.send('/callbacks/detail', { callback_id: 987654 })).status, 404);
});

test('chosen callbacks are sent again by staff, with an entry in the audit log', async () => {
  const queued = await queue({ count: 3 });
  await failAll();
  const callback_ids = column(queued.slice(0, 2), 'callbackId');
  assert.deepEqual(await staff.ask(callbackRedeliver, { callback_ids: [...callback_ids, 987654] }), {
    kind: 'redelivered',
    count: 2,
    held: 0,
    behind: 0,
    erased: 0,
  });
  assert.deepEqual(await statuses(), { failed: 1, pending: 2 });
  assert.deepEqual(await lastAction('callbacks/redeliver'), {
    username: 'packer',
    subject: null,
    outcome: 'redelivered',
    details: { callback_ids: [...callback_ids, 987654] },
  });
  await staff.ask(callbackRedeliver, { callback_ids: [queued[2]!.callbackId] });
  assert.equal((await lastAction('callbacks/redeliver'))?.subject, String(queued[2]!.callbackId));
});

test('each callback has the reason why it waits, and the time of its next attempt if there is one', async () => {
  const later = '2126-11-16T01:00:00Z';
  const laterInTaipei = '2126-11-16T09:00:00.000000+08:00';
  const url = (name: string) => [`https://a.example/${name}`];
  for (const name of ['paused', 'hold', 'longer', 'time', 'turn', 'sending']) await queue({ urls: url(name) });
  await queue({ count: 2, perDocument: 2, urls: url('document') });
  const change = (table: string, changes: string, name: string) =>
    database.read((sql) =>
      sql.unsafe(
        `update ${table} set ${changes} where receiver_id in (select receiver_id from callback_receiver where address like '%/${name}')`,
      ),
    );
  await change('callback_receiver', 'paused = true', 'paused');
  await change('callback_receiver', `open_until = '${later}'`, 'hold');
  await change('callback_receiver', `open_until = now() + interval '1 hour'`, 'longer');
  await change('callback_delivery', `due_at = '${later}'`, 'longer');
  await change('callback_delivery', `due_at = '${later}'`, 'time');
  await change('callback_delivery', `due_at = now() - interval '1 hour'`, 'turn');
  await change('callback_delivery', `due_at = now() + interval '1 hour', lease = gen_random_uuid()`, 'sending');
  const { rows } = await viewer.ask(callbackSearch, {});
  assert.deepEqual(
    rows.toReversed().map((row) => [row.url.slice('https://a.example/'.length), row.waits_for, row.next_attempt_at]),
    [
      ['paused', 'paused_receiver', null],
      ['hold', 'receiver_on_hold', laterInTaipei],
      ['longer', 'its_time', laterInTaipei],
      ['time', 'its_time', laterInTaipei],
      ['turn', 'its_turn', null],
      ['sending', 'answer', null],
      ['document', 'its_turn', null],
      ['document', 'earlier_callback', null],
    ],
  );

  const callback_ids = column(rows, 'callback_id');
  assert.deepEqual(await staff.ask(callbackRedeliver, { callback_ids }), {
    kind: 'redelivered',
    count: 8,
    held: 3,
    behind: 1,
    erased: 0,
  });
});

test('a test callback is queued with the example or a document of the account, marked as a test, and changes no document', async () => {
  const url = 'https://partner.example/tests';
  const shipped = { account_no: 'ALPHA', event: 'order.shipped', callback_url: url } as const;
  const example = await staff.ask(callbackTest, shipped);
  assert.deepEqual([example.kind, example.kind === 'queued' && example.url], ['queued', url]);
  await take(app, formPath, form('TESTED-1', [{ sku: 'TEA', quantity: 3, storage_type: 'ambient' }]));
  const named = { account_no: 'ALPHA', event: 'inbound.received', document_no: 'TESTED-1' } as const;
  const ofDocument = await staff.ask(callbackTest, named);
  assert.equal(ofDocument.kind === 'queued' && ofDocument.url, 'https://partner.example/forms');

  const { rows } = await viewer.ask(callbackSearch, { accounts: ['ALPHA'] });
  const tests = rows.filter(({ test }) => test);
  assert.deepEqual(columns(tests, 'event_id', 'event', 'url', 'status', 'attempts'), [
    [ofDocument.kind === 'queued' && ofDocument.event_id, 'inbound.received', formCallbackUrl, 'pending', 0],
    [example.kind === 'queued' && example.event_id, 'order.shipped', url, 'pending', 0],
  ]);
  const bodies = await Promise.all(
    tests.map(async ({ callback_id }) => JSON.parse((await viewer.ask(callbackDetail, { callback_id })).body)),
  );
  assert.deepEqual(columns(bodies, 'test', 'event'), [
    [true, 'inbound.received'],
    [true, 'order.shipped'],
  ]);
  assert.equal(bodies[0].document_no, 'TESTED-1');
  assert.deepEqual(await actionsOf(app, 'callbacks/test'), [
    { username: 'packer', subject: 'ALPHA', details: { event: 'order.shipped', callback_url: url }, outcome: 'queued' },
    {
      ...{ username: 'packer', subject: 'ALPHA', outcome: 'queued' },
      details: { event: 'inbound.received', document_no: 'TESTED-1' },
    },
  ]);
});

test('a refused test callback queues nothing and says why: the address, the document, the environment, the role', async () => {
  const shipped = { account_no: 'ALPHA', event: 'order.shipped' } as const;
  const before = (await actionsOf(app, 'callbacks/test')).length;
  await unchanged(app, async () => {
    for (const [callback_url, reason] of [
      ['http://127.0.0.1:9/hook', 'url_private'],
      ['http://localhost/hook', 'url_private'],
      ['http://[::1]/hook', 'url_private'],
      ['https://10.1.2.3/hook', 'url_private'],
      ['https://user:password@partner.example/hook', 'url_with_credentials'],
      ['https://partner.example:0/hook', 'url_port_zero'],
    ] as const) {
      const refused = await staff.ask(callbackTest, { ...shipped, callback_url });
      assert.deepEqual(refused, { kind: 'refused', reason }, callback_url);
    }
    const unknown = { ...shipped, document_no: 'NO-SUCH', callback_url: 'https://partner.example/hook' };
    assert.deepEqual(await staff.ask(callbackTest, unknown), { kind: 'refused', reason: 'document_not_found' });
    assert.deepEqual(await staff.ask(callbackTest, shipped), { kind: 'refused', reason: 'no_address' });
    const elsewhere = { ...shipped, account_no: 'LIVE', callback_url: 'https://partner.example/hook' };
    const production = await staff.ask(callbackTest, elsewhere);
    assert.deepEqual(production, { kind: 'refused', reason: 'address_of_production' });
    assert.equal((await staff.send(callbackTest.path, { ...shipped, account_no: 'NOBODY' })).status, 404);
    assert.equal((await viewer.send(callbackTest.path, shipped)).status, 403);
  });
  const outcomes = column((await actionsOf(app, 'callbacks/test')).slice(before), 'outcome');
  assert.deepEqual(outcomes, [...Array(9).fill('refused'), 'not_found']);
});

test('all that match are counted first, and sent again only if their number is still the same', async () => {
  await queue({ count: 3 });
  await queue({ count: 2, accountId: betaId, urls: ['https://beta.example/in'] });
  await failAll();
  const selection = { status: ['failed' as const], accounts: ['ALPHA'] };
  assert.deepEqual(await viewer.ask(callbackRedeliverCount, { status: ['failed'] }), { kind: 'counted', count: 5 });
  assert.deepEqual(await viewer.ask(callbackRedeliverCount, selection), { kind: 'counted', count: 3 });
  await queue({ count: 1 });
  await failAll();

  assert.deepEqual(await staff.ask(callbackRedeliverFiltered, { ...selection, expected_count: 3 }), {
    kind: 'count_changed',
    count: 4,
  });
  assert.deepEqual(await statuses(), { failed: 6 });
  assert.equal((await lastAction('callbacks/redeliver-filtered'))?.outcome, 'count_changed');

  assert.deepEqual(await staff.ask(callbackRedeliverFiltered, { ...selection, expected_count: 4 }), {
    kind: 'redelivered',
    count: 4,
    held: 0,
    behind: 0,
    erased: 0,
    next_cursor: null,
  });
  assert.deepEqual(await statuses(), { failed: 2, pending: 4 });
  const { details, ...action } = (await lastAction('callbacks/redeliver-filtered'))!;
  assert.deepEqual(action, { username: 'packer', subject: null, outcome: 'redelivered' });
  assert.deepEqual(details, { ...selection, expected_count: 4, goes_on: false });
});

test('more callbacks than the limit are neither counted nor sent again', async () => {
  await queue({ count: 3 });
  await failAll();
  const failed = { accountIds: [alphaId], filters: { status: { anyOf: ['failed'] } }, countMax: 2 };
  const tooMany = { kind: 'too_many', found: 3 };
  assert.deepEqual(await countSelection(service, failed), tooMany);
  assert.deepEqual(await redeliverSelection(service, failed, { expectedCount: 3, after: null }), tooMany);
  assert.deepEqual(await statuses(), { failed: 3 });
});

test('a selection that takes longer than one call is continued by the next: each callback once, and none that is newer', async () => {
  await queue({ count: 600 });
  await failAll();
  const selection = { accountIds: [alphaId], filters: { status: { anyOf: ['failed'] } }, countMax: 10_000 };
  const go = (after: string[] | null) =>
    redeliverSelection(service, selection, { expectedCount: 600, after, workMaxMs: 0 });
  const first = await go(null);
  assert.ok(first.kind === 'redelivered' && first.next !== null);
  await queue({ count: 1 });
  await failAll();
  assert.deepEqual(await statuses(), { failed: 601 }, 'those that were sent again have failed again');
  const second = await go(first.next);
  assert.ok(second.kind === 'redelivered' && second.next !== null);
  const third = await go(second.next);
  assert.deepEqual(
    [first.count, second.count, third],
    [250, 250, { kind: 'redelivered', count: 100, held: 0, behind: 0, erased: 0, next: null }],
  );
  assert.deepEqual(await statuses(), { failed: 251, pending: 350 });
});

test('receivers say how they do, those that need somebody first; with what waits there and what has failed', async () => {
  await queue({ count: 2, urls: ['https://a.example/failed'] });
  await failAll();
  for (const name of ['healthy', 'unproven', 'failing', 'left', 'paused'])
    await queue({ count: 3, urls: [`https://a.example/${name}`] });
  await queue({ count: 1, urls: ['https://b.example/x'], accountId: betaId });
  const health: [name: string, changes: string][] = [
    ['healthy', `last_success_at = '2026-11-16T01:00:00Z'`],
    ['failing', 'failures = 2, last_failure_at = now(), last_success_at = now()'],
    ['left', `failures = 7, open_until = '2126-11-16T01:00:00Z', last_failure_at = now()`],
    ['paused', 'paused = true, failures = 9'],
  ];
  for (const [name, changes] of health) {
    await database.read((sql) => sql.unsafe(`update callback_receiver set ${changes} where address like '%/${name}'`));
  }
  await database.read(
    (sql) =>
      sql`update callback_delivery set queued_at = '2026-11-16T01:00:00Z' where callback_id = (select max(callback_id) from callback)`,
  );

  const { receivers, has_more } = await viewer.ask(receiverList, { accounts: ['ALPHA'] });
  assert.equal(has_more, false);
  const shown = receivers.map(({ address, state, failures, waiting, failed }) =>
    [address.slice(18), state, failures, waiting.count, failed.count].join(' '),
  );
  // Receivers of one state are in no particular order.
  const unproven = shown.splice(3, 2).toSorted();
  assert.deepEqual(unproven, ['failed unproven 0 0 2', 'unproven unproven 0 3 0']);
  const others = ['paused paused 9 3 0', 'left on_hold 7 3 0', 'failing failing 2 3 0', 'healthy healthy 0 3 0'];
  assert.deepEqual(shown, others);
  assert.equal(receivers[1]!.on_hold_until, '2126-11-16T09:00:00.000000+08:00');
  assert.equal(receivers[5]!.last_success_at, '2026-11-16T09:00:00.000000+08:00');
  const [beta] = (await viewer.ask(receiverList, { address: 'B.EXAMPLE' })).receivers;
  assert.deepEqual(
    [beta!.account_no, beta!.oldest_waiting_at, beta!.waiting],
    ['BETA', '2026-11-16T09:00:00.000000+08:00', { count: 1, is_capped: false }],
  );
  const needy = await viewer.ask(receiverList, { state: ['paused', 'on_hold'] });
  assert.deepEqual(column(needy.receivers, 'state'), ['paused', 'on_hold']);
});

test('a receiver that an admin pauses is sent nothing, by no worker; resumed, it has at once what waited', async () => {
  const [held, other] = [await startReceiver(), await startReceiver()];
  const receiver_id = receiverIdOf(alphaId, held.url);
  const named = { account_no: 'ALPHA', address: held.url };
  await queue({ count: 1, urls: [held.url] });
  // They would look by themselves only after ten minutes.
  const settings = { ...quick, lookEverySeconds: 600 };
  const workers = [startTestDelivery(service, { settings }), startTestDelivery(service, { settings })];
  await until('the first has arrived', () => held.received.length === 1);

  assert.deepEqual(await admin.ask(receiverPause, named), { kind: 'paused' });
  assert.deepEqual(await admin.ask(receiverPause, named), { kind: 'already' });
  await queue({ count: 10, urls: [held.url], notify: true });
  await queue({ count: 10, urls: [other.url], notify: true });
  await until('the other has everything', () => other.received.length === 10);
  await until('all that was sent is recorded', async () => (await statuses()).delivered === 11);
  assert.equal(held.received.length, 1);
  const [paused] = (await viewer.ask(receiverList, { receiver_id })).receivers;
  assert.deepEqual([paused!.state, paused!.paused_by, paused!.waiting.count], ['paused', 'boss', 10]);
  assert.ok(paused!.paused_at);
  const { rows: pending } = await viewer.ask(callbackSearch, { status: ['pending'] });
  assert.ok(pending.every((row) => row.waits_for === 'paused_receiver'));

  assert.deepEqual(await admin.ask(receiverResume, named), { kind: 'resumed' });
  assert.deepEqual(await admin.ask(receiverResume, named), { kind: 'already' });
  await until('it has everything', () => held.received.length === 11);
  await until('all is recorded', async () => (await statuses()).delivered === 21);
  const [resumed] = (await viewer.ask(receiverList, { receiver_id })).receivers;
  assert.deepEqual([resumed!.state, resumed!.paused_by, resumed!.waiting.count], ['healthy', null, 0]);
  for (const action of ['receivers/pause', 'receivers/resume']) {
    const entry = { username: 'boss', subject: held.url, outcome: 'already', details: {} };
    assert.deepEqual(await lastAction(action), entry);
  }
  for (const wrong of [{ account_no: 'BETA' }, { account_no: 'NOBODY' }, { address: `${held.url}/x` }]) {
    assert.equal((await admin.send('/receivers/pause', { ...named, ...wrong })).status, 404);
  }
  assert.equal((await lastAction('receivers/pause'))?.outcome, 'not_found');
  await Promise.all(workers.map((worker) => worker.close()));
});

test('a receiver that rejects every callback is shown as failing, and goes on being sent the others', async () => {
  const receiver = await startReceiver(() => ({ status: 401 }));
  const receiver_id = receiverIdOf(alphaId, receiver.url);
  await queue({ count: 20, urls: [receiver.url] });
  const settings = { ...quick, retryDelaysSeconds: [600] };
  const worker = startTestDelivery(service, { settings });
  const tries = async () => (await database.read((sql) => sql`select from callback_attempt`)).length;
  await until('each was tried once', async () => (await tries()) === 20);
  const [rejecting] = (await viewer.ask(receiverList, { state: ['failing'] })).receivers;
  assert.deepEqual(
    { ...rejecting, last_failure_at: typeof rejecting?.last_failure_at, oldest_waiting_at: null },
    {
      receiver_id,
      account_no: 'ALPHA',
      address: receiver.url,
      state: 'failing',
      rejects: true,
      failures: 20,
      on_hold_until: null,
      last_success_at: null,
      last_failure_at: 'string',
      paused_at: null,
      paused_by: null,
      waiting: { count: 20, is_capped: false },
      oldest_waiting_at: null,
      failed: { count: 0, is_capped: false },
    },
  );

  receiver.behave(() => ({ status: 200 }));
  await queue({ count: 30, urls: [receiver.url], notify: true });
  await until('those that it accepts have arrived', async () => (await statuses()).delivered === 30);
  const [healthy] = (await viewer.ask(receiverList, { receiver_id })).receivers;
  assert.deepEqual([healthy!.state, healthy!.rejects, healthy!.failures], ['healthy', false, 0]);
  await worker.close();
});

test('callbacks that waited through a pause are not given up because of it', async () => {
  const receiver = await startReceiver(() => ({ status: 500 }));
  await queue({ count: 3, urls: [receiver.url] });
  await database.read((sql) => sql`update callback_delivery set give_up_at = now() - interval '1 hour'`);
  await database.read(
    (sql) => sql`update callback_receiver set failures = 5, open_until = now() + interval '5 minutes', paused = true`,
  );
  const times = { lookEverySeconds: 600, openSeconds: 600, openMaxSeconds: 600, retryDelaysSeconds: [600] };
  const settings = { ...quick, ...times };
  const worker = startTestDelivery(service, { settings });
  await admin.ask(receiverResume, { account_no: 'ALPHA', address: receiver.url });
  const tries = async () => (await database.read((sql) => sql`select from callback_attempt`)).length;
  await until('the probe is recorded', async () => (await tries()) === 1);
  assert.deepEqual([receiver.received.length, await statuses()], [1, { pending: 3 }]);
  await worker.close();
});
