import type { DocumentType, NotifiedDocument, NotifiedItem, NotifiedUnits } from '../callbacks/callback.ts';

/** A real document whose body a test callback has. */
export interface TestedDocument {
  documentId: number;
  isLogistics: boolean;
  partnerNumber: string;
  internalNo: string;
  ourNo: string;
  name: string | null;
  note: string | null;
  shipmentNo: string | null;
  carrier: string | null;
  /** Where its callbacks go; null: not stored with the document. */
  keyName: string | null;
  url: string | null;
  items: NotifiedItem[];
  /** For inbound documents and returns. */
  arrived: NotifiedUnits[];
}

/** A placeholder for the number of a shipment that has not happened. */
const inventedShipmentNo = 'TEST-SHIPMENT';

/** `order.shipped` is about an order that is `shipped`. */
export function partsOfEvent(event: string): { type: DocumentType; status: string } {
  const [type, status] = event.split('.') as [DocumentType, string];
  return { type, status };
}

/**
 * The document as if the event had just happened to it. Details that it does not have yet are invented: one parcel with
 * all its units, a form that arrives as announced.
 */
export function documentAfter(
  event: string,
  document: TestedDocument,
  { accountId, documentId }: { accountId: number; documentId: number },
): NotifiedDocument {
  const { type, status } = partsOfEvent(event);
  const { partnerNumber, internalNo, ourNo, name, note, items } = document;
  const same = { accountId, type, documentId, partnerNumber, internalNo, ourNo, name, status, items, note };
  if (type !== 'order') return { ...same, shipmentNo: null, carrier: null, received: receivedAfter(status, document) };
  if (status === 'cancelled') return { ...same, shipmentNo: null, carrier: null };

  const { shipmentNo, carrier } = { ...document, shipmentNo: document.shipmentNo ?? inventedShipmentNo };
  const parcel = { shipmentNo, carrier, items: unitsAfter(status, items) };
  return {
    ...same,
    shipmentNo,
    carrier,
    shipped: { parcels: [parcel], short: [] },
    // A lost order is the only one that has no return, and a return must not be invented.
    ...(status === 'undelivered' ? { undelivered: { reason: 'lost', returnNo: null } } : {}),
  };
}

function unitsAfter(status: string, items: NotifiedItem[]): NotifiedUnits[] {
  const all = items.map(unitsOf);
  const [first] = all;
  return status === 'partially_shipped' && first ? [{ ...first, qty: 1 }] : all;
}

/** A cancelled form has no received units: they have been retracted. */
function receivedAfter(status: string, { arrived, items }: TestedDocument): NotifiedUnits[] {
  if (status === 'cancelled') return [];
  return status === 'received' && arrived.length === 0 ? items.map(unitsOf) : arrived;
}

function unitsOf({ skuId, qty, batchId, expireDate }: NotifiedItem): NotifiedUnits {
  return { skuId, qty, stockType: 'good', batchId: batchId ?? '', expireDate: expireDate ?? null };
}
