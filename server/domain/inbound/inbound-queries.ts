import type { Tx } from '../../platform/database.ts';
import { distinct } from '../../platform/distinct.ts';
import type { Tenant } from '../partners/tenant.ts';
import type { Cause } from '../stock/movement.ts';
import { changeStates } from '../timeline/state-change-queries.ts';
import type { InboundRequest } from './create-inbounds.ts';
import { type InboundEvent, type InboundStatus, inboundAfter, inboundStatesAllowing } from './inbound-document.ts';

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
  lines: { skuId: string; productId: number; expireDate: string; qty: number }[];
};

/** Sorted by number, so that two nodes that insert the same ones wait for each other in one order. */
export async function insertInbounds(tx: Tx, documents: NewInbound[]): Promise<void> {
  const sorted = documents.toSorted((a, b) => (a.partnerNumber < b.partnerNumber ? -1 : 1));
  const column = <T>(read: (document: NewInbound) => T) => sorted.map(read);
  await tx`
    insert into inbound_document (inbound_id, account_id, channel, kind, partner_number, document_no, payload_digest, warehouse_no,
      store_no, receiving, over_delivery_percent, status, estimated_arrival_at, original_order_number, trace_id, created_by)
    select inbound_id, account_id, 'warehouse', kind, partner_number, document_no, decode(payload_digest, 'hex'), warehouse_no,
      store_no, receiving, over_delivery_percent, status, to_timestamp(estimated_arrival_ms / 1000.0), original_order_number, trace_id, created_by
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
  status: InboundStatus;
  receiving: Tenant['receiving'];
}

type InboundName = { accountId: number; partnerNumber: string };

/** Documents are locked before lots, and in the order of their ids. */
export async function lockInboundsByNumber(tx: Tx, wanted: InboundName[]): Promise<LockedInbound[]> {
  return await tx<LockedInbound[]>`
    select inbound_id as "inboundId", account_id as "accountId", partner_number as "partnerNumber", status, receiving
    from inbound_document where ${isNamed(tx, wanted)}
    order by inbound_id for no key update`;
}

export interface ReceivedUnits {
  inboundId: number;
  lotId: number;
  qty: number;
}

/** What these documents have brought into which lot, as long as they can be cancelled. After they are locked, so that it stays so. */
export async function unitsBroughtByInbounds(tx: Tx, wanted: InboundName[]): Promise<ReceivedUnits[]> {
  return await tx<ReceivedUnits[]>`
    select inbound_id as "inboundId", lot_id as "lotId", sum(on_hand_delta)::bigint as qty
    from movement where inbound_id = any(${cancellableIds(tx, wanted)})
    group by inbound_id, lot_id having sum(on_hand_delta) <> 0`;
}

export interface LotBalance {
  lotId: number;
  onHand: number;
  locked: number;
}

export async function lockLotsOfInbounds(tx: Tx, wanted: InboundName[]): Promise<LotBalance[]> {
  return await tx<LotBalance[]>`
    select lot_id as "lotId", on_hand as "onHand", locked from lot
    where lot_id = any(array(select lot_id from movement where inbound_id = any(${cancellableIds(tx, wanted)})))
    order by lot_id for no key update`;
}

function cancellableIds(tx: Tx, wanted: InboundName[]) {
  return tx`array(select inbound_id from inbound_document where ${isNamed(tx, wanted)} and status = any(${inboundStatesAllowing('cancel')}))`;
}

function isNamed(tx: Tx, wanted: InboundName[]) {
  const numbers = distinct(wanted.map((one) => one.partnerNumber));
  const accountIds = distinct(wanted.map((one) => one.accountId));
  return tx`channel <> 'logistics' and partner_number = any(${numbers}) and account_id = any(${accountIds})`;
}

/** A document as it was when it was locked, and who moves it. */
export type MovedInbound = Pick<LockedInbound, 'inboundId' | 'status'> & { cause: Cause };

/** Lets something happen to documents, in states in which it can; returns to how many it did. */
export async function moveInbounds(tx: Tx, event: InboundEvent, documents: MovedInbound[]): Promise<number> {
  return await changeStates(
    tx,
    'inbound',
    documents.map(({ inboundId, status, cause }) => ({
      documentId: inboundId,
      event,
      from: status,
      to: inboundAfter(status, event)!,
      cause,
    })),
  );
}
