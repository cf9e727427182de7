import type { Sql } from '../../platform/database.ts';
import { taipeiTime } from '../../platform/taipei-time.ts';
import type { CallbackStatus } from '../callbacks/callback.ts';
import { findInboundsNamed, findOrdersNamed, type NamedDocument } from './document-story-queries.ts';
import { findStateChanges, type TimelineOf } from './state-change-queries.ts';
import { callbackTypesOf } from './told-queries.ts';

// What one call has left behind. Documents have no index on trace ids, which would cost every order; they are found by the numbers that the call named.

export interface TouchedDocument extends NamedDocument {
  type: TimelineOf;
  status: string;
  /** What this call did with it, in order; empty: it only named it. */
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
  const touched = await Promise.all([withDone(sql, 'order', orders.flat(), traceId), withDone(sql, 'inbound', inbounds.flat(), traceId)]);
  return touched.flat();
}

async function withDone(sql: Sql, type: TimelineOf, named: NamedDocument[], traceId: string): Promise<TouchedDocument[]> {
  const documents = [...new Map(named.map((one) => [one.document_id, one])).values()].slice(0, documentsMax);
  if (documents.length === 0) return [];
  const ids = documents.map(({ document_id }) => document_id);
  const [made, changes] = await Promise.all([
    type === 'order'
      ? sql<Made[]>`select order_id as document_id, status, trace_id from orders where order_id = any(${ids})`
      : sql<Made[]>`select inbound_id as document_id, status, trace_id from inbound_document where inbound_id = any(${ids})`,
    findStateChanges(sql, type, ids),
  ]);
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

export interface CallbackOfDocument {
  callback_id: number;
  event: string;
  document_no: string;
  status: CallbackStatus;
  created_at: string;
}

const callbacksMax = 50;

export async function findCallbacksOfDocuments(sql: Sql, type: TimelineOf, documentIds: number[]): Promise<CallbackOfDocument[]> {
  return await sql<CallbackOfDocument[]>`
    select callback_id, event, document_no, status, ${sql.unsafe(taipeiTime('created_at'))} from callback
    where document_type = any(${callbackTypesOf[type]}) and document_id = any(${documentIds})
    order by callback_id desc limit ${callbacksMax}`;
}

export interface ActionOfCall {
  at: string;
  username: string;
  action: string;
  subject: string | null;
  outcome: string | null;
}

export async function findActionsOfCall(sql: Sql, traceId: string): Promise<ActionOfCall[]> {
  return await sql<ActionOfCall[]>`
    select ${sql.unsafe(taipeiTime('at'))}, username, action, subject, outcome from operator_action
    where trace_id = ${traceId} order by operator_action_id limit 10`;
}
