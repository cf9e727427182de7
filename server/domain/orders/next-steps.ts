import type { Sql } from '../../platform/postgres/sql.ts';
import { sellableFrom } from '../partners/tenant.ts';
import { arrangeLots } from '../stock/arrange-lots.ts';
import type { Lot } from '../stock/lot.ts';
import { planAllocation } from '../stock/plan-allocation.ts';
import { explainedMax } from './explain-lots.ts';
import {
  type ComingUnits,
  countQueue,
  findComingUnits,
  findQueue,
  findWaitingLines,
  type NamedWaitingLine,
  type QueuedOrder,
  unitsBefore,
} from './next-step-queries.ts';
import type { OrderKey } from './order.ts';
import { findLotsSince } from './order-detail-queries.ts';

/** A product that an order waits for. */
export interface AwaitedProduct {
  productId: number;
  skuId: string;
  productName: string;
  ordered: number;
  /** The units that the order could get if no older order waited. */
  available: number;
  missing: number;
  /** The units that older orders wait for; they come first. */
  wantedBefore: number;
}

/** Everything that an order waits for, and the orders that wait for the same. */
export interface Awaited {
  products: AwaitedProduct[];
  coming: (ComingUnits & { skuId: string })[];
  hasMoreComing: boolean;
  /** Other orders, counted up to one more than `queueMax`. */
  before: number;
  after: number;
  /** The first orders of the queue, the oldest first. */
  ahead: QueuedOrder[];
  behind: QueuedOrder[];
}

export const comingShownMax = 20;
export const queueShownMax = 10;

/** null: the order does not wait for stock. */
export async function readAwaited(sql: Sql, key: OrderKey, now: Date): Promise<Awaited | null> {
  const lines = await findWaitingLines(sql, key);
  const [first] = lines;
  if (!first) return null;
  const { accountId, orderId } = key;
  const productIds = [...new Set(lines.map(({ productId }) => productId))];
  const shelves = { accountId, productIds, warehouseNo: first.warehouseNo };

  const [lots, wanted, coming, before, after, ahead, behind] = await Promise.all([
    findLotsSince(sql, { ...shelves, movementId: null }, explainedMax),
    unitsBefore(sql, shelves, orderId),
    findComingUnits(sql, shelves, comingShownMax + 1),
    countQueue(sql, shelves, orderId, 'before'),
    countQueue(sql, shelves, orderId, 'after'),
    findQueue(sql, shelves, orderId, 'before', queueShownMax),
    findQueue(sql, shelves, orderId, 'after', queueShownMax),
  ]);
  const skuOf = new Map(lines.map(({ productId, skuId }) => [productId, skuId]));
  const wantedBefore = new Map(wanted.map(({ productId, units }) => [productId, units]));
  return {
    products: awaitedProducts(lines, lots, wantedBefore, now),
    coming: coming.slice(0, comingShownMax).map((units) => ({ ...units, skuId: skuOf.get(units.productId)! })),
    hasMoreComing: coming.length > comingShownMax,
    before,
    after,
    ahead,
    behind,
  };
}

/** Each product once, in the order of the lines. */
export function awaitedProducts(
  lines: NamedWaitingLine[],
  lots: Lot[],
  wantedBefore: Map<number, number>,
  now: Date,
): AwaitedProduct[] {
  const from = sellableFrom(lines[0]!, now);
  const plan = planAllocation(arrangeLots(lots), lines, from);
  const shortages = plan.kind === 'short' ? plan.shortages : [];
  return [...Map.groupBy(lines, ({ productId }) => productId)].map(([productId, those]) => {
    const ordered = those.reduce((sum, { qty }) => sum + qty, 0);
    const missing = shortages
      .filter((shortage) => shortage.productId === productId)
      .reduce((sum, { requested, available }) => sum + requested - available, 0);
    const { skuId, productName } = those[0]!;
    const available = ordered - missing;
    return {
      productId,
      skuId,
      productName,
      ordered,
      available,
      missing,
      wantedBefore: wantedBefore.get(productId) ?? 0,
    };
  });
}
