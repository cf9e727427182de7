import type { callbackRedeliverCount } from '../../../contract/console/callback-redeliver.ts';
import { type CallbackListRow, callbackSearch } from '../../../contract/console/callback-search.ts';
import type { BodyOf } from '../../../contract/console/console-call.ts';
import { findListedCallbacks, type ListedCallback } from '../../domain/callbacks/callback-list-queries.ts';
import type { Condition } from '../../platform/keyset-search.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { type AccountNoOf, listPage } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';

export function callbacksSearchCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(callbackSearch, {
    role: 'read-only',
    audit: null,
    async handle(_caller, body) {
      const { accounts: _, page_size: __, cursor: ___, ...selection } = body;
      return await listPage(
        parts,
        body,
        { list: 'callbacks', filters: filtersOf(selection) },
        (search) => parts.database.read((sql) => findListedCallbacks(sql, search)),
        wordCallback,
      );
    },
  });
}

/** What is asked for, in the fields of the list. */
export function filtersOf(selection: Omit<BodyOf<typeof callbackRedeliverCount>, 'accounts'>): Record<string, Condition> {
  const { status, event, document_type, document_no, receiver_id, created_from, created_to } = selection;
  const during = {
    ...(created_from === undefined ? {} : { gte: `${created_from}T00:00:00+08:00` }),
    ...(created_to === undefined ? {} : { lte: `${created_to}T23:59:59.999999+08:00` }),
  };
  return {
    ...(status && { status: { anyOf: status } }),
    ...(event && { event: { anyOf: event } }),
    ...(document_type && { document_type: { anyOf: document_type } }),
    ...(document_no === undefined ? {} : { document_no: { anyOf: [document_no] } }),
    ...(receiver_id === undefined ? {} : { receiver_id: { anyOf: [receiver_id] } }),
    ...(Object.keys(during).length > 0 && { created_at: during }),
  };
}

export function wordCallback(callback: ListedCallback, accountNoOf: AccountNoOf): CallbackListRow {
  const { last_attempt: last } = callback;
  return {
    callback_id: callback.callback_id,
    account_no: accountNoOf(callback.account_id),
    event_id: callback.event_id,
    event: callback.event as CallbackListRow['event'],
    document_type: callback.document_type,
    document_id: callback.document_id,
    document_no: callback.document_no,
    sequence: callback.sequence,
    receiver_id: callback.receiver_id,
    url: callback.url,
    status: callback.status,
    attempts: last?.attempt_no ?? 0,
    last_attempt: last && { at: last.at, http_status: last.http_status, error: last.error },
    waits_for: callback.upcoming?.waits_for ?? null,
    next_attempt_at: callback.upcoming?.next_attempt_at ?? null,
    created_at: callback.created_at,
    updated_at: callback.updated_at,
  };
}
