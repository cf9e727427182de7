import { countRows } from './count-rows.ts';
import { countTabs } from './count-tabs.ts';
import {
  type CursorPosition,
  makePageQuery,
  type Page,
  type PageQuery,
  type Search,
  type SearchTable,
  type Share,
  scannedMax,
} from './keyset-search.ts';
import { compareKeys, keyOf, type OrderKey } from './position-order.ts';
import type { Sql } from './sql.ts';

/**
 * Reads one page of a table, at the same cost at every position. Each account has its own statement. Of several accounts,
 * each first reads a few rows; those that may have more rows on the page are then asked again.
 */
export async function searchPage<Row extends object>(sql: Sql, table: SearchTable, search: Search): Promise<Page<Row>> {
  if (search.tabs) {
    const [page, counts] = await Promise.all([
      readPage<Row>(sql, table, search),
      countTabs(sql, table, search, search.tabs),
    ]);
    return { ...page, counts };
  }
  if (!search.isCounted) return await readPage<Row>(sql, table, search);
  const [page, total] = await Promise.all([readPage<Row>(sql, table, search), countRows(sql, table, search)]);
  return { ...page, total };
}

async function readPage<Row extends object>(sql: Sql, table: SearchTable, search: Search): Promise<Page<Row>> {
  const { accountIds, pageSize } = search;
  const roundsMax = accountIds.length > 1 ? severalAccountsRounds : 1;
  const stretches = new Map<number, Stretch<Row>>();
  let asked = accountIds;
  for (let round = 1; asked.length > 0; round++) {
    const share: Share = {
      rows: round === 1 ? firstRows(pageSize, accountIds.length) : pageSize + 1,
      scanned: roundsMax === 1 ? scannedMax : roundDown(scannedMax / roundsMax / asked.length),
    };
    const read = async (accountId: number) => {
      // A statement that is sent for every account is planned once.
      const send = accountIds.length > 1 ? sql.forAccounts([accountId]).prepared : sql.unsafe;
      const query = makePageQuery(table, search, accountId, share, !sql.isDistributed);
      stretches.set(accountId, await readStretch<Row>(send, query, share));
    };
    await Promise.all(asked.map(read));
    asked = round === roundsMax ? [] : accountsToAskAgain(stretches, pageSize, accountIds.length / 10 ** round);
  }
  return mergeStretches([...stretches.values()], pageSize);
}

/** All rounds together read at most `scannedMax` rows. */
const severalAccountsRounds = 3;

/**
 * Enough for almost all accounts if the rows are spread among them by chance, also if only half of them have any;
 * few are then asked again. Asking all for the whole page would compute the selected columns of many rows that are not
 * shown.
 */
function firstRows(pageSize: number, accounts: number): number {
  const average = (pageSize + 1) / accounts;
  return Math.min(pageSize + 1, Math.ceil(average + 4 * Math.sqrt(average)));
}

/** To a power of two: the limit is part of the text, and there should be few texts to prepare. */
function roundDown(limit: number): number {
  return 2 ** Math.floor(Math.log2(limit));
}

/** The part of an account's rows that a statement has read. */
interface Stretch<Row> {
  fitting: Listed<Row>[];
  /** The last row that was read, if others may follow. */
  end: Listed<Row> | null;
  /** Whether the end is where the statement had examined its share of rows. */
  isScanned: boolean;
}

interface Listed<Row> {
  row: Row;
  position: CursorPosition;
  fits: boolean;
  ends: boolean;
  keys: OrderKey[];
  descending: boolean;
}

async function readStretch<Row extends object>(
  send: Sql['prepared'],
  query: PageQuery,
  { rows }: Share,
): Promise<Stretch<Row>> {
  if (query.text === null) return { fitting: [], end: null, isScanned: false };
  const found = await send<(Row & Bookkeeping)[]>(query.text, query.parameters as string[]);
  const listed = found.map((row) => takeApart<Row>(row, query));
  const last = listed.at(-1);
  const isScanned = last?.ends ?? false;
  return {
    fitting: listed.filter(({ fits }) => fits),
    end: last && (isScanned || listed.length === rows) ? last : null,
    isScanned,
  };
}

/** Removes the columns that only serve the search, which would otherwise appear wherever rows are printed. */
function takeApart<Row extends object>(
  found: Row & Bookkeeping,
  { order, orderName, positionColumns }: PageQuery,
): Listed<Row> {
  const { fits, ends, ...rest } = found;
  const values = rest as Record<string, unknown>;
  const places = positionColumns.map((name) => values[name] as string);
  for (const name of positionColumns) delete values[name];
  return {
    row: rest as unknown as Row,
    position: [orderName, ...places],
    fits,
    ends,
    keys: places.map((place, index) => keyOf(place, order.columns[index]!.type)),
    descending: order.descending,
  };
}

function inOrder(left: Listed<unknown>, right: Listed<unknown>): number {
  return compareKeys(left.keys, right.keys, left.descending);
}

/**
 * Accounts that may have unread rows on the page. Those that have examined many rows without success may be all; only
 * the ones that end first are asked again, with a greater share, because the page cannot go beyond them.
 */
function accountsToAskAgain(
  stretches: Map<number, Stretch<unknown>>,
  pageSize: number,
  scannedAgainMax: number,
): number[] {
  const fitting = [...stretches.values()].flatMap((stretch) => stretch.fitting).sort(inOrder);
  const beyond = fitting[pageSize];
  const open = [...stretches].flatMap(([accountId, { end, isScanned }]) =>
    end === null || (beyond && inOrder(end, beyond) >= 0) ? [] : [{ accountId, end, isScanned }],
  );
  const scanned = open.filter(({ isScanned }) => isScanned).sort((left, right) => inOrder(left.end, right.end));
  return [
    ...open.filter(({ isScanned }) => !isScanned),
    ...scanned.slice(0, Math.max(1, Math.floor(scannedAgainMax))),
  ].map(({ accountId }) => accountId);
}

/** Rows behind the first end are left to the next page: rows of the account that ended there may come before them. */
function mergeStretches<Row>(stretches: Stretch<Row>[], pageSize: number): Page<Row> {
  const [end] = stretches.flatMap((stretch) => stretch.end ?? []).sort(inOrder);
  const known = stretches
    .flatMap((stretch) => stretch.fitting)
    .filter((listed) => end === undefined || inOrder(listed, end) <= 0)
    .sort(inOrder);
  const shown = known.slice(0, pageSize);
  const last = known.length > pageSize ? shown.at(-1) : end;
  return {
    rows: shown.map(({ row }) => row),
    next: last?.position ?? null,
    positions: shown.map(({ position }) => position),
  };
}

interface Bookkeeping {
  fits: boolean;
  /** The last row that the statement may examine. */
  ends: boolean;
}
