import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { formatMessage } from '../../../messages/format-message.ts';
import type { Message } from '../../../messages/message.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import { fieldsAt, formatPath, type Mistake, makeChecker, rangeAt } from '../../platform/json/schema.ts';
import { mostSimilar } from '../../platform/similar-name.ts';
import { Provisioning } from './provisioning.ts';

export type ProvisioningReading =
  /** With mistakes, `provisioning` contains the readable parts, so that their mistakes can be reported too. */
  | { kind: 'read'; provisioning: Provisioning; mistakes: Mistake[]; mistaken: string[]; word: FormatMistakes }
  | { kind: 'unreadable'; mistakes: string[] };

/** Formats mistakes with their line and path, in the order of the file: `line 7, accounts[0].environment: …`. */
export type FormatMistakes = (mistakes: Mistake<Message | string>[]) => string[];

const check = makeChecker(Provisioning);

/** Reads YAML or JSON (which is YAML); every mistake is reported with its line. */
export function readProvisioning(text: string): ProvisioningReading {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error', strict: true });
  if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION'))
    return { kind: 'unreadable', mistakes: [nestedTooDeeply] };
  if (document.errors.length > 0) {
    const mistakes = document.errors.map(
      (error) => `line ${lines.linePos(error.pos[0]).line}: ${withoutValues(error.message)}`,
    );
    return { kind: 'unreadable', mistakes };
  }

  const word: FormatMistakes = (mistakes) =>
    mistakes
      .map((mistake) => ({ ...mistake, line: lineOf(document, lines, mistake.path) }))
      .sort((left, right) => left.line - right.line)
      .map(
        ({ line, path, message }) =>
          `${[`line ${line}`, formatPath(path)].filter(Boolean).join(', ')}: ${formatMessage(message)}`,
      );
  const { value, mistake } = plainValueOf(document);
  if (mistake !== undefined) return { kind: 'unreadable', mistakes: [mistake] };
  const checked = check(value ?? {});
  if (checked.kind === 'valid') return { kind: 'read', provisioning: checked.value, mistakes: [], mistaken: [], word };
  return {
    kind: 'read',
    ...withoutMistaken(value as Provisioning, checked.mistakes),
    mistakes: withHints(checked.mistakes),
    word,
  };
}

/** Each is listed once: a number may be no integer and also too small. */
export function withHints(mistakes: Mistake[]): Mistake[] {
  return [...new Map(mistakes.map(withHint).map((mistake) => [JSON.stringify(mistake), mistake])).values()];
}

/** Names the field that an unknown one was probably meant to be, and the limits of a number that is out of range. */
function withHint(mistake: Mistake): Mistake {
  const { path, message } = mistake;
  if (outOfRange.has(message.code)) {
    const range = rangeAt(Provisioning, path);
    return range === null ? mistake : { path, message: rejection('whole_number_between', range) };
  }
  if (message.code !== unknownField) return mistake;
  const similar = mostSimilar(String(path.at(-1)), fieldsAt(Provisioning, path.slice(0, -1)));
  return similar === null ? mistake : { path, message: rejection('unknown_field_similar', { similar }) };
}

const unknownField = rejection('unknown_field').code;
const outOfRange = new Set(['not_integer', 'below_minimum', 'above_maximum']);

/** Leaves holes in place of items with mistakes, so that the other items keep their indexes. */
function withoutMistaken(value: Provisioning, mistakes: Mistake[]): { provisioning: Provisioning; mistaken: string[] } {
  const items = mistakes.map(({ path }) => itemOf(path));
  if (items.includes(null)) return { provisioning: {}, mistaken: [] };
  const provisioning = structuredClone(value);
  const mistaken: string[] = [];
  for (const path of items as (string | number)[][]) {
    const list = path
      .slice(0, -1)
      .reduce((part, step) => (part as Record<string | number, unknown>)?.[step], provisioning as unknown);
    const index = path.at(-1) as number;
    if (!Array.isArray(list)) continue;
    if (path.length === 2) mistaken.push(...namesOf(path[0] as string, list[index]));
    delete list[index];
  }
  return { provisioning, mistaken };
}

/** The innermost list item on a path; null if the list itself is wrong. */
function itemOf(path: (string | number)[]): (string | number)[] | null {
  const isTenant = path[0] === 'accounts' && path[2] === 'tenants' && typeof path[3] === 'number';
  if (isTenant) return path.slice(0, 4);
  return typeof path[1] === 'number' ? path.slice(0, 2) : null;
}

const namedBy: Record<string, [kind: string, field: string]> = {
  accounts: ['account', 'account_no'],
  warehouses: ['warehouse', 'warehouse_no'],
  stores: ['store', 'store_no'],
};

/** The names that other items may refer to: a reference to an item with mistakes is not a mistake itself. */
function namesOf(part: string, item: unknown): string[] {
  const [kind, field] = namedBy[part] ?? [];
  if (field === undefined) return [];
  const name = (item as Record<string, unknown> | null)?.[field];
  return typeof name === 'string' || typeof name === 'number' ? [`${kind} ${name}`] : [];
}

const nestedTooDeeply = 'the file is nested too deeply';

/** An alias without a target shows only here, and the parser's own message would quote it. */
function plainValueOf(document: Document): { value?: unknown; mistake?: string } {
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) };
  } catch (error) {
    if (error instanceof RangeError) return { mistake: nestedTooDeeply };
    return { mistake: 'an alias (*name) has no anchor before it, or aliases are nested too deeply' };
  }
}

/** The parser quotes the text that it could not read, which may be a secret. */
function withoutValues(message: string): string {
  return message
    .replace(/Missing closing .quote/, 'Missing closing quote')
    .replace(/:? ?["“`'].*$/s, '')
    .replace(/\n.*$/s, '');
}

/** The line of the nearest parent that exists in the file. */
function lineOf(document: Document, lines: LineCounter, path: (string | number)[]): number {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
