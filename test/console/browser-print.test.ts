import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
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
import { live } from '../support/live.ts';
import { item, ship } from '../support/logistics.ts';
import { readPdf } from '../support/pdf.ts';
import { prepareOrders } from '../support/printed-orders.ts';
import { orderRow } from '../support/warehouse.ts';

// The tests run in this order on one service.
const app = await startTestApp();
await provisionOperators(app);
const ids = await prepareOrders(app);
const browser = await startConsoleBrowser(app);
const inChinese = { locale: 'zh-TW' } as const;

/** Counts the print dialogs that the page opens, and keeps them closed. */
async function watchDialogs(page: Page): Promise<void> {
  await page.addInitScript('window.dialogs = 0; window.print = () => { window.dialogs++; }');
}
const dialogsOf = (page: Page) => page.evaluate('window.dialogs');

async function openPrintOut(path: string, look: object = {}) {
  const watched = await browser.open('staff', `/print/${path}`, look, watchDialogs);
  await watched.page.locator('html[data-printed=ready]').waitFor();
  return watched;
}

const pointsPerMm = 72 / 25.4;

/** Prints the page, and compares the size of each page of paper. Chromium rounds sizes to dots, so a point is left. */
async function printedOn(page: Page, widthMm: number, heightMm: number): Promise<string[]> {
  const pages = readPdf(await page.pdf({ preferCSSPageSize: true }));
  for (const { width, height } of pages) {
    assert.ok(Math.abs(width - widthMm * pointsPerMm) < 1, `${width} points`);
    assert.ok(Math.abs(height - heightMm * pointsPerMm) < 1, `${height} points`);
  }
  return pages.map(({ text }) => text);
}

/** Asserts that the text has all of these, without white space. */
function assertHas(text: string, parts: string[]): void {
  for (const part of parts) assert.ok(text.includes(part.replaceAll(' ', '')), `${part} is not in ${text}`);
}

/** The symbols on the page: kind, text, and the width of a module of Code 128 in millimetres. */
async function symbolsOf(page: Page): Promise<[kind: string, text: string, moduleMm: number | null][]> {
  return await page.evaluate(`[...document.querySelectorAll('svg[data-symbol]')].map((symbol) => {
    const modules = symbol.viewBox.baseVal.width;
    const mm = (symbol.getBoundingClientRect().width / 96) * 25.4;
    const kind = symbol.dataset.symbol;
    return [kind, symbol.getAttribute('aria-label'), kind === 'qr' ? null : Math.round((mm / modules) * 1000) / 1000];
  })`);
}

test('a packing slip on A4 has the lots, the note and both barcodes of the order, and neither phone nor address', async () => {
  const watched = await openPrintOut(`packing-slip?orders=${ids.one},${ids.store}&paper=a4`);
  const [first, second, ...more] = await printedOn(watched.page, 210, 297);
  assert.deepEqual(more, []);
  assertHas(first!, [
    'Packing slip',
    '林美華',
    'PRINT-1',
    'Home delivery · T-Cat',
    'TEA',
    '2030-01-01 × 3',
    '2031-01-01 × 2',
    '7 units',
  ]);
  assertHas(second!, ['陳大文', 'SHOP-PRINT-STORE', '桌燈', 'Note: 易碎，請輕放', '2 units']);
  assert.ok(!/0912|0987|松仁路|Reprint/.test(first! + second!));
  const [bars, qr] = await symbolsOf(watched.page);
  assert.match(bars![1], /^ow_PRINT-1_[0-9a-f]{10}$/);
  assert.deepEqual([bars![0], qr!.slice(0, 2)], ['code128', ['qr', bars![1]]]);
  await assertAccessible(watched.page);
  assertNoComplaints(watched);
});

test('shipping labels are one page per parcel on both sizes, with the recipient, and warn of tests and frozen goods', async () => {
  const orders = `orders=${ids.two},${ids.sent},${ids.uat}`;
  const watched = await openPrintOut(`shipping-label?${orders}&paper=100x150`, inChinese);
  const tall = await printedOn(watched.page, 100, 150);
  assert.equal(tall.length, 4);
  assertHas(tall[0]!, [
    '黑貓宅急便',
    '宅配',
    '冷凍',
    '林美華',
    '0912-345-678',
    '110 臺北市信義區松仁路 100 號 12 樓之 3',
    '5 件',
  ]);
  assertHas(tall[1]!, ['包裹 1 / 2', '9012345678901']);
  assertHas(tall[2]!, ['包裹 2 / 2', '9012345678912']);
  assertHas(tall[3]!, ['測試單，請勿出貨']);
  assert.ok(!tall.slice(0, 3).join('').includes('測試'));

  // The paper is remembered for the next label.
  await watched.page.getByRole('combobox', { name: '紙張' }).selectOption('10 × 10 公分');
  const small = await printedOn(watched.page, 100, 100);
  assert.equal(small.length, 4);
  assertHas(small[1]!, ['包裹 1 / 2', '9012345678901', '林美華', 'PRINT-SENT']);
  // Thermal printers with 203 dpi have eight dots per millimetre, so a bar of two dots is 0.25 mm wide.
  for (const [kind, text, moduleMm] of await symbolsOf(watched.page))
    assert.ok(kind === 'qr' || [0.25, 0.375].includes(moduleMm!), `${text}: ${moduleMm}`);
  assertNoComplaints(watched);

  const next = await openPrintOut(`shipping-label?orders=${ids.two}&parcels=3`, inChinese);
  const labels = await printedOn(next.page, 100, 100);
  assert.equal(labels.length, 3);
  assertHas(labels[2]!, ['包裹 3 / 3', '補印 3']);
});

test('a store label shows the codes of the partner as barcodes, and fields that nobody knows as text', async () => {
  const watched = await openPrintOut(`store-label?orders=${ids.store}&paper=100x100`);
  const labels = await printedOn(watched.page, 100, 100);
  assert.equal(labels.length, 1);
  assertHas(labels[0]!, [
    '鑫台大門市',
    'No. 991182',
    '陳大文',
    '0987654321',
    'route.area:N3',
    'route.stop:17',
    'pickup_deadline:2026-11-25',
  ]);
  const symbols = await symbolsOf(watched.page);
  assert.deepEqual(
    symbols.slice(0, 2).map(([kind, text]) => [kind, text]),
    [
      ['code128', 'F0012345678901'],
      ['qr', 'B1||991182||F0012345678901'],
    ],
  );
  assertNoComplaints(watched);

  // Our own number is a QR code if the codes of the partner need the space, so that a parcel has one label.
  const codes = { barcode1: 'F0012345678901', barcode2: '202611251350', qr_code: 'B1||F0012345678901' };
  const label = { store_id: '012345', store_name: '全家台北信義店', ...codes };
  await ship(app, 'PRINT-CODES', [item('LAMP', 1)], { store_pickup_label_data: label }, live.apiKey);
  const full = await openPrintOut(`store-label?orders=${(await orderRow(app, 'PRINT-CODES'))!.order_id}&paper=100x100`);
  assert.equal((await printedOn(full.page, 100, 100)).length, 1);
  const kinds = (await symbolsOf(full.page)).map(([kind, text]) => [kind, text.replace(/_[0-9a-f]{10}$/, '')]);
  assert.deepEqual(kinds, [
    ['code128', codes.barcode1],
    ['code128', codes.barcode2],
    ['qr', codes.qr_code],
    ['qr', 'ow_PRINT-CODES'],
  ]);
});

test('a pick list has one line per lot in walking order; a return slip has the reasons; codes fill a sheet', async () => {
  const list = await openPrintOut(
    `pick-list?orders=${ids.one},${ids.two},${ids.sent}&batch=7&slots=3,5,8&paper=a4`,
    inChinese,
  );
  const [walk] = await printedOn(list.page, 210, 297);
  const places = ['A-2-11', 'A-10-02', '2030-01-01', '2031-01-01', '無儲位', 'ICE'];
  const at = places.map((text) => walk!.indexOf(text));
  assert.deepEqual(
    at,
    at.toSorted((a, b) => a - b),
    walk!,
  );
  assertHas(walk!, ['揀貨單', '批次 7', '2 筆訂單 · 12 件', '[3] 2 [5] 1', '1 / 1', '列印者 packer']);
  assert.ok(!walk!.includes('林美華'));
  await shown(list.page.getByRole('alert').getByText('PRINT-SENT: 無可揀貨：仍在等貨，或已包裝'));
  await assertAccessible(list.page);
  assertNoComplaints(list);

  const slip = await openPrintOut(`return-slip?orders=${ids.sent}&paper=100x150`, { ...inChinese, viewport: phone });
  const [back, ...more] = await printedOn(slip.page, 100, 150);
  assertHas(back!, ['退貨回寄單', 'PRINT-SENT', '退回數量', 'D 寄錯商品', 'E 其他']);
  assert.ok(!back!.includes('林美華') && more.length === 0);
  await assertFitsWidth(slip.page);

  const codes = await openPrintOut(`order-codes?orders=${Object.values(ids).join()}&paper=a4`);
  const [sheet, ...others] = await printedOn(codes.page, 210, 297);
  assertHas(sheet!, ['PRINT-1', 'PRINT-2', 'PRINT-SENT', 'PRINT-STORE', 'PRINT-UAT', '訂單七']);
  // A number with Chinese characters has a QR code only.
  const kinds = (await symbolsOf(codes.page)).map(([kind]) => kind);
  assert.deepEqual([others, kinds.filter((kind) => kind === 'code128').length, kinds.length], [[], 5, 11]);
});

test('the dialog opens by itself; printing again is a reprint, on the paper and in the audit log', async () => {
  const logged = async () =>
    (await actionsOf(app, 'print/orders')).filter(({ details }) => details.document === 'return_slip');
  const before = (await logged()).length;
  const watched = await openPrintOut(`return-slip?orders=${ids.one}`);
  const { page } = watched;
  assert.equal(await dialogsOf(page), 1);
  assert.equal(await page.getByText(/^Reprint/).count(), 0);
  await page.getByRole('button', { name: 'Print again' }).click();
  await shown(page.getByText('Reprint 2'));
  await page.waitForFunction('window.dialogs === 2');
  // The first print of a page is counted already, the next with the menu of the browser is not.
  const recorded = page.waitForResponse((response) => response.url().endsWith('/print/orders'));
  await printedOn(page, 210, 297);
  await printedOn(page, 210, 297);
  assert.equal((await recorded).status(), 200);
  const entries = (await logged()).slice(before);
  assert.deepEqual(
    entries.map(({ username, subject, outcome }) => [username, subject, outcome]),
    [
      ['packer', `order ${ids.one}`, 'printed 1'],
      ['packer', `order ${ids.one}`, 'reprinted 1'],
      ['packer', `order ${ids.one}`, 'reprinted 1'],
    ],
  );
  assertNoComplaints(watched);
});

test('staff print selected orders from the list, and one from its page; others cannot print', async () => {
  const watched = await browser.open('staff', '/orders?number=PRINT-1', inChinese);
  await watched.page.getByRole('checkbox', { name: 'PRINT-1' }).check();
  await watched.page.getByRole('button', { name: '列印' }).click();
  const link = watched.page.getByRole('menuitem', { name: '超商取貨標籤' });
  await shown(link);
  assert.equal(await link.getAttribute('href'), `/console/print/store-label?orders=${ids.one}`);
  await assertAccessible(watched.page);
  assertNoComplaints(watched);

  const order = await browser.open('staff', `/orders/${ids.store}`);
  await order.page.getByRole('button', { name: 'Print', exact: true }).click();
  const opened = order.page.context().waitForEvent('page');
  await order.page.getByRole('menuitem', { name: 'Store pickup label' }).click();
  await shown((await opened).getByText('鑫台大門市'));
  assertNoComplaints(order);

  const viewer = await browser.open('viewer', `/orders/${ids.store}`);
  await shown(viewer.page.getByRole('heading', { name: 'PRINT-STORE' }));
  assert.equal(await viewer.page.getByRole('button', { name: 'Print', exact: true }).count(), 0);
  await viewer.page.goto(`${browser.ownUrl}/console/print/store-label?orders=${ids.store}`);
  await shown(viewer.page.getByText('Only staff and admins can print'));
  await viewer.page.goto(`${browser.ownUrl}/console/print/invoice?orders=${ids.store}`);
  await shown(viewer.page.getByRole('heading', { level: 1 }));
  assert.equal(await viewer.page.getByText('陳大文').count(), 0);
});
