import { Type } from 'typebox';
import { Identifier, Instant } from '../values.ts';
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
  /** Also what the caller is not told. */
  reason: string | null;
}

export const requestDaysMax = 7;
export const requestMinutesDefault = 60;
const statusesMax = 10;

/** The last so many minutes, or from and to; at most seven days. Left out: the last hour. */
export const requestRange = {
  minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: requestDaysMax * 24 * 60 })),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
};

export const requestFilters = {
  ...requestRange,
  /** null: of callers who are not known. */
  account_no: Type.Optional(Type.Union([AccountNo, Type.Null()])),
  contract: Type.Optional(Type.Array(Type.Enum([...requestContracts]), { minItems: 1, maxItems: requestContracts.length })),
  /** A part of it. */
  endpoint: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  /** `4xx` or `409`; any of them. */
  status: Type.Optional(Type.Array(Type.String({ pattern: '^[1-5](xx|[0-9]{2})$' }), { minItems: 1, maxItems: statusesMax })),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  document_no: Type.Optional(Identifier(255)),
  trace_id: Type.Optional(Uuid),
};

export interface RequestPage extends ListPage<RequestRow> {
  /** What was searched through: the first page settles it, and the others keep to it. */
  from: string;
  to: string;
  /** Back to here, so far; null: all of it. */
  searched_to: string | null;
}

/** The newest first. A page may hold fewer than asked for, or none, although others follow: then it took too long to find more. */
export const requestSearch = consoleCall<RequestPage>()(
  '/requests/search',
  record({ ...requestFilters, page_size: listFields.page_size, cursor: listFields.cursor }),
);
