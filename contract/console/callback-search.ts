import { Type } from 'typebox';
import { callbackEvents } from '../logistics/callback.ts';
import { callbackDocumentTypes, callbackStatuses } from '../main/callbacks-search.ts';
import { CalendarDate, Identifier } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { type ListPage, listFields, record, Uuid } from './console-values.ts';

export type CallbackStatus = (typeof callbackStatuses)[number];
export type CallbackEvent = (typeof callbackEvents)[number];
export type CallbackDocumentType = (typeof callbackDocumentTypes)[number];

/** What has to happen before a callback is sent; `answer`: it is being sent, `its_turn`: a free worker takes it next. */
export type CallbackWaitsFor = 'earlier_callback' | 'answer' | 'paused_receiver' | 'receiver_on_hold' | 'its_time' | 'its_turn';

/** A row of the list of callbacks. */
export interface CallbackListRow {
  callback_id: number;
  account_no: string;
  event_id: string;
  event: CallbackEvent;
  document_type: CallbackDocumentType;
  document_id: number;
  /** The partner's number. */
  document_no: string;
  /** The how-manieth callback of its document it is. */
  sequence: number;
  receiver_id: string;
  url: string;
  status: CallbackStatus;
  attempts: number;
  /** What the last try brought; null: it was not tried yet. */
  last_attempt: { at: string; http_status: number | null; error: string | null } | null;
  /** null: it is not tried again. */
  waits_for: CallbackWaitsFor | null;
  /** When it is sent next, or when the hold of its receiver ends; null: no time is known. Never a time that had passed. */
  next_attempt_at: string | null;
  created_at: string;
  updated_at: string;
}

/** What a selection of callbacks is made by; days are those of Taipei, the last one included. */
export const callbackFilters = {
  accounts: listFields.accounts,
  status: Type.Optional(Type.Array(Type.Enum([...callbackStatuses]), { minItems: 1, maxItems: callbackStatuses.length })),
  event: Type.Optional(Type.Array(Type.Enum([...callbackEvents]), { minItems: 1, maxItems: callbackEvents.length })),
  document_type: Type.Optional(Type.Array(Type.Enum([...callbackDocumentTypes]), { minItems: 1, maxItems: callbackDocumentTypes.length })),
  document_no: Type.Optional(Identifier(255)),
  receiver_id: Type.Optional(Uuid),
  created_from: Type.Optional(CalendarDate),
  created_to: Type.Optional(CalendarDate),
};

/** The newest first. */
export const callbackSearch = consoleCall<ListPage<CallbackListRow>>()('/callbacks/search', record({ ...listFields, ...callbackFilters }));
