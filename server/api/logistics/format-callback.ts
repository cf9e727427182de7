import type { CallbackBody } from '../../../contract/logistics/callback.ts';
import { callbackExamples } from '../../../contract/logistics/callback-examples.ts';
import { testsPerMinuteMax } from '../../../contract/logistics/callback-test.ts';
import type {
  CallbackEvent,
  NotifiedDocument,
  NotifiedItem,
  NotifiedUnits,
  TestCallbackRules,
} from '../../domain/callbacks/callback.ts';
import { taipeiInstant } from '../../platform/clock.ts';

/** Formats the body of a callback according to the contract. */
export function formatCallback({ eventId, event, isTest, sequence, occurredAt, document }: CallbackEvent): string {
  const body = {
    event_id: eventId,
    event,
    sequence,
    test: isTest,
    document_type: document.type,
    document_no: document.partnerNumber,
    internal_no: document.internalNo,
    name: document.name,
    lading_no: document.ourNo,
    status: document.status,
    shipment_no: document.shipmentNo,
    carrier: document.carrier,
    ...(document.undelivered ? formatUndelivered(document.undelivered) : {}),
    ...(document.shipped ? formatShipped(document.shipped) : {}),
    occurred_at: taipeiInstant(occurredAt),
    products: document.items.map(formatItem),
    received: document.received?.map(formatUnits) ?? null,
    note: document.note,
  };
  // The event decides which fields there are. Tests compare every body with the schema of its event.
  return JSON.stringify(body as CallbackBody);
}

export const testCallbackRules: TestCallbackRules = { exampleOf, perMinuteMax: testsPerMinuteMax };

/** The example of an event; its ID, its time and `test` show that it is not the one in the reference. */
function exampleOf(event: string): ReturnType<TestCallbackRules['exampleOf']> {
  const example = callbackExamples[event as CallbackBody['event']];
  return {
    documentNo: example.document_no,
    format: ({ eventId, occurredAt }) =>
      JSON.stringify({ ...example, event_id: eventId, test: true, occurred_at: taipeiInstant(occurredAt) }),
  };
}

type UndeliveredOrder = NonNullable<NotifiedDocument['undelivered']>;
type UndeliveredFields = Pick<Extract<CallbackBody, { event: 'order.undelivered' }>, 'reason' | 'return_no'>;

function formatUndelivered({ reason, returnNo }: UndeliveredOrder): UndeliveredFields {
  return { reason: reason as UndeliveredFields['reason'], return_no: returnNo };
}

type ShippedFields = Pick<Extract<CallbackBody, { event: 'order.shipped' }>, 'parcels' | 'short'>;

function formatShipped({ parcels, short }: NonNullable<NotifiedDocument['shipped']>): ShippedFields {
  return {
    parcels: parcels.map(({ shipmentNo, carrier, items }) => ({
      shipment_no: shipmentNo,
      carrier,
      items: items.map(({ skuId, qty, batchId, expireDate }) => ({
        sku: skuId,
        quantity: qty,
        batch: batchId || null,
        expire_date: expireDate,
      })),
    })),
    short: short.map(({ skuId, qty }) => ({ sku: skuId, quantity: qty })),
  };
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
