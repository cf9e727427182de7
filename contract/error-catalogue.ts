export type ContractName = 'main' | 'warehouse' | 'logistics';

/** A message that a partner can get, why they get it, and what helps. */
export interface CataloguedMessage {
  contracts: readonly ContractName[];
  status: number;
  /** Where the contract has codes. */
  code?: string;
  /** To the letter, but for its <placeholders>. */
  message: string;
  cause: string;
  cure: string;
}

export const errorCatalogue: CataloguedMessage[] = [
  {
    contracts: ['warehouse'],
    status: 401,
    code: 'LST-TPW-4001',
    message: 'authentication failed',
    cause: 'A header is missing or came twice, the account is not registered, the timestamp is off, or the signature does not match.',
    cure: 'Ask the operator for the reason, by the trace id; it is not told to the caller.',
  },
];

/** Why a message was given and what helps; null for a message that is not ours. */
export function explainMessage(contract: ContractName, status: number, message: string): { cause: string; cure: string } | null {
  const found = errorCatalogue.find((entry) => entry.contracts.includes(contract) && entry.status === status && entry.message === message);
  return found ? { cause: found.cause, cure: found.cure } : null;
}
