import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import { hasLeft, orderStatuses } from '../orders/order.ts';
import type { AuditedRange } from './audit-queries.ts';
import type { ParcelFinding } from './finding.ts';

const leftStates = orderStatuses.filter(hasLeft);

/**
 * Finds orders in the range whose parcels do not fit: they are not the shipped units, the short units were not unlocked,
 * or the state of the order does not allow them. Parcels of no order are a broken reference. Orders without parcels were shipped by an earlier version, or not yet.
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
      where exists (select from parcel where parcel.account_id = ${accountId} and parcel.order_id = all_sides.order_id)
      group by order_id, product_id
    ) sums
    join orders o on o.account_id = ${accountId} and o.order_id = sums.order_id
    join product p on p.account_id = ${accountId} and p.product_id = sums.product_id
    where packed <> shipped or short <> unlocked
      or case when o.status = any(${leftStates}) then shipped + short <> ordered
           when o.status = 'partially_shipped' then short <> 0 or shipped > ordered
           else true end
      or (o.status = 'undelivered') <> (o.undelivered_reason is not null)
    order by sums.order_id, p.sku_id`;
}
