import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { errorMessage } from '../../messages/errors.ts';
import { wholeText } from '../portable-patterns.ts';
import {
  CalendarDate,
  Clearable,
  Form,
  FreeText,
  Text,
  Title,
  WithExample,
  WithMeaning,
  WithMoreDocumented,
} from '../values.ts';
import { InstantOrDay } from './times.ts';

export const pageSizeMax = 500;
export const pageSizeDefault = 50;
export const anyOfMax = 100;
export const cursorLengthMax = 4096;
export const totalMax = 10_000;
export const totalExaminedMax = 200_000;

const operatorMeanings = {
  gte: 'Greater than or equal to this value.',
  gt: 'Greater than this value.',
  lte: 'Less than or equal to this value.',
  lt: 'Less than this value.',
  ne: 'Different from this value.',
  prefix: 'Starts with this text.',
};
export type Operator = keyof typeof operatorMeanings;

/**
 * A field by which a list can be searched: the schema of its values, and its operators besides "equals" and "any of".
 */
export interface FilterField {
  value: TSchema;
  operators: readonly Operator[];
  sortable: boolean;
  meaning: string;
  example: string | number;
  /** Required besides the permission of the list; every use is in the audit log. */
  permission?: string;
}

const range = ['gte', 'gt', 'lte', 'lt', 'ne'] as const;

/** An empty text is no filter, so the reference does not offer it. */
const FilterText = WithMoreDocumented(FreeText(255), { minLength: 1 });

export const text = (meaning: string, example: string): FilterField => ({
  value: FilterText,
  operators: [...range, 'prefix'],
  sortable: true,
  meaning,
  example,
});
/** A field that supports exact matches only. */
export const exactText = (meaning: string, example: string | number): FilterField => ({
  value: FilterText,
  operators: [],
  sortable: false,
  meaning,
  example,
});
export const oneOf = (values: readonly string[], meaning: string): FilterField => ({
  value: Type.Enum([...values]),
  operators: ['ne'],
  sortable: true,
  meaning,
  example: values[0]!,
});
export const number = (max: number, meaning: string, example: number): FilterField => ({
  value: Type.Integer({ minimum: 0, maximum: max }),
  operators: range,
  sortable: true,
  meaning,
  example,
});
export const day = (meaning: string): FilterField => ({
  value: CalendarDate,
  operators: range,
  sortable: true,
  meaning,
  example: '2027-06-30',
});
/** A time; a date is that whole day in Taipei. */
export const time = (meaning: string): FilterField => ({
  value: InstantOrDay,
  operators: range,
  sortable: true,
  meaning,
  example: '2026-11-15T09:30:00+08:00',
});

/** Treats an empty string as a value to search for. Other filters ignore it. */
export const orEmpty = (field: FilterField): FilterField => ({
  ...field,
  value: WithMoreDocumented(Type.With(field.value, { normalize: { lineBreaks: 'space', emptyIsValue: true } }), {
    minLength: 0,
  }),
});

/** A phone number as digits. */
export const phone = (meaning: string, example: string): FilterField => ({
  value: Type.String({ pattern: '^[0-9]{1,50}$', ...Form(errorMessage('not_digits', { limit: 50 })) }),
  operators: [],
  sortable: false,
  meaning,
  example,
});
export const prefixedText = (meaning: string, example: string): FilterField => ({
  ...exactText(meaning, example),
  operators: ['prefix'],
});

/** A filter for clients that have a permission of its own. */
export const guarded = (permission: string, field: FilterField): FilterField => ({
  ...field,
  permission,
  meaning: `${field.meaning} Requires the permission \`${permission}\`; every use is recorded in the operator's audit log, without the value.`,
});

/** A field that can be searched by but not sorted by. */
export const unsorted = (field: FilterField): FilterField => ({ ...field, sortable: false });

/** A searchable list. Its filters are named `<prefix>.<field>`. */
export interface SearchList<Row extends TObject = TObject> {
  path: string;
  prefix: string;
  permission: string;
  fields: Record<string, FilterField>;
  row: Row;
}

/** The body of a search, for the reference only; `server/api/main/search-request.ts` parses the request. */
export function SearchBody(list: SearchList) {
  const filters = Object.entries(list.fields).map(
    ([name, field]) => [`${list.prefix}.${name}`, Filter(field)] as const,
  );
  return Type.Object({ ...Object.fromEntries(filters), ...Paging(list) }, { additionalProperties: false });
}

export const prefixText = Title(255);
const prefixShownLength = 4;

function Filter({ value, operators, meaning, example }: FilterField) {
  const asked = operators.map((operator) => {
    const [schema, shown] =
      operator === 'prefix' ? [prefixText, String(example).slice(0, prefixShownLength)] : [value, example];
    return [operator, WithExample(WithMeaning(Type.Optional(schema), operatorMeanings[operator]), shown)];
  });
  const forms = [
    value,
    Type.Array(value, { minItems: 1, maxItems: anyOfMax, description: 'any of these' }),
    ...(operators.length > 0
      ? [Type.Object(Object.fromEntries(asked), { minProperties: 1, additionalProperties: false })]
      : []),
  ];
  const list = `an array of 1-${anyOfMax} values`;
  const otherwise =
    operators.length > 0
      ? `${list}, or an object with ${operators.map((one) => `\`${one}\``).join(', ')}`
      : `or ${list}`;
  return WithExample(
    WithMeaning(
      Type.Optional(Type.Union([...forms, Type.Null()])),
      `${meaning} Either a value to match exactly, ${otherwise}.`,
    ),
    example as never,
  );
}

const exampleCursor = 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ';

function Paging({ prefix, fields }: SearchList) {
  const keys = sortKeysOf(fields);
  return {
    page_size: WithMeaning(
      Clearable(Type.Integer({ minimum: 1, maximum: pageSizeMax, default: pageSizeDefault, examples: [100] })),
      `Maximum number of rows per page; ${pageSizeDefault} by default.`,
    ),
    cursor: WithMeaning(
      Clearable(
        Type.String({
          minLength: 1,
          maxLength: cursorLengthMax,
          pattern: `^[A-Za-z0-9_-]+${wholeText}`,
          examples: [exampleCursor],
        }),
      ),
      '`next_cursor` of the previous page, with the same filters and the same sort.',
    ),
    sort: WithMeaning(
      Clearable(
        Type.String({ pattern: `^-?(${prefix}\\.)?(${keys.join('|')})${wholeText}`, examples: [`-${keys[0]}`] }),
      ),
      `${keys.map((key) => `\`${key}\``).join(', ')}; put \`-\` before it for descending order.`,
    ),
    total: WithMeaning(
      Clearable(Type.Boolean({ examples: [true] })),
      '`true`: the response also has `total` and `total_is_more`.',
    ),
  };
}

export function sortKeysOf(fields: Record<string, FilterField>): string[] {
  return Object.entries(fields).flatMap(([name, { sortable }]) => (sortable ? [name] : []));
}

export const SearchPage = <Row extends TSchema>(row: Row) =>
  WithMeaning(
    Type.Object({
      rows: Type.Array(row, {
        maxItems: pageSizeMax,
        description: 'the rows of the page; there may be fewer than requested even if more follow',
      }),
      next_cursor: WithMeaning(
        Type.Union([Text(cursorLengthMax, exampleCursor), Type.Null()]),
        'Send it as `cursor` to get the next page; `null` on the last page.',
      ),
      total: WithMeaning(
        Type.Optional(Type.Integer({ minimum: 0, maximum: totalMax, examples: [1] })),
        `Number of matching rows on all pages, up to ${totalMax}; only if requested.`,
      ),
      total_is_more: WithMeaning(
        Type.Optional(Type.Boolean({ examples: [false] })),
        `\`true\`: there are, or may be, more rows than \`total\`, because counting stops at ${totalMax} matching or ${totalExaminedMax} examined rows; only if requested.`,
      ),
    }),
    'A page of the search results.',
  );
export type SearchPage<Row> = { rows: Row[]; next_cursor: string | null; total?: number; total_is_more?: boolean };
export type RowOf<List extends SearchList> = Static<List['row']>;
