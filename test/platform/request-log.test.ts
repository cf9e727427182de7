import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readMessage } from '../../messages/message.ts';
import { makeRequestLog } from '../../server/domain/requests/request-log.ts';
import type { DiagnosedRequest, RequestLogLine } from '../../server/domain/requests/request-log-line.ts';
import { dropDaysBeyond, findRequest, forgetOldRequests } from '../../server/domain/requests/request-log-queries.ts';
import { newTraceId } from '../../server/platform/ids.ts';
import { makeLog } from '../../server/platform/log.ts';
import { type Database, openDatabase } from '../../server/platform/postgres/database.ts';
import { startTestApp } from '../support/app.ts';
import { holdTransaction, makeTestStore, type OwnerDatabase } from '../support/database.ts';
import { until } from '../support/worker.ts';

const app = await startTestApp();
const store = await makeTestStore();
after(() => store.close());

const product = (skuId: string) => ({ sku_id: skuId, sku_name: 'Oolong', storage_type: 1 });
const dayMs = 86_400_000;

function lineAt(at: Date, endpoint: string): RequestLogLine {
  return {
    at,
    trace_id: newTraceId(at.getTime()),
    contract: 'warehouse',
    method: 'POST',
    endpoint,
    status: 200,
    duration_us: 1500,
    account_no: 'ALPHA',
    document_no: 'DOC',
    code: 'LST-TPW-2000',
    reason: null,
    diagnosis: null,
  };
}

/** A request log of its own, with what it warned of and what it dropped. */
function openLog(database: Database) {
  const warnings: string[] = [];
  const dropped: number[] = [];
  const log = makeLog('warn', { write: (line) => void warnings.push(JSON.parse(line).msg) });
  const requestLog = makeRequestLog(database, { log, onDropped: (count) => void dropped.push(count) });
  return { requestLog, warnings, dropped };
}

async function endpointsOf(prefix: string, database: OwnerDatabase = store.database): Promise<string[]> {
  const rows = await database.read(
    (sql) =>
      sql`select endpoint from request_log where endpoint like ${`${prefix}%`} order by length(endpoint), endpoint`,
  );
  return rows.map((row) => row.endpoint);
}

test('every call has its line: who, what, which document, how it ended and why, how long it took', async () => {
  const calls = [
    {
      answer: await app.callWarehouse('/product/sync', product('LINE-1')),
      account: 'ALPHA',
      document: 'LINE-1',
      reason: null,
    },
    {
      answer: await app.callWarehouse('/product/sync', '{'),
      account: 'ALPHA',
      document: null,
      reason: { code: 'ends_early' },
    },
    {
      answer: await app.callWarehouse('/product/sync', { ...product('LINE-4'), sku_id: 7 }),
      account: 'ALPHA',
      document: null,
      reason: { code: 'at_field', params: { field: 'sku_id', problem: { code: 'not_string' } } },
    },
    {
      answer: await app.callWarehouse('/product/sync', product('LINE-2'), { secret: 'wrong' }),
      account: 'ALPHA',
      document: null,
      reason: { code: 'signature_mismatch' },
    },
    {
      answer: await app.callWarehouse('/product/sync', product('LINE-3'), { accountNo: 'NOBODY', secret: 'wrong' }),
      account: null,
      document: null,
      reason: { code: 'account_not_registered' },
    },
  ];
  await app.requestLog.flush();
  for (const { answer, account, document, reason } of calls) {
    const traceId = answer.headers['trace-id'] as string;
    const { at, duration_us, diagnosis, ...stored } = (await findRequest(app.store.service, traceId))!;
    assert.deepEqual(
      { ...stored, reason: readMessage(stored.reason) },
      {
        trace_id: traceId,
        contract: 'warehouse',
        method: 'POST',
        endpoint: '/warehouse/v1/product/sync',
        status: answer.status,
        account_no: account,
        document_no: document,
        code: answer.json.code,
        reason,
      },
    );
    assert.ok(Math.abs(at.getTime() - Date.now()) < 60_000);
    assert.ok(duration_us > 0);
    assert.equal(diagnosis !== null, answer.status === 401);
  }
});

test('a trace id that is not ours, or unknown, finds nothing', async () => {
  for (const traceId of [newTraceId(Date.now()), '6f1c1a3e-6f0a-4b57-9c1c-2f8b7a8c1d11', 'x', "' or true --"]) {
    assert.equal(await findRequest(app.store.service, traceId), null);
  }
});

test('lines are written in groups of a thousand', async () => {
  const statements: string[] = [];
  const counting: Database = {
    ...store.service,
    read: (...asked) => {
      statements.push('insert');
      return store.service.read(...asked);
    },
    transaction: (...asked) => {
      statements.push('partition');
      return store.service.transaction(...asked);
    },
  };
  const { requestLog } = openLog(counting);
  const now = new Date();
  for (let index = 0; index < 2500; index++) requestLog.add(lineAt(now, `/group/${index}`));
  assert.deepEqual(statements, []);
  await requestLog.close();

  assert.deepEqual(statements, ['partition', 'insert', 'insert', 'insert']);
  assert.deepEqual(
    await endpointsOf('/group/'),
    Array.from({ length: 2500 }, (_, index) => `/group/${index}`),
  );
});

test('a line whose diagnosis is under way is written with it; the others do not wait, and closing does', async () => {
  const { requestLog } = openLog(store.service);
  const found = Promise.withResolvers<DiagnosedRequest>();
  requestLog.add(lineAt(new Date(), '/diagnosed/1'), found.promise);
  requestLog.add(lineAt(new Date(), '/diagnosed/2'));
  await until('the other is written', async () => (await endpointsOf('/diagnosed/')).length > 0);
  assert.deepEqual(await endpointsOf('/diagnosed/'), ['/diagnosed/2']);

  const closing = requestLog.close();
  found.resolve({ diagnosis: 'It was the clock.', provenAccountNo: null });
  await closing;
  const rows = await store.database.read(
    (sql) => sql`select diagnosis from request_log where endpoint like '/diagnosed/%' order by endpoint`,
  );
  assert.deepEqual(
    rows.map(({ diagnosis }) => diagnosis),
    ['It was the clock.', null],
  );
});

test('a log that cannot be written fails no request, and its lines are written when it can', async () => {
  await app.requestLog.flush();
  await app.store.database.read((sql) => sql`alter table request_log rename to request_log_away`);
  const answers = [
    await app.callWarehouse('/product/sync', product('AWAY-1')),
    await app.callWarehouse('/product/sync', product('AWAY-2')),
  ];
  await app.requestLog.flush();
  const third = await app.callWarehouse('/product/sync', product('AWAY-3'));
  await app.store.database.read((sql) => sql`alter table request_log_away rename to request_log`);
  await app.requestLog.flush();

  for (const answer of [...answers, third]) {
    assert.equal(answer.status, 200);
    assert.equal((await app.requestLine(String(answer.headers['trace-id'])))?.status, 200);
  }
  assert.ok(
    app.logLines.some((line) => JSON.parse(line).msg === 'the request log could not be written; its lines wait'),
  );
});

test('a log that is locked holds up no request', async () => {
  const { release } = await holdTransaction(
    app.store.database,
    (tx) => tx`lock table request_log in access exclusive mode`,
  );
  app.requestLog.add(lineAt(new Date(), '/locked'));
  const flushing = app.requestLog.flush();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => app.callWarehouse('/product/sync', product(`LOCKED-${index}`))),
  );
  assert.deepEqual(await Promise.race([flushing.then(() => 'written'), 'still waiting']), 'still waiting');
  await Promise.all([release(), flushing]);

  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.deepEqual(await endpointsOf('/locked', app.store.database), ['/locked']);
  for (const { headers } of answers) assert.ok(await app.requestLine(String(headers['trace-id'])));
});

test('what waits is bounded: beyond 20,000 lines the oldest are dropped, and counted in the metric', async () => {
  await app.requestLog.flush();
  await app.store.database.read((sql) => sql`alter table request_log rename to request_log_away`);
  const now = new Date();
  for (let index = 0; index < 20_001; index++) app.requestLog.add(lineAt(now, `/bounded/${index}`));
  await app.store.database.read((sql) => sql`alter table request_log_away rename to request_log`);
  await app.requestLog.flush();

  assert.match((await app.http.inject('/metrics')).payload, /^lading_request_log_dropped_total 1000$/m);
  const kept = await endpointsOf('/bounded/', app.store.database);
  assert.deepEqual([kept.length, kept[0], kept.at(-1)], [19_001, '/bounded/1000', '/bounded/20000']);
});

test('each day has a partition of its own, by the time of the call', async () => {
  const { requestLog } = openLog(store.service);
  requestLog.add(lineAt(new Date('2024-02-28T23:59:59.999Z'), '/days/before'));
  requestLog.add(lineAt(new Date('2024-02-29T00:00:00.000Z'), '/days/first'));
  requestLog.add(lineAt(new Date('2024-02-29T23:59:59.999Z'), '/days/last'));
  await requestLog.close();

  const rows = await store.database.read(
    (sql) =>
      sql`select endpoint, tableoid::regclass::text as partition from request_log where endpoint like '/days/%' order by at`,
  );
  assert.deepEqual(
    rows.map(({ endpoint, partition }) => [endpoint, partition]),
    [
      ['/days/before', 'request_log_20240228'],
      ['/days/first', 'request_log_20240229'],
      ['/days/last', 'request_log_20240229'],
    ],
  );
});

test('old days are forgotten, and only those', async () => {
  const { requestLog } = openLog(store.service);
  const now = new Date('2031-07-15T12:00:00Z');
  for (const age of [45, 31, 30, 29, 0]) requestLog.add(lineAt(new Date(now.getTime() - age * dayMs), `/age/${age}`));
  await requestLog.close();
  const dropped = await forgetOldRequests(store.service, 30, now);

  assert.ok(dropped.includes('request_log_20310531'));
  assert.ok(dropped.includes('request_log_20310614'));
  assert.ok(!dropped.includes('request_log_20310615'));
  assert.deepEqual(await endpointsOf('/age/'), ['/age/0', '/age/29', '/age/30']);
  assert.deepEqual(await forgetOldRequests(store.service, 30, now), []);
});

test('a log that is too large loses its oldest days, never the newest; where that one alone is too large, no more lines are written', async () => {
  const sized = await makeTestStore();
  after(() => sized.close());
  const { database, service } = sized;
  const days = ['2033-01-01', '2033-01-02', '2033-01-03'];
  const { requestLog } = openLog(service);
  for (const day of days) {
    for (let index = 0; index < 1000; index++) requestLog.add(lineAt(new Date(`${day}T12:00:00Z`), `/sized/${day}`));
  }
  await requestLog.close();
  const { bytes } = await dropDaysBeyond(service, Number.MAX_SAFE_INTEGER);
  const daysKept = async () => [...new Set(await endpointsOf('/sized/', database))];
  assert.deepEqual(
    await daysKept(),
    days.map((day) => `/sized/${day}`),
  );

  // Two days of three are more than nine tenths of this.
  const { dropped } = await dropDaysBeyond(service, Math.floor(bytes * 0.8));
  assert.deepEqual([dropped, await daysKept()], [['request_log_20330101'], ['/sized/2033-01-02', '/sized/2033-01-03']]);

  const warnings: string[] = [];
  const log = makeLog('warn', { write: (line) => void warnings.push(JSON.parse(line).msg) });
  const lost: number[] = [];
  const small = makeRequestLog(service, { log, onDropped: (count) => void lost.push(count), maxBytes: 1 });
  small.add(lineAt(new Date('2033-01-03T12:00:00Z'), '/too-much'));
  await small.close();
  assert.deepEqual(
    [lost, await daysKept(), await endpointsOf('/too-much', database)],
    [[1], ['/sized/2033-01-03'], []],
  );
  assert.deepEqual(warnings, [
    'the request log was too large; its oldest days were dropped',
    'the lines of today alone fill the request log; none are written',
  ]);

  const nextDay = makeRequestLog(service, { log, onDropped: () => {}, maxBytes: Math.floor(bytes / 10) });
  nextDay.add(lineAt(new Date('2033-01-04T00:00:00Z'), '/next-day'));
  await nextDay.close();
  assert.deepEqual([await daysKept(), await endpointsOf('/next-day', database)], [[], ['/next-day']]);
});

test('two nodes that write the same new days at once do not get in each other’s way', async () => {
  const other = openDatabase(store.serviceConnection, { max: 4, deadlineSeconds: 4.5 });
  const logs = [openLog(store.service), openLog(other)];
  for (let day = 1; day <= 20; day++) {
    for (const [node, { requestLog }] of logs.entries())
      requestLog.add(lineAt(new Date(Date.UTC(2032, 0, day)), `/race/${node}/${day}`));
  }
  await Promise.all(logs.map(({ requestLog }) => requestLog.close()));
  await other.close();

  assert.deepEqual(
    logs.flatMap(({ warnings, dropped }) => [...warnings, ...dropped]),
    [],
  );
  assert.equal((await endpointsOf('/race/')).length, 40);
});
