import { timeOfTraceId } from '../../platform/ids.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { RequestLogLine } from './request-log-line.ts';

/** A line of the request log. */
export type LoggedRequest = Pick<RequestLogLine, 'trace_id' | 'contract' | 'endpoint' | 'code' | 'reason'> & {
  at: string;
  http_status: number;
};

const callsMax = 200;

/**
 * The requests with these trace ids, and the newest of the others that named the document by its number. A line has the
 * time of its trace id, so only the partitions of those days are read. A request that names the number may be refused
 * before the document exists or come long after it, so the search by number reads all days.
 */
export async function findRequestsAbout(
  sql: Sql,
  { traceIds, accountNo, number }: { traceIds: string[]; accountNo: string; number: string },
): Promise<{ calls: LoggedRequest[]; hasMoreRequests: boolean }> {
  const traced = traceIds.slice(-callsMax);
  const times = traced.flatMap((traceId) => timeOfTraceId(traceId)?.toISOString() ?? []);
  const line = sql.unsafe(`${taipeiTime('at')}, trace_id, contract, endpoint, status as http_status, code, reason`);
  const [made, named] = await Promise.all([
    sql<LoggedRequest[]>`
      select ${line} from request_log where trace_id = any(${traced}::uuid[]) and at = any(${times}::timestamptz[])`,
    sql<LoggedRequest[]>`
      select ${line} from request_log
      where document_no = ${number} and account_no = ${accountNo} and not trace_id = any(${traced}::uuid[])
      order by request_log.at desc limit ${callsMax + 1}`,
  ]);
  return {
    calls: [...made, ...named.slice(0, callsMax)],
    hasMoreRequests: traceIds.length > callsMax || named.length > callsMax,
  };
}
