import { type SystemOverview, type SystemQueue, systemOverview } from '../../../contract/console/system-overview.ts';
import { type Counted, countOrdersAwaitingStock, countTransfers } from '../../domain/operators/attention-queries.ts';
import { countQueuedCallbacks } from '../../domain/operators/flow-queries.ts';
import { listNodes } from '../../domain/operators/node-queries.ts';
import {
  type DatabaseFacts,
  type ListedJob,
  type ListedWaves,
  listJobs,
  listWaves,
  readDatabaseFacts,
} from '../../domain/operators/system-queries.ts';
import { listTransfers } from '../../domain/orders/transfer-queries.ts';
import type { PurgeReport } from '../../domain/purge/purge-report.ts';
import { lastReports } from '../../domain/purge/purge-report-queries.ts';
import { taipeiInstant } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { keepAnswer } from '../../platform/kept-answer.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';

const keptMs = 1000;
const transfersMax = 100;
const purgesMax = 20;

export function systemOverviewCall({ database, clock, version }: Pick<ConsoleParts, 'database' | 'clock' | 'version'>): ConsoleEndpoint {
  async function look(): Promise<SystemOverview> {
    const [nodes, facts, queues, jobs, waves, transfers, purges] = await Promise.all([
      database.read(listNodes),
      database.read(readDatabaseFacts),
      readQueues(database),
      database.read(listJobs),
      database.read(listWaves),
      database.read((sql) => listTransfers(sql, { warehouseNo: null, status: null, numbers: null }, transfersMax)),
      database.read((sql) => lastReports(sql, purgesMax)),
    ]);
    return {
      version,
      nodes: [...nodes],
      database: wordFacts(facts),
      queues,
      jobs: jobs.map(wordJob),
      waves: waves.map(wordWaves),
      transfers: transfers.map(({ orders_id: order_no, number: partner_number, last_try: last_try_at, transfer_id: _, ...transfer }) => ({
        ...transfer,
        order_no,
        partner_number,
        last_try_at,
      })),
      purges: purges.map(wordPurge),
      at: taipeiInstant(clock.now()),
    };
  }
  const kept = keepAnswer(look, { clock, keptMs });
  return consoleEndpoint(systemOverview, { role: 'read-only', audit: null, handle: kept });
}

async function readQueues(database: Database): Promise<SystemQueue[]> {
  const [callbacks, waiting, sending, rejected] = await Promise.all([
    database.read(countQueuedCallbacks),
    database.read(countOrdersAwaitingStock),
    database.read((sql) => countTransfers(sql, 'sending')),
    database.read((sql) => countTransfers(sql, 'rejected')),
  ]);
  const queueOf = (queue: SystemQueue['queue'], { count, isMore, since }: Counted, path: string) => ({
    queue,
    count,
    is_more: isMore,
    oldest_at: since,
    path,
  });
  return [
    queueOf('callbacks', { ...callbacks, since: callbacks.oldestAt }, '/callbacks?status=pending'),
    queueOf('orders_awaiting_stock', waiting, '/orders?status=awaiting_stock'),
    queueOf('transfers_sending', sending, '/orders?transfer=sending'),
    queueOf('transfers_rejected', rejected, '/orders?transfer=rejected'),
  ];
}

function wordFacts({
  version,
  sizeBytes,
  migrations,
  connections,
  connectionsMax,
  oldestTransactionAt,
}: DatabaseFacts): SystemOverview['database'] {
  return {
    version,
    size_bytes: sizeBytes,
    migrations: { count: migrations.count, last_name: migrations.lastName, last_at: migrations.lastAt },
    connections: connections.map(({ state, count }) => ({ state, count })),
    connections_max: connectionsMax,
    oldest_transaction_at: oldestTransactionAt,
  };
}

function wordJob({ name, lastRunAt, lastOutcome, nextRunAt }: ListedJob): SystemOverview['jobs'][number] {
  return { name, last_run_at: lastRunAt, last_outcome: lastOutcome, next_run_at: nextRunAt, is_failed: lastOutcome === 'failed' };
}

function wordWaves(waves: ListedWaves): SystemOverview['waves'][number] {
  const { warehouseNo, name, connector, everySeconds, lastWaveAt, lastOutcome, failures, nextWaveAt } = waves;
  return {
    warehouse_no: warehouseNo,
    name,
    connector,
    every_s: everySeconds,
    last_wave_at: lastWaveAt,
    last_outcome: lastOutcome,
    failures,
    next_wave_at: nextWaveAt,
  };
}

function wordPurge(report: PurgeReport): SystemOverview['purges'][number] {
  const { purgeId, startedAt, finishedAt, actor, madeBefore, unitsKept, orders, inbounds, movements, callbacks } = report;
  return {
    purge_id: purgeId,
    started_at: taipeiInstant(startedAt),
    finished_at: finishedAt && taipeiInstant(finishedAt),
    actor,
    made_before: taipeiInstant(madeBefore),
    ...{ orders, inbounds, movements, callbacks },
    units_kept: unitsKept,
  };
}
