import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { readableErrors } from './readable-log.ts';
import { makeRepeatLimiter, type RepeatLimiter } from './repeated-lines.ts';

export type Log = Logger;
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** If the reader of the log stops reading, lines beyond this limit are dropped; requests are never blocked. */
const unwrittenMaxBytes = 4 * 1_048_576;

/**
 * Writes JSON lines to standard error; standard output is for the results of commands. `pid` tells the processes of a
 * node apart.
 */
export function makeLog(
  level: string,
  stream: DestinationStream = standardError(),
  pid?: number,
  limiter?: RepeatLimiter,
): Log {
  return pino(
    {
      level,
      ...(limiter ? { hooks: { logMethod: limiter.logMethod } } : {}),
      base: pid === undefined ? null : { pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
}

/** The log of a service that runs for long; on a terminal, people can read it. Of similar warnings it writes a few, and every minute the number of the others. */
export function makeServiceLog(level: string, pid?: number): { log: Log; sumUp(): void } {
  const limiter = makeRepeatLimiter();
  setInterval(limiter.sumUp, sumUpEveryMs).unref();
  const stream = process.stderr.isTTY ? readableErrors() : undefined;
  return { log: makeLog(level, stream, pid, limiter), sumUp: limiter.sumUp };
}

const sumUpEveryMs = 60_000;

/** Waits until the log is written, so that later output follows it; only briefly, in case the log is not being read. */
export async function flushLog(log: Log): Promise<void> {
  const written = new Promise<void>((done) => log.flush(() => done()));
  await Promise.race([written, sleep(flushMs, undefined, { ref: false })]);
}

const flushMs = 500;

function standardError(): DestinationStream {
  return destination({ dest: 2, sync: false, maxLength: unwrittenMaxBytes });
}

/**
 * The parts of an error that may be logged. Messages of the classes 22 (data) and 23 (constraint), and details of any
 * error of the database, quote values; these are omitted.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (error instanceof DatabaseError) {
    const quotesValues = /^2[23]/.test(error.code ?? '');
    return {
      error: quotesValues ? 'DatabaseError' : error.message,
      sqlstate: error.code,
      table: error.table,
      constraint: error.constraint,
      stack: stackFrames(error),
    };
  }
  if (error instanceof Error) return { error: `${error.name}: ${error.message}`, stack: stackFrames(error) };
  return { error: typeof error };
}

/** The stack frames without the first line, which repeats the message. */
function stackFrames(error: Error): string[] {
  return (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 12)
    .map((line) => line.trim());
}
