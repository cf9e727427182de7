import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { StockType } from './lot.ts';
import type { MovementKind } from './movement.ts';

export interface FoundMovement {
  at: string;
  kind: MovementKind;
  warehouse_no: number;
  stock_type: StockType;
  batch_id: string;
  expire_date: string | null;
  on_hand_delta: number;
  locked_delta: number;
  /** null: no document, or one that has been purged. */
  document_type: 'order' | 'inbound' | null;
  /** The partner's number of the document. */
  document_no: string | null;
  actor: string;
  trace_id: string | null;
  reason: string | null;
  /** The number that the caller gave to an adjustment or a move. */
  reference_no: string | null;
  /** Only moves: the warehouse on its other side. */
  other_warehouse_no: number | null;
}

/** The ledger of a sku, newest movement first; null if the account has no such product. */
export async function findMovements(
  sql: Sql,
  { accountId, skuId, warehouseNo }: { accountId: number; skuId: string; warehouseNo: number | null },
  limit: number,
): Promise<FoundMovement[] | null> {
  const [product] = await sql<{ product_id: number }[]>`
    select product_id from product where account_id = ${accountId} and sku_id = ${skuId}`;
  if (!product) return null;
  return await sql<FoundMovement[]>`
    with newest as (
      select m.*, warehouse_no, stock_type, batch_id, expire_date as lot_expires from lot
      cross join lateral (
        select * from movement where movement.account_id = ${accountId} and movement.lot_id = lot.lot_id
        order by movement_id desc limit ${limit}
      ) m
      where lot.account_id = ${accountId} and product_id = ${product.product_id}
        and (${warehouseNo}::integer is null or warehouse_no = ${warehouseNo})
      order by movement_id desc limit ${limit}
    )
    select ${sql.unsafe(taipeiTime('newest.at', 'at'))}, newest.kind, newest.warehouse_no, newest.stock_type, newest.batch_id,
      nullif(lot_expires, 'infinity') as expire_date, on_hand_delta, locked_delta,
      case when o.order_id is not null then 'order' when d.inbound_id is not null then 'inbound' end as document_type,
      coalesce(o.partner_number, d.partner_number) as document_no, newest.actor, newest.trace_id, newest.reason,
      newest.reference_no, newest.other_warehouse_no
    from newest
    left join orders o on o.account_id = ${accountId} and o.order_id = newest.order_id
    left join inbound_document d on d.account_id = ${accountId} and d.inbound_id = newest.inbound_id
    order by movement_id desc`;
}
