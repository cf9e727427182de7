import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { inboundSearch } from '../../contract/console/inbound-search.ts';
import { startTestApp } from '../support/app.ts';
import { findAxeFindings } from '../support/browser-axe.ts';
import { provisionOperators, signIn } from '../support/console.ts';
import { assertNoComplaints, shown, startConsoleBrowser } from '../support/console-browser.ts';
import { announce, announceForm, expiry, prod, prodAtOnce, provisionReceiving, receiveUnits, units } from '../support/receiving.ts';
import { goodRow, order, stockOf } from '../support/warehouse.ts';

const app = await startTestApp();
await provisionReceiving(app);
await provisionOperators(app);
const viewer = await signIn(app, 'viewer');
const browser = await startConsoleBrowser(app);

async function pathOf(number: string): Promise<string> {
  const { rows } = await viewer.ask(inboundSearch, { number });
  return `/inbound/${rows[0]!.inbound_id}`;
}

/** As a scanner types. */
async function scan(page: Page, code: string): Promise<void> {
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
}

/** With Enter, as soon as the dialog has taken the focus. */
async function confirm(page: Page, verb: string): Promise<void> {
  await shown(page.getByRole('dialog').getByRole('button', { name: verb }).and(page.locator(':focus')));
  await page.keyboard.press('Enter');
}

async function assertAccessible(page: Page): Promise<void> {
  assert.deepEqual(await findAxeFindings(page), []);
}

test('a delivery is scanned and received in part, then the rest, by keyboard only', async () => {
  await announce(app, 'PAGE-1', { 'PAGE-TEA': 10, 'PAGE-CUP': 2 });
  const watched = await browser.open('staff', '/inbound');
  const { page } = watched;
  await shown(page.getByRole('textbox', { name: 'Scan a document' }).and(page.locator(':focus')));
  await scan(page, 'PAGE-1');
  await shown(page.getByRole('heading', { name: 'Inbound PAGE-1' }));

  const field = page.getByRole('textbox', { name: 'Scan a product' });
  await shown(field.and(page.locator(':focus')));
  for (const code of ['PAGE-TEA', 'PAGE-CUP', 'PAGE-TEA']) await scan(page, code);
  await shown(page.getByText('PAGE-TEA: 2'));
  await scan(page, 'PAGE-POT');
  await shown(page.getByText('PAGE-POT is not in this document'));
  await shown(page.getByRole('button', { name: 'Receive 3 units' }));
  await page.keyboard.press('Control+Enter');
  const dialog = page.getByRole('dialog', { name: 'Receive 3 units for PAGE-1?' });
  await shown(dialog.getByText('Missing after this: 9 units.'));
  await confirm(page, 'Receive 3 units');
  await shown(page.getByText('Received 3 units'));
  await shown(page.getByText('3 of 12', { exact: true }));
  await assertAccessible(page);
  assert.deepEqual(await stockOf(app, ['PAGE-TEA', 'PAGE-CUP'], prod), [goodRow('PAGE-TEA', expiry, 2), goodRow('PAGE-CUP', expiry, 1)]);

  await shown(field.and(page.locator(':focus')));
  for (const code of ['PAGE-CUP', 'PAGE-CUP']) await scan(page, code);
  await shown(page.getByText('PAGE-CUP is complete: not counted'));
  await scan(page, 'PAGE-TEA');
  await shown(page.getByText('PAGE-TEA: 1'));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('7');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('1');
  await shown(page.getByRole('button', { name: 'Receive 9 units' }));
  await page.keyboard.press('Control+Enter');
  await shown(page.getByText('The document is complete after this.'));
  await confirm(page, 'Receive 9 units');
  await shown(page.getByText('12 of 12', { exact: true }));
  await field.waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('button', { name: 'Stop receiving' }).count(), 0);
  assertNoComplaints(watched);
  await page.close();
});

test('a receipt whose answer is lost waits in the tab, also over a reload, and sent again counts once', async () => {
  await announce(app, 'PAGE-2', { 'LOST-TEA': 5 });
  const { page } = await browser.open('staff', await pathOf('PAGE-2'));
  const field = page.getByRole('textbox', { name: 'Scan a product' });
  await field.focus();
  for (const code of ['LOST-TEA', 'LOST-TEA']) await scan(page, code);
  await page.route('**/console/api/inbound/receive', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Receive 2 units' }).click();
  await shown(page.getByRole('alert').getByText('No answer to the last try'));
  await page.unroute('**/console/api/inbound/receive');
  await page.reload();
  await page.getByRole('button', { name: 'Send again' }).click();
  await shown(page.getByText('This receipt had been counted already'));
  assert.deepEqual(await stockOf(app, 'LOST-TEA', prod), [goodRow('LOST-TEA', expiry, 2)]);

  await field.focus();
  await scan(page, 'LOST-TEA');
  await shown(page.getByText('LOST-TEA: 1'));
  await page.getByRole('button', { name: 'Stop receiving' }).click();
  const dialog = page.getByRole('dialog', { name: 'Stop receiving PAGE-2?' });
  await shown(dialog.getByText('Not counted yet: 1 unit'));
  await shown(dialog.getByText('Missing: 3 of 5 units.'));
  await dialog.getByRole('button', { name: 'Stop receiving' }).click();
  await shown(page.getByText('Receiving of PAGE-2 is stopped'));
  await field.waitFor({ state: 'detached' });
  const leftOver = page.getByRole('alert').filter({ hasText: 'Counted here and not received: 1 unit' });
  await leftOver.getByRole('button', { name: 'Discard' }).click();
  await leftOver.waitFor({ state: 'detached' });
  await page.close();
});

test('a return is graded with one key a unit, beside the order that it brings back', async () => {
  await announce(app, 'PAGE-STOCK', { 'GRADE-TEA': 3 });
  await receiveUnits(app, { inbound_short_id: 'PAGE-STOCK' }, [units('GRADE-TEA', 3)]);
  await order(app, 'PAGE-ORDER', [['GRADE-TEA', 3]], prod);
  await announce(app, 'PAGE-3', { 'GRADE-TEA': 3 }, { original: 'PAGE-ORDER' });
  const { page } = await browser.open('staff', await pathOf('PAGE-3'));
  await shown(page.getByRole('region', { name: 'Returned order' }).getByRole('link', { name: 'PAGE-ORDER' }));
  await page.getByRole('textbox', { name: 'Scan a product' }).focus();
  await scan(page, 'GRADE-TEA');
  await shown(page.getByText('GRADE-TEA: good or defective?'));
  await page.keyboard.press('b');
  await shown(page.getByText('GRADE-TEA: 1'));
  await page.keyboard.press('g');
  await shown(page.getByText('GRADE-TEA: 2'));
  await assertAccessible(page);
  await page.keyboard.press('Control+Enter');
  await shown(page.getByRole('dialog').getByText('1 good, 1 defective'));
  await confirm(page, 'Receive 2 units');
  await shown(page.getByText('Received 2 units'));
  const rows = await stockOf(app, 'GRADE-TEA', prod);
  assert.deepEqual(
    rows.map(({ stock_type, qty }) => [stock_type, qty]),
    [
      ['good', 4],
      ['bad', 1],
    ],
  );
  await page.close();
});

test('filters stand in the address, and several documents are cancelled with a result each', async () => {
  await announce(app, 'BULK-1', { 'BULK-TEA': 1 });
  await announce(app, 'BULK-2', { 'BULK-TEA': 2 });
  await announce(app, 'BULK-3', { 'BULK-TEA': 1 });
  await receiveUnits(app, { inbound_short_id: 'BULK-2' }, [units('BULK-TEA', 1)]);
  await receiveUnits(app, { inbound_short_id: 'BULK-3' }, [units('BULK-TEA', 1)]);
  const { page } = await browser.open('staff', '/inbound?status=expected,receiving');
  await shown(page.getByRole('link', { name: 'BULK-2' }));
  assert.equal(await page.getByRole('link', { name: 'BULK-3', exact: true }).count(), 0);
  await page.getByRole('button', { name: 'Remove filter Status: Receiving' }).click();
  await page.waitForURL(/\?status=expected$/);
  await page.getByRole('link', { name: 'BULK-2' }).waitFor({ state: 'detached' });
  await page.goBack();
  await shown(page.getByRole('link', { name: 'BULK-2' }));
  await assertAccessible(page);

  for (const number of ['BULK-1', 'BULK-2']) await page.getByRole('checkbox', { name: `Select ${number}` }).check();
  await page.getByRole('button', { name: 'Cancel 2' }).click();
  await page.getByRole('dialog', { name: 'Cancel 2 documents?' }).getByRole('button', { name: 'Cancel 2' }).click();
  const results = page.getByRole('dialog', { name: 'Cancelled documents' });
  await shown(results.getByText('Not cancelled: it is receiving'));
  await shown(results.getByText('1 done'));
  await page.close();
});

test('in Chinese: what came with its creation offers nothing to receive; who may only look sees no desk', async () => {
  await announce(app, 'PAGE-NOW', { 'NOW-TEA': 4 }, { caller: prodAtOnce });
  const { page } = await browser.open('staff', await pathOf('PAGE-NOW'), { locale: 'zh-TW', viewport: { width: 390, height: 844 } });
  await shown(page.getByRole('heading', { name: '進貨單 PAGE-NOW' }));
  await shown(page.getByText('建單時已入庫'));
  assert.equal(await page.getByRole('textbox', { name: '掃描商品' }).count(), 0);
  await shown(page.getByRole('button', { name: '作廢單據' }));
  assert.equal(await page.getByRole('button', { name: '終止收貨' }).count(), 0);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'), 0);
  await page.getByRole('textbox', { name: '新備註' }).fill('外箱破損');
  await page.getByRole('button', { name: '新增備註' }).click();
  await shown(page.getByRole('listitem').getByText('外箱破損'));
  await page.close();

  const { page: other } = await browser.open('viewer', await pathOf('PAGE-3'));
  await shown(other.getByRole('heading', { name: 'Return PAGE-3' }));
  await shown(other.getByRole('link', { name: 'PAGE-ORDER' }));
  assert.equal(await other.getByRole('textbox', { name: 'Scan a product' }).count(), 0);
  assert.equal(await other.getByRole('button', { name: /Stop|Cancel|Add note/ }).count(), 0);
  await other.close();
});

test('units without expiry are shown as such among what was announced, what arrived and the lots', async () => {
  await announceForm(app, 'PAGE-NEVER', { 'NEVER-CUP': 3 });
  await receiveUnits(app, { form_no: 'PAGE-NEVER' }, [units('NEVER-CUP', 2, { expire_date: null })]);
  const { page } = await browser.open('viewer', await pathOf('PAGE-NEVER'));
  await shown(page.getByRole('table', { name: 'Lines' }).getByRole('row', { name: /NEVER-CUP.* No expiry / }));
  await shown(page.getByRole('table', { name: 'Lots' }).getByRole('row', { name: /NEVER-CUP Good .*No expiry / }));
  await shown(page.getByText('2 × NEVER-CUP · Good · No expiry'));
  await page.close();
});
