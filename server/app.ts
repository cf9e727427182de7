import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { mountConsolePages } from './api/console/console-pages.ts';
import { mountConsole } from './api/console/mount-console.ts';
import { mountReference } from './api/docs/mount-docs.ts';
import { mountOperations } from './api/health.ts';
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
import type { Keyring } from './platform/keyring.ts';
import { makeBruteForceLimiter } from './platform/limits/brute-force-limiter.ts';
import { type LoadShedder, makeLoadShedder } from './platform/limits/load-shedder.ts';
import { makeRateLimit } from './platform/limits/rate-limit.ts';
import { makeThrottle, type Throttle } from './platform/limits/throttle.ts';
import type { Log } from './platform/log.ts';
import { type Metrics, makeMetrics } from './platform/metrics.ts';
import { makeAddressGuard } from './platform/outgoing/address-guard.ts';
import type { Database } from './platform/postgres/database.ts';
import { latestMigration } from './platform/postgres/migrate.ts';
import { makeStatusReader } from './platform/postgres/server-status.ts';
import { makeReadiness } from './readiness.ts';
import { type Diagnoser, type DiagnosisTimes, makeDiagnoser } from './signature-doctor/diagnose-in-background.ts';
import { version } from './version.ts';

export interface AppParts {
  config: Config;
  database: Database;
  keyring: Keyring;
  clock: Clock;
  /**
   * This node's own clock, if `clock` is another one. Signatures are checked against it: a database with a wrong clock
   * must not make all nodes reject every request.
   */
  ownClock?: Clock;
  log: Log;
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
  /** Makes readiness fail with 503. Requests are still served, each as the last one of its connection. */
  startDraining(): void;
  /** Finishes the requests in progress, then writes the logs. */
  close(): Promise<void>;
}

const consoleFolder = fileURLToPath(new URL('../console/dist', import.meta.url));
/** Far more than honest callers cause, and far less than would slow down other requests. */
const rejectionsPerSecond = 500;
const rejectionWaitMaxMs = 3000;

/** The whole service except its listening socket; the same in production and in tests. */
export async function buildApp(parts: AppParts): Promise<App> {
  const { config, database, clock, log, contracts = true } = parts;
  const metrics = makeMetrics();
  const { requestLogDays: logDays, requestLogMaxBytes: logMaxBytes } = config;
  const onDropped = (count: number) => metrics.requestLogDropped.inc(count);
  const requestLog = makeRequestLog(database, { log, onDropped, maxBytes: logMaxBytes });
  const anonymousRequests = makeAnonymousRequests({
    logMaxBytes,
    logDays,
    metrics,
    rules: parts.anonymousLines,
    write: (finished, suppressed) => writeRequest(finished, suppressed, { log, requestLog }),
  });
  const partnerUse = makePartnerUse(database, log);
  const load = makeLoadShedder(config.inFlightMax);
  const rateLimit = makeRateLimit(config.rateLimitPerSecond);
  const rejectionThrottle =
    parts.rejectionThrottle ?? makeThrottle({ perSecond: rejectionsPerSecond, waitMaxMs: rejectionWaitMaxMs });
  let draining = false;
  const recorder = new RequestRecorder({ log, metrics, requestLog, anonymousRequests, partnerUse });
  const { app: http, context } = makeHttpServer({
    log,
    metrics,
    clock,
    load,
    rateLimit,
    rejectionThrottle,
    recorder,
    isStopping: () => draining,
    trustedProxies: config.trustedProxies,
    bodiesHeldMaxBytes: parts.bodiesHeldMaxBytes ?? bodiesHeldMaxBytes,
  });
  if (config.directLane) attachDirectLane(http, context, parts.startDeadline);

  // The main API answers for every path that belongs to no other contract.
  setEnvelope(http, context, { name: 'main', prefix: '', formatProblem: formatMainProblem });
  const state = await mountState(http, metrics, { ...parts, load, isStopping: () => draining });
  const mounted = contracts ? await mountContracts(http, context, { ...parts, metrics }) : null;

  return {
    http,
    metrics,
    requestLog,
    anonymousRequests,
    partnerUse,
    loadLazyFiles: () => makeAllNow(http),
    startDraining() {
      draining = true;
    },
    async close() {
      draining = true;
      await http.close();
      load.close();
      state.close();
      await mounted?.operations.close();
      mounted?.diagnoser.close();
      anonymousRequests.close();
      await requestLog.close();
      await partnerUse.close();
    },
  };
}

/** Health, readiness and metrics. */
async function mountState(
  http: FastifyInstance,
  metrics: Metrics,
  parts: Pick<AppParts, 'database' | 'dataDir'> & { load: LoadShedder; isStopping: () => boolean },
): Promise<{ close(): void }> {
  const { database, load, isStopping, dataDir = null } = parts;
  const status = makeStatusReader(database);
  mountGauges(metrics, { load, database });
  mountDatabaseMetrics(metrics, database, status);
  const check = makeReadiness({ database, status, migration: await latestMigration(), dataDir });
  const readiness = async () => {
    const { reasons, warnings } = await check();
    return { reasons: [...(isStopping() ? ['the service is stopping'] : []), ...reasons], warnings };
  };
  mountOperations(http, { readiness, metrics, version });
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
  metrics.gauge('lading_group_requests_waiting', 'Requests that wait for their group.', own.waiting);

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
    bruteForceLimiter: makeBruteForceLimiter(networks.find),
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
  const console = { database, keyring, directory, clock, operations, version, addresses, publicUrl };
  await mountConsole(http, context, console);
  mountReference(http, { ...addresses, version });
  return { operations: own, diagnoser };
}
