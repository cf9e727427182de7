import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import type { AccountName } from '../partners/partner-queries.ts';
import type { Movement } from '../stock/movement.ts';
import { recordMovements } from '../stock/stock-queries.ts';
import {
  compareInbounds,
  compareMoves,
  findAuditedAccount,
  lockHolding,
  lockLotSums,
  type OrderHolding,
  recordMissingMovement,
} from './audit-queries.ts';
import { emptyStates, holdingStates } from './audit-stock.ts';
import type {
  BalanceFinding,
  DeliveryFinding,
  Finding,
  InboundFinding,
  LockFinding,
  MoveFinding,
  ParcelFinding,
  ReferenceFinding,
} from './finding.ts';
import { compareDeliveries, compareParcels } from './parcel-audit-queries.ts';
import { findBroken, references } from './reference-queries.ts';

export type RepairOutcome =
  | { kind: 'repaired'; what: string }
  | { kind: 'needs_a_person'; why: string }
  | { kind: 'nothing_left' };

interface Taken {
  lotId: number;
  qty: number;
}

export interface Repair {
  finding: Finding;
  outcome: RepairOutcome;
}

/** Repairs balances first, so that locks are then compared with correct balances. */
export async function repairAll(database: Database, findings: Finding[], actor: string): Promise<Repair[]> {
  const repairs: Repair[] = [];
  for (const finding of findings.toSorted((a, b) => a.kind.localeCompare(b.kind))) {
    repairs.push({ finding, outcome: await repairFinding(database, finding, actor) });
  }
  return repairs;
}

/**
 * Repairs a finding by `adjust` movements that state the reason. A balance that was changed without a movement stays
 * and gets the missing movement, because somebody said that the goods are there. Locks follow the orders: units that no
 * open order needs are released, by an `unlock` movement if the order records them as short.
 */
export async function repairFinding(database: Database, finding: Finding, actor: string): Promise<RepairOutcome> {
  const account = await database.read(noAccounts, (sql) => findAuditedAccount(sql, finding.accountNo));
  return await database.transaction([account.accountId], async (tx) => {
    switch (finding.kind) {
      case 'balance':
        return await repairBalance(tx, account, finding, actor);
      case 'lock':
        return await repairLock(tx, account, finding, actor);
      case 'parcel':
        return await packAgain(tx, account, finding);
      case 'delivery':
        return await deliverAgain(tx, account, finding);
      case 'inbound':
        return await lookAgain(tx, account, finding);
      case 'move':
        return await compareAgain(tx, account, finding);
      case 'reference':
        return await followAgain(tx, account, finding);
      default:
        return finding satisfies never;
    }
  });
}

async function repairBalance(
  tx: Tx,
  { accountId }: AccountName,
  { lotId }: BalanceFinding,
  actor: string,
): Promise<RepairOutcome> {
  const sums = await lockLotSums(tx, accountId, lotId);
  if (sums === null)
    return { kind: 'needs_a_person', why: 'the lot is missing, and nobody but its owner knows what it was' };

  const onHandDelta = sums.onHand - sums.onHandMoved;
  const lockedDelta = sums.locked - sums.lockedMoved;
  if (onHandDelta === 0 && lockedDelta === 0) return { kind: 'nothing_left' };
  if (sums.lockedMoved > sums.onHand) {
    return { kind: 'needs_a_person', why: `orders hold ${sums.lockedMoved}, but only ${sums.onHand} are on hand` };
  }

  const reason = 'audit: the balance had been changed without a movement';
  await recordMissingMovement(tx, lotId, { accountId, onHandDelta, lockedDelta, actor, reason });
  if (lockedDelta !== 0) {
    const undo = {
      accountId,
      lotId,
      kind: 'adjust',
      onHandDelta: 0,
      lockedDelta: -lockedDelta,
      cause: causeOf(actor),
    } as const;
    await recordMovements(tx, [{ ...undo, reason: 'audit: locked again as the orders hold it' }]);
  }
  return { kind: 'repaired', what: `recorded ${signed(onHandDelta)} on hand, undid ${signed(lockedDelta)} locked` };
}

async function repairLock(
  tx: Tx,
  { accountId }: AccountName,
  { orderId, skuId }: LockFinding,
  actor: string,
): Promise<RepairOutcome> {
  const { status, ordered, shipped, unreleased, holdings } = await lockHolding(tx, accountId, orderId, skuId);

  const isHolding = status !== null && holdingStates.includes(status);
  const owed = isHolding ? ordered : status === 'partially_shipped' ? ordered - shipped : 0;
  const held = holdings.reduce((sum, holding) => sum + holding.held, 0);
  if (held === owed) return { kind: 'nothing_left' };
  if (held < owed)
    return { kind: 'needs_a_person', why: `the order holds ${held} of ${owed}: cancel it, or send it again` };

  const reason = `audit: freed, because ${status === null ? 'no order' : `an order in state ${status}`} is owed it`;
  // Units that are recorded as short are released as by the report of the warehouse, so that both stay equal.
  const unlocked = freeUnits(holdings, Math.min(held - owed, unreleased));
  const adjusted = freeUnits(unlocked.rest, held - owed - Math.min(held - owed, unreleased));
  const movements = [
    ...unlocked.freed.map((freed) => ({ ...freed, kind: 'unlock' as const })),
    ...adjusted.freed.map((freed) => ({ ...freed, kind: 'adjust' as const })),
  ].map(({ lotId, kind, qty }): Movement => {
    const freed = { accountId, lotId, kind, onHandDelta: 0, lockedDelta: -qty, cause: causeOf(actor), reason };
    return orderId === null ? freed : { ...freed, orderId };
  });
  await recordMovements(tx, movements);
  return { kind: 'repaired', what: `freed ${held - owed}` };
}

/** Takes units from the latest lots first. Returns what is taken and what is still held. */
function freeUnits(holdings: OrderHolding[], wanted: number): { freed: Taken[]; rest: OrderHolding[] } {
  if (wanted === 0) return { freed: [], rest: holdings };
  let missing = wanted;
  const taken = holdings.toReversed().map(({ lotId, held }) => {
    const qty = Math.min(missing, held);
    missing -= qty;
    return { lotId, qty, held: held - qty };
  });
  return {
    freed: taken.filter(({ qty }) => qty !== 0).map(({ lotId, qty }) => ({ lotId, qty })),
    rest: taken.map(({ lotId, held }) => ({ lotId, held })).toReversed(),
  };
}

/** Only the warehouse knows what left in which parcel, so this finding is not repaired but checked again. */
async function packAgain(tx: Tx, account: AccountName, { orderId, skuId }: ParcelFinding): Promise<RepairOutcome> {
  const findings = await compareParcels(tx, { ...account, from: orderId, to: orderId });
  if (!findings.some((finding) => finding.skuId === skuId)) return { kind: 'nothing_left' };
  return { kind: 'needs_a_person', why: 'only the warehouse knows what left in which parcel' };
}

/** Only people know why the order was not delivered and what comes back, so this finding is checked again. */
async function deliverAgain(tx: Tx, account: AccountName, { orderId }: DeliveryFinding): Promise<RepairOutcome> {
  const findings = await compareDeliveries(tx, { ...account, from: orderId, to: orderId });
  if (findings.length === 0) return { kind: 'nothing_left' };
  return { kind: 'needs_a_person', why: 'only the carrier knows why the order failed and whether its goods come back' };
}

/** Only people at the warehouse know what really arrived, so this finding is not repaired but checked again. */
async function lookAgain(tx: Tx, account: AccountName, { inboundId, skuId }: InboundFinding): Promise<RepairOutcome> {
  const { findings } = await compareInbounds(tx, { ...account, from: inboundId, to: inboundId }, emptyStates);
  if (!findings.some((finding) => finding.skuId === skuId)) return { kind: 'nothing_left' };
  return {
    kind: 'needs_a_person',
    why: 'only a count in the warehouse tells what has arrived; correct the stock by it',
  };
}

/** Only people know in which of the two warehouses the units are, so this finding is not repaired but checked again. */
async function compareAgain(tx: Tx, account: AccountName, { stockChangeId }: MoveFinding): Promise<RepairOutcome> {
  const findings = await compareMoves(tx, { ...account, from: stockChangeId, to: stockChangeId });
  if (findings.length === 0) return { kind: 'nothing_left' };
  return { kind: 'needs_a_person', why: 'only a count in both warehouses tells where the units are; adjust by it' };
}

/** Only a backup tells what the row was that is missing now, so this finding is not repaired but checked again. */
async function followAgain(
  tx: Tx,
  account: AccountName,
  { table, target, id, targetId }: ReferenceFinding,
): Promise<RepairOutcome> {
  const alike = references.filter((one) => one.table === table && one.target === target);
  const broken = await Promise.all(alike.map((one) => findBroken(tx, { ...account, from: id, to: id }, one)));
  if (!broken.flat().some((finding) => finding.targetId === targetId)) return { kind: 'nothing_left' };
  return { kind: 'needs_a_person', why: 'only a backup tells what the missing row was' };
}

function causeOf(actor: string) {
  return { actor, traceId: null };
}

function signed(delta: number): string {
  return delta > 0 ? `+${delta}` : String(delta);
}
