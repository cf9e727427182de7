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

/** Compiles a schema once; the check converts nothing, fills nothing in, and reports all mistakes. */
export function makeChecker<Schema extends TSchema>(schema: Schema): (value: unknown) => Checked<Static<Schema>> {
  const compiled = Compile(schema);
  return (value) => {
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
  properties?: Record<string, SchemaNode>;
}

/** A pattern is worded by the description of its schema. */
function descriptionAt(schema: TSchema, path: (string | number)[]): string {
  let node: SchemaNode | undefined = schema as SchemaNode;
  for (const step of path) node = typeof step === 'number' ? node?.items : node?.properties?.[step];
  return node?.description ?? 'of another form';
}

/** Each once; and of a field that may be null, what else it may be says enough. */
function distinct(mistakes: Mistake[]): Mistake[] {
  const seen = new Map(mistakes.map((mistake) => [`${wordPath(mistake.path)}: ${mistake.message}`, mistake]));
  const nullable = (path: string) => mistakes.some((other) => wordPath(other.path).startsWith(path) && other.message !== mustBeNull);
  return [...seen.values()].filter(({ path, message }) => message !== mustBeNull || !nullable(wordPath(path)));
}

const mustBeNull = 'must be null';

function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

function numberIfIndex(step: string): string | number {
  return /^\d+$/.test(step) ? Number(step) : step;
}
