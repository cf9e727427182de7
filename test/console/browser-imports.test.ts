import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { type Cell, writeWorkbook } from '../../server/platform/xlsx.ts';
import { startTestApp } from '../support/app.ts';
import { provisionOperators } from '../support/console.ts';
import {
  assertAccessible,
  assertFitsWidth,
  assertNoComplaints,
  phone,
  shown,
  startConsoleBrowser,
} from '../support/console-browser.ts';
import { live, provisionLive } from '../support/live.ts';
import { inboundRow, orderRow, putLot, syncProducts } from '../support/warehouse.ts';

const app = await startTestApp();
await provisionOperators(app);
await provisionLive(app);
await syncProducts(app, ['TEA', 'CUP'], live);
for (const skuId of ['TEA', 'CUP']) await putLot(app, { skuId, qty: 500, expireDate: null }, live);
const browser = await startConsoleBrowser(app);

/** LADING_TEST_SHOTS names a folder for pictures of the pages. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.LADING_TEST_SHOTS;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/imports-${name}.png`, fullPage: true });
}

async function xlsxOf(titles: string[], rows: Cell[][]): Promise<Buffer> {
  async function* pages() {
    yield rows;
  }
  const columns = titles.map((title) => ({ title, kind: 'text' as const }));
  return await buffer(writeWorkbook({ name: 'Rows', columns, pages: pages(), at: new Date() }));
}

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

async function choose(page: Page, name: string, bytes: Buffer, mimeType = xlsxType): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer: bytes });
}

/** Chooses the account; its only tenant is chosen by the page. */
async function chooseAccount(page: Page, click: (target: Locator) => Promise<void>): Promise<void> {
  // The list before has a field of this name too.
  await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor();
  await click(page.getByRole('combobox', { name: 'Account' }));
  await click(page.getByRole('option', { name: /^LIVE/ }));
}

function clicker() {
  let clicks = 0;
  return {
    async click(target: Locator) {
      clicks += 1;
      await target.click();
    },
    clicks: () => clicks,
  };
}

const orderTitles = ['Number', 'Carrier or chain', 'SKU', 'Quantity', 'Recipient', 'Phone', 'Address'];
const person = ['林美華', '0912345678', '臺北市中正區範例路 1 號'];

test('twenty orders from a spreadsheet take five clicks; without the import they took twenty calls of the API', async () => {
  const rows = Array.from({ length: 20 }, (_, index) => [`000${index + 1}`, 'T-Cat', 'TEA', '1', ...person]);
  const watched = await browser.open('staff', '/orders');
  const { page } = watched;
  const { click, clicks } = clicker();
  await click(page.getByRole('link', { name: 'Import orders' }));
  await chooseAccount(page, click);
  await page.getByRole('combobox', { name: 'Tenant (warehouse)' }).and(page.locator('[value*=TPW-LIVE]')).waitFor();
  // The click on "Choose a file" opens the dialog of the browser.
  await choose(page, 'orders.xlsx', await xlsxOf(orderTitles, rows));
  await shown(page.getByRole('table', { name: 'Orders' }).getByRole('row', { name: /00020/ }));
  assert.equal(await orderRow(app, '0001'), undefined);
  await assertAccessible(page);
  await picture(page, 'orders-en');
  await click(page.getByRole('button', { name: 'Import 20 orders' }));
  await shown(page.getByRole('status').getByText('Everything is imported'));
  assert.equal(clicks() + 1, 5);
  const numbers = await app.store.database.read((sql) => sql`select from orders where partner_number ~ '^000'`);
  assert.equal(numbers.length, 20);
  await choose(page, 'orders.xlsx', await xlsxOf(orderTitles, rows));
  await shown(page.getByText('Everything in the file is there already.'));
  assertNoComplaints(watched);
});

test('rows with mistakes are listed and block the import, until they are left out on purpose', async () => {
  const rows = [
    ['BAD-1', 'Pigeon', 'TEA', '1', ...person],
    ['BAD-2', 'T-Cat', 'NONE', 'many', ...person],
    ['GOOD-1', 'T-Cat', 'TEA', '2', ...person],
    ['GOOD-1', null, 'CUP', '1', null, null, null],
  ];
  const watched = await browser.open('staff', '/import?kind=orders&account=LIVE&tenant=TPW-LIVE');
  const { page } = watched;
  await shown(page.getByRole('combobox', { name: 'Tenant (warehouse)' }));
  await choose(page, 'orders.xlsx', await xlsxOf(orderTitles, rows));
  const mistakes = page.getByRole('table', { name: 'Mistakes' });
  await shown(mistakes.getByRole('row', { name: /2 BAD-1 Carrier or chain must be one of: T-Cat/ }));
  await shown(mistakes.getByRole('row', { name: /3 BAD-2 Quantity must be a whole number/ }));
  const send = page.getByRole('button', { name: 'Import 1 order' });
  assert.equal(await send.isDisabled(), true);
  await assertAccessible(page);
  await picture(page, 'mistakes-en');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Rows to correct (CSV)' }).click();
  const file = (await buffer(await (await saved).createReadStream())).toString();
  assert.match(file, /"Problem"\r\n"BAD-1","Pigeon","TEA",.*"Carrier or chain: must be one of: .*"\r\n"BAD-2"/);
  assert.ok(!file.includes('GOOD-1'));
  await page.getByRole('checkbox', { name: /Import only the 1 order without mistakes, and leave out 2/ }).check();
  await send.click();
  await shown(page.getByRole('status').getByText('Everything is imported'));
  assert.equal(await orderRow(app, 'BAD-1'), undefined);
  assert.notEqual(await orderRow(app, 'GOOD-1'), undefined);
  assertNoComplaints(watched);
});

test('an import that breaks off says so, and a second check imports the rest only', async () => {
  const rows = Array.from({ length: 1000 }, (_, index) => `BROKEN-${index},TEA,1`);
  const watched = await browser.open('staff', '/import?kind=inbound&account=LIVE&tenant=TPW-LIVE', {}, async (page) => {
    let calls = 0;
    await page.route('**/imports/run', (route) => {
      calls += 1;
      return calls === 2 ? route.abort() : route.continue();
    });
  });
  const { page } = watched;
  await shown(page.getByRole('combobox', { name: 'Tenant (warehouse)' }));
  await choose(page, 'in.csv', Buffer.from(`進貨單號,SKU,數量\n${rows.join('\n')}\n`), 'text/csv');
  await page.getByRole('button', { name: 'Import 1,000 documents' }).click();
  await shown(page.getByRole('status').getByText('Not everything is imported'));
  const count = async () =>
    (await app.store.database.read((sql) => sql`select from inbound_document where partner_number like 'BROKEN-%'`))
      .length;
  assert.equal(await count(), 400);
  await page.getByRole('button', { name: 'Check again' }).click();
  await page.getByRole('button', { name: 'Import 600 documents' }).click();
  await shown(page.getByRole('status').getByText('Everything is imported'));
  assert.equal(await count(), 1000);
});

test('inbound documents in Chinese from a Big5 file: the page names the encoding, and shows what it would create', async () => {
  const watched = await browser.open('staff', '/import?kind=inbound&account=LIVE&tenant=TPW-LIVE', { locale: 'zh-TW' });
  const { page } = watched;
  await shown(page.getByRole('combobox', { name: '商店（倉庫）' }));
  // 「單號」 and 「數量」 in Big5.
  const titles = [Buffer.from([0xb3, 0xe6, 0xb8, 0xb9]), Buffer.from(',SKU,'), Buffer.from([0xbc, 0xc6, 0xb6, 0x71])];
  const bytes = Buffer.concat([
    ...titles,
    Buffer.from(',expire_date,x\r\nBIG5-1,TEA,5,2031/1/31,1\r\nBIG5-1,CUP,6,,\r\n'),
  ]);
  await choose(page, '進貨.csv', bytes, 'text/csv');
  await shown(page.getByText('檔案編碼為 Big5，請確認文字是否正確。'));
  await shown(page.getByText('不匯入的欄位：x。'));
  await assertAccessible(page);
  await picture(page, 'inbound-zh');
  await page.getByRole('button', { name: '匯入 1 張單據' }).click();
  await shown(page.getByRole('status').getByText('全部匯入完成'));
  assert.notEqual(await inboundRow(app, 'BIG5-1'), undefined);
  assertNoComplaints(watched);
});

test('products from pasted cells on a phone: what changes is shown for each product; templates can be downloaded', async () => {
  const watched = await browser.open('staff', '/products', { viewport: phone });
  const { page } = watched;
  await page.getByRole('link', { name: 'Import products' }).click();
  await chooseAccount(page, (target) => target.click());
  await page
    .getByRole('textbox', { name: 'Or paste cells' })
    .fill(
      'SKU\tProduct\tStorage\tBarcodes\tUnits per code\nTEA\t\t\t4711\t1\nTEA\t\t\t14711\t12\nPOT\tTea pot\tAmbient\t4712\t',
    );
  await page.getByRole('button', { name: 'Check cells' }).click();
  await shown(page.getByText('+ 14711 · carton of 12'));
  await assertFitsWidth(page);
  await assertAccessible(page);
  await picture(page, 'products-phone-en');
  await page.getByRole('button', { name: 'Import 2 products' }).click();
  await shown(page.getByRole('status').getByText('Everything is imported'));
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Template (XLSX)' }).click();
  assert.equal((await saved).suggestedFilename(), 'Products.xlsx');
  const broken = page.getByRole('alert').getByText('It is damaged, protected, or not a spreadsheet.');
  await choose(page, 'broken.xlsx', Buffer.from('PK\x03\x04 broken'));
  await shown(broken);
  assertNoComplaints(watched);
});
