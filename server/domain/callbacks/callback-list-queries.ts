import type { CursorPosition, Page, Search, SearchTable } from '../../platform/postgres/keyset-search.ts';
import { searchPage } from '../../platform/postgres/search-page.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { CallbackKey, CallbackStatus, DocumentType } from './callback.ts';
import { callbackTable, documentIdColumn } from './callback-search-queries.ts';
import { type ReceiverState, receiverState } from './receiver-queries.ts';

// Callbacks as operators see them: across accounts, and by receiver.

const listedColumns = `callback_id, account_id, event_id, event, document_type, ${documentIdColumn}, test_of is not null as test, document_no, sequence, receiver_id, url, status,
  ${taipeiTime('created_at')}, ${taipeiTime('updated_at')},
  (select row_to_json(last) from (
      select attempt_no, ${taipeiTime('at')}, http_status, error from callback_attempt a
      where a.account_id = listed.account_id and a.callback_id = listed.callback_id order by attempt_no desc limit 1) last) as last_attempt,
  (select row_to_json(upcoming) from (
      select waits_for, ${taipeiTime("(case waits_for when 'its_time' then due_at when 'receiver_on_hold' then open_until end)", 'next_attempt_at')}
      from (select due_at, open_until, case
          when due_at = 'infinity' then 'earlier_callback'
          when lease is not null and due_at > now() then 'answer'
          when paused then 'paused_receiver'
          when open_until > greatest(due_at, now()) then 'receiver_on_hold'
          when due_at > now() then 'its_time'
          else 'its_turn' end as waits_for
        from callback_delivery d left join callback_receiver r using (account_id, receiver_id)
        where d.account_id = listed.account_id and d.callback_id = listed.callback_id) queued
    ) upcoming) as upcoming`;

const listTable: SearchTable = {
  ...callbackTable,
  select: () => listedColumns,
  fields: {
    ...callbackTable.fields,
    // No index leads to the callbacks of a receiver, so rows are scanned in the order of the list, up to the limit of a
    // page.
    receiver_id: {
      column: 'receiver_id',
      type: 'uuid',
      index: 'callback_search_created',
      lead: { name: 'receiver_id', type: 'uuid', conditionFor: () => null },
    },
  },
};

/** The reason why a queued callback is not sent yet; `answer`: it is being sent now. */
export type WaitsFor = 'earlier_callback' | 'answer' | 'paused_receiver' | 'receiver_on_hold' | 'its_time' | 'its_turn';

export interface ListedCallback {
  callback_id: number;
  account_id: number;
  event_id: string;
  event: string;
  document_type: DocumentType;
  /** Negative: there is no such document, because a test has an example body. */
  document_id: number;
  test: boolean;
  document_no: string;
  sequence: number;
  receiver_id: string;
  url: string;
  status: CallbackStatus;
  created_at: string;
  updated_at: string;
  last_attempt: { attempt_no: number; at: string; http_status: number | null; error: string | null } | null;
  /** null: the callback is not queued. */
  upcoming: { waits_for: WaitsFor; next_attempt_at: string | null } | null;
}

export async function findListedCallbacks(sql: Sql, search: Search): Promise<Page<ListedCallback>> {
  return await searchPage<ListedCallback>(sql, listTable, search);
}

const keyTable: SearchTable = { ...listTable, select: () => 'account_id, callback_id' };
const keysAtOnce = 2000;

export interface FoundKeys {
  callbacks: (CallbackKey & { position: CursorPosition })[];
  /** More callbacks may follow after this position, because there are more or because the search ran out of time. */
  next: CursorPosition | null;
}

/** Keys of the callbacks in a selection, limited in number and in search time. */
export async function findSelectedKeys(
  sql: Sql,
  search: Pick<Search, 'accountIds' | 'filters' | 'after'>,
  { limit, untilMs }: { limit: number; untilMs: number },
): Promise<FoundKeys> {
  const callbacks: FoundKeys['callbacks'] = [];
  let { after } = search;
  do {
    const pageSize = Math.min(keysAtOnce, limit - callbacks.length);
    const page: Page<{ account_id: number; callback_id: number }> = await searchPage(sql, keyTable, {
      ...search,
      sort: null,
      pageSize,
      after,
    });
    callbacks.push(
      ...page.rows.map(({ account_id, callback_id }, index) => ({
        accountId: account_id,
        callbackId: callback_id,
        position: page.positions[index]!,
      })),
    );
    after = page.next;
  } while (after !== null && callbacks.length < limit && performance.now() < untilMs);
  return { callbacks, next: after };
}

export interface CallbackAttempt {
  attempt_no: number;
  at: string;
  duration_ms: number;
  http_status: number | null;
  error: string | null;
  address: string | null;
  response: string | null;
}

export interface CallbackHistory extends ListedCallback {
  occurred_at: string;
  key_name: string;
  body: string;
  /** null: the body is complete. */
  body_erased_at: string | null;
  receiver: { state: ReceiverState; address: string; on_hold_until: string | null };
  attempts: CallbackAttempt[];
  document_callbacks: { callback_id: number; sequence: number; event: string; status: CallbackStatus }[];
}

const attemptsMax = 100;
const documentCallbacksMax = 100;

/** null: there is no such callback. */
export async function findCallbackHistory(
  sql: Sql,
  { accountId, callbackId }: CallbackKey,
): Promise<CallbackHistory | null> {
  const [callback] = await sql<Omit<CallbackHistory, 'attempts' | 'receiver' | 'document_callbacks'>[]>`
    select ${sql.unsafe(listedColumns)}, ${sql.unsafe(taipeiTime('occurred_at'))}, key_name, body, ${sql.unsafe(taipeiTime('body_erased_at'))}
    from callback listed where account_id = ${accountId} and callback_id = ${callbackId}`;
  if (callback === undefined) return null;
  const [[receiver], attempts, documentCallbacks] = await Promise.all([
    sql<CallbackHistory['receiver'][]>`
      select ${sql.unsafe(receiverState)} as state, address, ${sql.unsafe(taipeiTime('open_until', 'on_hold_until'))}
      from callback_receiver where account_id = ${accountId} and receiver_id = ${callback.receiver_id}`,
    sql<CallbackAttempt[]>`
      select attempt_no, ${sql.unsafe(taipeiTime('at'))}, duration_ms, http_status, error, address, response
      from callback_attempt where account_id = ${accountId} and callback_id = ${callbackId} order by attempt_no desc limit ${attemptsMax}`,
    sql<CallbackHistory['document_callbacks']>`
      select callback_id, sequence, event, status from callback
      where account_id = ${accountId} and document_type = ${callback.document_type} and document_id = ${callback.document_id}
      order by sequence limit ${documentCallbacksMax}`,
  ]);
  return { ...callback, receiver: receiver!, attempts, document_callbacks: documentCallbacks };
}
