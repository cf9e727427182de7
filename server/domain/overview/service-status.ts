import { taipeiDay, taipeiInstant } from '../../platform/clock.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type OrderStatus, orderStatuses } from '../orders/order.ts';
import { everyAccount } from '../partners/every-account.ts';
import type { Counted } from './attention-queries.ts';
import { countQueuedCallbacks, countStates, statesCountedMax } from './flow-queries.ts';
import { type ListedNode, listNodes } from './node-queries.ts';
import { type AccountsByEnvironment, countAccounts, readDatabaseSize } from './system-queries.ts';

/** What runs and how much there is to do, for the command line. */
export interface ServiceStatus {
  nodes: ListedNode[];
  accounts: AccountsByEnvironment;
  databaseBytes: number;
  /** The business day in Taipei. */
  day: string;
  /** Orders that were created on this day, by their present status. */
  orders: { status: OrderStatus; count: number }[];
  /** A status has more orders than are counted. */
  hasMoreOrders: boolean;
  callbacksWaiting: Counted;
}

export async function readServiceStatus(database: Database, now: Date): Promise<ServiceStatus> {
  const day = taipeiDay(now);
  const from = taipeiInstant(new Date(`${day}T00:00:00+08:00`));
  return await database.read(noAccounts, async (sql) => {
    const { own, accounts } = await everyAccount(sql);
    const [nodes, counted, databaseBytes, orders, callbacksWaiting] = await Promise.all([
      listNodes(sql),
      countAccounts(sql),
      readDatabaseSize(sql),
      countStates(own, accounts, from, orderStatuses),
      countQueuedCallbacks(own, accounts),
    ]);
    const hasMoreOrders = orders.some(({ count }) => count > statesCountedMax);
    return { nodes, accounts: counted, databaseBytes, day, orders, hasMoreOrders, callbacksWaiting };
  });
}
