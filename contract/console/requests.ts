import { Type } from 'typebox';
import type { Message } from '../../messages/message.ts';
import { Identifier, Instant } from '../values.ts';
import type { CallbackStatus } from './callbacks.ts';
import { consoleCall } from './console-call.ts';
import { AccountNo, type ListPage, listFields, record, Uuid } from './console-values.ts';

export const requestContracts = ['warehouse', 'main', 'logistics', 'console'] as const;
export type RequestContract = (typeof requestContracts)[number];

/** A line of the request log. */
export interface RequestRow {
  trace_id: string;
  at: string;
  contract: string;
  method: string;
  endpoint: string;
  status: number;
  duration_ms: number;
  account_no: string | null;
  document_no: string | null;
  code: string | null;
  /** Includes reasons that the caller does not see. */
  reason: Message | string | null;
}

export const requestDaysMax = 7;
export const requestMinutesDefault = 60;
const statusesMax = 10;

/** Either the last minutes or a range of at most seven days. Default: the last hour. */
export const requestRange = {
  minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: requestDaysMax * 24 * 60 })),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
};

export const requestFilters = {
  ...requestRange,
  /** null selects unknown callers. */
  account_no: Type.Optional(Type.Union([AccountNo, Type.Null()])),
  contract: Type.Optional(
    Type.Array(Type.Enum([...requestContracts]), { minItems: 1, maxItems: requestContracts.length }),
  ),
  /** Matches a part of the endpoint. */
  endpoint: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  /** Classes or single statuses, such as `4xx` or `409`. A request matches if one of them does. */
  status: Type.Optional(
    Type.Array(Type.String({ pattern: '^[1-5](xx|[0-9]{2})$' }), { minItems: 1, maxItems: statusesMax }),
  ),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  document_no: Type.Optional(Identifier(255)),
  trace_id: Type.Optional(Uuid),
};

export interface RequestPage extends ListPage<RequestRow> {
  /** The range that is searched. The first page fixes it for the following pages. */
  from: string;
  to: string;
  /** The search has gone back to this time; null if it has covered the whole range. */
  searched_to: string | null;
}

/** Newest first. A page may be short or empty although others follow, because each call has a time limit. */
export const requestSearch = consoleCall<RequestPage>()(
  '/requests/search',
  record({ ...requestFilters, page_size: listFields.page_size, cursor: listFields.cursor }),
);

export interface RequestGroup {
  contract: string;
  endpoint: string;
  status: number;
  code: string | null;
  account_no: string | null;
  count: number;
  last_at: string;
  /** The trace id of the last request. */
  trace_id: string;
  reason: Message | string | null;
}

export const requestGroupsMax = 200;

const { account_no, contract, minutes, from, to } = requestFilters;

/** Rejected and failed requests in a range, the most frequent group first. */
export const requestGrouped = consoleCall<{
  groups: RequestGroup[];
  has_more: boolean;
  from: string;
  to: string;
  /** Counting stopped here because it took too long; null if it covered the whole range. */
  searched_to: string | null;
}>()('/requests/grouped', record({ minutes, from, to, account_no, contract }));

export interface RequestDocument {
  type: 'order' | 'inbound';
  document_id: number;
  account_no: string;
  partner_number: string;
  document_no: string;
  status: string;
  /** The events that the call caused, including creation; empty if it only mentioned the document. */
  done: { event: string; to: string }[];
}

export interface RequestDetail {
  kind: 'found';
  line: RequestRow;
  /** The mistakes in a rejected signature; text for rows from before messages had codes. */
  diagnosis: (Message | string)[] | null;
  /** The code of any other rejection in the error catalogue, by which pages look up its cause and fix. */
  error: string | null;
  documents: RequestDocument[];
  /** The callbacks of these documents. */
  callbacks: { callback_id: number; event: string; document_no: string; status: CallbackStatus; created_at: string }[];
  actions: { at: string; username: string; action: string; subject: string | null; outcome: string | null }[];
}

/** `is_young`: the request may still be written to the log. */
export const requestDetail = consoleCall<
  RequestDetail | { kind: 'not_ours' } | { kind: 'missing'; is_young: boolean }
>()('/requests/detail', record({ trace_id: Uuid }));
