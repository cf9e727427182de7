import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { packingOpen } from '../../contract/console/packing.ts';
import { pickingBatch } from '../../contract/console/picking.ts';
import { startTestApp } from '../support/app.ts';
import type { PageLook, WatchedPage } from '../support/browser.ts';
import { columns, provisionOperators, signIn } from '../support/console.ts';
import {
  assertNoComplaints,
  focused,
  playedTones,
  recordTones,
  scan,
  scanFast,
  shown,
  startConsoleBrowser,
} from '../support/console-browser.ts';
import { live } from '../support/live.ts';
import { lists, searchAll } from '../support/main.ts';
import { carton, ean, provisionPacking, shipAfter, shippedText } from '../support/packing.ts';
import { labelled, ordered } from '../support/picking.ts';
import { assertAuditClean } from '../support/purge.ts';
import { type Lines, receive } from '../support/warehouse.ts';
import { until } from '../support/worker.ts';

const cupEan = '4710088400014';
const failedTones = [220, 165];

const app = await startTestApp();
await provisionOperators(app);
await provisionPacking(app);
await app.provision({ accounts: [{ account_no: live.accountNo, callback_url: 'https://partner.example/callbacks' }] });
await receive(app, { ICE: [['2030-01-01', 10]] }, live);
await labelled(app, 'TEA', { location: 'A-10', ean, carton: [carton, 12] });
await labelled(app, 'CUP', { location: 'A-2', ean: cupEan });
// The seconds until an order leaves must not depend on the machine.
app.clock.set(new Date());

interface TestOrder {
  number: string;
  carrier: 'tcat' | 'hct' | 'post';
  lines: Lines;
  label: string;
}

const labelOf = { tcat: '9012301605', hct: '56001234', post: 'POST-2026-' } as const;

/** Twenty orders of three carriers, with one to three lines; the last one has a carton. In all 31 TEA, 20 CUP, 6 POT. */
const orders = Array.from({ length: 20 }, (_, index): TestOrder => {
  const [place, carrier] = [index + 1, (['tcat', 'hct', 'post'] as const)[index % 3]!];
  const lines: Lines = [
    ['TEA', place === 20 ? 12 : 1],
    ...(place % 2 === 0 ? [['CUP', 2] as [string, number]] : []),
    ...(place % 3 === 0 ? [['POT', 1] as [string, number]] : []),
  ];
  const two = String(place).padStart(2, '0');
  return { number: `WALK-${two}`, carrier, lines, label: `${labelOf[carrier]}${two}` };
});
for (const { number, lines, carrier } of orders) await ordered(app, number, lines, { express_type: carrier });

const staff = await signIn(app, 'staff');
const browser = await startConsoleBrowser(app);
const onPhone = { viewport: { width: 375, height: 740 } } as const;
const statuses = async () => (await listed()).map(({ status }) => status);
let batchId = 0;

/** The orders in the list of the main API, by number. */
async function listed() {
  const rows = await searchAll(app, lists.orders, {}, live);
  return rows.toSorted((one, other) => String(one.outbound_short_id).localeCompare(String(other.outbound_short_id)));
}

async function pickedUnits(): Promise<number> {
  const batch = await staff.ask(pickingBatch, { batch_id: batchId });
  return batch.orders.reduce((sum, { picked }) => sum + picked, 0);
}

/** Counts the print dialogs of the page and of those that it opens, and keeps them closed. */
async function prepare(page: Page): Promise<void> {
  await page.context().addInitScript('window.dialogs = 0; window.print = () => { window.dialogs++; }');
  await recordTones(page);
}

/** On a machine that stands still, a call may be rejected with 503. The page repeats it, and the scan counts once. */
function assertQuiet(watched: WatchedPage): void {
  const complaints = watched.complaints.filter((text) => !text.includes('status of 503'));
  assertNoComplaints({ ...watched, complaints });
}

test('two people claim 20 orders and pick them side by side; every scan counts once, a wrong item and a surplus unit change nothing', async () => {
  const one = await browser.open('staff', '/picking', onPhone, recordTones);
  await one.page.getByRole('button', { name: 'Next 20', exact: true }).click();
  await one.page.waitForURL(/\/picking\/\d+$/);
  batchId = Number(one.page.url().split('/').at(-1));
  const two = await browser.open('admin', `/picking/${batchId}`);
  await Promise.all([one, two].map(({ page }) => focused(page, 'Scan SKU, EAN or carton')));
  await Promise.all([one, two].map(({ page }) => shown(page.getByText('0 of 57 units'))));

  await scan(one.page, cupEan);
  await shown(one.page.getByText('CUP → slot 2: 1'));
  await scan(one.page, '2x');
  await scan(one.page, cupEan);
  await shown(one.page.getByText('CUP → slot 2: 1, slot 4: 1'));
  assert.deepEqual(await playedTones(one.page), [1320, 1320]);
  await Promise.all([
    scanFast(one.page, [...Array(9).fill(cupEan), ...Array(10).fill(ean), 'POT', 'POT']),
    scanFast(two.page, [carton, ...Array(8).fill(ean), ...Array(8).fill(cupEan), 'POT', 'POT', 'POT']),
  ]);
  await until('55 units are picked', async () => (await pickedUnits()) >= 55);

  // The service has counted a scan before its page has its response.
  const tones: number[] = [];
  await until('all 21 scans of a page have sounded', async () => tones.push(...(await playedTones(one.page))) >= 21);
  assert.deepEqual(tones, Array(21).fill(1320));
  const before = await staff.ask(pickingBatch, { batch_id: batchId });
  await scan(one.page, 'ICE');
  await shown(one.page.getByRole('alert').getByText('Wrong item: ICE is not on this list'));
  await scan(one.page, '2x');
  await scan(one.page, ean);
  await shown(one.page.getByRole('alert').getByText('Too many: 2 × TEA, but 1 still needed'));
  assert.deepEqual(await playedTones(one.page), [...failedTones, ...failedTones]);
  assert.deepEqual(await staff.ask(pickingBatch, { batch_id: batchId }), before);

  assert.equal(await pickedUnits(), 55);

  await scan(two.page, ean);
  await scan(one.page, 'POT');
  await Promise.all([one, two].map(({ page }) => shown(page.getByText('Everything is picked'))));
  await two.page.getByRole('button', { name: 'Finish: to packing' }).click();
  await shown(one.page.getByText('This batch is finished. 20 orders are ready for packing'));
  assert.deepEqual(await statuses(), Array(20).fill('picking'));
  for (const watched of [one, two]) assertQuiet(watched);
});

test('the labels of all 20 orders are printed at once', async () => {
  const watched = await browser.open('staff', '/orders?status=picking', {}, prepare);
  const { page } = watched;
  await page.getByRole('checkbox', { name: 'Select all rows shown' }).check();
  await page.getByRole('button', { name: 'Print' }).click();
  const opened = page.context().waitForEvent('page');
  await page.getByRole('menuitem', { name: 'Shipping label' }).click();
  const printed = await opened;
  await printed.locator('html[data-printed=ready]').waitFor();
  assert.equal(await printed.evaluate('window.dialogs'), 1);
  const numbers = await printed.locator('footer strong').allTextContents();
  assert.deepEqual(
    numbers.toSorted(),
    orders.map(({ number }) => number),
  );
  assertQuiet(watched);
});

let orderNos: string[] = [];
/** The number in the barcode of an order, or the text of its slot. */
const textOf = (place: number) => (place % 2 === 0 ? orderNos[place - 1]! : `${batchId}-${place}`);

/** The scans of an order's items. Twelve units of TEA are a carton, and two CUP are scanned with a multiplier. */
function itemScans({ lines }: TestOrder): string[] {
  return lines.flatMap(([sku, qty]) => {
    if (sku === 'TEA') return qty === 12 ? [carton] : [ean];
    return sku === 'CUP' ? ['2x', cupEan] : ['POT'];
  });
}

test('a wrong item, a surplus unit and a wrong number are refused at the packing table; a label is printed, a shipment undone', async () => {
  orderNos = (await listed()).map(({ orders_id }) => String(orders_id));
  const watched = await browser.open('staff', '/pack', {}, prepare);
  const { page } = watched;
  const refused = async (text: string) => {
    await shown(page.getByRole('alert').getByText(text));
    assert.deepEqual(await playedTones(page), failedTones);
  };
  const [, second, third] = orders as [TestOrder, TestOrder, TestOrder];
  await focused(page, 'Scan an order');
  await scan(page, `${batchId}-3`);
  await focused(page, `Scan an item of ${third.number}`);
  await scan(page, ean);
  await shown(page.getByText('1 × TEA packed. 1 left'));
  await playedTones(page);
  const before = await staff.ask(packingOpen, { number: third.number });
  await scan(page, cupEan);
  await refused('CUP does not belong to this order. Not packed');
  await scan(page, ean);
  await refused('TEA is complete. Not packed');
  assert.deepEqual(await staff.ask(packingOpen, { number: third.number }), before);
  await scan(page, 'POT');
  await shown(page.getByText(`${third.number} is complete and packed. Scan the shipment number`));
  assert.deepEqual((await statuses()).slice(1, 4), ['picking', 'packed', 'picking']);

  // Neither a second read of an item nor the next order is taken for the number of the parcel.
  await playedTones(page);
  await scan(page, ean);
  await refused('TEA is complete. Not packed');
  await scan(page, 'ICE');
  await refused('ICE does not belong to this order. Not packed');
  await scan(page, orderNos[1]!);
  await focused(page, `Scan an item of ${second.number}`);
  assert.equal(await shipAfter(app, 60), shippedText(0));

  await scan(page, `${batchId}-3`);
  await shown(page.getByText(`${third.number}: packing continues`));
  await page.getByRole('button', { name: 'Print' }).click();
  const opened = page.context().waitForEvent('page');
  await page.getByRole('menuitem', { name: 'Shipping label' }).click();
  const printed = await opened;
  await printed.locator('html[data-printed=ready]').waitFor();
  assert.deepEqual(await printed.locator('footer strong').allTextContents(), [third.number]);
  await shown(printed.getByText('Reprint 2'));
  await printed.close();
  // The scanner types although the menu has had the focus.
  await scan(page, third.label);
  await shown(page.getByText(`${third.number} leaves in 10 s`));

  await scanFast(page, [textOf(2), ...itemScans(second), '901230160502']);
  await shown(page.getByText('901230160502 is not a number of HCT Logistics: those have 10 digits.'));
  await page.getByRole('button', { name: 'Ship anyway' }).click();
  await shown(page.getByText(`${second.number} leaves in 10 s`));
  await page.getByRole('button', { name: `Undo ${second.number}` }).click();
  await shown(page.getByText(`${second.number} stays here. Nothing was sent`));
  await scanFast(page, [textOf(2), second.label]);
  await shown(page.getByText(`${second.number} leaves in 10 s`));
  assert.equal(await shipAfter(app, 9), shippedText(0));
  assertQuiet(watched);
});

test('18 orders are packed at two tables with a scan every 50 ms; all 20 leave once, each with its number and one callback', async () => {
  const scans = orders.map((order, index) => [textOf(index + 1), ...itemScans(order), order.label]);
  const pack = async (who: 'staff' | 'admin', look: PageLook, some: string[][], last: string) => {
    const watched = await browser.open(who, '/pack', look);
    await focused(watched.page, 'Scan an order');
    await scanFast(watched.page, some.flat());
    await shown(watched.page.getByText(`${last} leaves in 10 s`));
    assertQuiet(watched);
  };
  await Promise.all([
    pack('staff', {}, [scans[0]!, ...scans.slice(3, 11)], 'WALK-11'),
    pack('admin', onPhone, scans.slice(11), 'WALK-20'),
  ]);
  assert.deepEqual(await statuses(), Array(20).fill('packed'));
  assert.equal(await shipAfter(app, 10), shippedText(20));
  assert.equal(await shipAfter(app, 60), shippedText(0));

  const rows = await listed();
  assert.deepEqual(
    columns(rows, 'outbound_short_id', 'status', 'shipment_no'),
    orders.map(({ number, label }) => [number, 'shipped', label]),
  );
  const callbacks = await searchAll(app, lists.callbacks, {}, live);
  assert.deepEqual(
    columns(callbacks, 'document_no', 'event').toSorted(),
    orders.map(({ number }) => [number, 'order.shipped']),
  );
  await assertAuditClean(app);
});
