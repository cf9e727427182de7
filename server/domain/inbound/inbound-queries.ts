import type { Sql, Tx } from '../../platform/database.ts';
import { distinct } from '../../platform/distinct.ts';
import type { Tenant } from '../partners/tenant.ts';
import type { Cause } from '../stock/movement.ts';
import { changeStates } from '../timeline/state-change-queries.ts';
import type { ArrivedUnits } from './arrived-units.ts';
import type { InboundRequest } from './create-inbounds.ts';
import { type InboundEvent, type InboundKind, type InboundStatus, inboundAfter, inboundStatesAllowing } from './inbound-document.ts';

/** What a repeat of its number needs to know of an inbound document. */
export interface KnownInbound {
  accountId: number;
  partnerNumber: string;
  documentNo: string;
  warehouseNo: number;
  payloadDigest: string;
}

export async function findInboundsByNumber(tx: Tx, partnerNumbers: string[]): Promise<KnownInbound[]> {
  return await tx<KnownInbound[]>`
    select account_id as "accountId", partner_number as "partnerNumber", document_no as "documentNo", warehouse_no as "warehouseNo",
      encode(payload_digest, 'hex') as "payloadDigest"
    from inbound_document where channel <> 'logistics' and partner_number = any(${partnerNumbers})`;
}

export async function takeInboundIds(tx: Tx, count: number): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select nextval('inbound_document_inbound_id_seq') as id from generate_series(1, ${count}::integer)`;
  return rows.map((row) => row.id);
}

export type NewInbound = Omit<InboundRequest, 'tenant' | 'lines'> & {
  inboundId: number;
  documentNo: string;
  status: InboundStatus;
  tenant: Tenant;
  lines: { skuId: string; productId: number; expireDate: string | null; qty: number }[];
};

/** Sorted by number, so that two nodes that insert the same ones wait for each other in one order. */
export async function insertInbounds(tx: Tx, documents: NewInbound[]): Promise<void> {
  const sorted = documents.toSorted((a, b) => (a.partnerNumber < b.partnerNumber ? -1 : 1));
  const column = <T>(read: (document: NewInbound) => T) => sorted.map(read);
  await tx`
    insert into inbound_document (inbound_id, account_id, channel, kind, partner_number, document_no, payload_digest, warehouse_no,
      store_no, receiving, over_delivery_percent, status, estimated_arrival_at, original_order_number, trace_id, created_by)
    select inbound_id, account_id, 'warehouse', kind, partner_number, document_no, decode(payload_digest, 'hex'), warehouse_no,
      store_no, receiving, over_delivery_percent, status,
      -- As one number of seconds, a millisecond of a distant year would be rounded.
      to_timestamp(estimated_arrival_ms / 1000) + estimated_arrival_ms % 1000 * interval '1 millisecond',
      original_order_number, trace_id, created_by
    from unnest(
      ${column((one) => one.inboundId)}::bigint[], ${column((one) => one.accountId)}::bigint[], ${column((one) => one.kind)}::text[],
      ${column((one) => one.partnerNumber)}::text[], ${column((one) => one.documentNo)}::text[],
      ${column((one) => one.payloadDigest)}::text[], ${column((one) => one.tenant.warehouseNo)}::integer[],
      ${column((one) => one.tenant.storeNo)}::integer[], ${column((one) => one.tenant.receiving)}::text[],
      ${column((one) => one.tenant.overDeliveryPercent)}::integer[],
      ${column((one) => one.status)}::text[], ${column((one) => one.estimatedArrivalMs)}::bigint[],
      ${column((one) => one.originalOrderNumber)}::text[], ${column((one) => one.cause.traceId)}::uuid[],
      ${column((one) => one.cause.actor)}::text[]
    ) as given(inbound_id, account_id, kind, partner_number, document_no, payload_digest, warehouse_no, store_no, receiving, over_delivery_percent,
      status, estimated_arrival_ms, original_order_number, trace_id, created_by)`;
}

export async function insertInboundLines(tx: Tx, documents: NewInbound[]): Promise<void> {
  const lines = documents.flatMap(({ inboundId, accountId, lines }) =>
    lines.map(({ productId, expireDate, qty }, index) => ({ inboundId, accountId, lineNo: index + 1, productId, expireDate, qty })),
  );
  await tx`
    insert into inbound_line (inbound_id, line_no, account_id, product_id, expire_date, qty)
    select * from unnest(${lines.map((line) => line.inboundId)}::bigint[], ${lines.map((line) => line.lineNo)}::integer[],
      ${lines.map((line) => line.accountId)}::bigint[], ${lines.map((line) => line.productId)}::bigint[],
      ${lines.map((line) => line.expireDate)}::date[], ${lines.map((line) => line.qty)}::bigint[])`;
}

export interface LockedInbound {
  inboundId: number;
  accountId: number;
  partnerNumber: string;
  isLogistics: boolean;
  kind: InboundKind;
  documentNo: string;
  warehouseNo: number;
  status: InboundStatus;
  receiving: Tenant['receiving'];
  overDeliveryPercent: number;
}

/** How a partner names a document: the numbers of the logistics channel are its own. */
export type InboundName = { accountId: number; partnerNumber: string; isLogistics: boolean };

/** A name in one word. */
export function nameText({ accountId, partnerNumber, isLogistics }: InboundName): string {
  return `${accountId}/${isLogistics}/${partnerNumber}`;
}

/** Documents are locked before lots, and in the order of their ids. */
export async function lockInboundsByName(tx: Tx, wanted: InboundName[]): Promise<LockedInbound[]> {
  return await tx<LockedInbound[]>`
    select inbound_id as "inboundId", account_id as "accountId", partner_number as "partnerNumber", channel = 'logistics' as "isLogistics",
      kind, document_no as "documentNo", warehouse_no as "warehouseNo", status, receiving, over_delivery_percent as "overDeliveryPercent"
    from inbound_document where ${isNamed(tx, wanted)}
    order by inbound_id for no key update`;
}

/** Ids of documents, given or to be looked up. */
export type InboundIds = number[] | ReturnType<typeof cancellableIds>;

/** Those of the documents that can be cancelled; only where they are locked, it stays so. */
export function cancellableIds(tx: Tx, wanted: InboundName[]) {
  return tx`array(select inbound_id from inbound_document where ${isNamed(tx, wanted)} and status = any(${inboundStatesAllowing('cancel')}))`;
}

/** Those of logistics stand in an index of their own, so that without them the statement is the simple one. */
function isNamed(tx: Tx, wanted: InboundName[]) {
  const logistics = wanted.filter((one) => one.isLogistics);
  const direct = wanted.filter((one) => !one.isLogistics);
  if (logistics.length === 0) return tx`channel <> 'logistics' and ${isAmong(tx, direct)}`;
  const isLogistics = tx`channel = 'logistics' and ${isAmong(tx, logistics)}`;
  return direct.length === 0 ? isLogistics : tx`(${isLogistics} or (channel <> 'logistics' and ${isAmong(tx, direct)}))`;
}

function isAmong(tx: Tx, wanted: InboundName[]) {
  const numbers = distinct(wanted.map((one) => one.partnerNumber));
  const accountIds = distinct(wanted.map((one) => one.accountId));
  return tx`account_id = any(${accountIds}) and partner_number = any(${numbers})`;
}

export interface LotBalance {
  lotId: number;
  onHand: number;
  locked: number;
}

/** The lots into which these documents have brought something. */
export async function lockLotsOfInbounds(tx: Tx, inboundIds: InboundIds): Promise<LotBalance[]> {
  return await tx<LotBalance[]>`
    select lot_id as "lotId", on_hand as "onHand", locked from lot
    where lot_id = any(array(select lot_id from movement where inbound_id = any(${inboundIds})))
    order by lot_id for no key update`;
}

/** What a document has brought into a lot. */
export interface BroughtUnits extends ArrivedUnits {
  inboundId: number;
  lotId: number;
  productId: number;
  /** In how many movements. */
  portions: number;
}

/** The sums of the documents' movements: what was taken back is not there. After the documents are locked, so that it stays so. */
export async function unitsBroughtBy(tx: Sql | Tx, inboundIds: InboundIds): Promise<BroughtUnits[]> {
  return await tx<BroughtUnits[]>`
    select inbound_id as "inboundId", lot_id as "lotId", qty, portions, product_id as "productId", sku_id as "skuId", stock_type as "stockType",
      batch_id as "batchId", nullif(expire_date, 'infinity') as "expireDate"
    from (
      select inbound_id, lot_id, sum(on_hand_delta)::bigint as qty, count(*)::integer as portions from movement
      where inbound_id = any(${inboundIds}) group by inbound_id, lot_id having sum(on_hand_delta) <> 0
    ) brought
    cross join lateral (
      select product_id, sku_id, stock_type, batch_id, expire_date from lot where lot.lot_id = brought.lot_id offset 0
    ) lot`;
}

/** What the documents announce of each product. */
export async function unitsAnnouncedBy(tx: Tx, inboundIds: number[]): Promise<{ inboundId: number; productId: number; qty: number }[]> {
  return await tx<{ inboundId: number; productId: number; qty: number }[]>`
    select inbound_id as "inboundId", product_id as "productId", sum(qty)::bigint as qty
    from inbound_line where inbound_id = any(${inboundIds}) group by inbound_id, product_id`;
}

/** A receipt that was given a number, which makes a repeat a repeat. */
export interface KnownReceipt {
  inboundId: number;
  receiptNo: string;
  payloadDigest: string;
}

export async function findReceipts(tx: Tx, inboundIds: number[], receiptNos: string[]): Promise<KnownReceipt[]> {
  return await tx<KnownReceipt[]>`
    select inbound_id as "inboundId", receipt_no as "receiptNo", encode(payload_digest, 'hex') as "payloadDigest"
    from receipt where inbound_id = any(${inboundIds}) and receipt_no = any(${receiptNos})`;
}

export async function insertReceipts(tx: Tx, receipts: (KnownReceipt & { accountId: number })[]): Promise<void> {
  await tx`
    insert into receipt (inbound_id, receipt_no, account_id, payload_digest)
    select inbound_id, receipt_no, account_id, decode(payload_digest, 'hex')
    from unnest(${receipts.map((one) => one.inboundId)}::bigint[], ${receipts.map((one) => one.receiptNo)}::text[],
      ${receipts.map((one) => one.accountId)}::bigint[], ${receipts.map((one) => one.payloadDigest)}::text[])
      as given(inbound_id, receipt_no, account_id, payload_digest)`;
}

/** A document as it was when it was locked, what happens to it, and who brings that about. */
export type InboundMove = Pick<LockedInbound, 'inboundId' | 'status'> & { event: InboundEvent; cause: Cause };

/** Lets something happen to documents, in states in which it can; to each of them once, or one thing after the other. */
export async function moveInbounds(tx: Tx, moves: InboundMove[]): Promise<void> {
  await changeStates(
    tx,
    'inbound',
    moves.map(({ inboundId, status, event, cause }) => ({
      documentId: inboundId,
      event,
      from: status,
      to: inboundAfter(status, event)!,
      cause,
    })),
  );
}
