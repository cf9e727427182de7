import { inEveryAccount } from '../server/domain/partners/every-account.ts';
import type { Sql } from '../server/platform/postgres/sql.ts';
import { activeDocuments, type Ledger, promisedUnits, type SentDocument, unitsOf } from './ledger.ts';
import { describeShipment } from './shipment.ts';
import type { StockOfSku } from './warehouse-traffic.ts';

/** The shipping orders that still wait for stock; their senders are not notified when they get it. */
export async function noteWaiting(sql: Sql, ledger: Ledger): Promise<void> {
  const rows = await inEveryAccount(
    sql,
    (own, accountId) => own<{ number: string }[]>`
    select partner_number as number from orders where account_id = ${accountId} and status = 'awaiting_stock'`,
  );
  const waiting = new Set(rows.map((row) => row.number));
  for (const order of ledger.orders.values()) order.waits = waiting.has(order.number);
}

/** The differences between the stock reported by a node and the responses to inbound documents and orders. */
export function differencesInStock(stock: StockOfSku, ledger: Ledger): string[] {
  const orders = activeDocuments(ledger.orders);
  const received = unitsOf(activeDocuments(ledger.inbounds));
  const shipped = unitsOf(orders.filter((order) => order.shipped).map(promisedUnits));
  const held = unitsOf(orders.filter((order) => !order.shipped && !order.waits));
  return [...stock].flatMap(([skuId, { onHand, locked }]) => {
    const [owedOnHand, owedLocked] = [(received.get(skuId) ?? 0) - (shipped.get(skuId) ?? 0), held.get(skuId) ?? 0];
    if (onHand === owedOnHand && locked === owedLocked) return [];
    return [`sku ${skuId}: ${onHand} on hand and ${locked} locked instead of ${owedOnHand} and ${owedLocked}`];
  });
}

/** Units that were allocated but never received, according to the responses to callers. */
export function oversoldUnits(ledger: Ledger): Map<string, number> {
  const received = unitsOf(activeDocuments(ledger.inbounds));
  const promised = unitsOf(
    activeDocuments(ledger.orders)
      .filter((order) => order.shipped || !order.waits)
      .map(promisedUnits),
  );
  const over = [...promised].map(([skuId, units]) => [skuId, units - (received.get(skuId) ?? 0)] as const);
  return new Map(over.filter(([, units]) => units > 0));
}

/** The same, according to the tables. */
export async function oversoldUnitsStored(sql: Sql): Promise<Map<string, number>> {
  const rows = await inEveryAccount(
    sql,
    (own, accountId) => own<{ sku_id: string; over: number }[]>`
    select sku_id, (promised - received)::bigint as over from (
      select product_id, sum(promised) as promised, sum(received) as received from (
        select product_id, qty as promised, 0 as received from order_line join orders using (account_id, order_id)
        where account_id = ${accountId} and status not in ('awaiting_stock', 'cancelled')
        union all
        select product_id, -qty, 0 from short_line where account_id = ${accountId}
        union all
        select product_id, 0, on_hand_delta from movement join lot using (account_id, lot_id) where account_id = ${accountId} and kind <> 'ship'
      ) units group by product_id
    ) sums join product using (product_id) where account_id = ${accountId} and promised > received`,
  );
  return new Map(rows.map(({ sku_id, over }) => [sku_id, over]));
}

/** Checks that the database contains exactly the acknowledged changes, each once, and is consistent. */
export async function compareStored(sql: Sql, ledger: Ledger): Promise<void> {
  const orders = await inEveryAccount(
    sql,
    (own, accountId) => own<StoredDocument[]>`
    select partner_number as number, case channel when 'logistics' then partner_number else order_no end as ours,
      status = 'cancelled' as cancelled, status in ('shipped', 'arrived', 'delivered', 'undelivered') as shipped from orders where account_id = ${accountId}`,
  );
  const inbounds = await inEveryAccount(
    sql,
    (own, accountId) => own<StoredDocument[]>`
    select partner_number as number, case channel when 'logistics' then partner_number else document_no end as ours,
      status = 'cancelled' as cancelled, false as shipped from inbound_document
    where account_id = ${accountId} and original_order_id is null`,
  );
  const products = await inEveryAccount(
    sql,
    (own, accountId) => own<StoredDocument[]>`
    select sku_id as number, product_id::text as ours, false as cancelled, false as shipped from product where account_id = ${accountId}`,
  );
  compareDocuments(orders, [...ledger.orders.values()], ledger);
  compareDocuments(inbounds, [...ledger.inbounds.values()], ledger);
  const synced = [...ledger.products].map(([number, id]) => ({
    number,
    knownAs: String(id),
    cancelled: false,
    shipped: false,
  }));
  compareDocuments(products, synced, ledger);
  await compareMovements(sql, ledger);
  await compareParcels(sql, ledger);
  await compareEnds(sql, ledger);
}

interface StoredDocument {
  number: string;
  ours: string;
  cancelled: boolean;
  shipped: boolean;
}

type NotifiedDocument = Pick<SentDocument, 'number' | 'knownAs' | 'cancelled' | 'shipped'>;

function compareDocuments(stored: StoredDocument[], sent: NotifiedDocument[], ledger: Ledger): void {
  const rowsOf = Map.groupBy(stored, (row) => row.number);
  for (const document of sent) {
    const [row, ...others] = rowsOf.get(document.number) ?? [];
    if (others.length > 0) ledger.find('doubled', `${document.number} is stored ${others.length + 1} times`);
    compareDocument(row, document, ledger);
    rowsOf.delete(document.number);
  }
  for (const number of rowsOf.keys()) ledger.find('wrong', `${number} is stored but was never sent`);
}

function compareDocument(
  row: StoredDocument | undefined,
  { number, knownAs, cancelled, shipped }: NotifiedDocument,
  ledger: Ledger,
): void {
  if (knownAs !== null && !row) ledger.find('lost', `${number} (${knownAs}) is not stored`);
  if (knownAs === null && row) ledger.find('wrong', `${number} was rejected but is stored`);
  if (row && knownAs !== null && row.ours !== knownAs)
    ledger.find('lost', `${number} is ${row.ours}, but the response was ${knownAs}`);
  if (cancelled && !row?.cancelled) ledger.find('lost', `${number} was cancelled but is not stored as cancelled`);
  if (!cancelled && row?.cancelled) ledger.find('wrong', `${number} is cancelled without a response`);
  if (shipped && !row?.shipped) ledger.find('lost', `${number} was shipped but is not stored as shipped`);
  if (!shipped && row?.shipped) ledger.find('wrong', `${number} is shipped without a response`);
}

async function compareMovements(sql: Sql, ledger: Ledger): Promise<void> {
  const lots = await inEveryAccount(
    sql,
    (own, accountId) => own<{ lot_id: number; on_hand: number; locked: number }[]>`
    select lot_id, on_hand, locked from lot left join movement using (account_id, lot_id)
    where account_id = ${accountId} group by account_id, lot_id
    having on_hand <> coalesce(sum(on_hand_delta), 0) or locked <> coalesce(sum(locked_delta), 0) or locked > on_hand`,
  );
  for (const { lot_id, on_hand, locked } of lots)
    ledger.find('wrong', `lot ${lot_id} differs from the sum of its movements: ${on_hand}, ${locked}`);
  const holders = await inEveryAccount(
    sql,
    (own, accountId) => own<
      { order_id: number; product_id: number; owed: number; held: number; due: number; gone: number }[]
    >`
    select order_id, product_id, sum(owed)::bigint as owed, sum(held)::bigint as held, sum(due)::bigint as due, sum(gone)::bigint as gone from (
      select order_id, product_id,
        case when status in ('pending_warehouse_transfer', 'in_warehouse', 'picking', 'packed', 'partially_shipped') then qty else 0 end as owed, 0 as held,
        case when status in ('shipped', 'arrived', 'delivered', 'undelivered') then qty else 0 end as due, 0 as gone
      from order_line join orders using (account_id, order_id) where account_id = ${accountId}
      union all
      select order_id, product_id, -qty, 0, qty, 0
      from parcel_item join lot using (account_id, lot_id) join orders using (account_id, order_id)
      where account_id = ${accountId} and status = 'partially_shipped'
      union all
      select order_id, product_id, 0, 0, -qty, 0 from short_line where account_id = ${accountId}
      union all
      select order_id, product_id, 0, locked_delta, 0, -on_hand_delta from movement join lot using (account_id, lot_id)
      where account_id = ${accountId} and order_id is not null
    ) units group by order_id, product_id having sum(owed) <> sum(held) or sum(due) <> sum(gone)`,
  );
  for (const { order_id, product_id, owed, held, due, gone } of holders) {
    ledger.find(
      'wrong',
      `order ${order_id} holds ${held} of product ${product_id} instead of ${owed}, and took ${gone} instead of ${due}`,
    );
  }
}

/** Compares the parcels and missing units of each shipped order with its report. */
async function compareParcels(sql: Sql, ledger: Ledger): Promise<void> {
  const rows = await inEveryAccount(
    sql,
    (own, accountId) => own<{ number: string; shipmentNo: string | null; skuId: string; qty: number }[]>`
    select partner_number as number, shipment_no as "shipmentNo", sku_id as "skuId", qty from (
      select order_id, parcel_no, p.shipment_no, lot.sku_id, qty
      from parcel p join parcel_item using (account_id, order_id, parcel_no) join lot using (account_id, lot_id)
      where account_id = ${accountId}
      union all
      select order_id, null, null, sku_id, qty from short_line join product using (account_id, product_id)
      where account_id = ${accountId}
    ) units join (select order_id, partner_number from orders where account_id = ${accountId}) o using (order_id)
    order by partner_number, parcel_no`,
  );
  const rowsOf = Map.groupBy(rows, (row) => row.number);
  for (const { number, shipped, shipment } of ledger.orders.values()) {
    // Without a plan, a version that stores no parcels may have shipped the order.
    if (shipped && !shipment) continue;
    const [missing, left] = divide(rowsOf.get(number) ?? []);
    const parcels = [...Map.groupBy(left, (row) => row.shipmentNo!)].map(([shipmentNo, units]) => ({
      shipmentNo,
      units,
    }));
    const stored = describeShipment({ parcels, short: missing });
    const reported = shipped && shipment ? describeShipment(shipment) : '';
    if (stored !== reported) ledger.find('wrong', `${number} left as "${stored}" instead of "${reported}"`);
  }
}

/** Compares the last status of each order that has left, and its expected returns, with its reports. */
async function compareEnds(sql: Sql, ledger: Ledger): Promise<void> {
  const rows = await inEveryAccount(
    sql,
    (own, accountId) => own<{ number: string; status: string; returns: number }[]>`
    select partner_number as number, status, (
      select count(*)::integer from inbound_document d where d.account_id = ${accountId} and d.original_order_id = o.order_id) as returns
    from orders o where account_id = ${accountId}`,
  );
  const storedOf = new Map(rows.map(({ number, status, returns }) => [number, `${status}, ${returns} returns`]));
  for (const { number, reached, shipment } of ledger.orders.values()) {
    const last = shipment?.reports.findLast(({ status }) => reached.has(status));
    if (!last) continue;
    const expected = `${last.status}, ${last.reason === 'refused' ? 1 : 0} returns`;
    if (storedOf.get(number) !== expected)
      ledger.find('wrong', `${number} ended as "${storedOf.get(number)}" instead of "${expected}"`);
  }
}

function divide<Row extends { shipmentNo: string | null }>(rows: Row[]): [missing: Row[], left: Row[]] {
  return [rows.filter((row) => row.shipmentNo === null), rows.filter((row) => row.shipmentNo !== null)];
}
