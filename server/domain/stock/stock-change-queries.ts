import { rowParameters } from '../../platform/postgres/row-parameters.ts';
import { type Fragment, fragment, type Tx } from '../../platform/postgres/sql.ts';
import type { Cause, Movement } from './movement.ts';
import type { ChangedLot } from './stock-change.ts';
import { type NewLot, recordMovementsBy } from './stock-queries.ts';

/** The caller's number of an adjustment or a move, and the digest of its content. */
export interface StockChangeName {
  kind: 'adjust' | 'move';
  referenceNo: string;
  payloadDigest: string;
}

/** The results of a change in a row of the table: on hand, locked, and the difference that was recorded. */
type StoredResult = [onHand: number, locked: number, delta: number][];

export async function findStockChange(
  tx: Tx,
  accountId: number,
  referenceNo: string,
): Promise<{ payloadDigest: string; lots: ChangedLot[] } | null> {
  const [row] = await tx<{ payloadDigest: string; result: StoredResult }[]>`
    select payload_digest as "payloadDigest", result from stock_change
    where account_id = ${accountId} and reference_no = ${referenceNo}`;
  if (!row) return null;
  const lots = row.result.map(([onHand, locked, delta]) => ({ onHand, locked, delta }));
  return { payloadDigest: row.payloadDigest, lots };
}

/** Writes the movements and balances of a change, and its number with the result. */
export async function writeStockChange(
  tx: Tx,
  accountId: number,
  change: StockChangeName & { lots: ChangedLot[]; cause: Cause },
  movements: Movement[],
  newLots: NewLot[],
): Promise<void> {
  const { kind, referenceNo, payloadDigest, lots, cause } = change;
  const result: StoredResult = lots.map(({ onHand, locked, delta }) => [onHand, locked, delta]);
  const insert = () => {
    if (tx.isDistributed) return insertApart(tx, accountId, { ...change, result }, movements);
    return tx`
      with moved as (${referencedInsert(accountId, referenceNo, movements)} returning lot_id, movement_id)
      insert into stock_change (account_id, kind, reference_no, payload_digest, result, lot_ids, movement_ids, actor, trace_id)
      select ${accountId}::bigint, ${kind}::text, ${referenceNo}::text, ${payloadDigest}::text, ${tx.json(result)}::jsonb,
        coalesce(array_agg(lot_id), '{}'), coalesce(array_agg(movement_id), '{}'), ${cause.actor}::text, ${cause.traceId}::uuid
      from moved`.execute();
  };
  await recordMovementsBy(insert, tx, accountId, movements, newLots);
}

/** On Citus, an insert is no part of a larger statement. */
async function insertApart(
  tx: Tx,
  accountId: number,
  { kind, referenceNo, payloadDigest, result, cause }: StockChangeName & { result: StoredResult; cause: Cause },
  movements: Movement[],
): Promise<void> {
  const moved =
    movements.length === 0
      ? []
      : await tx<{ lotId: number; movementId: number }[]>`
          ${referencedInsert(accountId, referenceNo, movements)} returning lot_id as "lotId", movement_id as "movementId"`;
  await tx`
    insert into stock_change (account_id, kind, reference_no, payload_digest, result, lot_ids, movement_ids, actor, trace_id)
    values (${accountId}::bigint, ${kind}::text, ${referenceNo}::text, ${payloadDigest}::text, ${tx.json(result)}::jsonb,
      ${moved.map(({ lotId }) => lotId)}::bigint[], ${moved.map(({ movementId }) => movementId)}::bigint[],
      ${cause.actor}::text, ${cause.traceId}::uuid)`.execute();
}

/** Movements with a number. The composite type of all other movements cannot get columns while older versions run. */
const referencedRows = rowParameters<Movement>({
  lot_id: ['bigint', (movement) => movement.lotId],
  kind: ['text', (movement) => movement.kind],
  on_hand_delta: ['bigint', (movement) => movement.onHandDelta],
  locked_delta: ['bigint', (movement) => movement.lockedDelta],
  actor: ['text', (movement) => movement.cause.actor],
  trace_id: ['uuid', (movement) => movement.cause.traceId],
  reason: ['text', (movement) => movement.reason ?? null],
  other_warehouse_no: ['integer', (movement) => movement.otherWarehouseNo ?? null],
});

function referencedInsert(accountId: number, referenceNo: string, movements: Movement[]): Fragment {
  return fragment`
    insert into movement (account_id, reference_no, lot_id, kind, on_hand_delta, locked_delta, actor, trace_id, reason, other_warehouse_no)
    select ${accountId}::bigint, ${referenceNo}::text, given.* from ${referencedRows.given(movements)}`;
}
