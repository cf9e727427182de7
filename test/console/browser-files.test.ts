import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import readExcelFile from 'read-excel-file/node';
import { taipeiDay } from '../../server/platform/clock.ts';
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
import { order, putLot, syncProducts } from '../support/warehouse.ts';

const app = await startTestApp();
await provisionOperators(app);
await provisionLive(app);
await syncProducts(app, ['TEA', 'CUP'], live);
for (const skuId of ['TEA', 'CUP']) await putLot(app, { skuId, qty: 500, expireDate: null }, live);
for (const number of ['NOV-1', 'OCT-1', 'OCT-2']) {
  const lines: [string, number][] = [
    ['TEA', 1],
    ['CUP', 2],
  ];
  await order(app, number, lines, live);
}
const firstOfMonth = `${taipeiDay(app.clock.now()).slice(0, 7)}-01`;
const lastOfMonthBefore = taipeiDay(new Date(`${firstOfMonth}T00:00:00+08:00`), -1);
const monthBefore = { from: `${lastOfMonthBefore.slice(0, 7)}-01`, to: lastOfMonthBefore };
await app.store.database.transaction(
  (tx) => tx`
    update orders set created_at = ${`${monthBefore.to}T20:00:00+08:00`}::timestamptz where partner_number like 'OCT-%'`,
);
const browser = await startConsoleBrowser(app);

/** LADING_TEST_SHOTS names a folder for pictures of the pages. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.LADING_TEST_SHOTS;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/files-${name}.png` });
}

/** Clicks, and counts the clicks of a job. */
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

test('the orders of a client in last month are in a spreadsheet, with their lines, after five clicks', async () => {
  const { page, ...watched } = await browser.open('staff', '/', { locale: 'zh-TW' });
  const { click, clicks } = clicker();
  await click(page.getByRole('link', { name: '訂單' }).first());
  await click(page.getByRole('combobox', { name: '貨主' }));
  await click(page.getByRole('option', { name: 'LIVE' }));
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: '建立時間（起）' }).fill(monthBefore.from);
  await page.getByRole('textbox', { name: '建立時間（迄）' }).fill(monthBefore.to);
  await page.keyboard.press('Enter');
  await page.getByText('NOV-1').first().waitFor({ state: 'detached' });
  await click(page.getByRole('button', { name: '匯出' }));
  await shown(page.getByRole('switch', { name: '每個品項一列' }));
  await picture(page, 'export-menu-zh-wide');
  await assertAccessible(page);
  const download = page.waitForEvent('download');
  await click(page.getByRole('button', { name: 'Excel 檔（XLSX）' }));
  const file = await download;
  assert.equal(clicks(), 5);
  assert.match(file.suggestedFilename(), /^orders-\d{8}-\d{6}\.xlsx$/);
  const [sheet] = await readExcelFile(await buffer(await file.createReadStream()));
  assert.deepEqual(
    sheet!.data.map((row) => [row[1], row[20], row[23]]),
    [
      ['單號', 'SKU', '數量'],
      ['OCT-2', 'TEA', 1],
      ['OCT-2', 'CUP', 2],
      ['OCT-1', 'TEA', 1],
      ['OCT-1', 'CUP', 2],
    ],
  );
  const report = page.getByRole('region', { name: '匯出作業' });
  await shown(report.getByText('共 4 列，已存到下載資料夾'));
  await picture(page, 'export-done-zh-wide');
  await assertAccessible(page);
  await report.getByRole('button', { name: '關閉' }).click();
  await report.waitFor({ state: 'detached' });
  assertNoComplaints({ page, ...watched });
});

test('on a phone, an export goes on while other pages are opened, and can be cancelled', async () => {
  const { page, ...watched } = await browser.open('admin', '/orders', { viewport: phone });
  await shown(page.getByText('NOV-1'));
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('switch', { name: 'With recipients' }).click();
  await picture(page, 'export-menu-en-phone');
  await assertAccessible(page);
  await assertFitsWidth(page);
  // The response does not come, so the export is under way for as long as the test wants.
  const asked = Promise.withResolvers<unknown>();
  await page.route('**/api/exports/file', (route) => asked.resolve(route.request().postDataJSON()));
  await page.getByRole('button', { name: 'CSV' }).click();
  const report = page.getByRole('region', { name: 'Exports' });
  await shown(report.getByText('0 rows so far'));
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('link', { name: 'Products' }).first().click();
  await shown(page.getByRole('heading', { name: 'Products' }));
  await picture(page, 'export-progress-en-phone');
  await assertAccessible(page);
  await report.getByRole('button', { name: 'Cancel' }).click();
  await report.waitFor({ state: 'detached' });
  assert.deepEqual(await asked.promise, {
    ...{ list: 'orders', format: 'csv', language: 'en', filters: {} },
    ...{ lines: true, recipients: true, progress: true },
  });
  assertNoComplaints({ page, ...watched });
});
