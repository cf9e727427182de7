import { taipeiDay } from '../../platform/clock.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import { listAccounts } from '../partners/partner-queries.ts';
import { saveProgress } from './call-trend-queries.ts';
import {
  addToDays,
  deleteCountedOrders,
  listCutOffs,
  lockOrderProgress,
  nextOrders,
  type OrderPosition,
  type OrderToCount,
  saveBacklog,
  saveCountedOrders,
  saveOrderProgress,
} from './count-orders-queries.ts';
import type { CutOff } from './cut-off.ts';
import { firstTrendDay } from './forget-old-trends.ts';
import { countedAs, dayChanges } from './order-counts.ts';
import { type Pace, paced } from './pace.ts';

export interface OrderRun extends Pace {
  now: Date;
  /** Younger changes are left to the next run. */
  youngestSeconds?: number;
  batchMax?: number;
}

/** A transaction gives its changes the time at which they are made, and may commit up to 3.5 s later. */
const usualYoungestSeconds = 20;
const usualBatchMax = 500;
/** Partners write the names of carriers themselves. Further ones are counted as one. */
export const carriersOfAccountMax = 100;
export const otherCarriers = 'other';
export const ordersCounted = 'orders';

const fromTheBeginning: OrderPosition = { updatedAt: '-infinity', createdAt: '-infinity', orderId: 0 };

/**
 * Counts new and changed orders by day, account by account, in the order of their last change. Each order is taken back
 * as it was counted before, and added as it is now. What was counted, the counts and the position are written in one
 * transaction, so a run that is cut off loses and repeats nothing. Returns the number of orders.
 */
export async function countOrders(database: Database, run: OrderRun): Promise<number> {
  const { now, batchMax = usualBatchMax, stopping } = run;
  const cutOffs = await database.read(noAccounts, (sql) => listCutOffs(sql));
  let orders = 0;
  for (const { accountId } of await database.read(noAccounts, (sql) => listAccounts(sql))) {
    let counted = batchMax;
    while (counted === batchMax && !stopping?.aborted) {
      counted = await paced(run, () =>
        database.transaction([accountId], (tx) => countNext(tx, accountId, { ...run, batchMax, cutOffs })),
      );
      orders += counted;
    }
    if (stopping?.aborted) return orders;
    await database.transaction([accountId], async (tx) => {
      await lockOrderProgress(tx, accountId);
      await saveBacklog(tx, accountId, taipeiDay(now));
    });
  }
  await database.transaction(noAccounts, (tx) => saveProgress(tx, ordersCounted, now));
  return orders;
}

/** Returns the number of orders. */
async function countNext(
  tx: Tx,
  accountId: number,
  {
    now,
    youngestSeconds = usualYoungestSeconds,
    batchMax,
    cutOffs,
  }: OrderRun & { batchMax: number; cutOffs: ReadonlyMap<number, CutOff> },
): Promise<number> {
  const progress = await lockOrderProgress(tx, accountId);
  const cutOffWarehouses = [...cutOffs.keys()];
  // Orders that were counted before their warehouse had a cut-off get their day now.
  const isNewRule = cutOffWarehouses.some((warehouseNo) => !progress.cutOffWarehouses.includes(warehouseNo));
  const after = isNewRule ? fromTheBeginning : progress;
  const found = await nextOrders(tx, accountId, { after, youngestSeconds }, batchMax);

  const { carriers, orders } = limitCarriers(found, progress.carriers);
  const changes = orders.map((order) => ({ before: order.before, after: countedAs(order, order.before, cutOffs) }));

  const counted = changes.map((change) => change.after);
  if (counted.length > 0) await saveCountedOrders(tx, accountId, counted);
  await addToDays(tx, accountId, dayChanges(changes, firstTrendDay(now)));
  const position = found.at(-1)?.position ?? after;
  await saveOrderProgress(tx, accountId, { ...position, cutOffWarehouses, carriers });
  return found.length;
}

function limitCarriers(found: OrderToCount[], known: string[]): { carriers: string[]; orders: OrderToCount[] } {
  const carriers = new Set(known);
  const orders = found.map((order) => {
    if (carriers.size < carriersOfAccountMax && order.carrier !== '') carriers.add(order.carrier);
    const isKnown = order.carrier === '' || carriers.has(order.carrier);
    return isKnown ? order : { ...order, carrier: otherCarriers };
  });
  return { carriers: [...carriers], orders };
}

/**
 * Takes back what was counted of orders that a purge deletes, from `firstDay` on: it deletes all counts of earlier days.
 */
export async function uncountOrders(
  tx: Tx,
  { accountId, orderIds, firstDay }: { accountId: number; orderIds: number[]; firstDay: string },
): Promise<void> {
  await lockOrderProgress(tx, accountId);
  const counted = await deleteCountedOrders(tx, accountId, orderIds);
  const changes = counted.map((before) => ({ before, after: null }));
  await addToDays(tx, accountId, dayChanges(changes, firstDay));
}
