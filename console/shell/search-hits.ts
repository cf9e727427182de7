import type { FoundHit, FoundKind } from '../../contract/console/search.ts';

/** In the order in which they are shown. */
const foundKinds = [
  'order',
  'shipment',
  'inbound',
  'return',
  'sku',
  'trace',
  'callback',
  'account',
  'client',
] as const satisfies FoundKind[];

/** Any part of a number that is at least so long finds it; a shorter text only finds numbers that begin with it. */
export const numberPartLengthMin = 4;

/** Shorter texts find nothing, except Chinese characters: one may be half of a product's name. */
export function isLongEnough(text: string): boolean {
  return [...text].length >= 2 || /\p{Script=Han}/u.test(text);
}

/** A search by recipient that the text may mean. It is recorded, so it is sent only when the operator chooses it. */
export interface RecipientTerm {
  by: 'phone' | 'name';
  text: string;
  /** The text can hardly mean anything else. */
  isLikely: boolean;
}

export type HitKind = FoundKind | 'recipient' | 'page';

export type SearchHit =
  | (Omit<FoundHit, 'kind'> & { kind: FoundKind | 'page' })
  | { kind: 'recipient'; term: RecipientTerm };

export interface HitGroup {
  kind: HitKind;
  hits: SearchHit[];
  hasMore: boolean;
}

/** Groups with the very number come first, then what the text probably means. */
export function groupHits(
  { hits, more }: { hits: FoundHit[]; more: FoundKind[] },
  recipient: RecipientTerm | null,
  pages: SearchHit[],
): HitGroup[] {
  const found = foundKinds
    .map((kind) => ({ kind, hits: hits.filter((hit) => hit.kind === kind), hasMore: more.includes(kind) }))
    .filter((group) => group.hits.length > 0);
  const [exact, others] = [true, false].map((wanted) =>
    found.filter((group) => group.hits.some(({ is_exact }) => is_exact) === wanted),
  ) as [HitGroup[], HitGroup[]];
  const recipients: HitGroup[] =
    recipient === null ? [] : [{ kind: 'recipient', hits: [{ kind: 'recipient', term: recipient }], hasMore: false }];
  const named: HitGroup[] = pages.length === 0 ? [] : [{ kind: 'page', hits: pages, hasMore: false }];
  return recipient?.isLikely
    ? [...exact, ...recipients, ...others, ...named]
    : [...exact, ...others, ...recipients, ...named];
}

/** Four digits, or a whole number with any spaces, hyphens and brackets; otherwise a name, if there is no digit in it. */
export function recipientTermOf(text: string): RecipientTerm | null {
  const plain = text.normalize('NFKC').trim();
  if (/^[\d\s()+-]+$/.test(plain)) {
    const digits = plain.replaceAll(/\D/g, '');
    if (digits.length !== 4 && (digits.length < 8 || digits.length > 15)) return null;
    return { by: 'phone', text: digits, isLikely: digits.length === 4 || /^(?:0\d{8,9}|886\d{8,9})$/.test(digits) };
  }
  const isName = /^[\p{L}\p{M}\s.'’·-]{2,}$/u.test(plain);
  return isName ? { by: 'name', text: text.trim(), isLikely: false } : null;
}
