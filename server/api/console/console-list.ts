import { accountsMax, type ListPage, pageSizeDefault } from '../../../contract/console/console-values.ts';
import type { AccountDirectory } from '../../domain/partners/account-directory.ts';
import { OutdatedPlace, type Page, type Search } from '../../platform/keyset-search.ts';
import type { Cursors } from '../cursor.ts';
import { ProblemError } from '../problem.ts';

/** What all lists of the console have in common. */
export interface ListParts {
  directory: AccountDirectory;
  cursors: Cursors;
}

/** What every list is asked: see `listFields` of the contract. */
export interface ListRequest {
  accounts?: string[];
  page_size?: number;
  cursor?: string;
}

export interface ListQuestion {
  /** The list's own name: a cursor is good for one list only. */
  list: string;
  filters: Search['filters'];
  sort?: Search['sort'];
}

/** One page of a list over several accounts; `word` makes a row of the wire of what was found. */
export async function listPage<Found, Row>(
  { directory, cursors }: ListParts,
  { accounts, page_size = pageSizeDefault, cursor }: ListRequest,
  { list, filters, sort = null }: ListQuestion,
  find: (search: Search) => Promise<Page<Found>>,
  word: (found: Found, accountNoOf: AccountNoOf) => Row,
): Promise<ListPage<Row>> {
  const accountIds = await accountIdsOf(directory, accounts);
  const scope = { list: `console/${list}`, accountIds, search: { filters, sort } };
  const after = cursor === undefined ? null : cursors.read(scope, cursor);
  if (cursor !== undefined && after === null) throw wrongCursor();
  const page = await find({ accountIds, filters, sort, pageSize: page_size, after }).catch((error: unknown) => {
    throw error instanceof OutdatedPlace ? wrongCursor() : error;
  });
  const accountNoOf = accountNosOf(directory);
  return {
    rows: page.rows.map((found) => word(found, accountNoOf)),
    next_cursor: page.next === null ? null : cursors.write(scope, page.next),
  };
}

function wrongCursor(): ProblemError {
  return mistakeAt('cursor', 'is not of this search: same list, accounts, filters and sort');
}

export function mistakeAt(field: string, message: string): ProblemError {
  return new ProblemError({ kind: 'invalid', mistakes: [{ path: [field], message }] });
}

/** The accounts that are named, or all. */
export async function accountIdsOf(directory: AccountDirectory, accountNos: string[] | undefined): Promise<number[]> {
  const known = await directory.allNow();
  if (accountNos === undefined) {
    if (known.size > accountsMax) throw mistakeAt('accounts', `must name up to ${accountsMax} accounts: there are ${known.size}`);
    return [...known.values()].map(({ accountId }) => accountId).toSorted((one, other) => one - other);
  }
  const unknown = accountNos.find((accountNo) => !known.has(accountNo));
  if (unknown !== undefined) throw mistakeAt('accounts', `names ${unknown}, which does not exist`);
  return [...new Set(accountNos)].map((accountNo) => known.get(accountNo)!.accountId).toSorted((one, other) => one - other);
}

/** The number of an account, as rows show it. */
export type AccountNoOf = (accountId: number) => string;

export function accountNosOf(directory: AccountDirectory): AccountNoOf {
  const byId = new Map([...directory.known().values()].map(({ accountId, accountNo }) => [accountId, accountNo]));
  return (accountId) => byId.get(accountId) ?? String(accountId);
}
