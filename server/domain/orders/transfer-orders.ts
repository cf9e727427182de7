import type { Database, Tx } from '../../platform/database.ts';
import type { Cause } from '../stock/movement.ts';
import { moveOrders } from './order-queries.ts';
import { stepSecondsDefault } from './simulated-walk-queries.ts';
import { type Connector, type PushRules, pushRules, retrySeconds, type Transfer, type TransferStatus } from './transfer.ts';
import { batchesByCreation } from './transfer-batches.ts';
import {
  acceptTransfers,
  findPendingOrders,
  insertAccepted,
  insertSending,
  letRejectedWait,
  lockPendingOrders,
  lockSending,
  noteFailedTry,
  productionAccountIds,
  rejectTransfers,
  takeBackTransfers,
} from './transfer-queries.ts';
import { endWave, hastenWave, holdWave, lockSchedule, type Wave } from './transfer-schedule-queries.ts';

/** The wave has passed to somebody else, or its warehouse is connected in another way by now: whoever is at it stops. */
export type Overtaken = { kind: 'lost' } | { kind: 'reconnected' };

/** Whose transfer is so is not found by a wave. Of what another system may have, only that system can say so. */
const passedByPost = ['sending', 'accepted', 'rejected'] as const;
const passedByHandOver = ['accepted', 'rejected'] as const;

/** The orders of a wave, in the order of their creation over all accounts, in batches. */
export function ordersOfWave(database: Database, { warehouseNo, startedAt, connector }: Wave, rules: PushRules): AsyncGenerator<number[]> {
  const isPosted = connector.type === 'http';
  const what = { warehouseNo, upTo: startedAt, passedBy: isPosted ? passedByPost : passedByHandOver };
  return pendingBatches(database, what, { pageMax: rules.pageMax, batchMax: isPosted ? rules.postedMax : rules.handedOverMax });
}

/**
 * An order that was answered before another one of these was even asked for comes before that one: `upTo` is not later than the first look,
 * and what was answered by then is seen by all looks.
 */
async function* pendingBatches(
  database: Database,
  what: { warehouseNo: number; upTo: string; passedBy: readonly TransferStatus[] },
  limits: { pageMax: number; batchMax: number },
): AsyncGenerator<number[]> {
  const accountIds = await database.read(productionAccountIds);
  yield* batchesByCreation(accountIds, (beyond, limit) => database.read((sql) => findPendingOrders(sql, what, beyond, limit)), limits);
}

/** Begins the transfer of these orders, in the order given: from now on they can no longer be cancelled. Left out are those that are gone. */
export async function beginSending(
  tx: Tx,
  wave: Wave,
  orderIds: number[],
  rules: PushRules,
): Promise<{ kind: 'begun'; transfers: Transfer[] } | Overtaken> {
  const overtaken = await whyOvertaken(tx, wave, rules);
  if (overtaken) return overtaken;
  const pending = await lockPendingOrders(tx, wave.warehouseNo, orderIds);

  const begun = new Map((await insertSending(tx, pending)).map((transfer) => [transfer.orderId, transfer]));
  return { kind: 'begun', transfers: orderIds.flatMap((orderId) => begun.get(orderId) ?? []) };
}

async function whyOvertaken(tx: Tx, wave: Wave, { leaseSeconds }: PushRules): Promise<Overtaken | null> {
  const connector = await holdWave(tx, wave, leaseSeconds);
  if (connector === null) return { kind: 'lost' };
  return JSON.stringify(connector) === JSON.stringify(wave.connector) ? null : { kind: 'reconnected' };
}

/**
 * Writes down that the warehouse has these orders, but for the rejected ones, which are put aside. An order that the warehouse has reported on
 * already has gone on by itself.
 */
export async function recordSent(
  tx: Tx,
  wave: Wave,
  transfers: Transfer[],
  rejected: ReadonlyMap<string, string>,
  rules: PushRules,
): Promise<{ kind: 'recorded'; accepted: number; rejected: number } | { kind: 'lost' }> {
  // Also where the warehouse is connected in another way by now: what it has it has.
  if ((await holdWave(tx, wave, rules.leaseSeconds)) === null) return { kind: 'lost' };
  const sending = await lockSending(tx, transfers);

  const isPending = ({ orderStatus }: (typeof sending)[number]) => orderStatus === 'pending_warehouse_transfer';
  const refused = sending.filter((one) => isPending(one) && rejected.has(one.transferId));
  const taken = sending.filter((one) => !refused.includes(one));
  const moved = taken.filter(isPending);

  if (moved.length > 0) await moveToWarehouse(tx, moved, { actor: `warehouse ${wave.warehouseNo}`, traceId: null });
  if (taken.length > 0) {
    await acceptTransfers(
      tx,
      taken.map((one) => one.transferId),
    );
  }
  if (refused.length > 0) {
    await rejectTransfers(
      tx,
      refused.map(({ transferId }) => ({ transferId, reason: rejected.get(transferId)! })),
    );
  }
  return { kind: 'recorded', accepted: taken.length, rejected: refused.length };
}

async function moveToWarehouse(tx: Tx, orders: { orderId: number }[], cause: Cause): Promise<void> {
  await moveOrders(
    tx,
    orders.map(({ orderId }) => ({ orderId, status: 'pending_warehouse_transfer', event: 'transfer', cause })),
  );
}

/** Notes that this order makes its warehouse fail. It is in doubt as before, and so is neither put aside nor can it be cancelled. */
export async function noteStuck(
  tx: Tx,
  wave: Wave,
  { transferId }: Transfer,
  why: string,
  rules: PushRules,
): Promise<{ kind: 'noted' } | { kind: 'lost' }> {
  if ((await holdWave(tx, wave, rules.leaseSeconds)) === null) return { kind: 'lost' };
  await noteFailedTry(tx, [transferId], why);
  return { kind: 'noted' };
}

export interface FailedTry {
  /** What was being sent; taken back where nothing of it can have arrived, so that these orders can still be cancelled. */
  transfers: Transfer[];
  isTakenBack: boolean;
  why: string;
  askedForSeconds: number;
}

/** Ends a wave that could not be finished; the next one begins with the same orders. Returns how long that is; null: it is somebody else's. */
export async function failWave(tx: Tx, wave: Wave, failed: FailedTry, rules: PushRules): Promise<number | null> {
  const { transfers, isTakenBack, why, askedForSeconds } = failed;
  const failures = wave.failures + 1;
  const afterSeconds = retrySeconds(failures, askedForSeconds, rules, Math.random());
  if (!(await endWave(tx, wave, { failures, outcome: `failed: ${why}`, afterSeconds }))) return null;

  const transferIds = transfers.map((one) => one.transferId);
  if (isTakenBack) await takeBackTransfers(tx, transferIds, why);
  else if (transferIds.length > 0) await noteFailedTry(tx, transferIds, why);
  return afterSeconds;
}

/** Gives these orders to a simulated warehouse, all at once. */
export async function handOverToSimulator(
  tx: Tx,
  wave: Wave & { connector: Connector & { type: 'simulator' } },
  orderIds: number[],
  rules: PushRules,
): Promise<{ kind: 'handed_over'; count: number } | Overtaken> {
  const overtaken = await whyOvertaken(tx, wave, rules);
  if (overtaken) return overtaken;

  const stepSeconds = wave.connector.step_s ?? stepSecondsDefault;
  const cause = { actor: `warehouse ${wave.warehouseNo}`, traceId: null };
  return { kind: 'handed_over', count: await handOver(tx, wave.warehouseNo, orderIds, { stepSeconds, cause }) };
}

async function handOver(
  tx: Tx,
  warehouseNo: number,
  orderIds: number[],
  { stepSeconds, cause }: { stepSeconds: number | null; cause: Cause },
): Promise<number> {
  const pending = await lockPendingOrders(tx, warehouseNo, orderIds);
  const taken = await insertAccepted(tx, pending, stepSeconds);
  await moveToWarehouse(
    tx,
    taken.map((orderId) => ({ orderId })),
    cause,
  );
  return taken.length;
}

export type PushByHandOutcome =
  | { kind: 'not_found' }
  /** The orders of a manual warehouse are its own now. */
  | { kind: 'transferred'; count: number; hasMore: boolean }
  /** The wave of another one is due at once. */
  | { kind: 'hastened'; connector: 'http' | 'simulator' };

export interface PushByHandOptions {
  /** Told after each batch how many it were so far. */
  onProgress?: (count: number) => void;
  /** It ends after the batch in which this time is up, and says whether more wait. */
  workMaxMs?: number;
}

/** What a person does: takes everything that waits for a manual warehouse, or lets the wave of another one begin now. */
export async function pushByHand(
  database: Database,
  warehouseNo: number,
  cause: Cause,
  { onProgress = () => {}, workMaxMs = Number.POSITIVE_INFINITY }: PushByHandOptions = {},
): Promise<PushByHandOutcome> {
  const untilMs = performance.now() + workMaxMs;
  const connector = await database.transaction(async (tx) => {
    const found = await lockSchedule(tx, warehouseNo);
    if (found && found.type !== 'manual') await hastenWave(tx, warehouseNo);
    return found;
  });
  if (connector === null) return { kind: 'not_found' };
  if (connector.type !== 'manual') return { kind: 'hastened', connector: connector.type };

  let count = 0;
  let hasBegun = false;
  const what = { warehouseNo, upTo: 'infinity', passedBy: passedByHandOver };
  for await (const orderIds of pendingBatches(database, what, { pageMax: pushRules.pageMax, batchMax: pushRules.handedOverMax })) {
    if (hasBegun && performance.now() >= untilMs) return { kind: 'transferred', count, hasMore: true };
    hasBegun = true;
    count += await database.transaction((tx) => takeByHand(tx, warehouseNo, orderIds, cause));
    onProgress(count);
  }
  return { kind: 'transferred', count, hasMore: false };
}

/** None, where the warehouse has become another one's business meanwhile. */
async function takeByHand(tx: Tx, warehouseNo: number, orderIds: number[], cause: Cause): Promise<number> {
  const connector = await lockSchedule(tx, warehouseNo);
  if (connector?.type !== 'manual') return 0;
  return await handOver(tx, warehouseNo, orderIds, { stepSeconds: null, cause });
}

const retriedAtOnceMax = 500;

/** Any number of orders that were put aside, batch by batch; returns how many are in line again. */
export async function retryRejected(database: Database, orderIds: number[]): Promise<number> {
  let count = 0;
  for (let start = 0; start < orderIds.length; start += retriedAtOnceMax) {
    const batch = orderIds.slice(start, start + retriedAtOnceMax);
    count += (await database.transaction((tx) => letRejectedWait(tx, batch))).length;
  }
  return count;
}
