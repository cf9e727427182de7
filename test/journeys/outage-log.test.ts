import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDatabase } from '../../server/platform/postgres/database.ts';
import { makeRepeatLimiter } from '../../server/platform/repeated-lines.ts';
import { startTestApp } from '../support/app.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { syncProducts } from '../support/warehouse.ts';

let nowMs = 0;
const repeatLimiter = makeRepeatLimiter(() => nowMs);
const proxy = await startDatabaseProxy();
const app = await startTestApp({
  repeatLimiter,
  database: (store) => openDatabase(proxy.through(store.serviceConnection), { max: 4, deadlineSeconds: 20 }),
});
await syncProducts(app, ['TEA']);

const refusals = 200;
const call = () => app.callWarehouse('/product/sync', { sku_id: 'TEA', sku_name: 'Oolong', storage_type: 1 });
const warnings = () => app.logLines.map((line) => JSON.parse(line)).filter(({ level }) => /warn|error/.test(level));

test('during an outage of the database the log has a few lines per minute, which count all refusals', async () => {
  await proxy.refuse();
  const answers = await Promise.all(Array.from({ length: refusals }, call));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [503]);
  const requestLines = () => warnings().filter(({ msg, status }) => msg === 'request' && status === 503);
  assert.equal(requestLines().length, 5);
  assert.equal(warnings().filter(({ suppressed }) => suppressed !== undefined).length, 0);

  // A minute later, one line counts the others, and three more are written.
  nowMs += 60_000;
  repeatLimiter.sumUp();
  const counted = requestLines().reduce((sum, { suppressed = 0 }) => sum + 1 + suppressed, 0);
  assert.deepEqual([requestLines().length, counted], [6, refusals]);
  await Promise.all(Array.from({ length: refusals }, call));
  assert.equal(requestLines().length, 9);
  for (const { msg, trace_id } of requestLines()) assert.deepEqual([msg, typeof trace_id], ['request', 'string']);

  // The request log, which is in the database, complains no more often.
  for (let index = 0; index < 20; index++) await app.requestLog.flush();
  const others = warnings().filter(({ msg }) => msg.startsWith('the request log could not be written'));
  assert.ok(others.length >= 1 && others.length <= 8, String(others.length));
  await proxy.heal();
});

test('lines of different causes, lines for information, and a fatal line are not held back', () => {
  const written: string[] = [];
  const limiter = makeRepeatLimiter(() => 0);
  const write = (...args: unknown[]) => void written.push(JSON.stringify(args));
  const log = (level: number, ...args: unknown[]) => limiter.logMethod(args, write, level);
  for (let index = 0; index < 50; index++) {
    log(30, 'information');
    log(40, { error: `cause ${index}` }, 'warned');
    log(60, 'fatal');
    log(50, 'the same');
  }
  const count = (text: string) => written.filter((line) => line.includes(text)).length;
  assert.deepEqual([count('information'), count('warned'), count('fatal'), count('the same')], [50, 50, 50, 5]);
  limiter.sumUp();
  assert.equal(written.at(-1), '[{"suppressed":44},"the same"]');
});
