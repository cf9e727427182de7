import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../support/app.ts';

const app = await startTestApp();
const product = { sku_id: 'PACED', sku_name: 'Oolong', storage_type: 1 };

test('beyond 500 refusals a second further ones are held back, though all are answered; neither what is right nor a mistake in a body is', async () => {
  let refused = 0;
  const crowd = Array.from({ length: 800 }, async () => {
    const answer = await app.callWarehouse('/product/sync', product, { secret: 'wrong' });
    refused++;
    return answer.status;
  });
  while (refused < 500) await new Promise(setImmediate);
  const right = await app.callWarehouse('/product/sync', product);
  const mistaken = await app.callWarehouse('/product/sync', { ...product, storage_type: 9 });
  const refusedBefore = refused;
  const statuses = await Promise.all(crowd);

  assert.deepEqual([right.status, mistaken.status], [200, 400]);
  assert.ok(refusedBefore < 800, 'both overtook those that were held');
  assert.deepEqual(new Set(statuses), new Set([401]));
});
