import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode } from '../../messages/errors.ts';
import { formatStored } from '../../messages/format-message.ts';
import { type Message, readMessage } from '../../messages/message.ts';
import { errorCatalogue, findCatalogued } from '../../reference/error-catalogue.ts';
import type { RequestLogLine } from '../domain/requests/request-log-line.ts';
import { findRequest } from '../domain/requests/request-log-queries.ts';
import { timeOfTraceId } from '../platform/ids.ts';
import type { Database } from '../platform/postgres/database.ts';

/** The result of looking up a request by its trace id. */
export type Finding =
  | { kind: 'found'; line: RequestLogLine; diagnosis: (Message | string)[] | null; error: ErrorCode | null }
  | { kind: 'not_ours' }
  /** `isYoung`: the request is so recent that its log line may not be written yet. */
  | { kind: 'missing'; isYoung: boolean };

/** If the service is busy or its database was unavailable, log lines are written late. */
const youngMaxMs = 60_000;
/** Tolerates differences between clocks, which are always less than a day. */
const futureMaxMs = 86_400_000;

/**
 * Waits for recent requests, because the log is written in batches, and rejected signatures only after their diagnosis.
 */
export async function examineRequest(database: Database, traceId: string, waitMaxMs: number): Promise<Finding> {
  const madeAt = timeOfTraceId(traceId);
  if (!madeAt || madeAt.getTime() > Date.now() + futureMaxMs) return { kind: 'not_ours' };
  const line = await findSoon(database, traceId, madeAt, waitMaxMs);
  if (!line) return { kind: 'missing', isYoung: ageMs(madeAt) < youngMaxMs };
  return {
    kind: 'found',
    line,
    diagnosis: line.diagnosis?.split('\n').map(readMessage) ?? null,
    error: errorOf(line),
  };
}

async function findSoon(
  database: Database,
  traceId: string,
  madeAt: Date,
  waitMaxMs: number,
): Promise<RequestLogLine | null> {
  for (;;) {
    const line = await findRequest(database, traceId);
    if (line || ageMs(madeAt) > waitMaxMs) return line;
    await sleep(100);
  }
}

function ageMs(madeAt: Date): number {
  return Math.abs(Date.now() - madeAt.getTime());
}

/** The response in the error catalogue; null if there is no entry or more than one. */
function errorOf({ contract, status, code, reason }: RequestLogLine): ErrorCode | null {
  const name = (['main', 'warehouse', 'logistics'] as const).find((one) => one === contract);
  if (name === undefined || reason === null) return null;
  const found = findCatalogued(name, status, formatStored(reason));
  if (found) return found.error;
  // The logged reason may be more detailed than the message to the caller; then the code identifies the message.
  const matching = errorCatalogue.filter(
    (entry) => entry.contracts.includes(name) && entry.status === status && (entry.code ?? null) === code,
  );
  return matching.length === 1 ? matching[0]!.error : null;
}
