import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { rowValues, type Sql, type Tx } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { InboundStatus } from '../inbound/inbound-document.ts';
import type { OrderStatus } from '../orders/order.ts';
import type { AccountName } from '../partners/partner-queries.ts';
import type { BalanceFinding, InboundFinding, LockFinding, MoveFinding } from './finding.ts';

// Each comparison is one statement, so both of its sides show the same instant even while orders come in.

/** The audited tables to which movements refer, and the id column of each. */
export type MovedTable = 'lot' | 'orders' | 'inbound_document';
export type AuditedTable = MovedTable | 'stock_change';
const idOf = {
  lot: 'lot_id',
  orders: 'order_id',
  inbound_document: 'inbound_id',
  stock_change: 'stock_change_id',
} as const satisfies Record<AuditedTable, string>;

export async function findAuditedAccount(sql: Sql, accountNo: string): Promise<AccountName> {
  const [account] = await sql<AccountName[]>`
    select ${camelColumns('account_id, account_no')} from account where account_no = ${accountNo}`;
  return account!;
}

/** The highest id among the next rows of an account; null when there are no more rows. */
export async function lastOfNext(
  sql: Sql,
  accountId: number,
  table: AuditedTable,
  from: number,
  atOnce: number,
): Promise<number | null> {
  const id = sql(idOf[table]);
  const [row] = await sql<{ last: number | null }[]>`
    select max(id) as last from (
      select ${id} as id from ${sql(table)} where account_id = ${accountId} and ${id} >= ${from} order by ${id} limit ${atOnce}) as next`;
  return row!.last;
}

/** The highest id that any movement of an account refers to, including ids of lots or documents that do not exist. */
export async function highestMoved(sql: Sql, accountId: number, table: MovedTable): Promise<number> {
  const id = sql(idOf[table]);
  const [row] = await sql<{ highest: number }[]>`
    select coalesce(max(${id}), 0) as highest from movement where account_id = ${accountId} and ${id} is not null`;
  return row!.highest;
}

/** A range of ids within an account. */
export interface AuditedRange extends AccountName {
  from: number;
  to: number;
}

/**
 * Counts the lots in the range and finds those whose balance is not the sum of their movements. Movements without a lot
 * are found too.
 */
export async function compareBalances(
  sql: Sql,
  { accountId, accountNo, from, to }: AuditedRange,
): Promise<{ count: number; findings: BalanceFinding[] }> {
  const isInRange = sql`account_id = ${accountId} and lot_id between ${from} and ${to}`;
  const [counted, findings] = await Promise.all([
    sql<{ count: number }[]>`select count(*) from lot where ${isInRange}`,
    sql<BalanceFinding[]>`
      select 'balance' as kind, lot_id as "lotId", ${accountNo} as "accountNo", ${camelColumns('l.sku_id, l.warehouse_no')},
        coalesce(l.on_hand, 0) as "onHand", coalesce(moved.on_hand, 0) as "onHandMoved",
        coalesce(l.locked, 0) as locked, coalesce(moved.locked, 0) as "lockedMoved"
      from (select * from lot where ${isInRange}) l
      full join (
        select lot_id, sum(on_hand_delta)::bigint as on_hand, sum(locked_delta)::bigint as locked
        from movement where ${isInRange} group by lot_id
      ) moved using (lot_id)
      where l.product_id is null or (l.on_hand, l.locked) is distinct from (coalesce(moved.on_hand, 0), coalesce(moved.locked, 0))
      order by lot_id`,
  ]);
  return { count: counted[0]!.count, findings };
}

/** Counts the orders in the range and finds those that do not hold the units they should. */
export async function compareLocks(sql: Sql, { accountId, accountNo, from, to }: AuditedRange, holding: OrderStatus[]) {
  const isInRange = sql`account_id = ${accountId} and order_id between ${from} and ${to}`;
  const owed = sql`case when o.status = any(${holding}) then ordered when o.status = 'partially_shipped' then ordered - shipped else 0 end`;
  const [counted, findings] = await Promise.all([
    sql<{ count: number }[]>`select count(*) from orders where ${isInRange}`,
    sql<LockFinding[]>`
      select 'lock' as kind, ${camelColumns('sums.order_id, o.partner_number, o.status')}, ${accountNo} as "accountNo", sku_id as "skuId",
        held, ${owed} as owed
      from (
        select order_id, product_id, sum(ordered)::bigint as ordered, sum(held)::bigint as held, sum(shipped)::bigint as shipped from (
          select order_id, product_id, qty as ordered, 0 as held, 0 as shipped from order_line where ${isInRange}
          union all
          select order_id, product_id, 0, locked_delta, case when kind = 'ship' then -on_hand_delta else 0 end from movement join lot using (account_id, lot_id) where ${isInRange}
        ) both_sides group by order_id, product_id
      ) sums
      left join orders o on o.account_id = ${accountId} and o.order_id = sums.order_id
      join product p on p.account_id = ${accountId} and p.product_id = sums.product_id
      where held <> ${owed}
      order by sums.order_id, sku_id`,
  ]);
  return { count: counted[0]!.count, findings };
}

/** Finds locked units that never belonged to an order. */
export async function findLocksOfNobody(
  sql: Sql,
  { accountId, accountNo, from, to }: AuditedRange,
): Promise<LockFinding[]> {
  return await sql<LockFinding[]>`
    select 'lock' as kind, null as "orderId", null as "partnerNumber", null as status, ${accountNo} as "accountNo", sku_id as "skuId",
      sum(locked_delta)::bigint as held, 0 as owed
    from movement join lot using (account_id, lot_id)
    where account_id = ${accountId} and lot_id between ${from} and ${to} and order_id is null and locked_delta <> 0
    group by product_id, sku_id having sum(locked_delta) <> 0`;
}

/**
 * Counts the inbound documents in the range and finds those whose received units do not fit their state: none before
 * the first receipt or after a cancel, everything announced if they are received at once, and otherwise no more
 * than the document accepts.
 */
export async function compareInbounds(
  sql: Sql | Tx,
  { accountId, accountNo, from, to }: AuditedRange,
  empty: InboundStatus[],
) {
  const isInRange = sql`account_id = ${accountId} and inbound_id between ${from} and ${to}`;
  const [counted, findings] = await Promise.all([
    sql<{ count: number }[]>`select count(*) from inbound_document where ${isInRange}`,
    sql<InboundFinding[]>`
      select 'inbound' as kind, ${camelColumns('inbound_id, partner_number, status')}, ${accountNo} as "accountNo",
        ${camelColumns('sku_id, announced, received, least, most')}
      from (
        select sums.*, d.partner_number, d.status,
          case when d.status = 'received' and d.receiving = 'on_create' and d.receive_at is null then announced else 0 end as least,
          case when d.inbound_id is null or d.status = any(${empty}) then 0
            when d.receiving = 'on_create' and d.receive_at is null then announced
            else announced + div(announced::numeric * d.over_delivery_percent, 100)::bigint end as most
        from (
          select inbound_id, product_id, sum(announced)::bigint as announced, sum(received)::bigint as received from (
            select inbound_id, product_id, qty as announced, 0 as received from inbound_line where ${isInRange}
            union all
            select inbound_id, product_id, 0, on_hand_delta from movement join lot using (account_id, lot_id) where ${isInRange}
          ) both_sides group by inbound_id, product_id
        ) sums
        left join inbound_document d on d.account_id = ${accountId} and d.inbound_id = sums.inbound_id
      ) bounded
      join product p on p.account_id = ${accountId} and p.product_id = bounded.product_id
      where received < least or received > most
      order by inbound_id, sku_id`,
  ]);
  return { count: counted[0]!.count, findings };
}

/**
 * Finds moves whose movements do not add up to nothing for a lot in all warehouses together. A movement that is missing
 * counts as no units.
 */
export async function compareMoves(
  sql: Sql | Tx,
  { accountId, accountNo, from, to }: AuditedRange,
): Promise<MoveFinding[]> {
  return await sql<MoveFinding[]>`
    select 'move' as kind, ${camelColumns('listed.stock_change_id, listed.reference_no')}, ${accountNo} as "accountNo", l.sku_id as "skuId",
      coalesce(-sum(on_hand_delta) filter (where on_hand_delta < 0), 0)::bigint as departed,
      coalesce(sum(on_hand_delta) filter (where on_hand_delta > 0), 0)::bigint as arrived
    from (
      select stock_change_id, reference_no, unnest(lot_ids) as lot_id, unnest(movement_ids) as movement_id
      from stock_change where account_id = ${accountId} and stock_change_id between ${from} and ${to} and kind = 'move'
    ) listed
    join lot l on l.account_id = ${accountId} and l.lot_id = listed.lot_id
    left join movement m on m.account_id = ${accountId} and m.lot_id = listed.lot_id and m.movement_id = listed.movement_id
    group by listed.stock_change_id, listed.reference_no, l.sku_id, stock_type, batch_id, expire_date
    having coalesce(sum(on_hand_delta), 0) <> 0
    order by listed.stock_change_id, l.sku_id`;
}

export async function recordAudit(tx: Tx, audit: { lots: number; orders: number; findings: number }): Promise<void> {
  await tx`insert into stock_audit ${rowValues(audit)}`;
}

export async function lastAudit(sql: Sql): Promise<{ at: Date; findings: number } | null> {
  const [row] = await sql<{ at: Date; findings: number }[]>`
    select at, findings from stock_audit order by stock_audit_id desc limit 1`;
  return row ?? null;
}

export interface RecordedAudit {
  at: string;
  lots: number;
  orders: number;
  findings: number;
}

/** Newest first. */
export async function lastAudits(sql: Sql, limit: number): Promise<RecordedAudit[]> {
  return await sql<RecordedAudit[]>`
    select ${sql.unsafe(taipeiTime('at'))}, lots, orders, findings from stock_audit order by stock_audit_id desc limit ${limit}`;
}

export interface LotSums {
  onHand: number;
  onHandMoved: number;
  locked: number;
  lockedMoved: number;
}

/** Locks the lot first, so that its sums do not change. */
export async function lockLotSums(tx: Tx, accountId: number, lotId: number): Promise<LotSums | null> {
  await tx`select from lot where account_id = ${accountId} and lot_id = ${lotId} for no key update`;
  const [row] = await tx<LotSums[]>`
    select l.on_hand as "onHand", l.locked,
      coalesce(sum(on_hand_delta), 0)::bigint as "onHandMoved", coalesce(sum(locked_delta), 0)::bigint as "lockedMoved"
    from lot l left join movement m on m.account_id = ${accountId} and m.lot_id = l.lot_id
    where l.account_id = ${accountId} and l.lot_id = ${lotId} group by l.account_id, l.lot_id`;
  return row ?? null;
}

/** Records a movement whose effect is already part of the balance. */
export async function recordMissingMovement(
  tx: Tx,
  lotId: number,
  missing: { accountId: number; onHandDelta: number; lockedDelta: number; actor: string; reason: string },
): Promise<void> {
  await tx`
    insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, actor, reason)
    values (${missing.accountId}, ${lotId}, 'adjust', ${missing.onHandDelta}, ${missing.lockedDelta}, ${missing.actor}, ${missing.reason})`;
}

export interface OrderHolding {
  lotId: number;
  held: number;
}

export interface Holding {
  /** null: the order does not exist. */
  status: OrderStatus | null;
  ordered: number;
  shipped: number;
  /** Units that are short but have not been unlocked. */
  unreleased: number;
  holdings: OrderHolding[];
}

/**
 * Reads how many units an order holds of each lot of a sku. Locks the order first, then the lots. An order that does
 * not exist may hold units too.
 */
export async function lockHolding(tx: Tx, accountId: number, orderId: number | null, skuId: string): Promise<Holding> {
  const [order] = await tx<
    { status: OrderStatus }[]
  >`select status from orders where account_id = ${accountId} and order_id = ${orderId} for no key update`;
  const [line] = await tx<{ ordered: number }[]>`
    select coalesce(sum(qty), 0)::bigint as ordered from order_line join product using (account_id, product_id)
    where account_id = ${accountId} and order_id = ${orderId} and sku_id = ${skuId}`;
  const lots = await tx<{ lot_id: number }[]>`
    select lot_id from lot
    where account_id = ${accountId} and product_id = (select product_id from product where account_id = ${accountId} and sku_id = ${skuId})
    order by lot_id for no key update`;
  const holdings = await tx<OrderHolding[]>`
    select lot_id as "lotId", sum(locked_delta)::bigint as held from movement
    where account_id = ${accountId} and order_id is not distinct from ${orderId} and lot_id = any(${lots.map((lot) => lot.lot_id)})
    group by lot_id having sum(locked_delta) <> 0 order by lot_id`;
  const [gone] = await tx<{ shipped: number; unlocked: number }[]>`
    select coalesce(-sum(on_hand_delta) filter (where kind = 'ship'), 0)::bigint as shipped,
      coalesce(-sum(locked_delta) filter (where kind = 'unlock'), 0)::bigint as unlocked
    from movement where account_id = ${accountId} and order_id = ${orderId} and lot_id = any(${lots.map((lot) => lot.lot_id)})`;
  const [left] = await tx<{ short: number }[]>`
    select coalesce(sum(qty), 0)::bigint as short from short_line join product using (account_id, product_id)
    where account_id = ${accountId} and order_id = ${orderId} and sku_id = ${skuId}`;
  const unreleased = Math.max(0, left!.short - gone!.unlocked);
  return { status: order?.status ?? null, ordered: line!.ordered, shipped: gone!.shipped, unreleased, holdings };
}
