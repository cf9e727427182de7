import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestApp } from '../support/app.ts';
import type { PageLook } from '../support/browser.ts';
import { provisionOperators } from '../support/console.ts';
import {
  assertAccessible,
  assertFitsWidth,
  assertNoComplaints,
  scan,
  scanFast,
  shown,
  startConsoleBrowser,
} from '../support/console-browser.ts';
import { live, provisionLive } from '../support/live.ts';
import { retvalOf } from '../support/main.ts';
import { labelled, ordered } from '../support/picking.ts';
import { assertAuditClean } from '../support/purge.ts';
import { receive } from '../support/warehouse.ts';

const app = await startTestApp();
await provisionLive(app);
await provisionOperators(app);
await receive(app, { TEA: [['2030-01-01', 500]], CUP: [[null, 500]], ICE: [['2030-06-01', 500]] }, live);
await labelled(app, 'TEA', { location: 'A-10', ean: '4710000000017', carton: ['CARTON-TEA', 12] });
await labelled(app, 'CUP', { location: 'A-2' });
const browser = await startConsoleBrowser(app);
const onPhone = { viewport: { width: 375, height: 740 } } as const;
const inChinese = { ...onPhone, locale: 'zh-TW' } as const;

/** The states of these orders, in the order of their numbers. */
async function statusesOf(prefix: string): Promise<string[]> {
  const rows = await app.store.database.read(
    (sql) => sql<{ status: string }[]>`
      select status from orders where partner_number like ${`${prefix}%`} order by partner_number`,
  );
  return rows.map(({ status }) => status);
}

/** Orders the units, the oldest order first. */
async function orderAll(prefix: string, count: number, lines: [string, number][]): Promise<void> {
  for (let index = 0; index < count; index++) await ordered(app, `${prefix}-${index + 10}`, lines);
}

async function claimNext(page: Page, button: string): Promise<string> {
  await page.getByRole('button', { name: button }).click();
  await page.waitForURL(/\/picking\/\d+$/);
  // The list of batches shows the same progress, and takes no scans.
  await page.locator('input[inputmode=none]:focus').waitFor();
  return new URL(page.url()).pathname.replace('/console', '');
}

test('20 orders are claimed, picked with a scan every 50 ms and handed to packing; no scan is lost, a wrong item is refused', async () => {
  await orderAll('FAST', 20, [
    ['TEA', 1],
    ['CUP', 1],
  ]);
  const watched = await browser.open('staff', '/picking', onPhone);
  const { page } = watched;
  await shown(page.getByText('orders waiting'));
  await assertAccessible(page);
  await assertFitsWidth(page);
  await claimNext(page, 'Next 20');
  await shown(page.getByText('0 of 40 units'));
  const current = page.getByRole('region', { name: 'Next item' });
  await shown(current.getByText('A-2', { exact: true }));

  await scan(page, 'ICE');
  await shown(page.getByRole('alert').getByText('Wrong item: ICE is not on this list'));
  await scan(page, 'NO-SUCH');
  await shown(page.getByRole('alert').getByText('No product has the code NO-SUCH'));
  await scanFast(page, [...Array(20).fill('CUP'), 'CARTON-TEA', ...Array(7).fill('4710000000017')]);
  await shown(page.getByText('39 of 40 units'));
  await shown(current.getByText('A-10', { exact: true }));
  await scan(page, '2x');
  await scan(page, 'TEA');
  await shown(page.getByRole('alert').getByText('Too many: 2 × TEA, but 1 still needed'));
  await assertAccessible(page);
  await assertFitsWidth(page);
  await scan(page, 'TEA');
  await shown(page.getByText('Everything is picked'));
  await shown(page.getByText('TEA → slot 20: 1'));
  assert.deepEqual(new Set(await statusesOf('FAST')), new Set(['pending_warehouse_transfer']));
  await page.getByRole('button', { name: 'Finish: to packing' }).click();
  await shown(page.getByText('20 orders are ready for packing'));
  assert.deepEqual(await statusesOf('FAST'), Array(20).fill('picking'));
  assertNoComplaints(watched);
});

test('two pickers on one batch, one of them on another device, find every unit once', async () => {
  await orderAll('TWO', 6, [
    ['TEA', 2],
    ['CUP', 2],
  ]);
  const one = await browser.open('staff', '/picking', onPhone);
  const path = await claimNext(one.page, 'Next 20');
  const two = await browser.open('admin', path);
  await Promise.all([one, two].map(({ page }) => shown(page.getByText('0 of 24 units'))));
  // Together they scan each unit once, in an order of their own.
  await Promise.all([
    scanFast(one.page, [...Array(7).fill('CUP'), ...Array(4).fill('TEA')]),
    scanFast(two.page, [...Array(8).fill('TEA'), ...Array(5).fill('CUP')]),
  ]);
  await Promise.all([one, two].map(({ page }) => shown(page.getByText('Everything is picked'))));
  await two.page.getByRole('button', { name: 'Finish: to packing' }).click();
  await shown(one.page.getByText('This batch is finished.'));
  assert.deepEqual(await statusesOf('TWO'), Array(6).fill('picking'));
  assertNoComplaints(one);
  assertNoComplaints(two);
});

test('missing units hold an order, a cancelled order shows what to put back, and a batch that ends early returns the rest', async () => {
  await orderAll('LEFT', 4, [['CUP', 2]]);
  await ordered(app, 'LEFT-20', [['ICE', 1]]);
  const watched = await browser.open('staff', '/picking', inChinese);
  const { page } = watched;
  await claimNext(page, '領取 20 筆');
  await shown(page.getByText('0 / 9 件'));
  await scan(page, '3x');
  await scan(page, 'CUP');
  await shown(page.getByText('CUP → 格位 1：2、格位 2：1'));
  retvalOf(await app.callMain('/orders/cancel', { outbound_short_ids: ['LEFT-11'] }, { as: live }));
  await shown(page.getByText('請把 1 件放回儲位'));
  await page.getByRole('button', { name: '確認 4 件' }).click();
  await shown(page.getByText('CUP → 格位 3：2、格位 4：2'));
  await page.getByRole('button', { name: '缺貨…' }).click();
  const dialog = page.getByRole('dialog', { name: 'ICE 缺貨' });
  await dialog.getByRole('radio', { name: '破損' }).check();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: '暫緩這些訂單' }).click();
  await shown(page.getByText('缺貨，暫緩中'));
  await assertFitsWidth(page);
  await assertAccessible(page);
  await page.getByRole('button', { name: '完成，送包裝' }).click();
  await shown(page.getByText('3 筆訂單可以包裝'));
  assert.deepEqual(await statusesOf('LEFT'), [
    ...['picking', 'cancelled', 'picking', 'picking', 'pending_warehouse_transfer'],
  ]);
  assertNoComplaints(watched);
});

test('chosen orders of the list become a batch, which can be ended early', async () => {
  await orderAll('CHOSEN', 2, [['CUP', 1]]);
  const { page } = await browser.open('staff', '/orders?number=CHOSEN-10');
  await page.getByRole('checkbox', { name: 'CHOSEN-10' }).check();
  const path = await claimNext(page, 'Pick together');
  await page.getByRole('button', { name: 'End early…' }).click();
  await page.getByRole('button', { name: 'End batch' }).click();
  await shown(page.getByText('Back in the queue'));
  assert.match(path, /^\/picking\/\d+$/);
  assert.deepEqual(await statusesOf('CHOSEN'), Array(2).fill('pending_warehouse_transfer'));
});

const firstLoadBytesMax = 350_000;

let heights = 700;

/** The bytes of everything that a page loads in a browser that has never seen it. Each look has a profile of its own. */
async function firstLoadBytes(path: string, look: PageLook & { width: number }, ready: string): Promise<number> {
  let bytes = 0;
  const { width, ...rest } = look;
  const viewport = { width, height: heights++ };
  const { page } = await browser.open('staff', path, { ...rest, viewport }, async (opened) => {
    const session = await opened.context().newCDPSession(opened);
    await session.send('Network.enable');
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
  });
  await shown(page.getByText(ready));
  await page.evaluate('document.fonts.ready');
  await page.waitForLoadState('load');
  return bytes;
}

test('the first load of the pages for picking is below 350 KB, fonts included', async () => {
  const [batch] = await app.store.database.read(
    (sql) => sql<{ id: number }[]>`select max(batch_id) as id from pick_batch`,
  );
  const loads: [string, PageLook & { width: number }, string][] = [
    ['/picking', { width: 375 }, 'Open batches'],
    [`/picking/${batch!.id}`, { width: 375, locale: 'zh-TW' }, '格位'],
    [`/picking/${batch!.id}`, { width: 1280, locale: 'zh-TW' }, '格位'],
  ];
  for (const [path, look, ready] of loads) {
    const bytes = await firstLoadBytes(path, look, ready);
    assert.ok(bytes > 100_000 && bytes < firstLoadBytesMax, `${path} ${JSON.stringify(look)}: ${bytes} bytes`);
  }
});

test('after all this the audit is clean', () => assertAuditClean(app));
