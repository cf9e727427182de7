import { Type } from 'typebox';
import type { Message } from '../../messages/message.ts';
import { callbackEvents } from '../logistics/callback.ts';
import { callbackDocumentTypes, callbackStatuses } from '../main/callbacks-search.ts';
import { CalendarDate, Identifier } from '../values.ts';
import { consoleCall } from './console-call.ts';
import {
  AccountNo,
  countedField,
  type ListPage,
  listFields,
  RowId,
  record,
  reversedField,
  Uuid,
} from './console-values.ts';

export type CallbackStatus = (typeof callbackStatuses)[number];
export type CallbackEvent = (typeof callbackEvents)[number];
export type CallbackDocumentType = (typeof callbackDocumentTypes)[number];

/**
 * The reason why a callback is waiting. `answer`: an attempt is in progress. `its_turn`: the next free worker will send
 * it.
 */
export type CallbackWaitsFor =
  | 'earlier_callback'
  | 'answer'
  | 'paused_receiver'
  | 'receiver_on_hold'
  | 'its_time'
  | 'its_turn';

/** A row of the list of callbacks. */
export interface CallbackListRow {
  callback_id: number;
  account_no: string;
  event_id: string;
  event: CallbackEvent;
  document_type: CallbackDocumentType;
  /** Negative for a test with an example body: there is no such document. */
  document_id: number;
  /** The event has not happened. */
  test: boolean;
  /** The partner's number. */
  document_no: string;
  /** Sequence number of this callback within its document, starting at 1. */
  sequence: number;
  receiver_id: string;
  url: string;
  status: CallbackStatus;
  attempts: number;
  /** The result of the last attempt; null before the first one. */
  last_attempt: { at: string; http_status: number | null; error: Message | string | null } | null;
  /** null: there will be no further attempt. */
  waits_for: CallbackWaitsFor | null;
  /** Time of the next attempt, or the end of the receiver's hold; null if unknown. Never in the past. */
  next_attempt_at: string | null;
  created_at: string;
  updated_at: string;
}

/** Days are in Taipei time and inclusive. */
export const callbackFilters = {
  accounts: listFields.accounts,
  status: Type.Optional(
    Type.Array(Type.Enum([...callbackStatuses]), { minItems: 1, maxItems: callbackStatuses.length }),
  ),
  event: Type.Optional(Type.Array(Type.Enum([...callbackEvents]), { minItems: 1, maxItems: callbackEvents.length })),
  document_type: Type.Optional(
    Type.Array(Type.Enum([...callbackDocumentTypes]), { minItems: 1, maxItems: callbackDocumentTypes.length }),
  ),
  document_no: Type.Optional(Identifier(255)),
  receiver_id: Type.Optional(Uuid),
  created_from: Type.Optional(CalendarDate),
  created_to: Type.Optional(CalendarDate),
};

export const callbackSorts = ['created', 'updated'] as const;

/** Newest first, by default by creation. */
export const callbackSearch = consoleCall<ListPage<CallbackListRow>>()(
  '/callbacks/search',
  record({
    ...listFields,
    ...countedField,
    ...callbackFilters,
    sort: Type.Optional(Type.Enum([...callbackSorts])),
    ...reversedField,
  }),
);

export interface CallbackAttempt {
  attempt_no: number;
  at: string;
  duration_ms: number;
  /** null: there was no response; `error` says why. */
  http_status: number | null;
  error: Message | string | null;
  /** The IP address that was contacted; null if no connection was attempted. */
  address: string | null;
  /** The first 16 KiB of the response. The recipient of the order is masked. */
  response: string | null;
}

export interface CallbackDetail extends CallbackListRow {
  occurred_at: string;
  /** The logistics key whose callback secret signs the request; `the account` or `tenant ...` if that has its own. */
  key_name: string;
  /** The request headers; the value is null for headers that differ with each attempt. */
  headers: { name: string; value: string | null }[];
  /** The request body as it is sent, except that the partner's note is masked. */
  body: string;
  /** The body was erased together with the recipient of its order: it cannot be sent again. null: not erased. */
  body_erased_at: string | null;
  receiver: { state: ReceiverState; address: string; on_hold_until: string | null };
  /** Newest first, up to a limit. */
  attempt_list: CallbackAttempt[];
  /** All callbacks of the same document, including this one, in sending order. */
  document_callbacks: { callback_id: number; sequence: number; event: string; status: CallbackStatus }[];
}

export const callbackDetail = consoleCall<CallbackDetail>()('/callbacks/detail', record({ callback_id: RowId }));

export type CallbackTestRefusal =
  | 'document_not_found'
  | 'address_of_production'
  /** The rule that the URL breaks. Partners get one neutral message instead. */
  | 'url_not_http'
  | 'url_with_credentials'
  | 'url_port_zero'
  | 'url_private'
  | 'no_address'
  | 'no_secret'
  | 'too_many';

/** Sends a callback for an event that has not happened. */
export const callbackTest = consoleCall<
  { kind: 'queued'; event_id: string; url: string } | { kind: 'refused'; reason: CallbackTestRefusal }
>()(
  '/callbacks/test',
  record({
    account_no: AccountNo,
    event: Type.Enum([...callbackEvents]),
    document_no: Type.Optional(Identifier(255)),
    callback_url: Type.Optional(
      Type.String({ pattern: '^https?://\\S+$', maxLength: 2048, description: 'an http(s) URL' }),
    ),
  }),
);

export const callbackRedeliverMax = 500;
/** For more, use the command line, where a run may take longer. */
export const callbackRedeliverFilteredMax = 10_000;

export interface Redelivered {
  kind: 'redelivered';
  /** The total. Callbacks that are neither held nor behind are sent at once. */
  count: number;
  /** Callbacks whose receiver is paused or on hold. */
  held: number;
  /** Callbacks that wait for an earlier callback of their document. */
  behind: number;
  /** Callbacks that were not sent, because their body is erased. */
  erased: number;
}

export const callbackRedeliver = consoleCall<Redelivered>()(
  '/callbacks/redeliver',
  record({ callback_ids: Type.Array(RowId, { minItems: 1, maxItems: callbackRedeliverMax, uniqueItems: true }) }),
);

/** More callbacks match than are allowed, or counting them takes too long: the filters must be narrowed. */
export interface TooManyCallbacks {
  kind: 'too_many';
  /** The number found before counting stopped. */
  found: number;
}

export const callbackRedeliverCount = consoleCall<{ kind: 'counted'; count: number } | TooManyCallbacks>()(
  '/callbacks/redeliver-count',
  record(callbackFilters),
);

/**
 * Sends all matching callbacks again, if their number is still the one that the operator confirmed. A large number
 * takes several calls: each continues at the cursor of the previous one.
 */
export const callbackRedeliverFiltered = consoleCall<
  (Redelivered & { next_cursor: string | null }) | { kind: 'count_changed'; count: number } | TooManyCallbacks
>()(
  '/callbacks/redeliver-filtered',
  record({
    ...callbackFilters,
    expected_count: Type.Integer({ minimum: 1, maximum: callbackRedeliverFilteredMax }),
    cursor: listFields.cursor,
  }),
);

/** The most urgent state first. */
export const receiverStates = ['paused', 'on_hold', 'failing', 'unproven', 'healthy'] as const;
export type ReceiverState = (typeof receiverStates)[number];

/** A count that stops at a limit. */
export interface CappedCount {
  count: number;
  /** There may be more. */
  is_capped: boolean;
}

export interface ReceiverRow {
  receiver_id: string;
  account_no: string;
  /** Without the query, which may differ from document to document. */
  address: string;
  state: ReceiverState;
  /** The number of consecutive failed attempts. */
  failures: number;
  /** The receiver responds, but its last responses were rejections, such as 401. */
  rejects: boolean;
  on_hold_until: string | null;
  last_success_at: string | null;
  last_failure_at: string | null;
  /** null if it is not paused, or if that is unknown. */
  paused_at: string | null;
  paused_by: string | null;
  waiting: CappedCount;
  oldest_waiting_at: string | null;
  failed: CappedCount;
}

export const receiversListedMax = 200;

/** Receivers that need attention come first. If there are more than listed, use the filters to find the others. */
export const receiverList = consoleCall<{ receivers: ReceiverRow[]; has_more: boolean }>()(
  '/receivers/list',
  record({
    accounts: listFields.accounts,
    state: Type.Optional(Type.Array(Type.Enum([...receiverStates]), { minItems: 1, maxItems: receiverStates.length })),
    /** A part of the address. */
    address: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    receiver_id: Type.Optional(Uuid),
  }),
);

/** Identifies a receiver, as in the audit log. */
const Receiver = record({ account_no: AccountNo, address: Type.String({ minLength: 1, maxLength: 32_768 }) });

/** Attempts in progress finish; all other callbacks wait. */
export const receiverPause = consoleCall<{ kind: 'paused' } | { kind: 'already' }>()('/receivers/pause', Receiver);

/** Waiting callbacks are sent at once. */
export const receiverResume = consoleCall<{ kind: 'resumed' } | { kind: 'already' }>()('/receivers/resume', Receiver);
