import { taipeiDay } from '../../platform/clock.ts';
import { type CutOff, dueDay } from './cut-off.ts';

export const orderCountNames = [
  'created',
  'shipped',
  'short',
  'delivered',
  'undelivered',
  'cancelled',
  'due',
  'on_time',
  'open',
] as const;
export type OrderCounts = Record<(typeof orderCountNames)[number], number>;

export const noOrders: OrderCounts = {
  ...{ created: 0, shipped: 0, short: 0, delivered: 0, undelivered: 0, cancelled: 0 },
  ...{ due: 0, on_time: 0, open: 0 },
};

/** What is counted of an order; all days are those of Taipei. */
export interface CountedOrder {
  orderId: number;
  warehouseNo: number;
  carrier: string;
  createdOn: string;
  dueOn: string | null;
  shippedOn: string | null;
  endedOn: string | null;
  ended: 'delivered' | 'undelivered' | 'cancelled' | null;
  isShort: boolean;
}

/** An order as it is, and when its state changed. */
export interface ChangedOrder {
  orderId: number;
  warehouseNo: number;
  carrier: string;
  isProduction: boolean;
  createdAt: Date;
  shippedAt: Date | null;
  deliveredAt: Date | null;
  undeliveredAt: Date | null;
  cancelledAt: Date | null;
  isShort: boolean;
}

/** Orders of UAT accounts are never shipped, so they are never due. An order keeps the day that it had to be shipped. */
export function countedAs(
  order: ChangedOrder,
  before: CountedOrder | null,
  cutOffOf: ReadonlyMap<number, CutOff>,
): CountedOrder {
  const { orderId, warehouseNo, carrier, isShort } = order;
  const cutOff = order.isProduction ? cutOffOf.get(warehouseNo) : undefined;
  const ends = [
    ['delivered', order.deliveredAt],
    ['undelivered', order.undeliveredAt],
    ['cancelled', order.cancelledAt],
  ] as const;
  const [ended, endedAt] = ends.find(([, at]) => at !== null) ?? [null, null];
  return {
    ...{ orderId, warehouseNo, carrier, isShort, ended },
    createdOn: taipeiDay(order.createdAt),
    dueOn: before?.dueOn ?? (cutOff === undefined ? null : dueDay(order.createdAt, cutOff)),
    shippedOn: order.shippedAt && taipeiDay(order.shippedAt),
    endedOn: endedAt && taipeiDay(endedAt),
  };
}

/** Counts of a day, warehouse and carrier; negative ones are taken back. */
export interface DayCounts extends OrderCounts {
  day: string;
  warehouseNo: number;
  carrier: string;
}

/** The difference that these orders make, in the order of day, warehouse and carrier. Days before the first are left out. */
export function dayChanges(
  changes: readonly { before: CountedOrder | null; after: CountedOrder | null }[],
  firstDay: string,
): DayCounts[] {
  const sums = new Map<string, DayCounts>();
  const add = (order: CountedOrder, sign: 1 | -1) => {
    const { warehouseNo, carrier } = order;
    for (const [day, name] of eventsOf(order)) {
      if (day < firstDay) continue;
      const key = JSON.stringify([day, warehouseNo, carrier]);
      const sum = sums.get(key) ?? { day, warehouseNo, carrier, ...noOrders };
      sum[name] += sign;
      sums.set(key, sum);
    }
  };
  for (const { before, after } of changes) {
    if (before !== null) add(before, -1);
    if (after !== null) add(after, 1);
  }
  return [...sums]
    .filter(([, sum]) => orderCountNames.some((name) => sum[name] !== 0))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, sum]) => sum);
}

function eventsOf(order: CountedOrder): [day: string, name: keyof OrderCounts][] {
  const { createdOn, dueOn, shippedOn, endedOn, ended, isShort } = order;
  const events: [string, keyof OrderCounts][] = [[createdOn, 'created']];
  if (shippedOn === null && ended === null) events.push([createdOn, 'open']);
  if (shippedOn !== null) events.push([shippedOn, 'shipped']);
  if (shippedOn !== null && isShort) events.push([shippedOn, 'short']);
  if (ended !== null) events.push([endedOn!, ended]);
  if (dueOn !== null && ended !== 'cancelled') {
    events.push([dueOn, 'due']);
    if (shippedOn !== null && shippedOn <= dueOn) events.push([dueOn, 'on_time']);
  }
  return events;
}
