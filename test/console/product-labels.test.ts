import assert from 'node:assert/strict';
import { test } from 'node:test';
import { productChange, productDetail, productsSearch } from '../../contract/console/products.ts';
import { searchFind } from '../../contract/console/search.ts';
import { beta } from '../support/app.ts';
import { actionsOf, startConsole } from '../support/console.ts';
import { unchanged } from '../support/logistics.ts';
import { syncProducts } from '../support/warehouse.ts';

const { app, staff, viewer } = await startConsole();
await syncProducts(app, ['TEA', 'RICE']);
await syncProducts(app, ['TEA'], beta);

async function productOf(sku_id: string, account = 'ALPHA') {
  const { rows } = await viewer.ask(productsSearch, { sku_id, accounts: [account] });
  return rows[0]!;
}

async function labelsOf(sku_id: string) {
  const { codes, locations } = await productOf(sku_id);
  return {
    codes: codes.map(({ code, units }) => `${code} ${units}`),
    locations: locations.map(({ warehouse_no, location }) => `${warehouse_no} ${location}`),
  };
}

async function setCodes(sku_id: string, codes: { code: string; units: number }[], location = '') {
  const { product_id } = await productOf(sku_id);
  return await staff.ask(productChange, { product_id, codes, locations: [{ warehouse_no: 1, location }] });
}

test('staff set codes and the location of a product; repeating it changes nothing, and the audit log has both', async () => {
  const { product_id } = await productOf('TEA');
  const { product, warehouses } = await viewer.ask(productDetail, { product_id });
  assert.deepEqual([product.codes, product.locations], [[], []]);
  assert.deepEqual(
    warehouses.map(({ warehouse_no }) => warehouse_no),
    [1],
  );
  const codes = [
    { code: '4710000000017', units: 1 },
    { code: '14710000000014', units: 12 },
  ];
  for (const _ of ['first', 'again']) {
    assert.deepEqual(await setCodes('TEA', codes, 'A-02-13'), { kind: 'changed' });
    assert.deepEqual(await labelsOf('TEA'), {
      codes: ['4710000000017 1', '14710000000014 12'],
      locations: ['1 A-02-13'],
    });
  }
  const [action] = await actionsOf(app, 'products/change');
  assert.deepEqual(action, {
    username: 'packer',
    subject: `product ${product_id}`,
    details: { codes: ['4710000000017', '14710000000014 (12)'], locations: ['1: A-02-13'] },
    outcome: 'changed',
  });
  await setCodes('TEA', codes.slice(1));
  assert.deepEqual(await labelsOf('TEA'), { codes: ['14710000000014 12'], locations: [] });
});

test('a code of another product is refused with the name of that product, and nothing changes', async () => {
  await setCodes('TEA', [{ code: 'TAKEN', units: 1 }]);
  const refusal = await unchanged(app, () =>
    setCodes('RICE', [
      { code: 'FREE', units: 1 },
      { code: 'TAKEN', units: 6 },
    ]),
  );
  assert.deepEqual(refusal, {
    kind: 'refused',
    mistakes: [{ kind: 'code_of_other', code: 'TAKEN', sku_id: 'TEA' }],
  });
  const { product_id } = await productOf('RICE');
  const wrong = await unchanged(app, () =>
    staff.ask(productChange, {
      product_id,
      codes: [],
      locations: [{ warehouse_no: 404, location: 'A-1' }],
    }),
  );
  assert.deepEqual(wrong, { kind: 'refused', mistakes: [{ kind: 'unknown_warehouse', warehouse_no: 404 }] });
  const gone = await staff.send('/products/change', { product_id: 999_999_999, codes: [], locations: [] });
  assert.equal(gone.status, 404);
});

test('the list and the search find products by a whole code, and by their sku, in every account', async () => {
  await setCodes('TEA', [{ code: '471', units: 12 }]);
  const found = async (code: string, accounts?: string[]) =>
    (await viewer.ask(productsSearch, { code, ...(accounts && { accounts }) })).rows.map(
      ({ account_no, sku_id }) => `${account_no} ${sku_id}`,
    );
  assert.deepEqual(await found('471'), ['ALPHA TEA']);
  assert.deepEqual(await found('TEA'), ['ALPHA TEA', 'BETA TEA']);
  assert.deepEqual(await found('TEA', ['BETA']), ['BETA TEA']);
  assert.deepEqual(await found('47'), []);
  const { hits } = await viewer.ask(searchFind, { text: '471' });
  const { product_id } = await productOf('TEA');
  assert.deepEqual(hits, [{ kind: 'sku', title: '471', subtitle: 'ALPHA · TEA', path: `/products/${product_id}` }]);
});
