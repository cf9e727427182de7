import type { SentDocument } from './ledger.ts';
import type { Random } from './random.ts';

/** Documents to cancel or to send again are chosen from so many: so that several callers choose the same one. */
const newestMax = 100;

export interface NewestDocuments {
  add(document: SentDocument): void;
  /** null: there is none yet. */
  one(random: Random): SentDocument | null;
  /** Up to so many, the same one perhaps twice; none as long as there is none. */
  some(random: Random, max: number): SentDocument[];
}

export function makeNewestDocuments(): NewestDocuments {
  const newest: SentDocument[] = [];
  return {
    add(document) {
      newest.unshift(document);
      newest.length = Math.min(newest.length, newestMax);
    },
    one: (random) => (newest.length > 0 ? random.anyOf(newest) : null),
    some: (random, max) => (newest.length > 0 ? Array.from({ length: random.upTo(max) }, () => random.anyOf(newest)) : []),
  };
}
