import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpha, beta, startTestApp } from '../support/app.ts';
import { gatherCrowd, openDoor } from '../support/crowd.ts';
import { startSecondNode } from '../support/second-node.ts';
import { roundsOf } from './rounds.ts';

const app = await startTestApp();
const crowd = gatherCrowd([await openDoor(app), await openDoor(await startSecondNode(app))], 60);
const rounds = roundsOf({ usual: 3, full: 100 });

test('one new sku, synced sixty times at once on two nodes by two accounts: one product each, as one of its syncs said it', async () => {
  for (let round = 1; round <= rounds; round++) {
    const callers = Array.from({ length: 60 }, (_, index) => (index % 4 < 2 ? alpha : beta));
    const answers = await crowd.call(
      callers.map((caller, index) => ({
        path: '/product/sync',
        body: { sku_id: `NEW-${round}`, sku_name: `Name ${index}`, storage_type: 1 + (index % 4), weight: index, length: index },
        caller,
      })),
    );

    const rows = await app.store.database.read(
      (sql) => sql`
        select product_id, account_no, p.name, storage_type, weight_kg::int, length_cm::int
        from product p join account using (account_id) where sku_id = ${`NEW-${round}`} order by account_no`,
    );
    assert.deepEqual(
      rows.map(({ account_no }) => account_no),
      ['ALPHA', 'BETA'],
    );
    for (const [index, { json }] of answers.entries()) {
      const { product_id } = rows.find(({ account_no }) => account_no === callers[index]!.accountNo)!;
      assert.deepEqual(json.data, { success: true, products_id: product_id });
    }
    for (const { account_no, name, storage_type, weight_kg, length_cm } of rows) {
      const said = Number(name.slice('Name '.length));
      assert.equal(callers[said]!.accountNo, account_no);
      const storageTypes = ['ambient', 'air_conditioned', 'frozen', 'chilled'];
      assert.deepEqual([storage_type, weight_kg, length_cm], [storageTypes[said % 4], said, said]);
    }
  }
});

test('syncs that each say one measure of a sku, at once on two nodes: none is lost', async () => {
  const measures = ['length', 'width', 'height', 'weight'];
  for (let round = 1; round <= rounds; round++) {
    await crowd.call(
      Array.from({ length: 60 }, (_, index) => ({
        path: '/product/sync',
        body: { sku_id: `PARTS-${round}`, sku_name: 'Parts', storage_type: 1, [measures[index % 4]!]: 1 + (index % 4) },
      })),
    );

    const [row] = await app.store.database.read(
      (sql) => sql`select length_cm::int, width_cm::int, height_cm::int, weight_kg::int from product where sku_id = ${`PARTS-${round}`}`,
    );
    assert.deepEqual({ ...row }, { length_cm: 1, width_cm: 2, height_cm: 3, weight_kg: 4 });
  }
});

test('many skus synced in opposite orders at once on two nodes: each is one product', async () => {
  for (let round = 1; round <= rounds; round++) {
    const skuIds = Array.from({ length: 30 }, (_, index) => `CROSS-${round}-${index}`);
    // Callers take turns at the nodes, so that each node hears of all skus, one forwards and the other backwards.
    const sent = skuIds.flatMap((skuId, index) => [skuId, skuIds[skuIds.length - 1 - index]!]);
    const answers = await crowd.call(
      sent.map((sku_id) => ({ path: '/product/sync', body: { sku_id, sku_name: 'Cross', storage_type: 2 } })),
    );

    const ids = new Map(sent.map((skuId, index) => [skuId, answers[index]!.json.data.products_id]));
    assert.equal(new Set(ids.values()).size, skuIds.length);
    for (const [index, skuId] of sent.entries()) assert.equal(answers[index]!.json.data.products_id, ids.get(skuId));
  }
});
