import { type ErrorCode, errors } from '../../messages/errors.ts';

export type ContractName = 'main' | 'warehouse' | 'logistics';

/** A message that a partner can receive, its cause and its fix. */
export interface CataloguedMessage {
  error: ErrorCode;
  contracts: readonly ContractName[];
  status: number;
  /** Only in contracts that have codes. */
  code?: string;
  /** The exact text, except for <placeholders>. */
  message: string;
  /** Markdown. */
  cause: string;
  fix: string;
  /**
   * The subject: the HTTP request, an unreadable body, a field (its path may precede the message), a key that is not a
   * field (it may be any text), or a business rule.
   */
  about: 'request' | 'body' | 'field' | 'key' | 'business';
  /** The operations that return it; all operations of the contract if omitted. */
  operations?: readonly string[];
}

export const allContracts = ['main', 'warehouse', 'logistics'] as const;

/** The English texts of an error. */
export function textsOf(error: ErrorCode): Pick<CataloguedMessage, 'error' | 'message' | 'cause' | 'fix'> {
  const { message, cause, fix } = errors[error];
  return { error, message: message[0].replaceAll(/\{(\w+)\}/g, '<$1>'), cause: cause[0], fix: fix[0] };
}
