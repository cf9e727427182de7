import { describeError, type Log } from '../../platform/log.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import type { DiagnosedRequest, RequestLogLine } from './request-log-line.ts';
import { dropDaysBeyond, insertLines, prepareDays } from './request-log-queries.ts';

export interface RequestLog {
  /** A line whose diagnosis is running waits for it. */
  add(line: RequestLogLine, diagnosis?: Promise<DiagnosedRequest>): void;
  /** Writes every line added so far. */
  flush(): Promise<void>;
  /** Writes the lines that wait; called when the service ends. */
  close(): Promise<void>;
}

const waitingMax = 20_000;
const groupMax = 1_000;
const flushEveryMs = 500;
const measureEveryMs = 60_000;

interface RequestLogOptions {
  log: Log;
  onDropped: (count: number) => void;
  maxBytes?: number;
}

export function makeRequestLog(database: Database, options: RequestLogOptions): RequestLog {
  return new BufferedRequestLog(database, options);
}

/**
 * Lines wait in memory and are written in groups. If the database is unavailable for long, the oldest are dropped and
 * counted.
 */
class BufferedRequestLog implements RequestLog {
  private readonly database: Database;
  private readonly options: RequestLogOptions;
  private readonly waiting: RequestLogLine[] = [];
  private readonly underDiagnosis = new Set<Promise<void>>();
  private readonly daysPrepared = new Set<string>();
  private readonly timer: NodeJS.Timeout;
  private writing: Promise<void> | null = null;
  private isFull = false;
  private measuredMs = Number.NEGATIVE_INFINITY;

  constructor(database: Database, options: RequestLogOptions) {
    this.database = database;
    this.options = options;
    this.timer = setInterval(() => void this.write(), flushEveryMs);
    this.timer.unref();
  }

  add(line: RequestLogLine, diagnosis?: Promise<DiagnosedRequest>): void {
    if (diagnosis) this.enqueueDiagnosed(line, diagnosis);
    else this.enqueue(line);
  }

  async flush(): Promise<void> {
    await Promise.all(this.underDiagnosis);
    await this.write();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.writing;
    await this.flush();
  }

  private enqueue(line: RequestLogLine): void {
    this.waiting.push(line);
    if (this.waiting.length > waitingMax) this.options.onDropped(this.waiting.splice(0, groupMax).length);
  }

  private enqueueDiagnosed(line: RequestLogLine, diagnosing: Promise<DiagnosedRequest>): void {
    const done = diagnosing
      .then(({ diagnosis, provenAccountNo }) =>
        this.enqueue({ ...line, account_no: line.account_no ?? provenAccountNo, diagnosis }),
      )
      .finally(() => this.underDiagnosis.delete(done));
    this.underDiagnosis.add(done);
  }

  private write(): Promise<void> {
    this.writing ??= this.writeWaiting().finally(() => {
      this.writing = null;
    });
    return this.writing;
  }

  private async writeWaiting(): Promise<void> {
    const { database, options, waiting } = this;
    while (waiting.length > 0) {
      const group = waiting.splice(0, groupMax);
      try {
        // Creates the partition of a new day first: only then can an earlier day that fills the log be dropped.
        await prepareDays(database, group, this.daysPrepared);
        await this.keepWithinSize();
        if (this.isFull) {
          options.onDropped(group.length);
          continue;
        }
        await database.read(noAccounts, (sql) => insertLines(sql, group));
      } catch (error) {
        waiting.unshift(...group);
        options.log.warn(describeError(error), 'the request log could not be written; its lines wait');
        return;
      }
    }
  }

  /** Every node that writes does this, because the clean-up job runs only once an hour. */
  private async keepWithinSize(): Promise<void> {
    const { log, maxBytes } = this.options;
    if (maxBytes === undefined || performance.now() - this.measuredMs < measureEveryMs) return;
    const { dropped, bytes } = await dropDaysBeyond(this.database, maxBytes);
    for (const name of dropped) this.daysPrepared.delete(name);
    this.measuredMs = performance.now();
    if (dropped.length > 0) log.warn({ dropped }, 'the request log was too large; its oldest days were dropped');
    if (bytes > maxBytes && !this.isFull)
      log.error({ bytes }, 'the lines of today alone fill the request log; none are written');
    this.isFull = bytes > maxBytes;
  }
}
