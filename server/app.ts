import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { mountConsolePages } from './api/console/console-pages.ts';
import { mountConsole } from './api/console/mount-console.ts';
import { mountReference } from './api/docs/mount-docs.ts';
import { mountTour } from './api/docs/mount-tour.ts';
import { mountHandover } from './api/handover/mount-handover.ts';
import { mountHealth, type Readiness } from './api/health.ts';
import { logisticsEndpoints } from './api/logistics/endpoints.ts';
import { formatCallback, testCallbackRules } from './api/logistics/format-callback.ts';
import { makeLogisticsContract } from './api/logistics/logistics-contract.ts';
import type { CheckBearer } from './api/main/main-contract.ts';
import { mountMain } from './api/main/mount-main.ts';
import { makeMetricsServer, mountMetrics } from './api/metrics-page.ts';
import { diagnose } from './api/warehouse/diagnose.ts';
import { warehouseEndpoints } from './api/warehouse/endpoints.ts';
import { makeWarehouseContract } from './api/warehouse/warehouse-contract.ts';
import { followCallbackGuard } from './callback-guard.ts';
import type { Config } from './config.ts';
import { mountDatabaseMetrics } from './database-metrics.ts';
import { type BackupState, readBackupState } from './domain/backup/backup-state.ts';
import { type DomainOperations, makeDomainOperations } from './domain/operations.ts';
import { type AccountDirectory, makeAccountDirectory } from './domain/partners/account-directory.ts';
import { makeClientDirectory } from './domain/partners/client-directory.ts';
import { makeClientNetworks } from './domain/partners/client-networks.ts';
import { makeLogisticsKeyDirectory } from './domain/partners/logistics-key-directory.ts';
import { makePartnerUse, type PartnerUse } from './domain/partners/partner-use.ts';
import { makeTokenKeyDirectory } from './domain/partners/token-key-directory.ts';
import { makeRequestLog, type RequestLog } from './domain/requests/request-log.ts';
import { allowTourInbox } from './domain/test-callbacks/tour-inbox.ts';
import { mountBackupMetrics, mountGauges, mountNodeGauges } from './gauges.ts';
import { type AnonymousLineRules, type AnonymousRequests, makeAnonymousRequests } from './http/anonymous-requests.ts';
import { type CommonHeaders, commonHeadersFor } from './http/common-headers.ts';
import { attachDirectLane, type StartDeadline } from './http/direct-lane.ts';
import { mainFormat } from './http/done-envelope.ts';
import { makeHttpServer } from './http/http-server.ts';
import { makeAllNow } from './http/lazy.ts';
import { bodiesHeldMaxBytes, diagnosesPerMinute } from './http/limits.ts';
import { mountContract } from './http/mount-contract.ts';
import { setEnvelope } from './http/reject.ts';
import { RequestRecorder, writeRequest } from './http/request-recorder.ts';
import type { ServerContext } from './http/server-context.ts';
import type { Clock } from './platform/clock.ts';
import { distinct } from './platform/distinct.ts';
import type { Keyring } from './platform/keyring.ts';
import { makeBruteForceLimiter } from './platform/limits/brute-force-limiter.ts';
import { type LoadShedder, makeLoadShedder } from './platform/limits/load-shedder.ts';
import { makeRateLimit } from './platform/limits/rate-limit.ts';
import type { SharedCounts } from './platform/limits/shared-counts.ts';
import { makeThrottle, type Throttle } from './platform/limits/throttle.ts';
import type { Log } from './platform/log.ts';
import { formatMetrics, type Metrics, type MetricValues, makeMetrics, metricsOfProcess } from './platform/metrics.ts';
import type { Database } from './platform/postgres/database.ts';
import { latestMigration } from './platform/postgres/migrate.ts';
import type { ReadReplica } from './platform/postgres/read-replica.ts';
import { readsOf } from './platform/postgres/reads.ts';
import { makeStatusReader } from './platform/postgres/server-status.ts';
import { noSiblings, type Siblings } from './platform/siblings.ts';
import type { Tracer } from './platform/tracing/tracer.ts';
import { makeReadiness } from './readiness.ts';
import { type Diagnoser, type DiagnosisTimes, makeDiagnoser } from './signature-doctor/diagnose-in-background.ts';
import { version } from './version.ts';
import { findWeaknesses } from './weaknesses.ts';

export interface AppParts {
  config: Config;
  database: Database;
  /** For lists and exports of the console. */
  replica?: ReadReplica | null;
  keyring: Keyring;
  clock: Clock;
  /**
   * This node's own clock, if `clock` is another one. Signatures are checked against it: a database with a wrong clock
   * must not make all nodes reject every request.
   */
  ownClock?: Clock;
  log: Log;
  /** The other processes of this node. */
  siblings?: Siblings;
  /** false on a node that runs background jobs only: it serves health and metrics, but no APIs. */
  contracts?: boolean;
  /** The data folder of the embedded PostgreSQL, if that is the database. */
  dataDir?: string | null;
  rejectionThrottle?: Throttle;
  /** How many requests of unknown callers get their own line in the request log. */
  anonymousLines?: Partial<AnonymousLineRules>;
  bodiesHeldMaxBytes?: number;
  /** If other parts of the process count in them too. */
  metrics?: Metrics;
  /** null: tracing is off. */
  tracer?: Tracer | null;
  /** Starts the deadlines of the direct lane. */
  startDeadline?: StartDeadline;
  diagnosisTimes?: DiagnosisTimes;
  /** Other implementations of operations or authentication, with which a benchmark compares. */
  operations?: Partial<DomainOperations>;
  checkBearer?: CheckBearer;
  /** Where the built pages of the console are, if not in the default folder. */
  consoleFolder?: string;
}

export interface App {
  http: FastifyInstance;
  /** Serves the metrics, if they have a port of their own. */
  metricsServer: Server | null;
  metrics: Metrics;
  requestLog: RequestLog;
  anonymousRequests: AnonymousRequests;
  partnerUse: PartnerUse;
  /** Reads all files now that are otherwise read on first use. */
  loadLazyFiles(): Promise<void>;
  /**
   * Requests are still served, each as the last one of its connection. If the whole node stops, readiness fails with
   * 503; if only this process does, the others serve on.
   */
  startDraining(what?: Draining): void;
  /** Leaves new connections to the other processes that share the listening socket. */
  stopAccepting(): void;
  /** Finishes the requests in progress, then writes the logs. */
  close(): Promise<void>;
}

type Draining = 'node' | 'process';

const consoleFolder = fileURLToPath(new URL('../console/dist', import.meta.url));
/** Far more than honest callers cause, and far less than would slow down other requests. */
const rejectionsPerSecond = 500;
const rejectionWaitMaxMs = 3000;

/** The whole service except its listening socket; the same in production and in tests. */
export async function buildApp(parts: AppParts): Promise<App> {
  const { config, clock, log, contracts = true, siblings = noSiblings, tracer = null } = parts;
  const { counts } = siblings;
  const { metrics = makeMetrics() } = parts;
  const { recorder, requestLog, anonymousRequests, partnerUse } = makeRecords(parts, metrics, counts.processes);
  const limits = makeLimits(parts, counts);
  let draining: Draining | null = null;
  const commonHeaders = commonHeadersFor(config.publicUrl);
  const { app: http, context } = makeHttpServer({
    log,
    commonHeaders,
    docsUrl: config.docsUrl,
    metrics,
    clock,
    ...limits,
    recorder,
    tracer,
    isStopping: () => draining !== null,
    trustedProxies: config.trustedProxies,
    bodiesHeldMaxBytes: parts.bodiesHeldMaxBytes ?? bodiesHeldMaxBytes,
  });
  if (config.directLane) attachDirectLane(http, context, parts.startDeadline);

  // The main API answers for every path that belongs to no other contract.
  setEnvelope(http, context, { name: 'main', prefix: '', ...mainFormat });
  const isStopping = () => draining === 'node';
  const state = await mountState(http, metrics, { ...parts, commonHeaders, load: limits.load, isStopping });
  const { metricsServer } = state;
  const mounted = contracts ? await mountContracts(http, context, { ...parts, metrics }) : null;

  return {
    http,
    metricsServer,
    metrics,
    requestLog,
    anonymousRequests,
    partnerUse,
    loadLazyFiles: () => makeAllNow(http),
    startDraining(what = 'node') {
      draining = what;
    },
    stopAccepting: () => stopAccepting(http.server, metricsServer),
    async close() {
      draining ??= 'node';
      await http.close();
      metricsServer?.close();
      metricsServer?.closeAllConnections();
      limits.load.close();
      state.close();
      await mounted?.operations.close();
      mounted?.diagnoser.close();
      mounted?.callbackGuard.close();
      anonymousRequests.close();
      await requestLog.close();
      await partnerUse.close();
    },
  };
}

/** Everything that is written about finished requests. */
function makeRecords(
  { config, database, log, anonymousLines, tracer = null }: AppParts,
  metrics: Metrics,
  processes: number,
) {
  const { requestLogDays: logDays, requestLogMaxBytes: logMaxBytes } = config;
  const onDropped = (count: number) => metrics.requestLogDropped.inc(count);
  const requestLog = makeRequestLog(database, { log, onDropped, maxBytes: logMaxBytes });
  const anonymousRequests = makeAnonymousRequests({
    logMaxBytes,
    logDays,
    metrics,
    rules: anonymousLines,
    processes,
    write: (finished, suppressed) => writeRequest(finished, suppressed, { log, requestLog }),
  });
  const partnerUse = makePartnerUse(database, log);
  const recorder = new RequestRecorder({ log, metrics, requestLog, anonymousRequests, partnerUse, tracer });
  return { recorder, requestLog, anonymousRequests, partnerUse };
}

/** The close of an HTTP server would also close idle connections, on which a request may be on its way. */
function stopAccepting(...servers: (NetServer | null)[]): void {
  for (const server of servers) if (server?.listening) NetServer.prototype.close.call(server);
}

/** The limits of the node, with the counts that its processes share. */
function makeLimits({ config, rejectionThrottle }: AppParts, counts: SharedCounts) {
  const rejections = { name: 'rejections', perSecond: rejectionsPerSecond, waitMaxMs: rejectionWaitMaxMs, counts };
  return {
    counts,
    load: makeLoadShedder(config.inFlightMax, counts),
    rateLimit: makeRateLimit(config.rateLimitPerSecond, { counts }),
    rejectionThrottle: rejectionThrottle ?? makeThrottle(rejections),
  };
}

/** Health, readiness and metrics. They are those of the node, whichever of its processes is asked. */
async function mountState(
  http: FastifyInstance,
  metrics: Metrics,
  parts: AppParts & { commonHeaders: CommonHeaders; load: LoadShedder; isStopping: () => boolean },
): Promise<{ metricsServer: Server | null; close(): void }> {
  const { config, database, log, load, isStopping, dataDir = null, replica = null, siblings = noSiblings } = parts;
  const status = makeStatusReader(database);
  mountGauges(metrics, { load, database, replica, log });
  mountDatabaseMetrics(metrics, database, status);
  const { clock, ownClock = clock } = parts;
  const backups = backupsOf(config);
  if (backups) mountBackupMetrics(metrics, { database, backups });
  const migration = await latestMigration();
  const check = makeReadiness({ database, status, migration, dataDir, replica, hasArchive: backups !== null });
  const ofProcess = async () => {
    const { reasons, warnings } = await check();
    return { reasons: [...(isStopping() ? ['the service is stopping'] : []), ...reasons], warnings };
  };
  mountNodeGauges(metrics, { readiness: ofProcess, clock, ownClock, dataDir });
  siblings.onAsked('readiness', ofProcess);
  siblings.onAsked('metrics', () => metricsOfProcess(metrics));
  const readiness = async () => {
    const [own, others] = await Promise.all([ofProcess(), siblings.ask('readiness', null) as Promise<Readiness[]>]);
    const all = [own, ...others];
    return {
      reasons: distinct(all.flatMap(({ reasons }) => reasons)),
      warnings: distinct(all.flatMap(({ warnings }) => warnings)),
    };
  };
  const format = async () => {
    const own = siblings === noSiblings ? [] : await metricsOfProcess(metrics);
    return await formatMetrics(metrics, (await siblings.ask('metrics', own)) as MetricValues[]);
  };
  const { contentType } = metrics.registry;
  const page = { contentType, format, token: config.metricsToken };
  mountHealth(http, { readiness, version });
  if (config.metricsPort === null) mountMetrics(http, page);
  const metricsServer = config.metricsPort === null ? null : makeMetricsServer(page, parts.commonHeaders);
  return { metricsServer, close: status.close };
}

/** Reads the state of the backups; null if there is no folder for them. */
function backupsOf({ backupDir, backupEveryHours }: Config): (() => Promise<BackupState>) | null {
  return backupDir === null ? null : () => readBackupState(backupDir, backupEveryHours);
}

interface Mounted {
  operations: DomainOperations;
  diagnoser: Diagnoser;
  callbackGuard: { close(): void };
}

async function mountContracts(
  http: FastifyInstance,
  context: ServerContext,
  { config, database, keyring, clock, log, metrics, ...parts }: AppParts & { metrics: Metrics },
): Promise<Mounted> {
  const { warehouseBasePath, logisticsSegment, publicUrl, accountLanes } = config;
  const directory = makeAccountDirectory(database, keyring);
  const clients = makeClientDirectory(database, directory);
  const times = parts.diagnosisTimes ? { times: parts.diagnosisTimes } : {};
  const diagnoser = makeDiagnoser({ accounts: directory, clients, log, ...times });
  const own = makeDomainOperations({
    database,
    directory,
    clock,
    keyring,
    metrics,
    formatCallback,
    testRules: testCallbackRules,
    accountLanes,
  });
  const operations = { ...own, ...parts.operations };
  metrics.gaugeOfProcess('lading_group_requests_waiting', 'Requests that wait for their group.', own.waiting);

  const signedBy = { directory, clock: parts.ownClock ?? clock, diagnoser };
  await mountWarehouse(http, context, { config, operations, signedBy });

  const callbackGuard = followCallbackGuard(database, config);
  const { guard } = callbackGuard;
  const testGuard = allowTourInbox(guard, publicUrl);
  const networks = makeClientNetworks(database, log);
  await mountMain(http, context, {
    operations,
    checkBearer: parts.checkBearer,
    clients,
    keys: makeTokenKeyDirectory(database, keyring, clock),
    keyring,
    bruteForceLimiter: makeBruteForceLimiter(networks.find, 'tokens', context.counts),
    networks,
    guard: testGuard,
    clock,
    lifetimeSeconds: config.tokenTtlSeconds,
  });

  const keys = makeLogisticsKeyDirectory({ database, keyring, accounts: directory, clock });
  const logistics = makeLogisticsContract({ prefix: `/${logisticsSegment}`, keys });
  await mountContract(http, context, logistics, logisticsEndpoints(operations, guard, testGuard));

  mountConsolePages(http, { folder: parts.consoleFolder ?? consoleFolder });
  const addresses = { serverUrl: publicUrl, warehouseBasePath, logisticsSegment };
  const reads = parts.replica ?? readsOf(database);
  const weaknesses = () => findWeaknesses(config, database, context.ignoredProxies);
  const backups = backupsOf(config);
  const { recipientRetentionDays, signIn } = config;
  const alerts = config;
  const described = { version, addresses, publicUrl, weaknesses, backups, recipientRetentionDays, signIn, alerts };
  const console = { database, reads, keyring, directory, guard, clock, operations, ...described };
  await mountConsole(http, context, console);
  mountPages(http, context, { database, keyring, directory, addresses });
  return { operations: own, diagnoser, callbackGuard };
}

interface PageParts {
  database: Database;
  keyring: Keyring;
  directory: AccountDirectory;
  addresses: { serverUrl: string; warehouseBasePath: string; logisticsSegment: string };
}

/** The pages for partners. */
function mountPages(http: FastifyInstance, context: ServerContext, parts: PageParts): void {
  const { database, keyring, directory, addresses } = parts;
  mountTour(http, { database, directory, publicUrl: addresses.serverUrl, counts: context.counts });
  const limiter = makeBruteForceLimiter(async () => new Set(), 'handovers', context.counts);
  mountHandover(http, { database, keyring, limiter });
  mountReference(http, { ...addresses, version });
}

interface SignatureParts {
  directory: AccountDirectory;
  clock: Clock;
  diagnoser: Diagnoser;
}

/** The signed API, and the endpoint that explains rejected signatures to UAT accounts. */
async function mountWarehouse(
  http: FastifyInstance,
  context: ServerContext,
  parts: { config: Config; operations: DomainOperations; signedBy: SignatureParts },
): Promise<void> {
  const { config, operations, signedBy } = parts;
  const { warehouseBasePath: prefix, warehouseApi: enabled } = config;
  const contract = makeWarehouseContract({ prefix, enabled, ...signedBy });
  const { counts } = context;
  const limit = makeRateLimit(diagnosesPerMinute / 60, { name: 'diagnoses', windowSeconds: 60, counts });
  await mountContract(http, context, contract, warehouseEndpoints(operations), [
    diagnose({ enabled, ...signedBy, limit }),
  ]);
}
