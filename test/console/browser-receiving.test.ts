import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { inboundDetail } from '../../contract/console/inbound.ts';
import { startTestApp } from '../support/app.ts';
import { clientsOf } from '../support/clients.ts';
import { columns, provisionOperators, signIn } from '../support/console.ts';
import {
  assertAccessible,
  assertFitsWidth,
  assertNoComplaints,
  focused,
  phone,
  scan,
  scanFast,
  shown,
  startConsoleBrowser,
} from '../support/console-browser.ts';
import { announce, expiry, prod, provisionReceiving } from '../support/receiving.ts';
import { dataOf, goodRow, inboundRow, stockOf, syncProducts } from '../support/warehouse.ts';

const app = await startTestApp();
await provisionOperators(app);
await provisionReceiving(app);
await app.provision({ warehouses: [{ warehouse_no: 1, name: '桃園', connector: { type: 'manual' } }] });
const browser = await startConsoleBrowser(app);
const { main } = await clientsOf(app, prod);

async function inboundPath(number: string): Promise<string> {
  return `/inbound/${(await inboundRow(app, number))!.inbound_id}`;
}

/** Clicks the button that opens the question, and answers it. */
async function receive(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: label }).click();
  await page.getByRole('dialog').getByRole('button', { name: label }).click();
}

test('codes and locations come from a pasted table after a preview, and are edited on the page of the product', async () => {
  await syncProducts(app, ['LABEL-TEA', 'LABEL-CUP'], prod);
  const watched = await browser.open('staff', '/products');
  const { page } = watched;
  await page.getByRole('link', { name: 'Import products' }).click();
  const rows = page.getByRole('textbox', { name: 'Or paste cells' });
  // The list of products has a field for the account too.
  await rows.waitFor();
  await page.getByRole('combobox', { name: 'Account' }).click();
  const account = page.getByRole('option', { name: /^PROD/ });
  await shown(account);
  await assertAccessible(page, 'the open list of accounts');
  await account.click();
  await rows.fill('sku_id\tcode\tunits\twarehouse_no\tlocation\nLABEL-TEA\tT-1\t\t1\tA-2\nLABEL-POT\tP-1\t\t\t');
  await page.getByRole('button', { name: 'Check cells' }).click();
  const mistakes = page.getByRole('table', { name: 'Mistakes' });
  await shown(mistakes.getByRole('row', { name: /^3 LABEL-POT sku_id the account has no product LABEL-POT/ }));
  await page.locator('input[type=file]').setInputFiles({
    name: 'codes.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('sku_id,code,units,warehouse_no,location\nLABEL-TEA,T-1,,1,A-2\nLABEL-CUP,C-12,12,,\n'),
  });
  const preview = page.getByRole('table', { name: 'Products' });
  await shown(preview.getByRole('row', { name: /^LABEL-TEA Changed 2 \+ T-1 · 1 unit \+ 1: A-2/ }));
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Import 2 products' }).click();
  await shown(page.getByText('Everything is imported'));

  await page.goto(`${browser.ownUrl}/console/products?code=C-12`);
  await page.getByRole('link', { name: 'LABEL-CUP' }).click();
  await shown(page.getByText('carton of 12'));
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Codes and locations of LABEL-CUP' });
  await dialog.getByRole('textbox', { name: 'Code 1', exact: true }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await dialog.getByRole('textbox', { name: 'Code 2', exact: true }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('T-1');
  await dialog.getByRole('textbox', { name: '1 桃園' }).fill('B-10');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await shown(dialog.getByRole('alert').getByText('T-1 belongs to LABEL-TEA. Remove it there first.'));
  await assertAccessible(page);
  await dialog.getByRole('textbox', { name: 'Code 2', exact: true }).fill('C-1');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await shown(page.getByText('B-10'));
  await page.goto(`${browser.ownUrl}/console/products?sku=LABEL`);
  await shown(page.getByRole('row', { name: /LABEL-CUP.*B-10/ }));

  const name = '手沖壺組合（附濾紙與量匙）'.repeat(8);
  dataOf(await app.callWarehouse('/product/sync', { sku_id: 'LABEL-LONG', sku_name: name, storage_type: 1 }, prod));
  await page.setViewportSize(phone);
  await page.reload();
  await shown(page.getByText(name));
  await assertFitsWidth(page, 'a long name in a row of two lines');
  assertNoComplaints(watched);
});

test('cartons, multipliers and units are scanned 50 ms apart, and none is lost; clicks do not take the focus away', async () => {
  await announce(app, 'RECV-1', { 'RECV-TEA': 40, 'RECV-CUP': 5 });
  await syncProducts(app, ['RECV-POT'], prod);
  const codes = [{ code: '4710000000017' }, { code: '14710000000014', units: 12 }];
  await main.productsUpdate({
    products: [
      { sku_id: 'RECV-TEA', codes },
      { sku_id: 'RECV-POT', codes: [{ code: '4710000000024' }] },
    ],
  });
  const watched = await browser.open('staff', '/inbound', { viewport: phone });
  const { page } = watched;
  await focused(page, 'Scan a document');
  await scan(page, 'RECV-1');
  await focused(page, 'Scan a product');
  await scanFast(page, ['14710000000014', '10x', '4710000000017', 'RECV-CUP', '14710000000014', '4710000000017']);
  await shown(page.getByText('RECV-TEA: 35'));
  await scan(page, '14710000000014');
  await shown(page.getByRole('alert').getByText('RECV-TEA: only 5 more allowed, not counted'));
  await scan(page, '4710000000024');
  await shown(page.getByRole('alert').getByText('4710000000024 is RECV-POT, which is not in this document'));

  await page.getByText('Defective', { exact: true }).first().click();
  await focused(page, 'Scan a product');
  await scan(page, '5x');
  await scan(page, '4710000000017');
  await shown(page.getByText('RECV-TEA: 40'));
  await assertFitsWidth(page);
  await assertAccessible(page);
  await receive(page, 'Receive 41 units');
  await shown(page.getByText('Received 41 units'));
  await focused(page, 'Scan a product');
  const stock = await stockOf(app, ['RECV-TEA', 'RECV-CUP'], prod);
  assert.deepEqual(columns(stock, 'sku_id', 'stock_type', 'qty').sort(), [
    ['RECV-CUP', 'good', 1],
    ['RECV-TEA', 'bad', 5],
    ['RECV-TEA', 'good', 35],
  ]);
  assertNoComplaints(watched);
});

test('an expiry date is typed as yyyy-mm-dd or eight digits; a day that does not exist cannot be received', async () => {
  await announce(app, 'RECV-2', { 'DATE-TEA': 3 });
  const watched = await browser.open('staff', await inboundPath('RECV-2'));
  const { page } = watched;
  await page.getByRole('combobox', { name: 'Add a product' }).click();
  await page.getByRole('option', { name: /DATE-TEA/ }).click();
  await focused(page, 'Good units of DATE-TEA');
  await page.keyboard.type('3');
  await page.keyboard.press('Enter');
  await focused(page, 'Scan a product');
  const field = page.getByRole('textbox', { name: 'Expiry date of DATE-TEA' });
  assert.equal(await field.inputValue(), expiry);
  await field.fill('2031-02-30');
  await shown(page.getByText('No such day'));
  assert.ok(await page.getByRole('button', { name: 'Receive 3 units' }).isDisabled());
  await assertAccessible(page);
  await field.fill('20310228');
  assert.equal(await field.inputValue(), '2031-02-28');
  await receive(page, 'Receive 3 units');
  await shown(page.getByText('3 of 3', { exact: true }));
  assert.deepEqual(await stockOf(app, 'DATE-TEA', prod), [goodRow('DATE-TEA', '2031-02-28', 3)]);
  assertNoComplaints(watched);
});

test('a date filter is applied when the date is complete, and says when it is none', async () => {
  const watched = await browser.open('viewer', '/products');
  const { page } = watched;
  const [from, to] = [
    page.getByRole('textbox', { name: 'Updated from' }),
    page.getByRole('textbox', { name: 'Updated to' }),
  ];
  await from.fill('2026-1');
  await to.focus();
  await shown(page.getByText('Type yyyy-mm-dd'));
  assert.doesNotMatch(page.url(), /updated_from/);
  await from.fill('20260101');
  await page.waitForURL(/updated_from=2026-01-01$/);
  await shown(page.getByRole('button', { name: 'Remove filter Updated: from 2026-01-01' }));
  await to.fill('2025-12-31');
  await shown(page.getByText('Before the first day'));
  await page.goBack();
  await page.waitForURL(/updated_from=2026-01-01$/);
  assert.equal(await to.inputValue(), '');
  assertNoComplaints(watched);
});

test('a return is received with a reason from the list; the report compares announced and received units on paper', async () => {
  await announce(app, 'RECV-3', { 'BACK-TEA': 3, 'BACK-CUP': 1 }, { original: 'RECV-ORDER' });
  const watched = await browser.open('staff', await inboundPath('RECV-3'));
  const { page } = watched;
  await focused(page, 'Scan a product');
  await scan(page, 'BACK-TEA');
  await shown(page.getByText('BACK-TEA: good or defective?'));
  await page.keyboard.press('b');
  await shown(page.getByText('BACK-TEA: 1'));
  await page.getByRole('button', { name: 'Receive 1 unit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Receive 1 unit' }).click();
  await shown(dialog.getByText('Choose a reason'));
  await assertAccessible(page);
  await dialog.getByRole('radio', { name: 'Damaged in transit' }).check();
  await dialog.getByRole('button', { name: 'Receive 1 unit' }).click();
  await dialog.waitFor({ state: 'detached' });
  const inbound_id = Number((await inboundPath('RECV-3')).split('/').at(-1));
  const viewer = await signIn(app, 'viewer');
  const { receipts } = await viewer.ask(inboundDetail, { inbound_id });
  assert.deepEqual(columns(receipts, 'bad', 'return_reason'), [[1, 'damaged_in_transit']]);

  await page.getByRole('link', { name: 'Discrepancy report' }).click();
  const table = page.getByRole('table', { name: 'Announced and received' });
  await shown(table.getByRole('row', { name: `BACK-TEA Name of BACK-TEA ${expiry} 3 0 1 -2` }));
  await shown(table.getByRole('row', { name: `BACK-CUP Name of BACK-CUP ${expiry} 1 0 0 -1` }));
  await shown(table.getByRole('row', { name: 'Total of all lines 4 0 1 -3' }));
  await shown(page.getByText('Damaged in transit'));
  await assertAccessible(page);
  await page.emulateMedia({ media: 'print' });
  for (const name of ['Print', 'Search'])
    assert.equal(await page.getByRole('button', { name }).isVisible(), false, name);
  assert.equal(await page.getByRole('navigation').isVisible(), false);
  await shown(table);
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  assert.deepEqual(pdf.match(/\/Type \/Page\b/g)?.length, 1, 'the report fits on one sheet');
  // A4 in points.
  assert.match(pdf, /\/MediaBox \[0 0 59[456]\S* 84[123]\S*\]/);
  assertNoComplaints(watched);
});
