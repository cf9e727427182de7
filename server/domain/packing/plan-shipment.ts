import type { Clock } from '../../platform/clock.ts';
import { distinct } from '../../platform/distinct.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import type { OrderKey, OrderStatus } from '../orders/order.ts';
import type { Cause } from '../stock/movement.ts';
import { type NotWorkable, whyNotWorkable } from './packing.ts';
import { findNeeded, findPacked, lockOrderToPack } from './packing-queries.ts';
import {
  findWarnings,
  fitsParcels,
  hasNumberTwice,
  isSamePlan,
  type OtherUse,
  type PlannedParcel,
  type ShipmentWarning,
  undoSeconds,
} from './planned-shipment.ts';
import { deletePlan, findOtherUses, findPlan, writePlan } from './planned-shipment-queries.ts';

export interface ShipmentToPlan extends OrderKey {
  shipments: PlannedParcel[];
  /** The kinds of warnings that the person has seen and confirmed. */
  confirmed: ShipmentWarning['kind'][];
  /** Whether the order may also be in a warehouse that has a system of its own. */
  inAnyWarehouse: boolean;
  cause: Cause;
}

export type PlanOutcome =
  /** Also if the same shipment was planned before. */
  | { kind: 'planned'; dueAt: Date }
  | { kind: 'confirm'; warnings: ShipmentWarning[] }
  | { kind: 'not_workable'; why: NotWorkable }
  /** Another shipment of the order is planned. */
  | { kind: 'other_plan' }
  /** The labels do not fit the parcels: another device has packed or emptied one. */
  | { kind: 'parcels_changed' }
  /** Two parcels have the same number. */
  | { kind: 'number_twice' }
  | { kind: 'not_found' };

/**
 * Plans shipments, one after the other. Nothing is shipped or sent until they are due. Uses of a number are looked up
 * before the locks, as a warning; the shipment itself refuses a number that was used meanwhile. `together`: the labels of
 * orders that are planned in the same request, so that two of them with the same number both need a confirmation.
 */
export async function planShipments(
  { database, clock }: { database: Database; clock: Clock },
  asked: ShipmentToPlan[],
  together: OtherUse[] = [],
): Promise<PlanOutcome[]> {
  const numbers = distinct(asked.flatMap(({ shipments }) => shipments.map(({ shipmentNo }) => shipmentNo)));
  const known = await database.read(noAccounts, (sql) => findOtherUses(sql, numbers));
  const isTogether = new Set(together.map(({ orderId }) => orderId));
  const uses = [...known.filter(({ orderId }) => !isTogether.has(orderId)), ...together];
  const outcomes: PlanOutcome[] = [];
  for (const one of asked)
    outcomes.push(await database.transaction([one.accountId], (tx) => plan(tx, one, uses, clock.now())));
  return outcomes;
}

async function plan(tx: Tx, asked: ShipmentToPlan, uses: OtherUse[], now: Date): Promise<PlanOutcome> {
  if (hasNumberTwice(asked.shipments)) return { kind: 'number_twice' };
  const order = await lockOrderToPack(tx, asked);
  if (!order) return { kind: 'not_found' };
  const known = await findPlan(tx, asked);
  if (known?.refusal === null)
    return isSamePlan(known.shipments, asked.shipments)
      ? { kind: 'planned', dueAt: known.dueAt }
      : { kind: 'other_plan' };
  const why = whyNotWorkable({ ...order, isManual: order.isManual || asked.inAnyWarehouse });
  if (why) return { kind: 'not_workable', why };
  const [needed, packed] = await Promise.all([findNeeded(tx, order), findPacked(tx, order)]);
  if (!fitsParcels(asked.shipments, packed)) return { kind: 'parcels_changed' };
  const warnings = findWarnings(order, { needed, packed }, asked.shipments, uses);
  if (warnings.some(({ kind }) => !asked.confirmed.includes(kind))) return { kind: 'confirm', warnings };

  const { accountId, orderId, shipments, cause } = asked;
  const dueAt = new Date(now.getTime() + undoSeconds * 1000);
  const [allowRepeat, isFinal] = (['repeated', 'short'] as const).map((kind) =>
    warnings.some((warning) => warning.kind === kind),
  ) as [boolean, boolean];
  await writePlan(tx, { accountId, orderId, shipments, allowRepeat, isFinal, dueAt }, cause);
  return { kind: 'planned', dueAt };
}

export type UndoOutcome =
  /** Also if there was no plan: a repeat finds none. */
  { kind: 'undone' } | { kind: 'too_late'; status: OrderStatus } | { kind: 'not_found' };

/** Removes a planned shipment. A job that is shipping the order at this moment decides first. */
export async function undoShipment(database: Database, order: OrderKey): Promise<UndoOutcome> {
  return await database.transaction([order.accountId], async (tx) => {
    const wasPlanned = await deletePlan(tx, order);
    if (wasPlanned) return { kind: 'undone' };
    const found = await lockOrderToPack(tx, order);
    if (!found) return { kind: 'not_found' };
    return whyNotWorkable(found) === 'shipped' ? { kind: 'too_late', status: found.status } : { kind: 'undone' };
  });
}
