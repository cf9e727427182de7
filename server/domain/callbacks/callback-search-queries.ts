import {
  cutPage,
  type Page,
  type Search,
  type SearchTable,
  searchPage,
} from '../../platform/postgres/keyset-search.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import { type CallbackStatus, callbackStatuses, type DocumentType, documentTypes } from './callback.ts';

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
    () => `callback_id, event_id, event, document_type, document_no, sequence, body, url, status, ${taipeiTime('occurred_at')},
    ${taipeiTime('created_at')}, ${taipeiTime('updated_at')},
    octet_length(body) + (select coalesce(sum(200 + octet_length(coalesce(response, ''))), 0) from callback_attempt a
      where a.callback_id = listed.callback_id)::integer as bytes,
    (select ${taipeiTime('due_at', 'next_attempt_at')} from callback_delivery d
      where d.callback_id = listed.callback_id and due_at < 'infinity') as next_attempt_at`,
  fields: {
    event_id: { column: 'event_id', type: 'uuid', index: 'callback_event_id_key', rare: true },
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
  callback_id: number;
  event_id: string;
  event: string;
  document_type: DocumentType;
  document_no: string;
  sequence: number;
  body: string;
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
  const attempts = await sql<FoundAttempt[]>`
    select callback_id, ${sql.unsafe(taipeiTime('at'))}, duration_ms, http_status, error, address, response from callback_attempt
    where callback_id = any(${page.rows.map((callback) => callback.callback_id)}) order by callback_id, attempt_no`;
  const attemptsOf = Map.groupBy(attempts, (attempt) => attempt.callback_id);
  return {
    ...page,
    rows: page.rows.map((callback) => ({ ...callback, attempts: attemptsOf.get(callback.callback_id) ?? [] })),
  };
}

/** The account that the callback belongs to; null: there is no such callback. */
export async function accountOfEvent(sql: Sql, eventId: string): Promise<number | null> {
  const [row] = await sql<{ account_id: number }[]>`select account_id from callback where event_id = ${eventId}`;
  return row?.account_id ?? null;
}

/** Ids of the callbacks with these event ids, of any account. */
export async function callbackIdsOfEvents(sql: Sql, eventIds: string[]): Promise<Map<string, number>> {
  const rows = await sql<{ event_id: string; callback_id: number }[]>`
    select event_id, callback_id from callback where event_id = any(${eventIds}::uuid[])`;
  return new Map(rows.map((row) => [row.event_id, row.callback_id]));
}

/** Ids of the callbacks that match a search, at most `limit`. */
export async function findCallbackIds(
  sql: Sql,
  search: Pick<Search, 'accountIds' | 'filters'>,
  limit: number,
): Promise<number[]> {
  const found: number[] = [];
  let after: Search['after'] = null;
  do {
    const pageSize = Math.min(idsAtOnce, limit - found.length);
    const page: Page<{ callback_id: number }> = await searchPage(sql, idTable, {
      ...search,
      sort: null,
      pageSize,
      after,
    });
    found.push(...page.rows.map((row) => row.callback_id));
    after = page.next;
  } while (after !== null && found.length < limit);
  return found;
}

const idsAtOnce = 2000;
const idTable: SearchTable = { ...callbackTable, select: () => 'callback_id' };
