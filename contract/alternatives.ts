import { type TObject, Type } from 'typebox';

/**
 * The schema keyword `alternatives`: fields of an object that depend on each other, as a list of alternatives of which
 * exactly one holds. The service checks the rule with a refinement and its own messages, or later; the reference
 * publishes it as `oneOf` (`reference/alternatives.ts`). Code generators handle `anyOf` next to `properties` differently:
 * openapi-typescript lets each part alone stand for the whole object.
 */
export type Alternatives = Alternative[];

export interface Alternative {
  /** These fields are given and not null. */
  given?: string[];
  /** These fields are omitted or null. */
  absent?: string[];
  /** These fields have this narrower schema. */
  narrowed?: Record<string, Record<string, unknown>>;
}

export const WithAlternatives = <Schema extends TObject>(schema: Schema, alternatives: Alternatives) =>
  Type.With(schema, { alternatives }) as Schema;

/** Exactly one of these fields is given. */
export const exactlyOneOf = (...fields: string[]): Alternatives =>
  fields.map((field) => ({ given: [field], absent: fields.filter((other) => other !== field) }));

/** At least one of these fields is given: the first one, or else the second one, and so on. */
export const atLeastOneOf = (...fields: string[]): Alternatives =>
  fields.map((field, index) => ({ given: [field], absent: fields.slice(0, index) }));

/** One alternative of each list holds. */
export const bothOf = (one: Alternatives, other: Alternatives): Alternatives =>
  one.flatMap((first) =>
    other.map((second) => ({
      given: [...(first.given ?? []), ...(second.given ?? [])],
      absent: [...(first.absent ?? []), ...(second.absent ?? [])],
      narrowed: { ...first.narrowed, ...second.narrowed },
    })),
  );
