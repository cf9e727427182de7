import type { BodyOf } from '../../../contract/console/console-call.ts';
import { pageSizeDefault } from '../../../contract/console/console-values.ts';
import { type RequestRow, requestDaysMax, requestMinutesDefault, requestSearch } from '../../../contract/console/request-search.ts';
import { timeOfTraceId } from '../../platform/ids.ts';
import { type FoundRequest, findRequestRow, type RequestFilter, searchRequests } from '../../platform/request-log-search.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { mistakeAt } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';

type Body = BodyOf<typeof requestSearch>;

export function requestsSearchCall({ database, cursors, clock }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(requestSearch, {
    role: 'read-only',
    audit: null,
    async handle(_caller, { page_size = pageSizeDefault, cursor, ...asked }) {
      const scope = {
        list: 'console/requests',
        accountIds: [],
        search: { filters: { asked: { anyOf: [JSON.stringify(asked)] } }, sort: null },
      };
      const place = cursor === undefined ? null : cursors.read(scope, cursor);
      if (cursor !== undefined && place === null) throw mistakeAt('cursor', 'is not of this search');
      const { from, to } = place === null ? rangeOf(asked, clock.now()) : { from: new Date(place[0]!), to: new Date(place[1]!) };

      const searched = { from: from.toISOString(), to: to.toISOString() };
      if (asked.trace_id !== undefined) {
        const row = await database.read((sql) => findRequestRow(sql, asked.trace_id!));
        return { rows: row ? [wordRequest(row)] : [], next_cursor: null, ...searched, searched_to: null };
      }
      const after = place?.[2] ?? null;
      const { rows, next } = await searchRequests(database, { from, to, after }, requestFilterOf(asked), page_size);
      return {
        rows: rows.map(wordRequest),
        next_cursor: next === null ? null : cursors.write(scope, [searched.from, searched.to, next]),
        ...searched,
        searched_to: next === null ? null : timeOfTraceId(next)!.toISOString(),
      };
    },
  });
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Without an end it is until now, and a little beyond: clocks differ. */
export function rangeOf(asked: { minutes?: number; from?: string; to?: string }, now: Date): { from: Date; to: Date } {
  if (asked.minutes !== undefined && (asked.from ?? asked.to) !== undefined)
    throw mistakeAt('minutes', 'must not be given with from or to');
  const to = asked.to === undefined ? new Date(now.getTime() + minuteMs) : new Date(asked.to);
  const end = Math.min(to.getTime(), now.getTime());
  const from = asked.from === undefined ? new Date(end - (asked.minutes ?? requestMinutesDefault) * minuteMs) : new Date(asked.from);
  if (from >= to) throw mistakeAt('from', 'must be before to');
  if (to.getTime() - from.getTime() > requestDaysMax * dayMs + minuteMs)
    throw mistakeAt('from', `must be at most ${requestDaysMax} days before to`);
  return { from, to };
}

export function requestFilterOf({ account_no, contract, endpoint, status, code, document_no }: Partial<Body>): RequestFilter {
  return {
    ...(account_no === undefined ? {} : { accountNo: account_no }),
    ...(contract && { contracts: contract }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(status && { statuses: status.map(statusRange) }),
    ...(code === undefined ? {} : { code }),
    ...(document_no === undefined ? {} : { documentNo: document_no }),
  };
}

/** `4xx` is all of them, `409` is itself. */
function statusRange(text: string): { from: number; to: number } {
  if (!text.endsWith('xx')) return { from: Number(text), to: Number(text) };
  const hundred = Number(text[0]) * 100;
  return { from: hundred, to: hundred + 99 };
}

export function wordRequest({ duration_us, ...line }: FoundRequest): RequestRow {
  return { ...line, duration_ms: duration_us / 1000 };
}
