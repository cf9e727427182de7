import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { cutPage, type Page, type Search, type SearchTable } from '../../platform/postgres/keyset-search.ts';
import { perAccount } from '../../platform/postgres/per-account.ts';
import { searchPage } from '../../platform/postgres/search-page.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import { inEveryAccount } from '../partners/every-account.ts';
import {
  type CallbackKey,
  type CallbackStatus,
  callbackStatuses,
  type DocumentType,
  documentTypes,
} from './callback.ts';

/** For a test, the document whose body it has. */
export const documentIdColumn = 'coalesce(nullif(test_of, 0), document_id) as document_id';

export const callbackTable: SearchTable = {
  table: 'callback',
  order: {
    columns: [
      { name: 'created_at', type: 'timestamptz' },
      { name: 'callback_id', type: 'bigint' },
    ],
    descending: true,
  },
  select:
    () => `account_id, callback_id, event_id, event, document_type, ${documentIdColumn}, test_of is not null as test, document_no, sequence, body, url, status, ${taipeiTime('occurred_at')},
    ${taipeiTime('created_at')}, ${taipeiTime('updated_at')}, ${taipeiTime('body_erased_at')},
    octet_length(body) + (select coalesce(sum(200 + octet_length(coalesce(response, ''))), 0) from callback_attempt a
      where a.account_id = listed.account_id and a.callback_id = listed.callback_id)::integer as bytes,
    (select ${taipeiTime('due_at', 'next_attempt_at')} from callback_delivery d
      where d.account_id = listed.account_id and d.callback_id = listed.callback_id and due_at < 'infinity') as next_attempt_at`,
  fields: {
    event_id: { column: 'event_id', type: 'uuid', index: 'callback_account_id_event_id_key', rare: true },
    document_no: { column: 'document_no', type: 'text', index: 'callback_search_document_no', rare: true },
    updated_at: { column: 'updated_at', type: 'timestamptz', index: 'callback_search_updated', rare: true },
    created_at: { column: 'created_at', type: 'timestamptz', index: 'callback_search_created', rare: true },
    status: { column: 'status', type: 'text', index: 'callback_search_status', values: callbackStatuses },
    event: { column: 'event', type: 'text', index: 'callback_search_event' },
    document_type: {
      column: 'document_type',
      type: 'text',
      index: 'callback_search_document_type',
      values: documentTypes,
    },
  },
};

export interface FoundCallback {
  account_id: number;
  callback_id: number;
  event_id: string;
  event: string;
  document_type: DocumentType;
  /** Negative: there is no such document, because a test has an example body. */
  document_id: number;
  test: boolean;
  document_no: string;
  sequence: number;
  body: string;
  /** null: the body is complete. */
  body_erased_at: string | null;
  url: string;
  status: CallbackStatus;
  occurred_at: string;
  created_at: string;
  updated_at: string;
  bytes: number;
  next_attempt_at: string | null;
}

export interface FoundAttempt {
  callback_id: number;
  at: string;
  duration_ms: number;
  http_status: number | null;
  error: string | null;
  address: string | null;
  response: string | null;
}

/** Limit for all callbacks of a page together, including the receivers' responses. */
const pageBytesMax = 4_000_000;

export type CallbackInFull = FoundCallback & { attempts: FoundAttempt[] };

export async function findCallbacks(sql: Sql, search: Search): Promise<Page<CallbackInFull>> {
  const page = cutPage(
    await searchPage<FoundCallback>(sql, callbackTable, search),
    (callback) => callback.bytes,
    pageBytesMax,
  );
  if (page.rows.length === 0) return { ...page, rows: [] };
  const attempts = await perAccount(page.rows.map(keyOf), (accountId, own) => findAttempts(sql, accountId, own));
  const attemptsOf = Map.groupBy(attempts, (attempt) => attempt.callback_id);
  return {
    ...page,
    rows: page.rows.map((callback) => ({ ...callback, attempts: attemptsOf.get(callback.callback_id) ?? [] })),
  };
}

function keyOf({ account_id, callback_id }: { account_id: number; callback_id: number }): CallbackKey {
  return { accountId: account_id, callbackId: callback_id };
}

async function findAttempts(sql: Sql, accountId: number, callbacks: CallbackKey[]): Promise<FoundAttempt[]> {
  return await sql<FoundAttempt[]>`
    select callback_id, ${sql.unsafe(taipeiTime('at'))}, duration_ms, http_status, error, address, response from callback_attempt
    where account_id = ${accountId} and callback_id = any(${callbacks.map(({ callbackId }) => callbackId)}::bigint[])
    order by callback_id, attempt_no`;
}

/** Keys of the callbacks with these ids, whatever their account: all accounts are asked, in one round trip. */
export async function findKeysOfIds(sql: Sql, callbackIds: number[]): Promise<CallbackKey[]> {
  return await inEveryAccount(
    sql,
    (own, accountId) => own<CallbackKey[]>`
      select ${camelColumns('account_id, callback_id')} from callback
      where account_id = ${accountId} and callback_id = any(${callbackIds}::bigint[])`,
  );
}

export interface EventKey extends SelectedCallback {
  eventId: string;
}

/** The same for event ids. */
export async function findKeysOfEvents(sql: Sql, eventIds: string[]): Promise<EventKey[]> {
  return await inEveryAccount(
    sql,
    (own, accountId) => own<EventKey[]>`
      select ${camelColumns('account_id, callback_id, event_id')}, body_erased_at is not null as "isErased" from callback
      where account_id = ${accountId} and event_id = any(${eventIds}::uuid[])`,
  );
}

/** A callback without its body cannot be sent again. */
export interface SelectedCallback extends CallbackKey {
  isErased: boolean;
}

/** Keys of the callbacks that match a search, at most `limit`. */
export async function findCallbackKeys(
  sql: Sql,
  search: Pick<Search, 'accountIds' | 'filters'>,
  limit: number,
): Promise<SelectedCallback[]> {
  const found: SelectedCallback[] = [];
  let after: Search['after'] = null;
  do {
    const pageSize = Math.min(keysAtOnce, limit - found.length);
    const page: Page<{ account_id: number; callback_id: number; is_erased: boolean }> = await searchPage(
      sql,
      keyTable,
      {
        ...search,
        sort: null,
        pageSize,
        after,
      },
    );
    found.push(...page.rows.map((row) => ({ ...keyOf(row), isErased: row.is_erased })));
    after = page.next;
  } while (after !== null && found.length < limit);
  return found;
}

const keysAtOnce = 2000;
const keyTable: SearchTable = {
  ...callbackTable,
  select: () => 'account_id, callback_id, body_erased_at is not null as is_erased',
};
