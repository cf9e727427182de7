import type { Tx } from '../../platform/database.ts';
import type { Tenant } from '../partners/tenant.ts';
import type { InboundRequest } from './create-inbounds.ts';
import { type InboundStatus, statesBefore } from './inbound-document.ts';

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
    select nextval(pg_get_serial_sequence('inbound_document', 'inbound_id')) as id from generate_series(1, ${count}::integer)`;
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
      store_no, receiving, status, estimated_arrival_at, original_order_number, trace_id)
    select inbound_id, account_id, 'warehouse', kind, partner_number, document_no, decode(payload_digest, 'hex'), warehouse_no,
      store_no, receiving, status, to_timestamp(estimated_arrival_ms / 1000.0), original_order_number, trace_id
    from unnest(
      ${column((one) => one.inboundId)}::bigint[], ${column((one) => one.accountId)}::bigint[], ${column((one) => one.kind)}::text[],
      ${column((one) => one.partnerNumber)}::text[], ${column((one) => one.documentNo)}::text[],
      ${column((one) => one.payloadDigest)}::text[], ${column((one) => one.tenant.warehouseNo)}::integer[],
      ${column((one) => one.tenant.storeNo)}::integer[], ${column((one) => one.tenant.receiving)}::text[],
      ${column((one) => one.status)}::text[], ${column((one) => one.estimatedArrivalMs)}::bigint[],
      ${column((one) => one.originalOrderNumber)}::text[], ${column((one) => one.cause.traceId)}::uuid[]
    ) as given(inbound_id, account_id, kind, partner_number, document_no, payload_digest, warehouse_no, store_no, receiving, status,
      estimated_arrival_ms, original_order_number, trace_id)`;
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
    select d.inbound_id as "inboundId", d.account_id as "accountId", d.partner_number as "partnerNumber", status, receiving
    from ${unnestNames(tx, wanted)} join inbound_document d on d.partner_number = wanted.partner_number and d.account_id = wanted.account_id
    where d.channel <> 'logistics'
    order by d.inbound_id for no key update of d`;
}

export interface ReceivedUnits {
  inboundId: number;
  lotId: number;
  qty: number;
  /** Of the whole lot, whoever brought it. */
  onHand: number;
  locked: number;
}

/** What these documents have brought into which lot, as long as they can be cancelled; the lots are locked. After the documents themselves. */
export async function lockUnitsOfInbounds(tx: Tx, wanted: InboundName[]): Promise<ReceivedUnits[]> {
  return await tx<ReceivedUnits[]>`
    select brought.inbound_id as "inboundId", l.lot_id as "lotId", brought.qty, l.on_hand as "onHand", l.locked from (
      select m.inbound_id, m.lot_id, sum(m.on_hand_delta)::bigint as qty
      from ${unnestNames(tx, wanted)} join inbound_document d on d.partner_number = wanted.partner_number and d.account_id = wanted.account_id
      join movement m on m.inbound_id = d.inbound_id
      where d.channel <> 'logistics' and d.status = any(${statesBefore('cancelled')})
      group by m.inbound_id, m.lot_id having sum(m.on_hand_delta) <> 0
    ) brought join lot l on l.lot_id = brought.lot_id
    order by l.lot_id for no key update of l`;
}

function unnestNames(tx: Tx, wanted: InboundName[]) {
  return tx`(select distinct * from unnest(${wanted.map((one) => one.accountId)}::bigint[], ${wanted.map((one) => one.partnerNumber)}::text[])
    as given(account_id, partner_number)) as wanted`;
}

/** The one door through which an inbound document changes its state; from a state that does not lead there it does not move. */
export async function moveInbounds(tx: Tx, inboundIds: number[], to: InboundStatus): Promise<number> {
  const moved = await tx`
    update inbound_document set status = ${to}, updated_at = now()
    where inbound_id = any(${inboundIds}) and status = any(${statesBefore(to)})`;
  return moved.count;
}
