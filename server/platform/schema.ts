import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { Settings } from 'typebox/system';

/** Where in a document, and what is wrong there. */
export interface Mistake {
  path: (string | number)[];
  message: string;
}

export type Checked<T> = { kind: 'valid'; value: T } | { kind: 'mistakes'; mistakes: Mistake[] };

const mistakesMax = 1000;
Settings.Set({ maxErrors: mistakesMax });

type Checker<Schema extends TSchema> = (value: unknown) => Checked<Static<Schema>>;

const checkers = new WeakMap<TSchema, Checker<TSchema>>();

/** Compiles a schema once, however many ask for it; the check converts nothing, fills nothing in, and reports all mistakes. */
export function makeChecker<Schema extends TSchema>(schema: Schema): Checker<Schema> {
  const checker = (checkers.get(schema) as Checker<Schema> | undefined) ?? compile(schema);
  checkers.set(schema, checker);
  return checker;
}

function compile<Schema extends TSchema>(schema: Schema): Checker<Schema> {
  const compiled = Compile(schema);
  const lists = limitedLists(schema as SchemaNode);
  return (value) => {
    // Before all else: a body of half a million wrong entries would keep everybody waiting for as long as it takes to name them.
    const tooLong = findTooLong(lists, value, []);
    if (tooLong) return { kind: 'mistakes', mistakes: [tooLong] };
    if (compiled.Check(value)) return { kind: 'valid', value: value as Static<Schema> };
    const [, errors] = compiled.Errors(value);
    const mistakes = errors.flatMap((error) => wordError(error, schema));
    return { kind: 'mistakes', mistakes: distinct(mistakes) };
  };
}

/** `details[0].qty` */
export function wordPath(path: (string | number)[]): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

/** A list of limited length: where it stands in what holds it, and the lists in its entries. */
interface LimitedList {
  path: string[];
  max: number;
  /** Where it stands in the entries of a list: with the same of all the others. */
  maxInAll: number | undefined;
  within: LimitedList[];
}

function limitedLists({ items, maxItems, 'x-max-items-in-all': maxInAll, properties = {}, anyOf = [] }: SchemaNode): LimitedList[] {
  const own = items && maxItems !== undefined ? [{ path: [], max: maxItems, maxInAll, within: limitedLists(items) }] : [];
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
    if (list.length > max) return { path: place, message: `must not have more than ${max} items` };
    if (within.length === 0) continue;
    for (let index = 0; index < list.length; index++) {
      const tooLong = findTooLong(within, list[index], [...place, index]);
      if (tooLong) return tooLong;
    }
    const tooMany = within.find((inner) => inner.maxInAll !== undefined && countInAll(list, inner.path) > inner.maxInAll);
    if (tooMany) return { path: place, message: `must not have more than ${tooMany.maxInAll} ${tooMany.path.join('.')} in all` };
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

/** The value itself is never repeated: it may be a secret or a personal detail. */
function wordError({ keyword, instancePath, params, message }: SchemaError, schema: TSchema): Mistake[] {
  const path = instancePath.split('/').slice(1).map(unescapePointer).map(numberIfIndex);
  const known = params as { requiredProperties?: string[]; additionalProperties?: string[]; allowedValues?: unknown[]; message?: string };
  switch (keyword) {
    case 'required':
      return (known.requiredProperties ?? []).map((field) => ({ path: [...path, field], message: 'is missing' }));
    case 'additionalProperties':
      return (known.additionalProperties ?? []).map((field) => ({ path: [...path, field], message: 'unknown field' }));
    case 'enum':
      return [{ path, message: `must be one of ${(known.allowedValues ?? []).join(', ')}` }];
    case '~refine':
      return [wordRefinement(path, known.message ?? message)];
    case 'pattern':
    case 'format':
      return [{ path, message: `must be ${descriptionAt(schema, path)}` }];
    // These come beside another error that says more.
    case 'anyOf':
    case 'boolean':
    case 'if':
      return [];
    default:
      return [{ path, message }];
  }
}

/** A rule about a whole object names the field that breaks it: `.qty must ...`. */
function wordRefinement(path: Mistake['path'], message: string): Mistake {
  const [, field, rest] = /^\.(\w+) (.*)$/.exec(message) ?? [];
  return field === undefined ? { path, message } : { path: [...path, field], message: rest! };
}

interface SchemaNode {
  description?: string;
  items?: SchemaNode;
  maxItems?: number;
  'x-max-items-in-all'?: number;
  anyOf?: SchemaNode[];
  properties?: Record<string, SchemaNode>;
}

/** A pattern is worded by the description of its schema. */
function descriptionAt(schema: TSchema, path: (string | number)[]): string {
  let node: SchemaNode | undefined = schema as SchemaNode;
  for (const step of path) {
    const forms: SchemaNode[] = node?.anyOf ?? [node ?? {}];
    node = forms.map(({ items, properties }) => (typeof step === 'number' ? items : properties?.[step])).find((part) => part !== undefined);
  }
  return node?.description ?? 'of another form';
}

/** Each once; and of a field that may be null, what else it may be says enough. */
function distinct(mistakes: Mistake[]): Mistake[] {
  const seen = new Map(mistakes.map((mistake) => [`${wordPath(mistake.path)}: ${mistake.message}`, mistake]));
  const explained = new Set<string>();
  for (const { path, message } of mistakes) {
    if (message === mustBeNull) continue;
    for (let length = 0; length <= path.length; length++) explained.add(wordPath(path.slice(0, length)));
  }
  return [...seen.values()].filter(({ path, message }) => message !== mustBeNull || !explained.has(wordPath(path)));
}

const mustBeNull = 'must be null';

function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

function numberIfIndex(step: string): string | number {
  return /^\d+$/.test(step) ? Number(step) : step;
}
