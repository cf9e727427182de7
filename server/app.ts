import { Server as NetServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { mountConsolePages } from './api/console/console-pages.ts';
import { mountConsole } from './api/console/mount-console.ts';
import { mountReference } from './api/docs/mount-docs.ts';
import { mountOperations, type Readiness } from './api/health.ts';
import { logisticsEndpoints } from './api/logistics/endpoints.ts';
import { formatCallback } from './api/logistics/format-callback.ts';
import { makeLogisticsContract } from './api/logistics/logistics-contract.ts';
import type { CheckBearer } from './api/main/main-contract.ts';
import { mountMain } from './api/main/mount-main.ts';
import { warehouseEndpoints } from './api/warehouse/endpoints.ts';
import { makeWarehouseContract } from './api/warehouse/warehouse-contract.ts';
import type { Config } from './config.ts';
import { mountDatabaseMetrics } from './database-metrics.ts';
import { type DomainOperations, makeDomainOperations } from './domain/operations.ts';
import { makeAccountDirectory } from './domain/partners/account-directory.ts';
import { makeClientDirectory } from './domain/partners/client-directory.ts';
import { makeClientNetworks } from './domain/partners/client-networks.ts';
import { makeLogisticsKeyDirectory } from './domain/partners/logistics-key-directory.ts';
import { makePartnerUse, type PartnerUse } from './domain/partners/partner-use.ts';
import { makeTokenKeyDirectory } from './domain/partners/token-key-directory.ts';
import { makeRequestLog, type RequestLog } from './domain/requests/request-log.ts';
import { mountGauges } from './gauges.ts';
import { type AnonymousLineRules, type AnonymousRequests, makeAnonymousRequests } from './http/anonymous-requests.ts';
import { attachDirectLane, type StartDeadline } from './http/direct-lane.ts';
import { formatMainProblem } from './http/done-envelope.ts';
import { makeHttpServer } from './http/http-server.ts';
import { makeAllNow } from './http/lazy.ts';
import { bodiesHeldMaxBytes } from './http/limits.ts';
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
import { makeAddressGuard } from './platform/outgoing/address-guard.ts';
import type { Database } from './platform/postgres/database.ts';
import { latestMigration } from './platform/postgres/migrate.ts';
import type { ReadReplica } from './platform/postgres/read-replica.ts';
import { readsOf } from './platform/postgres/reads.ts';
import { makeStatusReader } from './platform/postgres/server-status.ts';
import { noSiblings, type Siblings } from './platform/siblings.ts';
import { makeReadiness } from './readiness.ts';
import { type Diagnoser, type DiagnosisTimes, makeDiagnoser } from './signature-doctor/diagnose-in-background.ts';
import { version } from './version.ts';

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
  const { config, database, clock, log, contracts = true, siblings = noSiblings } = parts;
  const { counts } = siblings;
  const metrics = makeMetrics();
  const { requestLogDays: logDays, requestLogMaxBytes: logMaxBytes } = config;
  const onDropped = (count: number) => metrics.requestLogDropped.inc(count);
  const requestLog = makeRequestLog(database, { log, onDropped, maxBytes: logMaxBytes });
  const anonymousRequests = makeAnonymousRequests({
    logMaxBytes,
    logDays,
    metrics,
    rules: parts.anonymousLines,
    processes: counts.processes,
    write: (finished, suppressed) => writeRequest(finished, suppressed, { log, requestLog }),
  });
  const partnerUse = makePartnerUse(database, log);
  const limits = makeLimits(parts, counts);
  let draining: Draining | null = null;
  const recorder = new RequestRecorder({ log, metrics, requestLog, anonymousRequests, partnerUse });
  const { app: http, context } = makeHttpServer({
    log,
    metrics,
    clock,
    ...limits,
    recorder,
    isStopping: () => draining !== null,
    trustedProxies: config.trustedProxies,
    bodiesHeldMaxBytes: parts.bodiesHeldMaxBytes ?? bodiesHeldMaxBytes,
  });
  if (config.directLane) attachDirectLane(http, context, parts.startDeadline);

  // The main API answers for every path that belongs to no other contract.
  setEnvelope(http, context, { name: 'main', prefix: '', formatProblem: formatMainProblem });
  const state = await mountState(http, metrics, { ...parts, load: limits.load, isStopping: () => draining === 'node' });
  const mounted = contracts ? await mountContracts(http, context, { ...parts, metrics }) : null;

  return {
    http,
    metrics,
    requestLog,
    anonymousRequests,
    partnerUse,
    loadLazyFiles: () => makeAllNow(http),
    startDraining(what = 'node') {
      draining = what;
    },
    stopAccepting: () => stopAccepting(http),
    async close() {
      draining ??= 'node';
      await http.close();
      limits.load.close();
      state.close();
      await mounted?.operations.close();
      mounted?.diagnoser.close();
      anonymousRequests.close();
      await requestLog.close();
      await partnerUse.close();
    },
  };
}

/** The close of an HTTP server would also close idle connections, on which a request may be on its way. */
function stopAccepting({ server }: FastifyInstance): void {
  NetServer.prototype.close.call(server);
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
  parts: AppParts & { load: LoadShedder; isStopping: () => boolean },
): Promise<{ close(): void }> {
  const { database, log, load, isStopping, dataDir = null, replica = null, siblings = noSiblings } = parts;
  const status = makeStatusReader(database);
  mountGauges(metrics, { load, database, replica, log });
  mountDatabaseMetrics(metrics, database, status);
  const check = makeReadiness({ database, status, migration: await latestMigration(), dataDir, replica });
  const ofProcess = async () => {
    const { reasons, warnings } = await check();
    return { reasons: [...(isStopping() ? ['the service is stopping'] : []), ...reasons], warnings };
  };
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
  mountOperations(http, { readiness, metrics: { contentType, format }, version });
  return status;
}

interface Mounted {
  operations: DomainOperations;
  diagnoser: Diagnoser;
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
  const own = makeDomainOperations({ database, directory, clock, metrics, formatCallback, accountLanes });
  const operations = { ...own, ...parts.operations };
  metrics.gaugeOfProcess('lading_group_requests_waiting', 'Requests that wait for their group.', own.waiting);

  const signedBy = { directory, clock: parts.ownClock ?? clock, diagnoser };
  const warehouse = makeWarehouseContract({ prefix: warehouseBasePath, enabled: config.warehouseApi, ...signedBy });
  await mountContract(http, context, warehouse, warehouseEndpoints(operations));

  const networks = makeClientNetworks(database, log);
  await mountMain(http, context, {
    operations,
    checkBearer: parts.checkBearer,
    clients,
    keys: makeTokenKeyDirectory(database, keyring, clock),
    keyring,
    bruteForceLimiter: makeBruteForceLimiter(networks.find, 'tokens', context.counts),
    networks,
    clock,
    lifetimeSeconds: config.tokenTtlSeconds,
  });

  const keys = makeLogisticsKeyDirectory({ database, keyring, accounts: directory, clock });
  const logistics = makeLogisticsContract({ prefix: `/${logisticsSegment}`, keys });
  await mountContract(
    http,
    context,
    logistics,
    logisticsEndpoints(operations, makeAddressGuard(config.callbackAllowCidrs)),
  );

  mountConsolePages(http, { folder: parts.consoleFolder ?? consoleFolder });
  const addresses = { serverUrl: publicUrl, warehouseBasePath, logisticsSegment };
  const reads = parts.replica ?? readsOf(database);
  const console = { database, reads, keyring, directory, clock, operations, version, addresses, publicUrl };
  await mountConsole(http, context, console);
  mountReference(http, { ...addresses, version });
  return { operations: own, diagnoser };
}
