import { Type } from 'typebox';
import type { RowOf, SearchList, SearchPage } from '../../../contract/main/search-list.ts';
import type { KnownAccount } from '../../domain/partners/account-directory.ts';
import type { Permission } from '../../domain/partners/provisioning.ts';
import { OutdatedPlace, type Page, type Place, type Search } from '../../platform/keyset-search.ts';
import type { Turns } from '../../platform/turns.ts';
import type { Endpoint } from '../contract.ts';
import type { CursorScope, Cursors } from '../cursor.ts';
import { done } from '../done-envelope.ts';
import { ProblemError, retryAfterSeconds } from '../problem.ts';
import { type MainCaller, operation } from './main-contract.ts';
import { makeSearchReader, type Reading, type SearchRequest } from './search-request.ts';

/** What all lists have in common. */
export interface SearchParts {
  cursors: Cursors;
  /** Searches of an account, one or two at a time. */
  inTurn: Turns;
}

export type SearchRows<Found> = (account: KnownAccount, search: Search) => Promise<Page<Found>>;

export interface SearchListWording<List extends SearchList, Found> {
  /** The domain's word for each field of the list, where it is another one. */
  words: Partial<Record<keyof List['fields'], string>>;
  row(found: Found): RowOf<List>;
}

/** Any list is searched in the same way; what differs is its table of fields and how its rows are worded. */
export function searchList<List extends SearchList, Found>(
  list: List,
  { words, row }: SearchListWording<List, Found>,
  parts: SearchParts & { searchRows: SearchRows<Found> },
): Endpoint<MainCaller> {
  const read = makeSearchReader(list);

  return operation(list.permission as Permission, {
    path: list.path,
    body: Type.Object({}),
    async handle({ account }, body) {
      const { accountId } = account;
      const request = searchOf(read(body as Record<string, unknown>));
      const accountIds = [accountId];
      const scope = { list: list.prefix, accountIds, search: request };
      const after = placeIn(request, scope, parts.cursors);

      const { pageSize } = request;
      const search = { accountIds, pageSize, after, ...inDomainWords(request, words) };
      const page = await parts.inTurn(accountId, () => parts.searchRows(account, search)).catch(refuseOutdated);
      if (page === null)
        throw new ProblemError({ kind: 'rate_limited', retryAfterSeconds, reason: 'too many searches of the account wait' });
      const next_cursor = page.next === null ? null : parts.cursors.write(scope, page.next);
      const retval: SearchPage<RowOf<List>> = { rows: page.rows.map(row), next_cursor };
      return done(retval);
    },
  });
}

function searchOf(reading: Reading): SearchRequest {
  if (reading.kind === 'mistakes') throw new ProblemError({ kind: 'invalid', mistakes: reading.mistakes });
  return reading.search;
}

function placeIn({ cursor }: SearchRequest, scope: CursorScope, cursors: Cursors): Place | null {
  if (cursor === null) return null;
  const place = cursors.read(scope, cursor);
  if (place !== null) return place;
  throw wrongCursor();
}

function wrongCursor(): ProblemError {
  const message = 'is not of this search: same list, filters and sort';
  return new ProblemError({ kind: 'invalid', mistakes: [{ path: ['cursor'], message }] });
}

function refuseOutdated(error: unknown): never {
  throw error instanceof OutdatedPlace ? wrongCursor() : error;
}

function inDomainWords({ filters, sort }: SearchRequest, words: Record<string, string | undefined>): Pick<Search, 'filters' | 'sort'> {
  const wordFor = (field: string) => words[field] ?? field;
  return {
    filters: Object.fromEntries(Object.entries(filters).map(([field, condition]) => [wordFor(field), condition])),
    sort: sort && { ...sort, field: wordFor(sort.field) },
  };
}
