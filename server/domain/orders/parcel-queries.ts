import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { perAccount } from '../../platform/postgres/per-account.ts';
import { rowParameters } from '../../platform/postgres/row-parameters.ts';
import { type Fragment, fragment, type Sql, type Tx } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import { hasLeft, type OrderKey, type OrderStatus, orderStatuses } from './order.ts';
import { isNamed, type OrderName } from './order-queries.ts';
import type { Parcel, ParcelUnits } from './parcel.ts';

/** The states in which the last parcel of an order has left. */
const leftStates = orderStatuses.filter(hasLeft);

/** A parcel with the time of its report. */
export interface ParcelOfOrder extends Parcel {
  orderId: number;
  at: string;
}

type ParcelRow = ParcelUnits & {
  orderId: number;
  parcelNo: number;
  shipmentNo: string;
  carrier: string | null;
  at: string;
};

/** The parcels of each order, in the order of the reports, with their units: the earliest expiry first. */
export async function findParcels(sql: Sql, orders: OrderKey[]): Promise<ParcelOfOrder[]> {
  return parcelsOf(
    await perAccount(orders, (accountId, own) =>
      findParcelRows(sql, accountId, fragment`${own.map(({ orderId }) => orderId)}::bigint[]`),
    ),
  );
}

/** The same for orders with these names. Call it after they are locked, so that the result stays valid. */
export async function findParcelsOfNamed(tx: Tx, wanted: OrderName[]): Promise<ParcelOfOrder[]> {
  return parcelsOf(await perAccount(wanted, (accountId, own) => findParcelRows(tx, accountId, idsOf(accountId, own))));
}

function idsOf(accountId: number, wanted: OrderName[]): Fragment {
  return fragment`array(select order_id from orders where ${isNamed(accountId, wanted)})`;
}

/** An order that was shipped by an earlier version has no parcel: it left in one, with its number and its movements. */
async function findParcelRows(sql: Sql | Tx, accountId: number, orderIds: Fragment): Promise<ParcelRow[]> {
  const lotColumns = camelColumns('lot.sku_id, lot.product_id, lot.batch_id');
  return await sql<ParcelRow[]>`
    select p.order_id as "orderId", p.parcel_no as "parcelNo", p.shipment_no as "shipmentNo", nullif(p.carrier, '') as carrier,
      ${sql.unsafe(taipeiTime('p.at', 'at'))}, i.lot_id as "lotId", i.qty, ${lotColumns}, nullif(lot.expire_date, 'infinity') as "expireDate"
    from parcel p
    join parcel_item i on i.account_id = p.account_id and i.order_id = p.order_id and i.parcel_no = p.parcel_no
    join lot on lot.account_id = i.account_id and lot.lot_id = i.lot_id
    where p.account_id = ${accountId} and p.order_id = any(${orderIds})
    union all
    select o.order_id, 1, o.shipment_no, o.carrier, ${sql.unsafe(taipeiTime('m.at', 'at'))}, m.lot_id, m.qty, ${lotColumns},
      nullif(lot.expire_date, 'infinity')
    from orders o
    join (
      select account_id, order_id, lot_id, min(at) as at, -sum(on_hand_delta)::bigint as qty
      from movement where account_id = ${accountId} and order_id = any(${orderIds}) and kind = 'ship'
      group by account_id, order_id, lot_id
    ) m on m.account_id = o.account_id and m.order_id = o.order_id
    join lot on lot.account_id = m.account_id and lot.lot_id = m.lot_id
    where o.account_id = ${accountId} and o.order_id = any(${orderIds}) and o.status = any(${leftStates}) and o.shipment_no is not null
      and not exists (select from parcel p where p.account_id = ${accountId} and p.order_id = o.order_id)
    order by "orderId", "parcelNo", "expireDate", "lotId"`;
}

function parcelsOf(rows: ParcelRow[]): ParcelOfOrder[] {
  const groups = Map.groupBy(rows, ({ orderId, parcelNo }) => `${orderId}/${parcelNo}`);
  return [...groups.values()].map((own) => {
    const { orderId, shipmentNo, carrier, at } = own[0]!;
    const units = own.map(({ lotId, qty, skuId, productId, batchId, expireDate }) => ({
      ...{ lotId, qty, skuId, productId, batchId, expireDate },
    }));
    return { orderId, shipmentNo, carrier, at, units };
  });
}

/** Parcels and missing units of an order, as lists show them. */
export interface ListedShipment {
  parcels: {
    shipment_no: string;
    carrier: string | null;
    shipped_at: string;
    items: { sku_id: string; qty: number; batch_id: string; expire_date: string | null }[];
  }[];
  short: { sku_id: string; qty: number }[];
}

/** Orders of which nothing has left are not in the map. */
export async function findListedShipments(
  sql: Sql,
  orders: (OrderKey & { status: OrderStatus })[],
): Promise<Map<number, ListedShipment>> {
  const begun = orders.filter(({ status }) => status === 'partially_shipped' || hasLeft(status));
  if (begun.length === 0) return new Map();
  const [parcels, short] = await Promise.all([findParcels(sql, begun), findShort(sql, begun)]);
  const parcelsByOrder = Map.groupBy(parcels, ({ orderId }) => orderId);
  const shortByOrder = Map.groupBy(short, ({ orderId }) => orderId);
  return new Map(
    begun.map(({ orderId }) => [
      orderId,
      {
        parcels: (parcelsByOrder.get(orderId) ?? []).map(({ shipmentNo, carrier, at, units }) => ({
          shipment_no: shipmentNo,
          carrier,
          shipped_at: at,
          items: units.map(({ skuId, qty, batchId, expireDate }) => ({
            sku_id: skuId,
            qty,
            batch_id: batchId,
            expire_date: expireDate,
          })),
        })),
        short: (shortByOrder.get(orderId) ?? []).map(({ skuId, qty }) => ({ sku_id: skuId, qty })),
      },
    ]),
  );
}

export const nothingShipped: ListedShipment = { parcels: [], short: [] };

/** Units of a product that were ordered but will not be shipped. */
export interface ShortUnits {
  orderId: number;
  productId: number;
  skuId: string;
  qty: number;
}

export async function findShort(sql: Sql, orders: OrderKey[]): Promise<ShortUnits[]> {
  return await perAccount(orders, (accountId, own) =>
    findShortRows(sql, accountId, fragment`${own.map(({ orderId }) => orderId)}::bigint[]`),
  );
}

export async function findShortOfNamed(tx: Tx, wanted: OrderName[]): Promise<ShortUnits[]> {
  return await perAccount(wanted, (accountId, own) => findShortRows(tx, accountId, idsOf(accountId, own)));
}

async function findShortRows(sql: Sql | Tx, accountId: number, orderIds: Fragment): Promise<ShortUnits[]> {
  return await sql<ShortUnits[]>`
    select ${camelColumns('s.order_id, s.product_id, p.sku_id')}, s.qty
    from short_line s join product p on p.account_id = s.account_id and p.product_id = s.product_id
    where s.account_id = ${accountId} and s.order_id = any(${orderIds}) order by s.order_id, p.sku_id`;
}

/** A shipment number that an order has used. */
export interface UsedShipment {
  accountId: number;
  orderId: number;
  shipmentNo: string;
  /** Empty: not reported. */
  carrier: string;
}

export type WantedShipment = OrderName & { shipmentNos: string[] };

/**
 * Which orders have left with the reported numbers, or with a number that was reported for one of these orders before.
 * Orders of earlier versions have only the number of the order.
 */
export async function findUsedShipments(tx: Tx, wanted: WantedShipment[]): Promise<UsedShipment[]> {
  return await perAccount(wanted, (accountId, own) => {
    const given = own.flatMap(({ shipmentNos }) => shipmentNos);
    const numbers = fragment`array(
      select unnest(${given}::text[]) union
      select shipment_no from orders where ${isNamed(accountId, own)} and shipment_no is not null)`;
    return tx<UsedShipment[]>`
      select ${camelColumns('account_id, order_id, shipment_no')}, carrier from parcel
      where account_id = ${accountId} and shipment_no = any(${numbers}) and not is_repeat
      union
      select account_id, order_id, shipment_no, coalesce(carrier, '') from orders
      where account_id = ${accountId} and shipment_no = any(${numbers}) and status = any(${leftStates})`;
  });
}

export interface NewParcel extends Parcel {
  accountId: number;
  orderId: number;
  parcelNo: number;
  isRepeat: boolean;
}

const parcelRows = rowParameters<NewParcel>({
  order_id: ['bigint', (parcel) => parcel.orderId],
  parcel_no: ['integer', (parcel) => parcel.parcelNo],
  shipment_no: ['text', (parcel) => parcel.shipmentNo],
  carrier: ['text', (parcel) => parcel.carrier ?? ''],
  is_repeat: ['boolean', (parcel) => parcel.isRepeat],
});

const itemRows = rowParameters<{ orderId: number; parcelNo: number; lotId: number; qty: number }>({
  order_id: ['bigint', (item) => item.orderId],
  parcel_no: ['integer', (item) => item.parcelNo],
  lot_id: ['bigint', (item) => item.lotId],
  qty: ['bigint', (item) => item.qty],
});

/** Sorted by the unique key, so that two nodes that insert the same numbers lock them in the same order. */
export async function insertParcels(tx: Tx, parcels: NewParcel[]): Promise<void> {
  const keyOf = ({ shipmentNo, carrier }: NewParcel) => `${shipmentNo}\n${carrier ?? ''}`;
  const sorted = parcels.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  await perAccount(sorted, async (accountId, own) => {
    const items = own.flatMap(({ orderId, parcelNo, units }) =>
      units.map(({ lotId, qty }) => ({ orderId, parcelNo, lotId, qty })),
    );
    await Promise.all([
      tx`
        insert into parcel (account_id, order_id, parcel_no, shipment_no, carrier, is_repeat)
        select ${accountId}::bigint, given.* from ${parcelRows.given(own)}`.execute(),
      tx`
        insert into parcel_item (account_id, order_id, parcel_no, lot_id, qty)
        select ${accountId}::bigint, given.* from ${itemRows.given(items)}`.execute(),
    ]);
    return [];
  });
}

/** Units that staff scanned into the parcels of orders that have left, also of orders that another report has shipped. */
export async function deleteScannedUnits(tx: Tx, left: OrderKey[]): Promise<void> {
  await perAccount(
    left,
    (accountId, own) => tx`
      delete from packed_unit
      where account_id = ${accountId} and order_id = any(${own.map(({ orderId }) => orderId)}::bigint[])`,
  );
}

const shortRows = rowParameters<ShortUnits>({
  order_id: ['bigint', (short) => short.orderId],
  product_id: ['bigint', (short) => short.productId],
  qty: ['bigint', (short) => short.qty],
});

export async function insertShort(tx: Tx, short: (ShortUnits & { accountId: number })[]): Promise<void> {
  await perAccount(
    short,
    (accountId, own) => tx`
      insert into short_line (account_id, order_id, product_id, qty)
      select ${accountId}::bigint, given.* from ${shortRows.given(own)}`,
  );
}

export interface CorrectedCarrier {
  accountId: number;
  orderId: number;
  carrier: string;
  /** Another order has left with the same number and this carrier. */
  isRepeat: boolean;
}

/** A later report may correct the carrier of the first parcel. */
export async function correctCarriers(tx: Tx, corrected: CorrectedCarrier[]): Promise<void> {
  await Promise.all(
    corrected.map(({ accountId, orderId, carrier, isRepeat }) =>
      tx`
        update parcel set carrier = ${carrier}, is_repeat = ${isRepeat}
        where account_id = ${accountId} and order_id = ${orderId} and parcel_no = 1`.execute(),
    ),
  );
}
