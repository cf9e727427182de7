export type ContractName = 'main' | 'warehouse' | 'logistics';

/** A message that a partner can get, why they get it, and what helps. */
export interface CataloguedMessage {
  contracts: readonly ContractName[];
  status: number;
  /** Where the contract has codes. */
  code?: string;
  /** To the letter, but for its <placeholders>. */
  message: string;
  /** Markdown. */
  cause: string;
  cure: string;
  /** What it is about: the request as such, a body that cannot be read, a field (its path may stand before the message), or what is asked for. */
  about: 'request' | 'body' | 'field' | 'business';
  /** The operations that give it; where none are named, any of the contract. */
  operations?: readonly string[];
}

export const allContracts = ['main', 'warehouse', 'logistics'] as const;
