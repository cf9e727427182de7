import { type TObject, Type } from 'typebox';

/**
 * The schema keyword `alternatives`: which fields of an object belong together. The service checks it with a refinement
 * and its own messages; the reference publishes it as `oneOf` or `anyOf` (`reference/alternatives.ts`).
 */
export interface Alternatives {
  /** Exactly one of these must hold, or at least one. */
  oneOf?: Alternative[];
  anyOf?: Alternative[];
}

export interface Alternative {
  /** These fields are given and not null. */
  given?: string[];
  /** At least one of these fields is given and not null. */
  someOf?: string[];
  /** These fields are omitted or null. */
  absent?: string[];
  /** These fields have this narrower schema. */
  narrowed?: Record<string, Record<string, unknown>>;
}

export const WithAlternatives = <Schema extends TObject>(schema: Schema, alternatives: Alternatives) =>
  Type.With(schema, { alternatives }) as Schema;

/** Exactly one of these fields is given. */
export const exactlyOneOf = (...fields: string[]): Alternatives => ({
  oneOf: fields.map((field) => ({ given: [field], absent: fields.filter((other) => other !== field) })),
});

/** At least one of these fields is given. */
export const atLeastOneOf = (...fields: string[]): Alternatives => ({
  anyOf: fields.map((field) => ({ given: [field] })),
});
