import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beta, startTestApp } from '../support/app.ts';

const perSecond = 5;
// One app for each test: a bucket that an earlier test has emptied would refill while the next one runs.
const burst = await startTestApp({ env: { RATE_LIMIT: String(perSecond) } });
const attacked = await startTestApp({ env: { RATE_LIMIT: String(perSecond) } });
const unlimited = await startTestApp({ env: { RATE_LIMIT: 'off' } });

function product(skuId: string) {
  return { sku_id: skuId, sku_name: 'Oolong', storage_type: 1 };
}

test('the sixth call of a burst is told to come back, wrote nothing, and another account is unaffected', async () => {
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => burst.callWarehouse('/product/sync', product(`BURST-${index}`))),
  );

  const refused = answers.filter(({ status }) => status !== 200);
  assert.equal(refused.length, 1);
  const [answer] = refused;
  assert.equal(answer!.status, 429);
  assert.equal(answer!.headers['retry-after'], '1');
  assert.deepEqual(answer!.json, {
    code: 'LST-TPW-4290',
    trace_id: answer!.headers['trace-id'],
    message: 'too many requests; try again in 1 s',
    success: false,
    data: {},
  });
  const [stored] = await burst.store.database.read((sql) => sql`select count(*)::int from product where sku_id like 'BURST-%'`);
  assert.equal(stored!.count, perSecond);
  const line = await burst.requestLine(String(answer!.headers['trace-id']));
  assert.deepEqual([line?.status, line?.code, line?.account_no], [429, 'LST-TPW-4290', 'ALPHA']);

  assert.equal((await burst.callWarehouse('/product/sync', product('OTHER'), beta)).status, 200);
});

test('calls in the name of an account, but not signed by it, do not use up its budget', async () => {
  const forged = await Promise.all(
    Array.from({ length: 50 }, () => attacked.callWarehouse('/product/sync', product('FORGED'), { secret: 'guessed' })),
  );
  assert.deepEqual(new Set(forged.map(({ status }) => status)), new Set([401]));

  const own = await Promise.all(
    Array.from({ length: perSecond }, (_, index) => attacked.callWarehouse('/product/sync', product(`OWN-${index}`))),
  );
  assert.deepEqual(
    own.map(({ status }) => status),
    Array(perSecond).fill(200),
  );
});

test('RATE_LIMIT=off lets every call through', async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, () => unlimited.callWarehouse('/product/sync', product('MANY'))));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
});
