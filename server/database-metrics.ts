import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import { type Metrics, ofNode } from './platform/metrics.ts';
import type { Database } from './platform/postgres/database.ts';
import { before, DatabaseUnavailable } from './platform/postgres/deadline.ts';
import type { ServerStatus, StandbyStatus, StatusReader } from './platform/postgres/server-status.ts';
import { version } from './version.ts';

/** A scrape of the metrics must not wait long for the database. */
const readWithinMs = 1000;
const roles = ['primary', 'standby', 'none'] as const;

/** Metrics about the database server, and about its use by this node. */
export function mountDatabaseMetrics({ gauge, registry }: Metrics, database: Database, status: StatusReader): void {
  const registers = [registry];
  const { record } = database;
  const read = (): Promise<ServerStatus> =>
    before(status.read(), performance.now() + readWithinMs, () => new DatabaseUnavailable('no answer'));

  new Gauge({
    name: 'lading_database_role',
    help: 'The role of the server that this node reaches has the value 1. It uses only a primary.',
    labelNames: ['role'],
    aggregator: ofNode,
    registers,
    async collect() {
      const current: (typeof roles)[number] = await read().then(
        () => 'primary',
        (error: { code?: string }) => (error.code === 'STANDBY' ? 'standby' : 'none'),
      );
      for (const role of roles) this.set({ role }, role === current ? 1 : 0);
    },
  });
  gauge(
    'lading_database_timeline',
    'The timeline of the primary. It grows with each failover.',
    () => record.timeline() ?? Number.NaN,
  );
  const lagOf = async (name: 'lagBytes' | 'lagSeconds'): Promise<number> => {
    const { standbys }: { standbys: StandbyStatus | null } = await read();
    return standbys?.[name] ?? Number.NaN;
  };
  gauge(
    'lading_database_replication_lag_bytes',
    'Bytes that the slowest synchronous standby has not replayed, or the slowest one if none is synchronous.',
    () => lagOf('lagBytes'),
  );
  gauge(
    'lading_database_replication_lag_seconds',
    'Time by which the slowest synchronous standby is behind, or the slowest one if none is synchronous.',
    () => lagOf('lagSeconds'),
  );

  gauge(
    'lading_database_standby_missing',
    'Whether commits need a synchronous standby and none is connected: 1 or 0.',
    async () => {
      const { needsStandby, standbys } = await read();
      if (needsStandby && standbys === null) return Number.NaN;
      return needsStandby && standbys?.synchronous === 0 ? 1 : 0;
    },
  );
  gauge(
    'lading_database_archiving_failing',
    'Whether the last attempt to archive a segment of the log failed: 1 or 0. NaN if the server does not archive.',
    async () => {
      const { isArchivingFailing } = await read();
      return isArchivingFailing === null ? Number.NaN : Number(isArchivingFailing);
    },
  );
  mountBuildInfo(registers, read);
  mountMetricsOfUse(database, registers);
}

/** One series with the value 1, so that an operator sees which versions run. */
function mountBuildInfo(registers: Registry[], read: () => Promise<ServerStatus>): void {
  let postgres = 'unknown';
  new Gauge({
    name: 'lading_build_info',
    help: 'The versions of Lading, Node and PostgreSQL, as labels. The value is always 1.',
    labelNames: ['version', 'node', 'postgres'],
    aggregator: ofNode,
    registers,
    async collect() {
      postgres = await read().then(
        (status) => status.version,
        () => postgres,
      );
      this.reset();
      this.set({ version, node: process.version, postgres }, 1);
    },
  });
}

/** Metrics about this node's use of the database. */
function mountMetricsOfUse({ record }: Database, registers: Registry[]): void {
  new Counter({
    name: 'lading_database_commits_total',
    help: 'Transactions of this node that were committed, that failed, or whose outcome is unknown.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(record.commits)) this.inc({ outcome }, count);
    },
  });
  new Gauge({
    name: 'lading_database_connections',
    help: 'Open database connections of this node, by purpose.',
    labelNames: ['purpose'],
    registers,
    collect() {
      this.reset();
      for (const [purpose, count] of record.connectionsByPurpose()) this.set({ purpose }, count);
    },
  });
}
