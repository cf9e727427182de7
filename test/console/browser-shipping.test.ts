import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { provisionOperators } from '../support/console.ts';
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
import { live } from '../support/live.ts';
import { provisionPacking, shipAfter, shippedText } from '../support/packing.ts';
import { order, orderRow } from '../support/warehouse.ts';

const app = await startTestApp();
await provisionOperators(app);
await provisionPacking(app);
// The seconds until an order leaves must not depend on the machine.
app.clock.set(new Date());
const browser = await startConsoleBrowser(app);

/** The status of an order and its shipment number, if it has one. */
async function statusOf(number: string): Promise<string> {
  const { status, shipment_no } = (await orderRow(app, number))!;
  return [status, shipment_no].filter(Boolean).join(' ');
}

async function advance(number: string, report: object): Promise<void> {
  await app.callMain('/fulfilment/advance', { orders: [{ outbound_short_id: number, ...report }] }, { as: live });
}

test('an order page asks about warnings, ships after ten seconds, and shows meanwhile that the order is about to leave', async () => {
  for (const number of ['SAME-1', 'SAME-2', 'SAME-3']) await order(app, number, [['TEA', 1]], live);
  await advance('SAME-1', { status: 'shipped', shipment_no: 'P-1' });
  for (const number of ['SAME-2', 'SAME-3']) await advance(number, { status: 'packed' });
  const watched = await browser.open('staff', `/orders/${(await orderRow(app, 'SAME-2'))!.order_id}`);
  const { page } = watched;
  const isUsed = 'P-1 is already the number of SAME-1 (LIVE, Shipped).';
  await page.getByRole('button', { name: 'Ship', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Ship order SAME-2?' });
  const field = dialog.getByRole('textbox', { name: 'Shipment no. of SAME-2' });
  await field.fill('P-1');
  await dialog.getByRole('textbox', { name: 'Carrier' }).fill('post');
  await dialog.getByRole('button', { name: 'Ship order SAME-2' }).click();
  await shown(dialog.getByRole('alert').getByText(isUsed));
  await assertAccessible(page);
  // A change of the number withdraws the confirmation.
  await field.fill('P-2');
  await shown(dialog.getByRole('button', { name: 'Ship order SAME-2' }));
  await field.fill('P-1');
  await dialog.getByRole('button', { name: 'Ship order SAME-2' }).click();
  await dialog.getByRole('button', { name: 'Ship anyway' }).click();
  await shown(page.getByRole('button', { name: 'Undo SAME-2' }));
  await shown(page.getByText('About to leave').first());
  assert.equal(await page.getByRole('button', { name: 'Ship', exact: true }).count(), 0);
  assert.equal(await statusOf('SAME-2'), 'packed');
  assert.equal(await shipAfter(app, 10), shippedText(1));
  await page.getByRole('button', { name: 'Undo SAME-2' }).waitFor({ state: 'detached' });
  assert.equal(await statusOf('SAME-2'), 'shipped P-1');

  await page.goto(`${browser.ownUrl}/console/pick?mode=ship`);
  await page.setViewportSize(phone);
  await focused(page, 'Order number');
  await scan(page, 'SAME-3');
  await focused(page, 'Shipment number of SAME-3');
  await scan(page, 'P-1');
  const others = 'P-1 is already the number of SAME-2 (LIVE, Shipped), SAME-1 (LIVE, Shipped).';
  await shown(page.getByRole('alert').getByText(others));
  await focused(page, 'Shipment number of SAME-3');
  // A scanner that reads the label twice does not confirm.
  await scan(page, 'P-1');
  await shown(page.getByRole('button', { name: 'Ship anyway' }));
  assert.equal(await shipAfter(app, 60), shippedText(0));
  await page.getByRole('button', { name: 'Ship anyway' }).click();
  await shown(page.getByText('SAME-3: Leaves in 10 s'));
  await shown(page.getByRole('button', { name: 'Undo SAME-3' }));
  await assertFitsWidth(page);
  await page.getByRole('button', { name: 'Undo SAME-3' }).click();
  await shown(page.getByText('SAME-3 stays here. Nothing was sent'));
  assert.deepEqual([await shipAfter(app, 60), await statusOf('SAME-3')], [shippedText(0), 'packed']);
  assertNoComplaints(watched);
});

test('selected orders are shipped after a question about their warnings; one button undoes all, and a refusal is shown later', async () => {
  for (const number of ['BULK-1', 'BULK-2', 'BULK-3']) await order(app, number, [['TEA', 1]], live);
  for (const number of ['BULK-1', 'BULK-2']) await advance(number, { status: 'packed' });
  const watched = await browser.open('staff', '/orders');
  const { page } = watched;
  const shipAll = async (numbers: string[]) => {
    for (const number of numbers) await page.getByRole('checkbox', { name: `Select ${number}` }).check();
    await page.getByRole('button', { name: `Ship (${numbers.length})` }).click();
    const dialog = page.getByRole('dialog', { name: /^Ship / });
    for (const [index, number] of numbers.entries())
      await dialog.getByRole('textbox', { name: `Shipment no. of ${number}` }).fill(`90123016060${index}`);
    await dialog.getByRole('button', { name: /^Ship / }).click();
    return dialog;
  };
  const asked = await shipAll(['BULK-1', 'BULK-2', 'BULK-3']);
  await shown(asked.getByRole('alert').getByText('BULK-3 The order is not packed: To be transferred.'));
  assert.equal(await asked.getByRole('textbox', { name: 'Shipment no. of BULK-1' }).count(), 0);
  await assertAccessible(page);
  await asked.getByRole('button', { name: 'Ship anyway' }).click();
  await asked.waitFor({ state: 'detached' });
  await shown(page.getByRole('row', { name: /BULK-3/ }).getByText('About to leave'));
  await page.getByRole('button', { name: 'Undo 3 orders' }).click();
  await shown(page.getByText('3 orders stay here. Nothing was sent'));
  await page.getByRole('button', { name: 'Undo BULK-1' }).waitFor({ state: 'detached' });
  assert.equal(await shipAfter(app, 60), shippedText(0));
  assert.deepEqual(await Promise.all(['BULK-1', 'BULK-2', 'BULK-3'].map(statusOf)), [
    'packed',
    'packed',
    'pending_warehouse_transfer',
  ]);

  // Another system ships an order with the same number meanwhile.
  const again = await shipAll(['BULK-1', 'BULK-2']);
  await again.waitFor({ state: 'detached' });
  await advance('BULK-3', { status: 'shipped', shipment_no: '901230160600' });
  assert.equal(await shipAfter(app, 10), shippedText(1, 1));
  await shown(page.getByText('Another order has left with this number'));
  assert.equal(await statusOf('BULK-2'), 'shipped 901230160601');
  await page.getByRole('button', { name: 'Remove BULK-1' }).click();
  await page.getByRole('button', { name: 'Remove BULK-1' }).waitFor({ state: 'detached' });
  assertNoComplaints(watched);
});
