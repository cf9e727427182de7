import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { storeMessage } from '../../messages/message.ts';
import { sending } from '../../messages/sending-texts.ts';
import { taipeiDay } from '../../server/platform/clock.ts';
import { alpha, startTestApp } from '../support/app.ts';
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
import { item, ship } from '../support/logistics.ts';
import { dataOf, inboundBody, order, orderRow, receive } from '../support/warehouse.ts';

// The tests run in this order on one service. Each says how many clicks its job takes; docs/decisions has the numbers
// of the version before.
const app = await startTestApp();
await provisionOperators(app);
await provisionLive(app);
const confirmed = { ...alpha, warehouseTpwId: 'TPW-A-CONFIRMED' };
const place = { warehouse_tpw_id: confirmed.warehouseTpwId, warehouse_no: 1, store_no: 10 };
await app.provision({
  accounts: [{ account_no: 'ALPHA', environment: 'uat', tenants: [{ ...place, receiving: 'on_confirm' }] }],
});
const browser = await startConsoleBrowser(app);
const onPhone = { locale: 'zh-TW', viewport: phone } as const;
const orderPath = async (number: string) => `/orders/${(await orderRow(app, number))!.order_id}`;

/** Counts the clicks of a person in this page. */
async function countClicks(page: Page): Promise<void> {
  await page.addInitScript(`globalThis.clicks = 0;
    addEventListener('click', (event) => { if (event.isTrusted && event.detail > 0) globalThis.clicks++; }, true);`);
}
const clicksOf = async (page: Page) => Number(await page.evaluate('globalThis.clicks'));

async function rowsOf(page: Page, table: string): Promise<string[]> {
  const rows = page.getByRole('table', { name: table, exact: true }).getByRole('row');
  await rows.nth(1).waitFor();
  return (await rows.allInnerTexts()).slice(1).map((row) => row.replaceAll(/\s+/g, ' ').trim());
}

test('without a click, a waiting order shows what it waits for, when that arrives and which orders come first', async () => {
  await receive(app, { TEA: [['2031-01-01', 3]] });
  await ship(app, 'OLDER', [item('TEA', 5)]);
  await ship(app, 'WAITS', [item('TEA', 4)]);
  await ship(app, 'YOUNGER', [item('TEA', 7)]);
  const arrival = Date.parse('2031-01-02T10:00:00+08:00');
  const body = { ...inboundBody('SHIP-77', { TEA: [['2032-01-01', 60]] }, confirmed), estimated_arrival_time: arrival };
  dataOf(await app.callWarehouse('/inbound/create', body, confirmed));

  const watched = await browser.open('viewer', await orderPath('WAITS'), {}, countClicks);
  const { page } = watched;
  await shown(page.getByText('TEA: 1 missing'));
  assert.deepEqual(await rowsOf(page, 'Products'), ['TEA Name of TEA 4 3 1 5']);
  assert.deepEqual(await rowsOf(page, 'Inbound deliveries'), ['SHIP-77 2031-01-02 10:00:00 TEA 60 Expected']);
  await shown(page.getByText('This order is number 2 in the queue.'));
  const queue = await rowsOf(page, 'Orders that wait for the same products');
  for (const [index, row] of ['OLDER 1 5 ', 'This order 2 4 ', 'YOUNGER 3 7 '].entries())
    assert.ok(queue[index]?.startsWith(row), queue.join('\n'));
  assert.equal(await clicksOf(page), 0);
  await assertAccessible(page);
  assertNoComplaints(watched);

  const chinese = await browser.open('viewer', await orderPath('WAITS'), onPhone);
  await shown(chinese.page.getByText('此訂單排在第 2 順位。'));
  await shown(chinese.page.getByText('TEA：缺 1'));
  await assertFitsWidth(chinese.page);
  await assertAccessible(chinese.page);
  assertNoComplaints(chinese);
});

test('four clicks from the home page resend all orders that were rejected for the same reason', async () => {
  await receive(app, { JAR: [['2031-01-01', 50]] }, live);
  const reason = storeMessage(sending('warehouse_reason', { text: 'unknown sku JAR' }));
  for (const number of ['R-1', 'R-2', 'R-3']) {
    await order(app, number, [['JAR', 1]], live);
    await app.store.database.transaction(
      (tx) => tx`
        insert into transfer (order_id, transfer_id, account_id, warehouse_no, status, attempts, reason)
        select order_id, gen_random_uuid(), account_id, warehouse_no, 'rejected', 1, ${reason} from orders where partner_number = ${number}`,
    );
  }
  const watched = await browser.open('admin', await orderPath('R-1'));
  const link = watched.page.getByRole('link', { name: 'Show them' });
  await shown(watched.page.getByText('3 orders were rejected for this reason.'));
  await link.click();
  await shown(watched.page.getByText(/Reason for rejection: .*unknown sku JAR.* \(3\)/));
  assert.equal((await rowsOf(watched.page, 'Orders')).length, 3);
  await assertAccessible(watched.page);
  assertNoComplaints(watched);

  const { page } = await browser.open('admin', '/', {}, countClicks);
  await page.getByRole('link', { name: /Orders rejected by their warehouse/ }).click();
  await page.getByRole('link', { name: 'R-2' }).click();
  await page.getByRole('button', { name: 'Retry all 3' }).click();
  const question = page.getByRole('dialog', { name: 'Retry the transfer of all 3 orders with this reason?' });
  await assertAccessible(page);
  await question.getByRole('button', { name: 'Retry all 3' }).click();
  await shown(page.getByText('Queued for the next wave: 3'));
  assert.equal(await clicksOf(page), 4);
});

test('two clicks on the home page block all expired stock, and name the units that stay', async () => {
  const day = taipeiDay(app.clock.now(), -1);
  await receive(app, { MILK: [[day, 10]], EGG: [[day, 6]] });
  await receive(app, { PIE: [[day, 5]] }, live);
  await order(app, 'MILK-ORDER', [['MILK', 3]]);
  const small = await browser.open('staff', '/stock', onPhone);
  await small.page.getByRole('button', { name: '封鎖過期庫存' }).click();
  const asked = small.page.getByRole('dialog', { name: '將所有過期庫存轉為不良品？' });
  await shown(asked.getByText('共 3 個批次、18 件'));
  await shown(asked.getByText('已被訂單鎖定的數量維持良品：'));
  await assertFitsWidth(small.page);
  await assertAccessible(small.page);
  assertNoComplaints(small);

  const watched = await browser.open('staff', '/', {}, countClicks);
  const { page } = watched;
  await page.getByRole('button', { name: 'Block expired stock' }).click();
  const question = page.getByRole('dialog', { name: 'Move all expired stock to defective?' });
  await assertAccessible(page);
  await question.getByRole('button', { name: 'Block 3 lots' }).click();
  await shown(page.getByText('Blocked: 18 units in 3 lots.'));
  assert.equal(await clicksOf(page), 2);
  const left = page.getByRole('dialog', { name: 'Locked units stay good' });
  assert.match((await left.getByRole('listitem').innerText()).replaceAll(/\s+/g, ' '), /^MILK ALPHA · .* 3 units$/);
  await assertAccessible(page);
  await left.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Block expired stock' }).waitFor({ state: 'detached' });
  assertNoComplaints(watched);
});
