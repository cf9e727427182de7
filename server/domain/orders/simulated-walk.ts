import { createHash } from 'node:crypto';
import type { OrderStatus } from './order.ts';

/** The settings of a simulated warehouse. */
export interface SimulatedWarehouse {
  stepSeconds: number;
  /** Percentage of orders in which a unit is missing when they are picked. */
  shortPickPercent: number;
  /** Percentage of orders that are delayed. */
  delayPercent: number;
}

/** An order takes its next step and then rests; null if that was the last step. */
export interface Step {
  to: 'picking' | 'packed' | 'shipped';
  restSeconds: number | null;
  /** The problem of the order while it rests. */
  note: string | null;
}

const nextStates = { in_warehouse: 'picking', picking: 'packed', packed: 'shipped' } as const satisfies Partial<
  Record<OrderStatus, Step['to']>
>;
/** How many additional steps the search for a missing unit takes. */
const lookingSteps = 3;
const delayedTimes = 3;

/**
 * The next step of an order; null if there is none. Problems are derived from the order's id, so that a repeat decides
 * the same.
 */
export function nextStep(
  { orderId, status }: { orderId: number; status: OrderStatus },
  warehouse: SimulatedWarehouse,
): Step | null {
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

/** 0 to 99, always the same for the same order. */
function draw(what: string, orderId: number): number {
  return createHash('sha256').update(`${what} ${orderId}`).digest().readUInt32BE() % 100;
}

/** No carrier knows this number, so it must not look like one that can be tracked. */
export function simulatedShipmentNo({ warehouseNo, orderId }: { warehouseNo: number; orderId: number }): string {
  return `SIM-${warehouseNo}-${orderId.toString(36)}`;
}
