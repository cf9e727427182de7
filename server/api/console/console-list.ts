import { accountsMax, type ListPage, pageSizeDefault } from '../../../contract/console/console-values.ts';
import type { Message } from '../../../messages/message.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import type { AccountDirectory } from '../../domain/partners/account-directory.ts';
import type { Cursors } from '../../http/cursor.ts';
import { ProblemError } from '../../http/problem.ts';
import type { Reader } from '../../platform/postgres/database.ts';
import { type Condition, OutdatedCursor, type Page, type Search } from '../../platform/postgres/keyset-search.ts';
import type { ListCounts, Tabs } from '../../platform/postgres/list-counts.ts';
import type { Sql } from '../../platform/postgres/sql.ts';

export interface ListParts {
  directory: AccountDirectory;
  cursors: Cursors;
}

/** The fields that all list requests share: see `listFields` of the contract. */
interface ListRequest {
  accounts?: string[];
  page_size?: number;
  cursor?: string;
  counted?: boolean;
}

interface ListQuestion {
  /** The list's own name: a cursor is good for one list only. */
  list: string;
  filters: Search['filters'];
  sort?: Search['sort'];
  /** What a counted request counts; without it, only the total. */
  tabs?: Tabs;
}

/** One page of a list over several accounts. */
export async function listPage<Found, Row>(
  { directory, cursors }: ListParts,
  { reads }: { reads: Reader },
  { accounts, page_size = pageSizeDefault, cursor, counted = false }: ListRequest,
  { list, filters, sort = null, tabs = onlyTotal }: ListQuestion,
  find: (sql: Sql, search: Search) => Promise<Page<Found>>,
  word: (found: Found, accountNoOf: AccountNoOf) => Row,
): Promise<ListPage<Row>> {
  const accountIds = await accountIdsOf(directory, accounts);
  const scope = { list: `console/${list}`, accountIds, search: { filters, sort } };
  const after = cursor === undefined ? null : cursors.read(scope, cursor);
  if (cursor !== undefined && after === null) throw wrongCursor();
  const search = { accountIds, filters, sort, pageSize: page_size, after, ...(counted && { tabs }) };
  const page = await reads
    .read(accountIds, (sql) => find(sql, search))
    .catch((error: unknown) => {
      throw error instanceof OutdatedCursor ? wrongCursor() : error;
    });
  const accountNoOf = accountNosOf(directory);
  return {
    rows: page.rows.map((found) => word(found, accountNoOf)),
    next_cursor: page.next === null ? null : cursors.write(scope, page.next),
    ...(page.counts && { counts: toCounts(page.counts) }),
  };
}

const onlyTotal: Tabs = { field: null, values: [] };

function toCounts({ total, tabs }: ListCounts) {
  const toCount = ({ count, isMore }: ListCounts['total']) => ({ count, is_more: isMore });
  return {
    total: toCount(total),
    tabs: Object.fromEntries(Object.entries(tabs).map(([tab, count]) => [tab, toCount(count)])),
  };
}

/** A sort of a list, the other way round if the request wants that. */
export function sortBy({ field, descending }: NonNullable<Search['sort']>, reversed = false): Search['sort'] {
  return { field, descending: descending !== reversed };
}

function wrongCursor(): ProblemError {
  return mistakeAt('cursor', rejection('cursor_of_other_list'));
}

export function mistakeAt(field: string, message: Message): ProblemError {
  return new ProblemError({ kind: 'invalid', mistakes: [{ path: [field], message }] });
}

/** The instants between two days in Taipei, both days included. */
export function wholeDays(from: string | undefined, to: string | undefined): Condition | undefined {
  if (from === undefined && to === undefined) return undefined;
  return {
    ...(from === undefined ? {} : { gte: `${from}T00:00:00+08:00` }),
    ...(to === undefined ? {} : { lte: `${to}T23:59:59.999999+08:00` }),
  };
}

/** The accounts that are named, or all. */
export async function accountIdsOf(directory: AccountDirectory, accountNos: string[] | undefined): Promise<number[]> {
  const known = await directory.allNow();
  if (accountNos === undefined) {
    if (known.size > accountsMax)
      throw mistakeAt('accounts', rejection('too_many_accounts', { max: accountsMax, count: known.size }));
    return [...known.values()].map(({ accountId }) => accountId).toSorted((one, other) => one - other);
  }
  const unknown = accountNos.find((accountNo) => !known.has(accountNo));
  if (unknown !== undefined) throw mistakeAt('accounts', rejection('unknown_account', { account: unknown }));
  return [...new Set(accountNos)]
    .map((accountNo) => known.get(accountNo)!.accountId)
    .toSorted((one, other) => one - other);
}

/** The number of an account, as rows show it. */
export type AccountNoOf = (accountId: number) => string;

export function accountNosOf(directory: AccountDirectory): AccountNoOf {
  const byId = new Map([...directory.known().values()].map(({ accountId, accountNo }) => [accountId, accountNo]));
  return (accountId) => byId.get(accountId) ?? String(accountId);
}
