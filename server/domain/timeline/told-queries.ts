import type { Sql } from '../../platform/database.ts';
import { timeOfTraceId } from '../../platform/ids.ts';
import type { RequestLogLine } from '../../platform/request-log.ts';
import { taipeiTime } from '../../platform/taipei-time.ts';
import type { CallbackStatus } from '../callbacks/callback.ts';
import type { TimelineOf } from './state-change-queries.ts';

// What partners asked about a document, and what they were told of it.

/** A line of the request log. */
export type LoggedCall = Pick<RequestLogLine, 'trace_id' | 'contract' | 'endpoint' | 'code' | 'reason'> & {
  at: string;
  http_status: number;
};

const callsMax = 200;

/**
 * The calls with these trace ids, and the newest of the others that named the document by its number. A line's time is that of its trace id, so that only
 * the days concerned are looked into. A call that names a number may be refused before the document is there, and come long after it: by the number,
 * all days that are kept are looked into.
 */
export async function findCallsAbout(
  sql: Sql,
  { traceIds, accountNo, number }: { traceIds: string[]; accountNo: string; number: string },
): Promise<{ calls: LoggedCall[]; hasMoreCalls: boolean }> {
  const traced = traceIds.slice(-callsMax);
  const times = traced.flatMap((traceId) => timeOfTraceId(traceId)?.toISOString() ?? []);
  const line = sql.unsafe(`${taipeiTime('at')}, trace_id, contract, endpoint, status as http_status, code, reason`);
  const [made, named] = await Promise.all([
    sql<LoggedCall[]>`
      select ${line} from request_log where trace_id = any(${traced}::uuid[]) and at = any(${times}::timestamptz[])`,
    sql<LoggedCall[]>`
      select ${line} from request_log
      where document_no = ${number} and account_no = ${accountNo} and not trace_id = any(${traced}::uuid[])
      order by request_log.at desc limit ${callsMax + 1}`,
  ]);
  return {
    calls: [...made, ...named.slice(0, callsMax)],
    hasMoreCalls: traceIds.length > callsMax || named.length > callsMax,
  };
}

/** As callbacks name what they are about. */
export const callbackTypesOf: Record<TimelineOf, string[]> = { order: ['order'], inbound: ['inbound', 'return'] };

export interface TriedCallback {
  callback_id: number;
  event: string;
  status: CallbackStatus;
  url: string;
  created_at: string;
}

export interface CallbackTry {
  callback_id: number;
  attempt_no: number;
  at: string;
  duration_ms: number;
  http_status: number | null;
  error: string | null;
}

const triesMax = 200;

/** All of a document's callbacks, and the newest tries of them. */
export async function findCallbacksWithTries(
  sql: Sql,
  type: TimelineOf,
  documentId: number,
): Promise<{ callbacks: TriedCallback[]; tries: CallbackTry[]; hasMoreTries: boolean }> {
  const callbacks = await sql<TriedCallback[]>`
    select callback_id, event, status, url, ${sql.unsafe(taipeiTime('created_at'))}
    from callback where document_type = any(${callbackTypesOf[type]}) and document_id = ${documentId} order by sequence`;
  if (callbacks.length === 0) return { callbacks, tries: [], hasMoreTries: false };
  const tries = await sql<CallbackTry[]>`
    select callback_id, attempt_no, ${sql.unsafe(taipeiTime('at'))}, duration_ms, http_status, error from callback_attempt
    where callback_id = any(${callbacks.map(({ callback_id }) => callback_id)}) order by callback_attempt.at desc limit ${triesMax + 1}`;
  return { callbacks, tries: tries.slice(0, triesMax), hasMoreTries: tries.length > triesMax };
}
