import type { InboundDetail, InboundLine, ReturnReason } from '../../../contract/console/inbound.ts';
import { readDate } from '../../kit/date-text.ts';

export type Condition = 'good' | 'bad';

/** Units of one lot that were counted but not sent yet. */
export interface DraftEntry {
  key: string;
  skuId: string;
  batchId: string;
  /** The date as it was typed; '' means no expiry date. */
  expireDate: string;
  good: number;
  bad: number;
}

/** A receipt before it is sent. Its number is chosen first, so that sending it twice creates one receipt. */
export interface ReceiptDraft {
  receiptNo: string;
  /** The entry that was counted last comes first. */
  entries: DraftEntry[];
  /** The receipt was sent but no response arrived, so it may have been recorded. */
  isUncertain: boolean;
  /** Only returns: why the goods came back. */
  returnReason?: ReturnReason | null;
}

export function newDraft(): ReceiptDraft {
  const random = [...crypto.getRandomValues(new Uint8Array(6))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return { receiptNo: `console-${random}`, entries: [], isUncertain: false };
}

/** The line that a scan means, and the units that it counts for. */
export interface Scanned {
  line: InboundLine;
  units: number;
}

/**
 * Finds the line of a scanned code: a barcode of its product, otherwise its SKU or identifier. It prefers an exact match
 * to one in another case, and a line that misses units.
 */
export function lineOfScan(
  { lines, products }: Pick<InboundDetail, 'lines' | 'products'>,
  code: string,
): Scanned | null {
  for (const { sku_id, codes } of products) {
    const coded = codes.find((one) => one.code === code);
    if (coded)
      return scannedOf(
        lines.filter((line) => line.sku_id === sku_id),
        coded.units,
      );
  }
  const fits = (wanted: string) => lines.filter(({ sku_id, identifier }) => sku_id === wanted || identifier === wanted);
  const lower = code.toLowerCase();
  const inAnyCase = () =>
    lines.filter(({ sku_id, identifier }) => sku_id.toLowerCase() === lower || identifier?.toLowerCase() === lower);
  const exact = fits(code);
  return scannedOf(exact.length > 0 ? exact : inAnyCase(), 1);
}

function scannedOf(found: InboundLine[], units: number): Scanned | null {
  const line = found.find(({ missing }) => missing > 0) ?? found[0];
  return line ? { line, units } : null;
}

/** Adds units of the line's product, to the lot chosen by `withChosen`. */
export function withUnits(draft: ReceiptDraft, { line, units }: Scanned, condition: Condition): ReceiptDraft {
  const chosen = withChosen(draft, line);
  const [first, ...others] = chosen.entries;
  return { ...chosen, entries: [{ ...first!, [condition]: first![condition] + units }, ...others] };
}

/** Moves the product's most recently counted lot to the front, or adds the announced lot if there is none. */
export function withChosen(draft: ReceiptDraft, line: InboundLine): ReceiptDraft {
  const known = draft.entries.find(({ skuId }) => skuId === line.sku_id);
  const entry = known ?? entryOf(draft, line.sku_id, line.batch_id, line.expire_date ?? '');
  return { ...draft, entries: [entry, ...draft.entries.filter(({ key }) => key !== entry.key)] };
}

/** Adds an entry of the same product for a lot whose batch and expiry date are still to be entered. */
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

/** How many more units of a product are allowed beyond those in the draft. Negative: the draft has too many. */
export function roomFor(
  { products }: Pick<InboundDetail, 'products'>,
  { entries }: ReceiptDraft,
  skuId: string,
): number {
  const { units } = sumOf(entries.filter((entry) => entry.skuId === skuId));
  return (products.find(({ sku_id }) => sku_id === skuId)?.still_accepted ?? 0) - units;
}

/** How many units of a product are still missing beyond those in the draft. */
export function awaitedOf(
  { products }: Pick<InboundDetail, 'products'>,
  { entries }: ReceiptDraft,
  skuId: string,
): number {
  const { units } = sumOf(entries.filter((entry) => entry.skuId === skuId));
  const product = products.find(({ sku_id }) => sku_id === skuId);
  return product ? Math.max(0, product.announced - product.arrived - units) : 0;
}

/** The units still missing after this draft is received. */
export function missingAfter(document: Pick<InboundDetail, 'products'>, draft: ReceiptDraft): number {
  return document.products.reduce((missing, { sku_id }) => missing + awaitedOf(document, draft, sku_id), 0);
}

/** Whether every entry with units has a date, or none. */
export function hasValidDates({ entries }: ReceiptDraft): boolean {
  return entries.every(({ good, bad, expireDate }) => good + bad === 0 || readDate(expireDate) !== null);
}

/** The lines of the request. Lots without units are left out. */
export function linesOf({ entries }: ReceiptDraft) {
  return entries
    .filter(({ good, bad }) => good + bad > 0)
    .map(({ skuId, batchId, expireDate, good, bad }) => ({
      sku_id: skuId,
      batch_id: batchId.trim(),
      expire_date: readDate(expireDate) || null,
      good,
      bad,
    }));
}

const storageName = (inboundId: number) => `lading.receipt.${inboundId}`;

/** The draft is stored in the tab, so that counted units survive a reload. */
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
    // The draft then lasts until the page is closed.
  }
}
