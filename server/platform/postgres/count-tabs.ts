import { makePageQuery, type Search, type SearchTable, type Share } from './keyset-search.ts';
import type { ListCounts, RowCount, Tabs } from './list-counts.ts';
import type { Sql } from './sql.ts';

/** Rows are counted up to these numbers. */
export const listedTotalMax = 10_000;
export const tabCountMax = 1000;
/**
 * Where no index leads to exactly the matching rows, this many are examined: for the total, for all tabs together, and for
 * a tab that has its own stretch of an index. A count may then be too low. All tabs together examine fewer rows than the
 * total, so that a table with many rows for each tab takes hardly longer than one with few.
 */
const scannedMax = 3000;
const tabScannedMax = 100;
/**
 * If each examined row is looked up elsewhere, as the orders of a product or the lines of a document, it costs ten times as
 * much as the next row of an index. So few are examined, once for the total and all tabs.
 */
const lookedUpMax = 500;

/** With more accounts, each first counts a share of the rows; those that have more are asked again, up to a number. */
const countedWhollyMax = 8;
const accountsAskedAgainMax = 20;

/** The name of the total among the counts. */
const whole = '';

interface Counted {
  tab: string;
  count: number;
  /** There are more rows, or others that were not examined. */
  isMore: boolean;
}

/**
 * Counts the rows of a list without its page: all that match, and those with each value of the field of the tabs, whatever
 * values of this field the search wants. Reads a limited number of rows, so it takes as long on millions of rows as on
 * thousands. Each account has one statement.
 */
export async function countTabs(
  sql: Sql,
  table: SearchTable,
  search: Pick<Search, 'accountIds' | 'filters'>,
  tabs: Tabs,
): Promise<ListCounts> {
  const { accountIds } = search;
  const counts = new Map<number, Counted[]>();
  const count = async (accountId: number, divisor: number) => {
    const send = accountIds.length > 1 ? sql.forAccounts([accountId]).prepared : sql.unsafe;
    counts.set(
      accountId,
      await countAccount(send, { table, search, tabs, accountId, divisor, hides: !sql.isDistributed }),
    );
  };
  const divisor = accountIds.length > countedWhollyMax ? accountIds.length / countedWhollyMax : 1;
  await Promise.all(accountIds.map((accountId) => count(accountId, divisor)));
  if (divisor > 1) {
    const again = accountsWithMore(counts, tabs).slice(0, accountsAskedAgainMax);
    await Promise.all(again.map((accountId) => count(accountId, 1)));
  }
  const all = [...counts.values()].flat();
  const ofTabs = new Map(tabs.values.map((tab) => [tab, sumOf(all, tab)]));
  return { total: totalOf(all, ofTabs, wantedTabs(search, tabs)), tabs: Object.fromEntries(ofTabs) };
}

/** The tabs whose rows the search wants; null: all rows, or those that meet another condition. */
function wantedTabs({ filters }: Pick<Search, 'filters'>, { field, values }: Tabs): string[] | null {
  const { anyOf, ...others } = filters[field ?? whole] ?? {};
  const isOnlyTabs = Object.keys(others).length === 0 && anyOf?.every((value) => values.includes(String(value)));
  return isOnlyTabs ? [...new Set(anyOf!.map(String))] : null;
}

/** If the total was not counted by itself, it is the sum of the tabs. */
function totalOf(all: Counted[], ofTabs: Map<string, RowCount>, wanted: string[] | null): RowCount {
  if (all.some(({ tab }) => tab === whole)) return sumOf(all, whole);
  const summed = [...ofTabs].filter(([tab]) => wanted === null || wanted.includes(tab)).map(([, count]) => count);
  return {
    count: summed.reduce((sum, { count }) => sum + count, 0),
    isMore: summed.some(({ isMore }) => isMore),
  };
}

/** Accounts with more rows of a count that is not yet beyond its limit. */
function accountsWithMore(counts: Map<number, Counted[]>, { values }: Tabs): number[] {
  const all = [...counts.values()].flat();
  const open = new Set([whole, ...values].filter((tab) => sumOf(all, tab).count < maxOf(tab)));
  return [...counts].filter(([, own]) => own.some(({ tab, isMore }) => isMore && open.has(tab))).map(([id]) => id);
}

function maxOf(tab: string): number {
  return tab === whole ? listedTotalMax : tabCountMax;
}

function sumOf(all: Counted[], tab: string): RowCount {
  const own = all.filter((one) => one.tab === tab);
  const count = own.reduce((sum, one) => sum + one.count, 0);
  return { count: Math.min(count, maxOf(tab)), isMore: count > maxOf(tab) || own.some(({ isMore }) => isMore) };
}

interface AccountCount {
  table: SearchTable;
  search: Pick<Search, 'accountIds' | 'filters'>;
  tabs: Tabs;
  accountId: number;
  /** Limits are divided by this. */
  divisor: number;
  hides: boolean;
}

async function countAccount(send: Sql['unsafe'], counting: AccountCount): Promise<Counted[]> {
  const { search, tabs, divisor } = counting;
  // No row has one of no values.
  if (Object.values(search.filters).some(({ anyOf }) => anyOf?.length === 0)) return [];
  const share = (rows: number, scanned: number): Share => ({
    rows: Math.ceil(rows / divisor) + 1,
    scanned: Math.ceil(scanned / divisor) + 1,
  });
  const parameters: unknown[] = [];
  const each = tabs.values.map((tab) =>
    countOf(counting, { tab, of: tab }, share(tabCountMax, tabScannedMax), parameters),
  );
  const looksUp = looksUpRows(counting);
  // If the search looks rows up by another field, each tab would examine the same rows.
  const isByTab = !looksUp && each.every(({ lookedUpBy }) => lookedUpBy === tabs.field);
  if (!isByTab) parameters.length = 0;
  const scanned = looksUp ? lookedUpMax : scannedMax;
  const ofTabs = isByTab ? each.map(({ text }) => text) : [groupsOf(counting, share(scanned, scanned), parameters)];
  const isSummed = wantedTabs(search, tabs) !== null || looksUp;
  const total = isSummed
    ? null
    : countOf(counting, { tab: whole, of: null }, share(listedTotalMax, scannedMax), parameters).text;
  const text = [total, ...ofTabs].filter((one) => one !== null).join(' union all ');
  if (text === '') return [];
  const found = await send<Counted[]>(text, parameters as string[]);
  return isByTab ? [...found] : withEmptyTabs(found, tabs);
}

/** Whether rows are found in another table, or compared with rows of another one. */
function looksUpRows({ table, search, accountId, tabs }: AccountCount): boolean {
  if (tabs.field === null) return false;
  const { lookedUpBy } = makePageQuery(table, { ...counted, ...search }, accountId);
  const names = Object.keys(search.filters).filter((name) => table.fields[name]?.holds !== undefined);
  return names.length > 0 || (lookedUpBy !== null && table.fields[lookedUpBy]!.part !== undefined);
}

/** If some rows were not examined, a tab without any may have some of them. */
function withEmptyTabs(found: Counted[], { values }: Tabs): Counted[] {
  const groups = found.filter(({ tab }) => tab !== whole);
  const isMore = groups.some((group) => group.isMore);
  const empty = values.filter((value) => !groups.some(({ tab }) => tab === value));
  return [...found, ...empty.map((tab) => ({ tab, count: 0, isMore }))];
}

/** Counts the rows with one value of the tabs, or with all that the search wants. */
function countOf(
  { table, search, tabs, accountId, hides }: AccountCount,
  { tab, of }: { tab: string; of: string | null },
  share: Share,
  parameters: unknown[],
) {
  const filters = of === null ? search.filters : { ...search.filters, [tabs.field!]: { anyOf: [of] } };
  const rowless = { ...table, select: () => 'true as found' };
  const { text, lookedUpBy } = makePageQuery(
    rowless,
    { ...counted, ...search, filters },
    accountId,
    share,
    hides,
    parameters,
  );
  return {
    text:
      text &&
      `select '${tab}' as tab, count(*) filter (where fits)::integer as count,
      count(*) >= ${share.rows} or coalesce(bool_or(ends), false) as "isMore" from (${text}) counted`,
    lookedUpBy,
  };
}

/** Counts the newest rows of all tabs together, by tab. */
function groupsOf(
  { table, search, tabs, accountId, hides }: AccountCount,
  share: Share,
  parameters: unknown[],
): string | null {
  const { [tabs.field!]: _wanted, ...filters } = search.filters;
  const withTab = { ...table, select: () => `listed.${tabs.field}::text as tab` };
  const { text } = makePageQuery(withTab, { ...counted, ...search, filters }, accountId, share, hides, parameters);
  return (
    text &&
    `select tab, count(*) filter (where fits)::integer as count,
      sum(count(*)) over () >= ${share.rows} or bool_or(bool_or(ends)) over () as "isMore" from (${text}) counted group by tab`
  );
}

const counted = { sort: null, pageSize: listedTotalMax, after: null };
