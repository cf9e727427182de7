import assert from 'node:assert/strict';
import { test } from 'node:test';
import { productsSearch } from '../../../contract/main/products-search.ts';
import { beta, startTestApp, type TokenCaller } from '../../support/app.ts';
import { bring, form, formPath, item, orderPath, ship, shippingOrder, take, unchanged } from '../../support/logistics.ts';
import { search } from '../../support/main.ts';
import { startSecondNode } from '../../support/second-node.ts';
import { createInbound, dataOf, emptyRow, goodRow, order, stockOf, syncProducts } from '../../support/warehouse.ts';

const app = await startTestApp();

async function productOf(sku: string, as?: TokenCaller) {
  const { rows } = await search(app, productsSearch, { 'products.sku_id': sku }, as);
  assert.equal(rows.length, 1, `${sku}: ${rows.length}`);
  const { products_id, created_at, updated_at, ...product } = rows[0]!;
  assert.ok(Number.isInteger(products_id) && created_at === updated_at);
  return product;
}

const noMeasures = { length: null, width: null, height: null, weight: null };

const categories: [sent: string, understood: string][] = [
  ['1', 'ambient'],
  ['2', 'air_conditioned'],
  ['3', 'frozen'],
  ['4', 'chilled'],
  ['ambient', 'ambient'],
  ['air_conditioned', 'air_conditioned'],
  ['frozen', 'frozen'],
  ['chilled', 'chilled'],
  ['5', '5'],
  ['0', '0'],
  ['01', '01'],
  ['１', '１'],
  ['Ambient', 'Ambient'],
  ['常溫', '常溫'],
  ['unspecified', 'unspecified'],
  ['toString', 'toString'],
];
test('storage_type: 1 to 4 and our words are understood, any other is kept; so is a product registered, by an order and by a form', async () => {
  for (const [index, [sent, understood]] of categories.entries()) {
    await ship(app, `CAT-${index}`, [item(`ORDERED-${index}`, 1, { storage_type: sent, name: `Name ${index}` })]);
    await bring(app, [{ sku: `BROUGHT-${index}`, quantity: 1, storage_type: sent, name: `Name ${index}` }]);
    for (const sku of [`ORDERED-${index}`, `BROUGHT-${index}`]) {
      assert.deepEqual(await productOf(sku), { sku_id: sku, sku_name: `Name ${index}`, storage_type: understood, ...noMeasures });
    }
    const [line] = await app.store.database.read(
      (sql) => sql`select item_storage_type from order_line join orders using (order_id) where partner_number = ${`CAT-${index}`}`,
    );
    assert.equal(line!.item_storage_type, understood);
  }
});

test('without a name a product has its sku for a name; without a storage_type it is unspecified', async () => {
  await ship(app, 'NAMELESS-1', [item('NAMELESS-1', 1)]);
  await ship(app, 'NAMELESS-2', [item('NAMELESS-2', 1, { name: '' }), item('NAMELESS-3', 1, { name: null })]);
  await bring(app, [{ sku: 'NAMELESS-4', quantity: 1 }]);
  await bring(app, [{ sku: 'NAMELESS-5', quantity: 1, name: 'Tea', storage_type: null }]);
  const words: unknown[] = [];
  for (const n of [1, 2, 3, 4, 5]) {
    const { sku_name, storage_type } = (await productOf(`NAMELESS-${n}`)) as Record<string, unknown>;
    words.push([sku_name, storage_type]);
  }
  assert.deepEqual(words, [
    ['NAMELESS-1', 'ambient'],
    ['NAMELESS-2', 'ambient'],
    ['NAMELESS-3', 'ambient'],
    ['NAMELESS-4', 'unspecified'],
    ['Tea', 'unspecified'],
  ]);
});

test('of several items of a new sku the first one describes it', async () => {
  await ship(app, 'FIRST', [
    item('FIRST', 1, { name: 'First', storage_type: '3' }),
    item('FIRST', 2, { name: 'Second', storage_type: '4' }),
  ]);
  assert.deepEqual(await productOf('FIRST'), { sku_id: 'FIRST', sku_name: 'First', storage_type: 'frozen', ...noMeasures });
});

test('a product that is known is not altered, whatever an item says of it', async () => {
  dataOf(await app.callWarehouse('/product/sync', { sku_id: 'KNOWN', sku_name: 'As synced', storage_type: 3, length: 1.5, weight: 0.25 }));
  const before = await productOf('KNOWN');
  await ship(app, 'KNOWN', [item('KNOWN', 1, { name: 'Other', storage_type: '1' })]);
  await bring(app, [{ sku: 'KNOWN', quantity: 1, name: 'Other', storage_type: 'other' }]);
  assert.deepEqual(await productOf('KNOWN'), before);
  assert.deepEqual(before, {
    sku_id: 'KNOWN',
    sku_name: 'As synced',
    storage_type: 'frozen',
    length: 1.5,
    width: null,
    height: null,
    weight: 0.25,
  });
});

test('a product that was registered so can be used in the warehouse API at once, on another node too, and synced there', async () => {
  const second = await startSecondNode(app);
  await ship(app, 'USABLE', [item('USABLE', 1, { name: 'As ordered' })]);
  for (const node of [app, second]) assert.deepEqual(await stockOf(node, 'USABLE'), [emptyRow('USABLE')]);
  await createInbound(second, 'USABLE', { USABLE: [['2030-01-01', 5]] });
  await order(app, 'USABLE', [['USABLE', 2]]);
  assert.deepEqual(await stockOf(app, 'USABLE'), [goodRow('USABLE', '2030-01-01', 5, 2)]);
  await syncProducts(app, ['USABLE']);
  const { rows } = await search(app, productsSearch, { 'products.sku_id': 'USABLE' });
  assert.deepEqual([rows[0]!.sku_name, rows[0]!.storage_type], ['Name of USABLE', 'ambient']);
});

test('two accounts may use one sku for two products', async () => {
  await ship(app, 'WHOSE', [item('WHOSE', 1, { name: 'Of ALPHA' })]);
  await ship(app, 'WHOSE', [item('WHOSE', 1, { name: 'Of BETA', storage_type: '4' })], {}, beta.apiKey);
  const names = [await productOf('WHOSE'), await productOf('WHOSE', beta)].map((product) => (product as Record<string, unknown>).sku_name);
  assert.deepEqual(names, ['Of ALPHA', 'Of BETA']);
});

test('skus that differ in case or in form of Unicode are different products', async () => {
  const skus = ['Case', 'case', 'CASE', 'e\u0301', '\u00e9'];
  await ship(
    app,
    'CASES',
    skus.map((sku) => item(sku, 1)),
  );
  for (const sku of skus) assert.equal(((await productOf(sku)) as Record<string, unknown>).sku_name, sku);
});

test('what is refused or in conflict registers nothing', async () => {
  const body = shippingOrder('REGISTERS', [item('KNOWN', 1)]);
  await take(app, orderPath, body);
  await unchanged(app, async () => {
    assert.equal((await app.callLogistics(orderPath, { ...body, products: [item('NEVER-1', 1)] })).status, 409);
    assert.equal((await app.callLogistics(orderPath, shippingOrder('REGISTERS-2', [item('NEVER-2', 1), item('NEVER-3', 0)]))).status, 400);
    const stop = form('REGISTERS', [{ sku: 'NEVER-4', quantity: 1 }], { form_type: 3 });
    assert.equal((await app.callLogistics(formPath, stop)).status, 400);
  });
  const { rows } = await search(app, productsSearch, { 'products.sku_id': ['NEVER-1', 'NEVER-2', 'NEVER-3', 'NEVER-4'] });
  assert.deepEqual(rows, []);
});
