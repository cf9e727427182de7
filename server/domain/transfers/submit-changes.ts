import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import type { ChangeOrderOutcome, ChangeOrdersRequest } from '../orders/change-orders.ts';
import { hastenRequests } from './transfer-schedule-queries.ts';

export type SubmitChanges = (request: ChangeOrdersRequest) => Promise<ChangeOrderOutcome[]>;

/**
 * Changes orders with the next group. Requests to warehouses leave with their next wave, which is due at once: an order
 * that is to be held may be picked any minute.
 */
export function makeSubmitChanges({ database, change }: { database: Database; change: SubmitChanges }): SubmitChanges {
  return async (request) => {
    const outcomes = await change(request);
    const warehouseNos = outcomes.flatMap((outcome) => (outcome.kind === 'requested' ? [outcome.warehouseNo] : []));
    // A wave locks the schedule before orders, so this is a transaction of its own.
    if (warehouseNos.length > 0)
      await database.transaction(noAccounts, (tx) => hastenRequests(tx, [...new Set(warehouseNos)]));
    return outcomes;
  };
}
