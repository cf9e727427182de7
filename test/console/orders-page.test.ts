import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { alpha, startTestApp } from '../support/app.ts';
import { findAxeFindings } from '../support/browser-axe.ts';
import { provisionOperators } from '../support/console.ts';
import { assertNoComplaints, shown, startConsoleBrowser } from '../support/console-browser.ts';
import { live, provisionLive } from '../support/live.ts';
import { bring, item, ship } from '../support/logistics.ts';
import { order, receive } from '../support/warehouse.ts';

const app = await startTestApp();
await provisionLive(app);
await provisionOperators(app);
await receive(
  app,
  {
    TEA: [
      ['2030-01-01', 3],
      ['2031-01-01', 500],
    ],
  },
  live,
);
await receive(app, { CUP: [['2030-01-01', 50]] }, alpha);
await bring(app, [{ sku: 'LAMP', quantity: 50 }], live.apiKey);
const label = { store_id: '991182', route: { code: 'A1-7' } };
await ship(app, 'TOLD-1', [item('LAMP', 2, { name: '檯燈' })], { store_pickup_label_data: label, city: '臺北市' }, live.apiKey);
for (const number of ['SALE-1', 'SALE-2', 'SALE-3', 'DESK-1', 'DESK-2', 'DESK-3']) await order(app, number, [['TEA', 5]], live);
await order(app, 'TRIAL-1', [['CUP', 1]], alpha);
for (const apiKey of [alpha.apiKey, live.apiKey]) {
  await bring(app, [{ sku: 'PEN', quantity: 5 }], apiKey);
  await ship(app, 'TWIN', [item('PEN', 1)], {}, apiKey);
}
const browser = await startConsoleBrowser(app);
const phone = { width: 390, height: 844 };

async function statusOf(partnerNumber: string): Promise<string> {
  const [row] = await app.store.database.read((sql) => sql`select status, shipment_no from orders where partner_number = ${partnerNumber}`);
  return [row!.status, row!.shipment_no].filter(Boolean).join(' ');
}

async function idOf(partnerNumber: string): Promise<number> {
  const [row] = await app.store.database.read((sql) => sql`select order_id from orders where partner_number = ${partnerNumber}`);
  return row!.order_id;
}

async function assertFitsWidth(page: Page): Promise<void> {
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'), 0);
}

test('filters live in the address, and back undoes them; what fits nothing says how to go on', async () => {
  const watched = await browser.open('staff', '/orders');
  const { page } = watched;
  await shown(page.getByRole('link', { name: 'TRIAL-1' }));
  assert.deepEqual(await findAxeFindings(page), []);

  await page.getByRole('combobox', { name: 'Account' }).click();
  await page.getByRole('option', { name: /^ALPHA/ }).click();
  await page.waitForURL(/[?]accounts=ALPHA$/);
  await page.getByRole('link', { name: 'SALE-1' }).waitFor({ state: 'hidden' });
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'Number' }).fill('NO-SUCH');
  await shown(page.getByText('No order fits these filters'));
  assert.match(page.url(), /number=NO-SUCH/);
  await page.goBack();
  await shown(page.getByRole('link', { name: 'TRIAL-1' }));
  await page.goBack();
  await shown(page.getByRole('link', { name: 'SALE-1' }));
  assert.doesNotMatch(page.url(), /accounts/);
  assertNoComplaints(watched);
  await page.close();
});

test('selected orders are cancelled after a question that names them, with one result for each', async () => {
  await order(app, 'SALE-GONE', [['TEA', 1]], live);
  const watched = await browser.open('staff', '/orders?status=pending_warehouse_transfer');
  const { page } = watched;
  for (const number of ['SALE-1', 'SALE-2', 'SALE-GONE']) await page.getByRole('checkbox', { name: `Select ${number}` }).check();
  // Somebody else is faster with one of them.
  await app.callMain('/fulfilment/advance', { orders: [{ outbound_short_id: 'SALE-2', status: 'picking' }] }, { as: live });
  const colourOf = (name: string) =>
    page.evaluate<string>(`getComputedStyle([...document.querySelectorAll('button')].find((one) => one.textContent === '${name}')).color`);
  assert.notEqual(await colourOf('Cancel 3 orders'), await colourOf('Ship'), 'what cannot be undone has the colour of danger');
  await page.getByRole('button', { name: 'Cancel 3 orders' }).click();
  const question = page.getByRole('dialog', { name: 'Cancel 3 orders?' });
  for (const number of ['SALE-1', 'SALE-2', 'SALE-GONE']) await shown(question.getByText(number, { exact: true }));
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
  assert.deepEqual(
    [await statusOf('SALE-1'), await statusOf('SALE-2'), await statusOf('SALE-GONE')],
    ['cancelled', 'picking', 'cancelled'],
  );
  assertNoComplaints(watched);
  await page.close();
});

test('an order’s page tells lots and why, its label and its story; by keyboard a note is written and the next step taken', async () => {
  const watched = await browser.open('staff', `/orders/${await idOf('SALE-3')}`);
  const { page } = watched;
  await shown(page.getByText('expires 2031-01-01'));
  await page.getByText('Lots not taken (1)').click();
  await shown(page.getByText('Nothing free'));
  await shown(page.getByText('As the stock was when the units were taken'));
  assert.deepEqual(await findAxeFindings(page), []);

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
  await shown(page.getByText('Picking begun'));
  await shown(page.getByText('by operator packer'));
  assert.equal(await page.getByRole('button', { name: 'Cancel order' }).count(), 0);
  assert.equal(await statusOf('SALE-3'), 'picking');
  assertNoComplaints(watched);
  await page.close();

  const chinese = await browser.open('viewer', `/orders/${await idOf('TOLD-1')}`, { locale: 'zh-TW', viewport: phone });
  await shown(chinese.page.getByRole('heading', { name: '超商取貨標籤' }));
  await shown(chinese.page.getByText('route.code'));
  await shown(chinese.page.getByText('您的角色只能檢視，個人資料已遮蔽。'));
  assert.equal(await chinese.page.getByText('A1-7').count(), 0);
  await shown(chinese.page.getByText('C**'));
  await shown(chinese.page.getByText('待拋轉'));
  assert.equal(await chinese.page.getByRole('button', { name: '揀貨' }).count(), 0);
  await assertFitsWidth(chinese.page);
  assertNoComplaints(chinese);
  await chinese.page.close();
});

test('a shipment number of another order is warned about, by its name, before the order is shipped under it on purpose', async () => {
  for (const number of ['SAME-1', 'SAME-2', 'SAME-3']) await order(app, number, [['TEA', 1]], live);
  await app.callMain(
    '/fulfilment/advance',
    { orders: [{ outbound_short_id: 'SAME-1', status: 'shipped', shipment_no: 'P-1' }] },
    { as: live },
  );
  const watched = await browser.open('staff', `/orders/${await idOf('SAME-2')}`);
  const { page } = watched;
  await page.getByRole('button', { name: 'Ship', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Ship order SAME-2?' });
  await dialog.getByRole('textbox', { name: 'Shipment no. of SAME-2' }).fill('P-1');
  await dialog.getByRole('button', { name: 'Ship order SAME-2' }).click();
  await shown(dialog.getByRole('alert').getByText('P-1 is already the number of order SAME-1 (LIVE, Shipped)'));
  assert.equal(await statusOf('SAME-2'), 'pending_warehouse_transfer');
  assert.deepEqual(await findAxeFindings(page), []);
  // Another number is asked about again.
  await dialog.getByRole('textbox', { name: 'Shipment no. of SAME-2' }).fill('P-2');
  await shown(dialog.getByRole('button', { name: 'Ship order SAME-2' }));
  await dialog.getByRole('textbox', { name: 'Shipment no. of SAME-2' }).fill('P-1');
  await dialog.getByRole('button', { name: 'Ship order SAME-2' }).click();
  await dialog.getByRole('button', { name: 'Ship under the same number' }).click();
  await shown(page.getByRole('dialog', { name: 'Shipping: results' }).getByText('Now: Shipped'));
  assert.equal(await statusOf('SAME-2'), 'shipped P-1');

  await page.goto(`${browser.ownUrl}/console/pick?mode=ship`);
  const focused = (name: string) => page.getByRole('textbox', { name }).and(page.locator(':focus')).waitFor();
  const scan = async (code: string) => {
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
  };
  await focused('Order number');
  await scan('SAME-3');
  await focused('Shipment number of SAME-3');
  await scan('P-1');
  await shown(
    page.getByRole('alert').getByText(/P-1 is already the number of order SAME-2 \(LIVE, Shipped\) and SAME-1 \(LIVE, Shipped\)/),
  );
  await focused('Shipment number of SAME-3');
  // A scanner that reads the label twice does not answer the question.
  await scan('P-1');
  await shown(page.getByRole('button', { name: 'Ship under the same number' }));
  assert.equal(await statusOf('SAME-3'), 'pending_warehouse_transfer');
  assert.deepEqual(await findAxeFindings(page), []);
  await page.getByRole('button', { name: 'Ship under the same number' }).click();
  await shown(page.getByText('SAME-3: Shipped'));
  assert.equal(await statusOf('SAME-3'), 'shipped P-1');
  assertNoComplaints(watched);
  await page.close();
});

test('with a scanner alone: pick, pack, ship with its shipment number, and what is wrong is said aloud', async () => {
  const watched = await browser.open('staff', '/pick', { viewport: phone });
  const { page } = watched;
  const scan = async (code: string) => {
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
  };
  const focused = (name: string) => page.getByRole('textbox', { name }).and(page.locator(':focus')).waitFor();
  await focused('Order number');
  await scan('DESK-1');
  await shown(page.getByText('DESK-1: Picking begun'));
  await shown(page.getByText('5 ×'));
  await scan('TRIAL-1');
  await shown(page.getByRole('alert').getByText('TRIAL-1: UAT order: it never reaches a warehouse'));
  await scan('TWIN');
  await page.getByRole('button', { name: 'LIVE · To be transferred' }).click();
  await shown(page.getByText('TWIN: Picking begun'));
  await focused('Order number');
  await scan('NOTHING-HAS-THIS');
  await shown(page.getByRole('alert').getByText('No order or shipment has the number NOTHING-HAS-THIS'));
  assert.deepEqual(await findAxeFindings(page), []);
  await assertFitsWidth(page);
  assert.equal(await statusOf('TRIAL-1'), 'pending_warehouse_transfer');

  await page.goto(`${browser.ownUrl}/console/pick?mode=pack`);
  await focused('Order number');
  await page.getByRole('switch', { name: 'Collect first' }).press(' ');
  await page.getByRole('textbox', { name: 'Order number' }).focus();
  await scan('DESK-1');
  await scan('DESK-2');
  await scan('DESK-2');
  await shown(page.getByText('DESK-2 is collected already'));
  await page.getByRole('button', { name: 'Pack 2 orders' }).press('Enter');
  await shown(page.getByText('Packed: 2'));
  assert.deepEqual([await statusOf('DESK-1'), await statusOf('DESK-2')], ['packed', 'packed']);

  await page.goto(`${browser.ownUrl}/console/pick?mode=ship`);
  await focused('Order number');
  await scan('DESK-1');
  await focused('Shipment number of DESK-1');
  await scan('DESK-1');
  await shown(page.getByRole('alert').getByText('That is the number of the order'));
  await scan('9072-1111');
  await shown(page.getByText('DESK-1: Shipped'));
  await focused('Order number');
  await scan('DESK-2');
  await focused('Shipment number of DESK-2');
  await page.keyboard.press('Escape');
  await focused('Order number');
  assert.deepEqual([await statusOf('DESK-1'), await statusOf('DESK-2')], ['shipped 9072-1111', 'packed']);
  await shown(page.getByText('Shipped · 9072-1111'));
  // What was done before is still there.
  await shown(page.getByText('This sitting (7)'));
  assertNoComplaints(watched);
  await page.close();
});
