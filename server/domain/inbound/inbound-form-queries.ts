import { distinct } from '../../platform/distinct.ts';
import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { rowParameters } from '../../platform/postgres/row-parameters.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import type { CallbackTarget, NotifiedItem } from '../callbacks/callback.ts';
import { type InboundStatus, inboundKinds } from './inbound-document.ts';
import type { FormItem, InboundFormRequest } from './inbound-form.ts';
import type { InboundIds } from './inbound-queries.ts';

/** The parts of a form that decide how a repeat of its number is answered. */
export interface KnownForm {
  accountId: number;
  partnerNumber: string;
  payloadDigest: string;
  status: InboundStatus;
}

/** May include forms of another account with the same number. */
export async function findForms(tx: Tx, wanted: { accountId: number; partnerNumber: string }[]): Promise<KnownForm[]> {
  return await tx<KnownForm[]>`
    select ${camelColumns('account_id, partner_number')}, encode(payload_digest, 'hex') as "payloadDigest", status
    from inbound_document where channel = 'logistics' and account_id = any(${distinct(wanted.map((one) => one.accountId))})
      and partner_number = any(${distinct(wanted.map((one) => one.partnerNumber))})`;
}

export type NewForm = Omit<InboundFormRequest, 'lines'> & {
  inboundId: number;
  documentNo: string;
  status: InboundStatus;
  lines: (FormItem & { productId: number })[];
};

const formRows = rowParameters<NewForm>({
  inbound_id: ['bigint', (form) => form.inboundId],
  account_id: ['bigint', (form) => form.accountId],
  kind: ['text', (form) => form.content.kind],
  partner_number: ['text', (form) => form.partnerNumber],
  document_no: ['text', (form) => form.documentNo],
  payload_digest: ['text', (form) => form.payloadDigest],
  warehouse_no: ['integer', (form) => form.key.warehouseNo],
  store_no: ['integer', (form) => form.key.storeNo],
  receiving: ['text', (form) => form.key.receiving],
  over_delivery_percent: ['integer', (form) => form.key.overDeliveryPercent],
  status: ['text', (form) => form.status],
  trace_id: ['uuid', (form) => form.cause.traceId],
  created_by: ['text', (form) => form.cause.actor],
});

/** Sorted by the unique key, so that two nodes that insert the same forms lock them in the same order. */
export async function insertForms(tx: Tx, forms: NewForm[]): Promise<void> {
  const sorted = forms.toSorted((a, b) => a.accountId - b.accountId || (a.partnerNumber < b.partnerNumber ? -1 : 1));
  await tx`
    insert into inbound_document (inbound_id, account_id, channel, kind, partner_number, document_no, payload_digest, warehouse_no,
      store_no, receiving, over_delivery_percent, status, trace_id, created_by)
    select inbound_id, account_id, 'logistics', kind, partner_number, document_no, decode(payload_digest, 'hex'), warehouse_no,
      store_no, receiving, over_delivery_percent, status, trace_id, created_by
    from ${formRows.given(sorted)}`;
}

const formDetailRows = rowParameters<NewForm>({
  inbound_id: ['bigint', (form) => form.inboundId],
  account_id: ['bigint', (form) => form.accountId],
  internal_form_no: ['text', (form) => form.content.internalFormNo],
  shipping_type: ['text', (form) => form.content.shippingType],
  sender_name: ['text', (form) => form.content.sender.name],
  sender_address: ['text', (form) => form.content.sender.address],
});

export async function insertFormDetails(tx: Tx, forms: NewForm[]): Promise<void> {
  await tx`
    insert into inbound_form (inbound_id, account_id, internal_form_no, shipping_type, sender_name, sender_address)
    select * from ${formDetailRows.unnest(forms)}`;
}

const formLineRows = rowParameters<NewForm['lines'][number] & { inboundId: number; accountId: number; lineNo: number }>(
  {
    inbound_id: ['bigint', (line) => line.inboundId],
    line_no: ['integer', (line) => line.lineNo],
    account_id: ['bigint', (line) => line.accountId],
    product_id: ['bigint', (line) => line.productId],
    qty: ['bigint', (line) => line.qty],
    batch_id: ['text', (line) => line.batchId],
    expire_date: ['date', (line) => line.expireDate],
    item_name: ['text', (line) => line.name],
    item_storage_type: ['text', (line) => line.storageType],
    price: ['numeric', (line) => line.price],
    identifier: ['text', (line) => line.identifier],
  },
);

export async function insertFormLines(tx: Tx, forms: NewForm[]): Promise<void> {
  const lines = forms.flatMap(({ inboundId, accountId, lines }) =>
    lines.map((line, index) => ({ inboundId, accountId, lineNo: index + 1, ...line })),
  );
  await tx`
    insert into inbound_line (inbound_id, line_no, account_id, product_id, qty, batch_id, expire_date, item_name, item_storage_type, price,
      identifier)
    select * from ${formLineRows.unnest(lines)}`;
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
export async function findNotifiedForms(tx: Tx, inboundIds: InboundIds): Promise<NotifiedForm[]> {
  return await tx<NotifiedForm[]>`
    select document_id as "inboundId", ${camelColumns('key_name, url, callback_count')},
      (select internal_form_no from inbound_form where inbound_id = document_id) as "internalFormNo"
    from callback_target where document_type = any(${[...inboundKinds]}) and document_id = any(${inboundIds})`;
}

/** The announced items of forms, in the order in which they were sent. */
export async function findFormItems(tx: Tx, inboundIds: InboundIds): Promise<(NotifiedItem & { inboundId: number })[]> {
  return await tx<(NotifiedItem & { inboundId: number })[]>`
    select inbound_id as "inboundId", (select sku_id from product p where p.product_id = l.product_id) as "skuId", qty, item_name as name,
      item_storage_type as "storageType", price, nullif(batch_id, '') as "batchId", identifier, expire_date as "expireDate"
    from inbound_line l where inbound_id = any(${inboundIds}) order by inbound_id, line_no`;
}
