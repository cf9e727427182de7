import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import type { DocumentType } from '../callbacks/callback.ts';
import { findReturnsOfOrders } from '../documents/return-link-queries.ts';
import { sumArrived } from '../inbound/arrived-units.ts';
import { findFormItems } from '../inbound/inbound-form-queries.ts';
import { inboundsByAccount, unitsBroughtBy } from '../inbound/inbound-queries.ts';
import { hasLeft, type OrderStatus, type UndeliveredReason } from '../orders/order.ts';
import { findParcels, findShort } from '../orders/parcel-queries.ts';
import { findItemsOf } from '../orders/shipping-order-queries.ts';
import { noProgress, type OrderProgress, type TestedDocument } from './test-document.ts';

/** One test of an account at a time, so that their number per minute is exact on all nodes together. */
export async function lockTestsOf(tx: Tx, accountId: number): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`test callbacks ${accountId}`}, 0))`;
}

/** The number of tests within these last seconds, and after how many seconds the oldest of them no longer counts. */
export async function countRecentTests(
  tx: Tx,
  accountId: number,
  seconds: number,
): Promise<{ count: number; oldestLeftSeconds: number }> {
  const [row] = await tx<[{ count: number; oldestLeftSeconds: number }]>`
    select count(*)::integer as count,
      coalesce(ceil(extract(epoch from min(created_at) + make_interval(secs => ${seconds}::float8) - now())), 0)::integer
        as "oldestLeftSeconds"
    from callback where account_id = ${accountId} and test_of is not null
      and created_at > now() - make_interval(secs => ${seconds}::float8)`;
  return row;
}

/** A test belongs to no document, so it has an id that no document has. */
export async function takeTestId(tx: Tx): Promise<number> {
  const [row] = await tx<[{ id: number }]>`select -nextval('callback_id_seq') as id`;
  return row.id;
}

/** A test callback that was delivered to this address: its body, and the response of the receiver. */
export async function findDeliveredTest(
  sql: Sql,
  accountId: number,
  { eventId, url }: { eventId: string; url: string },
): Promise<{ body: string; response: string | null } | null> {
  const [row] = await sql<{ body: string; response: string | null }[]>`
    select body, response from callback join callback_attempt using (account_id, callback_id)
    where account_id = ${accountId} and event_id = ${eventId}::uuid and url = ${url} and test_of is not null
      and status = 'delivered' order by attempt_no desc limit 1`;
  return row ?? null;
}

/** The only key of an account; null if there is none, or if there are several. */
export async function findOnlyKey(tx: Tx, accountId: number): Promise<string | null> {
  const rows = await tx<{ name: string }[]>`
    select name from logistics_key where account_id = ${accountId} and enabled order by name limit 2`;
  return rows.length === 1 ? rows[0]!.name : null;
}

export async function hasCallbackSecret(tx: Tx, accountId: number): Promise<boolean> {
  const rows = await tx`
    select from secret join account on account_no = owner
    where account_id = ${accountId} and kind = 'account_callback_secret' and valid_until is null`;
  return rows.length > 0;
}

type Numbers = Omit<TestedDocument, 'items' | 'arrived' | 'progress'>;

/**
 * The document of this type with this number; if two channels have it, that of the main API or the warehouse API. Until
 * the end of the transaction it is neither purged nor stripped of its recipient.
 */
export async function findTestedDocument(
  tx: Tx,
  accountId: number,
  { type, documentNo, isLogistics }: { type: DocumentType; documentNo: string; isLogistics: boolean | null },
): Promise<TestedDocument | null> {
  const channels = isLogistics === null ? [false, true] : [isLogistics];
  for (const ofLogistics of channels) {
    const [numbers] =
      type === 'order'
        ? await findOrder(tx, accountId, documentNo, ofLogistics)
        : await findInbound(tx, accountId, { kind: type, documentNo, ofLogistics });
    if (!numbers) continue;
    // After the lock: the statement that waited for an erasure still sees the note from before it.
    const note = type === 'order' && ofLogistics ? await findNote(tx, accountId, numbers.documentId) : null;
    return { ...numbers, note, ...(await contentOf(tx, accountId, type, numbers.documentId)) };
  }
  return null;
}

function channelIs(tx: Tx, ofLogistics: boolean) {
  return ofLogistics ? tx`channel = 'logistics'` : tx`channel <> 'logistics'`;
}

async function findNote(tx: Tx, accountId: number, orderId: number): Promise<string | null> {
  const [row] = await tx<{ note: string | null }[]>`
    select note from shipping_order where account_id = ${accountId} and order_id = ${orderId}`;
  return row?.note ?? null;
}

async function findOrder(tx: Tx, accountId: number, documentNo: string, ofLogistics: boolean): Promise<Numbers[]> {
  return await tx<Numbers[]>`
    select order_id as "documentId", channel = 'logistics' as "isLogistics", partner_number as "partnerNumber",
      partner_number as "internalNo", order_no as "ourNo", name, ${camelColumns('shipment_no, carrier')},
      null as note,
      ${targetColumn(tx, accountId, 'order', 'order_id', 'key_name')} as "keyName", ${targetColumn(tx, accountId, 'order', 'order_id', 'url')} as url
    from orders where account_id = ${accountId} and partner_number = ${documentNo} and ${channelIs(tx, ofLogistics)}
    for key share`;
}

async function findInbound(
  tx: Tx,
  accountId: number,
  { kind, documentNo, ofLogistics }: { kind: DocumentType; documentNo: string; ofLogistics: boolean },
): Promise<Numbers[]> {
  return await tx<Numbers[]>`
    select inbound_id as "documentId", channel = 'logistics' as "isLogistics", partner_number as "partnerNumber",
      coalesce((select internal_form_no from inbound_form f where f.account_id = ${accountId} and f.inbound_id = inbound_document.inbound_id),
        partner_number) as "internalNo",
      document_no as "ourNo", null as name, null as note, null as "shipmentNo", null as carrier,
      ${targetColumn(tx, accountId, kind, 'inbound_id', 'key_name')} as "keyName", ${targetColumn(tx, accountId, kind, 'inbound_id', 'url')} as url
    from inbound_document
    where account_id = ${accountId} and partner_number = ${documentNo} and kind = ${kind} and ${channelIs(tx, ofLogistics)}
    for key share`;
}

function targetColumn(tx: Tx, accountId: number, type: DocumentType, id: string, column: string) {
  return tx`(select ${tx(column)} from callback_target t
    where t.account_id = ${accountId} and t.document_type = ${type} and t.document_id = ${tx(id)})`;
}

async function contentOf(
  tx: Tx,
  accountId: number,
  type: DocumentType,
  documentId: number,
): Promise<Pick<TestedDocument, 'items' | 'arrived' | 'progress'>> {
  if (type === 'order') {
    const [found, progress] = await Promise.all([
      findItemsOf(tx, [{ accountId, orderId: documentId }]),
      findProgress(tx, accountId, documentId),
    ]);
    return { items: found.map(({ orderId: _, ...item }) => item), arrived: [], progress };
  }
  const itself = inboundsByAccount([{ accountId, inboundId: documentId }]);
  const [found, brought] = await Promise.all([findFormItems(tx, itself), unitsBroughtBy(tx, itself)]);
  return { items: found.map(({ inboundId: _, ...item }) => item), arrived: sumArrived(brought), progress: noProgress };
}

async function findProgress(tx: Tx, accountId: number, orderId: number): Promise<OrderProgress> {
  const itself = { accountId, orderId, documentId: orderId };
  const [[order], parcels, short, returns] = await Promise.all([
    tx<[{ status: OrderStatus; reason: UndeliveredReason | null }]>`
      select status, undelivered_reason as reason from orders where account_id = ${accountId} and order_id = ${orderId}`,
    findParcels(tx, [itself]),
    findShort(tx, [itself]),
    findReturnsOfOrders(tx, [itself]),
  ]);
  const { status, reason } = order;
  return {
    parcels: parcels.map(({ shipmentNo, carrier, units }) => ({ shipmentNo, carrier, items: units })),
    short,
    hasLeft: hasLeft(status),
    // The service expects the goods back at once, so that return is the oldest one.
    undelivered: reason && {
      reason,
      returnNo: reason === 'lost' ? null : (returns.get(orderId)?.[0]?.documentNo ?? null),
    },
  };
}
