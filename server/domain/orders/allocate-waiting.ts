import type { Database } from '../../platform/postgres/database.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import { sellableFrom } from '../partners/tenant.ts';
import { arrangeLots } from '../stock/arrange-lots.ts';
import { freeOf } from '../stock/lot.ts';
import type { Cause, Movement } from '../stock/movement.ts';
import { lockSellableLots, recordMovements } from '../stock/stock-queries.ts';
import { moveOrders } from './order-queries.ts';
import { keepForAll, planWaiting, type Served, type Waiting } from './plan-waiting.ts';
import { deleteWaitingLines } from './shipping-order-queries.ts';
import {
  lockWaiting,
  lockWaitingOrders,
  type WaitedFor,
  type WaitingLine,
  waitingLinesBetween,
  waitingLinesOf,
  wantedBefore,
} from './waiting-queries.ts';

const ordersMax = 500;
const linesMax = 20_000;
const cause: Cause = { actor: 'waiting orders', traceId: null };

/**
 * Allocates available units of a product to the orders that wait for it, oldest first. Returns how many orders are
 * complete now.
 */
export async function allocateWaiting(database: Database, place: WaitedFor, now: Date): Promise<number> {
  let count = 0;
  let beyondOrderId: number | null = 0;
  while (beyondOrderId !== null) {
    const from: number = beyondOrderId;
    const turn = await database.transaction([place.accountId], (tx) => serveOldest(tx, place, from, now));
    count += turn.served;
    beyondOrderId = turn.goOnBeyond;
  }
  return count;
}

async function serveOldest(
  tx: Tx,
  place: WaitedFor,
  beyondOrderId: number,
  now: Date,
): Promise<{ served: number; goOnBeyond: number | null }> {
  const { accountId, warehouseNo } = place;
  await lockWaiting(tx, place);
  const orderIds = await lockWaitingOrders(tx, place, beyondOrderId, ordersMax);
  const [oldest, newest] = [orderIds[0], orderIds.at(-1)];
  if (oldest === undefined || newest === undefined) return { served: 0, goOnBeyond: null };

  const own = await waitingLinesOf(tx, accountId, orderIds);
  const productIds = [...new Set(own.map((line) => line.productId))];
  const shelves = { accountId, productIds, warehouseNo };
  const atSamePlaces = await waitingLinesBetween(tx, shelves, { from: oldest, to: newest }, linesMax);
  const older = await wantedBefore(tx, shelves, oldest);
  const lots = await lockSellableLots(
    tx,
    productIds.map((productId) => ({ accountId, productId, warehouseNo })),
  );

  const arranged = arrangeLots(lots);
  keepForAll(older, arranged, now);
  const { waiting, upToOrderId } = inLine(orderIds, own, atSamePlaces, now);
  const served = planWaiting(waiting, arranged);
  const isMoreFree = lots.some((lot) => lot.productId === place.productId && freeOf(lot) > 0);
  const isMoreWaiting = orderIds.length === ordersMax || upToOrderId < newest;

  if (served.length > 0) await write(tx, accountId, served);
  return { served: served.length, goOnBeyond: isMoreWaiting && isMoreFree ? upToOrderId : null };
}

/**
 * The orders that are served now, and the orders between them that wait for the same products. If these are too many to
 * read, not all locked orders are served: `upToOrderId` is the last one that is.
 */
function inLine(
  orderIds: number[],
  own: WaitingLine[],
  atSamePlaces: WaitingLine[],
  now: Date,
): { waiting: Waiting[]; upToOrderId: number } {
  const isCut = atSamePlaces.length === linesMax;
  const upToOrderId = isCut ? atSamePlaces.at(-1)!.orderId - 1 : orderIds.at(-1)!;
  const linesOf = Map.groupBy(own, (line) => line.orderId);
  const isServedNow = new Set(orderIds);
  const others = Map.groupBy(
    atSamePlaces.filter((line) => !isServedNow.has(line.orderId)),
    (line) => line.orderId,
  );
  const waiting = [
    ...orderIds.map((orderId) => waitingOf(orderId, linesOf.get(orderId) ?? [], { toBeServed: true, now })),
    ...[...others].map(([orderId, lines]) => waitingOf(orderId, lines, { toBeServed: false, now })),
  ];
  return { waiting: waiting.filter(({ orderId }) => orderId <= upToOrderId), upToOrderId };
}

/** All lines of an order follow the shelf-life rule of its key. */
function waitingOf(
  orderId: number,
  lines: WaitingLine[],
  { toBeServed, now }: { toBeServed: boolean; now: Date },
): Waiting {
  const { sellableDaysBeforeExpiry = null } = lines[0] ?? {};
  return { orderId, toBeServed, sellableFrom: sellableFrom({ sellableDaysBeforeExpiry }, now), lines };
}

async function write(tx: Tx, accountId: number, served: Served[]): Promise<void> {
  const orderIds = served.map(({ orderId }) => orderId);
  const locks = served.flatMap(({ orderId, picks }) =>
    picks.map(({ lot, qty }): Movement => {
      return { accountId, lotId: lot.lotId, kind: 'lock', onHandDelta: 0, lockedDelta: qty, orderId, cause };
    }),
  );
  await moveOrders(
    tx,
    orderIds.map((orderId) => ({ accountId, orderId, status: 'awaiting_stock', event: 'allocate', cause })),
  );
  await recordMovements(tx, locks);
  await deleteWaitingLines(tx, accountId, orderIds);
}
