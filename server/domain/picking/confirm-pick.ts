import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import { findScanned } from '../products/product-code-queries.ts';
import { linesOf, type PickBatch, type PickLine, type PutUnits, planPut, remainingOf } from './pick-batch.ts';
import { changeTasks, findScan, insertScan, lockBatch, lockOrders, type NewScan, readContent } from './pick-queries.ts';

export interface LineKey {
  accountId: number;
  lotId: number;
}

/** Units that staff took from a shelf. */
export interface FoundUnits extends NewScan {
  /** A sku, EAN or carton code; null: staff chose the line. */
  code: string | null;
  /** The line that staff work on. A scan may be of another line. */
  line: LineKey | null;
  /** How often the code counts, or the number of units if there is no code. */
  times: number;
}

export type ConfirmOutcome =
  | { kind: 'confirmed'; line: LineKey; skuId: string; units: number; put: PutUnits[]; remaining: number }
  | { kind: 'no_batch' }
  | { kind: 'closed' }
  /** No product has this code. */
  | { kind: 'unknown_code' }
  /** The product is not on the list, or no longer. */
  | { kind: 'not_on_list'; skuId: string | null }
  /** More units than the batch needs. */
  | { kind: 'surplus'; skuId: string; units: number; remaining: number }
  /** Products of several accounts have this code: staff choose the line first. */
  | { kind: 'several_accounts' };

/** Books units into the slots of a line. Nothing is booked unless all units are needed. */
export async function confirmPick(database: Database, found: FoundUnits): Promise<ConfirmOutcome> {
  return await database.transaction(noAccounts, async (tx) => {
    const batch = await lockBatch(tx, found.batchId);
    if (batch === null) return { kind: 'no_batch' };
    const earlier = await findScan<ConfirmOutcome>(tx, found.batchId, found.scanId);
    if (earlier !== null) return earlier;
    if (batch.closedAt !== null) return { kind: 'closed' };

    const own = tx.forAccounts(batch.accountIds);
    const chosen = await chooseLine(own, batch, found);
    if (chosen.kind !== 'chosen') return chosen;
    // An order that is cancelled before this lock has left the batch; one that is cancelled later finds its units picked.
    await lockOrders(own, ordersOf(chosen.line), 'share');
    const line = await lineNow(own, batch, chosen.line);
    const skuId = chosen.line.lot.skuId;
    if (line === null) return { kind: 'not_on_list', skuId };
    const { units } = chosen;
    const remaining = remainingOf(line);
    if (units > remaining) return { kind: 'surplus', skuId, units, remaining };

    const { accountId } = line;
    const { lotId } = line.lot;
    const put = planPut(line, units);
    const changes = put.map(({ orderId, units: picked }) => ({
      accountId,
      orderId,
      lotId,
      picked,
      short: 0,
      reason: null,
    }));
    const outcome = {
      kind: 'confirmed',
      line: { accountId, lotId },
      skuId,
      units,
      put,
      remaining: remaining - units,
    } as const;
    await changeTasks(own, found.batchId, changes);
    await insertScan(tx, found, outcome);
    return outcome;
  });
}

export function ordersOf({ accountId, slots }: PickLine): { accountId: number; orderId: number }[] {
  return slots.map(({ orderId }) => ({ accountId, orderId }));
}

/** The line as it is now; null: all its orders have left the batch. */
export async function lineNow(tx: Tx, batch: PickBatch, { accountId, lot }: Pick<PickLine, 'accountId' | 'lot'>) {
  return findLine(linesOf(await readContent(tx, batch)), { accountId, lotId: lot.lotId });
}

export function findLine(lines: PickLine[], { accountId, lotId }: LineKey): PickLine | null {
  return lines.find((line) => line.accountId === accountId && line.lot.lotId === lotId) ?? null;
}

type Chosen = { kind: 'chosen'; line: PickLine; units: number };

/** The line that a scan means: the one that staff work on if it has the product, otherwise the next open one that has. */
async function chooseLine(
  tx: Tx,
  batch: PickBatch,
  { code, line: wanted, times }: FoundUnits,
): Promise<Chosen | Extract<ConfirmOutcome, { kind: 'unknown_code' | 'not_on_list' | 'several_accounts' }>> {
  const lines = linesOf(await readContent(tx, batch));
  const current = wanted === null ? null : findLine(lines, wanted);
  if (code === null)
    return current === null ? { kind: 'not_on_list', skuId: null } : { kind: 'chosen', line: current, units: times };

  const scanned = await Promise.all(
    batch.accountIds.map(async (accountId) => ({ accountId, product: await findScanned(tx, accountId, code) })),
  );
  const known = scanned.flatMap(({ accountId, product }) => (product === null ? [] : [{ accountId, ...product }]));
  if (known.length === 0) return { kind: 'unknown_code' };
  const matches = known.flatMap(({ accountId, productId, units }) =>
    lines
      .filter((line) => line.accountId === accountId && line.lot.productId === productId)
      .map((line) => ({ kind: 'chosen' as const, line, units: units * times })),
  );
  if (matches.length === 0) return { kind: 'not_on_list', skuId: known[0]!.skuId };
  return nextOf(matches, current);
}

/** A complete line is chosen only if no other has the product: the scan is then surplus. */
function nextOf(matches: Chosen[], current: PickLine | null): Chosen | { kind: 'several_accounts' } {
  const open = matches.filter(({ line }) => remainingOf(line) > 0);
  const candidates = open.length > 0 ? open : matches;
  const working = candidates.find(({ line }) => current !== null && line.lot.lotId === current.lot.lotId);
  if (working) return working;
  const accounts = new Set(candidates.map(({ line }) => line.accountId));
  return accounts.size > 1 ? { kind: 'several_accounts' } : candidates[0]!;
}
