import {
  type PurgePreviewed,
  type PushedNow,
  type RetriedRejected,
  type SystemOverview,
  type SystemQueue,
  systemOverview,
  systemPurgePreview,
  systemPushNow,
  systemRetryRejected,
} from '../../../contract/console/system.ts';
import { readMessage } from '../../../messages/message.ts';
import { type Counted, countOrdersAwaitingStock, countTransfers } from '../../domain/overview/attention-queries.ts';
import { countQueuedCallbacks } from '../../domain/overview/flow-queries.ts';
import { listNodes } from '../../domain/overview/node-queries.ts';
import {
  type DatabaseFacts,
  type ListedJob,
  type ListedWaves,
  listJobs,
  listWaves,
  readDatabaseFacts,
} from '../../domain/overview/system-queries.ts';
import { listAccounts } from '../../domain/partners/partner-queries.ts';
import { listWeakSecrets } from '../../domain/partners/secret-queries.ts';
import { previewPurge } from '../../domain/purge/preview-purge.ts';
import { madeBeforeOf, type PurgeReport } from '../../domain/purge/purge-report.ts';
import { lastReports } from '../../domain/purge/purge-report-queries.ts';
import { pushManually, retryRejected } from '../../domain/transfers/transfer-orders.ts';
import { findTransfers, listTransfers } from '../../domain/transfers/transfer-queries.ts';
import { taipeiInstant } from '../../platform/clock.ts';
import { memoize } from '../../platform/limits/memoize.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { readDatabaseTime } from '../../platform/postgres/database-clock.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { refuseOtherWarehouses } from './own-warehouses.ts';

export function systemEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [
    systemOverviewCall(parts),
    systemPushNowCall(parts),
    systemRetryRejectedCall(parts),
    systemPurgePreviewCall(parts),
  ];
}

const keptMs = 1000;
const transfersMax = 100;
const purgesMax = 20;
const weakSecretsMax = 100;

function systemOverviewCall({
  database,
  clock,
  version,
  weaknesses: findWeaknesses,
}: Pick<ConsoleParts, 'database' | 'clock' | 'version' | 'weaknesses'>): ConsoleEndpoint {
  async function look(): Promise<SystemOverview> {
    const [weaknesses, nodes, facts, queues, jobs, waves, transfers, purges, weak] = await Promise.all([
      findWeaknesses(),
      database.read(noAccounts, listNodes),
      database.read(noAccounts, readDatabaseFacts),
      readQueues(database),
      database.read(noAccounts, listJobs),
      database.read(noAccounts, listWaves),
      database.read(noAccounts, (sql) =>
        listTransfers(sql, { warehouseNo: null, status: null, numbers: null }, transfersMax),
      ),
      database.read(noAccounts, (sql) => lastReports(sql, purgesMax)),
      database.read(noAccounts, (sql) => listWeakSecrets(sql, weakSecretsMax)),
    ]);
    return {
      version,
      weaknesses,
      weak_secrets: weak.map(({ kind, owner }) => ({ kind, owner })),
      nodes: [...nodes],
      database: toFacts(facts),
      queues,
      jobs: jobs.map(toJob),
      waves: waves.map(toWaves),
      transfers: transfers.map(
        ({ orders_id: order_no, number: partner_number, last_try: last_try_at, transfer_id: _, ...transfer }) => ({
          ...transfer,
          reason: readMessage(transfer.reason),
          order_no,
          partner_number,
          last_try_at,
        }),
      ),
      purges: purges.map(toPurge),
      at: taipeiInstant(clock.now()),
    };
  }
  const kept = memoize(look, { clock, keptMs });
  return consoleEndpoint(systemOverview, {
    role: 'read-only',
    audit: null,
    handle: kept,
  });
}

async function readQueues(database: Database): Promise<SystemQueue[]> {
  const [callbacks, waiting, sending, rejected] = await database.read(noAccounts, async (sql) => {
    const accounts = await listAccounts(sql);
    const own = sql.forAccounts(accounts.map(({ accountId }) => accountId));
    return await Promise.all([
      countQueuedCallbacks(own, accounts),
      countOrdersAwaitingStock(own, accounts),
      countTransfers(own, accounts, 'sending'),
      countTransfers(own, accounts, 'rejected'),
    ]);
  });
  const queueOf = (queue: SystemQueue['queue'], { count, isMore, since }: Counted, path: string) => ({
    queue,
    count,
    is_more: isMore,
    oldest_at: since,
    path,
  });
  return [
    queueOf('callbacks', callbacks, '/callbacks?status=pending'),
    queueOf('orders_awaiting_stock', waiting, '/orders?status=awaiting_stock'),
    queueOf('transfers_sending', sending, '/orders?transfer=sending'),
    queueOf('transfers_rejected', rejected, '/orders?transfer=rejected'),
  ];
}

function toFacts({
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

function toJob({ name, lastRunAt, lastOutcome, nextRunAt }: ListedJob): SystemOverview['jobs'][number] {
  return {
    name,
    last_run_at: lastRunAt,
    last_outcome: readMessage(lastOutcome),
    next_run_at: nextRunAt,
    is_failed: lastOutcome === 'failed',
  };
}

function toWaves(waves: ListedWaves): SystemOverview['waves'][number] {
  const { warehouseNo, name, connector, everySeconds, lastWaveAt, lastOutcome, failures, nextWaveAt } = waves;
  return {
    warehouse_no: warehouseNo,
    name,
    connector,
    every_s: everySeconds,
    last_wave_at: lastWaveAt,
    last_outcome: readMessage(lastOutcome),
    failures,
    next_wave_at: nextWaveAt,
  };
}

function toPurge(report: PurgeReport): SystemOverview['purges'][number] {
  const { purgeId, startedAt, finishedAt, actor, madeBefore, unitsKept, orders, inbounds, movements, callbacks } =
    report;
  return {
    purge_id: purgeId,
    started_at: taipeiInstant(startedAt),
    finished_at: finishedAt && taipeiInstant(finishedAt),
    actor,
    made_before: taipeiInstant(madeBefore),
    orders,
    inbounds,
    movements,
    callbacks,
    units_kept: unitsKept,
  };
}

/** Limits one call, so that the operator sees progress. */
const workMaxMs = 1500;

function systemPushNowCall({ database }: Pick<ConsoleParts, 'database'>): ConsoleEndpoint {
  return consoleEndpoint(systemPushNow, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ warehouse_no }) => ({ subject: `warehouse ${warehouse_no}` }),
    async handle(caller, { warehouse_no }, request): Promise<PushedNow> {
      refuseOtherWarehouses(caller, [warehouse_no]);
      const outcome = await pushManually(database, warehouse_no, causeOf(caller, request), { workMaxMs });
      if (outcome.kind === 'transferred')
        return { kind: 'transferred', count: outcome.count, has_more: outcome.hasMore };
      return outcome.kind === 'hastened' ? { kind: 'hastened' } : outcome;
    },
  });
}

/** The limit of one call; the operator repeats it for more. */
const retriedMax = 2000;

function systemRetryRejectedCall({ database }: Pick<ConsoleParts, 'database'>): ConsoleEndpoint {
  return consoleEndpoint(systemRetryRejected, {
    role: 'admin',
    audit: ({ warehouse_no }) => ({ subject: `warehouse ${warehouse_no}` }),
    outcome: ({ kind, count }) => `${kind} ${count}`,
    async handle(_caller, { warehouse_no }): Promise<RetriedRejected> {
      const selection = { warehouseNo: warehouse_no, status: 'rejected', numbers: null } as const;
      const rejected = await database.read(noAccounts, (sql) => findTransfers(sql, selection, retriedMax + 1));
      const orders = rejected
        .slice(0, retriedMax)
        .map(({ account_id, order_id }) => ({ accountId: account_id, orderId: order_id }));
      return { kind: 'retried', count: await retryRejected(database, orders), is_more: rejected.length > retriedMax };
    },
  });
}

/** An operator waits for the response. */
const countingMaxMs = 3000;

/** The same counts as `lading purge --dry-run`. */
function systemPurgePreviewCall({ database }: Pick<ConsoleParts, 'database'>): ConsoleEndpoint {
  return consoleEndpoint(systemPurgePreview, {
    role: 'staff',
    audit: null,
    async handle(_caller, { older_than_days }): Promise<PurgePreviewed> {
      const madeBefore = madeBeforeOf(await readDatabaseTime(database), older_than_days);
      const made_before = taipeiInstant(madeBefore);
      const endsAtMs = performance.now() + countingMaxMs;
      const previews = await previewPurge(database, madeBefore, () => {
        if (performance.now() > endsAtMs) throw new TooMany();
      }).catch((error: unknown) => {
        if (error instanceof TooMany) return null;
        throw error;
      });
      if (previews === null) return { kind: 'too_many', made_before };
      return {
        kind: 'counted',
        made_before,
        accounts: previews.map(({ accountNo, ...counts }) => ({ account_no: accountNo, ...counts })),
      };
    },
  });
}

class TooMany extends Error {}
