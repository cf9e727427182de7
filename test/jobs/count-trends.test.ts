import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestLogLine } from '../../server/domain/requests/request-log-line.ts';
import { forgetOldRequests, insertLines, prepareDays } from '../../server/domain/requests/request-log-queries.ts';
import { findLastCalls, sumCalls } from '../../server/domain/trends/call-trend-queries.ts';
import { countCalls } from '../../server/domain/trends/count-calls.ts';
import { forgetOldTrends, trendDaysKept } from '../../server/domain/trends/forget-old-trends.ts';
import { newTraceId } from '../../server/platform/ids.ts';
import { noAccounts } from '../../server/platform/postgres/sql.ts';
import { startTestApp } from '../support/app.ts';
import { live, provisionLive } from '../support/live.ts';
import { purge } from '../support/purge.ts';

const app = await startTestApp();
const { database, service } = app.store;
await provisionLive(app);
const dayMs = 86_400_000;

async function idOf(accountNo: string): Promise<number> {
  const [row] = await database.read((sql) => sql`select account_id as id from account where account_no = ${accountNo}`);
  return row!.id;
}

/** Writes lines as a node does. */
async function log(...lines: (Partial<RequestLogLine> & { at: Date })[]): Promise<void> {
  const whole = lines.map((line) => ({
    trace_id: newTraceId(line.at.getTime()),
    contract: 'warehouse',
    method: 'POST',
    endpoint: '/warehouse/v1/outbound/create',
    status: 200,
    duration_us: 2000,
    account_no: 'ALPHA',
    document_no: null,
    code: null,
    reason: null,
    diagnosis: null,
    ...line,
  }));
  await prepareDays(service, whole, new Set());
  await service.read(noAccounts, (sql) => insertLines(sql, whole));
}

async function count(now: string): Promise<number> {
  return await countCalls(service, { now: new Date(now), exceptContract: 'console', restRatio: 0 });
}

async function callHours(accountNo: string) {
  const rows = await database.read(
    (sql) => sql`
      select hour, calls, refused, failed, duration_ms, last_call_at from call_trend
      where account_id = (select account_id from account where account_no = ${accountNo}) order by hour`,
  );
  return rows.map(({ hour, calls, refused, failed, duration_ms, last_call_at }) => {
    const last = (last_call_at as Date | null)?.toISOString().slice(11, 19) ?? null;
    return [(hour as Date).toISOString().slice(0, 13), calls, refused, failed, duration_ms, last];
  });
}

const at = (time: string) => new Date(`2026-03-02T${time}Z`);

test('calls are counted by account and hour: refused and failed ones, their time, and the last one that was not a stranger', async () => {
  await log(
    { at: at('04:00:00.000') },
    { at: at('04:59:59.999'), status: 422, duration_us: 3000 },
    { at: at('05:00:00.000'), status: 503, duration_us: 500_000 },
    { at: at('05:20:00.000') },
    // Anybody can name an account with a wrong signature.
    { at: at('05:30:00.000'), status: 401 },
    { at: at('06:10:00.000'), status: 401 },
    { at: at('05:10:00.000'), account_no: live.accountNo },
    { at: at('05:10:00.000'), account_no: null, status: 401 },
    { at: at('05:10:00.000'), account_no: 'ALPHA', contract: 'console' },
    { at: at('05:10:00.000'), account_no: 'NOBODY', status: 401 },
  );
  assert.equal(await count('2026-03-02T06:20:00Z'), 3);
  const ofAlpha = [
    ['2026-03-02T04', 2, 1, 0, 5, '04:59:59'],
    ['2026-03-02T05', 3, 1, 1, 504, '05:20:00'],
    ['2026-03-02T06', 1, 1, 0, 2, null],
  ];
  assert.deepEqual(await callHours('ALPHA'), ofAlpha);
  assert.deepEqual(await callHours(live.accountNo), [['2026-03-02T05', 1, 0, 0, 2, '05:10:00']]);

  assert.equal(await count('2026-03-02T06:25:00Z'), 1);
  assert.deepEqual(await callHours('ALPHA'), ofAlpha);
});

test('a line that is written late is counted while its hour is not settled, and never twice', async () => {
  // The line waited in memory while the database was away.
  await log({ at: at('06:55:00.000') }, { at: at('07:05:00.000') });
  await count('2026-03-02T07:06:00Z');
  await log({ at: at('06:50:00.000') });
  await count('2026-03-02T07:11:00Z');
  assert.deepEqual((await callHours('ALPHA')).slice(2), [
    ['2026-03-02T06', 3, 1, 0, 6, '06:55:00'],
    ['2026-03-02T07', 1, 0, 0, 2, '07:05:00'],
  ]);
  assert.equal(await count('2026-03-02T07:15:00Z'), 2);
  assert.equal(await count('2026-03-02T07:20:00Z'), 1);
});

test('a run that is stopped saves no part of an hour, and the next one continues there', async () => {
  await log({ at: at('08:30:00.000') });
  const run = { now: new Date('2026-03-02T09:30:00Z'), exceptContract: 'console', restRatio: 0 };
  assert.equal(await countCalls(service, { ...run, stopping: AbortSignal.abort() }), 0);
  assert.equal((await callHours('ALPHA')).length, 4);
  assert.equal(await countCalls(service, run), 2);
  assert.deepEqual((await callHours('ALPHA')).at(-1), ['2026-03-02T08', 1, 0, 0, 2, '08:30:00']);
});

test('counts outlive the request log, and end after their own retention', async () => {
  const before = await callHours('ALPHA');
  const now = new Date('2026-05-30T00:00:00Z');
  assert.deepEqual(await forgetOldRequests(service, 30, now), ['request_log_20260302']);
  await count('2026-05-30T00:00:00Z');
  await forgetOldTrends(service, now, { restRatio: 0 });
  assert.deepEqual(await callHours('ALPHA'), before);

  await forgetOldTrends(service, new Date(at('06:00:00').getTime() + trendDaysKept * dayMs), { restRatio: 0 });
  assert.deepEqual(await callHours('ALPHA'), before.slice(2));
  assert.deepEqual(await callHours(live.accountNo), []);
});

test('sums and last calls of several accounts are found by account', async () => {
  const accounts = [{ accountId: await idOf('ALPHA') }, { accountId: await idOf('BETA') }];
  const ids = accounts.map(({ accountId }) => accountId);
  const sums = await service.read(ids, (sql) => sumCalls(sql, accounts, { from: at('06:00:00'), to: at('08:00:00') }));
  assert.deepEqual([...sums], [{ accountId: ids[0], calls: 4, refused: 1, failed: 0, durationMs: 8 }]);
  const last = await service.read(ids, (sql) => findLastCalls(sql, accounts));
  assert.deepEqual([...last], [{ accountId: ids[0], lastCallAt: at('08:30:00.000') }]);
});

test('a purge of UAT data deletes the counts of UAT accounts before its day, and no others', async () => {
  await log({ at: new Date('2026-05-30T00:10:00Z'), account_no: live.accountNo });
  await count('2026-05-30T00:20:00Z');
  await purge(app, { madeBefore: at('08:00:00') });
  assert.deepEqual(await callHours('ALPHA'), [['2026-03-02T08', 1, 0, 0, 2, '08:30:00']]);
  await purge(app, { madeBefore: new Date('2026-06-01T00:00:00Z') });
  assert.deepEqual(await callHours('ALPHA'), []);
  assert.equal((await callHours(live.accountNo)).length, 1);
});
