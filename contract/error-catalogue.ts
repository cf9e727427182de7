import { bodyMessages } from './errors/body-messages.ts';
import { businessMessages } from './errors/business-messages.ts';
import type { CataloguedMessage, ContractName } from './errors/catalogued-message.ts';
import { fieldMessages } from './errors/field-messages.ts';
import { requestMessages } from './errors/request-messages.ts';

/** Every message that a partner can get. The tests hold every refusal of the whole suite against it. */
export const errorCatalogue: CataloguedMessage[] = [...requestMessages, ...bodyMessages, ...businessMessages, ...fieldMessages].map(
  (entry) => (entry.contracts.includes('warehouse') ? { code: codeOf(entry), ...entry } : entry),
);

/** Why a message was given and what helps; null for one that is not ours. Of a message that names several mistakes, the first one counts. */
export function explainMessage(contract: ContractName, status: number, message: string): { cause: string; cure: string } | null {
  const found = findCatalogued(contract, status, message);
  return found ? { cause: found.cause, cure: found.cure } : null;
}

/** The entry of a message, where all that it says is in the catalogue: `sku_id is missing; details[0].qty must be >= 1 (and 3 more)`. */
export function findCatalogued(contract: ContractName, status: number, message: string): CataloguedMessage | null {
  const entries = patternsOf(contract, status);
  const [whole] = message.split(/ \(and \d+ more\)$/);
  return findAmong(entries, whole!) ?? findFirstOf(entries, whole!.split('; '));
}

/** Mistakes are told one behind the other, and may have the same mark in themselves. */
function findFirstOf(entries: Pattern[], parts: string[]): CataloguedMessage | null {
  for (let count = 1; count < parts.length; count++) {
    const first = findAmong(entries, parts.slice(0, count).join('; '));
    if (first === null) continue;
    const others = parts.slice(count);
    if (findAmong(entries, others.join('; ')) ?? findFirstOf(entries, others)) return first;
  }
  return null;
}

interface Pattern {
  entry: CataloguedMessage;
  pattern: RegExp;
}

function findAmong(entries: Pattern[], message: string): CataloguedMessage | null {
  return entries.find(({ pattern }) => pattern.test(message))?.entry ?? null;
}

const patterns = new Map<string, Pattern[]>();

function patternsOf(contract: ContractName, status: number): Pattern[] {
  const key = `${contract} ${status}`;
  const made =
    patterns.get(key) ??
    errorCatalogue
      .filter((entry) => entry.status === status && entry.contracts.includes(contract))
      .map((entry) => ({ entry, pattern: patternOf(entry) }));
  patterns.set(key, made);
  return made;
}

/** What a caller made up can be anything, even nothing; numbers and lists of ours are plain. */
const placeholders: Record<string, string> = { sku_id: '.+', key: '.*', 'access token': '<access token>' };

function patternOf({ message, about }: CataloguedMessage): RegExp {
  const text = message
    .split(/(<[a-z_ ]+>)/)
    .map((part, index) => (index % 2 === 1 ? (placeholders[part.slice(1, -1)] ?? '[^;]+') : escaped(part)))
    .join('');
  return new RegExp(`^${about === 'field' ? '(?:the body |[^\\s;]+ )?' : ''}${text}$`, 's');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** The code of the warehouse API that comes with it. */
function codeOf({ status, message }: CataloguedMessage): string {
  if (status === 503) return message === 'this integration is not enabled' ? 'LST-TPW-5030' : 'LST-TPW-5031';
  const codes: Record<number, string> = { 401: 'LST-TPW-4001', 429: 'LST-TPW-4290', 500: 'LST-TPW-5000' };
  return codes[status] ?? 'PARAM_INVALID';
}
