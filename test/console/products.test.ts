import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BodyOf } from '../../contract/console/console-call.ts';
import { productDetail } from '../../contract/console/product-detail.ts';
import { type ProductRow, productsSearch } from '../../contract/console/products-search.ts';
import { beta, startTestApp } from '../support/app.ts';
import { provisionOperators, signIn } from '../support/console.ts';
import { dataOf, order, receive, syncProducts } from '../support/warehouse.ts';

const app = await startTestApp();
await provisionOperators(app);
const viewer = await signIn(app, 'viewer');

/** All pages of a search, a row at a time. */
async function products(body: BodyOf<typeof productsSearch> = {}): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const page: { rows: ProductRow[]; next_cursor: string | null } = await viewer.ask(productsSearch, {
      ...{ page_size: 1, ...body, ...(cursor === null ? {} : { cursor }) },
    });
    found.push(...page.rows.map((row) => `${row.account_no} ${row.sku_id}`));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

await syncProducts(app, ['TEA-1', 'TEA-2']);
await syncProducts(app, ['TEA-1'], beta);
const rice = { sku_id: 'RICE', sku_name: '池上米 2kg', storage_type: 3, length: 30.5, width: 20, height: 8, weight: 2.013 };
dataOf(await app.callWarehouse('/product/sync', rice));
await app.store.database.read((sql) => sql`update product set updated_at = '2026-10-01T00:00:00+08:00' where sku_id = 'TEA-2'`);

test('products of all accounts are searched by each filter; the same sku of two accounts is there twice, also across pages', async () => {
  const [riceOfAlpha, one, ofBeta, two] = ['ALPHA RICE', 'ALPHA TEA-1', 'BETA TEA-1', 'ALPHA TEA-2'];
  assert.deepEqual(await products(), [riceOfAlpha, one, ofBeta, two]);
  assert.deepEqual(await products({ accounts: ['BETA'] }), [ofBeta]);
  assert.deepEqual(await products({ sku_id: 'TEA-1' }), [one, ofBeta]);
  assert.deepEqual(await products({ sku_prefix: 'TEA' }), [one, ofBeta, two]);
  assert.deepEqual(await products({ name_prefix: '池上' }), [riceOfAlpha]);
  assert.deepEqual(await products({ storage_type: 'frozen' }), [riceOfAlpha]);
  assert.deepEqual(await products({ updated_from: '2026-10-01', updated_to: '2026-10-01' }), [two]);
  assert.deepEqual(await products({ updated_to: '2026-09-30' }), []);
  assert.deepEqual(await products({ sku_prefix: 'TEA', name_prefix: 'Name of TEA-2' }), [two]);
});

test('a product tells its measures exactly, and what lies of it where', async () => {
  await receive(app, { RICE: [['2031-01-01', 7]] });
  dataOf(await app.callWarehouse('/product/sync', rice));
  await order(app, 'RICE-1', [['RICE', 2]]);
  const { rows } = await viewer.ask(productsSearch, { sku_id: 'RICE' });
  const { product, shelves } = await viewer.ask(productDetail, { product_id: rows[0]!.product_id });
  assert.deepEqual(product, rows[0]);
  const { product_id: _, created_at, updated_at, ...facts } = product;
  assert.deepEqual(facts, {
    ...{ account_no: 'ALPHA', sku_id: 'RICE', name: '池上米 2kg', storage_type: 'frozen' },
    ...{ length_cm: '30.500', width_cm: '20.000', height_cm: '8.000', weight_kg: '2.013' },
  });
  assert.ok(created_at.endsWith('+08:00') && updated_at.endsWith('+08:00'));
  assert.deepEqual(shelves, [
    { warehouse_no: 1, stock_type: 'good', lots: 1, on_hand: 7, locked: 2, free: 5, sellable: 5, earliest_expiry: '2031-01-01' },
  ]);
  assert.equal((await viewer.send('/products/detail', { product_id: 999_999 })).status, 404);
});
