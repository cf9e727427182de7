import { type Static, type TSchema, type TString, Type } from 'typebox';

/** What a field means, for the reference. Its form stays in `description`, since that also words mistakes: "must be 1-125 characters". */
export const WithMeaning = <Schema extends TSchema>(schema: Schema, meaning: string) => Type.With(schema, { meaning }) as Schema;

/** What a field looks like, where no example of an endpoint shows it. */
export const WithExample = <Schema extends TSchema>(schema: Schema, example: Static<Schema>) =>
  Type.With(schema, { examples: [example] }) as Schema;

/** What only the reference says of a field; mistakes are found later, and worded otherwise. */
export const WithDocumented = <Schema extends TSchema>(schema: Schema, documented: Record<string, unknown>) =>
  Type.With(schema, { documented }) as Schema;

/**
 * What cannot be seen in a number or key: control characters, those without width or with an effect on the direction of text, and separators of
 * lines. The general categories do not cover all characters without width, so that the others are listed.
 */
const invisible =
  '\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\uffa0\\ufff0-\\ufff8\\u{e0000}-\\u{e0fff}';
const withoutInvisible = 'without control, zero-width or bidirectional characters and without white space at either end';

/** A caller's own number or key, compared exactly. */
export const Identifier = (lengthMax: number) =>
  Type.String({
    pattern: `^(?!\\s)[^${invisible}]{1,${lengthMax}}(?<!\\s)$`,
    description: `1-${lengthMax} characters, ${withoutInvisible}`,
  });
export const CallerIdentifier = Identifier(125);
/** The same, or none: empty. */
export const IdentifierOrEmpty = (lengthMax: number) =>
  Type.String({
    pattern: `^(?:(?!\\s)[^${invisible}]{1,${lengthMax}}(?<!\\s))?$`,
    description: `at most ${lengthMax} characters, ${withoutInvisible}`,
  });

/** In text for people, a line break or a tab is taken for a space; any other control character is refused, so that what is shown is what was sent. */
const oneLine = { normalize: { lineBreaks: 'space' } };
const withoutControl = 'without control characters other than line breaks and tabs, which become spaces';

export const Title = (lengthMax: number) =>
  Type.String({
    pattern: `^(?=.*\\S)[^\\p{Cc}]{1,${lengthMax}}$`,
    description: `1-${lengthMax} characters, not blank, ${withoutControl}`,
    ...oneLine,
    documented: { pattern: `^(?=[\\s\\S]*\\S)(?:[^\\p{Cc}]|[\\t\\r\\n]){1,${lengthMax}}$` },
  });

export const measureMax = 999_999_999;

/** A measure >= 0, kept exact. */
export const Measure = Type.Number({
  ...{ minimum: 0, maximum: measureMax, description: '0 or more, rounded to 3 decimals' },
  normalize: { decimals: 3 },
});

export const WebAddress = Type.Refine(
  Type.String({ maxLength: 2048, description: 'an absolute http(s) URL' }),
  isWebAddress,
  () => 'must be an absolute http(s) URL',
);

export function isWebAddress(value: string): boolean {
  return /^https?:\/\/\S+$/i.test(value) && URL.canParse(value);
}

/** May be left out; `null` and empty text mean the same. It is described as what it is when it is there. */
export const Clearable = <Schema extends TSchema>(schema: Schema) => {
  const { description } = schema as { description?: string };
  return Type.Optional(Type.Union([schema, Type.Null()], description === undefined ? {} : { description }));
};

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Text for people that may be empty. */
export const FreeText = (lengthMax: number) =>
  Type.String({
    pattern: `^[^\\p{Cc}]{0,${lengthMax}}$`,
    description: `at most ${lengthMax} characters, ${withoutControl}`,
    ...oneLine,
    documented: { pattern: `^(?:[^\\p{Cc}]|[\\t\\r\\n]){0,${lengthMax}}$` },
  });

/** Text that some programs write as a number, which is then taken as its text: any number, or only whole ones in a range. */
export const WithNumbers = (text: TString, range?: { minimum: number; maximum: number }) => {
  const { normalize, documented } = text as { normalize?: object; documented?: object };
  const limits = range ?? { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
  return Type.With(text, {
    normalize: { ...normalize, numbersAsText: range ?? 'any' },
    documented: { ...documented, type: ['string', range ? 'integer' : 'number'], ...limits },
  }) as TString;
};

/** Text for people that may have several lines. */
export const Note = (lengthMax: number) =>
  Type.String({
    pattern: `^(?:[^\\p{Cc}]|[\\t\\r\\n]){0,${lengthMax}}$`,
    description: `at most ${lengthMax} characters, without control characters other than line breaks and tabs`,
  });

/** Text of an answer: an echo has the limit of what was sent. */
export const Text = (lengthMax: number, example?: string) =>
  Type.String({ maxLength: lengthMax, ...(example === undefined ? {} : { examples: [example] }) });
export const TextOrNull = (lengthMax: number, meaning: string, example?: string) =>
  WithMeaning(Type.Union([Text(lengthMax, example), Type.Null()]), meaning);
export const OneOfOrNull = <Value extends string>(values: readonly Value[], meaning: string, example: Value) =>
  WithExample(WithMeaning(Type.Union([Type.Enum([...values]), Type.Null()]), meaning), example as never);

/** How long we ask to wait. */
export const RetrySeconds = Type.Integer({ minimum: 1, maximum: 3600, examples: [1] });

/** Our own words; the longest repeats 20 product keys. */
export const Message = Text(10_000);
/** Where in a body: `details[0].qty`. */
export const FieldPath = (example?: string) => Text(255, example);

const ownNumberLengthMax = 255;
/** Our own numbers of documents. */
export const OrderNumber = Type.String({ pattern: '^ow_', maxLength: ownNumberLengthMax });
export const StockInNumber = Type.String({ pattern: '^si_', maxLength: ownNumberLengthMax });
export const DocumentNumber = Type.String({ pattern: '^(ow|si)_', maxLength: ownNumberLengthMax });
export const RowNumber = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const smallNumberMax = 2_147_483_647;
/** Of a warehouse or a store. */
export const PlaceNumber = Type.Integer({ minimum: 1, maximum: smallNumberMax });
export const SmallCount = Type.Integer({ minimum: 0, maximum: smallNumberMax });

const moneyMax = 9_999_999_999;
/** Of an answer. */
export const Amount = (example?: number) => AmountFrom(0, example);
export const PriceAmount = (example?: number) => AmountFrom(-moneyMax, example);
const AmountFrom = (minimum: number, example?: number) =>
  Type.Number({ minimum, maximum: moneyMax, ...(example === undefined ? {} : { examples: [example] }) });

/** New Taiwan dollars, kept exact. */
export const Money = Type.Number({
  ...{ minimum: 0, maximum: moneyMax, description: '0 or more, rounded to 2 decimals' },
  normalize: { decimals: 2 },
});
/** The same, or negative: a discount is a line of its own. */
export const Price = Type.Number({
  ...{ minimum: -moneyMax, maximum: moneyMax, description: 'negative for a discount, rounded to 2 decimals' },
  normalize: { decimals: 2 },
});

export const qtyMax = 1_000_000_000;

/** A count of units; `1.0` is 1, `"1"` and `1.5` are refused. */
export const Qty = Type.Integer({ minimum: 1, maximum: qtyMax, description: 'a whole number of units' });

/** Units of an answer that may be the sum of many. */
export const Units = (example?: number) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, ...(example === undefined ? {} : { examples: [example] }) });
/** Units of one line, as they were sent. */
export const LineUnits = Type.Integer({ minimum: 1, maximum: qtyMax });

/** A day of the calendar that exists, from year 1 on. */
export const CalendarDate = Type.Refine(
  Type.String({ format: 'date', description: 'a date, YYYY-MM-DD' }),
  isCalendarDate,
  () => 'must be a date, YYYY-MM-DD',
);

/** The expiry date of units; left out, `null` and `""` mean that they do not expire. */
export const ExpiryDate = Clearable(
  Type.Refine(
    Type.String({ pattern: '^(\\d{4}-\\d{2}-\\d{2})?$', description: 'a date, YYYY-MM-DD' }),
    (value) => value === '' || isCalendarDate(value),
    () => 'must be a date, YYYY-MM-DD',
  ),
);

function isCalendarDate(value: string): boolean {
  return /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(value) && isRealDay(value);
}

/** Reckoned, since a document may have 5,000 of them and a Date for each would take 13 ms. */
function isRealDay(day: string): boolean {
  const [year, month, date] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8, 10))];
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeapYear ? 29 : (daysOfMonths[month - 1] ?? 0);
  return date >= 1 && date <= days;
}

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** An instant that exists, to the microsecond. */
export const Instant = Type.Refine(
  Type.String({ format: 'date-time', description: 'a time as in RFC 3339, with its offset and at most 6 decimals' }),
  (value) =>
    /^(?!0000)\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?(Z|[+-](0\d|1[0-5]):[0-5]\d)$/.test(value) &&
    isRealDay(value.slice(0, 10)),
  () => 'must be a time as in RFC 3339, with its offset and at most 6 decimals',
);
