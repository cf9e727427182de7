import assert from 'node:assert/strict';
import type { TSchema } from 'typebox';
import { type FieldPath, fieldPaths, put, valueAt } from '../../faults/hostile-bodies.ts';
import { alpha, type TestAnswer, type TestApp } from './app.ts';
import { putLot, syncProducts } from './warehouse.ts';

export type Body = Record<string, unknown>;

export interface FieldError {
  path: string;
  message: string;
}

/** The part of a schema that the published reference shows. */
export interface SchemaNode {
  type?: string;
  description?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: SchemaNode;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  additionalProperties?: unknown;
  anyOf?: SchemaNode[];
  normalize?: { numbersAsText?: 'any' | { minimum: number; maximum: number }; emptyIsValue?: true };
}

/** The value of a field that is left out. */
export const absent = Symbol('absent');

/** A request that has one value in one field; `expected` is empty if the schema allows the value. */
export interface Probe {
  label: string;
  field: FieldPath;
  value: unknown;
  body: Body;
  expected: FieldError[];
}

export interface ProbedOperation {
  name: string;
  schema: TSchema;
  /** A new body that the operation accepts. */
  makeBody(): Body;
  send(body: Body): Promise<TestAnswer>;
  /** Rules of the contract that a schema cannot express field by field; they apply to bodies without other mistakes. */
  rules?(body: Body): FieldError[];
  /** The mistakes of a body, for operations whose messages do not follow from the schema. */
  findMistakes?(body: Body): FieldError[];
  /** How many requests are sent at the same time. */
  atOnceMax?: number;
  /** Whether a field gets all values, or only one of each kind; null: none, since another field is read by the same code. */
  thoroughness?(field: FieldPath): 'all' | 'one of each kind' | null;
}

/** One request for every value of every field, including fields of nested objects and of the first entry of each list. */
function probesOf(operation: ProbedOperation): Probe[] {
  const schema = operation.schema as SchemaNode;
  return fieldPaths(operation.schema).flatMap((field) => {
    const thoroughness = operation.thoroughness === undefined ? 'all' : operation.thoroughness(field);
    if (thoroughness === null) return [];
    const node = nodeAt(schema, field);
    const values = thoroughness === 'all' ? valuesFor(node) : fewValuesFor(node);
    return values.map((value) => {
      const body = operation.makeBody();
      place(body, field, value);
      const found = operation.findMistakes?.(body) ?? mistakesIn(schema, body);
      return {
        label: `${operation.name}: ${pathText(field)} = ${describe(value)}`,
        field,
        value,
        body,
        expected: found.length > 0 ? found : (operation.rules?.(body) ?? []),
      };
    });
  });
}

/** `details[0].qty` */
export function pathText(path: FieldPath): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

function describe(value: unknown): string {
  if (value === absent) return 'absent';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}… (${text.length} characters)` : text;
}

function place(body: Body, field: FieldPath, value: unknown): void {
  if (value !== absent) {
    put(body, field, value);
    return;
  }
  const holder = valueAt(body, field.slice(0, -1));
  const step = field.at(-1)!;
  if (Array.isArray(holder)) holder.splice(Number(step), 1);
  else if (typeof holder === 'object' && holder !== null) delete (holder as Body)[step];
}

let numbers = 0;
/** Text that no other request contains, so that it never names an existing document. */
const newText = () => `n${++numbers}`;

const strangeTexts = ['', ' ', ' A', 'A ', 'A\u3000', '\u00a0A', 'A\n', '\t', 'A\r\nB', 'A\tB'];
const controlTexts = ['A\u0001', 'A\u0007B', 'A\u000bB', 'A\u001bB', 'A\u007f', 'A\u0085B'];
const invisibleTexts = ['A\u200bB', 'A\u202eB', 'A\u2066B', '\ufeffA', 'A\u00ad'];
const dates = [
  ...['2028-02-29', '2027-02-29', '2100-02-29', '2026-02-30', '2026-04-31', '2026-13-01', '2026-01-00', '0000-01-01'],
  ...['0001-01-01', '9999-12-31', '10000-01-01', '2026-1-1', '20260101', '2026/01/01', '2026-01-01T00:00:00Z'],
  ...[' 2026-01-01', '2026-01-01\n', '２０２６-01-01', 'infinity', 'today'],
];
const addresses = [
  'https://partner.example/a?b=c',
  'partner.example',
  'ftp://partner.example/',
  'http:',
  '//partner.example',
];
const times = ['2026-11-15T09:30:00+08:00', '2026-11-15T09:30:00', '2026-02-30T00:00:00Z', '2026-11-15T24:00:00Z'];
const wrongTypes = [absent, null, true, false, 0, 7, -1, 1.5, [], [null], ['A'], {}, { a: 'A' }];

/** The same values for every field, and the values around its own limits. */
function valuesFor(node: SchemaNode): unknown[] {
  const form = valueForm(node);
  const texts = [newText(), ...strangeTexts, ...controlTexts, ...invisibleTexts].map((text) =>
    text === '' || text.trim() === '' ? text : text.replace('A', newText()),
  );
  return [
    ...wrongTypes,
    ...texts,
    ...(form.type === 'string' ? [] : ['1', '0', 'true', 'null']),
    ...(form.enum ?? []),
    ...aroundNumbers(form),
    ...aroundLengths(form),
    ...(node.anyOf ?? [node]).flatMap(aroundItems),
    ...(form.description?.endsWith('URL') ? addresses : []),
    ...(form.description?.startsWith('a date') ? dates : []),
    ...(form.description?.startsWith('a time') ? times : []),
  ];
}

/** One value of each kind for a field. */
export function fewValuesAt(schema: TSchema, field: FieldPath): unknown[] {
  return fewValuesFor(nodeAt(schema as SchemaNode, field));
}

function fewValuesFor(node: SchemaNode): unknown[] {
  const form = valueForm(node);
  return [
    ...wrongTypes,
    ...['', ' ', 'A\u0007B', newText()],
    ...aroundNumbers(form),
    ...aroundLengths(form).slice(0, 2),
    ...(form.enum ?? []).slice(0, 1),
    ...(form.description?.startsWith('a date') ? dates.slice(0, 2) : []),
    ...(form.description?.startsWith('a time') ? times.slice(0, 2) : []),
  ];
}

function aroundNumbers({ type, minimum, maximum }: SchemaNode): unknown[] {
  if (type !== 'integer' && type !== 'number') return [];
  const limits = [minimum, maximum].filter((limit) => limit !== undefined);
  return [...limits.flatMap((limit) => [limit - 1, limit, limit + 0.01, limit + 1]), 1e300, -0.001].filter(
    (value) => Number.isSafeInteger(value) || !Number.isInteger(value) || value === 1e300,
  );
}

/** Characters of one, three and four bytes count as one each. */
function aroundLengths(form: SchemaNode): string[] {
  const rule = textRule(form);
  if (rule.lengthMax === undefined) return [];
  const filled = (character: string, length: number) => {
    const start = newText();
    return `${start}${character.repeat(length - start.length)}`;
  };
  return ['A', '號', '😀'].flatMap((character) => [
    filled(character, rule.lengthMax!),
    filled(character, rule.lengthMax! + 1),
  ]);
}

function aroundItems({ items, maxItems }: SchemaNode): unknown[] {
  return items && maxItems !== undefined ? [Array(maxItems + 1).fill('A')] : [];
}

function nodeAt(node: SchemaNode, [step, ...rest]: FieldPath): SchemaNode {
  if (step === undefined) return node;
  for (const form of node.anyOf ?? [node]) {
    const next = typeof step === 'number' ? form.items : form.properties?.[step];
    if (next) return nodeAt(next, rest);
  }
  throw new Error(`no field ${step}`);
}

/** A field that may be null has one other form. */
function valueForm(node: SchemaNode): SchemaNode {
  return node.anyOf?.find(({ type }) => type !== 'null') ?? node;
}

/** The mistakes that the reference promises for a body, computed from the published form of its fields. */
export function mistakesIn(node: SchemaNode, value: unknown, path: FieldPath = []): FieldError[] {
  const form = valueForm(node);
  if (value === null && node.anyOf?.some(({ type }) => type === 'null')) return [];
  const given = numberAsText(form, value);
  if (form.items) return listMistakes(form, given, path);
  if (form.type === 'object') return objectMistakes(form, given, path);
  return scalarMistakes(form, given).map((message) => ({ path: pathText(path), message }));
}

export function scalarMistakes(form: SchemaNode, value: unknown): string[] {
  if (form.enum) return form.enum.includes(value) ? [] : [`must be one of ${form.enum.join(', ')}`];
  if (form.type === 'string') return textMistakes(form, value);
  if (form.type === 'boolean') return typeof value === 'boolean' ? [] : ['must be boolean'];
  return numberMistakes(form, value);
}

function numberAsText({ normalize }: SchemaNode, value: unknown): unknown {
  const range = normalize?.numbersAsText;
  if (range === undefined || typeof value !== 'number') return value;
  const fits = range === 'any' || (Number.isInteger(value) && value >= range.minimum && value <= range.maximum);
  return fits ? String(value) : value;
}

function numberMistakes({ type, minimum, maximum }: SchemaNode, value: unknown): string[] {
  if (typeof value !== 'number') return [`must be ${type}`];
  return [
    ...(type === 'integer' && !Number.isInteger(value) ? ['must be integer'] : []),
    ...(minimum !== undefined && value < minimum ? [`must be >= ${minimum}`] : []),
    ...(maximum !== undefined && value > maximum ? [`must be <= ${maximum}`] : []),
  ];
}

function listMistakes({ items, minItems = 0, maxItems }: SchemaNode, value: unknown, path: FieldPath): FieldError[] {
  const at = (message: string): FieldError[] => [{ path: pathText(path), message }];
  if (!Array.isArray(value)) return at('must be array');
  if (maxItems !== undefined && value.length > maxItems) return at(`must not have more than ${maxItems} items`);
  if (value.length < minItems) return at(`must not have fewer than ${minItems} items`);
  return value.flatMap((entry, index) => mistakesIn(items!, entry, [...path, index]));
}

function objectMistakes(form: SchemaNode, value: unknown, path: FieldPath): FieldError[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ path: pathText(path), message: 'must be object' }];
  const { properties = {}, required = [], additionalProperties } = form;
  const unknown = additionalProperties === false ? Object.keys(value).filter((name) => !(name in properties)) : [];
  return [
    ...unknown.map((name) => ({ path: pathText([...path, name]), message: 'unknown field' })),
    ...Object.entries(properties).flatMap(([name, field]) => {
      const given = (value as Body)[name];
      const isRequired = required.includes(name);
      if (given === undefined) return isRequired ? [{ path: pathText([...path, name]), message: 'is missing' }] : [];
      if (!isRequired && isLeftOut(field, given)) return [];
      return mistakesIn(field, given, [...path, name]);
    }),
  ];
}

/** In an optional field, null and empty text mean the same as no field; so does an empty list for an object. */
export function isLeftOut(field: SchemaNode, value: unknown): boolean {
  const form = valueForm(field);
  if (value === '') return form.normalize?.emptyIsValue !== true;
  return value === null || (form.type === 'object' && Array.isArray(value) && value.length === 0);
}

interface TextRule {
  lengthMin: number;
  lengthMax?: number;
  kind: 'identifier' | 'one line' | 'lines' | 'any';
  isBlankAllowed: boolean;
}

/** Reads the rule from the description that the reference shows to partners, not from the pattern that the service uses. */
function textRule({ description = '', maxLength, minLength = 0 }: SchemaNode): TextRule {
  const [, least, most] = /^(?:(1)-|at most )(\d+) (?:visible ASCII )?characters/.exec(description) ?? [];
  const lengthMax = most === undefined ? maxLength : Number(most);
  return {
    lengthMin: least === undefined ? minLength : 1,
    ...(lengthMax === undefined ? {} : { lengthMax }),
    kind: description.includes('zero-width')
      ? 'identifier'
      : description.includes('which become spaces')
        ? 'one line'
        : description.includes('without control characters')
          ? 'lines'
          : 'any',
    isBlankAllowed: !description.includes('not blank'),
  };
}

function textMistakes(form: SchemaNode, value: unknown): string[] {
  const { description } = form;
  if (typeof value !== 'string') return ['must be string'];
  if (description === 'a date, YYYY-MM-DD') return isDate(value) ? [] : [`must be ${description}`];
  if (description?.startsWith('a date (YYYY-MM-DD, that day in Taipei), or a time'))
    return isDate(value) || isTime(value) ? [] : [`must be ${description}`];
  if (description?.endsWith(' digits')) return digitsMistakes(description, value);
  if (description?.startsWith('a time as in RFC 3339')) return isTime(value) ? [] : [`must be ${description}`];
  if (description === 'a UUID in lower case') return /^[0-9a-f-]{36}$/.test(value) ? [] : [`must be ${description}`];
  if (description === 'an absolute http(s) URL') return addressMistakes(form, value);
  const { lengthMin, lengthMax, kind, isBlankAllowed } = textRule(form);
  const length = [...value.replaceAll('\r\n', kind === 'one line' ? ' ' : '\r\n')].length;
  const isRight =
    length >= lengthMin &&
    length <= (lengthMax ?? Number.POSITIVE_INFINITY) &&
    (isBlankAllowed || value.trim() !== '') &&
    (kind !== 'identifier' || (value === value.trim() && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value))) &&
    (kind === 'any' || kind === 'identifier' || !/\p{Cc}/u.test(value.replaceAll(/[\t\r\n]/g, '')));
  return isRight ? [] : [`must be ${description}`];
}

function digitsMistakes(description: string, value: string): string[] {
  const lengthMax = Number(/^1-(\d+) digits$/.exec(description)![1]);
  return /^[0-9]+$/.test(value) && value.length <= lengthMax ? [] : [`must be ${description}`];
}

function addressMistakes({ maxLength = Number.POSITIVE_INFINITY }: SchemaNode, value: string): string[] {
  if ([...value].length > maxLength) return [`must not have more than ${maxLength} characters`];
  return value.startsWith('https://') ? [] : ['must be an absolute http(s) URL'];
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value) || value.startsWith('0000')) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}

function isTime(value: string): boolean {
  const [, day, hour] = /^(\S{10})T(\d\d):\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)$/.exec(value) ?? [];
  return day !== undefined && isDate(day) && Number(hour) < 24;
}

/**
 * Sends all probes. Requests that the schema refuses must be answered with exactly the expected mistakes and change nothing; the others go to `assertAccepted`.
 */
export async function assertProbes(
  app: TestApp,
  operation: ProbedOperation,
  assertRefused: (answer: TestAnswer, expected: FieldError[]) => void,
  assertAccepted: (answer: TestAnswer, probe: Probe) => void,
): Promise<void> {
  const probes = probesOf(operation);
  const refused = probes.filter(({ expected }) => expected.length > 0);
  const accepted = probes.filter(({ expected }) => expected.length === 0);
  const mistakes: string[] = [];
  const send = async (probe: Probe) => {
    const answer = await operation.send(probe.body);
    try {
      if (probe.expected.length > 0) assertRefused(answer, probe.expected);
      else assertAccepted(answer, probe);
    } catch (error) {
      mistakes.push(`${probe.label}\n  ${(error as Error).message}\n  ${answer.status} ${answer.text.slice(0, 500)}`);
    }
  };

  const before = await fingerprint(app);
  await inParallel(refused, send, operation.atOnceMax);
  const isChanged = (await fingerprint(app)) !== before;
  if (isChanged) mistakes.push(...(await findChanges(app, refused, send)));
  await inParallel(accepted, send, operation.atOnceMax);
  const shown = mistakes.slice(0, shownMax).join('\n');
  assert.equal(mistakes.length, 0, `${mistakes.length} of ${probes.length} requests:\n${shown}`);
}

const shownMax = 10;

async function inParallel<T>(items: T[], work: (item: T) => Promise<unknown>, atOnceMax = 8): Promise<void> {
  const rest = items.values();
  const workers = Array.from({ length: atOnceMax }, async () => {
    for (const item of rest) await work(item);
  });
  await Promise.all(workers);
}

/** Repeats the requests one by one to name those that change something. */
async function findChanges(app: TestApp, probes: Probe[], send: (probe: Probe) => Promise<void>): Promise<string[]> {
  const changes: string[] = [];
  let before = await fingerprint(app);
  for (const probe of probes) {
    await send(probe);
    const now = await fingerprint(app);
    if (now !== before) changes.push(`${probe.label}\n  changed the database`);
    before = now;
  }
  return changes.length > 0 ? changes : ['a refused request changed the database once, but not when it was repeated'];
}

/** The tables that record requests, sessions and running processes change with every request. */
const recordsOfRequests = '^(request_log|operator_action|operator_session|client_network|partner_use|schedule|node)';

/** Changes with the content of any table, except those that record requests. */
export async function fingerprint(app: TestApp): Promise<string> {
  const [row] = await app.store.database.read(
    (sql) => sql`
      select md5(string_agg(name || query_to_xml(format('select t::text from %I t order by 1', name), false, true, '')::text, ',' order by name)) as print
      from (
        select tablename as name from pg_tables where schemaname = current_schema() and tablename !~ ${recordsOfRequests}
      ) as all_tables`,
  );
  return row!.print;
}

/** Every optional field of a schema, nested ones included, with the values that mean that it is left out. */
export function optionalFields(schema: TSchema): { field: FieldPath; values: unknown[] }[] {
  return fieldPaths(schema).flatMap((field) => {
    const step = field.at(-1)!;
    const holder = nodeAt(schema as SchemaNode, field.slice(0, -1));
    const forms = (holder.anyOf ?? [holder]).filter(({ properties = {} }) => step in properties);
    if (typeof step === 'number' || forms.some(({ required = [] }) => required.includes(step))) return [];
    const node = nodeAt(schema as SchemaNode, field);
    return [{ field, values: [null, '', []].filter((value) => isLeftOut(node, value)) }];
  });
}

/** A copy of a body with another value in one field. */
export function withValue(body: Body, field: FieldPath, value: unknown): Body {
  const changed = structuredClone(body);
  place(changed, field, value);
  return changed;
}

/** The only product of the bodies of `exampleBody`. */
export const exampleSku = 'TEA';

/** Brings in so many units that no order is refused. */
export async function receiveExampleSku(app: TestApp): Promise<void> {
  await syncProducts(app, [exampleSku]);
  await putLot(app, { skuId: exampleSku, expireDate: '2099-06-30', qty: 1_000_000_000_000 });
}

let documents = 0;

/** An example of the reference, for the account of the test and with new document numbers. */
export function exampleBody(example: unknown): Body {
  const number = ++documents;
  const text = JSON.stringify(example)
    .replaceAll('"TPW-DEMO"', JSON.stringify(alpha.warehouseTpwId))
    .replaceAll(/"TEA-\d+"/g, JSON.stringify(exampleSku))
    .replaceAll(/"(OUT|IN|RT|ADJ|MV)-(\d+)"/g, (_, kind, given) => JSON.stringify(`${kind}-${number}-${given}`));
  return JSON.parse(text);
}
