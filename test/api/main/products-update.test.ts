import assert from 'node:assert/strict';
import { test } from 'node:test';
import { productsSearch } from '../../../contract/main/products-search.ts';
import { findScanned } from '../../../server/domain/products/product-code-queries.ts';
import { beta, startTestApp } from '../../support/app.ts';
import { clientsOf, refusalOf } from '../../support/clients.ts';
import { unchanged } from '../../support/logistics.ts';
import { searchAll } from '../../support/main.ts';
import { syncProducts } from '../../support/warehouse.ts';

const app = await startTestApp();
await syncProducts(app, ['TEA', 'RICE']);
await syncProducts(app, ['TEA'], beta);
const { main } = await clientsOf(app);

const labelsOf = async (sku: string) => {
  const [row] = await searchAll(app, productsSearch, { 'products.sku_id': sku });
  return [row!.codes, row!.locations];
};
const update = (...products: Parameters<typeof main.productsUpdate>[0]['products']) =>
  main.productsUpdate({ products });

async function scanned(text: string) {
  const [{ account_id }] = (await app.store.database.read(
    (sql) => sql`select account_id from account where account_no = 'ALPHA'`,
  )) as [{ account_id: number }];
  return await app.store.database.transaction((tx) => findScanned(tx, account_id, text));
}

test('codes are replaced as a whole, locations by warehouse, and what is left out stays', async () => {
  const tea = { sku_id: 'TEA', codes: [{ code: 'UNIT' }, { code: 'CARTON', units: 12 }] };
  assert.deepEqual(await update({ ...tea, locations: [{ warehouse_no: 1, location: 'A-1' }] }), {
    results: [{ sku_id: 'TEA', status: 'updated' }],
  });
  const codes = [
    { code: 'UNIT', units: 1 },
    { code: 'CARTON', units: 12 },
  ];
  assert.deepEqual(await labelsOf('TEA'), [codes, [{ warehouse_no: 1, location: 'A-1' }]]);
  await update({ sku_id: 'TEA', locations: [{ warehouse_no: 1, location: 'B-2' }] });
  assert.deepEqual(await labelsOf('TEA'), [codes, [{ warehouse_no: 1, location: 'B-2' }]]);
  await update({
    sku_id: 'TEA',
    codes: [{ code: 'CARTON', units: 6 }],
    locations: [{ warehouse_no: 1, location: '' }],
  });
  assert.deepEqual(await labelsOf('TEA'), [[{ code: 'CARTON', units: 6 }], []]);
});

test('a code moves to another product within one request, and belongs to one product of each account', async () => {
  await update({ sku_id: 'TEA', codes: [{ code: 'MOVES' }] }, { sku_id: 'RICE', codes: [] });
  const refusal = await unchanged(app, () => refusalOf(update({ sku_id: 'RICE', codes: [{ code: 'MOVES' }] })));
  assert.deepEqual([refusal.status, refusal.message], [400, 'products[0].codes[0].code belongs to another product']);
  await update({ sku_id: 'RICE', codes: [{ code: 'MOVES' }] }, { sku_id: 'TEA', codes: [] });
  assert.deepEqual((await labelsOf('RICE'))[0], [{ code: 'MOVES', units: 1 }]);
  const other = await clientsOf(app, beta);
  await other.main.productsUpdate({ products: [{ sku_id: 'TEA', codes: [{ code: 'MOVES', units: 3 }] }] });
});

test('a scan means the product with this code, otherwise the one with this sku_id', async () => {
  await update({ sku_id: 'TEA', codes: [{ code: 'RICE', units: 10 }] }, { sku_id: 'RICE', codes: [{ code: '471' }] });
  const [byCode, bySku, ofCarton] = [await scanned('471'), await scanned('TEA'), await scanned('RICE')];
  assert.deepEqual([byCode!.skuId, byCode!.units], ['RICE', 1]);
  assert.deepEqual([bySku!.skuId, bySku!.units], ['TEA', 1]);
  assert.deepEqual([ofCarton!.skuId, ofCarton!.units], ['TEA', 10]);
  assert.equal(await scanned('NOTHING'), null);
});

test('two products that claim a code at the same time: one gets it, and the other is refused', async () => {
  await syncProducts(app, ['ONE', 'TWO']);
  for (let round = 0; round < 10; round++) {
    const code = `WANTED-${round}`;
    const results = await Promise.allSettled(
      ['ONE', 'TWO'].map((sku_id) => update({ sku_id, codes: [{ code: `AHEAD-${sku_id}` }, { code }] })),
    );
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const having = await Promise.all(['ONE', 'TWO'].map(labelsOf));
    assert.equal(having.filter(([codes]) => (codes as { code: string }[]).some((one) => one.code === code)).length, 1);
    await update({ sku_id: 'ONE', codes: [] }, { sku_id: 'TWO', codes: [] });
  }
});

test('one wrong entry refuses the whole request, which lists every mistake', async () => {
  const refusal = await unchanged(app, () =>
    refusalOf(
      update(
        { sku_id: 'TEA', codes: [{ code: 'NEW' }] },
        { sku_id: 'UNKNOWN', locations: [{ warehouse_no: 404, location: 'A-1' }] },
      ),
    ),
  );
  assert.equal(
    refusal.message,
    'products[1].sku_id is not a product of your account; products[1].locations[0].warehouse_no is not a warehouse of your account',
  );
  const twice = await unchanged(app, () => refusalOf(update({ sku_id: 'TEA' }, { sku_id: 'TEA' })));
  assert.equal(twice.message, 'products[1].sku_id is listed twice');
});
