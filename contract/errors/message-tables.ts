import { errorCatalogue } from '../error-catalogue.ts';
import type { CataloguedMessage, ContractName } from './catalogued-message.ts';

/** Messages with cause and cure as a Markdown table; empty where there are none. */
export function messageTable(entries: CataloguedMessage[]): string {
  if (entries.length === 0) return '';
  const rows = entries.map((entry) => `| \`${shownMessage(entry)}\` | ${entry.cause} | ${entry.cure} |`);
  return ['| message | why | what helps |', '|---|---|---|', ...rows].join('\n');
}

/** Of a rule of one field, the field comes first; in a list of errors it stands beside it, as `path`. */
export function shownMessage({ about, operations, message }: CataloguedMessage): string {
  return about === 'field' && operations && !message.startsWith('<key>') ? `<field> ${message}` : message;
}

/** What any operation of the contract may answer with this status. */
function messagesOfAny(contract: ContractName, status: number): CataloguedMessage[] {
  return errorCatalogue.filter((entry) => entry.contracts.includes(contract) && entry.status === status && entry.operations === undefined);
}

/** The same, of requests that have no body or whose body does not matter. */
export function messagesOfRequest(contract: ContractName, status: number): CataloguedMessage[] {
  return messagesOfAny(contract, status).filter(({ about }) => about === 'request');
}

/** What only these operations answer. */
export function messagesOfOperation(contract: ContractName, operationId: string, status: number): CataloguedMessage[] {
  return errorCatalogue.filter(
    (entry) => entry.contracts.includes(contract) && entry.status === status && entry.operations?.includes(operationId),
  );
}

/** A chapter for the introduction of a contract: what holds for every body, so that it need not stand at every endpoint. */
export function messagesChapter(contract: ContractName): string {
  const entries = messagesOfAny(contract, 400);
  const about = (...abouts: CataloguedMessage['about'][]) => messageTable(entries.filter((entry) => abouts.includes(entry.about)));
  return `
### Messages of HTTP 400

What an endpoint says of its own business stands there. Any of them may say the following. In a message about a field its path comes first: \`details[0].qty must be >= 1\`.

${about('field')}

A body that cannot be read; positions count from 0:

${about('body', 'request')}
`.trim();
}
