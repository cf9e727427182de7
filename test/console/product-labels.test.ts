import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { importsColumns, importsRun } from '../../contract/console/imports.ts';
import { productChange, productDetail, productsSearch } from '../../contract/console/products.ts';
import { searchFind } from '../../contract/console/search.ts';
import { formatMessage } from '../../messages/format-message.ts';
import { makeRunHere } from '../cli/run-here.ts';
import { beta } from '../support/app.ts';
import { settingsFor } from '../support/command.ts';
import { actionsOf, startConsole } from '../support/console.ts';
import { importBody, importer, importOfFile, mistakesOf, outcomesOf } from '../support/imports.ts';
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
  const path = `/products/${product_id}`;
  assert.deepEqual(hits, [{ kind: 'sku', title: '471', subtitle: 'ALPHA · TEA', path, is_exact: true }]);
});

const { check, run } = importer(staff);

const cartons = `sku_id,code,units,warehouse_no,location
TEA,471-UNIT,,1,A-1
TEA,471-CARTON,12,1,A-1
RICE,472-UNIT,,,
`;

test('an import shows first what it would change, then adds codes and sets locations; a repeat changes nothing', async () => {
  await setCodes(
    'TEA',
    [
      { code: 'KEPT', units: 1 },
      { code: '471-CARTON', units: 6 },
    ],
    'Z-9',
  );
  await setCodes('RICE', []);
  const nothing = { units: 0, outcome: 'changed' as const, mistakes: [] };
  const documents = [
    {
      ...nothing,
      ...{ name: 'TEA', rows: [2, 3] },
      change: {
        facts: [],
        codes: [
          { code: '471-UNIT', units: 1, before: null },
          { code: '471-CARTON', units: 12, before: 6 },
        ],
        locations: [{ warehouse_no: 1, location: 'A-1', before: 'Z-9' }],
      },
    },
    {
      ...nothing,
      ...{ name: 'RICE', rows: [4] },
      change: { facts: [], codes: [{ code: '472-UNIT', units: 1, before: null }], locations: [] },
    },
  ];
  const checked = await unchanged(app, () => check('products', cartons));
  assert.deepEqual(checked, { kind: 'checked', documents, taken: [] });
  const body = { ...importBody('products', cartons), ...importOfFile() };
  assert.deepEqual(await staff.ask(importsRun, body), { kind: 'imported', documents, taken: [] });
  const labels = { codes: ['471-UNIT 1', 'KEPT 1', '471-CARTON 12'], locations: ['1 A-1'] };
  assert.deepEqual(await labelsOf('TEA'), labels);
  assert.deepEqual((await labelsOf('RICE')).codes, ['472-UNIT 1']);

  const again = await unchanged(app, () => run('products', cartons));
  assert.deepEqual(outcomesOf(again), ['TEA known 2,3', 'RICE known 4']);
  assert.deepEqual((await actionsOf(app, 'imports/run'))[0], {
    username: 'packer',
    subject: `import ${body.import_id}`,
    details: { kind: 'products', file: 'test.csv', part: 1, of: 1, rows: 3 },
    outcome: 'changed 2',
  });
});

test('cells that are pasted from a spreadsheet are read, also with Chinese names of the columns', async () => {
  const pasted = '\uFEFF儲位\t倉庫\tSKU\t條碼\t箱入數\r\nB-02-3\t1\tRICE\t473-CARTON\t24\r\n\t\t\t\t\r\n';
  assert.deepEqual(outcomesOf(await run('products', pasted)), ['RICE changed 2']);
  const { codes, locations } = await labelsOf('RICE');
  assert.deepEqual([codes.at(-1), locations], ['473-CARTON 24', ['1 B-02-3']]);
});

test('an import lists every mistake with its line, and changes nothing', async () => {
  await setCodes('RICE', [{ code: 'TAKEN', units: 1 }]);
  const lines = [
    'sku_id,code,units,warehouse_no,location',
    'TEA,FREE,,,',
    ',X-1,,,',
    'TEA,4.71E+12,,,',
    'TEA,X-2,0,,',
    'TEA,X-3,many,,',
    'TEA,,12,,',
    'TEA,,,1,',
    'TEA,,,,A-1',
    'TEA,,,,',
    'TEA,X-4,,,,surplus',
    'TEA,FREE,12,,',
    'TEA,,,1,A-1',
    'TEA,,,1,A-2',
    'TEA,TAKEN,,,',
    'NONE,X-5,,404,A-1',
  ];
  const mistakes = [
    '3 sku_id: sku_id is missing',
    '4 code: a spreadsheet has shortened the number to 4.71E+12; format the column as text',
    '5 units: units must be a whole number from 1 to 1000000',
    '6 units: units must be a whole number from 1 to 1000000',
    '7 units: there are units without a code',
    '8 location: warehouse_no and location belong together',
    '9 location: warehouse_no and location belong together',
    '10 -: there is neither a code nor a location',
    '11 -: there are more fields than columns',
    '12 code: line 2 has the code FREE too, with another product or other units',
    '14 location: line 13 has another location of TEA in warehouse 1',
    '15 code: the code TAKEN belongs to RICE',
    '16 sku_id: the account has no product NONE',
    '16 warehouse_no: the account does not use warehouse 404',
  ];
  for (const send of [check, run]) {
    const answer = await unchanged(app, () => send('products', lines.join('\n')));
    assert.deepEqual(mistakesOf(answer).toSorted(byRow), mistakes);
  }
  const taken = await unchanged(app, () => run('products', 'sku_id,code\nTEA,FREE\nTEA,TAKEN'));
  assert.deepEqual(mistakesOf(taken), ['3 code: the code TAKEN belongs to RICE']);
  const many = Array.from({ length: 21 }, (_, index) => `TEA,MANY-${index}`).join('\n');
  assert.deepEqual(mistakesOf(await unchanged(app, () => run('products', `sku_id,code\n${many}`))), [
    '2 code: TEA would have more than 20 codes',
  ]);
});

const byRow = (one: string, other: string) => Number.parseInt(one, 10) - Number.parseInt(other, 10);

test('the titles of columns are found in both languages; unknown ones are named, missing and repeated ones refused', async () => {
  const columns = (...titles: string[]) => staff.ask(importsColumns, { kind: 'products', titles });
  assert.deepEqual(await columns('Colour', ' ＳＫＵ * ', '條碼', ''), {
    ...{ kind: 'read', key_column: 1, sku_column: 1 },
    ignored: ['Colour'],
  });
  const refused = async (...titles: string[]) => {
    const answer = await columns(...titles);
    return answer.kind === 'refused' ? answer.mistakes.map((one) => formatMessage(one)) : [];
  };
  assert.deepEqual(await refused('TEA', '471'), ['the first line must name the columns, among them sku_id']);
  assert.deepEqual(await refused('sku_id', 'code', '條碼'), ['the column 條碼 is there twice']);
  const unknown = await staff.send('/imports/run', {
    ...importBody('products', cartons, { account: 'NOBODY' }),
    ...importOfFile(),
  });
  assert.equal(unknown.status, 400);
});

const folder = mkdtempSync(join(tmpdir(), 'lading-products-'));
after(() => rmSync(folder, { recursive: true }));
const here = makeRunHere(settingsFor(app.store));

test('lading products import reads the same files: a dry run changes nothing, mistakes are listed by line', async () => {
  await setCodes('TEA', []);
  await setCodes('RICE', []);
  const file = join(folder, 'codes.csv');
  writeFileSync(file, cartons);
  const args = ['products', 'import', file, '--account', 'ALPHA'];
  const dry = await unchanged(app, () => here.run([...args, '--dry-run']));
  assert.equal(dry.stdout, '3 rows of 2 products; would be changed: 2 products (3 codes, 1 locations)\n');
  assert.deepEqual(await here.json(args), {
    ...{ rows: 3, products: 2, changed_products: 2, changed_codes: 3, changed_locations: 1 },
  });
  assert.deepEqual(await labelsOf('TEA'), { codes: ['471-UNIT 1', '471-CARTON 12'], locations: ['1 A-1'] });
  const { username, outcome } = (await actionsOf(app, 'products/import')).at(-1)!;
  assert.deepEqual([username, outcome], [`lading (${userInfo().username})`, 'imported']);

  writeFileSync(file, 'sku_id,code\nTEA,472-UNIT\nNONE,1\n');
  const refused = await unchanged(app, () => here.run(args));
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  const bothLines = ['line 2: the code 472-UNIT belongs to RICE', 'line 3: the account has no product NONE'];
  assert.equal(refused.stderr, `lading: nothing was imported:\n  ${bothLines.join('\n  ')}\n`);

  const problems: [text: string, problem: string][] = [
    ['TEA,471', 'line 1: the first line must name the columns, among them sku_id'],
    ['sku_id,code\n', 'line 1: there are no rows below the names of the columns'],
    ['sku_id,code\nTEA,"471', 'line 2: a quotation mark has no counterpart'],
    [`sku_id,code\n${'TEA,471\n'.repeat(5001)}`, 'line 1: there are more than 5000 rows; split the file'],
  ];
  for (const [text, problem] of problems) {
    writeFileSync(file, text);
    const { stderr } = await unchanged(app, () => here.run(args));
    assert.equal(stderr, `lading: nothing was imported:\n  ${problem}\n`);
  }
  writeFileSync(file, 'sku_id,colour\nTEA,red');
  assert.match((await here.run(args)).stderr, /line 1: there is no column colour; the columns are sku_id, name, /);
});
