import { accountsOf, perAccount } from '../../platform/postgres/per-account.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { NamedDocument } from '../documents/document-history-queries.ts';
import { type DocumentKey, type DocumentTable, findStateChanges } from '../documents/state-change-queries.ts';
import { findInboundsNamed } from '../inbound/inbound-history-queries.ts';
import { findOrdersNamed } from '../orders/order-history-queries.ts';

// The effects of one request. Documents have no index on trace ids, which would cost every order; they are found by the
// numbers that the request named.

export interface TouchedDocument extends NamedDocument {
  type: DocumentTable;
  status: string;
  /** The changes that this request made to the document, in order; empty: it only named the document. */
  done: { event: string; to: string }[];
}

const documentsMax = 20;

export async function findTouchedDocuments(
  sql: Sql,
  traceId: string,
  numbers: string[],
  accountNo: string | null,
): Promise<TouchedDocument[]> {
  const [orders, inbounds] = await Promise.all([
    Promise.all(numbers.map((number) => findOrdersNamed(sql, number, accountNo))),
    Promise.all(numbers.map((number) => findInboundsNamed(sql, number, accountNo))),
  ]);
  const touched = await Promise.all([
    withDone(sql, 'order', orders.flat(), traceId),
    withDone(sql, 'inbound', inbounds.flat(), traceId),
  ]);
  return touched.flat();
}

async function withDone(
  sql: Sql,
  type: DocumentTable,
  named: NamedDocument[],
  traceId: string,
): Promise<TouchedDocument[]> {
  const documents = [...new Map(named.map((one) => [one.document_id, one])).values()].slice(0, documentsMax);
  if (documents.length === 0) return [];
  const keys = documents.map(({ account_id, document_id }) => ({ accountId: account_id, documentId: document_id }));
  const stated = sql.forAccounts(accountsOf(keys));
  const [made, changes] = await Promise.all([findMade(stated, type, keys), findStateChanges(stated, type, keys)]);
  return documents.flatMap((document) => {
    const found = made.find(({ document_id }) => document_id === document.document_id);
    if (found === undefined) return [];
    const own = changes.filter(({ documentId }) => documentId === document.document_id);
    const first = { event: 'create', to: own[0]?.from ?? found.status, traceId: found.trace_id };
    const done = [first, ...own].filter((change) => change.traceId === traceId).map(({ event, to }) => ({ event, to }));
    return [{ ...document, type, status: found.status, done }];
  });
}

interface Made {
  document_id: number;
  status: string;
  trace_id: string | null;
}

async function findMade(sql: Sql, type: DocumentTable, documents: DocumentKey[]): Promise<Made[]> {
  const [table, id] = type === 'order' ? [sql`orders`, sql`order_id`] : [sql`inbound_document`, sql`inbound_id`];
  return await perAccount(
    documents,
    (accountId, own) => sql<Made[]>`
      select ${id} as document_id, status, trace_id from ${table}
      where account_id = ${accountId} and ${id} = any(${own.map(({ documentId }) => documentId)})`,
  );
}

export interface ActionOfRequest {
  at: string;
  username: string;
  action: string;
  subject: string | null;
  outcome: string | null;
}

export async function findActionsOfRequest(sql: Sql, traceId: string): Promise<ActionOfRequest[]> {
  return await sql<ActionOfRequest[]>`
    select ${sql.unsafe(taipeiTime('at'))}, username, action, subject, outcome from operator_action
    where trace_id = ${traceId} order by operator_action_id limit 10`;
}
