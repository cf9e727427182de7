import type { Tx } from '../../platform/database.ts';
import { distinct } from '../../platform/distinct.ts';
import type { CallbackTarget, ToldItem } from '../callbacks/callback.ts';
import type { InboundFormRequest } from './create-inbound-forms.ts';
import { type InboundStatus, inboundKinds } from './inbound-document.ts';
import type { FormItem } from './inbound-form.ts';
import type { InboundIds } from './inbound-queries.ts';

/** What a repeat of its number needs to know of a form. */
export interface KnownForm {
  accountId: number;
  partnerNumber: string;
  payloadDigest: string;
  status: InboundStatus;
}

/** Perhaps also another account's of the same number. */
export async function findForms(tx: Tx, wanted: { accountId: number; partnerNumber: string }[]): Promise<KnownForm[]> {
  return await tx<KnownForm[]>`
    select account_id as "accountId", partner_number as "partnerNumber", encode(payload_digest, 'hex') as "payloadDigest", status
    from inbound_document where channel = 'logistics' and account_id = any(${distinct(wanted.map((one) => one.accountId))})
      and partner_number = any(${distinct(wanted.map((one) => one.partnerNumber))})`;
}

export type NewForm = Omit<InboundFormRequest, 'lines'> & {
  inboundId: number;
  documentNo: string;
  status: InboundStatus;
  lines: (FormItem & { productId: number })[];
};

/** Sorted by what must be unique, so that two nodes that insert the same ones wait for each other in one order. */
export async function insertForms(tx: Tx, forms: NewForm[]): Promise<void> {
  const sorted = forms.toSorted((a, b) => a.accountId - b.accountId || (a.partnerNumber < b.partnerNumber ? -1 : 1));
  const column = <T>(read: (form: NewForm) => T) => sorted.map(read);
  await tx`
    insert into inbound_document (inbound_id, account_id, channel, kind, partner_number, document_no, payload_digest, warehouse_no,
      store_no, receiving, over_delivery_percent, status, trace_id, created_by)
    select inbound_id, account_id, 'logistics', kind, partner_number, document_no, decode(payload_digest, 'hex'), warehouse_no,
      store_no, receiving, over_delivery_percent, status, trace_id, created_by
    from unnest(
      ${column((one) => one.inboundId)}::bigint[], ${column((one) => one.accountId)}::bigint[], ${column((one) => one.content.kind)}::text[],
      ${column((one) => one.partnerNumber)}::text[], ${column((one) => one.documentNo)}::text[], ${column((one) => one.payloadDigest)}::text[],
      ${column((one) => one.key.warehouseNo)}::integer[], ${column((one) => one.key.storeNo)}::integer[],
      ${column((one) => one.key.receiving)}::text[], ${column((one) => one.key.overDeliveryPercent)}::integer[], ${column((one) => one.status)}::text[],
      ${column((one) => one.cause.traceId)}::uuid[], ${column((one) => one.cause.actor)}::text[]
    ) as given(inbound_id, account_id, kind, partner_number, document_no, payload_digest, warehouse_no, store_no, receiving,
      over_delivery_percent, status, trace_id, created_by)`;
}

export async function insertFormDetails(tx: Tx, forms: NewForm[]): Promise<void> {
  await tx`
    insert into inbound_form (inbound_id, account_id, internal_form_no, shipping_type, sender_name, sender_address)
    select * from unnest(
      ${forms.map((one) => one.inboundId)}::bigint[], ${forms.map((one) => one.accountId)}::bigint[],
      ${forms.map((one) => one.content.internalFormNo)}::text[], ${forms.map((one) => one.content.shippingType)}::text[],
      ${forms.map((one) => one.content.sender.name)}::text[], ${forms.map((one) => one.content.sender.address)}::text[])`;
}

export async function insertFormLines(tx: Tx, forms: NewForm[]): Promise<void> {
  const lines = forms.flatMap(({ inboundId, accountId, lines }) =>
    lines.map((line, index) => ({ inboundId, accountId, lineNo: index + 1, ...line })),
  );
  await tx`
    insert into inbound_line (inbound_id, line_no, account_id, product_id, qty, batch_id, expire_date, item_name, item_storage_type, price,
      identifier)
    select * from unnest(${lines.map((line) => line.inboundId)}::bigint[], ${lines.map((line) => line.lineNo)}::integer[],
      ${lines.map((line) => line.accountId)}::bigint[], ${lines.map((line) => line.productId)}::bigint[],
      ${lines.map((line) => line.qty)}::bigint[], ${lines.map((line) => line.batchId)}::text[], ${lines.map((line) => line.expireDate)}::date[],
      ${lines.map((line) => line.name)}::text[], ${lines.map((line) => line.storageType)}::text[],
      ${lines.map((line) => line.price)}::numeric[], ${lines.map((line) => line.identifier)}::text[])`;
}

/** What is told of a form beside its numbers, and where. */
export interface ToldForm extends CallbackTarget {
  inboundId: number;
  callbackCount: number;
  internalFormNo: string;
}

/** After the documents are locked: then it stays so. Documents that are no forms have nobody to be told of them. */
export async function findToldForms(tx: Tx, inboundIds: InboundIds): Promise<ToldForm[]> {
  return await tx<ToldForm[]>`
    select document_id as "inboundId", key_name as "keyName", url, callback_count as "callbackCount",
      (select internal_form_no from inbound_form where inbound_id = document_id) as "internalFormNo"
    from callback_target where document_type = any(${[...inboundKinds]}) and document_id = any(${inboundIds})`;
}

/** What was announced with forms, in the order sent. */
export async function findFormItems(tx: Tx, inboundIds: InboundIds): Promise<(ToldItem & { inboundId: number })[]> {
  return await tx<(ToldItem & { inboundId: number })[]>`
    select inbound_id as "inboundId", (select sku_id from product p where p.product_id = l.product_id) as "skuId", qty, item_name as name,
      item_storage_type as "storageType", price, nullif(batch_id, '') as "batchId", identifier, expire_date as "expireDate"
    from inbound_line l where inbound_id = any(${inboundIds}) order by inbound_id, line_no`;
}
