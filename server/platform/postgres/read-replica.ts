import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { ConnectionError, isFarewell } from './connection.ts';
import type { ConnectionTarget } from './connection-target.ts';
import { type Database, openDatabase, type Reader } from './database.ts';
import { before, DatabaseUnavailable } from './deadline.ts';
import {
  type DatabaseIdentity,
  formatPosition,
  hasReached,
  type LogPosition,
  parsePosition,
  positionOfPrimary,
  positionOfStandby,
} from './log-position.ts';
import { type Reads, Seen, unknownSeen } from './reads.ts';
import { noAccounts, type Sql } from './sql.ts';
import { makeStandbyConnector, type Refusal, type StandbyConnector } from './standby-connector.ts';

/**
 * Where a read went: to the replica, or to the primary because the replica has not replayed what the caller has seen,
 * because it cannot be used, or because it rejected or cancelled the statement.
 */
export const readSources = ['replica', 'primary_behind', 'primary_unavailable', 'primary_cancelled'] as const;
export type ReadSource = (typeof readSources)[number];

export interface ReplicaWatcher {
  onRead(source: ReadSource): void;
  /** The replica cannot be used from now on, or can be used again (null). */
  onTrouble?(reason: string | null): void;
}

export interface ReplicaOptions {
  /** For everything that the replica cannot show. */
  primary: Database;
  identity: DatabaseIdentity;
  max: number;
  deadlineSeconds: number | null;
  role: string;
  purpose: string;
  /** Default: one second. */
  answerWithinMs?: number;
}

/** Longer than the usual lag of a replica that keeps up, and hardly noticed by a person. */
const waitMaxMs = 250;
const pauseMinMs = 2;
const pauseMaxMs = 25;
/** A replica that was too slow for one caller is not waited for again within this time. */
const noWaitMs = 2000;
/** A replica that says nothing in this time is not used until it answers again. */
const answerWithinDefaultMs = 1000;
const tryAgainMs = 1000;
/** An audit takes long itself, so it can wait longer. */
const patientWaitMaxMs = 2000;

const noAnswer = 'no answer';

type Attempt<T> = { source: 'replica'; result: T } | { source: Exclude<ReadSource, 'replica'> };

/** Reads from a standby of the primary. Whatever happens to the standby, the primary answers instead. */
export class ReadReplica implements Reads {
  private readonly database: Database;
  private readonly connector: () => StandbyConnector;
  private readonly primary: Database;
  private readonly system: string;
  private readonly answerWithinMs: number;
  private readonly watchers: ReplicaWatcher[];
  /** Why the replica cannot be used now. */
  private trouble: string | null;
  private retry: NodeJS.Timeout | null;
  /** A replica on a lower timeline follows a primary that has been replaced. */
  private timelineMin: number;
  private noWaitUntilMs: number;
  private isClosed: boolean;

  constructor(target: ConnectionTarget, { primary, identity, answerWithinMs, ...options }: ReplicaOptions) {
    let connector: StandbyConnector;
    this.database = openDatabase(target, {
      ...options,
      makeConnector(_target, { role, statementTimeoutMs }) {
        connector = makeStandbyConnector(target, identity, { role, statementTimeoutMs });
        return connector;
      },
    });
    this.connector = () => connector;
    this.primary = primary;
    this.system = identity.system;
    this.answerWithinMs = answerWithinMs ?? answerWithinDefaultMs;
    this.watchers = [];
    this.trouble = null;
    this.retry = null;
    this.timelineMin = 0;
    this.noWaitUntilMs = 0;
    this.isClosed = false;
  }

  /** Connects for the first time. Returns why that failed; a later attempt may succeed, unless the reason is final. */
  async start(): Promise<Refusal | null> {
    await this.currentPosition();
    await this.tryAgain();
    return this.trouble === null ? null : (this.connector().refusal() ?? { isFinal: false, reason: this.trouble });
  }

  watch(watcher: ReplicaWatcher): void {
    this.watchers.push(watcher);
  }

  seenBy(texts: (string | null | undefined)[]): Seen {
    const seen = new Seen(null, texts.includes(unknownSeen));
    for (const text of texts) {
      const [system, position] = text?.split('.', 2) ?? [];
      const parsed = system === this.system ? parsePosition(position ?? '') : null;
      if (parsed !== null) seen.raise(parsed);
    }
    return seen;
  }

  textOf({ position, isUnknown }: Seen): string | null {
    if (isUnknown) return unknownSeen;
    return position === null ? null : `${this.system}.${formatPosition(position)}`;
  }

  for(seen: Seen): Reader {
    return { read: (accountIds, work, withinSeconds) => this.read(seen, accountIds, work, withinSeconds) };
  }

  async showEverything(seen: Seen): Promise<void> {
    const position = await this.currentPosition().catch(() => null);
    seen.isUnknown = position === null;
    if (position !== null) seen.raise(position);
  }

  /** Reads that show everything that is committed by now. */
  async fromNow(): Promise<Reader> {
    const seen = new Seen(null, true);
    const outcome = await this.attempt(seen, noAccounts, async () => {}, { waitMs: patientWaitMaxMs });
    return outcome.source === 'replica' ? this.for(seen) : this.primary;
  }

  /** Asks the replica now. Returns why it cannot be used; null if it can. */
  async check(): Promise<string | null> {
    if (this.trouble === null) await this.attempt(new Seen(null, false), noAccounts, async () => {});
    return this.trouble;
  }

  /** How many bytes of the log the replica has not replayed. */
  async lagBytes(): Promise<number> {
    if (this.trouble !== null) return Number.NaN;
    const [written, replayed] = await Promise.all([
      this.currentPosition(),
      this.database.read(noAccounts, positionOfStandby, this.answerWithinMs / 1000),
    ]);
    return replayed === null ? Number.NaN : Math.max(0, Number(written.lsn - replayed.lsn));
  }

  load(): { busy: number } {
    return this.database.load();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    if (this.retry) clearTimeout(this.retry);
    await this.database.close();
  }

  private async read<T>(
    seen: Seen,
    accountIds: readonly number[],
    work: (sql: Sql) => Promise<T>,
    withinSeconds?: number,
  ): Promise<T> {
    const outcome = await this.attempt(seen, accountIds, work, { withinSeconds });
    for (const watcher of this.watchers) watcher.onRead(outcome.source);
    if (outcome.source === 'replica') return outcome.result;
    return await this.primary.read(
      accountIds,
      async (sql) => {
        const result = await work(sql);
        seen.raise(this.noteTimeline(await positionOfPrimary(sql)));
        seen.isUnknown = false;
        return result;
      },
      withinSeconds,
    );
  }

  /** The position is compared on the connection that the work then uses, because a URL may lead to several standbys. */
  private async attempt<T>(
    seen: Seen,
    accountIds: readonly number[],
    work: (sql: Sql) => Promise<T>,
    { withinSeconds, waitMs = waitMaxMs }: { withinSeconds?: number | undefined; waitMs?: number } = {},
  ): Promise<Attempt<T>> {
    if (seen.isUnknown) await this.showEverything(seen);
    if (seen.isUnknown) return { source: 'primary_behind' };
    // Work that waits for a connection says nothing about the replica.
    const { busy, max } = this.database.load();
    if (this.trouble !== null || busy >= max) return { source: 'primary_unavailable' };
    const answered = Promise.withResolvers<void>();
    let hasAnswered = false;
    let isAbandoned = false;
    let failure: unknown = null;

    const reading = this.database.read<Attempt<T>>(
      accountIds,
      async (sql) => {
        try {
          const position = await replayedBy(sql);
          hasAnswered = true;
          answered.resolve();
          if (isAbandoned) throw new DatabaseUnavailable('the replica answered too late');
          if (!(await this.reaches(sql, seen, position, waitMs))) return { source: 'primary_behind' };
          const result = await work(sql);
          seen.raise(await replayedBy(sql));
          return { source: 'replica', result };
        } catch (error) {
          failure = error;
          throw error;
        }
      },
      withinSeconds,
    );

    try {
      await before(Promise.race([answered.promise, reading]), performance.now() + this.answerWithinMs, () => {
        isAbandoned = true;
        return new DatabaseUnavailable(noAnswer);
      });
      return await reading;
    } catch (error) {
      const isTooSlow = hasAnswered && failure === null;
      if (isTooSlow || isOfStatement(failure)) return { source: 'primary_cancelled' };
      if (failure !== null && !isOfServer(failure)) throw error;
      this.fail(isAbandoned ? noAnswer : this.explain(failure));
      return { source: 'primary_unavailable' };
    }
  }

  /** Waits a little for a replica that is behind, unless it has just been too slow for another caller. */
  private async reaches(sql: Sql, seen: Seen, first: LogPosition, waitMs: number): Promise<boolean> {
    const wanted = {
      timeline: Math.max(this.timelineMin, seen.position?.timeline ?? 0),
      lsn: seen.position?.lsn ?? 0n,
    };
    if (hasReached(first, wanted)) return true;
    if (first.timeline < wanted.timeline || performance.now() < this.noWaitUntilMs) return false;

    const giveUpAtMs = performance.now() + waitMs;
    for (let pauseMs = pauseMinMs; performance.now() < giveUpAtMs; pauseMs = Math.min(2 * pauseMs, pauseMaxMs)) {
      await sleep(pauseMs);
      if (hasReached(await replayedBy(sql), wanted)) return true;
    }
    this.noWaitUntilMs = performance.now() + noWaitMs;
    return false;
  }

  private async currentPosition(): Promise<LogPosition> {
    return this.noteTimeline(await this.primary.read(noAccounts, positionOfPrimary));
  }

  private noteTimeline(position: LogPosition): LogPosition {
    this.timelineMin = Math.max(this.timelineMin, position.timeline);
    return position;
  }

  private explain(failure: unknown): string {
    if (failure !== null) return failure instanceof NotStandby ? failure.message : 'the connection was lost';
    return this.connector().refusal()?.reason ?? noAnswer;
  }

  private fail(reason: string): void {
    if (this.isClosed) return;
    this.setTrouble(reason);
    this.retry ??= setTimeout(() => void this.tryAgain(), tryAgainMs).unref();
  }

  private async tryAgain(): Promise<void> {
    this.retry = null;
    try {
      await this.database.read(noAccounts, replayedBy);
      this.setTrouble(null);
    } catch {
      this.fail(this.explain(null));
    }
  }

  private setTrouble(reason: string | null): void {
    if (reason === this.trouble) return;
    this.trouble = reason;
    for (const watcher of this.watchers) watcher.onTrouble?.(reason);
  }
}

/** The standby was promoted. Its connections survive that, but must not return to the pool. */
class NotStandby extends ConnectionError {}

async function replayedBy(sql: Sql): Promise<LogPosition> {
  const position = await positionOfStandby(sql);
  if (position !== null) return position;
  await sql`select pg_terminate_backend(pg_backend_pid())`.catch(() => {});
  throw new NotStandby('NOT_STANDBY', 'the server is not a standby any more');
}

/** The server works, but rejected or cancelled this statement, for example because it conflicts with the replay. */
function isOfStatement(error: unknown): boolean {
  return error instanceof DatabaseError && !isFarewell(error);
}

function isOfServer(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof DatabaseUnavailable || isFarewell(error);
}
