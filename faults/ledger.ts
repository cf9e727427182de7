/** An order or an inbound document, as its sender knows it. */
export interface SentDocument {
  number: string;
  units: { skuId: string; qty: number }[];
  /** The service's own number; null as long as it was not told. */
  told: string | null;
  creations: number;
  cancelled: boolean;
}

/** `lost`: told, and not so. `doubled`: done twice. `wrong`: anything else that the contract does not allow. */
export type FindingKind = 'lost' | 'doubled' | 'wrong';
export interface Finding {
  kind: FindingKind;
  what: string;
}

/** What the service has told its callers, and so must keep; and where it did not. */
export interface Ledger {
  /** The products_id of each sku. */
  products: Map<string, number>;
  inbounds: Map<string, SentDocument>;
  orders: Map<string, SentDocument>;
  findings: Finding[];
  find(kind: FindingKind, what: string): void;
}

export function makeLedger(): Ledger {
  const findings: Finding[] = [];
  return {
    products: new Map(),
    inbounds: new Map(),
    orders: new Map(),
    findings,
    find: (kind, what) => void findings.push({ kind, what }),
  };
}

/** Before it is sent: whatever becomes of it, its number is known. */
export function noteSent(documents: Map<string, SentDocument>, number: string, units: SentDocument['units']): SentDocument {
  const document: SentDocument = { number, units, told: null, creations: 0, cancelled: false };
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

/** Units by sku of what exists and was not cancelled. */
export function unitsOf(documents: Iterable<SentDocument>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { told, cancelled, units } of documents) {
    if (told === null || cancelled) continue;
    for (const { skuId, qty } of units) sums.set(skuId, (sums.get(skuId) ?? 0) + qty);
  }
  return sums;
}
