import { Type } from 'typebox';
import type { RowOf, SearchList, SearchPage } from '../../../contract/main/search-list.ts';
import { errorMessage } from '../../../messages/errors.ts';
import { reason } from '../../../messages/reason-texts.ts';
import type { KnownAccount } from '../../domain/partners/account-directory.ts';
import type { Permission } from '../../domain/partners/provisioning.ts';
import type { CursorScope, Cursors } from '../../http/cursor.ts';
import { done } from '../../http/done-envelope.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { ProblemError, retryAfterSeconds } from '../../http/problem.ts';
import type { PerKeyLimiter } from '../../platform/limits/per-key-limiter.ts';
import { type CursorPosition, OutdatedCursor, type Page, type Search } from '../../platform/postgres/keyset-search.ts';
import { type MainCaller, operation } from './main-contract.ts';
import { makeSearchReader, type Reading, type SearchRequest } from './search-request.ts';

/** The dependencies shared by all lists. */
export interface SearchParts {
  cursors: Cursors;
  /** Runs at most one or two searches of an account at a time. */
  inTurn: PerKeyLimiter;
}

export type SearchRows<Found> = (account: KnownAccount, search: Search) => Promise<Page<Found>>;

export interface SearchListFormat<List extends SearchList, Found> {
  /** The domain's name for each field that has a different name in the list. */
  domainNames: Partial<Record<keyof List['fields'], string>>;
  row(found: Found): RowOf<List>;
}

/** Creates the endpoint of a list. Lists differ only in their fields and in the format of their rows. */
export function searchList<List extends SearchList, Found>(
  list: List,
  { domainNames, row }: SearchListFormat<List, Found>,
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
      const search = { accountIds, pageSize, after, ...withDomainNames(request, domainNames) };
      const page = await parts.inTurn(accountId, () => parts.searchRows(account, search)).catch(refuseOutdated);
      if (page === null)
        throw new ProblemError({
          kind: 'rate_limited',
          retryAfterSeconds,
          reason: reason('too_many_searches'),
        });
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

function placeIn({ cursor }: SearchRequest, scope: CursorScope, cursors: Cursors): CursorPosition | null {
  if (cursor === null) return null;
  const place = cursors.read(scope, cursor);
  if (place !== null) return place;
  throw wrongCursor();
}

function wrongCursor(): ProblemError {
  const message = errorMessage('cursor_of_other_search');
  return new ProblemError({ kind: 'invalid', mistakes: [{ path: ['cursor'], message }] });
}

function refuseOutdated(error: unknown): never {
  throw error instanceof OutdatedCursor ? wrongCursor() : error;
}

function withDomainNames(
  { filters, sort }: SearchRequest,
  domainNames: Record<string, string | undefined>,
): Pick<Search, 'filters' | 'sort'> {
  const domainNameOf = (field: string) => domainNames[field] ?? field;
  return {
    filters: Object.fromEntries(Object.entries(filters).map(([field, condition]) => [domainNameOf(field), condition])),
    sort: sort && { ...sort, field: domainNameOf(sort.field) },
  };
}
