import { type TSchema, Type } from 'typebox';

/** A caller's own number or key: 1-125 characters, compared exactly. */
export const CallerIdentifier = Type.String({
  pattern: '^(?!\\s)[^\\p{Cc}]{1,125}(?<!\\s)$',
  description: '1-125 characters, without control characters and without white space at either end',
});

/** Text for people: without control characters, so that what is shown is what was sent. */
export const Title = (lengthMax: number) =>
  Type.String({
    pattern: `^(?=.*\\S)[^\\p{Cc}]{1,${lengthMax}}$`,
    description: `1-${lengthMax} characters, not blank, without control characters`,
  });

/** A measure >= 0 with at most 3 decimals, kept exact. */
export const Measure = Type.Refine(
  Type.Number({ minimum: 0, maximum: 999_999_999 }),
  (value) => Number.isInteger(value * 1000) || /^\d+(\.\d{1,3})?$/.test(String(value)),
  () => 'must have at most 3 decimals',
);

export const WebAddress = Type.Refine(
  Type.String({ maxLength: 2048 }),
  (value) => /^https?:\/\/\S+$/i.test(value) && URL.canParse(value),
  () => 'must be an absolute http(s) URL',
);

/** May be left out, and `null` clears it. */
export const Clearable = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));
