import type { Message } from '../../../messages/message.ts';
import { sending } from '../../../messages/sending-texts.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import { settleChanges } from './answer-changes.ts';
import { findReplacedRequests } from './requested-change-queries.ts';
import { productionAccountIds } from './transfer-queries.ts';
import { lockIdleWarehouses } from './transfer-schedule-queries.ts';

const settledAtOnceMax = 200;

/**
 * Refuses requested changes whose warehouse has become manual or has another system now: nobody will answer them. A wave
 * that is running may still bring the answer of the former system, so its warehouse waits for the next run.
 */
export async function settleReplacedRequests(database: Database, stopping: AbortSignal): Promise<number> {
  let settled = 0;
  for (const accountId of await database.read(noAccounts, productionAccountIds)) {
    for (let refused = 1; refused > 0 && !stopping.aborted; settled += refused) {
      const found = await database.read([accountId], (sql) => findReplacedRequests(sql, accountId, settledAtOnceMax));
      const warehouseNos = [...new Set(found.map(({ warehouseNo }) => warehouseNo))];
      if (found.length === 0) break;
      refused = await database.transaction([accountId], (tx) => settleIdle(tx, accountId, warehouseNos));
    }
  }
  return settled;
}

/** A wave locks the schedule before orders, so this does too. */
async function settleIdle(tx: Tx, accountId: number, warehouseNos: number[]): Promise<number> {
  const idle = await lockIdleWarehouses(tx, warehouseNos);
  const found = await findReplacedRequests(tx, accountId, settledAtOnceMax);

  const changes = found.filter(({ warehouseNo }) => idle.has(warehouseNo));
  if (changes.length === 0) return 0;
  const reasons = changes.map(({ requestId, hasSystem }) => [requestId, reasonOf(hasSystem)] as const);
  return (await settleChanges(tx, { accountId, changes }, new Map(reasons))).refused;
}

export function reasonOf(hasSystem: boolean): Message {
  return sending(hasSystem ? 'asked_system_replaced' : 'takes_no_changes');
}
