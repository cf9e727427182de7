import type { Bind, Binds, Value } from './bind-values.ts';
import type { ListCounts, RowCount, Tabs } from './list-counts.ts';
import { belongsToPart, foundByPart, type PartTable } from './part-search.ts';
import type { ColumnType } from './position-order.ts';
import { isRange, rangeConditions, scatteredConditions } from './range-conditions.ts';

interface Column {
  name: string;
  type: ColumnType;
}

/** A field by which a table can be searched. */
export interface SearchField {
  /** A column, or an expression of columns; rules for it may differ between accounts. */
  column: string | ((bind: Bind, accountId: number) => string);
  type: ColumnType;
  /**
   * The index for look-ups and for sorting: account_id, this column, then the columns of the table's default order.
   * Without one, rows that are read in another order are compared with the values, and nothing is sorted by this field.
   */
  index?: string;
  /** Few rows have the same value: they are looked up before anything else and sorted afterwards. */
  rare?: true;
  /** No two rows of an account have the same value, so the order needs no further columns. */
  unique?: true;
  /** All possible values. */
  values?: readonly string[];
  /** A condition that holds for all rows that have this field; its index may contain only those. */
  only?: string;
  /**
   * If the index is on another column: the condition there that every matching row meets; null if there is none.
   * `either`: the rows are divided among several indexes by these conditions.
   */
  lead?: Column & { conditionFor(condition: Condition): Condition | null; either?: string[] };
  /** A second column or expression: a row matches if either of the two has one of the values. */
  also?: string;
  /** The values are in another table, which has any number of rows for each row of this one. */
  part?: PartTable;
  /** A condition on other tables that holds for rows with one of the values, instead of a comparison with the column. */
  holds?(values: string): string;
}

export interface SearchTable {
  /** Must have the column account_id. */
  table: string;
  /** A condition that all visible rows meet. */
  where?: string;
  /** The selected columns; the table has the alias `listed`. */
  select(bind: Bind, accountId: number): string;
  /** The default order; its last column is unique. Other orders use it to break ties. */
  order: Order;
  /** Fields with fewer rows per value come first: rows are looked up by the first field of the search. */
  fields: Record<string, SearchField>;
}

interface Order {
  columns: Column[];
  descending: boolean;
}

/** All given conditions must hold. */
export interface Condition {
  anyOf?: Value[];
  ne?: Value;
  gte?: Value;
  gt?: Value;
  lte?: Value;
  lt?: Value;
  prefix?: string;
  /** In one of these ranges, both ends included. */
  within?: [Value, Value][];
  /** Not in this range, both ends included. */
  outside?: [Value, Value];
}

export interface Search {
  /** Usually one account; several for operators. */
  accountIds: number[];
  filters: Record<string, Condition>;
  sort: { field: string; descending: boolean } | null;
  pageSize: number;
  /** The page begins after this position. */
  after: CursorPosition | null;
  /** Counts the matching rows of all pages. */
  isCounted?: boolean;
  /** Counts the rows for the tabs of a page. */
  tabs?: Tabs;
}

/** The position of a row: the name of the order, then the row's values in its columns, as text. */
export type CursorPosition = string[];

/**
 * The position belongs to another order than the one this search has now, because a rule that it depends on has
 * changed.
 */
export class OutdatedCursor extends Error {
  constructor() {
    super('the position is in another order');
    this.name = 'OutdatedCursor';
  }
}

export interface Page<Row> {
  rows: Row[];
  /** The next page begins after this position; null: there is none. */
  next: CursorPosition | null;
  /** The position of each row. */
  positions: CursorPosition[];
  /** Only if the search is counted. */
  total?: RowCount;
  /** Only if the search has tabs. */
  counts?: ListCounts;
}

/** Keeps as many rows as fit into the weight together, but at least one; the next page continues after them. */
export function cutPage<Row>(page: Page<Row>, weightOf: (row: Row) => number, weightMax: number): Page<Row> {
  let weight = 0;
  const tooHeavy = page.rows.findIndex((row, index) => {
    weight += weightOf(row);
    return index > 0 && weight > weightMax;
  });
  if (tooHeavy === -1) return page;
  const rows = page.rows.slice(0, tooHeavy);
  return { ...page, rows, next: page.positions[tooHeavy - 1]! };
}

/**
 * A page never reads more rows than this. It may then contain fewer rows than requested, and the next page continues.
 */
export const scannedMax = 10_000;

/** How much a statement may read. */
export interface Share {
  /** Rows that fit the search. */
  rows: number;
  /** Rows that are examined, if not all of them fit. */
  scanned: number;
}

/** The statement for the rows of one account. Beside the selected columns, its rows have `fits` and `ends` (search-page.ts). */
export interface PageQuery {
  /** null: no row can match. */
  text: string | null;
  parameters: unknown[];
  order: Order;
  orderName: string;
  positionColumns: string[];
  /** The field by whose values the rows are looked up; null: they are a range of the order's index. */
  lookedUpBy: string | null;
}

/**
 * Builds the statement for the rows of one account; a separate function so that tests can check its plan. The planner
 * does not see the values by which rows are looked up if it `hides` them. Statements that become parts of one have the
 * same list of parameters.
 */
export function makePageQuery(
  table: SearchTable,
  search: Search,
  accountId: number,
  share: Share = { rows: search.pageSize + 1, scanned: scannedMax },
  hides = true,
  parameters: unknown[] = [],
): PageQuery {
  const bind = makeBind(parameters);

  // In the order of the table: fields with fewer rows per value first.
  const filters = Object.keys(table.fields)
    .filter((name) => search.filters[name] !== undefined)
    .map((name) => filterOf(table, name, search.filters[name]!));
  const wished = search.sort
    ? orderBy(table, table.fields[search.sort.field]!, search.sort.descending)
    : impliedOrder(table, filters);
  const order = search.accountIds.length > 1 ? acrossAccounts(wished) : wished;
  const orderName = nameOf(order);
  if (search.after && search.after[0] !== orderName) throw new OutdatedCursor();
  const driver = driverOf(filters, table, order);
  const named = { parameters, order, orderName, lookedUpBy: driver?.name ?? null };
  if (driver?.lead.condition.anyOf?.length === 0) return { ...named, text: null, positionColumns: [] };

  const ordered = filters.find((filter) => filter !== driver && filter.lead.name === order.columns[0]!.name);
  const stretch = [
    ...(table.where ? [table.where] : []),
    ...[driver, ordered].flatMap((filter) => filter?.field.only ?? []),
    ...(ordered ? rangeConditions(ordered.lead.name, ordered.lead.type, ordered.lead.condition, bind) : []),
    ...(search.after ? [behind(order, search.after, bind)] : []),
  ];
  const routable = (text: string) => (hides ? text : withAccount(text, accountId, bind));
  const fits = filters
    .filter((filter) => !isCovered(filter, driver, ordered))
    .flatMap((filter) => conditionsOf(filter, bind, accountId).map(routable));
  const selected = routable(table.select(bind, accountId));

  // Qualified with the table, because selected columns may have the same names and other values.
  const part = driver?.field.part;
  const by = (from: string) =>
    order.columns
      .map(({ name }) => `${from}.${name === part?.id ? 'found_id' : name}${order.descending ? ' desc' : ''}`)
      .join(', ');
  const positions = order.columns.map(({ name }, index) => `listed.${name}::text as place_${index}`).join(', ');
  const positionColumns = order.columns.map((_, index) => `place_${index}`);
  const rowsMax = fits.length === 0 ? share.rows : share.scanned;
  const binds = { bind, unseen: hides ? hidden(bind) : bind };
  const found = part
    ? foundByPart(table.table, part, { accountId, values: driver.condition.anyOf!, stretch, rowsMax }, binds)
    : merged(branchesOf(table, accountId, driver, stretch, binds), by(table.table), rowsMax);
  const text =
    fits.length === 0
      ? `select ${selected}, ${positions}, true as fits, false as ends
         from (${found}) as listed order by ${by('listed')} limit ${share.rows}`
      : `select ${selected}, ${positions}, (${fits.join(' and ')}) as fits, scanned = ${share.scanned} as ends
         from (select *, row_number() over (order by ${by('found')}) as scanned
               from (${found}) as found order by ${by('found')} limit ${share.scanned}) as listed
         where (${fits.join(' and ')}) or scanned = ${share.scanned} order by ${by('listed')} limit ${share.rows}`;
  return { ...named, text, positionColumns };
}

/** Each branch is sorted and limited, so PostgreSQL only merges them. */
function merged(branches: string[], order: string, rowsMax: number): string {
  return branches.length === 1
    ? branches[0]!
    : branches.map((branch) => `(${branch} order by ${order} limit ${rowsMax})`).join(' union all ');
}

/** Citus recognizes the account of a row in a subquery only if it is a value. */
function withAccount(text: string, accountId: number, bind: Bind): string {
  return text.replaceAll('listed.account_id', () => bind(accountId, 'bigint'));
}

function hidden(bind: Bind): Bind {
  return (value, type) => `(select ${bind(value, type)})`;
}

function makeBind(parameters: unknown[]): Bind {
  return (value, type) => `$${parameters.push(value)}::${type}`;
}

interface Filter {
  name: string;
  field: SearchField;
  condition: Condition;
  /** The column of the index, and the condition there that every matching row meets. */
  lead: Column & { condition: Condition };
}

function filterOf({ fields }: SearchTable, name: string, given: Condition): Filter {
  const field = fields[name]!;
  const condition = withoutNe(field, given);
  const lead = { ...leadOf(field), condition: field.lead ? (field.lead.conditionFor(condition) ?? {}) : condition };
  return { name, field, condition, lead };
}

/** With a few known values, "all but one" is the list of the others. */
function withoutNe({ values }: SearchField, condition: Condition): Condition {
  if (condition.ne === undefined || values === undefined) return condition;
  const { ne, ...rest } = condition;
  return { ...rest, anyOf: values.filter((value) => value !== ne) };
}

function leadOf({ lead, column, type }: SearchField): Column {
  return lead ? { name: lead.name, type: lead.type } : { name: column as string, type };
}

/**
 * Rows that are filtered by a range are returned in its order, because only then is a page one range of an index. If a
 * field with fewer rows per value is filtered by values, rows are looked up by that field instead.
 */
function impliedOrder(table: SearchTable, filters: Filter[]): Order {
  const deciding = filters.find(
    ({ field, lead }) => field.index !== undefined && (isRange(lead.condition) || lead.condition.anyOf !== undefined),
  );
  if (deciding?.field.part) return { columns: [{ name: deciding.field.part.id, type: 'bigint' }], descending: true };
  const ranged = deciding && isRange(deciding.lead.condition) ? deciding : null;
  return ranged && ranged.lead.name !== table.order.columns[0]!.name
    ? orderBy(table, ranged.field, false)
    : table.order;
}

function orderBy({ order }: SearchTable, field: SearchField, descending: boolean): Order {
  const first = leadOf(field);
  return {
    columns: field.unique ? [first] : [first, ...order.columns.filter(({ name }) => name !== first.name)],
    descending,
  };
}

/**
 * A value that is unique within an account, such as a sku, may occur in several accounts; a row id is unique by itself.
 */
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
  const exact = filters.filter(({ field, lead }) => field.index !== undefined && lead.condition.anyOf !== undefined);
  const rare = exact.find(({ field }) => field.rare);
  if (rare) return rare;
  // An index is in the order of its own column, and within equal values in the table's default order.
  const first = order.columns[0]!.name;
  return (
    exact.find(({ lead, field: { part } }) =>
      part ? first === part.id : first === table.order.columns[0]!.name || first === lead.name,
    ) ?? null
  );
}

/** One branch per value; each is sorted by itself. */
function branchesOf(
  { table }: SearchTable,
  accountId: number,
  driver: Filter | null,
  stretch: string[],
  binds: Binds,
): string[] {
  const wanted = valueConditions(driver, binds);
  const account = `account_id = ${binds.unseen(accountId, 'bigint')}`;
  return wanted.map((values) => `select * from ${table} where ${[...values, account, ...stretch].join(' and ')}`);
}

/** The look-up conditions of each branch. */
function valueConditions(driver: Filter | null, { bind, unseen }: Binds): string[][] {
  if (driver === null) return [[]];
  const { name, type, condition } = driver.lead;
  const values = [...new Set(condition.anyOf)];
  if (driver.field.rare && (values.length > 1 || driver.field.lead)) {
    const known = `${name} = any(${bind(values, `${type}[]`)})`;
    return driver.field.lead?.either?.map((part) => [known, part]) ?? [[known]];
  }
  return values.map((value) => [`${name} = ${unseen(value, type)}`]);
}

/** Whether the branches contain only rows that match this filter. */
function isCovered(
  { field, condition, ...filter }: Filter,
  driver: Filter | null,
  ordered: Filter | undefined,
): boolean {
  if (field.lead !== undefined || field.part?.isWhole === false) return false;
  if (filter.lead === driver?.lead) return Object.keys(condition).length === 1;
  const { ne, anyOf, within, outside } = condition;
  return filter.lead === ordered?.lead && [ne, anyOf, within, outside].every((one) => one === undefined);
}

function conditionsOf({ field, condition }: Filter, bind: Bind, accountId: number): string[] {
  const { anyOf, ne } = condition;
  if (field.holds) return anyOf === undefined ? [] : [field.holds(bind(anyOf, `${field.type}[]`))];
  if (field.part?.isWhole) return anyOf === undefined ? [] : [belongsToPart(field.part, anyOf, bind)];
  const column = typeof field.column === 'string' ? field.column : `(${field.column(bind, accountId)})`;
  return [
    ...(field.only ? [field.only] : []),
    ...(anyOf === undefined ? [] : [equalsAny([column, field.also], bind(anyOf, `${field.type}[]`))]),
    ...(ne === undefined ? [] : [`${column} <> ${bind(ne, field.type)}`]),
    ...rangeConditions(column, field.type, condition, bind),
    ...scatteredConditions(column, field.type, condition, bind),
  ];
}

function equalsAny(columns: (string | undefined)[], values: string): string {
  const equal = columns.filter((column) => column !== undefined).map((column) => `${column} = any(${values})`);
  return equal.length === 1 ? equal[0]! : `(${equal.join(' or ')})`;
}

function behind({ columns, descending }: Order, [, ...position]: CursorPosition, bind: Bind): string {
  const names = columns.map(({ name }) => name).join(', ');
  const values = columns.map(({ type }, index) => bind(position[index], type)).join(', ');
  return `(${names}) ${descending ? '<' : '>'} (${values})`;
}
