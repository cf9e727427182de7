import { createHash } from 'node:crypto';
import type { OrderStatus } from './order.ts';

/** What a simulated warehouse is like. */
export interface SimulatedWarehouse {
  stepSeconds: number;
  /** How many orders of a hundred miss a unit while they are picked. */
  shortPickPercent: number;
  /** How many orders of a hundred lie about for a while. */
  delayPercent: number;
}

/** An order takes its next step, and then rests; null where its walk is over. */
export interface Step {
  to: 'picking' | 'packed' | 'shipped';
  restSeconds: number | null;
  /** What is the matter with the order while it rests. */
  note: string | null;
}

const nextStates = { in_warehouse: 'picking', picking: 'packed', packed: 'shipped' } as const satisfies Partial<
  Record<OrderStatus, Step['to']>
>;
/** How many steps long a missing unit is looked for, beside the step that picking takes anyway. */
const lookingSteps = 3;
const delayedTimes = 3;

/** How an order goes on from where it is; null where there is nowhere to go. What goes wrong follows from its id, so a repeat decides the same. */
export function nextStep({ orderId, status }: { orderId: number; status: OrderStatus }, warehouse: SimulatedWarehouse): Step | null {
  const to = (nextStates as Partial<Record<OrderStatus, Step['to']>>)[status];
  if (to === undefined) return null;
  if (to === 'shipped') return { to, restSeconds: null, note: null };

  const misses = to === 'picking' && draw('short pick', orderId) < warehouse.shortPickPercent;
  const delayedAt = draw('place of the delay', orderId) < 50 ? 'picking' : 'packed';
  const isDelayed = to === delayedAt && draw('delay', orderId) < warehouse.delayPercent;
  const notes = [
    ...(misses ? ['short pick: a unit is missing and is being looked for'] : []),
    ...(isDelayed ? [`delay: this step takes ${delayedTimes} times as long`] : []),
  ];
  return {
    to,
    restSeconds: warehouse.stepSeconds * (misses ? 1 + lookingSteps : 1) * (isDelayed ? delayedTimes : 1),
    note: notes.length > 0 ? notes.join('; ') : null,
  };
}

/** 0 to 99, the same for an order whenever it is drawn. */
function draw(what: string, orderId: number): number {
  return createHash('sha256').update(`${what} ${orderId}`).digest().readUInt32BE() % 100;
}

/** Nobody carries it, so it must not look like a number that somebody could follow. */
export function simulatedShipmentNo({ warehouseNo, orderId }: { warehouseNo: number; orderId: number }): string {
  return `SIM-${warehouseNo}-${orderId.toString(36)}`;
}
