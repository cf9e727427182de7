import { groupByAccount, perAccount } from '../../platform/postgres/per-account.ts';
import { type Fragment, fragment, type Sql, type Tx } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { Cause } from '../stock/movement.ts';
import type { TimelineEntry } from './timeline.ts';

export type DocumentTable = 'order' | 'inbound';

/** A change of state that the state tables allow. */
export interface StateChange {
  accountId: number;
  documentId: number;
  event: string;
  from: string;
  to: string;
  cause: Cause;
}

/**
 * The only function that changes the state of documents; it records each change. Several changes of one document are
 * applied one after the other. A document that is not in the `from` state stays as it is. A change that leads to the
 * same state only updates `updated_at` and is not recorded. `updated_at` is the time of the last recorded change, not
 * the start of the transaction, which may have waited for locks. Returns the number of recorded changes.
 */
export async function changeStates(tx: Tx, type: DocumentTable, changes: StateChange[]): Promise<number> {
  const counts = await Promise.all(
    groupByAccount(changes).flatMap(([accountId, own]) =>
      inTurns(own).map((turn) => changeOnce(tx, type, accountId, turn)),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * One statement can change a document only once, so a second change of the same document goes into the next statement.
 */
function inTurns(changes: StateChange[]): StateChange[][] {
  const turns: StateChange[][] = [];
  const countOf = new Map<number, number>();
  for (const change of changes) {
    const count = countOf.get(change.documentId) ?? 0;
    countOf.set(change.documentId, count + 1);
    turns[count] ??= [];
    turns[count].push(change);
  }
  return turns;
}

/**
 * width_bucket finds the index of a document in the sorted ids, as for lots. `coalesce` changes nothing, here and in other
 * statements with arrays, but Citus 13.2 crashes if a column is set to an element of an array as such.
 */
async function changeOnce(tx: Tx, type: DocumentTable, accountId: number, changes: StateChange[]): Promise<number> {
  const sorted = changes.toSorted((a, b) => a.documentId - b.documentId);
  const [table, id] = type === 'order' ? [tx`orders`, tx`order_id`] : [tx`inbound_document`, tx`inbound_id`];
  const place = tx`width_bucket(${id}, ${sorted.map((change) => change.documentId)}::bigint[])`;
  const from = tx`(${sorted.map((change) => change.from)}::text[])`;
  const to = tx`(${sorted.map((change) => change.to)}::text[])`;
  const isMoved = tx`
    account_id = ${accountId} and ${id} = any(${sorted.map((change) => change.documentId)}) and status = ${from}[${place}]`;
  const update = (at: Fragment) => tx`
    update ${table} set status = coalesce(${to}[${place}]), updated_at = ${at} where ${isMoved}`;
  const record = (moved: Fragment, at: Fragment) => tx`
    insert into state_change (account_id, document_type, document_id, event, from_state, to_state, at, actor, trace_id)
    select ${accountId}::bigint, ${type}, document_id, (${sorted.map((change) => change.event)}::text[])[place], ${from}[place], ${to}[place],
      ${at}, (${sorted.map((change) => change.cause.actor)}::text[])[place], (${sorted.map((change) => change.cause.traceId)}::uuid[])[place]
    from ${moved} where ${from}[place] <> ${to}[place] order by document_id`;
  if (tx.isDistributed) {
    // Citus does not insert what another part of the statement returns, and each of its servers has a clock of its own, so
    // both statements get the time of this node. The lock keeps the documents as they are found.
    const found = tx`(select ${id} as document_id, ${place} as place from ${table} where ${isMoved}) as moved`;
    const locked = tx`select from ${table} where ${isMoved} order by ${id} for no key update`;
    const at = fragment`${new Date()}`;
    const [, recorded] = await Promise.all([locked.execute(), record(found, at).execute(), update(at).execute()]);
    return recorded.count;
  }
  const recorded = await tx`
    with moved as (${update(fragment`clock_timestamp()`)} returning ${id} as document_id, ${place} as place, updated_at as moved_at)
    ${record(fragment`moved`, fragment`moved_at`)}`;
  return recorded.count;
}

export interface DocumentKey {
  accountId: number;
  documentId: number;
}

export async function findStateChanges(
  sql: Sql,
  type: DocumentTable,
  documents: DocumentKey[],
): Promise<(TimelineEntry & { documentId: number })[]> {
  return await perAccount(
    documents,
    (accountId, own) => sql<(TimelineEntry & { documentId: number })[]>`
      select document_id as "documentId", event, from_state as "from", to_state as "to", ${sql.unsafe(taipeiTime('at'))}, actor, trace_id as "traceId"
      from state_change where account_id = ${accountId} and document_type = ${type}
        and document_id = any(${own.map((one) => one.documentId)}) order by document_id, state_change_id`,
  );
}

export async function findChangesOf(sql: Sql, type: DocumentTable, document: DocumentKey): Promise<TimelineEntry[]> {
  const changes = await findStateChanges(sql, type, [document]);
  return changes.map(({ documentId: _, ...change }) => change);
}
