import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointName } from '../../console/pages/requests/request-words.ts';
import { mistakeIn, rangeBody, taipeiClock } from '../../console/pages/requests/time-range.ts';
import { callbackRedeliver } from '../../contract/console/callbacks.ts';
import { requestDetail, requestGrouped, requestSearch } from '../../contract/console/requests.ts';
import { formatMessage } from '../../messages/format-message.ts';
import { explainError } from '../../messages/message.ts';
import { valueNames } from '../../messages/value-names.ts';
import type { RequestLogLine } from '../../server/domain/requests/request-log-line.ts';
import { unknownEndpoint } from '../../server/http/request-record.ts';
import { newTraceId } from '../../server/platform/ids.ts';
import { makeRunHere } from '../cli/run-here.ts';
import { startTestApp } from '../support/app.ts';
import { settingsFor } from '../support/command.ts';
import { allRows, column, columns, provisionOperators, signIn } from '../support/console.ts';
import { form, formPath, item } from '../support/logistics.ts';

const app = await startTestApp();
await provisionOperators(app);
const here = makeRunHere(settingsFor(app.store));
const [viewer, staff] = [await signIn(app, 'viewer'), await signIn(app, 'staff')];

/** Lines of a day long ago, a minute apart, the first one the oldest; their trace ids. */
function logged(day: string, lines: Partial<RequestLogLine>[]): string[] {
  return lines.map((line, index) => {
    const at = new Date(Date.parse(`${day}T10:00:00Z`) + index * 60_000);
    const trace_id = newTraceId(at.getTime());
    app.requestLog.add({
      at,
      trace_id,
      contract: 'warehouse',
      method: 'POST',
      endpoint: '/warehouse/v1/outbound/create',
      status: 200,
      duration_us: 1500,
      account_no: 'ALPHA',
      document_no: null,
      code: null,
      reason: null,
      diagnosis: null,
      ...line,
    });
    return trace_id;
  });
}

const aDay = (day: string) => ({ from: `${day}T00:00:00+00:00`, to: `${day}T23:59:59+00:00` });

test('requests are found by time, account, contract, endpoint, status, code and document; the newest first, page by page', async () => {
  const ids = logged('2026-03-01', [
    {},
    { status: 409, code: 'LST-TPW-4009', document_no: 'O-1' },
    { contract: 'main', endpoint: '/api/v2/default/orders/cancel', account_no: 'BETA' },
    { status: 401, account_no: null, reason: 'account-no is not registered' },
    { status: 503, document_no: 'O-1' },
  ]);
  await app.requestLog.flush();
  const range = aDay('2026-03-01');
  const find = async (body: object) => {
    const rows = await allRows(viewer, requestSearch, { ...range, page_size: 3, ...body });
    return rows.map(({ trace_id }) => ids.indexOf(trace_id));
  };
  assert.deepEqual(await find({}), [4, 3, 2, 1, 0]);
  assert.deepEqual(await find({ account_no: 'BETA' }), [2]);
  assert.deepEqual(await find({ account_no: null }), [3]);
  assert.deepEqual(await find({ contract: ['warehouse', 'console'] }), [4, 3, 1, 0]);
  assert.deepEqual(await find({ endpoint: 'orders/' }), [2]);
  assert.deepEqual(await find({ status: ['4xx'] }), [3, 1]);
  assert.deepEqual(await find({ status: ['409', '5xx'] }), [4, 1]);
  assert.deepEqual(await find({ code: 'LST-TPW-4009' }), [1]);
  assert.deepEqual(await find({ document_no: 'O-1' }), [4, 1]);
  assert.deepEqual(await find({ trace_id: ids[2] }), [2]);
  assert.deepEqual(await find({ from: '2026-03-01T18:01:00+08:00', to: '2026-03-01T18:03:00+08:00' }), [2, 1]);

  const first = await viewer.ask(requestSearch, { ...range, page_size: 3 });
  assert.deepEqual(first.rows[1], {
    trace_id: ids[3],
    at: '2026-03-01T18:03:00.000000+08:00',
    contract: 'warehouse',
    method: 'POST',
    endpoint: '/warehouse/v1/outbound/create',
    status: 401,
    duration_ms: 1.5,
    account_no: null,
    document_no: null,
    code: null,
    reason: 'account-no is not registered',
  });
  const strange = await viewer.send('/requests/search', { ...range, status: ['4xx'], cursor: first.next_cursor });
  assert.deepEqual([strange.status, strange.json.error?.mistakes?.[0]?.path], [400, 'cursor']);
});

test('without a time the last hour is searched; more than seven days, or a time that ends before it begins, are refused', async () => {
  const { headers } = await app.callWarehouse('/product/sync', { sku_id: 'NOW', sku_name: 'Oolong', storage_type: 1 });
  await app.requestLog.flush();
  const found = await viewer.ask(requestSearch, { contract: ['warehouse'], document_no: 'NOW' });
  assert.deepEqual([column(found.rows, 'trace_id'), found.searched_to], [[headers['trace-id']], null]);
  const hours = (Date.parse(found.to) - Date.parse(found.from)) / 3_600_000;
  assert.ok(hours >= 1 && hours < 1.05);
  const week = await viewer.ask(requestSearch, { minutes: 10_080, document_no: 'NOW' });
  assert.equal(week.rows.length, 1);
  for (const wrong of [
    { from: '2026-03-01T00:00:00Z', to: '2026-03-08T00:02:00Z' },
    { from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' },
    { minutes: 10_081 },
    { minutes: 5, from: '2026-03-02T00:00:00Z' },
  ]) {
    assert.equal((await viewer.send('/requests/search', wrong)).status, 400);
    assert.equal((await viewer.send('/requests/grouped', wrong)).status, 400);
  }
});

test('a search that finds little looks at a bounded number of lines and goes on where it was', async () => {
  const { database } = app.store;
  logged('2026-04-01', [{ document_no: 'NEEDLE' }]);
  await app.requestLog.flush();
  await database.read(
    (sql) => sql`
      insert into request_log (at, trace_id, contract, method, endpoint, status, duration_us)
      select at, (substr(hex, 1, 8) || '-' || substr(hex, 9) || '-7000-8000-000000000000')::uuid, 'main', 'POST', '/x', 200, 1
      from (select at, lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') as hex
        from generate_series('2026-04-01T12:00:00Z'::timestamptz, '2026-04-01T12:01:00Z', interval '2 milliseconds') at) made`,
  );
  const asked = { ...aDay('2026-04-01'), document_no: 'NEEDLE' };
  assert.deepEqual(column(await allRows(viewer, requestSearch, asked), 'document_no'), ['NEEDLE']);
});

test('refusals and failures are grouped by endpoint, status, code and account, the most frequent first', async () => {
  const refused = { status: 409, code: 'LST-TPW-4009' };
  const ids = logged('2026-03-02', [
    { ...refused, reason: 'first' },
    { ...refused, account_no: 'BETA' },
    {},
    { ...refused, reason: 'last' },
    { status: 401, account_no: null },
  ]);
  await app.requestLog.flush();
  const { groups, has_more, searched_to } = await viewer.ask(requestGrouped, aDay('2026-03-02'));
  assert.deepEqual([has_more, searched_to], [false, null]);
  const common = { contract: 'warehouse', endpoint: '/warehouse/v1/outbound/create' };
  const last = (index: number) => ({
    last_at: `2026-03-02T18:0${index}:00.000000+08:00`,
    trace_id: ids[index],
  });
  assert.deepEqual(groups, [
    { ...common, ...refused, account_no: 'ALPHA', count: 2, ...last(3), reason: 'last' },
    { ...common, status: 401, code: null, account_no: null, count: 1, ...last(4), reason: null },
    { ...common, ...refused, account_no: 'BETA', count: 1, ...last(1), reason: null },
  ]);
  const ofBeta = await viewer.ask(requestGrouped, { ...aDay('2026-03-02'), account_no: 'BETA' });
  assert.deepEqual(column(ofBeta.groups, 'trace_id'), [ids[1]]);
});

test('a refused signature is diagnosed as by the doctor, and another refusal explained as by the doctor', async () => {
  const body = { sku_id: 'SKU', sku_name: 'Oolong', storage_type: 1 };
  const signature = await app.callWarehouse('/product/sync', body, {
    secret: 'beta-secret-of-thirty-two-characters-or-more',
  });
  const refusal = await app.callWarehouse('/product/sync', { ...body, sku_id: '' });
  await app.requestLog.flush();
  for (const { status, headers } of [signature, refusal]) {
    const trace_id = String(headers['trace-id']);
    const found = await viewer.ask(requestDetail, { trace_id });
    assert.ok(found.kind === 'found');
    const said = await here.json(['doctor', trace_id]);
    const inEnglish = found.diagnosis?.map((one) => formatMessage(one)) ?? null;
    assert.deepEqual(
      [found.line.status, formatMessage(found.line.reason ?? ''), inEnglish],
      [status, said.reason, said.diagnosis],
    );
    for (const one of found.diagnosis ?? []) assert.equal(typeof one, 'object');
    assert.equal(found.error, said.diagnosis === null ? 'not_identifier' : null);
    if (found.error !== null) assert.equal(formatMessage(explainError(found.error).fix), said.explanation.fix);
  }
});

test('a request shows what it has left behind: documents, their callbacks, and what an operator did', async () => {
  const { headers } = await app.callLogistics(formPath, form('TRACED-1', [item('TEA', 3)]));
  await app.requestLog.flush();
  const made = await viewer.ask(requestDetail, { trace_id: String(headers['trace-id']) });
  assert.ok(made.kind === 'found');
  const [document] = made.documents;
  assert.deepEqual(
    [document!.type, document!.partner_number, document!.status, column(document!.done, 'event')],
    ['inbound', 'TRACED-1', 'received', ['create']],
  );
  assert.deepEqual(columns(made.callbacks, 'event', 'document_no', 'status'), [
    ['inbound.received', 'TRACED-1', 'pending'],
  ]);
  assert.deepEqual(made.actions, []);

  const { callback_id } = made.callbacks[0]!;
  const { headers: ofConsole } = await staff.send(callbackRedeliver.path, { callback_ids: [callback_id] });
  await app.requestLog.flush();
  const done = await viewer.ask(requestDetail, { trace_id: String(ofConsole['trace-id']) });
  assert.ok(done.kind === 'found');
  assert.deepEqual(columns(done.actions, 'username', 'action', 'subject', 'outcome'), [
    ['packer', 'callbacks/redeliver', String(callback_id), 'redelivered'],
  ]);
});

test('a request that could not be read has a name for its path in each language', () => {
  const { en, 'zh-TW': chinese } = valueNames;
  assert.deepEqual(
    [en, chinese].map((names) => endpointName(unknownEndpoint, names.unknownEndpoint)),
    ['Unknown', '不明'],
  );
  assert.equal(endpointName('/orders/order', en.unknownEndpoint), '/orders/order');
});

test('the time of the page becomes the range of the call, and a range that cannot be searched is named', () => {
  const none = { within: '', from: '', to: '' };
  assert.deepEqual(rangeBody(none), { minutes: 60 });
  assert.deepEqual(rangeBody({ ...none, within: 'week' }), { minutes: 10_080 });
  const custom = { within: '', from: '2026-11-16T10:00', to: '2026-11-16T12:30' };
  assert.deepEqual(rangeBody(custom), { from: '2026-11-16T10:00:00+08:00', to: '2026-11-16T12:30:00+08:00' });
  assert.deepEqual([mistakeIn(custom), mistakeIn({ ...custom, to: custom.from })], [null, 'wrongOrder']);
  assert.equal(mistakeIn({ ...custom, to: '2026-11-23T10:01' }), 'tooLong');
  assert.equal(taipeiClock(new Date('2026-11-16T16:05:00Z')), '2026-11-17T00:05');
});

test('a trace id that is not ours, unknown, or too young has its own response', async () => {
  const ask = (trace_id: string) => viewer.ask(requestDetail, { trace_id });
  assert.deepEqual(await ask('6f1c1a3e-6f0a-4b57-9c1c-2f8b7a8c1d11'), { kind: 'not_ours' });
  assert.deepEqual(await ask(newTraceId(Date.UTC(2026, 0, 1))), { kind: 'missing', is_young: false });
  assert.deepEqual(await ask(newTraceId(Date.now() - 10_000)), { kind: 'missing', is_young: true });
});
