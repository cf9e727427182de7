import { getHeapStatistics } from 'node:v8';
import type { Readiness } from './api/health.ts';
import { countFailingChannels } from './domain/alerts/alert-message-queries.ts';
import { lastAudit } from './domain/audit/audit-queries.ts';
import type { BackupState } from './domain/backup/backup-state.ts';
import { longestDueSeconds, oldestUndeliveredSeconds } from './domain/callbacks/lane-queries.ts';
import { longestWaitingSeconds } from './domain/orders/waiting-queries.ts';
import { countFailingReceivers } from './domain/overview/attention.ts';
import { lastPurgeAt } from './domain/purge/purge-report-queries.ts';
import { countRejected } from './domain/transfers/transfer-queries.ts';
import { longestDueWaveSeconds } from './domain/transfers/transfer-schedule-queries.ts';
import { describeTrouble } from './open-read-replica.ts';
import type { Clock } from './platform/clock.ts';
import type { LoadShedder } from './platform/limits/load-shedder.ts';
import type { Log } from './platform/log.ts';
import type { Metrics } from './platform/metrics.ts';
import { readArchiveStatus } from './platform/postgres/backup/archive-status.ts';
import type { Database } from './platform/postgres/database.ts';
import { before } from './platform/postgres/deadline.ts';
import { type ReadReplica, readSources } from './platform/postgres/read-replica.ts';
import { noAccounts } from './platform/postgres/sql.ts';
import { spaceOf } from './readiness.ts';

/** A scrape of the metrics must not wait long for the database. */
const readWithinSeconds = 1;

/** Metrics that are read when they are scraped, rather than counted as events happen. */
export function mountGauges(
  metrics: Metrics,
  { load, database, replica, log }: { load: LoadShedder; database: Database; replica: ReadReplica | null; log: Log },
): void {
  const { gauge, gaugeOfProcess } = metrics;
  if (replica) mountReplicaMetrics(metrics, replica, log);
  gaugeOfProcess('lading_http_requests_in_flight', 'Requests in progress.', () => load.inFlight());
  gaugeOfProcess(
    'lading_http_requests_waiting',
    'Requests that wait because the limit of requests in progress is reached.',
    () => load.waiting(),
  );
  gaugeOfProcess('lading_database_connections_busy', 'Database connections in use.', () => database.load().busy);
  gaugeOfProcess(
    'lading_database_requests_waiting',
    'Requests that wait for a database connection.',
    () => database.load().waiting,
  );

  const audit = async () =>
    (await database.read(noAccounts, lastAudit, readWithinSeconds)) ?? {
      findings: Number.NaN,
      at: new Date(Number.NaN),
    };
  gauge('lading_stock_audit_findings', 'Findings of the last stock audit.', async () => (await audit()).findings);
  gauge(
    'lading_stock_audit_timestamp_seconds',
    'Time of the last stock audit.',
    async () => (await audit()).at.getTime() / 1000,
  );

  gauge('lading_purge_timestamp_seconds', 'End of the last purge that deleted UAT documents.', async () => {
    const at = await database.read(noAccounts, lastPurgeAt, readWithinSeconds);
    return at === null ? Number.NaN : at.getTime() / 1000;
  });

  gauge('lading_alert_channels_failing', 'Channels of alert rules whose last message was not sent.', async () => {
    const { count } = await database.read(noAccounts, countFailingChannels, readWithinSeconds);
    return count;
  });
  gauge('lading_orders_rejected', 'Orders that their warehouse has rejected.', () =>
    database.read(noAccounts, countRejected, readWithinSeconds),
  );
  gauge(
    'lading_orders_longest_waiting_seconds',
    'Age of the oldest order of a production account that waits for stock.',
    () => database.read(noAccounts, longestWaitingSeconds, readWithinSeconds),
  );
  gauge('lading_wave_longest_due_seconds', 'How long the wave that is due longest has waited for a worker.', () =>
    database.read(noAccounts, longestDueWaveSeconds, readWithinSeconds),
  );
  mountCallbackGauges(metrics, database);
}

function mountCallbackGauges({ gauge }: Metrics, database: Database): void {
  gauge('lading_callback_oldest_undelivered_seconds', 'Age of the oldest callback that has not been delivered.', () =>
    database.read(noAccounts, oldestUndeliveredSeconds, readWithinSeconds),
  );
  gauge(
    'lading_callback_longest_due_seconds',
    'How long the callback that is due longest, to a receiver that is not on hold, has waited for a worker.',
    () => database.read(noAccounts, longestDueSeconds, readWithinSeconds),
  );
  gauge(
    'lading_callback_receivers_failing',
    'Receivers with queued callbacks that do not respond, or that reject them.',
    () => database.read(noAccounts, countFailingReceivers, readWithinSeconds),
  );
}

/** Metrics about this node itself, rather than about its work. */
export function mountNodeGauges(
  { gauge, gaugeOfProcess }: Metrics,
  parts: { readiness(): Promise<Readiness>; clock: Clock; ownClock: Clock; dataDir: string | null },
): void {
  const { readiness, clock, ownClock, dataDir } = parts;
  gauge('lading_ready', 'Whether this node should receive requests, as /health/ready says: 1 or 0.', async () => {
    const late = performance.now() + readWithinSeconds * 1000;
    const { reasons } = await before(readiness(), late, () => new Error('no answer')).catch(() => ({ reasons: [''] }));
    return reasons.length === 0 ? 1 : 0;
  });
  gauge(
    'lading_clock_ahead_seconds',
    "How far this node's clock is ahead of that of the database. 0 if they differ by less than 2 s.",
    () => (ownClock.now().getTime() - clock.now().getTime()) / 1000,
  );
  gaugeOfProcess(
    'lading_heap_limit_bytes',
    'The size at which the heap of JavaScript is full.',
    () => getHeapStatistics().heap_size_limit,
  );
  if (dataDir === null) return;
  gauge(
    'lading_disk_free_bytes',
    'Free space on the disk of DATA_DIR.',
    async () => (await spaceOf(dataDir)).freeBytes,
  );
  gauge('lading_disk_size_bytes', 'Size of the disk of DATA_DIR.', async () => (await spaceOf(dataDir)).totalBytes);
}

/** Metrics about backups and the archive in BACKUP_DIR. */
export function mountBackupMetrics(
  { gauge }: Metrics,
  { database, backups }: { database: Database; backups: () => Promise<BackupState> },
): void {
  const secondsOf = (at: Date | null) => (at === null ? Number.NaN : at.getTime() / 1000);
  const archive = () => database.read(noAccounts, readArchiveStatus, readWithinSeconds);
  gauge(
    'lading_backup_last_verified_timestamp_seconds',
    'Time of the last verified backup in BACKUP_DIR: the state that it restores.',
    async () => secondsOf((await backups()).lastVerifiedAt),
  );
  gauge(
    'lading_backup_last_archived_timestamp_seconds',
    'Time at which a file of the write-ahead log was last archived in BACKUP_DIR.',
    async () => secondsOf((await archive()).lastArchivedAt),
  );
  gauge(
    'lading_backup_archive_failures',
    'Failed attempts to archive a file of the write-ahead log since PostgreSQL was created or has crashed.',
    async () => (await archive()).failures,
  );
}

/** Metrics and log lines about the replica of lists, exports and audits. */
function mountReplicaMetrics({ gauge, gaugeOfProcess, replicaReads }: Metrics, replica: ReadReplica, log: Log): void {
  for (const source of readSources) replicaReads.inc({ source }, 0);
  replica.watch({
    onRead: (source) => replicaReads.inc({ source }),
    onTrouble(reason) {
      if (reason === null) log.info('the read replica is used again');
      else log.warn(describeTrouble(reason));
    },
  });
  gauge('lading_read_replica_up', 'Whether the read replica can be used: 1 or 0.', async () =>
    (await replica.check()) === null ? 1 : 0,
  );
  gauge('lading_read_replica_lag_bytes', 'Bytes of the log that the read replica has not replayed.', () =>
    replica.lagBytes(),
  );
  gaugeOfProcess(
    'lading_read_replica_connections_busy',
    'Connections to the read replica in use.',
    () => replica.load().busy,
  );
}
