import assert from 'node:assert/strict';
import { test } from 'node:test';
import readExcelFile from 'read-excel-file/node';
import { readText } from '../../console/pages/import/read-text.ts';
import { readWorkbook } from '../../console/pages/import/read-workbook.ts';
import { groupRowsMax, splitBlocks } from '../../console/pages/import/split-blocks.ts';
import { fileLimits } from '../../console/pages/import/table.ts';
import {
  importBlockRowsMax,
  importKinds,
  importRowsMax,
  importsColumns,
  importsRun,
} from '../../contract/console/imports.ts';
import { inboundDetail } from '../../contract/console/inbound.ts';
import { operatorsChange } from '../../contract/console/operators.ts';
import { orderSearch } from '../../contract/console/orders.ts';
import { productsSearch } from '../../contract/console/products.ts';
import { importColumns } from '../../messages/import-columns.ts';
import { alpha } from '../support/app.ts';
import { clientsOf } from '../support/clients.ts';
import { actionsOf, startConsole } from '../support/console.ts';
import { exported } from '../support/exports.ts';
import { importBody, importer, importOfFile, mistakesOf, outcomesOf } from '../support/imports.ts';
import { unchanged } from '../support/logistics.ts';
import {
  assertBalancesAreSums,
  dump,
  inboundRow,
  orderRow,
  putLot,
  stockOf,
  syncProducts,
} from '../support/warehouse.ts';

const { app, admin, staff, viewer } = await startConsole();
await syncProducts(app, ['TEA', 'CUP']);
await putLot(app, { skuId: 'TEA', qty: 100, expireDate: null });
await putLot(app, { skuId: 'CUP', qty: 10, expireDate: null });
const { check, run } = importer(staff);
const second = { warehouse_tpw_id: 'TPW-A-2', warehouse_no: 2, store_no: 10, sellable_days_before_expiry: null };
await app.provision({
  warehouses: [{ warehouse_no: 2, name: '高雄倉', connector: { type: 'manual' } }],
  accounts: [{ account_no: 'ALPHA', environment: 'uat', tenants: [second] }],
});

const orders = `Number,Carrier or chain,SKU,Quantity,Recipient,Phone,Postcode,City,Address
A-001,T-Cat,TEA,2,林美華,0912345678,100,臺北市,中正區範例路 1 號
A-001,,CUP,1,,,,,
0002,7-ELEVEN,TEA,3,陳大文,0922333444,,,範例門市
`;

test('orders of a file are created as by orders/create: lines share a number, and a repeat changes nothing', async () => {
  const checked = await unchanged(app, () => check('orders', orders));
  assert.deepEqual(outcomesOf(checked), ['A-001 created 2,3', '0002 created 4']);
  assert.deepEqual(checked.taken, [
    { sku_id: 'TEA', qty: 5 },
    { sku_id: 'CUP', qty: 1 },
  ]);
  const done = await run('orders', orders);
  assert.deepEqual([done.kind, outcomesOf(done)], ['imported', ['A-001 created 2,3', '0002 created 4']]);
  const { rows } = await viewer.ask(orderSearch, { number: 'A-001' });
  assert.deepEqual(
    rows.map(({ channel, logistics_type, express_type, units, line_count }) => [
      ...[channel, logistics_type, express_type, units, line_count],
    ]),
    [['main', 'home', 'tcat', 3, 2]],
  );
  assert.deepEqual((await stockOf(app, 'TEA'))[0]!.qty_lock, 5);

  const again = await unchanged(app, () => run('orders', orders));
  assert.deepEqual(outcomesOf(again), ['A-001 known 2,3', '0002 known 4']);
  // The same order of the API is the same content, so the file and the API never make two.
  const { main } = await clientsOf(app, alpha);
  const retval = await main.ordersCreate({
    outbound_short_id: '0002',
    warehouse_tpw_id: alpha.warehouseTpwId,
    consignee_country: 'TW',
    logistics_type: 'csvs',
    express_type: 'pcsc',
    details: [{ sku_id: 'TEA', qty: 3 }],
    consignee_name: '陳大文',
    consignee_phone: '0922333444',
    consignee_address: '範例門市',
  });
  assert.deepEqual([retval.idempotent, 'payload_differs' in retval], [true, false]);
  const other = await unchanged(app, () => run('orders', orders.replace('TEA,2', 'TEA,4')));
  assert.deepEqual(outcomesOf(other), ['A-001 differs 2,3', '0002 known 4']);
  await assertBalancesAreSums(app);
});

test('an import that was broken off is repeated as a whole: what is there is known, the rest is created', async () => {
  const lines = Array.from({ length: 30 }, (_, index) => `PART-${index},黑貓宅急便,TEA,1`);
  const file = (count: number) => `單號,物流商／超商,SKU,數量\n${lines.slice(0, count).join('\n')}`;
  await run('orders', file(12));
  const rest = await check('orders', file(30));
  const count = (outcome: string) => rest.documents.filter((one) => one.outcome === outcome).length;
  assert.deepEqual([count('known'), count('created')], [12, 18]);
  const both = await Promise.all([run('orders', file(30)), run('orders', file(30))]);
  const created = both.flatMap(({ documents }) => documents).filter(({ outcome }) => outcome === 'created');
  assert.equal(created.length, 18);
  const rows = await app.store.database.read((sql) => sql`select from orders where partner_number like 'PART-%'`);
  assert.equal(rows.length, 30);
});

test('every mistake of an order names its row, its column and what is allowed; a document with one is not created', async () => {
  const file = [
    'Number,Delivery,Carrier or chain,SKU,Quantity,Phone,Status',
    'B-1,,Pigeon,TEA,1,,',
    'B-2,Boat,T-Cat,TEA,1,,',
    'B-3,Store pickup,T-Cat,TEA,1,,',
    'B-4,Boat,T-Cat,NONE,1,,',
    'B-5,,T-Cat,TEA,many,,',
    'B-5,,T-Cat,CUP,0,,',
    'B-6,,T-Cat,,1,,',
    'B-7,,T-Cat,TEA,5000,,',
    ',,T-Cat,TEA,1,,',
    'B-8,,,TEA,1,,',
    'B-9,,T-Cat,TEA,1,912345678,',
    '4.71E+12,,T-Cat,TEA,1,,',
    'B-10,,T-Cat,TEA,#REF!,,',
    'B-11,,T-Cat,TEA,1,0911,',
    'B-11,,7-ELEVEN,TEA,1,0922,',
    'B-12,,T-Cat,TEA,1,,,surplus',
    'B-13,,T-Cat,TEA,1,,shipped',
    '# a remark,,,,,,',
  ].join('\n');
  const carriers =
    'T-Cat (黑貓宅急便), HCT Logistics (新竹物流), Chunghwa Post (中華郵政), 7-ELEVEN, FamilyMart (全家), Hi-Life (萊爾富)';
  const mistakes = [
    `2 Carrier or chain: must be one of: ${carriers}`,
    '3 Delivery: must be one of: Home delivery (宅配), Store pickup (超商取貨)',
    '4 Carrier or chain: must be one of: 7-ELEVEN, FamilyMart (全家), Hi-Life (萊爾富)',
    '5 Delivery: must be one of: Home delivery (宅配), Store pickup (超商取貨)',
    '5 SKU: sku_id not found',
    '6 Quantity: must be a whole number of units, 1 or more',
    '7 Quantity: must be a whole number of units, 1 or more',
    '8 SKU: is missing',
    '9 Quantity: sku TEA available=65 < requested=5000',
    '10 Number: is missing',
    '11 Carrier or chain: is missing',
    '12 Phone: lacks its leading 0; format the column as text',
    '13 Number: a spreadsheet has shortened the number to 4.71E+12; format the column as text',
    '14 Quantity: the cell has the error #REF!',
    '16 Carrier or chain: row 15 of the same number has another value',
    '16 Phone: row 15 of the same number has another value',
    '17 -: there are more fields than columns',
  ];
  assert.deepEqual(mistakesOf(await unchanged(app, () => check('orders', file))), mistakes);
  const done = await run('orders', file);
  assert.deepEqual(mistakesOf(done), mistakes);
  assert.deepEqual(
    done.documents.filter(({ outcome }) => outcome !== 'refused').map(({ name }) => name),
    ['B-13'],
  );
  const numbers = await app.store.database.read(
    (sql) => sql`select partner_number from orders where partner_number like 'B-%'`,
  );
  assert.deepEqual([...numbers], [{ partner_number: 'B-13' }]);
});

test('the preview takes the units of earlier orders of the file into account, first come, first served', async () => {
  const file = 'Number,Carrier or chain,SKU,Quantity\nC-1,T-Cat,CUP,5\nC-2,T-Cat,CUP,5\nC-3,T-Cat,CUP,4\n';
  assert.deepEqual(outcomesOf(await check('orders', file)), ['C-1 created 2', 'C-2 refused 3', 'C-3 created 4']);
  const later = await unchanged(app, () => check('orders', file, { taken: { CUP: 2 } }));
  assert.deepEqual(outcomesOf(later), ['C-1 created 2', 'C-2 refused 3', 'C-3 refused 4']);
  assert.deepEqual(outcomesOf(await run('orders', file)), ['C-1 created 2', 'C-2 refused 3', 'C-3 created 4']);
});

const inbound = `進貨單號,預計到貨,SKU,數量,效期,批號
PO-1,2031/3/5,TEA,40,2032-06-30,L-1
PO-1,,TEA,20,20320731,L-2
PO-1,,CUP,5,,
PO-2,2031-03-06 14:30,CUP,1,,
`;

test('inbound documents of a file have their lines with expiry and batch; a repeat changes nothing', async () => {
  const checked = await unchanged(app, () => check('inbound', inbound, { tenant: 'TPW-A-2' }));
  assert.deepEqual(outcomesOf(checked), ['PO-1 created 2,3,4', 'PO-2 created 5']);
  await run('inbound', inbound, { tenant: 'TPW-A-2' });
  const { inbound_id } = (await inboundRow(app, 'PO-1')) as { inbound_id: number };
  const detail = await viewer.ask(inboundDetail, { inbound_id });
  assert.deepEqual(
    detail.lines.map(({ sku_id, batch_id, expire_date, announced }) => [sku_id, batch_id, expire_date, announced]),
    [
      ['TEA', 'L-1', '2032-06-30', 40],
      ['TEA', 'L-2', '2032-07-31', 20],
      ['CUP', '', null, 5],
    ],
  );
  assert.match(detail.estimated_arrival_at!, /^2031-03-05T00:00:00/);
  assert.deepEqual([detail.warehouse_no, detail.created_by], [2, 'operator packer']);
  const again = await unchanged(app, () => run('inbound', inbound, { tenant: 'TPW-A-2' }));
  assert.deepEqual(outcomesOf(again), ['PO-1 known 2,3,4', 'PO-2 known 5']);
  const other = await unchanged(app, () => run('inbound', inbound.replace('L-1', 'L-9'), { tenant: 'TPW-A-2' }));
  assert.deepEqual(outcomesOf(other), ['PO-1 differs 2,3,4', 'PO-2 known 5']);
});

test('a batch of a tenant that receives on creation is in the lot; without batches a document is that of inbound/create', async () => {
  const before = await stockOf(app, 'TEA');
  await run('inbound', 'Number,SKU,Quantity,Batch,Expiry date\nNOW-1,TEA,7,L-7,2033-01-31\n');
  const rows = await app.store.database.read(
    (sql) => sql`select batch_id, expire_date::text, on_hand from lot where batch_id = 'L-7'`,
  );
  assert.deepEqual([...rows], [{ batch_id: 'L-7', expire_date: '2033-01-31', on_hand: 7 }]);
  assert.equal((await stockOf(app, 'TEA')).length, before.length + 1);
  await assertBalancesAreSums(app);
  await run('inbound', 'Number,SKU,Quantity\nSAME-1,TEA,7\n', { tenant: 'TPW-A-2' });
  const answer = await app.callWarehouse('/inbound/create', {
    inbound_short_id: 'SAME-1',
    warehouse_tpw_id: 'TPW-A-2',
    details: [{ sku_id: 'TEA', expires: [{ qty: 7 }] }],
  });
  assert.deepEqual([answer.json.code, answer.json.data.payload_differs], ['LST-TPW-2001', undefined]);
});

test('every mistake of an inbound document names its row and column; returns name their order', async () => {
  const file = [
    'Number,Type,Returned order,Expected,SKU,Quantity,Expiry date,Batch',
    'D-1,Gift,,,TEA,1,,',
    'D-2,Return,,,TEA,1,,',
    'D-3,,OUT-1,,TEA,1,,',
    'D-4,,,soon,TEA,1,,',
    'D-5,,,2031-02-30,TEA,1,,',
    'D-6,,,,TEA,1,2031-02-30,',
    'D-7,,,,TEA,1,,"L\t1"',
    'D-8,,,,NONE,1,,',
    'D-9,退貨,A-001,2031-02-28,TEA,1,,',
  ].join('\n');
  const mistakes = [
    '2 Type: must be one of: Inbound (進貨), Return (退貨)',
    '3 Returned order: a return needs the number of the returned order',
    '4 Returned order: only a return has a returned order',
    '5 Expected: must be a day or a time such as 2027-06-30 or 2027-06-30 14:00',
    '6 Expected: must be a day or a time such as 2027-06-30 or 2027-06-30 14:00',
    '7 Expiry date: must be a date, YYYY-MM-DD',
    '8 Batch: must be at most 125 characters, without control, zero-width or bidirectional characters and without white space at either end',
    '9 SKU: sku_id not found',
  ];
  const answer = await unchanged(app, () => check('inbound', file));
  assert.deepEqual(mistakesOf(answer), mistakes);
  assert.deepEqual(mistakesOf(await run('inbound', file)), mistakes);
  assert.deepEqual((await inboundRow(app, 'D-9'))!.kind, 'return');
  assert.equal(await inboundRow(app, 'D-8'), undefined);
});

test('products are created and changed with their facts, codes and locations; a new one needs name and storage', async () => {
  const file = [
    'SKU,商品,溫層,條碼,箱條碼,儲位,重量（公斤）,狀態',
    'NEW-1,烏龍茶,常溫,"4711, 4712","14711 (12)","1: A-1, 2: B-2",0.25,x',
    'TEA,,,,,1: Z-1,,',
    'NEW-2,綠茶,,,,,,',
  ].join('\n');
  const wrong = await unchanged(app, () => check('products', file));
  assert.deepEqual(outcomesOf(wrong), ['NEW-1 created 2', 'TEA changed 3', 'NEW-2 refused 4']);
  assert.deepEqual(mistakesOf(wrong), ['4 SKU: NEW-2 is new: it needs a name and a storage type']);
  // Products of a request are imported together or not at all.
  const none = await unchanged(app, () => run('products', file));
  assert.deepEqual(outcomesOf(none), ['NEW-1 refused 2', 'TEA refused 3', 'NEW-2 refused 4']);
  const right = file.replace('綠茶,', '綠茶,Frozen');
  await run('products', right);
  const { rows } = await viewer.ask(productsSearch, { sku_prefix: 'NEW-' });
  assert.deepEqual(
    rows.map(({ sku_id, name, storage_type, codes, locations, weight_kg }) => [
      ...[sku_id, name, storage_type, codes.map(({ code, units }) => `${code} ${units}`)],
      ...[locations.map(({ warehouse_no, location }) => `${warehouse_no} ${location}`), Number(weight_kg)],
    ]),
    [
      ['NEW-1', '烏龍茶', 'ambient', ['4711 1', '4712 1', '14711 12'], ['1 A-1', '2 B-2'], 0.25],
      ['NEW-2', '綠茶', 'frozen', [], [], 0],
    ],
  );
  assert.deepEqual(outcomesOf(await unchanged(app, () => run('products', right))), [
    'NEW-1 known 2',
    'TEA known 3',
    'NEW-2 known 4',
  ]);
  const renamed = await run('products', 'SKU,Product\nNEW-1,高山烏龍茶\n');
  assert.deepEqual(renamed.documents[0]!.change!.facts, [{ name: 'name', before: '烏龍茶', after: '高山烏龍茶' }]);
});

test('an export is a file that can be imported: the same numbers are there already, in both languages', async () => {
  for (const language of ['en', 'zh-TW'] as const) {
    const filters = { accounts: ['ALPHA'], number: 'A-001' };
    const file = await exported(app, admin, { language, lines: true, recipients: true, filters });
    const answer = await unchanged(app, () => run('orders', file.payload));
    assert.deepEqual(outcomesOf(answer), ['A-001 known 2,3'], language);
    const inbounds = await exported(app, staff, {
      ...{ list: 'inbound', language, lines: true },
      filters: { accounts: ['ALPHA'], number: 'PO-1' },
    });
    const known = await unchanged(app, () => run('inbound', inbounds.payload, { tenant: 'TPW-A-2' }));
    assert.deepEqual(outcomesOf(known), ['PO-1 known 2,3,4'], language);
    const products = await exported(app, staff, { list: 'products', language, filters: { sku_prefix: 'NEW-' } });
    const same = await unchanged(app, () => run('products', products.payload));
    assert.deepEqual(outcomesOf(same), ['NEW-1 known 2', 'NEW-2 known 3'], language);
  }
});

test('an operator of some warehouses imports for these only; other accounts, tenants and roles are refused', async () => {
  await admin.ask(operatorsChange, { username: 'packer', warehouse_nos: [1] });
  const file = 'Number,Carrier or chain,SKU,Quantity\nOWN-1,T-Cat,TEA,1\n';
  const refused = async (body: object, status: number) => {
    for (const path of ['/imports/check', '/imports/run']) {
      const sent = path === '/imports/run' ? { ...body, ...importOfFile() } : body;
      const answer = await unchanged(app, () => staff.send(path, sent));
      assert.equal(answer.status, status, JSON.stringify(answer.json));
    }
  };
  await refused(importBody('orders', file, { tenant: 'TPW-A-2' }), 403);
  await refused(importBody('inbound', 'Number,SKU,Quantity\nOWN-2,TEA,1\n', { tenant: 'TPW-A-2' }), 403);
  await refused(importBody('products', 'SKU,Warehouse,Locations\nTEA,2,B-1\n'), 403);
  await refused(importBody('products', 'SKU,Product\nTEA,Renamed\n'), 403);
  assert.deepEqual(outcomesOf(await run('products', 'SKU,Warehouse,Locations\nTEA,1,Q-1\n')), ['TEA changed 2']);
  assert.deepEqual(outcomesOf(await run('orders', file)), ['OWN-1 created 2']);
  await refused(importBody('orders', file, { tenant: 'NONE' }), 400);
  await refused({ ...importBody('orders', file), warehouse_tpw_id: undefined }, 400);
  await refused(importBody('orders', file, { account: 'NOBODY' }), 400);
  await refused({ ...importBody('orders', file), titles: ['Number'] }, 400);
  await app.provision({ accounts: [{ account_no: 'CLOSED', environment: 'uat', enabled: false }] });
  await refused(importBody('products', 'SKU,Product\nTEA,Renamed\n', { account: 'CLOSED' }), 400);
  assert.equal((await viewer.send('/imports/run', { ...importBody('orders', file), ...importOfFile() })).status, 403);
});

test('a request has at most 500 rows, and the page never splits a document or exceeds it', async () => {
  assert.deepEqual([fileLimits.rowsMax, groupRowsMax], [importRowsMax, importBlockRowsMax]);
  const rows = Array.from({ length: 501 }, (_, index) => `R-${index},T-Cat,TEA,1`).join('\n');
  const body = importBody('orders', `Number,Carrier or chain,SKU,Quantity\n${rows}`);
  const answer = await unchanged(app, () => staff.send('/imports/check', body));
  assert.equal(answer.status, 400);
  const groupOf = (key: string, count: number, text = 'x') => ({
    key,
    rows: Array.from({ length: count }, (_, index) => ({ row: index + 1, cells: [key, text] })),
  });
  const sizes = (groups: ReturnType<typeof groupOf>[]) =>
    splitBlocks(groups).map((block) => block.map(({ key }) => key).join(''));
  assert.deepEqual(sizes([groupOf('a', 300), groupOf('b', 100), groupOf('c', 1), groupOf('d', 500)]), ['ab', 'c', 'd']);
  assert.deepEqual(sizes([groupOf('a', 20, '茶'.repeat(1000)), groupOf('b', 20, '茶'.repeat(1000))]), ['a', 'b']);
  assert.deepEqual(sizes([]), []);
});

test('the audit log has the operator, the file and the counts of each block, and no recipient', async () => {
  const body = {
    ...importBody(
      'orders',
      'Number,Carrier or chain,SKU,Quantity,Recipient,Phone\nAUDIT-1,T-Cat,TEA,1,林美華,0912345678\n',
    ),
    ...importOfFile(),
    file_name: '十一月訂單.xlsx',
  };
  await staff.ask(importsRun, body);
  await staff.ask(importsRun, body);
  const actions = (await actionsOf(app, 'imports/run')).filter(({ subject }) => subject === `import ${body.import_id}`);
  const details = { kind: 'orders', warehouse_tpw_id: 'TPW-A', file: '十一月訂單.xlsx', part: 1, of: 1, rows: 1 };
  const entry = { username: 'packer', subject: `import ${body.import_id}`, details };
  assert.deepEqual(actions, [
    { ...entry, outcome: 'created 1' },
    { ...entry, outcome: 'known 1' },
  ]);
  const dumped = await dump(app);
  assert.ok(!JSON.stringify(dumped.operator_action ?? []).includes('林美華'));
  assert.equal((await orderRow(app, 'AUDIT-1'))!.channel, 'main');
});

test('a template has all columns, examples as texts and an explanation, and can be read back in both languages', async () => {
  for (const kind of importKinds)
    for (const language of ['en', 'zh-TW'] as const) {
      const index = language === 'en' ? 0 : 1;
      const titles = importColumns[kind].map(({ title }) => title[index]);
      const template = async (format: 'xlsx' | 'csv') =>
        await app.http.inject({
          method: 'POST',
          url: '/console/api/imports/template',
          headers: {
            'content-type': 'application/json',
            cookie: staff.cookie,
            'x-csrf-token': staff.signedIn.csrf_token,
          },
          payload: { kind, format, language },
        });
      const csv = readText((await template('csv')).rawPayload);
      assert.deepEqual(csv.titles, titles);
      const xlsx = (await template('xlsx')).rawPayload;
      const table = readWorkbook(xlsx);
      assert.deepEqual(table.titles, titles);
      const examples = [0, 1].map((row) => importColumns[kind].map(({ examples: given }) => given[row]));
      const padded = table.rows.map(({ cells }) => titles.map((_, column) => cells[column] ?? ''));
      assert.deepEqual(padded, examples);
      const sheets = await readExcelFile(xlsx);
      assert.equal(sheets.length, 2);
      assert.equal(sheets[1]!.data.length, titles.length + 2);
      const answer = await staff.ask(importsColumns, { kind, titles: table.titles });
      assert.deepEqual([answer.kind, answer.kind === 'read' && answer.ignored], ['read', []]);
    }
});
