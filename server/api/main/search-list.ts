import { Type } from 'typebox';
import type { RowOf, SearchList, SearchPage } from '../../../contract/main/search-list.ts';
import { errorMessage } from '../../../messages/errors.ts';
import { reason } from '../../../messages/reason-texts.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import type { RecipientSearch } from '../../domain/operators/record-search.ts';
import type { KnownAccount } from '../../domain/partners/account-directory.ts';
import type { Permission } from '../../domain/partners/provisioning.ts';
import type { CursorScope, Cursors } from '../../http/cursor.ts';
import { done } from '../../http/done-envelope.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { Incoming } from '../../http/incoming.ts';
import { ProblemError, retryAfterSeconds } from '../../http/problem.ts';
import type { PerKeyLimiter } from '../../platform/limits/per-key-limiter.ts';
import { type CursorPosition, OutdatedCursor, type Page, type Search } from '../../platform/postgres/keyset-search.ts';
import type { RowCount } from '../../platform/postgres/list-counts.ts';
import { actorOf, type MainCaller, operation } from './main-contract.ts';
import { toConditions } from './search-conditions.ts';
import { makeSearchReader, type Reading, type SearchRequest } from './search-request.ts';

/** The dependencies shared by all lists. */
export interface SearchParts {
  cursors: Cursors;
  /** Runs at most one or two searches of an account at a time. */
  inTurn: PerKeyLimiter;
  recordSearch: DomainOperations['recordSearch'];
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
    async handle(caller, body, incoming) {
      const { account } = caller;
      const { accountId } = account;
      const request = searchOf(read(body as Record<string, unknown>));
      const guarded = guardedFilters(list, request, caller);
      const accountIds = [accountId];
      const scope = { list: list.prefix, accountIds, search: request };
      const after = placeIn(request, scope, parts.cursors);

      const { pageSize, isCounted, sort } = request;
      const filters = toConditions(list.fields, request.filters);
      const search = { accountIds, pageSize, after, isCounted, ...withDomainNames({ filters, sort }, domainNames) };
      const find = () => parts.inTurn(accountId, () => parts.searchRows(account, search)).catch(refuseOutdated);
      const page =
        guarded.length === 0
          ? await find()
          : await parts.recordSearch(recipientSearchBy(caller, guarded, incoming), find);
      if (page === null)
        throw new ProblemError({
          kind: 'rate_limited',
          retryAfterSeconds,
          reason: reason('too_many_searches'),
        });
      const next_cursor = page.next === null ? null : parts.cursors.write(scope, page.next);
      const retval: SearchPage<RowOf<List>> = { rows: page.rows.map(row), next_cursor, ...toTotal(page.total) };
      return done(retval);
    },
  });
}

/** The filters of the request that need a permission of their own; refuses a client that does not have it. */
function guardedFilters({ fields }: SearchList, { filters }: SearchRequest, { permissions }: MainCaller): string[] {
  const guarded = Object.keys(filters).filter((name) => fields[name]!.permission !== undefined);
  const permission = guarded
    .map((name) => fields[name]!.permission!)
    .find((one) => !permissions.has(one as Permission));
  if (permission !== undefined) throw new ProblemError({ kind: 'forbidden', permission });
  return guarded;
}

function recipientSearchBy(caller: MainCaller, filters: string[], { ip, id }: Incoming): RecipientSearch {
  return { client: actorOf(caller), accountNo: caller.accountNo, filters, address: ip, traceId: id };
}

function toTotal(total: RowCount | undefined): Pick<SearchPage<unknown>, 'total' | 'total_is_more'> {
  return total === undefined ? {} : { total: total.count, total_is_more: total.isMore };
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
  { filters, sort }: Pick<SearchRequest, 'filters' | 'sort'>,
  domainNames: Record<string, string | undefined>,
): Pick<Search, 'filters' | 'sort'> {
  const domainNameOf = (field: string) => domainNames[field] ?? field;
  return {
    filters: Object.fromEntries(Object.entries(filters).map(([field, condition]) => [domainNameOf(field), condition])),
    sort: sort && { ...sort, field: domainNameOf(sort.field) },
  };
}
