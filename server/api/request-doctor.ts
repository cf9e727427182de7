import { setTimeout as sleep } from 'node:timers/promises';
import { errorCatalogue, explainMessage } from '../../contract/error-catalogue.ts';
import type { Database } from '../platform/database.ts';
import { timeOfTraceId } from '../platform/ids.ts';
import { findRequest, type RequestLogLine } from '../platform/request-log.ts';

export interface Explanation {
  cause: string;
  cure: string;
}

/** What became of a call, and why. */
export type Finding =
  | { kind: 'found'; line: RequestLogLine; diagnosis: string[] | null; explanation: Explanation | null }
  | { kind: 'not_ours' }
  /** `isYoung`: it may still be written. */
  | { kind: 'missing'; isYoung: boolean };

/** A service that is busy, or whose database was away, writes a line a little later. */
const youngMaxMs = 60_000;
/** Clocks differ, but not by a day. */
const futureMaxMs = 86_400_000;

/** The log is written in groups, and of a refused signature after its diagnosis: a call of this moment is waited for. */
export async function examineRequest(database: Database, traceId: string, waitMaxMs: number): Promise<Finding> {
  const madeAt = timeOfTraceId(traceId);
  if (!madeAt || madeAt.getTime() > Date.now() + futureMaxMs) return { kind: 'not_ours' };
  const line = await findSoon(database, traceId, madeAt, waitMaxMs);
  if (!line) return { kind: 'missing', isYoung: ageMs(madeAt) < youngMaxMs };
  return { kind: 'found', line, diagnosis: line.diagnosis?.split('\n') ?? null, explanation: explain(line) };
}

async function findSoon(database: Database, traceId: string, madeAt: Date, waitMaxMs: number): Promise<RequestLogLine | null> {
  for (;;) {
    const line = await findRequest(database, traceId);
    if (line || ageMs(madeAt) > waitMaxMs) return line;
    await sleep(100);
  }
}

function ageMs(madeAt: Date): number {
  return Math.abs(Date.now() - madeAt.getTime());
}

/** Cause and cure of what was answered, by the catalogue of messages; null for what is none, or could be one of several. */
function explain({ contract, status, code, reason }: RequestLogLine): Explanation | null {
  const name = (['main', 'warehouse', 'logistics'] as const).find((one) => one === contract);
  if (name === undefined || reason === null) return null;
  const found = explainMessage(name, status, reason);
  if (found) return found;
  // The reason may say more than the caller was told; then the code tells which message it was.
  const told = errorCatalogue.filter((entry) => entry.contracts.includes(name) && entry.status === status && (entry.code ?? null) === code);
  return told.length === 1 ? { cause: told[0]!.cause, cure: told[0]!.cure } : null;
}
