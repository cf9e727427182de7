import type { Sql } from './database.ts';

export type ColumnType = 'text' | 'smallint' | 'integer' | 'bigint' | 'date' | 'timestamptz' | 'uuid';

/** Puts a value into the statement, as `$1::text`. */
export type Bind = (value: unknown, type: ColumnType | `${ColumnType}[]`) => string;

interface Column {
  name: string;
  type: ColumnType;
}

/** By what a table can be searched. */
export interface SearchField {
  /** A column, or what is computed of columns. */
  column: string | ((bind: Bind) => string);
  type: ColumnType;
  /** The index that leads to a value, and in whose order the rows can come: account_id, this column, then those of the table's own order. */
  index: string;
  /** Few rows have the same value: they are looked up before anything else, and sorted afterwards. */
  rare?: true;
  /** No two rows of an account have the same value, so that nothing else decides on their order. */
  unique?: true;
  /** All values there are. */
  values?: readonly string[];
  /** What holds for the rows that have this field at all; its index may hold only those. */
  only?: string;
  /**
   * Where the index is on another column: what holds there for every row that fits; null where nothing can be told. `either`: the rows are in
   * several indexes, each with its own part of them.
   */
  lead?: Column & { conditionFor(condition: Condition): Condition | null; either?: string[] };
}

export interface SearchTable {
  /** Has the column account_id. */
  table: string;
  /** What holds for all rows that are there for whoever searches. */
  where?: string;
  /** What is read of each row, of the table under the name `listed`. */
  select(bind: Bind): string;
  /** The order without any other wish; the last column is unique. Other orders fall back on it among equals. */
  order: Order;
  /** Those with fewer rows per value first: by the first one asked for, rows are looked up. */
  fields: Record<string, SearchField>;
}

interface Order {
  columns: Column[];
  descending: boolean;
}

export type Value = string | number;

/** All that is given must hold. */
export interface Condition {
  anyOf?: Value[];
  ne?: Value;
  gte?: Value;
  gt?: Value;
  lte?: Value;
  lt?: Value;
  prefix?: string;
}

export interface Search {
  /** Whose rows: one account as a rule, several for those who run the service. */
  accountIds: number[];
  filters: Record<string, Condition>;
  sort: { field: string; descending: boolean } | null;
  pageSize: number;
  /** Behind this place the page begins. */
  after: Place | null;
}

/** Where a row stands: the name of the order, then the row's values in its columns, as text. */
export type Place = string[];

/** The place is in another order than this search has now: a rule that it depends on has changed meanwhile. */
export class OutdatedPlace extends Error {
  constructor() {
    super('the place is in another order');
    this.name = 'OutdatedPlace';
  }
}

export interface Page<Row> {
  rows: Row[];
  /** Behind it the next page begins; null where there is none. */
  next: Place | null;
  /** Where each row stands. */
  places: Place[];
}

/** As many rows as weigh no more than that together, but one at least; the next page goes on behind them. */
export function cutPage<Row>(page: Page<Row>, weightOf: (row: Row) => number, weightMax: number): Page<Row> {
  let weight = 0;
  const tooHeavy = page.rows.findIndex((row, index) => {
    weight += weightOf(row);
    return index > 0 && weight > weightMax;
  });
  if (tooHeavy === -1) return page;
  const rows = page.rows.slice(0, tooHeavy);
  return { ...page, rows, next: page.places[tooHeavy - 1]! };
}

/** Whatever is asked, a page reads no more rows than this; it may then hold fewer than were asked for, and the next one goes on. */
export const scannedMax = 10_000;

/** One page of a table, at the same cost wherever it is. */
export async function searchPage<Row extends object>(sql: Sql, table: SearchTable, search: Search): Promise<Page<Row>> {
  const { text, parameters, orderName, placeColumns } = makePageQuery(table, search);
  const found = text === null ? [] : await sql.unsafe<(Row & Bookkeeping)[]>(text, parameters as string[]);
  const listed = found.map((row) => takeApart<Row>(row, orderName, placeColumns));
  const fitting = listed.filter(({ fits }) => fits);
  const shown = fitting.slice(0, search.pageSize);
  const last = fitting.length > search.pageSize ? shown.at(-1) : listed.find(({ ends }) => ends);
  return { rows: shown.map(({ row }) => row), next: last?.place ?? null, places: shown.map(({ place }) => place) };
}

/** The columns that only serve the search are no part of a row: whatever prints rows would print them too. */
function takeApart<Row extends object>(found: Row & Bookkeeping, orderName: string, placeColumns: string[]) {
  const { fits, ends, ...rest } = found;
  const values = rest as Record<string, unknown>;
  const place = [orderName, ...placeColumns.map((name) => values[name] as string)];
  for (const name of placeColumns) delete values[name];
  return { row: rest as unknown as Row, place, fits, ends };
}

interface Bookkeeping {
  fits: boolean;
  /** The last row that this page may look at. */
  ends: boolean;
}

interface PageQuery {
  /** null: nothing can fit. */
  text: string | null;
  parameters: unknown[];
  orderName: string;
  placeColumns: string[];
}

/** The statement for a page; its own function so that its plan can be looked at. */
export function makePageQuery(table: SearchTable, search: Search): PageQuery {
  const parameters: unknown[] = [];
  const bind = makeBind(parameters);

  // In the order of the table, those with fewer rows per value first.
  const filters = Object.keys(table.fields)
    .filter((name) => search.filters[name] !== undefined)
    .map((name) => filterOf(table, name, search.filters[name]!));
  const wished = search.sort ? orderBy(table, table.fields[search.sort.field]!, search.sort.descending) : impliedOrder(table, filters);
  const order = search.accountIds.length > 1 ? acrossAccounts(wished) : wished;
  const orderName = nameOf(order);
  if (search.after && search.after[0] !== orderName) throw new OutdatedPlace();
  const driver = driverOf(filters, table, order);
  if (driver?.lead.condition.anyOf?.length === 0 || search.accountIds.length === 0) {
    return { text: null, parameters, orderName, placeColumns: [] };
  }

  const ordered = filters.find((filter) => filter !== driver && filter.lead.name === order.columns[0]!.name);
  const stretch = [
    ...(table.where ? [table.where] : []),
    ...[driver, ordered].flatMap((filter) => filter?.field.only ?? []),
    ...(ordered ? rangeConditions(ordered.lead.name, ordered.lead.type, ordered.lead.condition, bind) : []),
    ...(search.after ? [behind(order, search.after, bind)] : []),
  ];
  const branches = branchesOf(table, search.accountIds, driver, stretch, bind);
  const fits = filters.filter((filter) => !isCovered(filter, driver, ordered)).flatMap((filter) => conditionsOf(filter, bind));

  // Named with their table: what is selected may have the same names, and other values.
  const by = (from: string) => order.columns.map(({ name }) => `${from}.${name}${order.descending ? ' desc' : ''}`).join(', ');
  const places = order.columns.map(({ name }, index) => `listed.${name}::text as place_${index}`).join(', ');
  const placeColumns = order.columns.map((_, index) => `place_${index}`);
  const rowsMax = fits.length === 0 ? search.pageSize + 1 : scannedMax;
  // Each branch is in order and of limited length, so that PostgreSQL only merges them.
  const found =
    branches.length === 1
      ? branches[0]!
      : branches.map((branch) => `(${branch} order by ${by(table.table)} limit ${rowsMax})`).join(' union all ');
  const text =
    fits.length === 0
      ? `select ${table.select(bind)}, ${places}, true as fits, false as ends
         from (${found}) as listed order by ${by('listed')} limit ${search.pageSize + 1}`
      : `select ${table.select(bind)}, ${places}, (${fits.join(' and ')}) as fits, scanned = ${scannedMax} as ends
         from (select *, row_number() over (order by ${by('found')}) as scanned
               from (${found}) as found order by ${by('found')} limit ${scannedMax}) as listed
         where (${fits.join(' and ')}) or scanned = ${scannedMax} order by ${by('listed')} limit ${search.pageSize + 1}`;
  return { text, parameters, orderName, placeColumns };
}

/** Instants travel as text: the driver would make dates of them, which have no microseconds. */
function makeBind(parameters: unknown[]): Bind {
  return (value, type) => {
    const name = `$${parameters.push(value)}`;
    if (!type.startsWith('timestamptz')) return `${name}::${type}`;
    return `${name}::${type.replace('timestamptz', 'text')}::${type}`;
  };
}

interface Filter {
  field: SearchField;
  condition: Condition;
  /** The column of the index, and what holds there for every row that fits. */
  lead: Column & { condition: Condition };
}

function filterOf({ fields }: SearchTable, name: string, given: Condition): Filter {
  const field = fields[name]!;
  const condition = withoutNe(field, given);
  const lead = { ...leadOf(field), condition: field.lead ? (field.lead.conditionFor(condition) ?? {}) : condition };
  return { field, condition, lead };
}

/** Of a few known values, all but one is a list of the others. */
function withoutNe({ values }: SearchField, condition: Condition): Condition {
  if (condition.ne === undefined || values === undefined) return condition;
  const { ne, ...rest } = condition;
  return { ...rest, anyOf: values.filter((value) => value !== ne) };
}

function leadOf({ lead, column, type }: SearchField): Column {
  return lead ? { name: lead.name, type: lead.type } : { name: column as string, type };
}

/**
 * Rows that are asked for by a range come in its order: only so is a page of them one stretch of an index. But where values are asked for of
 * a field with fewer rows, those are looked up.
 */
function impliedOrder(table: SearchTable, filters: Filter[]): Order {
  const deciding = filters.find(({ lead }) => isRange(lead.condition) || lead.condition.anyOf !== undefined);
  const ranged = deciding && isRange(deciding.lead.condition) ? deciding : null;
  return ranged && ranged.lead.name !== table.order.columns[0]!.name ? orderBy(table, ranged.field, false) : table.order;
}

function isRange({ gte, gt, lte, lt, prefix }: Condition): boolean {
  return [gte, gt, lte, lt, prefix].some((bound) => bound !== undefined);
}

function orderBy({ order }: SearchTable, field: SearchField, descending: boolean): Order {
  const first = leadOf(field);
  return { columns: field.unique ? [first] : [first, ...order.columns.filter(({ name }) => name !== first.name)], descending };
}

/** What is unique in an account, such as a sku, may be there in several; a row's number is unique by itself. */
function acrossAccounts({ columns, descending }: Order): Order {
  return columns.at(-1)!.type === 'bigint'
    ? { columns, descending }
    : { columns: [...columns, { name: 'account_id', type: 'bigint' }], descending };
}

function nameOf({ columns, descending }: Order): string {
  return `${descending ? '-' : ''}${columns.map(({ name }) => name).join()}`;
}

/** The filter by whose values the rows are looked up. */
function driverOf(filters: Filter[], table: SearchTable, order: Order): Filter | null {
  const exact = filters.filter(({ lead }) => lead.condition.anyOf !== undefined);
  const rare = exact.find(({ field }) => field.rare);
  if (rare) return rare;
  // An index is in the order of its own column, and among equals in the order that is there without any other wish.
  const first = order.columns[0]!.name;
  return exact.find(({ lead }) => first === table.order.columns[0]!.name || first === lead.name) ?? null;
}

/** A branch for each account and each value: each is in order by itself. */
function branchesOf({ table }: SearchTable, accountIds: number[], driver: Filter | null, stretch: string[], bind: Bind): string[] {
  const wanted = valueConditions(driver, bind);
  const accounts = accountIds.map((accountId) => `account_id = ${bindUnseen(accountId, 'bigint', bind)}`);
  return accounts.flatMap((account) =>
    wanted.map((values) => `select * from ${table} where ${[...values, account, ...stretch].join(' and ')}`),
  );
}

/** What the rows of each branch are looked up by. */
function valueConditions(driver: Filter | null, bind: Bind): string[][] {
  if (driver === null) return [[]];
  const { name, type, condition } = driver.lead;
  const values = [...new Set(condition.anyOf)];
  if (driver.field.rare && (values.length > 1 || driver.field.lead)) {
    const known = `${name} = any(${bind(values, `${type}[]`)})`;
    return driver.field.lead?.either?.map((part) => [known, part]) ?? [[known]];
  }
  return values.map((value) => [`${name} = ${bindUnseen(value, type, bind)}`]);
}

/**
 * Where the planner knows that most rows have this value, it would walk another index and filter, which is slow where those rows are not. It
 * does not look into a subquery, and so takes the index that leads to the value.
 */
function bindUnseen(value: unknown, type: ColumnType, bind: Bind): string {
  return `(select ${bind(value, type)})`;
}

/** Whether the branches hold nothing else than what fits this filter. */
function isCovered({ field, condition, ...filter }: Filter, driver: Filter | null, ordered: Filter | undefined): boolean {
  if (field.lead !== undefined) return false;
  if (filter.lead === driver?.lead) return Object.keys(condition).length === 1;
  return filter.lead === ordered?.lead && condition.ne === undefined && condition.anyOf === undefined;
}

function conditionsOf({ field, condition }: Filter, bind: Bind): string[] {
  const { anyOf, ne } = condition;
  const column = typeof field.column === 'string' ? field.column : `(${field.column(bind)})`;
  return [
    ...(field.only ? [field.only] : []),
    ...(anyOf === undefined ? [] : [`${column} = any(${bind(anyOf, `${field.type}[]`)})`]),
    ...(ne === undefined ? [] : [`${column} <> ${bind(ne, field.type)}`]),
    ...rangeConditions(column, field.type, condition, bind),
  ];
}

function rangeConditions(column: string, type: ColumnType, { gte, gt, lte, lt, prefix }: Condition, bind: Bind): string[] {
  const beyond = prefix === undefined ? null : firstBeyond(prefix);
  return [
    ...(gte === undefined ? [] : [`${column} >= ${bind(gte, type)}`]),
    ...(gt === undefined ? [] : [`${column} > ${bind(gt, type)}`]),
    ...(lte === undefined ? [] : [`${column} <= ${bind(lte, type)}`]),
    ...(lt === undefined ? [] : [`${column} < ${bind(lt, type)}`]),
    ...(prefix === undefined ? [] : [`${column} >= ${bind(prefix, 'text')}`]),
    ...(beyond === null ? [] : [`${column} < ${bind(beyond, 'text')}`]),
  ];
}

const lastCodePoint = 0x10ffff;

/** The smallest text greater than all that begin so, compared byte by byte; null where there is none. */
export function firstBeyond(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0)!);
  while (points.at(-1) === lastCodePoint) points.pop();
  const last = points.pop();
  if (last === undefined) return null;
  // Between them lie the surrogates, which are no characters.
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
}

function behind({ columns, descending }: Order, [, ...place]: Place, bind: Bind): string {
  const names = columns.map(({ name }) => name).join(', ');
  const values = columns.map(({ type }, index) => bind(place[index], type)).join(', ');
  return `(${names}) ${descending ? '<' : '>'} (${values})`;
}
