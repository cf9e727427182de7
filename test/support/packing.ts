import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { orderShip, shipmentWarningKinds } from '../../contract/console/packing.ts';
import { formatMessage } from '../../messages/format-message.ts';
import { formatCallback } from '../../server/api/logistics/format-callback.ts';
import { shipPlannedJob } from '../../server/jobs/ship-planned-job.ts';
import type { Database } from '../../server/platform/postgres/database.ts';
import type { TestApp } from './app.ts';
import type { ConsoleUser } from './console.ts';
import { live, provisionLive } from './live.ts';
import { retvalOf } from './main.ts';
import { orderRow, receive } from './warehouse.ts';

export const ean = '4710088412345';
export const carton = '14710088412342';

/** A production account in a warehouse without a system: TEA with a barcode and a carton code, CUP without. */
export async function provisionPacking(app: TestApp): Promise<void> {
  await provisionLive(app);
  await app.provision({ warehouses: [{ warehouse_no: 1, name: '桃園', connector: { type: 'manual' } }] });
  await receive(
    app,
    { TEA: [['2030-01-01', 10_000]], CUP: [['2030-01-01', 10_000]], POT: [['2030-01-01', 100]] },
    live,
  );
  const products = [{ sku_id: 'TEA', codes: [{ code: ean }, { code: carton, units: 12 }] }];
  retvalOf(await app.callMain('/products/update', { products }, { as: live }));
}

export async function orderIdOf(app: TestApp, number: string): Promise<number> {
  return Number((await orderRow(app, number))!.order_id);
}

/** The body of a scan with an id of its own. */
export function scanOf(order_id: number, code: string, other: { parcel_no?: number; times?: number } = {}) {
  return { order_id, code, scan_id: randomUUID(), parcel_no: 1, times: 1, ...other };
}

/** Runs the job as if so many seconds had passed on the clock of the app. */
export async function shipAfter(
  app: TestApp,
  seconds: number,
  database: Database = app.store.service,
): Promise<string> {
  const { config, metrics } = app;
  const { keyring } = app.store;
  const stopping = new AbortController().signal;
  const nowMs = app.clock.now().getTime() + seconds * 1000;
  const clock = { now: () => new Date(nowMs) };
  return formatMessage(
    await shipPlannedJob.run({ database, keyring, clock, config, metrics, stopping, formatCallback }),
  );
}

/** Ships orders from the console at once: confirms everything, and lets the time to undo pass. */
export async function shipNow(app: TestApp, staff: ConsoleUser, orders: { order_id: number; shipment_no: string }[]) {
  const confirmed = shipmentWarningKinds.filter((kind) => kind !== 'repeated');
  const { results } = await staff.ask(orderShip, { orders: orders.map((one) => ({ ...one, confirmed })) });
  assert.deepEqual(
    results.map(({ kind }) => kind),
    orders.map(() => 'planned'),
  );
  assert.equal(await shipAfter(app, 10), shippedText(orders.length));
}

export const shippedText = (count: number, refused = 0) =>
  `shipped ${count} orders that could no longer be undone; ${refused} could not be shipped`;
