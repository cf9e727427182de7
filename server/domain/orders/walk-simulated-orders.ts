import type { Database } from '../../platform/postgres/database.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import type { AdvanceOrders } from './advance-orders.ts';
import type { AdvanceOrderOutcome, AdvanceOrdersRequest } from './progress.ts';
import { nextStep, type Step, simulatedShipmentNo } from './simulated-walk.ts';
import {
  claimDueWalks,
  type DueWalks,
  keepRests,
  lockWalkingOrders,
  type Rest,
  type WalkingOrder,
} from './simulated-walk-queries.ts';

/**
 * Advances due orders of an account in simulated warehouses by one step, as if the warehouse had reported it. Everything is one
 * transaction, so each step happens once, whichever worker takes it and even if one dies. Returns how many orders were
 * due.
 */
export async function walkSimulatedOrders(
  database: Database,
  advanceOrders: AdvanceOrders,
  due: DueWalks,
): Promise<number> {
  return await database.transaction([due.accountId], (tx) => walk(tx, advanceOrders, due));
}

async function walk(tx: Tx, advanceOrders: AdvanceOrders, due: DueWalks): Promise<number> {
  const orderIds = await claimDueWalks(tx, due);
  if (orderIds.length === 0) return 0;
  const orders = await lockWalkingOrders(tx, due.accountId, orderIds);

  const steps = orders.flatMap((order) => {
    const step = stepOf(order);
    return step ? [{ order, step }] : [];
  });
  const requests = requestsFor(steps);
  const { answer: outcomes, writes } = await advanceOrders.run(
    tx,
    requests.map(({ request }) => request),
  );
  const rests = new Map<number, Rest>(orderIds.map((orderId) => [orderId, { orderId, restSeconds: null, note: null }]));
  for (const [index, { taken }] of requests.entries()) {
    for (const [place, { order, step }] of taken.entries()) {
      mustHaveAdvanced(order, outcomes[index]![place]!);
      rests.set(order.orderId, { orderId: order.orderId, ...step });
    }
  }

  await Promise.all([...writes, keepRests(tx, due.accountId, [...rests.values()])]);
  return orderIds.length;
}

/**
 * null: the simulation ends here, because a person or a report has advanced the order, or its warehouse is no longer
 * simulated.
 */
function stepOf(order: WalkingOrder): Step | null {
  const { stepSeconds, shortPickPercent, delayPercent, isUat } = order;
  if (isUat || stepSeconds === null) return null;
  return nextStep(order, { stepSeconds, shortPickPercent, delayPercent });
}

interface Taken {
  order: WalkingOrder;
  step: Step;
}

/** One report per warehouse. */
function requestsFor(steps: Taken[]): { request: AdvanceOrdersRequest; taken: Taken[] }[] {
  const groups = Map.groupBy(steps, ({ order }) => order.warehouseNo);
  return [...groups.values()].map((taken) => {
    const { accountId, isUat, warehouseNo } = taken[0]!.order;
    const cause = { actor: `simulated warehouse ${warehouseNo}`, traceId: null };
    return { request: { accountId, isUat, entries: taken.map(entryFor), cause }, taken };
  });
}

/** Keeps the shipment details that a person has entered, even if another order has left with the same number. */
function entryFor({ order, step: { to } }: Taken): AdvanceOrdersRequest['entries'][number] {
  const { partnerNumber, isLogistics, expressType } = order;
  const shipment =
    to === 'shipped'
      ? {
          shipmentNo: order.shipmentNo ?? simulatedShipmentNo(order),
          carrier: order.carrier ?? expressType ?? 'simulator',
        }
      : { shipmentNo: null, carrier: null };
  return { partnerNumber, isLogistics, to, ...shipment, allowRepeat: true };
}

/**
 * The order is locked and in the state that we read, so any other outcome is a bug of ours, and nothing may be
 * committed.
 */
function mustHaveAdvanced({ orderId }: WalkingOrder, outcome: AdvanceOrderOutcome): void {
  if (outcome.kind !== 'advanced')
    throw new Error(`the simulated step of order ${orderId} was refused: ${outcome.kind}`);
}
