import type { ContractAnswer } from './contract-answer.ts';
import type { Ledger, SentDocument } from './ledger.ts';
import type { Random } from './random.ts';

/** A caller: the node that it asks first, and its random choices. */
export interface Sender {
  home: number;
  random: Random;
}

export interface TrafficTools {
  ledger: Ledger;
  callbackUrl: string;
  /** Unique among all numbers of this traffic. */
  nextNumber(): number;
  /** The skus that are ordered and received. */
  skuIds(): string[];
  /** Sends a request to one node, or to two nodes at the same time. Only the creation of a document may be rejected. */
  send(
    sender: Sender,
    path: string,
    content: object,
    take: (answer: ContractAnswer) => void,
    atTwo?: boolean,
  ): Promise<void>;
  /** Returns a check of the results of a cancellation. Which results are valid depends on earlier responses. */
  expectCancels(
    documents: SentDocument[],
    tooLate: (document: SentDocument) => string | null,
  ): (results: [string, string][]) => void;
}
