import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { storeMessage } from '../../messages/message.ts';
import { sending } from '../../messages/sending-texts.ts';
import { taipeiDay } from '../../server/platform/clock.ts';
import { startTestApp } from '../support/app.ts';
import { actionsOf, provisionOperators } from '../support/console.ts';
import {
  assertAccessible,
  assertFitsWidth,
  assertNoComplaints,
  phone,
  shown,
  startConsoleBrowser,
} from '../support/console-browser.ts';
import { live, provisionLive } from '../support/live.ts';
import { dataOf, order, orderBody, receive } from '../support/warehouse.ts';

// The tests run in this order on one service. Each says how many clicks its job takes; docs/decisions has the numbers
// of the version before.
const app = await startTestApp();
await provisionOperators(app);
await provisionLive(app);
const browser = await startConsoleBrowser(app);
const onPhone = { locale: 'zh-TW', viewport: phone } as const;

await receive(app, { TEA: [['2031-01-01', 50]] }, live);
for (const number of ['A-1', 'A-2', 'A-3', 'R-1', 'R-2']) await order(app, number, [['TEA', 1]], live);
const person = { consignee_name: '林美華', consignee_phone: '0912345678' };
const bySeven = { logistics_type: 'csvs', express_type: 'pcsc' };
for (const number of ['P-1', 'P-2']) {
  const body = { ...orderBody(number, [['TEA', 1]], live), ...person, ...(number === 'P-1' && bySeven) };
  dataOf(await app.callWarehouse('/outbound/create', body, live));
}
await app.store.database.transaction(async (tx) => {
  const reason = storeMessage(sending('warehouse_reason', { text: 'unknown sku TEA' }));
  await tx`
    insert into transfer (order_id, transfer_id, account_id, warehouse_no, status, attempts, reason)
    select order_id, gen_random_uuid(), account_id, warehouse_no, 'rejected', 1, ${reason} from orders where partner_number like 'R-%'`;
  await tx`update orders set status = 'packed' where partner_number = 'A-1'`;
  await tx`update orders set status = 'delivered' where partner_number = 'A-2'`;
  await tx`update orders set created_at = created_at - interval '1 day' where partner_number = 'A-3'`;
});

/** Counts the clicks of a person in this page. */
async function countClicks(page: Page): Promise<void> {
  await page.addInitScript(`globalThis.clicks = 0;
    addEventListener('click', (event) => { if (event.isTrusted && event.detail > 0) globalThis.clicks++; }, true);`);
}
const clicksOf = async (page: Page) => Number(await page.evaluate('globalThis.clicks'));

/** The numbers in the list, once it has this many rows. */
async function numbersOf(page: Page, count: number): Promise<string[]> {
  const links = page.getByRole('table', { name: 'Orders' }).locator('[data-row-link]');
  await links.nth(count).waitFor({ state: 'detached' });
  await links.nth(count - 1).waitFor();
  return await links.allInnerTexts();
}
const tab = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('one click on a tab shows the orders of a status, and each tab says how many there are', async () => {
  const watched = await browser.open('viewer', '/orders', {}, countClicks);
  const { page } = watched;
  await shown(tab(page, 'All 7'));
  for (const name of ['To be transferred 5', 'Packed 1', 'Delivered 1', 'Cancelled 0']) await shown(tab(page, name));
  await tab(page, 'Packed 1').click();
  assert.deepEqual(await numbersOf(page, 1), ['A-1']);
  assert.equal(await clicksOf(page), 1);
  assert.match(page.url(), /\?status=packed$/);
  await shown(tab(page, 'To be transferred 5'));
  await assertAccessible(page);
  assertNoComplaints(watched);

  const small = await browser.open('viewer', '/orders', onPhone);
  await shown(tab(small.page, '全部 7'));
  await assertFitsWidth(small.page);
  await assertAccessible(small.page);
  assertNoComplaints(small);
});

test('two clicks choose the orders of yesterday, and the address keeps the period instead of the day', async () => {
  const watched = await browser.open('viewer', '/orders', {}, countClicks);
  const { page } = watched;
  await page.getByRole('button', { name: 'Created: choose a period' }).click();
  await assertAccessible(page);
  await page.getByRole('menuitem', { name: 'Yesterday' }).click();
  assert.deepEqual(await numbersOf(page, 1), ['A-3']);
  assert.equal(await clicksOf(page), 2);
  assert.match(page.url(), /\?created=yesterday$/);
  const day = taipeiDay(app.clock.now(), -1);
  await shown(page.getByText(`Created: Yesterday (${day})`));
  assert.equal(await page.getByRole('textbox', { name: 'Created from' }).inputValue(), day);
  await shown(tab(page, 'To be transferred 1'));
  assertNoComplaints(watched);
});

test('two clicks on the title of a column put the oldest order first', async () => {
  const { page } = await browser.open('viewer', '/orders', {}, countClicks);
  const title = page.getByRole('columnheader', { name: 'Created' });
  assert.equal(await title.getAttribute('aria-sort'), 'none');
  await page.getByRole('button', { name: 'Sort by Created' }).click();
  await page.getByRole('button', { name: 'Sort by Created' }).click();
  await page.waitForURL(/sort=created&reversed=1$/);
  await page.locator('tbody tr').first().getByRole('link', { name: 'A-3' }).waitFor();
  assert.deepEqual((await numbersOf(page, 7)).slice(0, 2), ['A-3', 'A-1']);
  assert.equal(await title.getAttribute('aria-sort'), 'ascending');
  assert.equal(await clicksOf(page), 2);
});

test('orders are filtered by carrier and by the temperature of their products', async () => {
  const { page } = await browser.open('viewer', '/orders?carrier=pcsc');
  assert.deepEqual(await numbersOf(page, 1), ['P-1']);
  await shown(page.getByText('Carrier: 7-ELEVEN'));
  await shown(page.getByRole('row', { name: /P-1 .* Store pickup · 7-ELEVEN/ }));
  await page.goto(`${browser.ownUrl}/console/orders?storage=ambient`);
  assert.equal((await numbersOf(page, 7)).length, 7);
  await page.goto(`${browser.ownUrl}/console/orders?storage=frozen`);
  await shown(page.getByText('No orders match these filters'));
});

test('a rejected order shows its reason in the list; three clicks resend it', async () => {
  const watched = await browser.open('admin', '/orders?transfer=rejected', {}, countClicks);
  const { page } = watched;
  await shown(page.getByRole('columnheader', { name: 'Reason' }));
  await shown(page.getByRole('row', { name: /R-1 .*unknown sku TEA/ }));
  await page.getByRole('button', { name: 'Resend R-1' }).click();
  const question = page.getByRole('dialog', { name: 'Send order R-1 to the warehouse again?' });
  await assertAccessible(page);
  await question.getByRole('button', { name: 'Resend order R-1' }).click();
  const results = page.getByRole('dialog', { name: 'Resending: results' });
  await shown(results.getByText('Queued for the next wave'));
  await results.getByRole('button', { name: 'Close' }).last().click();
  assert.equal(await clicksOf(page), 3);
  assert.equal((await actionsOf(app, 'orders/transfer-retry')).at(-1)?.outcome, 'waiting 1');
  assertNoComplaints(watched);

  const small = await browser.open('admin', '/orders?transfer=rejected', onPhone);
  await shown(small.page.getByRole('listitem').filter({ hasText: 'R-2' }).getByText('unknown sku TEA'));
  await shown(small.page.getByRole('button', { name: '重新拋單 R-2' }));
  await assertFitsWidth(small.page);
  await assertAccessible(small.page);
});

test('the actions for the selected orders are those that at least one can take, with their number', async () => {
  const watched = await browser.open('staff', '/orders');
  const { page } = watched;
  const bar = page.getByRole('region', { name: 'Actions for the selected rows' });
  const offered = async () => (await bar.getByRole('button').allInnerTexts()).map((text) => text.trim());
  await page.getByRole('checkbox', { name: 'Select A-2' }).click();
  assert.deepEqual(await offered(), ['Print', 'Clear selection']);
  await page.getByRole('checkbox', { name: 'Select A-1' }).click();
  assert.deepEqual(await offered(), ['Print', 'Ship (1)', 'Clear selection']);
  await page.getByRole('checkbox', { name: 'Select A-3' }).click();
  assert.deepEqual(await offered(), [
    'Pick together (1)',
    'Print',
    'Pick (1)',
    'Pack (1)',
    'Ship (2)',
    'Hold (1)',
    'Cancel 1 order',
    'Clear selection',
  ]);
  await assertAccessible(page);
  // Only the order that can be held is asked about.
  await bar.getByRole('button', { name: 'Hold (1)' }).click();
  await shown(page.getByRole('dialog', { name: 'Hold order A-3?' }));
  assertNoComplaints(watched);
});

test('a recipient is a filter beside the others; each search is recorded, and the address does not have it', async () => {
  const watched = await browser.open('staff', '/orders', {}, countClicks);
  const { page } = watched;
  await page.getByRole('textbox', { name: 'Recipient' }).click();
  await page.keyboard.type('5678');
  await page.keyboard.press('Enter');
  assert.deepEqual(await numbersOf(page, 2), ['P-2', 'P-1']);
  assert.equal(await clicksOf(page), 1);
  assert.equal(await page.getByRole('table').getByText('林美華').count(), 0);
  await shown(page.getByRole('columnheader', { name: 'Recipient' }));
  assert.doesNotMatch(page.url(), /5678/);
  await page.goto(`${browser.ownUrl}/console/orders?carrier=pcsc`);
  await page.getByRole('textbox', { name: 'Recipient' }).fill('林美');
  await page.keyboard.press('Enter');
  await shown(page.getByRole('columnheader', { name: 'Recipient' }));
  assert.deepEqual(await numbersOf(page, 1), ['P-1']);
  await assertAccessible(page);
  await page.getByRole('button', { name: 'End the search by recipient' }).click();
  assertNoComplaints(watched);
  const recorded = await actionsOf(app, 'orders/search-by-recipient');
  assert.deepEqual(
    recorded.map(({ username, details, outcome }) => [username, JSON.stringify(details), outcome]),
    [
      ['packer', '{"filters": ["phone"]}', 'found 2'],
      ['packer', '{"filters": ["name"]}', 'found 1'],
    ].map(([username, details, outcome]) => [username, JSON.stringify(JSON.parse(details!)), outcome]),
  );
});

test('four clicks share a view; two clicks open it for another operator, who sees its owner and may not delete it', async () => {
  const owner = await browser.open('staff', '/orders?status=packed&created=today', {}, countClicks);
  await owner.page.getByRole('button', { name: 'Views' }).click();
  await owner.page.getByRole('textbox', { name: 'View name' }).click();
  await owner.page.keyboard.type('今日已包裝');
  await owner.page.getByRole('checkbox', { name: 'Share with all operators' }).click();
  await assertAccessible(owner.page);
  await owner.page.getByRole('button', { name: 'Save this view' }).click();
  await shown(owner.page.getByText('You share it'));
  assert.equal(await clicksOf(owner.page), 4);
  assertNoComplaints(owner);

  const other = await browser.open('viewer', '/orders', {}, countClicks);
  const { page } = other;
  await page.getByRole('button', { name: 'Views' }).click();
  await shown(page.getByText('Shared by packer'));
  assert.equal(await page.getByRole('button', { name: 'Delete view 今日已包裝' }).count(), 0);
  await shown(page.getByRole('button', { name: 'Copy link to view 今日已包裝' }));
  await page.getByRole('link', { name: /今日已包裝/ }).click();
  assert.deepEqual(await numbersOf(page, 1), ['A-1']);
  assert.equal(await clicksOf(page), 2);
  assert.match(page.url(), /status=packed&created=today$/);
  assertNoComplaints(other);
});

test('compact rows are remembered on every list', async () => {
  const { page } = await browser.open('viewer', '/orders');
  await numbersOf(page, 7);
  const height = async () => (await page.getByRole('row').nth(1).boundingBox())!.height;
  const before = await height();
  await page.getByRole('button', { name: 'Compact rows' }).click();
  assert.ok((await height()) < before);
  await page.goto(`${browser.ownUrl}/console/inbound`);
  await page.locator('button[aria-pressed=true][aria-label="Compact rows"]').waitFor();
});
