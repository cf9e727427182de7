import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { alpha, startTestApp } from '../support/app.ts';
import { columns, provisionOperators } from '../support/console.ts';
import {
  assertAccessible,
  assertFitsWidth,
  assertNoComplaints,
  focused,
  phone,
  scan,
  shown,
  startConsoleBrowser,
} from '../support/console-browser.ts';
import { live, provisionLive } from '../support/live.ts';
import { bring, item, ship } from '../support/logistics.ts';
import { shipAfter, shippedText } from '../support/packing.ts';
import {
  announce,
  announceForm,
  expiry,
  prod,
  prodAtOnce,
  provisionReceiving,
  receiveUnits,
  units,
} from '../support/receiving.ts';
import { goodRow, inboundRow, order, orderRow, receive, stockOf } from '../support/warehouse.ts';
import { until } from '../support/worker.ts';

// The tests run in this order on one service: the first one needs an empty service, the last one the documents of all.
const app = await startTestApp();
await provisionOperators(app);
await provisionLive(app);
await provisionReceiving(app);
await app.provision({ warehouses: [{ warehouse_no: 1, name: '桃園', connector: { type: 'manual' } }] });
const browser = await startConsoleBrowser(app);

async function orderPath(number: string): Promise<string> {
  return `/orders/${(await orderRow(app, number))!.order_id}`;
}

async function inboundPath(number: string): Promise<string> {
  return `/inbound/${(await inboundRow(app, number))!.inbound_id}`;
}

/** The status of an order and its shipment number, if it has one. */
async function statusOf(number: string): Promise<string> {
  const { status, shipment_no } = (await orderRow(app, number))!;
  return [status, shipment_no].filter(Boolean).join(' ');
}

async function advance(number: string, report: object, field = 'outbound_short_id'): Promise<void> {
  await app.callMain('/fulfilment/advance', { orders: [{ [field]: number, ...report }] }, { as: live });
}

/** Presses Enter as soon as the dialog has moved the focus to this button. */
async function confirm(page: Page, verb: string): Promise<void> {
  await shown(page.getByRole('dialog').getByRole('button', { name: verb }).and(page.locator(':focus')));
  await page.keyboard.press('Enter');
}

test('a new service says what to do next; after the first order the home page shows work to do and the flow of today', async () => {
  const watched = await browser.open('viewer', '/');
  const { page } = watched;
  await shown(page.getByRole('heading', { name: 'Welcome to Lading' }));
  assert.equal(await page.getByRole('link', { name: 'API documentation' }).getAttribute('href'), '/docs');

  await receive(app, { 'HOME-1': [['2030-01-01', 50]] }, live);
  await order(app, 'OUT-1', [['HOME-1', 1]], live);
  await ship(app, 'WAIT-1', [item('HOME-9', 1)], {}, live.apiKey);
  await shown(page.getByRole('link', { name: '1 Orders waiting for stock' }));
  await page.getByRole('heading', { name: 'Welcome to Lading' }).waitFor({ state: 'hidden' });
  const chart = page.getByRole('figure', { name: 'Orders per hour, by channel' });
  await chart.getByText('Warehouse API: 1').waitFor({ state: 'attached' });

  await page.getByRole('link', { name: '1 Orders waiting for stock' }).click();
  await page.waitForURL('**/console/orders?status=awaiting_stock');
  await shown(page.getByRole('link', { name: 'WAIT-1' }));

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill('OUT-1');
  await shown(page.getByRole('option', { name: /OUT-1/ }));
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/console${await orderPath('OUT-1')}`);
  assertNoComplaints(watched);
});

test('a chart of a single value shows it, as a point or a bar', async () => {
  const zero = { main: 0, logistics: 0, callback_median_s: null, callback_worst_s: null };
  const hour = { ...zero, from: '2026-11-16T00:00:00+08:00', warehouse: 5, shipped: 3 };
  const watched = await browser.open('viewer', '/', {}, async (page) => {
    await page.route('**/home/flow', async (route) => {
      const flow = await (await route.fetch()).json();
      await route.fulfill({ json: { ...flow, hours: [hour] } });
    });
  });
  for (const chart of ['Orders per hour, by channel', 'Shipped per hour']) {
    await watched.page.getByRole('figure', { name: chart }).locator('canvas').waitFor();
    await watched.page.waitForFunction(drawnInFirstColour(chart));
  }
  assertNoComplaints(watched);
});

/** A script: whether anything is drawn in the colour of the first series. The legend is no part of the canvas. */
function drawnInFirstColour(chart: string): string {
  return `(() => {
    const canvas = document.querySelector('figure[aria-label="${chart}"] canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    for (let at = 0; at < data.length; at += 4) {
      if ([11, 106, 102].every((value, place) => Math.abs(data[at + place] - value) <= 3) && data[at + 3] > 100) return true;
    }
    return false;
  })()`;
}

test('staff transfer the orders of a warehouse on the system page after a question that names it', async () => {
  // The first response says that there is more than fits into one call; the page then calls again.
  let calls = 0;
  const watched = await browser.open('staff', '/system', { locale: 'zh-TW', colorScheme: 'dark' }, async (page) => {
    await page.route('**/system/push-now', async (route) => {
      const answer = await (await route.fetch()).json();
      await route.fulfill({ json: calls++ === 0 ? { ...answer, has_more: true } : answer });
    });
  });
  const { page } = watched;
  await page.getByRole('button', { name: '立即拋單：倉庫 1 桃園' }).click();
  const dialog = page.getByRole('dialog', { name: '立即拋單至倉庫 1 桃園？' });
  await dialog.getByRole('button', { name: '立即拋單' }).click();
  await dialog.waitFor({ state: 'detached' });
  await shown(page.getByText('已拋單 1 筆'));
  assert.deepEqual([calls, await statusOf('OUT-1')], [2, 'in_warehouse']);
  assertNoComplaints(watched);
});

test('order filters are in the address, and going back undoes them; an empty result says how to go on', async () => {
  await receive(app, { TEA: [['2030-01-01', 3]] }, live);
  await receive(app, { TEA: [['2031-01-01', 500]] }, live);
  await receive(app, { CUP: [['2030-01-01', 50]] }, alpha);
  for (const number of ['SALE-1', 'SALE-2', 'SALE-3']) await order(app, number, [['TEA', 5]], live);
  await order(app, 'TRIAL-1', [['CUP', 1]], alpha);
  const watched = await browser.open('staff', '/orders');
  const { page } = watched;
  await shown(page.getByRole('link', { name: 'TRIAL-1' }));
  await page.getByRole('combobox', { name: 'Account' }).click();
  await page.getByRole('option', { name: /^ALPHA/ }).click();
  await page.waitForURL(/[?]accounts=ALPHA$/);
  await page.getByRole('link', { name: 'SALE-1' }).waitFor({ state: 'hidden' });
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'Number' }).fill('NO-SUCH');
  await shown(page.getByText('No orders match these filters'));
  assert.match(page.url(), /number=NO-SUCH/);
  await page.goBack();
  await shown(page.getByRole('link', { name: 'TRIAL-1' }));
  await page.goBack();
  await shown(page.getByRole('link', { name: 'SALE-1' }));
  assert.doesNotMatch(page.url(), /accounts/);
  assertNoComplaints(watched);
});

test('selected orders are cancelled after a question that names them, with one result for each', async () => {
  await order(app, 'SALE-GONE', [['TEA', 1]], live);
  const watched = await browser.open('staff', '/orders?status=pending_warehouse_transfer');
  const { page } = watched;
  const numbers = ['SALE-1', 'SALE-2', 'SALE-GONE'];
  for (const number of numbers) await page.getByRole('checkbox', { name: `Select ${number}` }).check();
  // Another operator starts picking one of them in the meantime.
  await advance('SALE-2', { status: 'picking' });
  const colourOf = (name: string) =>
    page.evaluate<string>(
      `getComputedStyle([...document.querySelectorAll('button')].find((one) => one.textContent === '${name}')).color`,
    );
  const isDanger = (await colourOf('Cancel 3 orders')) !== (await colourOf('Ship (3)'));
  assert.ok(isDanger, 'an action that cannot be undone has the colour of danger');
  await page.getByRole('button', { name: 'Cancel 3 orders' }).click();
  const question = page.getByRole('dialog', { name: 'Cancel 3 orders?' });
  for (const number of numbers) await shown(question.getByText(number, { exact: true }));
  await question.getByRole('button', { name: 'Cancel 3 orders' }).click();
  const results = page.getByRole('dialog', { name: 'Cancelling: results' });
  await shown(results.getByText('2 done'));
  const lines = await results.getByRole('listitem').allInnerTexts();
  assert.deepEqual(
    lines.map((line) => line.replaceAll(/\s+/g, ' ')),
    ['SALE-2 Too late: Picking', 'SALE-GONE Cancelled', 'SALE-1 Cancelled'],
  );
  await results.getByRole('button', { name: 'Close' }).last().click();
  await page.getByText('3 selected').waitFor({ state: 'hidden' });
  assert.deepEqual(await Promise.all(numbers.map(statusOf)), ['cancelled', 'picking', 'cancelled']);
  assertNoComplaints(watched);
});

test('an order page shows its lots with reasons; a note and the next step need only the keyboard', async () => {
  const watched = await browser.open('staff', await orderPath('SALE-3'));
  const { page } = watched;
  await shown(page.getByText('expires 2031-01-01'));
  await page.getByText('Lots not used (1)').click();
  await shown(page.getByText('Nothing available'));
  await shown(page.getByText('Stock at the time of allocation'));
  await assertAccessible(page);

  await page.keyboard.press('n');
  await page.getByRole('textbox', { name: 'Note' }).pressSequentially('Call the customer');
  await page.keyboard.press('Control+Enter');
  await shown(page.getByText('Note by packer'));
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('s');
  const question = page.getByRole('dialog', { name: 'Start picking order SALE-3?' });
  await shown(question);
  await question.getByRole('button', { name: 'Pick order SALE-3' }).press('Enter');
  await shown(page.getByRole('dialog', { name: 'Picking: results' }).getByText('Now: Picking'));
  await page.keyboard.press('Escape');
  await shown(page.getByText('Picking started'));
  await shown(page.getByText('by packer', { exact: true }));
  assert.equal(await page.getByRole('button', { name: 'Cancel order' }).count(), 0);
  assert.equal(await statusOf('SALE-3'), 'picking');
  assertNoComplaints(watched);
});

test('a read-only operator sees an order with masked personal data and no actions, in Chinese on a phone', async () => {
  await bring(app, [{ sku: 'LAMP', quantity: 50 }], live.apiKey);
  const label = { store_id: '991182', route: { code: 'A1-7' } };
  const other = { store_pickup_label_data: label, city: '臺北市' };
  await ship(app, 'LABEL-1', [item('LAMP', 2, { name: '檯燈' })], other, live.apiKey);
  const watched = await browser.open('viewer', await orderPath('LABEL-1'), { locale: 'zh-TW', viewport: phone });
  const { page } = watched;
  await shown(page.getByRole('heading', { name: '超商取貨標籤' }));
  await shown(page.getByText('route.code'));
  await shown(page.getByText('您的角色只能檢視，個人資料已遮蔽。'));
  assert.equal(await page.getByText('A1-7').count(), 0);
  await shown(page.getByText('C** W**'));
  assert.equal(await page.getByRole('button', { name: '顯示' }).count(), 0);
  await shown(page.getByText('待拋單'));
  assert.equal(await page.getByRole('button', { name: '揀貨' }).count(), 0);
  await assertFitsWidth(page);
  assertNoComplaints(watched);
});

test('an admin shows a recipient, hides it, and erases it after a confirmation; the page then says when', async () => {
  await bring(app, [{ sku: 'LAMP', quantity: 5 }], live.apiKey);
  const person = { delivery_name: '王小明', phone: '0912-345-678', note: '請打電話' };
  await ship(app, 'PERSON-1', [item('LAMP', 1)], person, live.apiKey);
  await advance('PERSON-1', { status: 'shipped', shipment_no: 'S-PERSON-1' }, 'internal_name');
  const watched = await browser.open('admin', await orderPath('PERSON-1'));
  const { page } = watched;
  await shown(page.getByText('王○明'));
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  for (const value of ['王小明', '0912-345-678', '請打電話']) await shown(page.getByText(value));
  await page.getByRole('button', { name: 'Hide', exact: true }).click();
  await shown(page.getByText('09xx-xxx-678'));
  assert.equal(await page.getByText('0912-345-678').count(), 0);

  await page.getByRole('button', { name: 'Erase recipient' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase the recipient of PERSON-1?' });
  await dialog.getByRole('button', { name: 'Erase recipient' }).click();
  await shown(page.getByText('The recipient was erased on'));
  assert.equal(await page.getByText('王○明').count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Erase recipient' }).filter({ visible: true }).count(), 0);
  await page.goto(`${browser.ownUrl}/console/system`);
  const log = page.getByRole('table', { name: 'Recipients viewed or erased by people' });
  await shown(log.getByText('Erase recipient'));
  await shown(log.getByText('View recipient'));
  assertNoComplaints(watched);
});

test('with a scanner alone, staff pick, pack and ship orders, and the desk reports mistakes', async () => {
  for (const number of ['DESK-1', 'DESK-2']) await order(app, number, [['TEA', 5]], live);
  for (const apiKey of [alpha.apiKey, live.apiKey]) {
    await bring(app, [{ sku: 'PEN', quantity: 5 }], apiKey);
    await ship(app, 'TWIN', [item('PEN', 1)], {}, apiKey);
  }
  const watched = await browser.open('staff', '/pick', { viewport: phone });
  const { page } = watched;
  const warned = (text: string) => shown(page.getByRole('alert').getByText(text));
  await focused(page, 'Order number');
  await scan(page, 'DESK-1');
  await shown(page.getByText('DESK-1: Picking started'));
  await shown(page.getByText('3 ×'));
  await scan(page, 'TRIAL-1');
  await warned('TRIAL-1: UAT order: it never reaches a warehouse');
  await scan(page, 'TWIN');
  await page.getByRole('button', { name: 'LIVE · To be transferred' }).click();
  await shown(page.getByText('TWIN: Picking started'));
  await focused(page, 'Order number');
  await scan(page, 'NOTHING-HAS-THIS');
  await warned('No order or shipment has the number NOTHING-HAS-THIS');
  await assertFitsWidth(page);
  assert.equal(await statusOf('TRIAL-1'), 'pending_warehouse_transfer');

  await page.goto(`${browser.ownUrl}/console/pick?mode=pack`);
  await focused(page, 'Order number');
  await page.getByRole('switch', { name: 'Collect first' }).press(' ');
  await page.getByRole('textbox', { name: 'Order number' }).focus();
  for (const code of ['DESK-1', 'DESK-2', 'DESK-2']) await scan(page, code);
  await shown(page.getByText('DESK-2 is already collected'));
  await page.getByRole('button', { name: 'Pack 2 orders' }).press('Enter');
  await shown(page.getByText('Packed: 2'));
  assert.deepEqual([await statusOf('DESK-1'), await statusOf('DESK-2')], ['packed', 'packed']);

  await page.goto(`${browser.ownUrl}/console/pick?mode=ship`);
  await focused(page, 'Order number');
  await scan(page, 'DESK-1');
  await focused(page, 'Shipment number of DESK-1');
  await scan(page, 'DESK-1');
  await warned('That is the order number');
  await scan(page, '907211110001');
  await shown(page.getByText(/DESK-1: Leaves in \d+ s/));
  await focused(page, 'Order number');
  await scan(page, 'DESK-2');
  await focused(page, 'Shipment number of DESK-2');
  await page.keyboard.press('Escape');
  await focused(page, 'Order number');
  await shown(page.getByText(/Leaves in \d+ s · 907211110001/));
  assert.equal(await shipAfter(app, 10), shippedText(1));
  assert.deepEqual([await statusOf('DESK-1'), await statusOf('DESK-2')], ['shipped 907211110001', 'packed']);
  // The earlier steps are still listed.
  await shown(page.getByText('This session (7)'));
  assertNoComplaints(watched);
});

test('a delivery is scanned and received in two parts, by keyboard only', async () => {
  await announce(app, 'PAGE-1', { 'PAGE-TEA': 10, 'PAGE-CUP': 2 });
  const watched = await browser.open('staff', '/inbound');
  const { page } = watched;
  await focused(page, 'Scan a document');
  await scan(page, 'PAGE-1');
  await shown(page.getByRole('heading', { name: 'Inbound PAGE-1' }));

  await focused(page, 'Scan a product');
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
  const received = [goodRow('PAGE-TEA', expiry, 2), goodRow('PAGE-CUP', expiry, 1)];
  assert.deepEqual(await stockOf(app, ['PAGE-TEA', 'PAGE-CUP'], prod), received);

  await focused(page, 'Scan a product');
  for (const code of ['PAGE-CUP', 'PAGE-CUP']) await scan(page, code);
  await shown(page.getByText('PAGE-CUP is complete: not counted'));
  await scan(page, 'PAGE-TEA');
  await shown(page.getByText('PAGE-TEA: 1'));
  for (const quantity of ['7', '1']) {
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+A');
    await page.keyboard.type(quantity);
  }
  await shown(page.getByRole('button', { name: 'Receive 9 units' }));
  await page.keyboard.press('Control+Enter');
  await shown(page.getByText('The document is complete after this.'));
  await confirm(page, 'Receive 9 units');
  await shown(page.getByText('12 of 12', { exact: true }));
  await page.getByRole('textbox', { name: 'Scan a product' }).waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('button', { name: 'Stop receiving' }).count(), 0);
  assertNoComplaints(watched);
});

test('a receipt without a response stays in the tab, also after a reload, and counts once when it is sent again', async () => {
  await announce(app, 'PAGE-2', { 'LOST-TEA': 5 });
  const { page } = await browser.open('staff', await inboundPath('PAGE-2'));
  const field = page.getByRole('textbox', { name: 'Scan a product' });
  await field.focus();
  for (const code of ['LOST-TEA', 'LOST-TEA']) await scan(page, code);
  await page.route('**/console/api/inbound/receive', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Receive 2 units' }).click();
  await shown(page.getByRole('alert').getByText('The last attempt got no response'));
  await page.unroute('**/console/api/inbound/receive');
  await page.reload();
  await page.getByRole('button', { name: 'Send again' }).click();
  await shown(page.getByText('This receipt was already recorded'));
  assert.deepEqual(await stockOf(app, 'LOST-TEA', prod), [goodRow('LOST-TEA', expiry, 2)]);

  await field.focus();
  await scan(page, 'LOST-TEA');
  await shown(page.getByText('LOST-TEA: 1'));
  await page.getByRole('button', { name: 'Stop receiving' }).click();
  const dialog = page.getByRole('dialog', { name: 'Stop receiving PAGE-2?' });
  await shown(dialog.getByText('Your unsent receipt still has 1 unit'));
  await shown(dialog.getByText('Missing: 3 of 5 units.'));
  await dialog.getByRole('button', { name: 'Stop receiving' }).click();
  await shown(page.getByText('Receiving of PAGE-2 is stopped'));
  await field.waitFor({ state: 'detached' });
  const leftOver = page.getByRole('alert').filter({ hasText: 'Counted here but not received: 1 unit' });
  await leftOver.getByRole('button', { name: 'Discard' }).click();
  await leftOver.waitFor({ state: 'detached' });
});

test('a return is graded with one key per unit, beside its original order', async () => {
  await announce(app, 'PAGE-STOCK', { 'GRADE-TEA': 3 });
  await receiveUnits(app, { inbound_short_id: 'PAGE-STOCK' }, [units('GRADE-TEA', 3)]);
  await order(app, 'PAGE-ORDER', [['GRADE-TEA', 3]], prod);
  await announce(app, 'PAGE-3', { 'GRADE-TEA': 3 }, { original: 'PAGE-ORDER' });
  const { page } = await browser.open('staff', await inboundPath('PAGE-3'));
  await shown(page.getByRole('region', { name: 'Returned order' }).getByRole('link', { name: 'PAGE-ORDER' }));
  await page.getByRole('textbox', { name: 'Scan a product' }).focus();
  await scan(page, 'GRADE-TEA');
  await shown(page.getByText('GRADE-TEA: good or defective?'));
  await page.keyboard.press('b');
  await shown(page.getByText('GRADE-TEA: 1'));
  await page.keyboard.press('g');
  await shown(page.getByText('GRADE-TEA: 2'));
  await page.keyboard.press('Control+Enter');
  await shown(page.getByRole('dialog').getByText('1 good, 1 defective'));
  await page.getByRole('dialog').getByRole('radio', { name: 'Changed mind' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Receive 2 units' }).press('Enter');
  await shown(page.getByText('Received 2 units'));
  const rows = await stockOf(app, 'GRADE-TEA', prod);
  assert.deepEqual(columns(rows, 'stock_type', 'qty'), [
    ['good', 4],
    ['bad', 1],
  ]);
});

test('of the selected inbound documents, those that can be cancelled are, with one result for each', async () => {
  for (const [number, qty] of Object.entries({ 'BULK-1': 1, 'BULK-2': 2, 'BULK-3': 1, 'BULK-4': 1 })) {
    await announce(app, number, { 'BULK-TEA': qty });
  }
  await receiveUnits(app, { inbound_short_id: 'BULK-2' }, [units('BULK-TEA', 1)]);
  await receiveUnits(app, { inbound_short_id: 'BULK-3' }, [units('BULK-TEA', 1)]);
  const { page } = await browser.open('staff', '/inbound?status=expected,receiving');
  await shown(page.getByRole('link', { name: 'BULK-2' }));
  assert.equal(await page.getByRole('link', { name: 'BULK-3', exact: true }).count(), 0);
  await shown(page.getByRole('button', { name: 'Remove filter Status: Receiving' }));
  await page.getByRole('checkbox', { name: 'Select BULK-2' }).check();
  const bar = page.getByRole('region', { name: 'Actions for the selected rows' });
  assert.deepEqual(await bar.getByRole('button').allInnerTexts(), ['Clear selection']);
  for (const number of ['BULK-1', 'BULK-4']) await page.getByRole('checkbox', { name: `Select ${number}` }).check();
  await page.getByRole('button', { name: 'Cancel 2' }).click();
  await page.getByRole('dialog', { name: 'Cancel 2 documents?' }).getByRole('button', { name: 'Cancel 2' }).click();
  const results = page.getByRole('dialog', { name: 'Cancelled documents' });
  await shown(results.getByText('2 done'));
});

test('a document that was received on creation offers no receiving, but takes a note: in Chinese on a phone', async () => {
  await announce(app, 'PAGE-NOW', { 'NOW-TEA': 4 }, { caller: prodAtOnce });
  const { page } = await browser.open('staff', await inboundPath('PAGE-NOW'), { locale: 'zh-TW', viewport: phone });
  await shown(page.getByText('建單時已入庫'));
  await shown(page.getByRole('button', { name: '作廢單據' }));
  assert.equal(await page.getByRole('textbox', { name: '掃描商品' }).count(), 0);
  assert.equal(await page.getByRole('button', { name: '終止收貨' }).count(), 0);
  await assertFitsWidth(page);
  await page.getByRole('textbox', { name: '新備註' }).fill('外箱破損');
  await page.getByRole('button', { name: '新增備註' }).click();
  await shown(page.getByRole('listitem').getByText('外箱破損'));
});

test('what arrives today and what is overdue is one tap away, the earliest first; on a phone a row has two lines', async () => {
  const arrivals = {
    'ETA-LATER': '2031-05-05T15:00+08:00',
    'ETA-FIRST': '2031-05-05T09:00+08:00',
    'ETA-LATE': '2031-05-04T23:59+08:00',
  };
  for (const [number, at] of Object.entries(arrivals)) {
    await announce(app, number, { 'ETA-TEA': 1 });
    await app.store.database.transaction(
      (tx) => tx`update inbound_document set estimated_arrival_at = ${at} where partner_number = ${number}`,
    );
  }
  const { page } = await browser.open('staff', '/no-such-page', { viewport: phone });
  await page.clock.setFixedTime('2031-05-05T12:00:00+08:00');
  await page.goto(page.url().replace('no-such-page', 'inbound'));
  const numbers = () => page.getByRole('list', { name: 'Inbound' }).getByRole('link').allInnerTexts();
  const today = page.getByRole('button', { name: 'Arriving today' });
  await today.click();
  await until('those of today are shown', async () => (await numbers()).join() === 'ETA-FIRST,ETA-LATER');
  const row = page.getByRole('listitem').filter({ hasText: 'ETA-FIRST' });
  await shown(row.getByText('Expected', { exact: true }));
  assert.ok((await row.boundingBox())!.height < 80);
  await page.getByRole('button', { name: 'Overdue' }).click();
  await until('the overdue one is shown', async () => (await numbers()).includes('ETA-LATE'));
  assert.equal(await today.getAttribute('aria-pressed'), 'false');
  await page.getByRole('button', { name: 'Overdue' }).click();
  await page.waitForURL((url) => url.search === '');
});

test('units without expiry are shown as such in the lines, the lots and the receipts of a document', async () => {
  await announceForm(app, 'PAGE-NEVER', { 'NEVER-CUP': 3 });
  await receiveUnits(app, { form_no: 'PAGE-NEVER' }, [units('NEVER-CUP', 2, { expire_date: null })]);
  const { page } = await browser.open('viewer', await inboundPath('PAGE-NEVER'));
  await shown(page.getByRole('table', { name: 'Lines' }).getByRole('row', { name: /NEVER-CUP.* No expiry / }));
  await shown(page.getByRole('table', { name: 'Lots' }).getByRole('row', { name: /NEVER-CUP Good .*No expiry / }));
  await shown(page.getByText('2 × NEVER-CUP · Good · No expiry'));
  // A read-only operator has no actions.
  assert.equal(await page.getByRole('textbox', { name: 'Scan a product' }).count(), 0);
  assert.equal(await page.getByRole('button', { name: /Stop|Cancel|Add note/ }).count(), 0);
});

test('every page on a phone, in Chinese and in the dark has a heading, fits the width and passes axe', async () => {
  const router = readFileSync(new URL('../../console/router.tsx', import.meta.url), 'utf8');
  // Pages of one document have their own tests, which make the document.
  const paths = ['', ...[...router.matchAll(/path: '([a-z-]+)', lazy/g)].map(([, path]) => path!)];
  assert.ok(paths.length >= 13, paths.join());
  const look = { locale: 'zh-TW', viewport: phone, colorScheme: 'dark' } as const;
  const watched = await browser.open('admin', '/no-such-page', look);
  const { page } = watched;
  await shown(page.getByRole('heading', { name: '找不到頁面' }));
  for (const path of paths) {
    const before = JSON.stringify(await page.title());
    // Navigates like a link, without loading everything again.
    await page.evaluate(
      `history.pushState(null, '', '/console/${path}'); dispatchEvent(new PopStateEvent('popstate'))`,
    );
    const isLoaded = `document.title !== ${before} && !document.querySelector('[aria-busy="true"]')`;
    await until(`the page ${path} is loaded`, () => page.evaluate<boolean>(isLoaded));
    assert.match(await page.getByRole('heading', { level: 1 }).innerText(), /\p{Script=Han}/u, path);
    assert.match(await page.title(), / · Lading$/, path);
    await assertFitsWidth(page, path);
    await assertAccessible(page, path);
  }
  assertNoComplaints(watched);
});
