import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { CalendarDate, Clearable, FreeText, Instant, Text, Title, WithExample, WithMeaning } from '../values.ts';

export const pageSizeMax = 500;
export const pageSizeDefault = 50;
export const anyOfMax = 100;
export const cursorLengthMax = 4096;

const operatorMeanings = {
  gte: 'At least this.',
  gt: 'More than this.',
  lte: 'At most this.',
  lt: 'Less than this.',
  ne: 'Anything but this.',
  prefix: 'What begins so.',
};
export type Operator = keyof typeof operatorMeanings;

/** By what a list can be searched: what a value must be, and which questions can be asked of it beside "equal to" and "any of". */
export interface FilterField {
  value: TSchema;
  operators: readonly Operator[];
  sortable: boolean;
  meaning: string;
  example: string | number;
}

const range = ['gte', 'gt', 'lte', 'lt', 'ne'] as const;

export const text = (meaning: string, example: string): FilterField => ({
  value: FreeText(255),
  operators: [...range, 'prefix'],
  sortable: true,
  meaning,
  example,
});
/** Found by the whole of it only. */
export const exactText = (meaning: string, example: string | number): FilterField => ({
  value: FreeText(255),
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
export const time = (meaning: string): FilterField => ({
  value: Instant,
  operators: range,
  sortable: true,
  meaning,
  example: '2026-11-15T09:30:00+08:00',
});

/** An empty text is a value to search for; in other filters it means that nothing is asked. */
export const orEmpty = (field: FilterField): FilterField => ({
  ...field,
  value: Type.With(field.value, { normalize: { lineBreaks: 'space', emptyIsValue: true } }),
});

/** Can be searched by, but gives no order. */
export const unsorted = (field: FilterField): FilterField => ({ ...field, sortable: false });

/** A list that can be searched; its filters are `<prefix>.<field>`. */
export interface SearchList<Row extends TObject = TObject> {
  path: string;
  prefix: string;
  permission: string;
  fields: Record<string, FilterField>;
  row: Row;
}

/** What a search may say; `contract/main/reference.ts` shows it, and `server/api/main/search-request.ts` reads it. */
export function SearchBody(list: SearchList) {
  const filters = Object.entries(list.fields).map(([name, field]) => [`${list.prefix}.${name}`, Filter(field)] as const);
  return Type.Object({ ...Object.fromEntries(filters), ...Paging(list) }, { additionalProperties: false });
}

export const prefixText = Title(255);
const prefixShownLength = 4;

function Filter({ value, operators, meaning, example }: FilterField) {
  const asked = operators.map((operator) => {
    const [schema, shown] = operator === 'prefix' ? [prefixText, String(example).slice(0, prefixShownLength)] : [value, example];
    return [operator, WithExample(WithMeaning(Type.Optional(schema), operatorMeanings[operator]), shown)];
  });
  const forms = [
    value,
    Type.Array(value, { minItems: 1, maxItems: anyOfMax, description: 'any of these' }),
    ...(operators.length > 0 ? [Type.Object(Object.fromEntries(asked), { minProperties: 1, additionalProperties: false })] : []),
  ];
  const list = `a list of 1-${anyOfMax} values`;
  const otherwise = operators.length > 0 ? `${list}, or an object of ${operators.map((one) => `\`${one}\``).join(', ')}` : `or ${list}`;
  return WithExample(
    WithMeaning(Type.Optional(Type.Union([...forms, Type.Null()])), `${meaning} A value to equal, ${otherwise}.`),
    example as never,
  );
}

const exampleCursor = 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ';

function Paging({ prefix, fields }: SearchList) {
  const keys = sortKeysOf(fields);
  return {
    page_size: WithMeaning(
      Clearable(Type.Integer({ minimum: 1, maximum: pageSizeMax, default: pageSizeDefault, examples: [100] })),
      `How many rows a page has at most; ${pageSizeDefault} where it is left out.`,
    ),
    cursor: WithMeaning(
      Clearable(Type.String({ minLength: 1, maxLength: cursorLengthMax, examples: [exampleCursor] })),
      '`next_cursor` of the page before, with the same filters and the same sort.',
    ),
    sort: WithMeaning(
      Clearable(Type.String({ pattern: `^-?(${prefix}\\.)?(${keys.join('|')})$`, examples: [`-${keys[0]}`] })),
      `${keys.map((key) => `\`${key}\``).join(', ')}; with \`-\` before it for descending order.`,
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
        description: 'the page; it may have fewer rows than asked for although others follow',
      }),
      next_cursor: WithMeaning(
        Type.Union([Text(cursorLengthMax, exampleCursor), Type.Null()]),
        'Send it as `cursor` for the page that follows; `null` on the last page.',
      ),
    }),
    'A page of what was found.',
  );
export type SearchPage<Row> = { rows: Row[]; next_cursor: string | null };
export type RowOf<List extends SearchList> = Static<List['row']>;
