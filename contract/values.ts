import { type Static, type TSchema, type TString, Type } from 'typebox';
import { type BrokenRule, errorMessage } from '../messages/errors.ts';
import { formatMessage } from '../messages/format-message.ts';
import type { Message as RejectionMessage } from '../messages/message.ts';
import {
  dateOrEmptyPattern,
  datePattern,
  identifierOrEmptyPattern,
  identifierPattern,
  instantPattern,
  textPattern,
  titlePattern,
  webAddressPattern,
} from './portable-patterns.ts';

/** The format of a text, for the reference, and the message for a text of another format. */
export const Form = (mistake: RejectionMessage) => ({
  description: formatMessage(mistake).replace(/^must be /, ''),
  mistake,
});

/**
 * Adds the meaning of a field for the reference. Its format stays in `description`, which is also used in error
 * messages: "must be 1-125 characters".
 */
export const WithMeaning = <Schema extends TSchema>(schema: Schema, meaning: string) =>
  Type.With(schema, { meaning }) as Schema;

/** Adds an example value for a field that does not appear in the example of an endpoint. */
export const WithExample = <Schema extends TSchema>(schema: Schema, example: Static<Schema>) =>
  Type.With(schema, { examples: [example] }) as Schema;

/**
 * Adds schema properties that only appear in the reference; the service checks them later and with its own messages.
 */
export const WithDocumented = <Schema extends TSchema>(schema: Schema, documented: Record<string, unknown>) =>
  Type.With(schema, { documented }) as Schema;

/** Adds to what `WithDocumented` or the schema itself has. */
export const WithMoreDocumented = <Schema extends TSchema>(schema: Schema, documented: Record<string, unknown>) =>
  WithDocumented(schema, { ...(schema as { documented?: object }).documented, ...documented });

/**
 * Characters that are invisible in a number or key: control characters, zero-width and bidirectional ones, and line
 * separators. The general categories do not cover every zero-width character, so the others are listed.
 */
const invisible =
  '\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\uffa0\\ufff0-\\ufff8\\u{e0000}-\\u{e0fff}';

/** A number or key chosen by the caller; compared exactly. */
export const Identifier = (lengthMax: number) =>
  Type.String({
    pattern: `^(?!\\s)[^${invisible}]{1,${lengthMax}}(?<!\\s)$`,
    ...Form(errorMessage('not_identifier', { limit: lengthMax })),
    documented: { minLength: 1, maxLength: lengthMax, pattern: identifierPattern },
  });
export const CallerIdentifier = Identifier(125);
/** Like `Identifier`, but may be empty. */
export const IdentifierOrEmpty = (lengthMax: number) =>
  Type.String({
    pattern: `^(?:(?!\\s)[^${invisible}]{1,${lengthMax}}(?<!\\s))?$`,
    ...Form(errorMessage('not_identifier_or_empty', { limit: lengthMax })),
    documented: { maxLength: lengthMax, pattern: identifierOrEmptyPattern },
  });

/**
 * In free text, line breaks and tabs become spaces. Other control characters are rejected, so that the text is
 * displayed as it was sent.
 */
const oneLine = { normalize: { lineBreaks: 'space' } };

export const Title = (lengthMax: number) =>
  Type.String({
    pattern: `^(?=[\\s\\S]*\\S)[^\\p{Cc}]{1,${lengthMax}}$`,
    ...Form(errorMessage('not_title', { limit: lengthMax })),
    ...oneLine,
    documented: { minLength: 1, maxLength: lengthMax, pattern: titlePattern },
  });

export const measureMax = 999_999_999;

/** A measure >= 0, stored exactly. */
export const Measure = Type.Number({
  minimum: 0,
  maximum: measureMax,
  description: '0 or more, rounded to 3 decimals',
  normalize: { decimals: 3 },
});

export const WebAddress = Type.Refine(
  Type.String({
    maxLength: 2048,
    ...Form(errorMessage('not_web_address')),
    documented: { format: 'uri', pattern: webAddressPattern },
  }),
  isWebAddress,
  (): BrokenRule => 'not_web_address',
);

export function isWebAddress(value: string): boolean {
  return /^https?:\/\/\S+$/i.test(value) && URL.canParse(value);
}

/** An optional field; `null` and an empty string mean the same as omitting it. The description is that of the value. */
export const Clearable = <Schema extends TSchema>(schema: Schema) => {
  const { description, mistake } = schema as Partial<ReturnType<typeof Form>>;
  const form = { ...(description === undefined ? {} : { description }), ...(mistake === undefined ? {} : { mistake }) };
  return Type.Optional(Type.Union([schema, Type.Null()], form));
};

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Free text, possibly empty. */
export const FreeText = (lengthMax: number) =>
  Type.String({
    pattern: `^[^\\p{Cc}]{0,${lengthMax}}$`,
    ...Form(errorMessage('not_free_text', { limit: lengthMax })),
    ...oneLine,
    documented: { maxLength: lengthMax, pattern: textPattern },
  });

/**
 * Text that some programs send as a number, which we convert to text: any number, or only integers in a range. The
 * reference only mentions integers: a decimal has several notations, and its text may not be the one that was sent.
 */
export const WithNumbers = (text: TString, range?: { minimum: number; maximum: number }) => {
  const { normalize, documented } = text as { normalize?: object; documented?: object };
  const limits = range ?? { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
  return Type.With(text, {
    normalize: { ...normalize, numbersAsText: range ?? 'any' },
    documented: { ...documented, type: ['string', 'integer'], ...limits },
  }) as TString;
};

/** Free text that may have several lines. */
export const Note = (lengthMax: number) =>
  Type.String({
    pattern: `^(?:[^\\p{Cc}]|[\\t\\r\\n]){0,${lengthMax}}$`,
    ...Form(errorMessage('not_note', { limit: lengthMax })),
    documented: { maxLength: lengthMax, pattern: textPattern },
  });

/** Text in a response; echoed text has the same limit as in the request. */
export const Text = (lengthMax: number, example?: string) =>
  Type.String({ maxLength: lengthMax, ...(example === undefined ? {} : { examples: [example] }) });
export const TextOrNull = (lengthMax: number, meaning: string, example?: string) =>
  WithMeaning(Type.Union([Text(lengthMax, example), Type.Null()]), meaning);
export const OneOfOrNull = <Value extends string>(values: readonly Value[], meaning: string, example: Value) =>
  WithExample(WithMeaning(Type.Union([Type.Enum([...values]), Type.Null()]), meaning), example as never);

/** The value of `Retry-After`. */
export const RetrySeconds = Type.Integer({ minimum: 1, maximum: 3600, examples: [1] });

/** A message written by us; the longest contains 20 product keys. */
export const Message = Text(10_000);
/** A path in a body, such as `details[0].qty`. */
export const FieldPath = (example?: string) => Text(255, example);

const ownNumberLengthMax = 255;
/** The document numbers that we assign. */
export const OrderNumber = Type.String({ pattern: '^ow_', maxLength: ownNumberLengthMax });
export const StockInNumber = Type.String({ pattern: '^si_', maxLength: ownNumberLengthMax });
export const DocumentNumber = Type.String({ pattern: '^(ow|si)_', maxLength: ownNumberLengthMax });
export const RowNumber = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const smallNumberMax = 2_147_483_647;
/** The number of a warehouse or a store. */
export const PlaceNumber = Type.Integer({ minimum: 1, maximum: smallNumberMax });
export const SmallCount = Type.Integer({ minimum: 0, maximum: smallNumberMax });

const moneyMax = 9_999_999_999;
/** An amount in a response. */
export const Amount = (example?: number) => AmountFrom(0, example);
export const PriceAmount = (example?: number) => AmountFrom(-moneyMax, example);
const AmountFrom = (minimum: number, example?: number) =>
  Type.Number({ minimum, maximum: moneyMax, ...(example === undefined ? {} : { examples: [example] }) });

/** New Taiwan dollars, stored exactly. */
export const Money = Type.Number({
  minimum: 0,
  maximum: moneyMax,
  description: '0 or more, rounded to 2 decimals',
  normalize: { decimals: 2 },
});
/** Like `Money`, but may be negative, because a discount is a separate line. */
export const Price = Type.Number({
  minimum: -moneyMax,
  maximum: moneyMax,
  description: 'negative for a discount, rounded to 2 decimals',
  normalize: { decimals: 2 },
});

/** `bad` units are defective and not sold. */
export const stockTypes = ['good', 'bad'] as const;

export const qtyMax = 1_000_000_000;

/** A number of units; `1.0` is accepted as 1, `"1"` and `1.5` are rejected. */
export const Qty = Type.Integer({ minimum: 1, maximum: qtyMax, description: 'a whole number of units' });

/** Units in a response, possibly the sum of many lines. */
export const Units = (example?: number) =>
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    ...(example === undefined ? {} : { examples: [example] }),
  });
/** Units of one line, as sent. */
export const LineUnits = Type.Integer({ minimum: 1, maximum: qtyMax });

/** An existing calendar date, from year 1 on. */
export const CalendarDate = Type.Refine(
  Type.String({ format: 'date', ...Form(errorMessage('not_date')), documented: { pattern: datePattern } }),
  isCalendarDate,
  (): BrokenRule => 'not_date',
);

/** The expiry date of units; omitted, `null` and `""` mean that they do not expire. */
export const ExpiryDate = Clearable(
  Type.Refine(
    Type.String({
      pattern: '^(\\d{4}-\\d{2}-\\d{2})?$',
      ...Form(errorMessage('not_date')),
      documented: { pattern: dateOrEmptyPattern },
    }),
    (value) => value === '' || isCalendarDate(value),
    (): BrokenRule => 'not_date',
  ),
);

function isCalendarDate(value: string): boolean {
  return /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(value) && isRealDay(value);
}

/**
 * Calculated without `Date`, because a document may have 5,000 dates and constructing a Date for each would take 13 ms.
 */
export function isRealDay(day: string): boolean {
  const [year, month, date] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8, 10))];
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeapYear ? 29 : (daysOfMonths[month - 1] ?? 0);
  return date >= 1 && date <= days;
}

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** An existing point in time, with microseconds. */
export const Instant = Type.Refine(
  Type.String({ format: 'date-time', ...Form(errorMessage('not_instant')), documented: { pattern: instantPattern } }),
  (value) =>
    /^(?!0000)\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?(Z|[+-](0\d|1[0-5]):[0-5]\d)$/.test(value) &&
    isRealDay(value.slice(0, 10)),
  (): BrokenRule => 'not_instant',
);
