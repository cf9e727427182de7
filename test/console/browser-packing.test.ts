import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestApp } from '../support/app.ts';
import { provisionOperators } from '../support/console.ts';
import {
  assertAccessible,
  assertFitsWidth,
  assertNoComplaints,
  focused,
  scan,
  scanFast,
  shown,
  startConsoleBrowser,
} from '../support/console-browser.ts';
import { live } from '../support/live.ts';
import { carton, ean, provisionPacking, shipAfter, shippedText } from '../support/packing.ts';
import { order, orderRow } from '../support/warehouse.ts';

const app = await startTestApp();
await provisionOperators(app);
await provisionPacking(app);
// The seconds until an order leaves must not depend on the machine.
app.clock.set(new Date());
const browser = await startConsoleBrowser(app);
const phone = { width: 375, height: 760 };

const warned = (page: Page, text: string) => shown(page.getByRole('alert').getByText(text));
const statusOf = async (number: string) => (await orderRow(app, number))!.status;

test('with a scanner alone, an order is packed and shipped on a phone; wrong items are rejected; two devices continue', async () => {
  await order(
    app,
    'DESK-1',
    [
      ['TEA', 26],
      ['CUP', 1],
    ],
    live,
  );
  const watched = await browser.open('staff', '/pack', { viewport: phone });
  const { page } = watched;
  await focused(page, 'Scan an order');
  await scan(page, 'DESK-1');
  await focused(page, 'Scan an item of DESK-1');
  await scan(page, carton);
  await shown(page.getByText('12 × TEA packed. 15 left'));
  await scan(page, '12x');
  await shown(page.getByText('for the next scan'));
  await scan(page, ean);
  await shown(page.getByText('12 × TEA packed. 3 left'));
  await scan(page, 'POT');
  await warned(page, 'POT does not belong to this order. Not packed');
  await scan(page, carton);
  await warned(page, 'TEA: 12 are too many, 2 left. Not packed');
  await scan(page, 'NO-SUCH');
  await warned(page, 'NO-SUCH: no product or order has this code. Not packed');
  await assertFitsWidth(page);
  await assertAccessible(page);

  // Another device continues.
  const other = await browser.open('staff', '/pack');
  await focused(other.page, 'Scan an order');
  await scan(other.page, 'DESK-1');
  await shown(other.page.getByText('DESK-1: packing continues'));
  await scanFast(other.page, [ean, ean, 'CUP']);
  await shown(other.page.getByText('DESK-1 is complete and packed. Scan the shipment number'));
  assert.equal(await statusOf('DESK-1'), 'packed');
  await scan(page, 'CUP');
  await warned(page, 'CUP is complete. Not packed');
  await focused(page, 'Scan the shipment number of parcel 1');
  await scan(page, '901230160561');
  await shown(page.getByText('DESK-1 leaves in 10 s'));
  await shown(page.getByRole('button', { name: 'Undo DESK-1' }));
  await focused(page, 'Scan an order');
  assert.equal(await statusOf('DESK-1'), 'packed');
  assert.equal(await shipAfter(app, 10), shippedText(1));
  await page.getByRole('button', { name: 'Undo DESK-1' }).waitFor({ state: 'detached' });
  assert.equal(await statusOf('DESK-1'), 'shipped');
  assertNoComplaints(watched);
  assertNoComplaints(other);
});

test('a number in use or of another form is confirmed with a button, never by a second scan; undo keeps the order', async () => {
  await order(app, 'DESK-2', [['TEA', 1]], live);
  const watched = await browser.open('staff', '/pack', { viewport: phone });
  const { page } = watched;
  await focused(page, 'Scan an order');
  await scanFast(page, ['DESK-2', ean]);
  await focused(page, 'Scan the shipment number of parcel 1');
  await scan(page, 'DESK-2');
  await warned(page, 'That is the order number. Scan the number on the shipping label');
  await scan(page, '901230160561');
  await warned(page, '901230160561 is already the number of DESK-1 (LIVE, Shipped).');
  await scan(page, '901230160561');
  await warned(page, 'Confirm with the button, or scan another number');
  await scan(page, '123');
  await warned(page, '123 is not a number of T-Cat: those have 12 digits.');
  await assertAccessible(page);
  await assertFitsWidth(page);
  assert.equal(await shipAfter(app, 60), shippedText(0));
  await page.getByRole('button', { name: 'Ship anyway' }).click();
  await shown(page.getByText('DESK-2 leaves in 10 s'));
  await page.getByRole('button', { name: 'Undo DESK-2' }).click();
  await shown(page.getByText('DESK-2 stays here. Nothing was sent'));
  assert.equal(await shipAfter(app, 60), shippedText(0));
  assert.equal(await statusOf('DESK-2'), 'packed');
  assertNoComplaints(watched);
});

test('several parcels get a label each, in Chinese; a parcel is emptied after a question', async () => {
  await order(app, 'DESK-3', [['TEA', 2]], live);
  const watched = await browser.open('staff', '/pack', { viewport: phone, locale: 'zh-TW' });
  const { page } = watched;
  await focused(page, '掃描訂單');
  await scan(page, 'DESK-3');
  await scan(page, ean);
  await shown(page.getByText('已裝入 TEA 1 件，尚缺 1 件'));
  await page.getByRole('button', { name: '清空第 1 件包裹' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '清空第 1 件包裹' }).click();
  await shown(page.getByText('第 1 件包裹已清空'));
  await scan(page, ean);
  await shown(page.getByText('已裝入 TEA 1 件，尚缺 1 件'));
  await page.getByRole('button', { name: '新增包裹' }).click();
  // The scanner types although the button has had the focus.
  await scan(page, ean);
  await focused(page, '掃描第 1 件包裹的物流單號');
  await assertAccessible(page);
  await scan(page, '901230160571');
  await focused(page, '掃描第 2 件包裹的物流單號');
  await scan(page, '901230160572');
  await shown(page.getByText('DESK-3 將於 10 秒後出貨'));
  await shown(page.getByRole('button', { name: '復原 DESK-3' }));
  await assertFitsWidth(page);
  assert.equal(await shipAfter(app, 10), shippedText(1));
  const { order_id } = (await orderRow(app, 'DESK-3'))!;
  const parcels = await app.store.database.read(
    (sql) => sql`select shipment_no from parcel where order_id = ${Number(order_id)} order by parcel_no`,
  );
  assert.deepEqual(
    parcels.map(({ shipment_no }) => shipment_no),
    ['901230160571', '901230160572'],
  );
  assertNoComplaints(watched);
});
