import type { SentDocument } from './ledger.ts';
import type { Random } from './random.ts';

/** Few enough that several callers choose the same document to cancel or repeat. */
const newestMax = 100;

export interface NewestDocuments {
  add(document: SentDocument): void;
  /** null if there are none yet. */
  one(random: Random): SentDocument | null;
  /** Up to `max` documents, possibly with repetitions. */
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
    some: (random, max) =>
      newest.length > 0 ? Array.from({ length: random.upTo(max) }, () => random.anyOf(newest)) : [],
  };
}
