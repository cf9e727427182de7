import { type SharedCounts, unshared } from './limits/shared-counts.ts';

/** What one process of a node asks the others, to answer for the whole node. */
export type Question = 'metrics' | 'readiness';

/** The other processes of this node. */
export interface Siblings {
  counts: SharedCounts;
  /** Sets how this process answers the others. */
  onAsked(question: Question, answer: () => Promise<unknown>): void;
  /** The answers of the others. They also get the own answer, which counts if this process ends before it is asked again. */
  ask(question: Question, own: unknown): Promise<unknown[]>;
}

/** For a node with one process. */
export const noSiblings: Siblings = { counts: unshared, onAsked() {}, ask: async () => [] };
