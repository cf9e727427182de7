import type { Database } from '../../platform/postgres/database.ts';
import { accountsOf, perAccount } from '../../platform/postgres/per-account.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import { lockSchedule } from '../transfers/transfer-schedule-queries.ts';
import { batchOrdersMax } from './pick-batch.ts';
import { findBatchOfClaim, insertBatch, insertSlots } from './pick-queries.ts';
import { findWaiting, lockWaiting, type WaitingSelection } from './pick-queue-queries.ts';

export interface Claim extends WaitingSelection {
  /** A repeat with the same id finds the batch of the first. */
  claimId: string;
  count: number;
  username: string;
}

export type ClaimOutcome =
  | { kind: 'claimed'; batchId: number }
  /** No order waits, or others have claimed them. */
  | { kind: 'nothing' }
  /** The warehouse has a system that picks. */
  | { kind: 'not_manual' };

/**
 * Puts waiting orders into a new batch, the oldest into the first slot. Claims of a warehouse are made one after the
 * other, and exclude a hand-over to a system that the warehouse gets meanwhile.
 */
export async function claimOrders(database: Database, claim: Claim): Promise<ClaimOutcome> {
  return await database.transaction(noAccounts, async (tx) => {
    const connector = await lockSchedule(tx, claim.warehouseNo);
    const known = await findBatchOfClaim(tx, claim.claimId);
    if (known !== null) return { kind: 'claimed', batchId: known };
    if (connector?.type !== 'manual') return { kind: 'not_manual' };

    const wanted = await findWaiting(tx, claim, Math.min(claim.count, batchOrdersMax));
    const own = tx.forAccounts(accountsOf(wanted));
    const locked = new Set(
      await perAccount(wanted, (accountId, those) =>
        lockWaiting(
          own,
          accountId,
          those.map(({ orderId }) => orderId),
        ),
      ),
    );
    const slots = wanted
      .filter(({ orderId }) => locked.has(orderId))
      .map((order, index) => ({ ...order, slot: index + 1 }));
    if (slots.length === 0) return { kind: 'nothing' };

    return { kind: 'claimed', batchId: await writeBatch(own, claim, slots) };
  });
}

async function writeBatch(
  tx: Tx,
  { claimId, warehouseNo, username }: Claim,
  slots: Parameters<typeof insertSlots>[2],
): Promise<number> {
  const batchId = await insertBatch(tx, { claimId, warehouseNo, accountIds: accountsOf(slots), createdBy: username });
  await insertSlots(tx, batchId, slots);
  return batchId;
}
