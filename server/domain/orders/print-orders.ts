import type { Database } from '../../platform/postgres/database.ts';
import { accountsOf, groupByAccount } from '../../platform/postgres/per-account.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { findReturnsOfOrders } from '../documents/return-link-queries.ts';
import { inboundAfter } from '../inbound/inbound-document.ts';
import { findLocations } from '../products/product-code-queries.ts';
import { explainTaken, type LineLot } from './explain-lots.ts';
import type { OrderKey } from './order.ts';
import { type DetailLine, findDetailLines, findTakenLots, type TakenLot } from './order-detail-queries.ts';
import { findRecipients } from './order-history-queries.ts';
import { type NotPrinted, type PrintableOrder, recipientFieldsOf, whyNotPrinted } from './order-print.ts';
import { countPrints, findPrintableOrders, type Print } from './order-print-queries.ts';
import { findListedShipments } from './parcel-queries.ts';
import { nobody, type Recipient } from './recipient.ts';

export interface PrintedOrder {
  kind: 'printed';
  order: PrintableOrder;
  /** Only the fields that the document shows. */
  recipient: Recipient;
  lines: (DetailLine & { lots: LineLot[] })[];
  /** The units that it holds or has shipped, by lot. */
  taken: TakenLot[];
  /** The location of each of its products in its warehouse, by product. */
  locations: Map<number, string>;
  parcels: { shipment_no: string; carrier: string | null }[];
  returnNos: string[];
  prints: number;
}

export type PrintOutcome = PrintedOrder | { kind: NotPrinted; order: PrintableOrder };

/**
 * Reads the content of print-outs and counts the prints. Each order has its own outcome; orders that do not exist are
 * not in the map.
 */
export async function printOrders(
  database: Database,
  orders: OrderKey[],
  print: Print,
): Promise<Map<number, PrintOutcome>> {
  const found = await database.read(accountsOf(orders), (sql) => readContent(sql, orders, print));
  const outcomes = found.map((content): PrintOutcome => {
    const { whole, ...printed } = content;
    const kind = whyNotPrinted(print.document, content.order, whole);
    return kind === null ? { ...printed, kind: 'printed', prints: 0 } : { kind, order: content.order };
  });

  const printed = outcomes.filter((outcome) => outcome.kind === 'printed');
  const counts = await countAll(database, printed, print);
  for (const one of printed) one.prints = counts.get(one.order.order_id) ?? 0;
  const isPurged = (outcome: PrintOutcome) => outcome.kind === 'printed' && outcome.prints === 0;
  return new Map(outcomes.filter((outcome) => !isPurged(outcome)).map((outcome) => [outcome.order.order_id, outcome]));
}

type Content = Omit<PrintedOrder, 'kind' | 'prints'> & { whole: Recipient };

async function readContent(sql: Sql, keys: OrderKey[], { document }: Print): Promise<Content[]> {
  const orders = await findPrintableOrders(sql, keys);
  const own = orders.map(({ account_id, order_id, status }) => ({ accountId: account_id, orderId: order_id, status }));
  const documents = own.map(({ accountId, orderId }) => ({ accountId, documentId: orderId }));
  const [recipients, lines, taken, shipments, returns] = await Promise.all([
    findRecipients(sql, own),
    findDetailLines(sql, own),
    findTakenLots(sql, own),
    findListedShipments(sql, own),
    document === 'return_slip' ? findReturnsOfOrders(sql, documents) : null,
  ]);
  const recipientOf = new Map(recipients.map(({ order_id, ...recipient }) => [order_id, recipient]));
  const linesOf = Map.groupBy(lines, ({ order_id }) => order_id);
  const takenOf = Map.groupBy(taken, ({ order_id }) => order_id);
  const locationOf = document === 'pick_list' ? await readLocations(sql, orders, linesOf) : null;
  return orders.map((order) => {
    const [ownLines, ownTaken] = [linesOf.get(order.order_id) ?? [], takenOf.get(order.order_id) ?? []];
    const lotsOf = explainTaken(ownLines, ownTaken);
    const whole = recipientOf.get(order.order_id) ?? nobody;
    const openReturns = (returns?.get(order.order_id) ?? []).filter(({ status }) => inboundAfter(status, 'receive'));
    return {
      order,
      whole,
      recipient: onlyFields(whole, recipientFieldsOf[document]),
      lines: ownLines.map((line) => ({ ...line, lots: lotsOf.get(line.line_no) ?? [] })),
      taken: ownTaken,
      locations: locationOf?.get(order.order_id) ?? new Map(),
      parcels: parcelsOf(order, shipments.get(order.order_id)?.parcels ?? []),
      returnNos: openReturns.map(({ documentNo }) => documentNo),
    };
  });
}

function onlyFields(recipient: Recipient, fields: readonly (keyof Recipient)[]): Recipient {
  return { ...nobody, ...Object.fromEntries(fields.map((field) => [field, recipient[field]])) };
}

/** A number may be known before the parcel has left. */
function parcelsOf({ shipment_no, carrier }: PrintableOrder, left: PrintedOrder['parcels']): PrintedOrder['parcels'] {
  if (left.length > 0) return left.map((parcel) => ({ shipment_no: parcel.shipment_no, carrier: parcel.carrier }));
  return shipment_no === null ? [] : [{ shipment_no, carrier }];
}

async function readLocations(
  sql: Sql,
  orders: PrintableOrder[],
  linesOf: Map<number, DetailLine[]>,
): Promise<Map<number, Map<number, string>>> {
  const items = orders.map((order) => ({ accountId: order.account_id, order }));
  const found = await Promise.all(
    groupByAccount(items).map(async ([accountId, own]) => {
      const productIds = own.flatMap(({ order }) => (linesOf.get(order.order_id) ?? []).map((line) => line.product_id));
      const locations = await findLocations(sql, accountId, [...new Set(productIds)]);
      return own.map(({ order }): [number, Map<number, string>] => {
        const inWarehouse = locations.filter(({ warehouseNo }) => warehouseNo === order.warehouse_no);
        return [order.order_id, new Map(inWarehouse.map(({ productId, location }) => [productId, location]))];
      });
    }),
  );
  return new Map(found.flat());
}

/** A transaction per account, as on Citus a transaction carries one. */
async function countAll(database: Database, printed: PrintedOrder[], print: Print): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (const [accountId, own] of groupByAccount(
    printed.map(({ order }) => ({ accountId: order.account_id, orderId: order.order_id })),
  )) {
    const orderIds = own.map(({ orderId }) => orderId);
    const counted = await database.transaction([accountId], (tx) => countPrints(tx, accountId, orderIds, print));
    for (const { order_id, prints } of counted) counts.set(order_id, prints);
  }
  return counts;
}
