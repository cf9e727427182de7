import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestApp } from '../support/app.ts';
import { provisionOperators, signIn } from '../support/console.ts';
import {
  assertAccessible,
  assertFitsWidth,
  assertNoComplaints,
  focused,
  scan,
  scanFast,
  shown,
  startConsoleBrowser,
} from '../support/console-browser.ts';
import { advanceOrder, beginCount } from '../support/counting.ts';
import { live, provisionLive } from '../support/live.ts';
import { retvalOf } from '../support/main.ts';
import { order, receive } from '../support/warehouse.ts';

const app = await startTestApp();
await provisionOperators(app);
await provisionLive(app);
await app.provision({ warehouses: [{ warehouse_no: 1, name: '桃園', connector: { type: 'manual' } }] });
await receive(
  app,
  {
    TEA: [
      ['2031-01-31', 24],
      ['2031-06-30', 12],
    ],
    CUP: [[null, 30]],
    POT: [[null, 5]],
  },
  live,
);
const at = (sku_id: string, location: string, codes: object[] = []) => ({
  sku_id,
  codes,
  locations: [{ warehouse_no: 1, location }],
});
const products = [at('TEA', 'A-02', [{ code: '4710000000123', units: 12 }]), at('CUP', 'A-02'), at('POT', 'A-10')];
retvalOf(await app.callMain('/products/update', { products }, { as: live }));
const staff = await signIn(app, 'staff');
const browser = await startConsoleBrowser(app);
const narrow = { width: 375, height: 812 };

/** LADING_TEST_SHOTS names a folder for pictures of the pages. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.LADING_TEST_SHOTS;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

async function sums(): Promise<Record<string, number>> {
  const rows = await app.store.database.read(
    (sql) => sql<{ sku: string; units: number }[]>`
      select sku_id as sku, sum(on_hand)::bigint as units from lot group by sku_id order by sku_id`,
  );
  return Object.fromEntries(rows.map(({ sku, units }) => [sku, units]));
}

async function countLocation(page: Page, location: string): Promise<void> {
  await page.getByRole('button', { name: 'New count' }).click();
  await shown(page.getByRole('dialog', { name: 'New count' }));
  await assertAccessible(page);
  await page.getByRole('combobox', { name: 'Account' }).click();
  await page.getByRole('option', { name: 'LIVE' }).click();
  await page.getByRole('textbox', { name: 'Location' }).fill(location);
  await picture(page, 'create-phone-en');
  await page.getByRole('button', { name: 'Begin' }).click();
}

test('a location is counted blind on a phone by scan, carton and multiplier, and the differences are booked', async () => {
  const watched = await browser.open('staff', '/counts', { viewport: narrow });
  const { page } = watched;
  await countLocation(page, 'A-02');

  await focused(page, 'Scan a product');
  await shown(page.getByText('0 of 3 lots counted'));
  // Two lots: the first scan asks which one, and the scans behind it wait.
  await scanFast(page, ['4710000000123', 'TEA', 'TEA']);
  await shown(page.getByText('Which lot of TEA?'));
  await picture(page, 'lot-phone-en');
  await assertAccessible(page);
  await page.getByText('Review', { exact: true }).click();
  await shown(page.getByText('The last scan is not counted yet. Answer the question first, or close it.'));
  await page.getByRole('button', { name: 'No batch · 2031-01-31', exact: true }).click();
  await shown(page.getByText('+1 TEA: 14 counted'));
  await scan(page, '29x');
  await scan(page, 'CUP');
  await shown(page.getByText('+29 CUP: 29 counted'));
  await scan(page, 'POT');
  await shown(page.getByRole('alert').getByText('POT is not part of this count. It belongs to A-10.'));
  await scan(page, 'TEA');
  await page.getByRole('button', { name: 'Another lot' }).click();
  await focused(page, 'Batch');
  await scan(page, 'B-7');
  await focused(page, 'Expiry date');
  await page.keyboard.type('2032-02-30');
  await page.getByRole('button', { name: 'Count this lot' }).click();
  await shown(page.getByText('Enter a date such as 2027-06-30.'));
  await page.getByRole('textbox', { name: 'Expiry date' }).fill('2032-02-29');
  await page.getByRole('button', { name: 'Count this lot' }).click();
  await shown(page.getByText('+1 TEA: 1 counted'));
  await page.getByRole('button', { name: 'Undo +29 CUP' }).click();
  await shown(page.getByText('Undone. CUP: 0 counted'));
  await scanFast(page, Array(12).fill('CUP'));
  await shown(page.getByText('+1 CUP: 12 counted'));
  await picture(page, 'sheet-phone-en');
  await assertFitsWidth(page);
  await assertAccessible(page);

  await page.getByText('Review', { exact: true }).click();
  await shown(page.getByText('Differences (3)'));
  await shown(page.getByText('−10'));
  await page.getByText('Not counted (1)').click();
  await page.getByRole('button', { name: 'None there: TEA No batch · 2031-06-30' }).click();
  await shown(page.getByText('Differences (4)'));
  await page.getByText('Differences (4)').click();
  await picture(page, 'review-phone-en');
  await assertFitsWidth(page);
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Book 4' }).click();
  await shown(page.getByText('The stock of 4 lots changes: +1, −40 units'));
  await picture(page, 'book-phone-en');
  await page.getByRole('dialog').getByRole('button', { name: 'Book 4' }).click();
  await shown(page.getByText('The differences of 4 lots are booked'));
  assert.deepEqual(await sums(), { CUP: 12, POT: 5, TEA: 15 });
  assertNoComplaints(watched);
});

test('a lot whose units orders have locked is reported; it is recounted, or the others are booked without it', async () => {
  const count = await beginCount(app, staff, ['POT', 'CUP']);
  await count.enter(staff, 'POT', 1, { expire_date: null });
  await count.enter(staff, 'CUP', 10, { expire_date: null });
  await order(app, 'POTS', [['POT', 5]], live);
  await advanceOrder(app, 'POTS', 'packed');
  const watched = await browser.open('staff', `/counts/${count.count_id}?view=review`, { locale: 'zh-TW' });
  const { page } = watched;
  await page.getByRole('button', { name: '過帳 2 個差異' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '過帳 2 個差異' }).click();
  await shown(page.getByText('訂單已鎖定 5 件，過帳後會不足'));
  await picture(page, 'refused-wide-zh');
  await assertAccessible(page);
  assert.deepEqual(await sums(), { CUP: 12, POT: 5, TEA: 15 });
  await page.getByRole('button', { name: '略過這 1 個，其餘過帳' }).click();
  await shown(page.getByText('已將 1 個批次的差異過帳'));
  await shown(page.getByText('未過帳', { exact: true }));
  await picture(page, 'booked-wide-zh');
  assert.deepEqual(await sums(), { CUP: 10, POT: 5, TEA: 15 });
  assertNoComplaints(watched);
});

test('a scan whose response is lost is sent again and counts once', async () => {
  const count = await beginCount(app, staff, ['CUP']);
  let isLost = true;
  const watched = await browser.open('staff', `/counts/${count.count_id}`, {}, async (page) => {
    await page.route('**/counts/enter', async (route) => {
      await route.fetch();
      if (isLost) await route.abort();
      else await route.fulfill({ response: await route.fetch() });
    });
  });
  const { page } = watched;
  await focused(page, 'Scan a product');
  await scan(page, '4x');
  await scan(page, 'CUP');
  await shown(page.getByText('The last scan may not have been counted'));
  isLost = false;
  await page.getByRole('button', { name: 'Send again' }).click();
  await shown(page.getByText('+4 CUP: 4 counted'));
  assert.equal((await count.line(staff, 'CUP')).counted, 4);
});

test('an administrator restricts an operator, whose pages then show only the own warehouses', async () => {
  const watched = await browser.open('admin', '/operators');
  const { page } = watched;
  await page.getByRole('button', { name: 'Actions for packer' }).click();
  await page.getByRole('menuitem', { name: 'Change role or warehouses…' }).click();
  await page.getByRole('combobox', { name: 'Warehouses' }).click();
  await page.getByRole('option', { name: '1 桃園' }).click();
  await page.keyboard.press('Tab');
  await picture(page, 'operator-wide-en');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await shown(page.getByRole('cell', { name: '1 桃園' }));
  assertNoComplaints(watched);

  const own = await browser.open('staff', '/');
  await shown(own.page.getByRole('heading', { name: 'Orders' }));
  const links = await own.page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents();
  const floor = ['Batch picking', 'Pack and ship', 'Order status by scan'];
  const lists = ['Inbound', 'Stock', 'Stock counts', 'Products', 'Import', 'Partners'];
  assert.deepEqual(links, ['Trends', 'Orders', ...floor, ...lists]);
  assertNoComplaints(own);
});
