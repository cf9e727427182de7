import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import { changeOrders } from '../orders/change-orders.ts';
import type { Cause } from '../stock/movement.ts';
import { findLine, type LineKey, lineNow, ordersOf } from './confirm-pick.ts';
import {
  type BatchContent,
  type BatchOrder,
  linesOf,
  missingOf,
  type PickLine,
  type PutUnits,
  type ShortReason,
} from './pick-batch.ts';
import {
  changeTasks,
  findScan,
  insertScan,
  lockBatch,
  lockOrders,
  type NewScan,
  readContent,
  settleOrders,
} from './pick-queries.ts';

/** Units of a line that staff did not find. */
export interface MissingUnits extends NewScan {
  line: LineKey;
  reason: ShortReason;
  /** Orders that lack units are put on hold, or shipped without them. */
  remedy: 'hold' | 'ship_short';
  cause: Cause;
}

/** `not_held`: the order has left the batch, but its state does not allow a hold. */
export type ShortOrder = PutUnits & { partnerNumber: string; outcome: 'held' | 'not_held' | 'ship_short' };

export type ShortOutcome =
  | { kind: 'short'; line: LineKey; skuId: string; orders: ShortOrder[] }
  | { kind: 'no_batch' }
  | { kind: 'closed' }
  | { kind: 'not_on_list' }
  /** Somebody has found the units meanwhile. */
  | { kind: 'nothing_missing' };

/**
 * Books all units of a line that are still to be found as missing. The orders that lack them are put on hold and leave
 * the batch, or are shipped without them. An order of which nothing would be shipped is put on hold in any case.
 */
export async function reportShort(database: Database, missing: MissingUnits): Promise<ShortOutcome> {
  return await database.transaction(noAccounts, async (tx) => {
    const { batchId, scanId } = missing;
    const batch = await lockBatch(tx, batchId);
    if (batch === null) return { kind: 'no_batch' };
    const earlier = await findScan<ShortOutcome>(tx, batchId, scanId);
    if (earlier !== null) return earlier;
    if (batch.closedAt !== null) return { kind: 'closed' };

    const own = tx.forAccounts(batch.accountIds);
    const before = findLine(linesOf(await readContent(own, batch)), missing.line);
    if (before === null) return { kind: 'not_on_list' };
    await lockOrders(own, ordersOf(before), 'no key update');
    const line = await lineNow(own, batch, before);
    if (line === null) return { kind: 'not_on_list' };
    const lacking = missingOf(line);
    if (lacking.length === 0) return { kind: 'nothing_missing' };

    const content = await readContent(own, batch);
    const orders = await settle(own, missing, { content, line, lacking });
    const outcome = { kind: 'short', line: missing.line, skuId: line.lot.skuId, orders } as const;
    await insertScan(tx, missing, outcome);
    return outcome;
  });
}

interface Lacking {
  content: BatchContent;
  line: PickLine;
  lacking: PutUnits[];
}

async function settle(tx: Tx, missing: MissingUnits, { content, line, lacking }: Lacking): Promise<ShortOrder[]> {
  const { batchId, reason, remedy } = missing;
  const { accountId } = line;
  const { lotId } = line.lot;
  await changeTasks(
    tx,
    batchId,
    lacking.map(({ orderId, units }) => ({ accountId, orderId, lotId, picked: 0, short: units, reason })),
  );
  const orderOf = new Map(content.orders.map((order) => [order.orderId, order]));
  const leaving = lacking.filter(({ orderId }) => remedy === 'hold' || !hasOthers(content, orderId, lotId));
  const held = await hold(
    tx,
    missing,
    leaving.map(({ orderId, units }) => ({
      order: orderOf.get(orderId)!,
      reason: `short pick: ${line.lot.skuId}, ${units} missing (${reason})`,
    })),
  );
  await settleOrders(
    tx,
    batchId,
    leaving.map(({ orderId }) => ({ accountId, orderId, state: 'left', reason: 'short' })),
  );
  return lacking.map((one) => {
    const outcome = held.get(one.orderId);
    const isHeld = outcome === undefined ? 'ship_short' : outcome ? 'held' : 'not_held';
    return { ...one, partnerNumber: orderOf.get(one.orderId)!.partnerNumber, outcome: isHeld };
  });
}

/** Whether the order has units that were found, or that staff have yet to look for. */
function hasOthers({ tasks }: BatchContent, orderId: number, lotId: number): boolean {
  return tasks.some(
    (task) => task.orderId === orderId && (task.picked > 0 || (task.lotId !== lotId && task.short < task.qty)),
  );
}

/** Returns for each order whether it is on hold now. */
async function hold(
  tx: Tx,
  { cause }: MissingUnits,
  orders: { order: BatchOrder; reason: string }[],
): Promise<Map<number, boolean>> {
  if (orders.length === 0) return new Map();
  const entries = orders.map(({ order: { partnerNumber, isLogistics }, reason }) => ({
    ...{ partnerNumber, isLogistics },
    change: { kind: 'hold' as const, reason },
  }));
  const { accountId } = orders[0]!.order;
  const { answer, writes } = await changeOrders.run(tx, [{ accountId, entries, cause, isOnFloor: true }]);
  await Promise.all(writes);
  return new Map(orders.map(({ order }, index) => [order.orderId, answer[0]![index]!.kind === 'changed']));
}
