/** An order or an inbound document, as its sender knows it. */
export interface SentDocument {
  number: string;
  /** Documents of the logistics webhook are owed callbacks, and have no number but their sender's. */
  isLogistics: boolean;
  units: { skuId: string; qty: number }[];
  /** The service's own number, or that it knows ours; null as long as it was not told. */
  told: string | null;
  creations: number;
  /** Sent, whatever was answered: from then on it may be cancelled. */
  cancelSent: boolean;
  cancelled: boolean;
  /** Likewise. */
  shipSent: boolean;
  shipped: boolean;
  /** Of a shipping order: it had no units yet when it was last heard of. */
  waits: boolean;
}

/** `lost`: told, and not so. `doubled`: done twice. `wrong`: anything else that the contract does not allow. */
export type FindingKind = 'lost' | 'doubled' | 'oversold' | 'wrong';
export interface Finding {
  kind: FindingKind;
  what: string;
}

/** Stocked once, before anything happens, and never ordered: of this sku everybody is told the same, always. */
export const pinned = { skuId: 'PINNED', inbound: 'IN-PINNED', qty: 1000 };

/** What the service has told its callers, and so must keep; and where it did not. */
export interface Ledger {
  /** The products_id of each sku. */
  products: Map<string, number>;
  inbounds: Map<string, SentDocument>;
  orders: Map<string, SentDocument>;
  /** How often the stock of the pinned sku was told. */
  pinnedTold: number;
  findings: Finding[];
  find(kind: FindingKind, what: string): void;
}

export function makeLedger(): Ledger {
  const findings: Finding[] = [];
  return {
    products: new Map(),
    inbounds: new Map(),
    orders: new Map(),
    pinnedTold: 0,
    findings,
    find: (kind, what) => void findings.push({ kind, what }),
  };
}

/** Before it is sent: whatever becomes of it, its number is known. */
export function noteSent(documents: Map<string, SentDocument>, number: string, sent: Pick<SentDocument, 'units' | 'isLogistics'>) {
  const document: SentDocument = {
    ...{ number, ...sent, told: null, creations: 0 },
    ...{ cancelSent: false, cancelled: false, shipSent: false, shipped: false, waits: false },
  };
  documents.set(number, document);
  return document;
}

export function noteTold(ledger: Ledger, document: SentDocument, told: string, how: { isNew: boolean; payloadDiffers: boolean }): void {
  const { number } = document;
  if (how.isNew) document.creations++;
  if (how.isNew && document.creations > 1) ledger.find('doubled', `${number} was created ${document.creations} times`);
  if (document.told !== null && document.told !== told) ledger.find('doubled', `${number} is ${document.told} and ${told}`);
  if (how.payloadDiffers) ledger.find('wrong', `${number}: the same body again is called another one`);
  document.told = told;
}

/** What exists and was not cancelled. */
export function standing(documents: Map<string, SentDocument>): SentDocument[] {
  return [...documents.values()].filter(({ told, cancelled }) => told !== null && !cancelled);
}

/** Units by sku. */
export function unitsOf(documents: SentDocument[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { skuId, qty } of documents.flatMap(({ units }) => units)) sums.set(skuId, (sums.get(skuId) ?? 0) + qty);
  return sums;
}
