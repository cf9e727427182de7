import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { beginAction, finishAction } from './action-queries.ts';

/** The name of the action in the audit log, for partners and operators. */
export const recipientSearchAction = 'orders/search-by-recipient';

/** A search for the orders of a person by a client of a partner. */
export interface RecipientSearch {
  client: string;
  accountNo: string;
  /** The names of the filters. Their values are personal data and stay out of the audit log, also as digests. */
  filters: string[];
  address: string;
  traceId: string;
}

/** The audit log has an entry before anything is read; the outcome is added afterwards. */
export async function recordSearch<Found extends { rows: unknown[] } | null>(
  database: Database,
  { client, accountNo, filters, address, traceId }: RecipientSearch,
  search: () => Promise<Found>,
): Promise<Found> {
  const action = { action: recipientSearchAction, subject: null, accountNo, details: { filters }, address, traceId };
  const actionId = await database.transaction(noAccounts, (tx) =>
    beginAction(tx, { username: client, role: null, ...action }),
  );
  const finish = (outcome: string) => database.transaction(noAccounts, (tx) => finishAction(tx, actionId, outcome));
  const found = await search().catch(async (error) => {
    // The database may be the reason; the error of the search matters more than that of this entry.
    await finish('failed').catch(() => {});
    throw error;
  });
  await finish(found === null ? 'rate_limited' : `found ${found.rows.length}`);
  return found;
}
