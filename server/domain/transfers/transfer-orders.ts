import type { Message } from '../../../messages/message.ts';
import { outcome } from '../../../messages/outcome-texts.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { accountsOf, groupByAccount, perAccount } from '../../platform/postgres/per-account.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import type { OrderKey } from '../orders/order.ts';
import { moveOrders } from '../orders/order-queries.ts';
import { stepSecondsDefault } from '../orders/simulated-walk-queries.ts';
import type { Cause } from '../stock/movement.ts';
import {
  type Connector,
  type PendingBatch,
  type PushRules,
  pushRules,
  retrySeconds,
  type Transfer,
  type TransferStatus,
} from './transfer.ts';
import { batchesInTurns, type FindPending } from './transfer-batches.ts';
import {
  acceptTransfers,
  findPendingOrders,
  insertAccepted,
  insertSending,
  lockPendingOrders,
  lockSending,
  noteFailedTry,
  productionAccountIds,
  rejectTransfers,
  requeueRejected,
  takeBackTransfers,
} from './transfer-queries.ts';
import { endWave, hastenWave, holdWave, lockSchedule, type Wave } from './transfer-schedule-queries.ts';

/** Another worker has taken over the wave, or the connector of the warehouse has changed. The wave stops. */
export type WaveRevoked = { kind: 'lost' } | { kind: 'reconnected' };

/** Waves skip orders whose transfer is in this state. After a post, only the other system knows what it received. */
const skippedByPost = ['sending', 'accepted', 'rejected'] as const;
const skippedByHandOver = ['accepted', 'rejected'] as const;

/** Yields the orders of a wave in batches of one account each, in turns. */
export function ordersOfWave(
  database: Database,
  { warehouseNo, startedAt, connector }: Wave,
  rules: PushRules,
): AsyncGenerator<PendingBatch> {
  const isPosted = connector.type === 'http';
  const selection = { warehouseNo, upTo: startedAt, skipped: isPosted ? skippedByPost : skippedByHandOver };
  return pendingBatches(database, selection, {
    pageMax: rules.pageMax,
    batchMax: isPosted ? rules.postedMax : rules.handedOverMax,
  });
}

/**
 * An order whose creation was confirmed before its account sent the request for another one comes before that one:
 * `upTo` is not later than the first query, and all queries see the orders that were confirmed by then.
 */
async function* pendingBatches(
  database: Database,
  selection: { warehouseNo: number; upTo: string; skipped: readonly TransferStatus[] },
  limits: { pageMax: number; batchMax: number },
): AsyncGenerator<PendingBatch> {
  const accountIds = await database.read(noAccounts, productionAccountIds);
  const findPending: FindPending = (beyond, limit) =>
    database.read(accountsOf(beyond), (sql) =>
      perAccount(beyond, (_accountId, [position]) => findPendingOrders(sql, selection, position!, limit)),
    );
  yield* batchesInTurns(accountIds, findPending, limits);
}

/** Begins the transfer of these orders, which cannot be cancelled any more. Skips orders that are not pending. */
export async function beginSending(
  tx: Tx,
  wave: Wave,
  { accountId, orderIds }: PendingBatch,
  rules: PushRules,
): Promise<{ kind: 'begun'; transfers: Transfer[] } | WaveRevoked> {
  const revoked = await whyRevoked(tx, wave, rules);
  if (revoked) return revoked;
  const pending = await lockPendingOrders(tx, wave.warehouseNo, { accountId, orderIds });

  const transfers = await insertSending(tx, { accountId, orderIds: pending });
  const begun = new Map(transfers.map((transfer) => [transfer.orderId, transfer]));
  return { kind: 'begun', transfers: orderIds.flatMap((orderId) => begun.get(orderId) ?? []) };
}

/** null: this worker holds the wave, and the warehouse still has the connector of the wave. */
export async function whyRevoked(tx: Tx, wave: Wave, { leaseSeconds }: PushRules): Promise<WaveRevoked | null> {
  const connector = await holdWave(tx, wave, leaseSeconds);
  if (connector === null) return { kind: 'lost' };
  return JSON.stringify(connector) === JSON.stringify(wave.connector) ? null : { kind: 'reconnected' };
}

/**
 * Records that the warehouse has accepted these orders, except for the rejected ones. An order on which the warehouse
 * has already reported keeps its status.
 */
export async function recordSent(
  tx: Tx,
  wave: Wave,
  transfers: Transfer[],
  rejected: ReadonlyMap<string, Message>,
  rules: PushRules,
): Promise<{ kind: 'recorded'; accepted: number; rejected: number } | { kind: 'lost' }> {
  // This also applies after the connector has changed: the warehouse has received the orders.
  if ((await holdWave(tx, wave, rules.leaseSeconds)) === null) return { kind: 'lost' };
  const sending = await lockSending(tx, transfers);

  const isPending = ({ orderStatus }: (typeof sending)[number]) => orderStatus === 'pending_warehouse_transfer';
  const refused = sending.filter((one) => isPending(one) && rejected.has(one.transferId));
  const accepted = sending.filter((one) => !refused.includes(one));
  const moved = accepted.filter(isPending);

  if (moved.length > 0) await moveToWarehouse(tx, moved, { actor: `warehouse ${wave.warehouseNo}`, traceId: null });
  if (accepted.length > 0) await acceptTransfers(tx, accepted);
  if (refused.length > 0) {
    await rejectTransfers(
      tx,
      refused.map((one) => ({ ...one, reason: rejected.get(one.transferId)! })),
    );
  }
  return { kind: 'recorded', accepted: accepted.length, rejected: refused.length };
}

async function moveToWarehouse(tx: Tx, orders: OrderKey[], cause: Cause): Promise<void> {
  const status = 'pending_warehouse_transfer';
  await moveOrders(
    tx,
    orders.map(({ accountId, orderId }) => ({ accountId, orderId, status, event: 'transfer', cause })),
  );
}

/** Notes that the warehouse fails on this order. It may have it, so the order is neither rejected nor cancellable. */
export async function noteBlocked(
  tx: Tx,
  wave: Wave,
  transfer: Transfer,
  why: Message,
  rules: PushRules,
): Promise<{ kind: 'noted' } | { kind: 'lost' }> {
  if ((await holdWave(tx, wave, rules.leaseSeconds)) === null) return { kind: 'lost' };
  await noteFailedTry(tx, [transfer], why);
  return { kind: 'noted' };
}

export interface FailedTry {
  transfers: Transfer[];
  /** The warehouse cannot have received the transfers: they wait again, and their orders can be cancelled. */
  isTakenBack: boolean;
  why: Message;
  askedForSeconds: number;
}

/** Ends a failed wave; the next one retries its orders. Returns when, in seconds; null: another worker has the wave. */
export async function failWave(tx: Tx, wave: Wave, failed: FailedTry, rules: PushRules): Promise<number | null> {
  const { transfers, isTakenBack, why, askedForSeconds } = failed;
  const failures = wave.failures + 1;
  const afterSeconds = retrySeconds(failures, askedForSeconds, rules, Math.random());
  if (!(await endWave(tx, wave, { failures, outcome: outcome('wave_failed', { why }), afterSeconds }))) return null;

  if (isTakenBack) await takeBackTransfers(tx, transfers, why);
  else await noteFailedTry(tx, transfers, why);
  return afterSeconds;
}

/** Hands these orders over to a simulated warehouse, which accepts them at once. */
export async function handOverToSimulator(
  tx: Tx,
  wave: Wave & { connector: Connector & { type: 'simulator' } },
  batch: PendingBatch,
  rules: PushRules,
): Promise<{ kind: 'handed_over'; count: number } | WaveRevoked> {
  const revoked = await whyRevoked(tx, wave, rules);
  if (revoked) return revoked;

  const stepSeconds = wave.connector.step_s ?? stepSecondsDefault;
  const cause = { actor: `warehouse ${wave.warehouseNo}`, traceId: null };
  return { kind: 'handed_over', count: await handOver(tx, wave.warehouseNo, batch, { stepSeconds, cause }) };
}

async function handOver(
  tx: Tx,
  warehouseNo: number,
  batch: PendingBatch,
  { stepSeconds, cause }: { stepSeconds: number | null; cause: Cause },
): Promise<number> {
  const { accountId } = batch;
  const pending = await lockPendingOrders(tx, warehouseNo, batch);
  const accepted = await insertAccepted(tx, { accountId, orderIds: pending }, stepSeconds);
  await moveToWarehouse(
    tx,
    accepted.map((orderId) => ({ accountId, orderId })),
    cause,
  );
  return accepted.length;
}

export type ManualPushOutcome =
  | { kind: 'not_found' }
  /** A manual warehouse has received its orders. */
  | { kind: 'transferred'; count: number; hasMore: boolean }
  /** The warehouse has a connector, and its next wave is due now. */
  | { kind: 'hastened'; connector: 'http' | 'simulator' };

export interface ManualPushOptions {
  /** Called after each batch with the number of orders so far. */
  onProgress?: (count: number) => void;
  /** The push ends after the batch that exceeds this time, and returns whether more orders wait. */
  workMaxMs?: number;
}

/** Hands all pending orders over to a manual warehouse, or makes the wave of any other warehouse due now. */
export async function pushManually(
  database: Database,
  warehouseNo: number,
  cause: Cause,
  { onProgress = () => {}, workMaxMs = Number.POSITIVE_INFINITY }: ManualPushOptions = {},
): Promise<ManualPushOutcome> {
  const untilMs = performance.now() + workMaxMs;
  const connector = await database.transaction(noAccounts, async (tx) => {
    const found = await lockSchedule(tx, warehouseNo);
    if (found && found.type !== 'manual') await hastenWave(tx, warehouseNo);
    return found;
  });
  if (connector === null) return { kind: 'not_found' };
  if (connector.type !== 'manual') return { kind: 'hastened', connector: connector.type };

  let count = 0;
  let hasBegun = false;
  const selection = { warehouseNo, upTo: 'infinity', skipped: skippedByHandOver };
  for await (const batch of pendingBatches(database, selection, {
    pageMax: pushRules.pageMax,
    batchMax: pushRules.handedOverMax,
  })) {
    if (hasBegun && performance.now() >= untilMs) return { kind: 'transferred', count, hasMore: true };
    hasBegun = true;
    count += await database.transaction([batch.accountId], (tx) => handOverManually(tx, warehouseNo, batch, cause));
    onProgress(count);
  }
  return { kind: 'transferred', count, hasMore: false };
}

/** Hands over nothing when the warehouse is no longer manual. */
async function handOverManually(tx: Tx, warehouseNo: number, batch: PendingBatch, cause: Cause): Promise<number> {
  const connector = await lockSchedule(tx, warehouseNo);
  if (connector?.type !== 'manual') return 0;
  return await handOver(tx, warehouseNo, batch, { stepSeconds: null, cause });
}

const retryBatchMax = 500;

/** Queues rejected orders again, in batches of one account each, and returns their number. */
export async function retryRejected(database: Database, orders: OrderKey[]): Promise<number> {
  let count = 0;
  for (const [accountId, own] of groupByAccount(orders)) {
    for (let start = 0; start < own.length; start += retryBatchMax) {
      const orderIds = own.slice(start, start + retryBatchMax).map((order) => order.orderId);
      count += (await database.transaction([accountId], (tx) => requeueRejected(tx, accountId, orderIds))).length;
    }
  }
  return count;
}
