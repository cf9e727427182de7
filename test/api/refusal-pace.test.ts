import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../support/app.ts';

/** Holds every refusal that it is asked about until the test lets them go. */
const held: (() => void)[] = [];
const app = await startTestApp({ env: { RATE_LIMIT: '5' }, refusalPace: () => new Promise((go) => held.push(go)) });
const product = { sku_id: 'PACED', sku_name: 'Oolong', storage_type: 1 };

test('refusals that cost their sender nothing wait for their turn; what is right, and a mistake in a body, do not', async () => {
  const right = await app.callWarehouse('/product/sync', product);
  const mistaken = await app.callWarehouse('/product/sync', { ...product, storage_type: 9 });
  assert.deepEqual([right.status, mistaken.status, held.length], [200, 400, 0]);

  const answered: number[] = [];
  const calls = [
    app.callWarehouse('/product/sync', product, { secret: 'wrong' }).then(({ status }) => answered.push(status)),
    app.callWarehouse('/no/such/path', product).then(({ status }) => answered.push(status)),
    app.http.inject('/warehouse/v1/product/sync').then(({ statusCode }) => answered.push(statusCode)),
    app.http.inject('/no-such-path').then(({ statusCode }) => answered.push(statusCode)),
    // More than the limit lets through, however slow the machine is.
    ...Array.from({ length: 100 }, () => app.callWarehouse('/product/sync', product).then(({ status }) => answered.push(status))),
  ];
  while (answered.length + held.length < calls.length) await new Promise(setImmediate);
  assert.deepEqual(new Set(answered), new Set([200]));
  assert.equal((await app.http.inject('/health/live')).statusCode, 200);

  for (const go of held) go();
  await Promise.all(calls);
  assert.deepEqual([...new Set(answered)].toSorted(), [200, 401, 404, 405, 429]);
});
