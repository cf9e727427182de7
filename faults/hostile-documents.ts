import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { anyFragment, type Fragment } from './hostile-values.ts';

interface SchemaParts {
  type?: string;
  properties?: Record<string, TSchema>;
  items?: TSchema;
  anyOf?: TSchema[];
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  pattern?: string;
  format?: string;
}

const entriesMax = 4;

/**
 * Draws whole bodies from a schema. Most fields keep the value of a sound body, some have any value that the schema
 * allows, and few have one that it does not. Many bodies are accepted, in unexpected combinations.
 */
export function anyDocument(schema: TSchema, sound: unknown): fc.Arbitrary<unknown> {
  const { properties } = schema as SchemaParts;
  if (!properties) return anyOfSchema(schema, sound);
  const given = (sound ?? {}) as Record<string, unknown>;
  return fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, anyField(field, given[name])])),
  );
}

function anyField(schema: TSchema, sound: unknown): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 80, arbitrary: fc.constant(sound) },
    { weight: 18, arbitrary: anyDocument(schema, sound) },
    { weight: 1, arbitrary: fc.constantFrom(null, '') },
    { weight: 1, arbitrary: anyFragment.map(readable) },
  );
}

/** A fragment that is not JSON cannot be part of a drawn body, so the field is left out. */
function readable(fragment: Fragment): unknown {
  try {
    return JSON.parse(fragment.toString());
  } catch {
    return undefined;
  }
}

function anyOfSchema(schema: TSchema, sound: unknown): fc.Arbitrary<unknown> {
  const { type, items, anyOf, enum: values, minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema as SchemaParts;
  if (anyOf) return fc.oneof(...anyOf.map((part) => anyDocument(part, sound)));
  if (values) return fc.constantFrom(...values);
  if (items) return fc.array(anyDocument(items, [sound].flat()[0]), { minLength: 1, maxLength: entriesMax });
  switch (type) {
    case 'string':
      return anyText(schema as SchemaParts);
    case 'integer':
      return fc.oneof(
        fc.integer({ min: minimum, max: Math.min(minimum + 10, maximum) }),
        fc.maxSafeNat().map((value) => value % maximum),
      );
    case 'number':
      return fc.integer({ min: minimum < 0 ? -10_000_000 : 0, max: 10_000_000 }).map((value) => value / 10_000);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.object({ maxDepth: 3 });
  }
}

function anyText({ pattern, format }: SchemaParts): fc.Arbitrary<string> {
  if (format === 'date') return anyTime.map((time) => time.slice(0, 'YYYY-MM-DD'.length));
  if (format === 'date-time') return anyTime;
  if (format === 'uuid') return anyUuid;
  // Patterns with Unicode properties or lookarounds exclude white space and control characters, which these texts rarely
  // contain. The library cannot draw from them.
  if (pattern && !/\\p|\(\?<?[=!]/.test(pattern)) return fc.stringMatching(new RegExp(pattern));
  return anyWords;
}

const anyTime = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
/** Created once, because creating these takes longer than drawing from them. */
const anyUuid = fc.uuid();
const anyWords = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 25 });
