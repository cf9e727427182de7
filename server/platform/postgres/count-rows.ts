import { makePageQuery, type PageQuery, type Search, type SearchTable } from './keyset-search.ts';
import type { RowCount } from './list-counts.ts';
import type { Sql } from './sql.ts';

/** Rows are counted up to this number. */
export const countedMax = 10_000;
/**
 * Where no index leads to exactly the matching rows, others are examined too. Counting stops after this many, because
 * one search must not read a table of millions.
 */
export const countScannedMax = 200_000;

/** Counts the rows that a search finds on all of its pages together. */
export async function countRows(
  sql: Sql,
  table: SearchTable,
  search: Pick<Search, 'accountIds' | 'filters'>,
): Promise<RowCount> {
  const counts = await Promise.all(
    search.accountIds.map(async (accountId) => {
      const { text, parameters } = makeCountQuery(table, search, accountId, !sql.isDistributed);
      if (text === null) return { count: 0, isCut: false };
      const [row] = await sql.unsafe<{ count: number; isCut: boolean }[]>(text, parameters as string[]);
      return row!;
    }),
  );
  const count = counts.reduce((sum, one) => sum + one.count, 0);
  return {
    count: Math.min(count, countedMax),
    isMore: count > countedMax || counts.some(({ isCut }) => isCut),
  };
}

/** The statement of a very long first page, of which only the number of rows is returned. */
export function makeCountQuery(
  table: SearchTable,
  { accountIds, filters }: Pick<Search, 'accountIds' | 'filters'>,
  accountId: number,
  hides = true,
): Pick<PageQuery, 'text' | 'parameters'> {
  const rowless = { ...table, select: () => 'true as found' };
  const search = { accountIds, filters, sort: null, pageSize: countedMax, after: null };
  const share = { rows: countedMax + 1, scanned: countScannedMax + 1 };
  const { text, parameters } = makePageQuery(rowless, search, accountId, share, hides);
  return {
    text:
      text &&
      `select count(*) filter (where fits)::integer as count, coalesce(bool_or(ends), false) as "isCut" from (${text}) counted`,
    parameters,
  };
}
