import { perAccount } from '../../platform/postgres/per-account.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { CallbackStatus } from './callback.ts';

/** The document types that callbacks have, for each table of documents. */
const callbackTypesOf = { order: ['order'], inbound: ['inbound', 'return'] };
type DocumentTable = keyof typeof callbackTypesOf;

/** The document of callbacks. */
export interface CallbackDocument {
  accountId: number;
  documentId: number;
}

export interface HistoryCallback {
  event_id: string;
  event: string;
  status: CallbackStatus;
  attempts: number;
  next_attempt_at: string | null;
  created_at: string;
}

export async function findCallbacksOf(
  sql: Sql,
  type: DocumentTable,
  { accountId, documentId }: CallbackDocument,
): Promise<HistoryCallback[]> {
  return await sql<HistoryCallback[]>`
    select event_id, event, status,
      (select count(*) from callback_attempt a where a.account_id = ${accountId} and a.callback_id = c.callback_id) as attempts,
      (select ${sql.unsafe(taipeiTime('due_at', 'due_at'))} from callback_delivery d
        where d.account_id = ${accountId} and d.callback_id = c.callback_id and due_at < 'infinity') as next_attempt_at,
      ${sql.unsafe(taipeiTime('created_at'))}
    from callback c
    where account_id = ${accountId} and document_type = any(${callbackTypesOf[type]}) and document_id = ${documentId} order by sequence`;
}

export interface NotifiedCallback {
  callback_id: number;
  event: string;
  status: CallbackStatus;
  url: string;
  created_at: string;
}

export interface NotifiedAttempt {
  callback_id: number;
  attempt_no: number;
  at: string;
  duration_ms: number;
  http_status: number | null;
  error: string | null;
}

const attemptsMax = 200;

/** All callbacks of a document and their newest attempts. */
export async function findCallbacksWithAttempts(
  sql: Sql,
  type: DocumentTable,
  { accountId, documentId }: CallbackDocument,
): Promise<{ callbacks: NotifiedCallback[]; attempts: NotifiedAttempt[]; hasMoreAttempts: boolean }> {
  const callbacks = await sql<NotifiedCallback[]>`
    select callback_id, event, status, url, ${sql.unsafe(taipeiTime('created_at'))}
    from callback
    where account_id = ${accountId} and document_type = any(${callbackTypesOf[type]}) and document_id = ${documentId} order by sequence`;
  if (callbacks.length === 0) return { callbacks, attempts: [], hasMoreAttempts: false };
  const attempts = await sql<NotifiedAttempt[]>`
    select callback_id, attempt_no, ${sql.unsafe(taipeiTime('at'))}, duration_ms, http_status, error from callback_attempt
    where account_id = ${accountId} and callback_id = any(${callbacks.map(({ callback_id }) => callback_id)})
    order by callback_attempt.at desc limit ${attemptsMax + 1}`;
  return { callbacks, attempts: attempts.slice(0, attemptsMax), hasMoreAttempts: attempts.length > attemptsMax };
}

export interface CallbackOfDocument {
  callback_id: number;
  event: string;
  document_no: string;
  status: CallbackStatus;
  created_at: string;
}

const callbacksMax = 50;

/** The newest callbacks of these documents. */
export async function findCallbacksOfDocuments(
  sql: Sql,
  type: DocumentTable,
  documents: CallbackDocument[],
): Promise<CallbackOfDocument[]> {
  const found = await perAccount(
    documents,
    (accountId, own) => sql<CallbackOfDocument[]>`
      select callback_id, event, document_no, status, ${sql.unsafe(taipeiTime('created_at'))} from callback
      where account_id = ${accountId} and document_type = any(${callbackTypesOf[type]})
        and document_id = any(${own.map(({ documentId }) => documentId)}::bigint[])
      order by callback_id desc limit ${callbacksMax}`,
  );
  return found.toSorted((one, other) => other.callback_id - one.callback_id).slice(0, callbacksMax);
}
