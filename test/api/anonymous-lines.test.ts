import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../support/app.ts';

// Nothing happens as time passes, so that the counts are exact on any machine.
const app = await startTestApp({ anonymousLines: { burst: 5, perSecond: 0, sumUpEveryMs: 2 ** 31 - 1 } });
const product = { sku_id: 'TEA', sku_name: 'Oolong', storage_type: 1 };

/** Lines of this status and account, the sum at the end. */
async function written(status: number, accountNo: string | null): Promise<(string | null)[]> {
  await app.requestLog.flush();
  const rows = await app.store.database.read(
    (sql) => sql<{ reason: string | null }[]>`
      select reason from request_log where status = ${status} and account_no is not distinct from ${accountNo} order by length(reason)`,
  );
  return rows.map((row) => row.reason);
}

function logged(): Record<string, unknown>[] {
  return app.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
}

const reason = 'account-no is not registered';

test('of many equal rejections of unknown callers the first are written, the others counted and summed up in one line', async () => {
  await Promise.all(
    Array.from({ length: 50 }, () => app.callWarehouse('/product/sync', product, { accountNo: 'NOBODY', secret: 'wrong' })),
  );
  assert.deepEqual(await written(401, null), Array(5).fill(reason));
  assert.equal(logged().length, 5);
  const { payload } = await app.http.inject('/metrics');
  assert.match(payload, /^lading_request_log_suppressed_total\{contract="warehouse",status="401"\} 45$/m);
  assert.match(payload, /^lading_http_requests_total\{contract="warehouse",endpoint="\/warehouse\/v1\/product\/sync",status="401"\} 50$/m);

  app.anonymousCalls.sumUp();
  const summedUp = [...Array(5).fill(reason), `${reason} (and 44 more requests like it)`];
  assert.deepEqual(await written(401, null), summedUp);
  assert.deepEqual([logged().length, logged().at(-1)!.suppressed], [6, 44]);
  app.anonymousCalls.sumUp();
  assert.deepEqual(await written(401, null), summedUp);
});

test('meanwhile another cause has lines of its own, and every call of an authenticated partner has its line', async () => {
  for (let calls = 0; calls < 3; calls++) await app.callWarehouse('/product/sync', product, { secret: 'wrong' });
  await app.http.inject('/nowhere');
  for (let calls = 0; calls < 20; calls++) await app.callWarehouse('/product/sync', { ...product, storage_type: 9 });
  assert.equal((await written(401, 'ALPHA')).length, 3);
  assert.equal((await written(404, null)).length, 1);
  assert.equal((await written(400, 'ALPHA')).length, 20);
});

test('wrong credentials of the token call are counted too, although their status is 200', async () => {
  const payload = { ClientId: 'nobody', CheckValue: 'guess' };
  for (let calls = 0; calls < 10; calls++) await app.http.inject({ method: 'POST', url: '/api/v1/token/getToken', payload });
  assert.deepEqual(await written(200, null), Array(5).fill('ClientId is not registered'));
});
