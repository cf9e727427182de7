import type { Sql } from '../../platform/database.ts';
import { cutPage, type Page, type Search, type SearchTable, searchPage } from '../../platform/keyset-search.ts';
import { taipeiTime } from '../../platform/taipei-time.ts';
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
  select: () => `callback_id, event_id, event, document_type, document_no, url, status, ${taipeiTime('occurred_at')},
    ${taipeiTime('created_at')}, ${taipeiTime('updated_at')},
    (select count(*) from callback_attempt where callback_attempt.callback_id = listed.callback_id) as attempt_count`,
  fields: {
    event_id: { column: 'event_id', type: 'uuid', index: 'callback_search_event_id', rare: true },
    document_no: { column: 'document_no', type: 'text', index: 'callback_search_document_no', rare: true },
    updated_at: { column: 'updated_at', type: 'timestamptz', index: 'callback_search_updated', rare: true },
    created_at: { column: 'created_at', type: 'timestamptz', index: 'callback_search_created', rare: true },
    status: { column: 'status', type: 'text', index: 'callback_search_status', values: callbackStatuses },
    event: { column: 'event', type: 'text', index: 'callback_search_event' },
    document_type: { column: 'document_type', type: 'text', index: 'callback_search_document_type', values: documentTypes },
  },
};

export interface FoundCallback {
  callback_id: number;
  event_id: string;
  event: string;
  document_type: DocumentType;
  document_no: string;
  url: string;
  status: CallbackStatus;
  occurred_at: string;
  created_at: string;
  updated_at: string;
  attempt_count: number;
}

export interface FoundAttempt {
  callback_id: number;
  at: string;
  duration_ms: number;
  http_status: number | null;
  error: string | null;
}

/** Of all callbacks of a page together. */
const attemptsMax = 10_000;

export async function findCallbacks(sql: Sql, search: Search): Promise<Page<FoundCallback & { attempts: FoundAttempt[] }>> {
  const page = cutPage(await searchPage<FoundCallback>(sql, callbackTable, search), (callback) => callback.attempt_count, attemptsMax);
  if (page.rows.length === 0) return { ...page, rows: [] };
  const attempts = await sql<FoundAttempt[]>`
    select callback_id, ${sql.unsafe(taipeiTime('at'))}, duration_ms, http_status, error from callback_attempt
    where callback_id = any(${page.rows.map((callback) => callback.callback_id)}) order by callback_id, attempt_no`;
  const attemptsOf = Map.groupBy(attempts, (attempt) => attempt.callback_id);
  return { ...page, rows: page.rows.map((callback) => ({ ...callback, attempts: attemptsOf.get(callback.callback_id) ?? [] })) };
}
