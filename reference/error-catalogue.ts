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

/** An error that a message names: its entry, the path of its field, and its message without the path. */
export interface NamedError {
  entry: CataloguedMessage;
  path: string;
  message: string;
}

/** The entry of a message. If the message names several errors, the first one counts. */
export function findCatalogued(contract: ContractName, status: number, message: string): CataloguedMessage | null {
  return errorsNamedIn(contract, status, message)?.[0]?.entry ?? null;
}

/**
 * The errors that a message names, provided that all of them are in the catalogue:
 * `sku_id is missing; details[0].qty must be >= 1 (and 3 more)`. Those that are only counted are not listed.
 */
export function errorsNamedIn(contract: ContractName, status: number, message: string): NamedError[] | null {
  const [whole] = message.split(/ \(and \d+ more\)$/);
  return splitErrors(patternsOf(contract, status), whole!.split('; '));
}

/** Errors are joined with `; `, which may also occur within a single message, so each split point is tried. */
function splitErrors(entries: Pattern[], parts: string[]): NamedError[] | null {
  const whole = findAmong(entries, parts.join('; '));
  if (whole) return [whole];
  for (let count = 1; count < parts.length; count++) {
    const first = findAmong(entries, parts.slice(0, count).join('; '));
    const others = first && splitErrors(entries, parts.slice(count));
    if (others) return [first, ...others];
  }
  return null;
}

interface Pattern {
  entry: CataloguedMessage;
  pattern: RegExp;
}

function findAmong(entries: Pattern[], message: string): NamedError | null {
  for (const { entry, pattern } of entries) {
    const match = pattern.exec(message);
    if (!match) continue;
    const { before = '', path = '' } = match.groups ?? {};
    return { entry, path, message: message.slice(before.length) };
  }
  return null;
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
const placeholders: Record<string, string> = {
  sku_id: '.+',
  shipment_no: '.+',
  key: '.*',
  'access token': '<access token>',
};

const fieldBefore = '(?<before>the body |(?<path>[^\\s;]+) )?';
const keyBefore = '(?<before>(?<path>.*) )?';

function patternOf({ message, about }: CataloguedMessage): RegExp {
  const text = message
    .split(/(<[a-z_ ]+>)/)
    .map((part, index) => (index % 2 === 1 ? (placeholders[part.slice(1, -1)] ?? '[^;]+') : escaped(part)))
    .join('');
  const before = about === 'field' ? fieldBefore : about === 'key' ? keyBefore : '';
  return new RegExp(`^${before}${text}$`, 's');
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
