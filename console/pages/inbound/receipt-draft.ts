import type { InboundDetail, InboundLine } from '../../../contract/console/inbound-detail.ts';

export type Condition = 'good' | 'bad';

/** Units of one lot that have been counted and not yet sent. */
export interface DraftEntry {
  key: string;
  skuId: string;
  batchId: string;
  /** '': they do not expire. */
  expireDate: string;
  good: number;
  bad: number;
}

/** A receipt before it is sent. Its number is made first, so that sending it twice is one receipt. */
export interface ReceiptDraft {
  receiptNo: string;
  /** The one that is being counted first. */
  entries: DraftEntry[];
  /** It was sent, and no answer came: it may have been counted. */
  isUncertain: boolean;
}

export function newDraft(): ReceiptDraft {
  const random = [...crypto.getRandomValues(new Uint8Array(6))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { receiptNo: `console-${random}`, entries: [], isUncertain: false };
}

/** A line by what was scanned: to the letter if possible, else whatever the case. Of several, the first that still waits for units. */
export function lineOfScan(lines: InboundLine[], code: string): InboundLine | null {
  const fits = (wanted: string) => lines.filter(({ sku_id, identifier }) => sku_id === wanted || identifier === wanted);
  const lower = code.toLowerCase();
  const inAnyCase = () => lines.filter(({ sku_id, identifier }) => sku_id.toLowerCase() === lower || identifier?.toLowerCase() === lower);
  const exact = fits(code);
  const found = exact.length > 0 ? exact : inAnyCase();
  return found.find(({ missing }) => missing > 0) ?? found[0] ?? null;
}

/** One more unit of a line's product: into the lot of it that was counted last, or else the lot that was announced. */
export function withUnit(draft: ReceiptDraft, line: InboundLine, condition: Condition): ReceiptDraft {
  const chosen = withChosen(draft, line);
  const [first, ...others] = chosen.entries;
  return { ...chosen, entries: [{ ...first!, [condition]: first![condition] + 1 }, ...others] };
}

/** The lot of the line's product that was counted last comes to the front; where there is none, the one that was announced. */
export function withChosen(draft: ReceiptDraft, line: InboundLine): ReceiptDraft {
  const known = draft.entries.find(({ skuId }) => skuId === line.sku_id);
  const entry = known ?? entryOf(draft, line.sku_id, line.batch_id, line.expire_date ?? '');
  return { ...draft, entries: [entry, ...draft.entries.filter(({ key }) => key !== entry.key)] };
}

/** The same product in a lot that is yet to be named. */
export function withOtherLot(draft: ReceiptDraft, skuId: string): ReceiptDraft {
  return { ...draft, entries: [entryOf(draft, skuId, '', ''), ...draft.entries] };
}

function entryOf({ entries }: ReceiptDraft, skuId: string, batchId: string, expireDate: string): DraftEntry {
  const key = String(entries.reduce((most, entry) => Math.max(most, Number(entry.key)), 0) + 1);
  return { key, skuId, batchId, expireDate, good: 0, bad: 0 };
}

export function withEntry(draft: ReceiptDraft, key: string, change: Partial<Omit<DraftEntry, 'key'>>): ReceiptDraft {
  return { ...draft, entries: draft.entries.map((entry) => (entry.key === key ? { ...entry, ...change } : entry)) };
}

export function withoutEntry(draft: ReceiptDraft, key: string): ReceiptDraft {
  return { ...draft, entries: draft.entries.filter((entry) => entry.key !== key) };
}

export interface DraftSum {
  good: number;
  bad: number;
  units: number;
}

export function sumOf(entries: DraftEntry[]): DraftSum {
  const good = entries.reduce((sum, entry) => sum + entry.good, 0);
  const bad = entries.reduce((sum, entry) => sum + entry.bad, 0);
  return { good, bad, units: good + bad };
}

/** How many more of a product may come beside those that the draft counts; below zero: too many. */
export function roomFor({ products }: Pick<InboundDetail, 'products'>, { entries }: ReceiptDraft, skuId: string): number {
  const { units } = sumOf(entries.filter((entry) => entry.skuId === skuId));
  return (products.find(({ sku_id }) => sku_id === skuId)?.still_accepted ?? 0) - units;
}

/** How many of a product are still missing beside those that the draft counts. */
export function awaitedOf({ products }: Pick<InboundDetail, 'products'>, { entries }: ReceiptDraft, skuId: string): number {
  const { units } = sumOf(entries.filter((entry) => entry.skuId === skuId));
  const product = products.find(({ sku_id }) => sku_id === skuId);
  return product ? Math.max(0, product.announced - product.arrived - units) : 0;
}

/** What will be missing once the draft is received. */
export function missingAfter(document: Pick<InboundDetail, 'products'>, draft: ReceiptDraft): number {
  return document.products.reduce((missing, { sku_id }) => missing + awaitedOf(document, draft, sku_id), 0);
}

/** As it is sent: lots without units are left out. */
export function linesOf({ entries }: ReceiptDraft) {
  return entries
    .filter(({ good, bad }) => good + bad > 0)
    .map(({ skuId, batchId, expireDate, good, bad }) => ({
      ...{ sku_id: skuId, batch_id: batchId.trim(), expire_date: expireDate || null, good, bad },
    }));
}

const storageName = (inboundId: number) => `lading.receipt.${inboundId}`;

/** What was counted outlasts a reload of the page. */
export function readDraft(inboundId: number): ReceiptDraft {
  try {
    const stored = sessionStorage.getItem(storageName(inboundId));
    return stored === null ? newDraft() : (JSON.parse(stored) as ReceiptDraft);
  } catch {
    return newDraft();
  }
}

export function writeDraft(inboundId: number, draft: ReceiptDraft): void {
  try {
    if (draft.entries.length === 0) sessionStorage.removeItem(storageName(inboundId));
    else sessionStorage.setItem(storageName(inboundId), JSON.stringify(draft));
  } catch {
    // The draft then lasts as long as the page.
  }
}
