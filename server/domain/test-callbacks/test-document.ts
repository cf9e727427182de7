import type {
  DocumentType,
  NotifiedDocument,
  NotifiedItem,
  NotifiedParcel,
  NotifiedShort,
  NotifiedUnits,
} from '../callbacks/callback.ts';

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
  /** For orders: what has happened to them so far. */
  progress: OrderProgress;
}

export interface OrderProgress {
  parcels: NotifiedParcel[];
  short: NotifiedShort[];
  /** The last parcel has left. */
  hasLeft: boolean;
  /** null: it was delivered, or may yet be. */
  undelivered: { reason: string; returnNo: string | null } | null;
}

export const noProgress: OrderProgress = { parcels: [], short: [], hasLeft: false, undelivered: null };

/** A placeholder for the number of a shipment that has not happened. */
const inventedShipmentNo = 'TEST-SHIPMENT';

/** `order.shipped` is about an order that is `shipped`. */
export function partsOfEvent(event: string): { type: DocumentType; status: string } {
  const [type, status] = event.split('.') as [DocumentType, string];
  return { type, status };
}

/**
 * The document as if the event had just happened to it. Details that it does not have yet are invented: one parcel with
 * all units that have not left, a form that arrives as announced.
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

  const shipped = status === 'partially_shipped' ? partlyShipped(document) : whollyShipped(document);
  const { shipmentNo, carrier } = shipped.parcels[0]!;
  // A lost order is the only one that has no return, and a return must not be invented.
  const undelivered = document.progress.undelivered ?? { reason: 'lost', returnNo: null };
  return { ...same, shipmentNo, carrier, shipped, ...(status === 'undelivered' ? { undelivered } : {}) };
}

function whollyShipped(document: TestedDocument): NonNullable<NotifiedDocument['shipped']> {
  const { parcels, short, hasLeft } = document.progress;
  return { parcels: hasLeft ? parcels : [...parcels, inventedParcel(document, unitsLeft(document))], short };
}

/** The parcels so far. If there are none, or if no unit is left to follow, a parcel with one unit. */
function partlyShipped(document: TestedDocument): NonNullable<NotifiedDocument['shipped']> {
  const { parcels, hasLeft } = document.progress;
  if (!hasLeft && parcels.length > 0) return { parcels, short: [] };
  if (parcels.length > 1) return { parcels: parcels.slice(0, -1), short: [] };
  const [parcel] = parcels.length > 0 ? parcels : [inventedParcel(document, document.items.map(unitsOf))];
  return {
    parcels: [{ ...parcel!, items: parcel!.items.slice(0, 1).map((units) => ({ ...units, qty: 1 })) }],
    short: [],
  };
}

/** It has the number of the order, if the warehouse has reported one before its first parcel. */
function inventedParcel({ shipmentNo, carrier, progress }: TestedDocument, items: NotifiedUnits[]): NotifiedParcel {
  const isFirst = progress.parcels.length === 0;
  return { shipmentNo: (isFirst ? shipmentNo : null) ?? inventedShipmentNo, carrier, items };
}

/** The ordered units without those of the parcels that have left. */
function unitsLeft({ items, progress }: TestedDocument): NotifiedUnits[] {
  const gone = new Map<string, number>();
  for (const { skuId, qty } of progress.parcels.flatMap((parcel) => parcel.items))
    gone.set(skuId, (gone.get(skuId) ?? 0) + qty);
  return items.flatMap((item) => {
    const taken = Math.min(item.qty, gone.get(item.skuId) ?? 0);
    gone.set(item.skuId, (gone.get(item.skuId) ?? 0) - taken);
    return item.qty > taken ? [{ ...unitsOf(item), qty: item.qty - taken }] : [];
  });
}

/** A cancelled form has no received units: they have been retracted. */
function receivedAfter(status: string, { arrived, items }: TestedDocument): NotifiedUnits[] {
  if (status === 'cancelled') return [];
  return status === 'received' && arrived.length === 0 ? items.map(unitsOf) : arrived;
}

function unitsOf({ skuId, qty, batchId, expireDate }: NotifiedItem): NotifiedUnits {
  return { skuId, qty, stockType: 'good', batchId: batchId ?? '', expireDate: expireDate ?? null };
}
