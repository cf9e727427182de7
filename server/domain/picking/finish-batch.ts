import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import { orderAfter } from '../orders/order.ts';
import { moveOrders } from '../orders/order-queries.ts';
import type { Cause } from '../stock/movement.ts';
import { type BatchContent, type BatchOrder, isComplete, presentState } from './pick-batch.ts';
import { closeBatch, lockBatch, lockOrders, readContent, type SettledOrder, settleOrders } from './pick-queries.ts';

export interface Finish {
  batchId: number;
  /** Orders that are not complete go back to the queue. */
  giveBack: boolean;
  username: string;
  cause: Cause;
}

export type FinishOutcome =
  /** The batch is closed, now or before. */
  | { kind: 'finished'; picked: number; left: number }
  | { kind: 'no_batch' }
  /** Units of so many orders are still to be found. */
  | { kind: 'incomplete'; orders: number };

/** Closes a batch: complete orders go on to packing, and every order that has left the batch gets its reason. */
export async function finishBatch(database: Database, finish: Finish): Promise<FinishOutcome> {
  return await database.transaction(noAccounts, async (tx) => {
    const batch = await lockBatch(tx, finish.batchId);
    if (batch === null) return { kind: 'no_batch' };
    const own = tx.forAccounts(batch.accountIds);
    const before = await readContent(own, batch);
    if (batch.closedAt !== null) return countOf(before.orders);
    await lockOrders(own, before.orders, 'no key update');
    const content = await readContent(own, batch);

    const settled = settle(content);
    const incomplete = settled.filter(({ reason }) => reason === 'given_back');
    if (incomplete.length > 0 && !finish.giveBack) return { kind: 'incomplete', orders: incomplete.length };

    await write(own, finish, content, settled);
    return countOf([...content.orders.filter(({ state }) => state !== 'open'), ...settled]);
  });
}

function settle({ orders, tasks }: BatchContent): SettledOrder[] {
  const tasksOf = Map.groupBy(tasks, ({ orderId }) => orderId);
  return orders
    .filter(({ state }) => state === 'open')
    .map((order) => {
      const { accountId, orderId } = order;
      const { state, reason } = presentState(order);
      if (state === 'left') return { accountId, orderId, state, reason };
      return isComplete(tasksOf.get(orderId) ?? [])
        ? { accountId, orderId, state: 'picked', reason: null }
        : { accountId, orderId, state: 'left', reason: 'given_back' };
    });
}

async function write(
  tx: Tx,
  { batchId, username, cause }: Finish,
  { orders }: BatchContent,
  settled: SettledOrder[],
): Promise<void> {
  const picked = new Set(settled.filter(({ state }) => state === 'picked').map(({ orderId }) => orderId));
  const moves = orders
    .filter(({ orderId, status }) => picked.has(orderId) && orderAfter(status, 'pick') !== null)
    .map(({ accountId, orderId, status }) => ({ accountId, orderId, status, event: 'pick' as const, cause }));
  await moveOrders(tx, moves);
  await settleOrders(tx, batchId, settled);
  await closeBatch(tx, batchId, username);
}

function countOf(orders: Pick<BatchOrder, 'state'>[]): FinishOutcome {
  const picked = orders.filter(({ state }) => state === 'picked').length;
  return { kind: 'finished', picked, left: orders.length - picked };
}
