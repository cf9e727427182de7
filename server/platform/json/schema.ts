import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { type ErrorCode, errorMessage } from '../../../messages/errors.ts';
import type { Message } from '../../../messages/message.ts';
import { rejection } from '../../../messages/rejection-texts.ts';

/** The path of an error in a document, and its message. */
export interface Mistake<Text = Message> {
  path: (string | number)[];
  message: Text;
}

export type Checked<T> = { kind: 'valid'; value: T } | { kind: 'mistakes'; mistakes: Mistake[] };

const mistakesMax = 1000;
Settings.Set({ maxErrors: mistakesMax });

type Checker<Schema extends TSchema> = (value: unknown) => Checked<Static<Schema>>;

const checkers = new WeakMap<TSchema, Checker<TSchema>>();

/**
 * Compiles a schema once and caches the result. The check does not convert values or fill in defaults, and reports all
 * errors.
 */
export function makeChecker<Schema extends TSchema>(schema: Schema): Checker<Schema> {
  const checker = (checkers.get(schema) as Checker<Schema> | undefined) ?? compile(schema);
  checkers.set(schema, checker);
  return checker;
}

function compile<Schema extends TSchema>(schema: Schema): Checker<Schema> {
  const compiled = Compile(schema);
  const lists = limitedLists(schema as SchemaNode);
  return (value) => {
    // Checked first: reporting half a million invalid entries would block all other requests.
    const tooLong = findTooLong(lists, value, []);
    if (tooLong) return { kind: 'mistakes', mistakes: [tooLong] };
    if (compiled.Check(value)) return { kind: 'valid', value: value as Static<Schema> };
    const [, errors] = compiled.Errors(value);
    const mistakes = errors.flatMap((error) => describeError(error, schema));
    return { kind: 'mistakes', mistakes: distinct(mistakes) };
  };
}

/** `details[0].qty` */
export function formatPath(path: (string | number)[]): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

/** An array of limited length: its path in its container, and the arrays within its entries. */
interface LimitedList {
  path: string[];
  max: number;
  /** The limit on the total length of this array over all entries of the containing array. */
  maxInAll: number | undefined;
  within: LimitedList[];
}

function limitedLists({
  items,
  maxItems,
  'x-max-items-in-all': maxInAll,
  properties = {},
  anyOf = [],
}: SchemaNode): LimitedList[] {
  const own =
    items && maxItems !== undefined ? [{ path: [], max: maxItems, maxInAll, within: limitedLists(items) }] : [];
  const ofFields = Object.entries(properties).flatMap(([name, field]) =>
    limitedLists(field).map((list) => ({ ...list, path: [name, ...list.path] })),
  );
  return [...own, ...ofFields, ...anyOf.flatMap(limitedLists)];
}

function findTooLong(lists: LimitedList[], value: unknown, path: Mistake['path']): Mistake | null {
  for (const { path: steps, max, within } of lists) {
    const list = valueAt(value, steps);
    if (!Array.isArray(list)) continue;
    const place = [...path, ...steps];
    if (list.length > max) return { path: place, message: errorMessage('too_many_items', { limit: max }) };
    if (within.length === 0) continue;
    for (let index = 0; index < list.length; index++) {
      const tooLong = findTooLong(within, list[index], [...place, index]);
      if (tooLong) return tooLong;
    }
    const tooMany = within.find(
      (inner) => inner.maxInAll !== undefined && countInAll(list, inner.path) > inner.maxInAll,
    );
    if (tooMany) {
      const field = tooMany.path.join('.');
      return { path: place, message: rejection('too_many_in_all', { limit: tooMany.maxInAll!, field }) };
    }
  }
  return null;
}

function countInAll(entries: unknown[], steps: string[]): number {
  return entries.reduce<number>((sum, entry) => {
    const list = valueAt(entry, steps);
    return Array.isArray(list) ? sum + list.length : sum;
  }, 0);
}

function valueAt(value: unknown, steps: string[]): unknown {
  let found = value;
  for (const step of steps) found = (found as Record<string, unknown> | null | undefined)?.[step];
  return found;
}

interface SchemaError {
  keyword: string;
  instancePath: string;
  params: object;
  message: string;
}

/** Messages never contain the value, because it may be a secret or personal data. */
function describeError({ keyword, instancePath, params, message }: SchemaError, schema: TSchema): Mistake[] {
  const path = instancePath.split('/').slice(1).map(unescapePointer).map(numberIfIndex);
  const known = params as {
    requiredProperties?: string[];
    additionalProperties?: string[];
    allowedValues?: unknown[];
    message?: string;
    limit?: number;
    type?: string;
  };
  const at = (field: string, problem: Message) => ({ path: [...path, field], message: problem });
  switch (keyword) {
    case 'required':
      return (known.requiredProperties ?? []).map((field) => at(field, errorMessage('field_missing')));
    case 'additionalProperties':
      return (known.additionalProperties ?? []).map((field) => at(field, rejection('unknown_field')));
    case 'enum':
      return [{ path, message: errorMessage('not_one_of', { values: (known.allowedValues ?? []).join(', ') }) }];
    case '~refine':
      return [describeRefinement(path, known.message ?? message)];
    case 'pattern':
    case 'format':
      return [{ path, message: formMistake(nodeAt(schema, path)) }];
    // These always accompany another, more specific error.
    case 'anyOf':
    case 'boolean':
    case 'if':
      return [];
    default: {
      const code = codes[keyword === 'type' ? known.type! : keyword];
      const params = known.limit === undefined ? {} : { params: { limit: known.limit } };
      return [
        { path, message: code === undefined ? rejection('breaks_rule', { rule: message }) : { code, ...params } },
      ];
    }
  }
}

/** By type or keyword. */
const codes: Record<string, ErrorCode | undefined> = {
  string: 'not_string',
  integer: 'not_integer',
  number: 'not_number',
  boolean: 'not_boolean',
  object: 'not_object',
  array: 'not_array',
  null: 'not_null',
  minimum: 'below_minimum',
  maximum: 'above_maximum',
  minItems: 'too_few_items',
  maxItems: 'too_many_items',
  maxLength: 'too_many_characters',
};

/** A rule about a whole object starts with the field that violates it: `.qty qty_not_sum`. */
function describeRefinement(path: Mistake['path'], rule: string): Mistake {
  const [, field, code] = /^\.(\w+) (.*)$/.exec(rule) ?? [];
  return field === undefined ? { path, message: { code: rule } } : { path: [...path, field], message: { code: code! } };
}

interface SchemaNode {
  description?: string;
  mistake?: Message;
  items?: SchemaNode;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  'x-max-items-in-all'?: number;
  anyOf?: SchemaNode[];
  properties?: Record<string, SchemaNode>;
}

/** The fields that an object at this path may have. */
export function fieldsAt(schema: TSchema, path: (string | number)[]): string[] {
  const node = nodeAt(schema, path);
  return [node, ...(node.anyOf ?? [])].flatMap(({ properties = {} }) => Object.keys(properties));
}

/** The limits of a number at this path, if it has both. */
export function rangeAt(schema: TSchema, path: (string | number)[]): { least: number; most: number } | null {
  const node = nodeAt(schema, path);
  const { minimum, maximum } = [node, ...(node.anyOf ?? [])].find((form) => form.maximum !== undefined) ?? {};
  return minimum === undefined || maximum === undefined ? null : { least: minimum, most: maximum };
}

function nodeAt(schema: TSchema, path: (string | number)[]): SchemaNode {
  let node: SchemaNode = schema as SchemaNode;
  for (const step of path) {
    const forms = node.anyOf ?? [node];
    node =
      forms
        .map(({ items, properties }) => (typeof step === 'number' ? items : properties?.[step]))
        .find((part) => part !== undefined) ?? {};
  }
  return node;
}

/** The message for a text of another format: that of the schema, or one that repeats its description. */
export function formMistake({ mistake, description = 'of another form' }: SchemaNode): Message {
  return mistake ?? rejection('not_of_form', { form: description });
}

/** Removes duplicates, and for nullable fields the message that the value must be null. */
function distinct(mistakes: Mistake[]): Mistake[] {
  const seen = new Map(mistakes.map((mistake) => [JSON.stringify(mistake), mistake]));
  const explained = new Set<string>();
  for (const { path, message } of mistakes) {
    if (message.code === mustBeNull) continue;
    for (let length = 0; length <= path.length; length++) explained.add(formatPath(path.slice(0, length)));
  }
  return [...seen.values()].filter(
    ({ path, message }) => message.code !== mustBeNull || !explained.has(formatPath(path)),
  );
}

const mustBeNull: ErrorCode = 'not_null';

function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

function numberIfIndex(step: string): string | number {
  return /^\d+$/.test(step) ? Number(step) : step;
}
