import assert from 'node:assert/strict';
import { test } from 'node:test';
import readExcelFile from 'read-excel-file/node';
import { words as callbackWords } from '../../console/pages/callbacks/words.ts';
import { words as countWords } from '../../console/pages/counts/words.ts';
import { words as orderWords } from '../../console/pages/orders/words.ts';
import { words as productWords } from '../../console/pages/products/words.ts';
import { words as stockWords } from '../../console/pages/stock/words.ts';
import { type ExportList, exportLanguages, exportLists } from '../../contract/console/exports.ts';
import { orderSearch } from '../../contract/console/orders.ts';
import { requestGrouped } from '../../contract/console/requests.ts';
import { stockSearch } from '../../contract/console/stock.ts';
import { exportListTitles } from '../../messages/export-texts.ts';
import { valueNames } from '../../messages/value-names.ts';
import { countOrders } from '../../server/domain/trends/count-orders.ts';
import { addressOf } from '../support/clients.ts';
import { actionsOf, columns, startConsole } from '../support/console.ts';
import { beginCount } from '../support/counting.ts';
import { exportBody, exported, exportHeaders, exportUrl, readFrames } from '../support/exports.ts';
import { convert, withoutLibreOffice } from '../support/libre-office.ts';
import { live, provisionLive } from '../support/live.ts';
import { item, ship } from '../support/logistics.ts';
import { dataOf, order, orderBody, putLot, receive, syncProducts } from '../support/warehouse.ts';
import { until } from '../support/worker.ts';

const { app, service, admin, staff, viewer } = await startConsole();
await provisionLive(app);
await syncProducts(app, ['TEA', 'CUP'], live);
await putLot(app, { skuId: 'TEA', qty: 500, expireDate: '2031-01-31' }, live);
await putLot(app, { skuId: 'CUP', qty: 500, expireDate: null }, live);
const dangerous = ['=1+1', '+CSV', '-CSV', '@CSV', 'CSV "quoted", 茶'];
for (const number of dangerous) await order(app, number, [['TEA', 2]], live);
const twoLines: [string, number][] = [
  ['TEA', 1],
  ['CUP', 3],
];
await order(app, '0001234567890123456789', twoLines, live);

test('a file for spreadsheets in the language of the operator: BOM, CRLF, all quoted, formulas made harmless, a row for each line', async () => {
  const filters = { accounts: ['LIVE'], number: '=1+1', status: ['pending_warehouse_transfer', 'picking'] };
  const file = await exported(app, staff, { filters });
  assert.deepEqual(
    [file.statusCode, file.headers['content-type'], file.headers['cache-control']],
    [200, 'text/csv; charset=utf-8', 'no-store'],
  );
  assert.match(String(file.headers['content-disposition']), /^attachment; filename="orders-\d{8}-\d{6}\.csv"$/);
  assert.deepEqual([...file.rawPayload.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  const { rows } = await viewer.ask(orderSearch, { number: '=1+1' });
  const { order_no, created_at, updated_at } = rows[0]!;
  const time = (instant: string) => instant.slice(0, 19).replace('T', ' ');
  assert.equal(
    file.rawPayload.subarray(3).toString(),
    [
      '"Account","Number","Our number","Shop order","Channel","Status","Transfer","On hold","Warehouse","Store","Delivery",' +
        '"Carrier or chain","Shipment number","Carrier reported","Reason","Lines","Units","Created","Updated"',
      `"LIVE","'=1+1","${order_no}","","Warehouse API","To be transferred","","No","1","10","Home delivery","T-Cat","","","","1","2",` +
        `"${time(created_at)}","${time(updated_at)}"`,
      '',
    ].join('\r\n'),
  );

  const lines = await exported(app, staff, {
    language: 'zh-TW',
    lines: true,
    filters: { number: '0001234567890123456789' },
  });
  const [titles, ...cells] = lines.payload
    .trimEnd()
    .split('\r\n')
    .map((line) => line.slice(1, -1).split('","'));
  assert.deepEqual(titles!.slice(0, 2), ['"貨主', '單號']);
  assert.deepEqual(
    cells.map((row) => [row[1], row[5], row[10], row[11], ...row.slice(19, 24)]),
    [
      ['0001234567890123456789', '待拋單', '宅配', '黑貓宅急便', '1', 'TEA', 'Name of TEA', '常溫', '1'],
      ['0001234567890123456789', '待拋單', '宅配', '黑貓宅急便', '2', 'CUP', 'Name of CUP', '常溫', '3'],
    ],
  );
  const all = (await exported(app, staff)).payload;
  for (const safe of [`"'+CSV"`, `"'-CSV"`, `"'@CSV"`, '"CSV ""quoted"", 茶"']) assert.ok(all.includes(safe), safe);
});

test('a spreadsheet has the same rows: numbers of documents are texts, units are numbers, times are times', async () => {
  const file = await exported(app, staff, {
    format: 'xlsx',
    language: 'zh-TW',
    lines: true,
    filters: { accounts: ['LIVE'] },
  });
  assert.match(String(file.headers['content-disposition']), /orders-\d{8}-\d{6}\.xlsx/);
  const [sheet] = await readExcelFile(file.rawPayload);
  const { rows } = await viewer.ask(orderSearch, { accounts: ['LIVE'] });
  assert.deepEqual([sheet!.sheet, sheet!.data.length], ['訂單', 1 + rows.length + 1]);
  const titles = sheet!.data[0]!;
  const long = sheet!.data.filter((row) => row[1] === '0001234567890123456789');
  const cell = (title: string) => long.map((row) => row[titles.indexOf(title)]);
  assert.deepEqual(
    [cell('SKU'), cell('數量'), cell('件數'), cell('倉庫')],
    [
      ['TEA', 'CUP'],
      [1, 3],
      [4, 4],
      ['1', '1'],
    ],
  );
  const { created_at } = rows.find(({ partner_number }) => partner_number === '0001234567890123456789')!;
  assert.deepEqual(cell('建立時間')[0], new Date(`${created_at.slice(0, 19)}Z`));
  assert.ok(sheet!.data.some((row) => row[1] === '=1+1'));
});

/** All exports as spreadsheets, by list and language. */
const books: Record<string, Buffer> = {};

test('every list can be exported, in both formats and languages, with as many rows as it has', async () => {
  await receive(app, { TEA: [['2031-01-31', 5]] }, live);
  await beginCount(app, staff, ['TEA']);
  await app.callWarehouse('/stock/query', { sku_ids: 3 }, live);
  await until('the refusal is in the log', async () => (await viewer.ask(requestGrouped, {})).groups.length > 0);
  await countOrders(service, { now: new Date(), youngestSeconds: 0, restRatio: 0 });
  const { rows: lots } = await viewer.ask(stockSearch, { sku_id: 'TEA' });
  const filters: Partial<Record<ExportList, object>> = {
    movements: { lot_id: lots[0]!.lot_id },
    requests: { minutes: 60 },
  };
  const empty: ExportList[] = ['callbacks', 'receivers', 'alert-history', 'trend-receivers', 'trend-callers'];
  for (const list of exportLists) {
    const counts = await Promise.all(
      exportLanguages.map(async (language) => {
        const wanted = { list, language, filters: filters[list] ?? {} };
        const csv = await exported(app, admin, wanted);
        const xlsx = await exported(app, admin, { ...wanted, format: 'xlsx' });
        assert.deepEqual([csv.statusCode, xlsx.statusCode], [200, 200], `${list}: ${csv.payload}`);
        books[`${list}-${language}.xlsx`] = xlsx.rawPayload;
        const [sheet] = await readExcelFile(xlsx.rawPayload);
        assert.equal(sheet!.sheet, exportListTitles[list][language === 'en' ? 0 : 1]);
        return [csv.payload.split('\r\n').length - 2, sheet!.data.length - 1];
      }),
    );
    // The exports themselves are in the audit log and in the request log.
    if (list === 'audit-log' || list === 'requests') continue;
    assert.equal(new Set(counts.flat()).size, 1, `${list}: ${counts}`);
    assert.equal(counts[0]![0] === 0, empty.includes(list), list);
  }
});

test('LibreOffice opens every list in both languages, and finds the same texts, numbers and times in them', {
  skip: withoutLibreOffice,
}, async () => {
  const opened = await convert(books, 'xlsx');
  for (const [name, bytes] of Object.entries(books)) {
    const [[ours], [theirs]] = [await readExcelFile(bytes), await readExcelFile(opened[name]!)];
    assert.deepEqual([theirs!.sheet, theirs!.data], [ours!.sheet, ours!.data], name);
  }
  assert.equal(Object.keys(opened).length, exportLists.length * exportLanguages.length);
});

test('partners and operators are exported with the filters of their page', async () => {
  const rowsOf = async (list: ExportList, filters: object) =>
    (await exported(app, admin, { list, filters })).payload
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.slice(1, -1).split('","').slice(0, 4));
  assert.deepEqual(await rowsOf('accounts', { text: 'liv', environment: ['production'] }), [
    ['LIVE', 'LIVE', 'Production', 'Enabled'],
  ]);
  assert.deepEqual(await rowsOf('accounts', { text: 'liv', environment: ['uat'] }), []);
  assert.deepEqual(await rowsOf('operators', { role: ['staff'], state: ['enabled'] }), [
    ['packer', 'Staff', 'All', 'Enabled'],
  ]);
  assert.deepEqual(await rowsOf('operators', { state: ['disabled'] }), []);
});

test('a line has its amount, to the cent', async () => {
  await ship(app, 'PRICED', [item('TEA', 3, { price: 0.1 })], {}, live.apiKey);
  const { payload } = await exported(app, staff, { lines: true, filters: { number: 'PRICED' } });
  const [titles, cells] = payload.split('\r\n').map((line) => line.slice(1, -1).split('","'));
  const cell = (title: string) => cells![titles!.indexOf(title)];
  assert.deepEqual([cell('Quantity'), cell('Price (NT$)'), cell('Amount (NT$)')], ['3', '0.10', '0.30']);
});

test('recipients are only for administrators, and the audit log says who has them', async () => {
  const person = { consignee_name: '王小明', consignee_phone: '0912345678', consignee_address: '信義路五段七號' };
  dataOf(await app.callWarehouse('/outbound/create', { ...orderBody('TO-WANG', [['TEA', 1]], live), ...person }, live));
  const wanted = { recipients: true, filters: { number: 'TO-WANG' } };
  assert.doesNotMatch((await exported(app, admin, { filters: wanted.filters })).payload, /王小明|0912345678|信義/);
  const refused = await exported(app, staff, wanted);
  assert.deepEqual([refused.statusCode, refused.json().error.kind], [403, 'not_allowed']);

  const { payload } = await exported(app, admin, wanted);
  assert.match(payload, /"Recipient","Phone","Postcode","City","Address"/);
  assert.match(payload, /"王小明","0912345678","","","信義路五段七號"/);
  const entry = (await actionsOf(app, 'exports/file')).at(-1)!;
  assert.deepEqual(
    [entry.username, entry.subject, entry.outcome, entry.details],
    ['boss', 'list orders', 'exported 1', { format: 'csv', lines: false, recipients: true, number: 'TO-WANG' }],
  );
});

test('a request that a list cannot answer is refused, and is not in the audit log', async () => {
  const before = (await actionsOf(app, 'exports/file')).length;
  const refusals: [answer: Awaited<ReturnType<typeof exported>>, status: number, kind: string, path?: string][] = [
    [await exported(app, viewer), 403, 'not_allowed'],
    [await exported(app, staff, { list: 'audit-log' }), 403, 'not_allowed'],
    [await exported(app, staff, {}, { 'x-csrf-token': 'x' }), 403, 'not_allowed'],
    [await exported(app, staff, {}, { 'sec-fetch-site': 'cross-site' }), 403, 'not_allowed'],
    [await exported(app, staff, {}, { cookie: '' }), 401, 'unauthorized'],
    [await exported(app, staff, { filters: { offset: 3 } }), 400, 'invalid', 'filters.offset'],
    [await exported(app, staff, { filters: { cursor: 'x' } }), 400, 'invalid', 'filters.cursor'],
    [await exported(app, staff, { filters: { accounts: ['NOBODY'] } }), 400, 'invalid', 'accounts'],
    [await exported(app, staff, { list: 'stock', lines: true }), 400, 'invalid', 'lines'],
    [await exported(app, staff, { list: 'movements' }), 400, 'invalid', 'filters.lot_id'],
    [await exported(app, staff, { list: 'nothing' as never }), 400, 'invalid', 'list'],
  ];
  for (const [answer, status, kind, path] of refusals) {
    const { error } = answer.json();
    assert.deepEqual([answer.statusCode, error.kind, error.mistakes?.[0].path], [status, kind, path]);
  }
  assert.equal((await actionsOf(app, 'exports/file')).length, before);
});

test('an export is as long as its list, says how many rows it has so far, and ends when its reader leaves', async () => {
  await storeOrders(1, 5000);
  const filters = { accounts: ['BETA'] };
  const { rawPayload } = await exported(app, staff, { filters, progress: true, format: 'xlsx' });
  const { file, rows } = readFrames(rawPayload);
  assert.deepEqual([rows.at(-1), rows.toSorted((one, other) => one - other)], [5000, rows]);
  assert.ok(new Set(rows).size > 3, String(rows));
  const [sheet] = await readExcelFile(file);
  assert.equal(new Set(sheet!.data.map((row) => row[1])).size, 5001);

  // Too many for the buffers between the service and a reader who leaves.
  await storeOrders(5001, 25_000);
  const url = await addressOf(app);
  for (const format of ['csv', 'xlsx'] as const) {
    for (const progress of [true, false]) {
      const before = (await actionsOf(app, 'exports/file')).length;
      const leaving = new AbortController();
      const answer = await fetch(`${url}${exportUrl}`, {
        method: 'POST',
        headers: exportHeaders(staff),
        body: JSON.stringify(exportBody({ format, filters, progress })),
        signal: leaving.signal,
      });
      assert.equal(answer.status, 200);
      await answer.body!.getReader().read();
      leaving.abort();
      const own = async () => (await actionsOf(app, 'exports/file'))[before];
      await until('the export has ended', async () => typeof (await own())?.outcome === 'string');
      const [, count] = /^stopped after (\d+)$/.exec((await own())!.outcome!)!;
      assert.ok(Number(count) < 25_000, count);
    }
  }
  const outcomes = columns(await actionsOf(app, 'exports/file'), 'username', 'outcome');
  assert.deepEqual(outcomes.at(-5), ['packer', 'exported 5000']);
});

async function storeOrders(first: number, last: number): Promise<void> {
  await app.store.database.transaction(
    (tx) => tx`
      insert into orders (account_id, channel, partner_number, order_no, payload_digest, warehouse_no, store_no, status, environment)
      select (select account_id from account where account_no = 'BETA'), 'main', 'MANY-' || n, 'ow_MANY-' || n || '_0123456789', '', 1, 10, 'cancelled', 'uat'
      from generate_series(${first}::integer, ${last}::integer) n`,
  );
}

test('files and pages have the same names for the same values', () => {
  for (const language of exportLanguages) {
    const { shipMethod, transferStatus, band, event, countState, countScope, unspecified } = valueNames[language];
    const { [language]: ofOrders } = orderWords;
    assert.deepEqual([shipMethod, transferStatus], [ofOrders.shipMethod, ofOrders.transferStatus]);
    assert.deepEqual([band, event], [stockWords[language].band, callbackWords[language].event]);
    assert.deepEqual([countState, countScope], [countWords[language].state, countWords[language].scope]);
    assert.equal(unspecified, productWords[language].unspecified);
  }
});
