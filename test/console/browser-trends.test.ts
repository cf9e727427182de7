import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { warehousesList } from '../../contract/console/partners.ts';
import { countCalls } from '../../server/domain/trends/count-calls.ts';
import { countOrders } from '../../server/domain/trends/count-orders.ts';
import { taipeiDay } from '../../server/platform/clock.ts';
import { startTestDelivery } from '../callbacks/delivery.ts';
import { insertManyCallbacks } from '../callbacks/insert-callbacks.ts';
import { startReceiver } from '../callbacks/receiver.ts';
import { startTestApp } from '../support/app.ts';
import { provisionOperators, signIn } from '../support/console.ts';
import {
  assertAccessible,
  assertFitsWidth,
  assertNoComplaints,
  phone,
  shown,
  startConsoleBrowser,
} from '../support/console-browser.ts';
import { live, provisionLive } from '../support/live.ts';
import { accountIdOf, retvalOf } from '../support/main.ts';
import { order, receive } from '../support/warehouse.ts';
import { until } from '../support/worker.ts';

const app = await startTestApp();
await provisionOperators(app);
await provisionLive(app);
await app.provision({ warehouses: [{ warehouse_no: 1, name: '桃園倉', cut_off: '15:00' }] });
const { database, service } = app.store;
const browser = await startConsoleBrowser(app);
const picture = (page: Page, name: string) =>
  process.env.LADING_TEST_PICTURES === undefined
    ? Promise.resolve()
    : page.screenshot({ path: `${process.env.LADING_TEST_PICTURES}/${name}.png`, fullPage: true });

test('without counts, the page says what to do', async () => {
  const watched = await browser.open('viewer', '/trends');
  await shown(watched.page.getByText(/Nothing has been counted yet/));
  assertNoComplaints(watched);
});

const lastMonth = taipeiDay(new Date(`${taipeiDay(new Date()).slice(0, 7)}-01T00:00:00+08:00`), -1).slice(0, 7);

test('orders, callbacks and calls of last month are stored and counted', async () => {
  await receive(app, { TEA: [['2031-01-01', 1000]] }, live);
  for (let place = 0; place < 12; place++) {
    const number = `O-${place}`;
    await order(app, number, [['TEA', 1]], live);
    if (place >= 10) continue;
    const sent = { outbound_short_id: number, status: 'shipped', shipment_no: `S-${place}` };
    retvalOf(await app.callMain('/fulfilment/advance', { orders: [sent] }, { as: live }));
  }
  // All were created on the morning of the 10th, and the first eight of them left within that hour.
  const day = `${lastMonth}-10`;
  await database.transaction(async (tx) => {
    await tx`update orders set created_at = ${`${day}T00:30:00+08:00`}::timestamptz`;
    await tx`update state_change set at = ${`${day}T01:00:00+08:00`}::timestamptz`;
    await tx`
      update state_change set at = ${`${lastMonth}-20T01:00:00+08:00`}::timestamptz
      where document_id in (select order_id from orders where partner_number in ('O-8', 'O-9'))`;
  });
  const accountId = await accountIdOf(app, live.accountNo);
  const receiver = await startReceiver(({ path }) => ({ status: path.endsWith('/bad') ? 410 : 200 }));
  const worker = startTestDelivery(service);
  const queue = (path: string, count: number) =>
    database.read((sql) =>
      insertManyCallbacks(sql, { accountId, keyName: 'wms', urls: [`${receiver.url}${path}`], count }),
    );
  await queue('/good', 3);
  await queue('/bad', 2);
  await until('the callbacks have ended', async () => {
    const rows = await database.read((sql) => sql`select from callback where status <> 'pending'`);
    return rows.count === 5;
  });
  await worker.close();
  await until('the calls are in the log', async () => {
    const rows = await database.read((sql) => sql`select from request_log where account_no = 'LIVE'`);
    return rows.count >= 23;
  });
  const now = new Date();
  assert.equal(await countOrders(service, { now, youngestSeconds: 0, restRatio: 0 }), 12);
  await countCalls(service, { now, exceptContract: 'console', restRatio: 0 });
});

/** Before: the page did not exist, and no list had sums. */
test('how many orders client X shipped last month, and on time: three clicks from any page, where it was not possible before', async () => {
  const watched = await browser.open('staff', '/orders');
  const { page } = watched;
  await page.getByRole('link', { name: 'Trends' }).click();
  await page.getByRole('combobox', { name: 'Period' }).click();
  await page.getByRole('option', { name: 'Last month' }).click();
  const row = page.getByRole('table', { name: 'By account' }).getByRole('row', { name: /LIVE/ });
  await shown(row.getByRole('cell', { name: '10', exact: true }));
  const cells = await row.getByRole('cell').allTextContents();
  assert.deepEqual(cells.slice(-8), ['12', '10', '0', '0', '0', '0', '12', '66.7%']);
  await shown(page.getByRole('table', { name: 'By warehouse' }).getByRole('row', { name: /桃園倉/ }));
  await shown(page.getByRole('table', { name: 'By carrier' }).getByRole('row', { name: /T-Cat/ }));
  await picture(page, 'trends-orders-en');
  await assertAccessible(page);
  assertNoComplaints(watched);
});

test('the arrow keys go from day to day of a chart, and a table has the same values', async () => {
  const watched = await browser.open('viewer', `/trends?from=${lastMonth}-09&to=${lastMonth}-11`);
  const { page } = watched;
  const chart = page.getByRole('slider', { name: 'Orders by day' });
  await chart.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await until(
    'the values of the 10th are announced',
    async () => (await chart.getAttribute('aria-valuetext')) === `${lastMonth}-10: Created 12, Shipped 8, Delivered 0`,
  );
  await page.getByRole('radiogroup', { name: 'Orders by day: show as' }).getByText('Table').click();
  const table = page.getByRole('table', { name: 'Orders by day' });
  const row = table.getByRole('row').filter({ hasText: `${lastMonth}-10` });
  await shown(row);
  assert.deepEqual((await row.getByRole('cell').allTextContents()).slice(-3), ['12', '8', '0']);
  assertNoComplaints(watched);
});

test('which receiver fails: two clicks, where each receiver had to be opened before', async () => {
  const watched = await browser.open('staff', '/orders');
  const { page } = watched;
  await page.getByRole('link', { name: 'Trends' }).click();
  await page.getByRole('tab', { name: 'Callbacks' }).click();
  const rows = page.getByRole('table', { name: 'Receivers' }).getByRole('row');
  await shown(rows.nth(1).getByText(/\/bad$/));
  assert.match((await rows.nth(1).textContent())!, /0%/);
  assert.match((await rows.nth(2).textContent())!, /100%/);
  const chart = page.getByRole('slider', { name: 'Delivery attempts by day: success rate' });
  const valueOfToday = async (expected: RegExp) => {
    await chart.focus();
    await page.keyboard.press('End');
    await until('the chart has it', async () => expected.test((await chart.getAttribute('aria-valuetext')) ?? ''));
  };
  await valueOfToday(/Success rate 60%$/);
  const receivers = page.getByRole('combobox', { name: 'Charts of' });
  await receivers.selectOption({ index: 1 });
  await valueOfToday(/Success rate 0%$/);
  await receivers.selectOption('All receivers');
  await assertAccessible(page);
  await picture(page, 'trends-callbacks-en');
  await page.getByRole('tab', { name: 'API calls' }).click();
  await shown(page.getByRole('table', { name: 'By account' }).getByRole('row', { name: /LIVE/ }));
  await picture(page, 'trends-calls-en');
  assertNoComplaints(watched);
});

/** Whether a chart has lines; its axes are grey. The library that draws them is loaded after the page. */
async function isDrawn(page: Page, label: string): Promise<boolean> {
  return await page.evaluate<boolean>(`(() => {
    const canvas = document.querySelector('figure[aria-label="${label}"] canvas');
    if (!canvas || canvas.width === 0) return false;
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    for (let at = 0; at < data.length; at += 4) {
      const pixel = data.slice(at, at + 3);
      if (data[at + 3] > 200 && Math.max(...pixel) - Math.min(...pixel) > 60) return true;
    }
    return false;
  })()`);
}

test('in Chinese and on a phone, all tabs fit and are accessible', async () => {
  const watched = await browser.open('viewer', `/trends?from=${lastMonth}-01&to=${lastMonth}-28`, {
    locale: 'zh-TW',
    viewport: phone,
  });
  const { page } = watched;
  await shown(page.getByText('每日訂單').first());
  for (const label of ['每日訂單', '準時出貨（依應出貨日）'])
    await until(`the chart ${label} is drawn`, () => isDrawn(page, label));
  await picture(page, 'trends-orders-zh-phone');
  await assertFitsWidth(page);
  await assertAccessible(page);
  for (const name of ['效期庫存', '回呼', 'API 呼叫']) {
    await page.getByRole('tab', { name }).click();
    await assertFitsWidth(page, name);
    await picture(page, `trends-${name}-zh-phone`);
  }
  assertNoComplaints(watched);
});

test('the requests have a chart of calls by hour, and a recorded request can be copied as curl without secrets', async () => {
  const watched = await browser.open('viewer', '/requests');
  const { page } = watched;
  await shown(page.getByRole('slider', { name: 'API calls by hour' }));
  await picture(page, 'requests-en');
  await page
    .getByRole('link', { name: /outbound\/create|:\d\d/ })
    .first()
    .click();
  const code = page.getByRole('region', { name: 'Command', exact: true });
  await shown(code);
  const text = (await page.locator('pre').last().textContent())!;
  assert.match(text, /curl -X POST 'http/);
  assert.match(text, /SECRET='ACCOUNT_SECRET'|TOKEN='ACCESS_TOKEN'/);
  assert.ok(!text.includes(live.secret) && !text.includes(live.apiKey) && !text.includes(live.checkValue));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await until('it is copied', async () => (await page.evaluate('navigator.clipboard.readText()')) === text);
  await picture(page, 'request-curl-en');
  assertNoComplaints(watched);
});

test('an administrator sets the cut-off of a warehouse in its form', async () => {
  const watched = await browser.open('admin', '/partners?tab=places');
  const { page } = watched;
  await page.getByRole('table', { name: 'Warehouses' }).getByRole('button').first().click();
  await page.getByRole('menuitem', { name: /Edit|Change/ }).click();
  const field = page.getByRole('textbox', { name: /Cut-off/ });
  assert.equal(await field.inputValue(), '15:00');
  await field.fill('25:00');
  await page.getByRole('button', { name: 'Save' }).click();
  await shown(page.getByText('A time of day from 00:00 to 23:59, such as 15:00.'));
  await field.fill('16:30');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const admin = await signIn(app, 'admin');
  assert.equal((await admin.ask(warehousesList, {})).rows[0]!.cut_off, '16:30');
  assertNoComplaints(watched);
});
