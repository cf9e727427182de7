import { distinct } from '../../platform/distinct.ts';
import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { perAccount } from '../../platform/postgres/per-account.ts';
import { rowParameters } from '../../platform/postgres/row-parameters.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import type { CallbackTarget, NotifiedItem } from '../callbacks/callback.ts';
import { type InboundStatus, inboundKinds } from './inbound-document.ts';
import type { FormItem, InboundFormRequest } from './inbound-form.ts';
import { eachAccount, type InboundsOfAccount } from './inbound-queries.ts';

/** The parts of a form that decide how a repeat of its number is answered. */
export interface KnownForm {
  accountId: number;
  partnerNumber: string;
  payloadDigest: string;
  status: InboundStatus;
}

export async function findForms(tx: Tx, wanted: { accountId: number; partnerNumber: string }[]): Promise<KnownForm[]> {
  return await perAccount(
    wanted,
    (accountId, own) => tx<KnownForm[]>`
      select ${camelColumns('account_id, partner_number')}, encode(payload_digest, 'hex') as "payloadDigest", status
      from inbound_document where account_id = ${accountId} and channel = 'logistics'
        and partner_number = any(${distinct(own.map((one) => one.partnerNumber))})`,
  );
}

export type NewForm = Omit<InboundFormRequest, 'lines'> & {
  inboundId: number;
  documentNo: string;
  status: InboundStatus;
  /** null: nothing is received automatically. */
  receiveAt: Date | null;
  lines: (FormItem & { productId: number })[];
};

const formRows = rowParameters<NewForm>({
  inbound_id: ['bigint', (form) => form.inboundId],
  kind: ['text', (form) => form.content.kind],
  partner_number: ['text', (form) => form.partnerNumber],
  document_no: ['text', (form) => form.documentNo],
  payload_digest: ['text', (form) => form.payloadDigest],
  warehouse_no: ['integer', (form) => form.key.warehouseNo],
  store_no: ['integer', (form) => form.key.storeNo],
  receiving: ['text', (form) => form.key.receiving],
  receive_at: ['timestamptz', (form) => form.receiveAt],
  over_delivery_percent: ['integer', (form) => form.key.overDeliveryPercent],
  status: ['text', (form) => form.status],
  trace_id: ['uuid', (form) => form.cause.traceId],
  created_by: ['text', (form) => form.cause.actor],
});

/** Sorted by the unique key, so that two nodes that insert the same forms lock them in the same order. */
export async function insertForms(tx: Tx, forms: NewForm[]): Promise<void> {
  const sorted = forms.toSorted((a, b) => (a.partnerNumber < b.partnerNumber ? -1 : 1));
  await perAccount(
    sorted,
    (accountId, own) => tx`
      insert into inbound_document (account_id, inbound_id, channel, kind, partner_number, document_no, payload_digest, warehouse_no,
        store_no, receiving, receive_at, over_delivery_percent, status, trace_id, created_by)
      select ${accountId}::bigint, inbound_id, 'logistics', kind, partner_number, document_no, decode(payload_digest, 'hex'), warehouse_no,
        store_no, receiving, receive_at, over_delivery_percent, status, trace_id, created_by
      from ${formRows.given(own)}`,
  );
}

const formDetailRows = rowParameters<NewForm>({
  inbound_id: ['bigint', (form) => form.inboundId],
  internal_form_no: ['text', (form) => form.content.internalFormNo],
  shipping_type: ['text', (form) => form.content.shippingType],
  sender_name: ['text', (form) => form.content.sender.name],
  sender_address: ['text', (form) => form.content.sender.address],
});

export async function insertFormDetails(tx: Tx, forms: NewForm[]): Promise<void> {
  await perAccount(
    forms,
    (accountId, own) => tx`
      insert into inbound_form (account_id, inbound_id, internal_form_no, shipping_type, sender_name, sender_address)
      select ${accountId}::bigint, given.* from ${formDetailRows.given(own)}`,
  );
}

const formLineRows = rowParameters<NewForm['lines'][number] & { inboundId: number; lineNo: number }>({
  inbound_id: ['bigint', (line) => line.inboundId],
  line_no: ['integer', (line) => line.lineNo],
  product_id: ['bigint', (line) => line.productId],
  qty: ['bigint', (line) => line.qty],
  batch_id: ['text', (line) => line.batchId],
  expire_date: ['date', (line) => line.expireDate],
  item_name: ['text', (line) => line.name],
  item_storage_type: ['text', (line) => line.storageType],
  price: ['numeric', (line) => line.price],
  identifier: ['text', (line) => line.identifier],
});

export async function insertFormLines(tx: Tx, forms: NewForm[]): Promise<void> {
  const lines = forms.flatMap(({ inboundId, accountId, lines }) =>
    lines.map((line, index) => ({ inboundId, accountId, lineNo: index + 1, ...line })),
  );
  await perAccount(
    lines,
    (accountId, own) => tx`
      insert into inbound_line (account_id, inbound_id, line_no, product_id, qty, batch_id, expire_date, item_name, item_storage_type,
        price, identifier)
      select ${accountId}::bigint, given.* from ${formLineRows.given(own)}`,
  );
}

/** The details of a form that notifications contain beside its numbers, and their target. */
export interface NotifiedForm extends CallbackTarget {
  inboundId: number;
  callbackCount: number;
  internalFormNo: string;
}

/**
 * Call it after the documents are locked, so that the result stays valid. Documents that are not forms have no
 * notifications.
 */
export async function findNotifiedForms(tx: Tx, documents: InboundsOfAccount[]): Promise<NotifiedForm[]> {
  return await eachAccount(
    documents,
    (accountId, inboundIds) => tx<NotifiedForm[]>`
      select document_id as "inboundId", ${camelColumns('key_name, url, callback_count')},
        (select internal_form_no from inbound_form f where f.account_id = ${accountId} and f.inbound_id = document_id) as "internalFormNo"
      from callback_target
      where account_id = ${accountId} and document_type = any(${[...inboundKinds]}) and document_id = any(${inboundIds})`,
  );
}

/** A document whose account may have an address for its callbacks. */
export interface DirectInbound {
  inboundId: number;
  partnerNumber: string;
  /** The owner of the secret that signed its last callback, or will sign the first one; null: not known. */
  signer: string | null;
  callbackCount: number;
}

export async function findDirectInbounds(tx: Tx, documents: InboundsOfAccount[]): Promise<DirectInbound[]> {
  return await eachAccount(
    documents,
    (accountId, inboundIds) => tx<DirectInbound[]>`
      select inbound_id as "inboundId", partner_number as "partnerNumber", key_name as signer,
        coalesce(callback_count, 0) as "callbackCount"
      from inbound_document
      left join lateral (
        select key_name, callback_count from callback_target
        where account_id = ${accountId} and document_type = kind and document_id = inbound_id offset 0
      ) target on true
      where account_id = ${accountId} and inbound_id = any(${inboundIds})`,
  );
}

/** The announced items of forms, in the order in which they were sent. */
export async function findFormItems(
  tx: Tx,
  documents: InboundsOfAccount[],
): Promise<(NotifiedItem & { inboundId: number })[]> {
  return await eachAccount(
    documents,
    (accountId, inboundIds) => tx<(NotifiedItem & { inboundId: number })[]>`
      select inbound_id as "inboundId", qty, item_name as name,
        (select sku_id from product p where p.account_id = ${accountId} and p.product_id = l.product_id) as "skuId",
        item_storage_type as "storageType", price, nullif(batch_id, '') as "batchId", identifier, expire_date as "expireDate"
      from inbound_line l where account_id = ${accountId} and inbound_id = any(${inboundIds}) order by inbound_id, line_no`,
  );
}
