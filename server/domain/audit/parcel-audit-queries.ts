import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import { hasLeft, orderStatuses } from '../orders/order.ts';
import type { AuditedRange } from './audit-queries.ts';
import type { DeliveryFinding, ParcelFinding } from './finding.ts';

const leftStates = orderStatuses.filter(hasLeft);

/**
 * Finds orders in the range whose units do not add up: the parcels are not the shipped units, the short units were not
 * unlocked, or the ordered units are not those that were shipped, are short or are still held. (That the order really
 * holds the rest is a lock finding.) Orders that an earlier version shipped have no parcels.
 */
export async function compareParcels(
  sql: Sql | Tx,
  { accountId, accountNo, from, to }: AuditedRange,
): Promise<ParcelFinding[]> {
  const isInRange = sql`account_id = ${accountId} and order_id between ${from} and ${to}`;
  return await sql<ParcelFinding[]>`
    select 'parcel' as kind, ${camelColumns('sums.order_id, o.partner_number, o.status')}, ${accountNo} as "accountNo",
      ${camelColumns('p.sku_id')}, ordered, packed, shipped, short, unlocked
    from (
      select order_id, product_id, sum(ordered)::bigint as ordered, sum(packed)::bigint as packed, sum(shipped)::bigint as shipped,
        sum(short)::bigint as short, sum(unlocked)::bigint as unlocked
      from (
        select order_id, product_id, qty as ordered, 0 as packed, 0 as shipped, 0 as short, 0 as unlocked
        from order_line where ${isInRange}
        union all
        select order_id, product_id, 0, qty, 0, 0, 0 from parcel_item join lot using (account_id, lot_id) where ${isInRange}
        union all
        select order_id, product_id, 0, 0, case when kind = 'ship' then -on_hand_delta else 0 end, 0,
          case when kind = 'unlock' then -locked_delta else 0 end
        from movement join lot using (account_id, lot_id) where ${isInRange} and kind in ('ship', 'unlock')
        union all
        select order_id, product_id, 0, 0, 0, qty, 0 from short_line where ${isInRange}
      ) all_sides
      group by order_id, product_id
    ) sums
    join orders o on o.account_id = ${accountId} and o.order_id = sums.order_id
    join product p on p.account_id = ${accountId} and p.product_id = sums.product_id
    where case
        when o.status = any(${leftStates}) then shipped + short <> ordered or short <> unlocked
        when o.status = 'partially_shipped' then shipped > ordered or short <> 0 or unlocked <> 0
        else packed <> 0 or shipped <> 0 or short <> 0 end
      or (packed <> shipped and (packed <> 0 or o.status = 'partially_shipped'
        or exists (select from parcel where parcel.account_id = ${accountId} and parcel.order_id = sums.order_id)))
    order by sums.order_id, p.sku_id`;
}

/** Finds orders that were not delivered without a reason or without the return that the reason needs, and other orders with a reason. */
export async function compareDeliveries(
  sql: Sql | Tx,
  { accountId, accountNo, from, to }: AuditedRange,
): Promise<DeliveryFinding[]> {
  const returns = sql`
    select count(*)::integer from inbound_document d
    where d.account_id = ${accountId} and d.original_order_id = o.order_id and d.kind = 'return'`;
  return await sql<DeliveryFinding[]>`
    select 'delivery' as kind, ${camelColumns('order_id, partner_number, status')}, ${accountNo} as "accountNo",
      undelivered_reason as reason, (${returns}) as returns
    from orders o
    where account_id = ${accountId} and order_id between ${from} and ${to}
      and (status = 'undelivered' or undelivered_reason is not null)
      and (status <> 'undelivered' or undelivered_reason is null or (undelivered_reason <> 'lost' and (${returns}) = 0))
    order by order_id`;
}
