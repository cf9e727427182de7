import type { TSchema } from 'typebox';
import { LongDecimal, roundDecimal } from './decimal.ts';

/**
 * The schema keyword `normalize`: alternative notations of a value that are accepted.
 * - `decimals`: a number with more decimals is rounded half up.
 * - `lineBreaks`: line breaks and tabs in text become spaces.
 * - `numbersAsText`: a number is converted to text: any number, or only an integer in a range.
 * - `emptyIsValue`: an empty string in an optional field is a value and does not mean that the field is omitted.
 */
export interface Normalize {
  decimals?: number;
  lineBreaks?: 'space';
  numbersAsText?: 'any' | { minimum: number; maximum: number };
  emptyIsValue?: true;
}

type Normalizer = (value: unknown) => unknown;

/**
 * Compiles a function that normalizes a parsed body in place to the form described by its schema. An optional field
 * that is null, an empty string or (for an object) an empty array becomes null if the schema allows null, and is
 * removed otherwise. Other errors are left to the validation.
 */
export function makeNormalizer(schema: TSchema): Normalizer {
  return compile(schema as SchemaNode) ?? ((value) => value);
}

interface SchemaNode {
  type?: string;
  normalize?: Normalize;
  minimum?: number;
  anyOf?: SchemaNode[];
  items?: SchemaNode;
  properties?: Record<string, SchemaNode>;
  required?: string[];
}

/** Returns undefined if the schema has nothing to normalize, so that values are skipped. */
function compile({
  anyOf,
  items,
  properties,
  required = [],
  normalize = {},
  minimum,
}: SchemaNode): Normalizer | undefined {
  const steps: (Normalizer | undefined)[] = [
    ...(anyOf ?? []).map(compile),
    items && compileItems(items),
    properties && compileFields(properties, required),
    normalize.decimals === undefined ? undefined : makeRounder(normalize.decimals, minimum),
    normalize.numbersAsText && makeNumberReader(normalize.numbersAsText),
    normalize.lineBreaks && withSpacesForLineBreaks,
  ];
  const [first, ...others] = steps.filter((step) => step !== undefined);
  return others.length === 0 ? first : (value) => others.reduce((changed, step) => step(changed), first!(value));
}

function compileItems(items: SchemaNode): Normalizer | undefined {
  const normalizeItem = compile(items);
  if (!normalizeItem) return undefined;
  return (value) => {
    if (!Array.isArray(value)) return value;
    for (let index = 0; index < value.length; index++) {
      const given = value[index];
      const changed = normalizeItem(given);
      if (changed !== given) value[index] = changed;
    }
    return value;
  };
}

interface Field {
  name: string;
  isOptional: boolean;
  isObject: boolean;
  allowsNull: boolean;
  emptyIsValue: boolean;
  normalizeValue: Normalizer | undefined;
}

function compileFields(properties: Record<string, SchemaNode>, required: string[]): Normalizer | undefined {
  const fields = Object.entries(properties)
    .map(([name, schema]) => describeField(name, schema, !required.includes(name)))
    .filter(({ isOptional, normalizeValue }) => isOptional || normalizeValue);
  if (fields.length === 0) return undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    for (const field of fields) normalizeField(value as Record<string, unknown>, field);
    return value;
  };
}

function describeField(name: string, schema: SchemaNode, isOptional: boolean): Field {
  const forms = schema.anyOf ?? [schema];
  const values = forms.filter(({ type }) => type !== 'null');
  return {
    name,
    isOptional,
    isObject: values.every(({ type }) => type === 'object'),
    allowsNull: values.length < forms.length,
    emptyIsValue: [schema, ...values].some(({ normalize }) => normalize?.emptyIsValue),
    normalizeValue: compile(schema),
  };
}

function normalizeField(holder: Record<string, unknown>, field: Field): void {
  const given = holder[field.name];
  if (given === undefined) return;
  if (field.isOptional && isLeftOut(given, field)) {
    if (field.allowsNull) holder[field.name] = null;
    else delete holder[field.name];
    return;
  }
  if (!field.normalizeValue) return;
  const changed = field.normalizeValue(given);
  if (changed !== given) holder[field.name] = changed;
}

function isLeftOut(given: unknown, { isObject, emptyIsValue }: Field): boolean {
  if (given === null) return true;
  if (given === '') return !emptyIsValue;
  // PHP serializes an empty object as an empty array.
  return isObject && Array.isArray(given) && given.length === 0;
}

/** Does not round values below the minimum, so that -0.001 is rejected instead of rounded to 0. */
function makeRounder(decimals: number, minimum = Number.NEGATIVE_INFINITY): Normalizer {
  return (value) => {
    if (typeof value === 'number')
      return Number.isInteger(value) || value < minimum ? value : roundDecimal(String(value), decimals);
    if (!(value instanceof LongDecimal) || Number(value.literal) < minimum) return value;
    value.isRounded = true;
    return roundDecimal(value.literal, decimals);
  };
}

/**
 * Numbers that would be written with an exponent are not converted, because the text would differ from the number sent.
 */
function makeNumberReader(range: NonNullable<Normalize['numbersAsText']>): Normalizer {
  return (value) => {
    if (typeof value !== 'number') return value;
    if (range !== 'any' && !(Number.isInteger(value) && value >= range.minimum && value <= range.maximum)) return value;
    const text = String(value);
    return text.includes('e') ? value : text;
  };
}

const withSpacesForLineBreaks: Normalizer = (value) =>
  typeof value === 'string' && /[\t\r\n]/.test(value) ? value.replaceAll(/\r\n|[\t\r\n]/g, ' ') : value;
