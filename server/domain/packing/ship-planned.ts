import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { isUniqueViolation } from '../../platform/postgres/errors.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import type { FormatCallback } from '../callbacks/callback.ts';
import { type AdvanceOrders, makeAdvanceOrders } from '../orders/advance-orders.ts';
import type { OrderKey } from '../orders/order.ts';
import type { ReportedProgress } from '../orders/progress.ts';
import { findShortPicks, type ShortPick } from '../picking/pick-queries.ts';
import { inFoundLots, type OrderToPack, type PackedUnits, whyNotWorkable } from './packing.ts';
import { findPacked, lockOrderToPack } from './packing-queries.ts';
import { fitsParcels } from './planned-shipment.ts';
import { deletePlan, findDuePlans, lockDuePlan, type PlannedShipment, refusePlan } from './planned-shipment-queries.ts';

interface Parts {
  database: Database;
  clock: Clock;
  formatCallback: FormatCallback;
}

const plansAtOnce = 100;

/**
 * Ships the orders whose time to undo has passed. Any number of nodes may run it side by side: the order and its plan
 * are locked, and the plan is deleted in the transaction that ships the order. A plan that cannot be shipped stays with
 * the reason, for a person to see.
 */
export async function shipPlanned(parts: Parts, stopping: AbortSignal): Promise<{ shipped: number; refused: number }> {
  const { database, clock } = parts;
  const advanceOrders = makeAdvanceOrders(parts);
  const now = clock.now();
  const count = { shipped: 0, refused: 0 };
  const failures: unknown[] = [];
  for (const due of await database.read(noAccounts, (sql) => findDuePlans(sql, now, plansAtOnce))) {
    if (stopping.aborted) return count;
    try {
      const kind = await database.transaction([due.accountId], (tx) => ship(tx, advanceOrders, due, now));
      if (kind !== 'gone') count[kind]++;
    } catch (error) {
      // Another order has just left with the same number; the next run sees it. Other failures must not block the rest.
      if (!isUniqueViolation(error)) failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return count;
}

async function ship(
  tx: Tx,
  advanceOrders: AdvanceOrders,
  due: OrderKey,
  now: Date,
): Promise<'shipped' | 'refused' | 'gone'> {
  const order = await lockOrderToPack(tx, due);
  const plan = await lockDuePlan(tx, due, now);
  if (!order || !plan) return 'gone';
  const packed = await findPacked(tx, due);

  const why = refusalOf(order, plan, packed);
  if (why !== null) {
    await refusePlan(tx, due, why);
    return 'refused';
  }
  const request = {
    accountId: due.accountId,
    isUat: order.isUat,
    entries: [reportOf(order, plan, packed, await findShortPicks(tx, [due]))],
    cause: { actor: plan.plannedBy, traceId: plan.traceId },
  };
  const { answer, writes } = await advanceOrders.run(tx, [request]);
  const outcome = answer[0]![0]!;
  const isShipped = outcome.kind === 'advanced';
  await Promise.all([...writes, isShipped ? deletePlan(tx, due) : refusePlan(tx, due, outcome.kind)]);
  return isShipped ? 'shipped' : 'refused';
}

/** The order may have been held, cancelled or shipped by another report since. The plan has decided on its warehouse. */
function refusalOf(order: OrderToPack, plan: PlannedShipment, packed: PackedUnits[]): string | null {
  return (
    whyNotWorkable({ ...order, isPlanned: false, isManual: true }) ??
    (fitsParcels(plan.shipments, packed) ? null : ('parcels_changed' as const))
  );
}

/**
 * One report for all parcels. Without scanned units, the single parcel has everything that the order holds. If staff
 * did not find all units, it leaves with those that they found, of the lots where they found them, and no more follow.
 */
function reportOf(
  { partnerNumber, isLogistics }: OrderToPack,
  { shipments, isFinal, allowRepeat }: PlannedShipment,
  packed: PackedUnits[],
  shortPicks: ShortPick[],
): ReportedProgress {
  const report = { partnerNumber, isLogistics, to: 'shipped' as const, allowRepeat };
  if (packed.length === 0 && shortPicks.length === 0) return { ...report, isFinal, ...shipments[0]! };
  const found = shortPicks.map(({ skuId, lotId, qty }) => ({ skuId, lotId, qty }));
  const units = packed.length === 0 ? found.map((one) => ({ ...one, parcelNo: 1 })) : inFoundLots(packed, found);
  const parcels = shipments.map(({ parcelNo, shipmentNo, carrier }) => ({
    shipmentNo,
    carrier,
    items: units
      .filter((one) => one.parcelNo === parcelNo)
      .map(({ skuId, lotId, qty }) => ({ skuId, qty, batchId: null, expireDate: null, ...(lotId && { lotId }) })),
  }));
  return { ...report, isFinal: isFinal || shortPicks.length > 0, shipmentNo: null, carrier: null, parcels };
}
