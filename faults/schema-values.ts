import fc from 'fast-check';

/** A JSON Schema as published in the OpenAPI document, with its references followed. */
export interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  minProperties?: number;
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
}

const entriesMax = 4;
const manyEntriesMax = 60;

/**
 * Draws values from a schema. Rules that this translation does not know (`if`) may be broken, so the caller checks every
 * value against the whole schema.
 */
export function anyValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  const made = arbitraries.get(schema) ?? make(schema);
  arbitraries.set(schema, made);
  return made;
}

const arbitraries = new WeakMap<JsonSchema, fc.Arbitrary<unknown>>();

function make(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.oneOf) return fc.oneof(...schema.oneOf.map((part) => anyValue(merged(schema, part))));
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(anyValue));
  const types = [schema.type ?? []].flat();
  if (types.length === 0) throw new Error(`a schema without a type: ${JSON.stringify(schema).slice(0, 200)}`);
  return fc.oneof(...types.map((type) => ofType(type, schema)));
}

/** The schema with one of its alternatives, which repeats the fields that it narrows. */
function merged({ oneOf: _, ...whole }: JsonSchema, part: JsonSchema): JsonSchema {
  return {
    ...whole,
    ...part,
    type: whole.type ?? part.type ?? 'object',
    properties: { ...whole.properties, ...part.properties },
    required: [...new Set([...(whole.required ?? []), ...(part.required ?? [])])],
  };
}

function ofType(type: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return anyObject(schema);
    case 'array':
      return anyList(schema);
    case 'string':
      return anyText(schema);
    case 'integer':
      return anyInteger(schema);
    case 'number':
      return anyNumber(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      throw new Error(`unknown type ${type}`);
  }
}

function anyObject({ properties = {}, required = [], minProperties = 0, ...rest }: JsonSchema): fc.Arbitrary<object> {
  const names = Object.keys(properties);
  if (names.length === 0) return fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
  const known = fc.record(Object.fromEntries(names.map((name) => [name, anyValue(properties[name]!)])), {
    requiredKeys: required.filter((name) => name in properties),
  });
  const enough = known.filter((drawn) => Object.keys(drawn).length >= minProperties);
  if (rest.additionalProperties === false) return enough;
  // The service ignores unknown fields; their values are simple, because JSON has limits that no schema expresses.
  return fc
    .tuple(
      enough,
      fc.oneof(
        { weight: 9, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: fc.constant({ x_unknown: [1, 'a'] }) },
      ),
    )
    .map(([drawn, unknown]) => ({ ...drawn, ...unknown }));
}

function anyList({ items = {}, minItems = 0, maxItems = entriesMax }: JsonSchema): fc.Arbitrary<unknown[]> {
  if (maxItems === 0) return fc.constant([]);
  const upTo = (limit: number) =>
    fc.array(anyValue(items), {
      minLength: minItems,
      maxLength: Math.max(minItems, Math.min(maxItems, limit)),
      size: 'max',
    });
  return fc.oneof({ weight: 40, arbitrary: upTo(entriesMax) }, { weight: 1, arbitrary: upTo(manyEntriesMax) });
}

function anyInteger({
  minimum = Number.MIN_SAFE_INTEGER,
  maximum = Number.MAX_SAFE_INTEGER,
}: JsonSchema): fc.Arbitrary<number> {
  return fc.oneof(
    fc.constantFrom(minimum, maximum),
    fc.integer({ min: minimum, max: Math.min(minimum + 20, maximum) }),
    fc.maxSafeInteger().map((value) => minimum + (Math.abs(value) % Math.max(1, maximum - minimum))),
  );
}

/** Also tiny numbers, and numbers with all the digits that a double can have. */
function anyNumber({ minimum = -1e15, maximum = 1e15 }: JsonSchema): fc.Arbitrary<number> {
  const edges = [minimum, maximum, 0, 1e-7, 5e-324, 0.1 + 0.2, 1.005, maximum - 0.001].filter(
    (value) => value >= minimum && value <= maximum,
  );
  return fc.oneof(fc.constantFrom(...edges), fc.double({ min: minimum, max: maximum, noNaN: true }));
}

/** Characters of many scripts, and those beside each character that the pattern names. */
const usualCharacters = [...'aZ09 -_.,:;/\\"\'<>&%$#@!?+*(){}[]|~^`', ...'éß漢字臺灣あ한ไทยعربעברית', ...'𠮷😀👩‍👧'];

function anyText({ pattern, format, minLength = 0, maxLength = 64 }: JsonSchema): fc.Arbitrary<string> {
  if (pattern === undefined) {
    if (format !== undefined) return anyOfFormat(format);
    return fc.string({ unit: 'grapheme', minLength, maxLength });
  }
  const regex = new RegExp(pattern);
  const fits = (text: string) => regex.test(text) && [...text].length >= minLength && [...text].length <= maxLength;
  const named = [...pattern.matchAll(/\\u([0-9a-f]{4})/g)].map(([, hex]) => Number.parseInt(hex!, 16));
  const beside = [...new Set([...named, ...beyondFfff].flatMap((code) => [code - 1, code, code + 1]))]
    .filter((code) => code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff))
    .map((code) => String.fromCodePoint(code));
  const usable = [...usualCharacters, ...beside].filter((character) => regex.test(`a${character}a`));
  if (usable.length === 0) return fc.stringMatching(new RegExp(withoutLookaheads(pattern))).filter(fits);
  const character = fc.oneof(fc.constantFrom(...usable), fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'));
  const texts = (min: number, max: number) =>
    fc
      .array(character, { minLength: min, maxLength: max, size: 'max' })
      .map((all) => all.join(''))
      .filter(fits);
  return fc.oneof(
    { weight: 20, arbitrary: texts(minLength, Math.min(maxLength, 20)) },
    { weight: 1, arbitrary: texts(Math.min(maxLength, 300), Math.min(maxLength, 300)) },
  );
}

/** Around the invisible characters that our patterns exclude. */
const beyondFfff = [0x110bd, 0x110cd, 0x13430, 0x1343f, 0x1bca0, 0x1bca3, 0x1d173, 0x1d17a, 0xe0000, 0xe0fff, 0x10ffff];

function anyOfFormat(format: string): fc.Arbitrary<string> {
  switch (format) {
    case 'uuid':
      return fc.uuid();
    case 'date-time':
      return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
    default:
      throw new Error(`a text of format ${format} without a pattern`);
  }
}

/** fast-check cannot draw from lookaheads; the whole pattern is checked afterwards. */
function withoutLookaheads(pattern: string): string {
  for (;;) {
    const at = pattern.search(/\(\?[!=]/);
    if (at < 0) return pattern;
    pattern = pattern.slice(0, at) + pattern.slice(endOfGroup(pattern, at));
  }
}

function endOfGroup(pattern: string, start: number): number {
  let depth = 0;
  let isInClass = false;
  for (let at = start; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '\\') at++;
    else if (isInClass) isInClass = character !== ']';
    else if (character === '[') isInClass = true;
    else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return at + 1;
  }
  throw new Error('a group without an end');
}
