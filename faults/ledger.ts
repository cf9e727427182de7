import type { PlannedShipment } from './shipment.ts';

/** An order or an inbound document from the point of view of its sender. */
export interface SentDocument {
  number: string;
  /** Documents of the logistics webhook are owed callbacks, and the service gives them no number of its own. */
  isLogistics: boolean;
  units: { skuId: string; qty: number }[];
  /** The number that the service returned for it; null until then. */
  knownAs: string | null;
  creations: number;
  /** A cancellation was sent, so the document may be cancelled even without a response. */
  cancelSent: boolean;
  cancelled: boolean;
  /** A shipment was reported, so the order may be shipped even without a response. */
  shipSent: boolean;
  shipped: boolean;
  /** The reported statuses that the service has acknowledged. */
  reached: Set<string>;
  /** Decided with the first report of the shipment. */
  shipment: PlannedShipment | null;
  /** A shipping order that had no stock at the last response. */
  waits: boolean;
}

/** `lost`: an acknowledged change is missing. `doubled`: done twice. `wrong`: any other violation of the contract. */
export type FindingKind = 'lost' | 'doubled' | 'oversold' | 'wrong';
export interface Finding {
  kind: FindingKind;
  what: string;
}

/** Received once before the fault and never ordered, so every stock query must return the same quantity. */
export const pinned = { skuId: 'PINNED', inbound: 'IN-PINNED', qty: 1000 };

/** Received again and again but never ordered, so no stock query may return less than was acknowledged before it. */
export const growing = { skuId: 'GROWING', inboundPrefix: 'IN-GROWING-' };

/** Everything that the service has acknowledged, and every violation found. */
export interface Ledger {
  /** The products_id of each sku. */
  products: Map<string, number>;
  inbounds: Map<string, SentDocument>;
  orders: Map<string, SentDocument>;
  /** Number of stock queries that returned the pinned sku. */
  pinnedReads: number;
  /** Acknowledged units of the growing sku. */
  grown: number;
  findings: Finding[];
  find(kind: FindingKind, what: string): void;
}

export function makeLedger(): Ledger {
  const findings: Finding[] = [];
  return {
    products: new Map(),
    inbounds: new Map(),
    orders: new Map(),
    pinnedReads: 0,
    grown: 0,
    findings,
    find: (kind, what) => void findings.push({ kind, what }),
  };
}

/** Called before sending, so that the number is known even if there is no response. */
export function noteSent(
  documents: Map<string, SentDocument>,
  number: string,
  sent: Pick<SentDocument, 'units' | 'isLogistics'>,
) {
  const document: SentDocument = {
    number,
    ...sent,
    knownAs: null,
    creations: 0,
    cancelSent: false,
    cancelled: false,
    shipSent: false,
    shipped: false,
    reached: new Set(),
    shipment: null,
    waits: false,
  };
  documents.set(number, document);
  return document;
}

export function noteResponse(
  ledger: Ledger,
  document: SentDocument,
  knownAs: string,
  how: { isNew: boolean; payloadDiffers: boolean },
): void {
  const { number } = document;
  if (how.isNew) document.creations++;
  if (how.isNew && document.creations > 1) ledger.find('doubled', `${number} was created ${document.creations} times`);
  if (document.knownAs !== null && document.knownAs !== knownAs)
    ledger.find('doubled', `${number} is ${document.knownAs} and ${knownAs}`);
  if (how.payloadDiffers) ledger.find('wrong', `${number}: the service claims that a repeat has a different body`);
  document.knownAs = knownAs;
}

/** Documents that exist and were not cancelled. */
export function activeDocuments(documents: Map<string, SentDocument>): SentDocument[] {
  return [...documents.values()].filter(({ knownAs, cancelled }) => knownAs !== null && !cancelled);
}

/** The units of an order that have left, or of one that has not left, all of them. */
export function promisedUnits(order: SentDocument): Pick<SentDocument, 'units'> {
  return order.shipped && order.shipment ? { units: order.shipment.parcels.flatMap(({ units }) => units) } : order;
}

/** Units by sku. */
export function unitsOf(documents: Pick<SentDocument, 'units'>[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { skuId, qty } of documents.flatMap(({ units }) => units)) sums.set(skuId, (sums.get(skuId) ?? 0) + qty);
  return sums;
}
