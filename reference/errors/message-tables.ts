import { codesOfMessages } from '../../contract/errors/codes.ts';
import { errorCatalogue } from '../error-catalogue.ts';
import type { CataloguedMessage, ContractName } from './catalogued-message.ts';

/** Formats messages with cause and fix as a Markdown table; returns an empty string for an empty list. */
export function messageTable(entries: CataloguedMessage[]): string {
  if (entries.length === 0) return '';
  const rows = entries.map(
    (entry) => `| \`${shownMessage(entry)}\` | \`${codesOfMessages[entry.error]}\` | ${entry.cause} | ${entry.fix} |`,
  );
  return ['| message | code in `errors` | cause | fix |', '|---|---|---|---|', ...rows].join('\n');
}

/** A message about one field starts with the field's path. In `errors` arrays the path is a separate property. */
export function shownMessage({ about, operations, message }: CataloguedMessage): string {
  if (about === 'key') return `<key> ${message}`;
  return about === 'field' && operations && !message.startsWith('<key>') ? `<field> ${message}` : message;
}

/** Messages that every operation of the contract can return with this status. */
function messagesOfAny(contract: ContractName, status: number): CataloguedMessage[] {
  return errorCatalogue.filter(
    (entry) => entry.contracts.includes(contract) && entry.status === status && entry.operations === undefined,
  );
}

/** The subset that does not depend on the body. */
export function messagesOfRequest(contract: ContractName, status: number): CataloguedMessage[] {
  return messagesOfAny(contract, status).filter(({ about }) => about === 'request');
}

/** Messages that only some operations return, this one among them. */
export function messagesOfOperation(contract: ContractName, operationId: string, status: number): CataloguedMessage[] {
  return errorCatalogue.filter(
    (entry) => entry.contracts.includes(contract) && entry.status === status && entry.operations?.includes(operationId),
  );
}

/**
 * A chapter for the overview of a contract: messages common to all endpoints, so that no endpoint has to repeat them.
 */
export function messagesChapter(contract: ContractName): string {
  const entries = messagesOfAny(contract, 400);
  const about = (...abouts: CataloguedMessage['about'][]) =>
    messageTable(entries.filter((entry) => abouts.includes(entry.about)));
  return `
### Messages of HTTP 400

Each endpoint documents its own messages. The following messages can occur at any endpoint. A message about a field starts with the path of the field: \`details[0].qty must be >= 1\`.

${about('field')}

Messages about a body that cannot be read (positions count from 0):

${about('body', 'request')}
`.trim();
}
