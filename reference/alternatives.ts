import type { Alternative, Alternatives } from '../contract/alternatives.ts';

type Json = Record<string, unknown>;

/** Strict validators would otherwise reject every field that an alternative does not name. */
const unknownIgnored = { unevaluatedProperties: true };

/**
 * Publishes which fields of an object depend on each other. Each alternative repeats the schemas of its fields, so that a
 * code generator finds their types.
 */
export function publishAlternatives(alternatives: Alternatives, fields: Record<string, Json>): Json {
  return { oneOf: alternatives.map((one) => publish(one, fields)) };
}

function publish({ given = [], absent = [], narrowed = {} }: Alternative, fields: Record<string, Json>): Json {
  const properties = {
    ...Object.fromEntries(given.map((name) => [name, withoutNull(fields[name]!)])),
    ...Object.fromEntries(Object.entries(narrowed).map(([name, part]) => [name, { ...fields[name], ...part }])),
    ...Object.fromEntries(absent.map((name) => [name, absentField])),
  };
  return { type: 'object', ...(given.length > 0 ? { required: given } : {}), properties, ...unknownIgnored };
}

const absentField = { type: 'null', description: 'Omitted or `null` here.', examples: [null] };

/** An empty text means the same as null. */
function withoutNull(field: Json): Json {
  const { type, anyOf, ...rest } = field as Json & { type?: string | string[]; anyOf?: Json[]; minLength?: number };
  if (anyOf) {
    const forms = anyOf.filter((form) => form.type !== 'null');
    return forms.length === 1 ? { ...forms[0], ...rest } : { ...rest, anyOf: forms };
  }
  const types = [type ?? []].flat().filter((one) => one !== 'null');
  const notEmpty = types.includes('string') ? { minLength: rest.minLength ?? 1 } : {};
  return { ...rest, ...notEmpty, type: types.length === 1 ? types[0] : types };
}
