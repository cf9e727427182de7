import { statfs } from 'node:fs/promises';
import type { Readiness } from './api/health.ts';
import { describeTrouble } from './open-read-replica.ts';
import { readArchiveStatus, troubleOfArchive } from './platform/postgres/backup/archive-status.ts';
import type { Database } from './platform/postgres/database.ts';
import { before, DatabaseUnavailable } from './platform/postgres/deadline.ts';
import { rethrowUnavailable } from './platform/postgres/errors.ts';
import type { ReadReplica } from './platform/postgres/read-replica.ts';
import type { ServerStatus, StatusReader } from './platform/postgres/server-status.ts';
import { noAccounts } from './platform/postgres/sql.ts';

/** Everything that readiness depends on. */
export interface ReadinessFacts {
  /** The state of the primary, or why it cannot be used. */
  server: ServerStatus | { outage: string };
  /** Whether a commit of this node has an unknown outcome, and none has been confirmed since. */
  isInDoubt: boolean;
  /** How long the oldest commit of this node has had no answer. */
  longestCommitSeconds: number;
  secondsSinceFullDisk: number;
  /** On the disk of the embedded PostgreSQL; null if there is none, or if it is unknown. */
  freeBytes: number | null;
  /** The number of the last migration of this version. */
  migration: number;
  /** Why the read replica cannot be used; null if it can be, or if there is none. */
  replicaTrouble: string | null;
  /** Why the log is not archived; null if it is, or if there is no archive. */
  archiveTrouble: string | null;
}

const commitSecondsMax = 3;
const fullDiskSeconds = 10;
const mebibyte = 1_048_576;
export const freeBytesMin = 100 * mebibyte;
export const freeBytesLow = 1024 * mebibyte;
const checkWithinMs = 3000;
const archiveWithinSeconds = 1;

/**
 * Reasons are for what makes most requests fail. Anything that a load balancer cannot improve by choosing another node,
 * and that does not make requests fail yet, is a warning.
 */
export function judgeReadiness(facts: ReadinessFacts): Readiness {
  const { server, freeBytes } = facts;
  const isOut = 'outage' in server;
  const found: [isFound: boolean, reason: string][] = [
    ...(isOut ? [[true, `database: ${server.outage}`] as [boolean, string]] : reasonsOf(server, facts)),
    [facts.secondsSinceFullDisk < fullDiskSeconds, 'database: its disk is full'],
    [freeBytes !== null && freeBytes < freeBytesMin, 'disk: less than 100 MiB are free for DATA_DIR'],
  ];
  const warnings: [isFound: boolean, warning: string][] = [
    [
      !isOut && server.migration > facts.migration,
      'database: a newer version of Lading has migrated it; update this node',
    ],
    [
      freeBytes !== null && freeBytes >= freeBytesMin && freeBytes < freeBytesLow,
      'disk: less than 1 GiB is free for DATA_DIR',
    ],
    [facts.replicaTrouble !== null, describeTrouble(facts.replicaTrouble ?? '')],
    [facts.archiveTrouble !== null, facts.archiveTrouble ?? ''],
  ];
  return { reasons: textsOf(found), warnings: textsOf(warnings) };
}

function reasonsOf(server: ServerStatus, facts: ReadinessFacts): [boolean, string][] {
  const { needsStandby, standbys } = server;
  const hasNoStandby = needsStandby && standbys !== null && standbys.synchronous === 0;
  const waits = Math.max(facts.longestCommitSeconds, server.standbyWaitSeconds) > commitSecondsMax;
  return [
    [hasNoStandby, 'database: no synchronous standby is connected, so commits wait'],
    [waits && needsStandby && !hasNoStandby, 'database: commits wait for the synchronous standby'],
    [waits && !needsStandby, `database: commits take longer than ${commitSecondsMax} s`],
    [facts.isInDoubt && !waits && !hasNoStandby, 'database: the outcome of the last commit is unknown'],
    [server.migration < facts.migration, 'database: it lacks migrations of this version; run "lading migrate"'],
  ];
}

function textsOf(found: [boolean, string][]): string[] {
  return found.flatMap(([isFound, text]) => (isFound ? [text] : []));
}

/** Finds the facts for each probe, in a bounded time. */
export function makeReadiness(parts: {
  database: Database;
  status: StatusReader;
  migration: number;
  /** The folder of the embedded PostgreSQL. */
  dataDir: string | null;
  replica: ReadReplica | null;
  /** Whether the embedded PostgreSQL archives its log. */
  hasArchive: boolean;
}): () => Promise<Readiness> {
  const { database, status, migration, dataDir, replica, hasArchive } = parts;
  const { record } = database;
  let confirming: Promise<unknown> | null = null;

  async function askServer(): Promise<ReadinessFacts['server']> {
    const tooLate = () => new DatabaseUnavailable('the database did not answer in time');
    try {
      const asked = before(status.read(), performance.now() + checkWithinMs, tooLate);
      return await asked.catch(rethrowUnavailable);
    } catch (error) {
      return { outage: (await database.explainOutage()) ?? describe(error) };
    }
  }

  /**
   * A tiny commit of our own ends the doubt. Without it, a node that gets no requests because it is not ready would stay
   * so. While other commits wait for a standby it would only wait too.
   */
  async function endDoubt({ standbyWaitSeconds }: ServerStatus): Promise<void> {
    if (standbyWaitSeconds > 0) return;
    confirming ??= database
      .transaction(noAccounts, async () => {})
      .catch(() => {})
      .finally(() => {
        confirming = null;
      });
    await before(confirming, performance.now() + 1000, () => new Error('no answer')).catch(() => {});
  }

  return async () => {
    const server = await askServer();
    if (!('outage' in server) && record.isInDoubt()) await endDoubt(server);
    return judgeReadiness({
      server,
      isInDoubt: record.isInDoubt(),
      longestCommitSeconds: record.longestPendingSeconds(),
      secondsSinceFullDisk: record.secondsSinceFullDisk(),
      freeBytes: dataDir === null ? null : await freeBytesOf(dataDir),
      migration,
      replicaTrouble: (await replica?.check()) ?? null,
      archiveTrouble: hasArchive ? await findArchiveTrouble(database) : null,
    });
  };
}

/** A database that cannot be asked is reported as such. */
async function findArchiveTrouble(database: Database): Promise<string | null> {
  return await database.read(noAccounts, readArchiveStatus, archiveWithinSeconds).then(troubleOfArchive, () => null);
}

/** Messages of PostgreSQL name hosts and logins, and readiness is public. */
function describe(error: unknown): string {
  if (error instanceof DatabaseUnavailable) return error.message;
  return `unexpected answer (${(error as { code?: string }).code ?? 'unknown error'})`;
}

async function freeBytesOf(folder: string): Promise<number | null> {
  return await spaceOf(folder).then(
    ({ freeBytes }) => freeBytes,
    () => null,
  );
}

/** The disk of a folder. */
export async function spaceOf(folder: string): Promise<{ freeBytes: number; totalBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
