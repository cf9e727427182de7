import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes, Failure } from '../server/command-line.ts';
import type { Database } from '../server/platform/database.ts';
import { timeOfTraceId } from '../server/platform/ids.ts';
import { findRequest, type RequestLogLine } from '../server/platform/request-log.ts';
import { storeCommand } from './store-command.ts';

/** The log is written in groups: a call of this moment may take that long to be found. */
const writtenWithinMs = 2000;
/** Clocks differ, but not by a day. */
const futureMaxMs = 86_400_000;

/** `lading doctor TRACE_ID`: what became of a call, and why. */
export function doctorCommand() {
  return storeCommand('doctor', 'tell what became of an API call, and why', async (store, _config, traceId: string) => {
    const madeAt = timeOfTraceId(traceId);
    if (!madeAt || madeAt.getTime() > Date.now() + futureMaxMs) throw new Failure(exitCodes.wrongUsage, 'this is not a trace id of ours');
    const line = await findSoon(store.database, traceId);
    if (!line) throw new Failure(exitCodes.refused, 'no call with this trace id is in the request log (it is kept for REQUEST_LOG_DAYS)');
    return { json: line, words: wordLine(line) };
  }).argument('<trace-id>', 'from the answer: the header trace-id, in the warehouse API also trace_id');
}

async function findSoon(database: Database, traceId: string): Promise<RequestLogLine | null> {
  for (;;) {
    const line = await findRequest(database, traceId);
    if (line || Math.abs(Date.now() - timeOfTraceId(traceId)!.getTime()) > writtenWithinMs) return line;
    await sleep(100);
  }
}

function wordLine(line: RequestLogLine): string {
  const parts: [string, unknown][] = [
    ['when', line.at.toISOString()],
    ['call', `${line.method} ${line.endpoint} (${line.contract} API)`],
    ['account', line.account_no ?? 'not known'],
    ['document', line.document_no ?? '-'],
    ['answer', [line.status, line.code].filter(Boolean).join(' ')],
    ['why', line.reason ?? '-'],
    ['took', `${(line.duration_us / 1000).toFixed(1)} ms`],
  ];
  return parts.map(([label, value]) => `${label.padEnd(10)}${value}`).join('\n');
}
