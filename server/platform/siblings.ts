import { type SharedCounts, unshared } from './limits/shared-counts.ts';

/** A question that one process of a node asks the others. */
export type Question = 'metrics' | 'readiness';

/** The other processes of this node. */
export interface Siblings {
  counts: SharedCounts;
  /** Sets how this process answers the others. */
  onAsked(question: Question, answer: () => Promise<unknown>): void;
  /** Returns the answers of the others. The supervisor keeps `own`, in case this process ends before it is asked again. */
  ask(question: Question, own: unknown): Promise<unknown[]>;
}

/** For a node with one process. */
export const noSiblings: Siblings = { counts: unshared, onAsked() {}, ask: async () => [] };
