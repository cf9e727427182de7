import type { Database, Tx } from '../../platform/database.ts';
import type { AdvanceOrderOutcome, AdvanceOrders, AdvanceOrdersRequest } from './advance-orders.ts';
import { nextStep, type Step, simulatedShipmentNo } from './simulated-walk.ts';
import { claimDueWalks, keepRests, lockWalkingOrders, type Rest, type WalkingOrder } from './simulated-walk-queries.ts';

export interface Due {
  max: number;
  /** Nobody but these. */
  only?: number[];
}

/**
 * Orders in simulated warehouses that are due take their next step, as if the warehouse had reported it. All of it is one transaction, so
 * each step is taken once, whoever takes it and whenever they die. Returns how many were due.
 */
export async function walkSimulatedOrders(database: Database, advanceOrders: AdvanceOrders, due: Due): Promise<number> {
  return await database.transaction((tx) => walk(tx, advanceOrders, due));
}

async function walk(tx: Tx, advanceOrders: AdvanceOrders, due: Due): Promise<number> {
  const orderIds = await claimDueWalks(tx, due);
  if (orderIds.length === 0) return 0;
  const orders = await lockWalkingOrders(tx, orderIds);

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

  await Promise.all([...writes, keepRests(tx, [...rests.values()])]);
  return orderIds.length;
}

/** null: the walk ends here, because a person or a report has taken the order further, or nobody simulates its warehouse any more. */
function stepOf(order: WalkingOrder): Step | null {
  const { stepSeconds, shortPickPercent, delayPercent, isUat } = order;
  if (isUat || stepSeconds === null) return null;
  return nextStep(order, { stepSeconds, shortPickPercent, delayPercent });
}

interface Taken {
  order: WalkingOrder;
  step: Step;
}

/** A report for each warehouse and account. */
function requestsFor(steps: Taken[]): { request: AdvanceOrdersRequest; taken: Taken[] }[] {
  const groups = Map.groupBy(steps, ({ order }) => `${order.accountId}/${order.warehouseNo}`);
  return [...groups.values()].map((taken) => {
    const { accountId, isUat, warehouseNo } = taken[0]!.order;
    const cause = { actor: `simulated warehouse ${warehouseNo}`, traceId: null };
    return { request: { accountId, isUat, entries: taken.map(entryFor), cause }, taken };
  });
}

/** What a person has said of the shipment is kept. */
function entryFor({ order, step: { to } }: Taken): AdvanceOrdersRequest['entries'][number] {
  const { partnerNumber, isLogistics, expressType } = order;
  const shipment =
    to === 'shipped'
      ? { shipmentNo: order.shipmentNo ?? simulatedShipmentNo(order), carrier: order.carrier ?? expressType ?? 'simulator' }
      : { shipmentNo: null, carrier: null };
  return { partnerNumber, isLogistics, to, ...shipment };
}

/** It is locked and where we have seen it, so anything else is a mistake of ours: then none of this may be kept. */
function mustHaveAdvanced({ orderId }: WalkingOrder, outcome: AdvanceOrderOutcome): void {
  if (outcome.kind !== 'advanced') throw new Error(`the simulated step of order ${orderId} was refused: ${outcome.kind}`);
}
