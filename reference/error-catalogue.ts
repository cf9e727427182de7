import { bodyMessages } from './errors/body-messages.ts';
import { businessMessages } from './errors/business-messages.ts';
import type { CataloguedMessage, ContractName } from './errors/catalogued-message.ts';
import { fieldMessages } from './errors/field-messages.ts';
import { requestMessages } from './errors/request-messages.ts';

/** Every message that a partner can receive. The tests check every error response of the whole suite against it. */
export const errorCatalogue: CataloguedMessage[] = [
  ...requestMessages,
  ...bodyMessages,
  ...businessMessages,
  ...fieldMessages,
].map((entry) => (entry.contracts.includes('warehouse') ? { code: codeOf(entry), ...entry } : entry));

/**
 * The entry of a message, provided that all of its parts are in the catalogue:
 * `sku_id is missing; details[0].qty must be >= 1 (and 3 more)`. If a message names several errors, the first one counts.
 */
export function findCatalogued(contract: ContractName, status: number, message: string): CataloguedMessage | null {
  const entries = patternsOf(contract, status);
  const [whole] = message.split(/ \(and \d+ more\)$/);
  return findAmong(entries, whole!) ?? findFirstOf(entries, whole!.split('; '));
}

/** Errors are joined with `; `, which may also occur within a single message, so each split point is tried. */
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

/** Values supplied by the caller can be any text, even empty; all others do not contain a semicolon. */
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

/** The code with which the warehouse API returns the message. */
function codeOf({ status, error }: CataloguedMessage): string {
  if (status === 503) return error === 'not_enabled' ? 'LST-TPW-5030' : 'LST-TPW-5031';
  const codes: Record<number, string> = { 401: 'LST-TPW-4001', 429: 'LST-TPW-4290', 500: 'LST-TPW-5000' };
  return codes[status] ?? 'PARAM_INVALID';
}
