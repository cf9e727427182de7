import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import { inEveryAccount } from '../partners/every-account.ts';
import type { StockType } from './lot.ts';
import type { MovementKind } from './movement.ts';
import type { LotName } from './stock-change.ts';

export interface LotFacts {
  lot_id: number;
  account_id: number;
  account_no: string;
  product_id: number;
  sku_id: string;
  product_name: string;
  warehouse_no: number;
  warehouse_name: string | null;
  stock_type: StockType;
  batch_id: string;
  expire_date: string | null;
  on_hand: number;
  locked: number;
  created_at: string;
}

export interface LedgerMovement {
  movement_id: number;
  at: string;
  kind: MovementKind;
  on_hand_delta: number;
  locked_delta: number;
  order_id: number | null;
  inbound_id: number | null;
  /** The partner's number of the document; null: no document, or one that has been purged. */
  document_no: string | null;
  actor: string;
  trace_id: string | null;
  reason: string | null;
  /** The number that the caller gave to an adjustment or a move. */
  reference_no: string | null;
  /** Only moves: the warehouse on its other side. */
  other_warehouse_no: number | null;
}

/** Larger than every id; with an optional condition a page could not start in the index. */
const newest = '9223372036854775807';

export interface LotId {
  accountId: number;
  lotId: number;
}

/** The account of a lot; null if there is no such lot. */
export async function findLotId(sql: Sql, lotId: number): Promise<LotId | null> {
  const [found] = await inEveryAccount(
    sql,
    (own, accountId) =>
      own<
        LotId[]
      >`select ${camelColumns('account_id, lot_id')} from lot where account_id = ${accountId} and lot_id = ${lotId}`,
  );
  return found ?? null;
}

/**
 * A lot and its newest movements before a given one, read in one statement so that they are consistent; null if there
 * is no such lot.
 */
export async function findLedgerPage(
  sql: Sql,
  { accountId, lotId, before, limit }: LotId & { before: number | null; limit: number },
): Promise<{ lot: LotFacts; movements: LedgerMovement[] } | null> {
  const rows = await sql<(LotFacts & { movement: LedgerMovement | null })[]>`
    select lot_id, l.account_id, account_no, l.product_id, l.sku_id, p.name as product_name, l.warehouse_no, w.name as warehouse_name, stock_type,
      batch_id, nullif(expire_date, 'infinity') as expire_date, on_hand, locked, ${sql.unsafe(taipeiTime('l.created_at', 'created_at'))}, movement
    from lot l
    join account using (account_id) join product p using (account_id, product_id) left join warehouse w using (warehouse_no)
    left join lateral (
      select movement_id, to_jsonb(told) as movement from (
        select movement_id, ${sql.unsafe(taipeiTime('at'))}, kind, on_hand_delta, locked_delta, order_id, inbound_id,
          coalesce((select partner_number from orders o where o.account_id = ${accountId} and o.order_id = m.order_id),
            (select partner_number from inbound_document d where d.account_id = ${accountId} and d.inbound_id = m.inbound_id)) as document_no,
          actor, trace_id, reason, reference_no, other_warehouse_no
        from movement m where m.account_id = ${accountId} and m.lot_id = l.lot_id and movement_id < coalesce(${before}::bigint, ${newest}::bigint)
        order by movement_id desc limit ${limit}
      ) told
    ) ledger on true
    where l.account_id = ${accountId} and lot_id = ${lotId} order by movement_id desc`;
  const [first] = rows;
  if (!first) return null;
  const { movement: _, ...lot } = first;
  return { lot, movements: rows.flatMap(({ movement }) => movement ?? []) };
}

export interface LotBalance {
  lot_id: number;
  on_hand: number;
  locked: number;
}

/** The lot that differs only in its stock type. */
export async function findCounterpart(sql: Sql, { accountId, lotId }: LotId): Promise<LotBalance | null> {
  const [row] = await sql<LotBalance[]>`
    select other.lot_id, other.on_hand, other.locked from lot
    join lot other using (account_id, product_id, warehouse_no, batch_id, expire_date)
    where account_id = ${accountId} and lot.lot_id = ${lotId} and other.lot_id <> ${lotId} and other.stock_type = case lot.stock_type when 'good' then 'bad' else 'good' end`;
  return row ?? null;
}

/** A lot as people refer to it, and its account. */
export async function findLotName(sql: Sql, lotId: number): Promise<{ accountId: number; lot: LotName } | null> {
  const [row] = await inEveryAccount(
    sql,
    (own, accountId) => own<(LotName & { accountId: number })[]>`
      select ${camelColumns('account_id, warehouse_no, sku_id, stock_type, batch_id')}, nullif(expire_date, 'infinity') as "expireDate"
      from lot where account_id = ${accountId} and lot_id = ${lotId}`,
  );
  if (!row) return null;
  const { accountId, ...lot } = row;
  return { accountId, lot };
}
