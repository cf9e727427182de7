import type { CallbackBody } from '../../../contract/logistics/callback.ts';
import type { CallbackEvent, NotifiedItem, NotifiedUnits } from '../../domain/callbacks/callback.ts';
import { taipeiInstant } from '../../platform/clock.ts';

/** Formats the body of a callback according to the contract. */
export function formatCallback({ eventId, event, sequence, occurredAt, document }: CallbackEvent): string {
  const body: CallbackBody = {
    event_id: eventId,
    event: event as CallbackBody['event'],
    sequence,
    document_type: document.type,
    document_no: document.partnerNumber,
    internal_no: document.internalNo,
    name: document.name,
    lading_no: document.ourNo,
    status: document.status as CallbackBody['status'],
    shipment_no: document.shipmentNo,
    carrier: document.carrier,
    occurred_at: taipeiInstant(occurredAt),
    products: document.items.map(formatItem),
    received: document.received?.map(formatUnits) ?? null,
    note: document.note,
  };
  return JSON.stringify(body);
}

function formatItem({
  skuId,
  qty,
  name,
  storageType,
  price,
  batchId,
  identifier,
  comboSku,
  expireDate,
}: NotifiedItem): CallbackBody['products'][number] {
  return {
    sku: skuId,
    quantity: qty,
    name,
    storage_type: storageType,
    // Exact, because it has at most 12 digits.
    price: price === null ? null : Number(price),
    batch: batchId,
    identifier,
    ...(comboSku === undefined ? {} : { combo_sku: comboSku }),
    ...(expireDate === undefined ? {} : { expire_date: expireDate }),
  };
}

function formatUnits({
  skuId,
  qty,
  stockType,
  batchId,
  expireDate,
}: NotifiedUnits): NonNullable<CallbackBody['received']>[number] {
  return { sku: skuId, quantity: qty, stock_type: stockType, batch: batchId || null, expire_date: expireDate };
}
