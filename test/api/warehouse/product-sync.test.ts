import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beta, startTestApp } from '../../support/app.ts';

const app = await startTestApp();

const tea = { sku_id: 'TEA-1', sku_name: '烏龍茶', storage_type: 1 };

async function productRows(skuId: string) {
  return await app.store.database.read(
    (sql) => sql`
      select account_no, sku_id, p.name, storage_type, length_cm, width_cm, height_cm, weight_kg
      from product p join account using (account_id) where sku_id = ${skuId} order by account_no`,
  );
}

test('a new product is answered with the success envelope and an integer products_id', async () => {
  const { status, headers, json } = await app.callWarehouse('/product/sync', { ...tea, length: 10, width: 5.5, height: 0.125, weight: 0 });

  assert.equal(status, 200);
  assert.deepEqual(Object.keys(json), ['code', 'trace_id', 'message', 'success', 'data']);
  assert.equal(json.code, 'LST-TPW-2000');
  assert.equal(json.message, 'success');
  assert.equal(json.success, true);
  assert.equal(json.trace_id, headers['trace-id']);
  assert.equal(json.data.success, true);
  assert.ok(Number.isInteger(json.data.products_id));
  assert.deepEqual(
    [...(await productRows('TEA-1'))],
    [
      {
        account_no: 'ALPHA',
        sku_id: 'TEA-1',
        name: '烏龍茶',
        storage_type: 'ambient',
        length_cm: '10.000',
        width_cm: '5.500',
        height_cm: '0.125',
        weight_kg: '0.000',
      },
    ],
  );
});

test('the same sku_id again updates it: left-out fields stay, null clears, the id is the same', async () => {
  const sku = { ...tea, sku_id: 'TEA-2' };
  const first = await app.callWarehouse('/product/sync', { ...sku, length: 10, weight: 2 });
  const second = await app.callWarehouse('/product/sync', { ...sku, sku_name: 'Green tea', storage_type: 4, length: null, width: 3 });

  assert.equal(second.json.data.products_id, first.json.data.products_id);
  const [row] = await productRows('TEA-2');
  assert.deepEqual(
    [row!.name, row!.storage_type, row!.length_cm, row!.width_cm, row!.weight_kg],
    ['Green tea', 'chilled', null, '3.000', '2.000'],
  );
});

test('two accounts may use the same sku_id for different products', async () => {
  const own = await app.callWarehouse('/product/sync', { ...tea, sku_id: 'SHARED' });
  const theirs = await app.callWarehouse('/product/sync', { ...tea, sku_id: 'SHARED', sku_name: 'Other' }, beta);

  assert.notEqual(own.json.data.products_id, theirs.json.data.products_id);
  assert.deepEqual(
    (await productRows('SHARED')).map(({ account_no, name }) => [account_no, name]),
    [
      ['ALPHA', '烏龍茶'],
      ['BETA', 'Other'],
    ],
  );
});

test('fifty simultaneous syncs of a new sku make one product', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.callWarehouse('/product/sync', { ...tea, sku_id: 'RACE' })));

  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal(new Set(answers.map(({ json }) => json.data.products_id)).size, 1);
  assert.equal((await productRows('RACE')).length, 1);
});

test('sku_images are any five strings, none or null, and nothing of them is kept', async () => {
  const first = await app.callWarehouse('/product/sync', { ...tea, sku_id: 'IMAGES' });
  const before = await productRows('IMAGES');
  const strings = ['https://images.example/a.png', 'ftp://images.example/a', '/b', '', '圖\n片'];
  for (const sku_images of [strings, [], null, undefined, ['x'.repeat(10_000)]]) {
    const { status, json } = await app.callWarehouse('/product/sync', { ...tea, sku_id: 'IMAGES', sku_images });
    assert.deepEqual([status, json.data], [200, first.json.data]);
  }
  assert.deepEqual(await productRows('IMAGES'), before);
});

test('unknown fields, account_no among them, have no effect', async () => {
  const { status } = await app.callWarehouse('/product/sync', { ...tea, sku_id: 'UNKNOWN-FIELDS', account_no: 'BETA', colour: 'green' });
  assert.equal(status, 200);
  assert.deepEqual(
    (await productRows('UNKNOWN-FIELDS')).map((row) => row.account_no),
    ['ALPHA'],
  );
});

test('identifiers and names are counted in characters, not in bytes or UTF-16 units', async () => {
  const longest = { ...tea, sku_id: '茶'.repeat(125), sku_name: '🍵'.repeat(255) };
  assert.equal((await app.callWarehouse('/product/sync', longest)).status, 200);
  const refused = await app.callWarehouse('/product/sync', { ...tea, sku_id: '🍵'.repeat(126) });
  assert.equal(refused.json.data.errors[0].path, 'sku_id');
});

const wrong: [string, object, string[]][] = [
  ['sku_id missing', { sku_id: undefined }, ['sku_id']],
  ['sku_id empty', { sku_id: '' }, ['sku_id']],
  ['sku_id a number', { sku_id: 1 }, ['sku_id']],
  ['sku_id with white space at the ends', { sku_id: ' W ' }, ['sku_id']],
  ['sku_id with a control character', { sku_id: 'W\u0007' }, ['sku_id']],
  ['sku_name missing', { sku_name: undefined }, ['sku_name']],
  ['sku_name blank', { sku_name: '  ' }, ['sku_name']],
  ['storage_type missing', { storage_type: undefined }, ['storage_type']],
  ['storage_type 5', { storage_type: 5 }, ['storage_type']],
  ['storage_type as text', { storage_type: '1' }, ['storage_type']],
  ['a negative measure', { length: -1 }, ['length']],
  ['a negative measure that would be rounded to 0', { weight: -0.0001 }, ['weight']],
  ['a measure as text', { width: '3' }, ['width']],
  ['more than 5 sku_images', { sku_images: Array(6).fill('https://images.example/a.png') }, ['sku_images']],
  ['sku_images not an array', { sku_images: 'https://images.example/a.png' }, ['sku_images']],
  ['an image that is no string', { sku_images: ['a', 7, null] }, ['sku_images[1]', 'sku_images[2]']],
  ['several mistakes at once', { sku_id: '', storage_type: 9, height: -2 }, ['sku_id', 'storage_type', 'height']],
];
for (const [name, change, paths] of wrong) {
  test(`refused with PARAM_INVALID and nothing changed: ${name}`, async () => {
    const before = await app.store.database.read((sql) => sql`select count(*)::int, max(updated_at) from product`);
    const { status, json } = await app.callWarehouse('/product/sync', { ...tea, sku_id: 'WRONG', ...change });

    assert.equal(status, 400);
    assert.equal(json.code, 'PARAM_INVALID');
    assert.equal(json.success, false);
    assert.deepEqual(
      json.data.errors.map((error: { path: string }) => error.path),
      paths,
    );
    assert.deepEqual(await app.store.database.read((sql) => sql`select count(*)::int, max(updated_at) from product`), before);
  });
}
