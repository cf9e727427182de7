import { contentDigest } from '../../platform/json/content-digest.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import { changeLots, creatingLots } from './change-stock.ts';
import { type ExpiredLot, type ExpiredSelection, findBlockable, findNumberedChanges } from './expired-queries.ts';
import { freeOf } from './lot.ts';
import type { Cause } from './movement.ts';
import type { ChangedLot, LotChange } from './stock-change.ts';
import { findStockChange, type StockChangeName } from './stock-change-queries.ts';

/** One request changes at most this many lots, so that its transactions stay short. */
export const blockedLotsMax = 500;

export interface BlockExpired {
  accountIds: number[];
  selection: ExpiredSelection;
  /** A repeat with the same number changes nothing and gets the same result. */
  referenceNo: string;
  reason: string;
  cause: Cause;
}

export type BlockExpiredOutcome =
  | {
      kind: 'blocked';
      lots: number;
      units: number;
      /** There are more lots than one request changes. */
      isMore: boolean;
    }
  /** The number exists with different content: nothing changes. */
  | { kind: 'conflict' };

/**
 * Moves the free units of expired good lots to bad, so that no order gets them. Units that orders have locked stay. Each
 * account is one transaction with the number of the request.
 */
export async function blockExpired(database: Database, wanted: BlockExpired): Promise<BlockExpiredOutcome> {
  const { accountIds, selection, referenceNo } = wanted;
  const name = { kind: 'adjust', referenceNo, payloadDigest: digestOf(wanted) } as const;
  const blockable = await database.read(accountIds, (sql) =>
    findBlockable(sql, accountIds, selection, blockedLotsMax + 1),
  );
  // Only now: a repeat that finds the lots already blocked must find the number.
  const numbered = await database.read(accountIds, (sql) => findNumberedChanges(sql, accountIds, referenceNo));
  if (numbered.some(({ payloadDigest }) => payloadDigest !== name.payloadDigest)) return { kind: 'conflict' };
  const concerned = new Set([...numbered, ...blockable].map(({ accountId }) => accountId));

  let [lots, units, isMore] = [0, 0, false];
  for (const accountId of accountIds.filter((one) => concerned.has(one))) {
    const room = blockedLotsMax - lots;
    const blocked = room > 0 ? await blockInAccount(database, accountId, { ...wanted, name, room }) : null;
    if (blocked === 'conflict') return { kind: 'conflict' };
    lots += blocked?.lots ?? 0;
    units += blocked?.units ?? 0;
    isMore ||= blocked?.isMore ?? true;
  }
  return { kind: 'blocked', lots, units, isMore };
}

/** The day is no part of it: a repeat after midnight is still a repeat. */
function digestOf({ selection: { warehouseNos }, reason }: BlockExpired): string {
  return contentDigest(['block expired', warehouseNos?.toSorted((one, other) => one - other) ?? null, reason]);
}

type Blocking = BlockExpired & { name: StockChangeName; room: number };
type Blocked = { lots: number; units: number; isMore: boolean };

/** Orders may lock units between the look and the lock; then the next look finds fewer free ones. */
const looksMax = 5;

async function blockInAccount(
  database: Database,
  accountId: number,
  blocking: Blocking,
): Promise<Blocked | 'conflict' | null> {
  const refusedLotIds = new Set<number>();
  for (let looks = 1; looks <= looksMax; looks++) {
    const blocked = await creatingLots(database, accountId, (tx) => blockOnce(tx, accountId, blocking, refusedLotIds));
    if (blocked !== 'look_again') return blocked;
  }
  throw new Error(`the expired lots of account ${accountId} changed during each of ${looksMax} attempts`);
}

async function blockOnce(
  tx: Tx,
  accountId: number,
  { selection, name, reason, cause, room }: Blocking,
  refusedLotIds: Set<number>,
): Promise<Blocked | 'conflict' | 'look_again' | null> {
  const found = await findBlockable(tx, [accountId], selection, room + refusedLotIds.size + 1);
  const possible = found.filter(({ lotId }) => !refusedLotIds.has(lotId));
  const lots = possible.slice(0, room);
  if (lots.length === 0) {
    const original = await findStockChange(tx, accountId, name.referenceNo);
    return original && { ...sumOf(original.lots), isMore: false };
  }

  const changes = lots.flatMap((lot) => changesOf(lot, reason));
  const outcome = await changeLots(tx, { accountId, changes, name, cause });
  switch (outcome.kind) {
    case 'changed':
    case 'repeated':
      return { ...sumOf(outcome.lots), isMore: possible.length > lots.length };
    case 'conflict':
      return 'conflict';
    case 'refused':
      // A lot in a warehouse that the account has left cannot be regraded; the others can.
      for (const { index, refused } of outcome.mistakes)
        if (refused.kind !== 'too_few_free') refusedLotIds.add(lots[Math.floor(index / 2)]!.lotId);
      return 'look_again';
    default:
      return outcome satisfies never;
  }
}

function changesOf(lot: ExpiredLot, reason: string): LotChange[] {
  const { skuId, warehouseNo, batchId, expireDate } = lot;
  const name = { skuId, warehouseNo, batchId, expireDate };
  const units = freeOf(lot);
  return [
    { lot: { ...name, stockType: 'good' }, units: { delta: -units }, reason },
    { lot: { ...name, stockType: 'bad' }, units: { delta: units }, reason },
  ];
}

/** Each lot has two results: one of its good units and one of its bad units. */
function sumOf(results: ChangedLot[]): { lots: number; units: number } {
  const arrived = results.filter(({ delta }) => delta > 0);
  return { lots: arrived.length, units: arrived.reduce((sum, { delta }) => sum + delta, 0) };
}
