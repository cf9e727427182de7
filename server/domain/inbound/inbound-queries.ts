import { distinct } from '../../platform/distinct.ts';
import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { groupByAccount, perAccount } from '../../platform/postgres/per-account.ts';
import { rowParameters, typedRowParameters } from '../../platform/postgres/row-parameters.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import { usesCallbacks } from '../callbacks/account-callback-queries.ts';
import type { DocumentSize } from '../documents/cancel-in-turns.ts';
import { changeStates } from '../documents/state-change-queries.ts';
import type { Tenant } from '../partners/tenant.ts';
import type { Cause } from '../stock/movement.ts';
import type { ArrivedUnits } from './arrived-units.ts';
import {
  type ExpectedUnits,
  type InboundEvent,
  type InboundKind,
  type InboundRequest,
  type InboundStatus,
  inboundAfter,
  inboundStatesAllowing,
} from './inbound-document.ts';
import type { ReturnReason } from './return-reason.ts';

/** The parts of an inbound document that decide how a repeat of its number is answered. */
export interface KnownInbound {
  accountId: number;
  partnerNumber: string;
  documentNo: string;
  warehouseNo: number;
  payloadDigest: string;
}

export async function findInboundsByNumber(
  tx: Sql | Tx,
  wanted: { accountId: number; partnerNumber: string }[],
): Promise<KnownInbound[]> {
  return await perAccount(
    wanted,
    (accountId, own) => tx<KnownInbound[]>`
      select ${camelColumns('account_id, partner_number, document_no, warehouse_no')},
        encode(payload_digest, 'hex') as "payloadDigest"
      from inbound_document
      where account_id = ${accountId} and channel <> 'logistics' and partner_number = any(${own.map((one) => one.partnerNumber)})`,
  );
}

export async function takeInboundIds(tx: Tx, count: number): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select nextval('inbound_id_seq') as id from generate_series(1, ${count}::integer)`;
  return rows.map((row) => row.id);
}

export type NewInbound = Omit<InboundRequest, 'tenant' | 'lines'> & {
  inboundId: number;
  documentNo: string;
  status: InboundStatus;
  tenant: Tenant;
  lines: (ExpectedUnits & { productId: number })[];
};

const inboundRows = typedRowParameters<NewInbound>('inbound_row', {
  inbound_id: ['bigint', (document) => document.inboundId],
  kind: ['text', (document) => document.kind],
  partner_number: ['text', (document) => document.partnerNumber],
  document_no: ['text', (document) => document.documentNo],
  payload_digest: ['text', (document) => document.payloadDigest],
  warehouse_no: ['integer', (document) => document.tenant.warehouseNo],
  store_no: ['integer', (document) => document.tenant.storeNo],
  receiving: ['text', (document) => document.tenant.receiving],
  over_delivery_percent: ['integer', (document) => document.tenant.overDeliveryPercent],
  status: ['text', (document) => document.status],
  estimated_arrival_ms: ['bigint', (document) => document.estimatedArrivalMs],
  original_order_number: ['text', (document) => document.originalOrderNumber],
  trace_id: ['uuid', (document) => document.cause.traceId],
  created_by: ['text', (document) => document.cause.actor],
});

/** Sorted by number, so that two nodes that insert the same documents lock them in the same order. */
export async function insertInbounds(tx: Tx, documents: NewInbound[]): Promise<void> {
  const sorted = documents.toSorted((a, b) => (a.partnerNumber < b.partnerNumber ? -1 : 1));
  await perAccount(
    sorted,
    (accountId, own) => tx`
      insert into inbound_document (account_id, inbound_id, channel, kind, partner_number, document_no, payload_digest, warehouse_no,
        store_no, receiving, over_delivery_percent, status, estimated_arrival_at, original_order_number, trace_id, created_by)
      select ${accountId}::bigint, inbound_id, 'warehouse', kind, partner_number, document_no, decode(payload_digest, 'hex'), warehouse_no,
        store_no, receiving, over_delivery_percent, status,
        -- As one number of seconds, a millisecond of a distant year would be rounded.
        to_timestamp(estimated_arrival_ms / 1000) + estimated_arrival_ms % 1000 * interval '1 millisecond',
        original_order_number, trace_id, created_by
      from ${inboundRows.given(own)}`,
  );
}

type NewLine = NewInbound['lines'][number] & { inboundId: number; lineNo: number };

const inboundLineRows = typedRowParameters<NewLine>('inbound_line_row', {
  inbound_id: ['bigint', (line) => line.inboundId],
  line_no: ['integer', (line) => line.lineNo],
  product_id: ['bigint', (line) => line.productId],
  expire_date: ['date', (line) => line.expireDate],
  qty: ['bigint', (line) => line.qty],
});

const batchedLineRows = rowParameters<NewLine>({
  inbound_id: ['bigint', (line) => line.inboundId],
  line_no: ['integer', (line) => line.lineNo],
  product_id: ['bigint', (line) => line.productId],
  expire_date: ['date', (line) => line.expireDate],
  qty: ['bigint', (line) => line.qty],
  batch_id: ['text', (line) => line.batchId ?? ''],
});

/** Only an import announces batches; lines without them are written by a statement that is planned once. */
export async function insertInboundLines(tx: Tx, documents: NewInbound[]): Promise<void> {
  const lines = documents.flatMap(({ inboundId, accountId, lines }) =>
    lines.map((line, index) => ({ ...line, inboundId, accountId, lineNo: index + 1 })),
  );
  const [batched, others] = [lines.filter(({ batchId }) => batchId), lines.filter(({ batchId }) => !batchId)];
  await Promise.all([
    perAccount(
      others,
      (accountId, own) => tx`
        insert into inbound_line (account_id, inbound_id, line_no, product_id, expire_date, qty)
        select ${accountId}::bigint, given.* from ${inboundLineRows.given(own)}`,
    ),
    perAccount(
      batched,
      (accountId, own) => tx`
        insert into inbound_line (account_id, inbound_id, line_no, product_id, expire_date, qty, batch_id)
        select ${accountId}::bigint, given.* from ${batchedLineRows.given(own)}`,
    ),
  ]);
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
  /** The document is not of the logistics webhook, and its account has an address for callbacks. */
  usesCallbacks: boolean;
}

/** How a partner refers to a document. The logistics channel has numbers of its own. */
export type InboundName = { accountId: number; partnerNumber: string; isLogistics: boolean };

/** The name as a single string. */
export function nameText({ accountId, partnerNumber, isLogistics }: InboundName): string {
  return `${accountId}/${isLogistics}/${partnerNumber}`;
}

/** Documents are locked before lots, and in the order of their accounts and ids. */
export async function lockInboundsByName(tx: Tx, wanted: InboundName[]): Promise<LockedInbound[]> {
  return await perAccount(
    wanted,
    (accountId, own) => tx<LockedInbound[]>`
      select ${camelColumns('inbound_id, account_id, partner_number')}, channel = 'logistics' as "isLogistics",
        kind, ${camelColumns('document_no, warehouse_no, status, receiving, over_delivery_percent')},
        channel <> 'logistics' and (${usesCallbacks(accountId)}) as "usesCallbacks"
      from inbound_document where ${isNamed(tx, accountId, own)}
      order by inbound_id for no key update`,
  );
}

export interface InboundKey {
  accountId: number;
  inboundId: number;
}

/** Documents of one account, by their ids, which are given or found by a subquery. */
export interface InboundsOfAccount {
  accountId: number;
  inboundIds: number[] | ReturnType<Tx>;
}

export function inboundsByAccount(documents: InboundKey[]): InboundsOfAccount[] {
  return groupByAccount(documents).map(([accountId, own]) => ({
    accountId,
    inboundIds: own.map(({ inboundId }) => inboundId),
  }));
}

/** The documents that can be cancelled; the result stays valid only if the documents are locked. */
export function cancellableInbounds(tx: Tx, wanted: InboundName[]): InboundsOfAccount[] {
  return groupByAccount(wanted).map(([accountId, own]) => ({
    accountId,
    inboundIds: tx`array(
      select inbound_id from inbound_document
      where ${isNamed(tx, accountId, own)} and status = any(${inboundStatesAllowing('cancel')}))`,
  }));
}

/** Numbers of the logistics channel have an index of their own. Without such numbers the statement stays simple. */
function isNamed(tx: Sql | Tx, accountId: number, wanted: InboundName[]) {
  const logistics = wanted.filter((one) => one.isLogistics);
  const direct = wanted.filter((one) => !one.isLogistics);
  if (logistics.length === 0) return tx`channel <> 'logistics' and ${isAmong(tx, accountId, direct)}`;
  const isLogistics = tx`channel = 'logistics' and ${isAmong(tx, accountId, logistics)}`;
  return direct.length === 0
    ? isLogistics
    : tx`((${isLogistics}) or (channel <> 'logistics' and ${isAmong(tx, accountId, direct)}))`;
}

function isAmong(tx: Sql | Tx, accountId: number, wanted: InboundName[]) {
  return tx`account_id = ${accountId} and partner_number = any(${distinct(wanted.map((one) => one.partnerNumber))})`;
}

export interface LotBalance {
  lotId: number;
  onHand: number;
  locked: number;
}

/** Locks the lots in which these documents have received units. */
export async function findInboundSizes(sql: Sql, accountId: number, wanted: InboundName[], countMax: number) {
  return await sql<DocumentSize[]>`
    select ${camelColumns('partner_number')}, (
      select count(*)::integer from (
        select from movement where movement.account_id = ${accountId} and movement.inbound_id = inbound_document.inbound_id
        limit ${countMax}::integer) counted
    ) as movements
    from inbound_document where ${isNamed(sql, accountId, wanted)}`;
}

export async function lockLotsOfInbounds(tx: Tx, documents: InboundsOfAccount[]): Promise<LotBalance[]> {
  return await eachAccount(
    documents,
    (accountId, inboundIds) => tx<LotBalance[]>`
      select ${camelColumns('lot_id, on_hand, locked')} from lot
      where account_id = ${accountId} and lot_id = any(array(
        select lot_id from movement where account_id = ${accountId} and inbound_id = any(${inboundIds})))
      order by lot_id for no key update`,
  );
}

/** Like `perAccount`, for documents that are grouped already. */
export async function eachAccount<Row>(
  documents: InboundsOfAccount[],
  send: (accountId: number, inboundIds: InboundsOfAccount['inboundIds']) => PromiseLike<readonly Row[]>,
): Promise<Row[]> {
  return await perAccount(documents, (accountId, [own]) => send(accountId, own!.inboundIds));
}

/** The units that a document has received into a lot. */
export interface BroughtUnits extends ArrivedUnits {
  inboundId: number;
  lotId: number;
  productId: number;
  /** The number of movements. */
  portions: number;
}

/**
 * Sums the movements of the documents, so retracted units do not count. Call it after the documents are locked, so that
 * the result stays valid.
 */
export async function unitsBroughtBy(tx: Sql | Tx, documents: InboundsOfAccount[]): Promise<BroughtUnits[]> {
  return await eachAccount(
    documents,
    (accountId, inboundIds) => tx<BroughtUnits[]>`
      select ${camelColumns('inbound_id, lot_id, qty, portions, product_id, sku_id, stock_type, batch_id')},
        nullif(expire_date, 'infinity') as "expireDate"
      from (
        select inbound_id, lot_id, sum(on_hand_delta)::bigint as qty, count(*)::integer as portions from movement
        where account_id = ${accountId} and inbound_id = any(${inboundIds}) group by inbound_id, lot_id having sum(on_hand_delta) <> 0
      ) brought
      cross join lateral (
        select product_id, sku_id, stock_type, batch_id, expire_date from lot
        where lot.account_id = ${accountId} and lot.lot_id = brought.lot_id offset 0
      ) lot`,
  );
}

/** The announced units of each product. */
export async function unitsAnnouncedBy(
  tx: Tx,
  documents: InboundsOfAccount[],
): Promise<{ inboundId: number; productId: number; qty: number }[]> {
  return await eachAccount(
    documents,
    (accountId, inboundIds) => tx<{ inboundId: number; productId: number; qty: number }[]>`
      select ${camelColumns('inbound_id, product_id')}, sum(qty)::bigint as qty
      from inbound_line where account_id = ${accountId} and inbound_id = any(${inboundIds}) group by inbound_id, product_id`,
  );
}

/** A receipt with a number, by which a repeat is recognized. */
export interface KnownReceipt {
  inboundId: number;
  receiptNo: string;
  payloadDigest: string;
}

export async function findReceipts(
  tx: Tx,
  documents: InboundsOfAccount[],
  receiptNos: string[],
): Promise<KnownReceipt[]> {
  return await eachAccount(
    documents,
    (accountId, inboundIds) => tx<KnownReceipt[]>`
      select ${camelColumns('inbound_id, receipt_no')}, encode(payload_digest, 'hex') as "payloadDigest"
      from receipt where account_id = ${accountId} and inbound_id = any(${inboundIds}) and receipt_no = any(${receiptNos})`,
  );
}

/** A receipt to store. */
export interface NewReceipt extends KnownReceipt {
  accountId: number;
  returnReason: ReturnReason | null;
}

const receiptRows = rowParameters<NewReceipt>({
  inbound_id: ['bigint', (receipt) => receipt.inboundId],
  receipt_no: ['text', (receipt) => receipt.receiptNo],
  payload_digest: ['text', (receipt) => receipt.payloadDigest],
  return_reason: ['text', (receipt) => receipt.returnReason],
});

export async function insertReceipts(tx: Tx, receipts: NewReceipt[]): Promise<void> {
  await perAccount(
    receipts,
    (accountId, own) => tx`
      insert into receipt (account_id, inbound_id, receipt_no, payload_digest, return_reason)
      select ${accountId}::bigint, inbound_id, receipt_no, decode(payload_digest, 'hex'), return_reason
      from ${receiptRows.given(own)}`,
  );
}

/** A document as it was when it was locked, the event, and its cause. */
export type InboundMove = Pick<LockedInbound, 'accountId' | 'inboundId' | 'status'> & {
  event: InboundEvent;
  cause: Cause;
};

/**
 * Applies events to documents whose states allow them. Several events of one document are applied one after the other.
 */
export async function moveInbounds(tx: Tx, moves: InboundMove[]): Promise<void> {
  await changeStates(
    tx,
    'inbound',
    moves.map(({ accountId, inboundId, status, event, cause }) => ({
      accountId,
      documentId: inboundId,
      event,
      from: status,
      to: inboundAfter(status, event)!,
      cause,
    })),
  );
}
