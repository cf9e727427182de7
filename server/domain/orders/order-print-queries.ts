import { perAccount } from '../../platform/postgres/per-account.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { OrderKey } from './order.ts';
import type { PrintableOrder, PrintDocument } from './order-print.ts';
import { isHeld } from './order-search-queries.ts';

export async function findPrintableOrders(sql: Sql, orders: OrderKey[]): Promise<PrintableOrder[]> {
  return await perAccount(
    orders,
    (accountId, own) => sql<PrintableOrder[]>`
      select o.account_id, order_id, environment, order_no, partner_number, o.name, status, warehouse_no, logistics_type, express_type,
        shipment_no, carrier, coalesce((select w.name from warehouse w where w.warehouse_no = o.warehouse_no), '') as warehouse_name,
        coalesce((select s.name from store s where s.store_no = o.store_no), '') as store_name,
        ${sql.unsafe(taipeiTime('created_at'))}, ${sql.unsafe(isHeld)} as held, recipient_erased_at is not null as is_erased
      from orders o where account_id = ${accountId} and order_id = any(${own.map(({ orderId }) => orderId)}::bigint[])`,
  );
}

export interface Print {
  document: PrintDocument;
  printId: string;
  printedBy: string;
}

/**
 * Counts a print of these orders of one account, unless it was counted before. Returns how often each was printed, without
 * orders that were purged meanwhile: the lock keeps a purge from leaving rows of orders that do not exist.
 */
export async function countPrints(
  tx: Tx,
  accountId: number,
  orderIds: number[],
  { document, printId, printedBy }: Print,
): Promise<{ order_id: number; prints: number }[]> {
  const found = await tx<{ order_id: number }[]>`
    select order_id from orders where account_id = ${accountId} and order_id = any(${orderIds}::bigint[]) order by order_id for key share`;
  const present = found.map(({ order_id }) => order_id);
  // The order of the ids keeps two prints of the same orders from waiting for each other.
  await tx`
    insert into order_print (account_id, order_id, document, prints, print_id, printed_by)
    select ${accountId}::bigint, order_id, ${document}::text, 1, ${printId}::uuid, ${printedBy}::text
    from unnest(${present}::bigint[]) as given(order_id) order by order_id
    on conflict (account_id, order_id, document) do update set prints = order_print.prints + 1, print_id = excluded.print_id,
      printed_at = excluded.printed_at, printed_by = excluded.printed_by
    where order_print.print_id <> excluded.print_id`.execute();
  return await tx<{ order_id: number; prints: number }[]>`
    select order_id, prints from order_print
    where account_id = ${accountId} and order_id = any(${present}::bigint[]) and document = ${document}`;
}
