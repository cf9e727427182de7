import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { type AnonymousCalls, type AnonymousLineRules, makeAnonymousCalls } from './api/anonymous-calls.ts';
import { bodiesHeldMaxBytes } from './api/bodies-held.ts';
import { writeCall } from './api/call.ts';
import { mountConsolePages } from './api/console/console-pages.ts';
import { mountConsole } from './api/console/mount-console.ts';
import { mountContract, speak } from './api/contract.ts';
import { openDirectLane, type StartDeadline } from './api/direct-lane.ts';
import { wordMainProblem } from './api/done-envelope.ts';
import { logisticsEndpoints } from './api/logistics/endpoints.ts';
import { makeLogisticsContract } from './api/logistics/logistics-contract.ts';
import { wordCallback } from './api/logistics/word-callback.ts';
import type { CheckBearer } from './api/main/main-contract.ts';
import { mountMain } from './api/main/mount-main.ts';
import { makeAllNow } from './api/once.ts';
import { mountOperations } from './api/operations.ts';
import { mountReference } from './api/reference.ts';
import { makeShell } from './api/shell.ts';
import { type Diagnoser, type DiagnosisTimes, makeDiagnoser } from './api/warehouse/diagnose-in-background.ts';
import { type WarehouseOperations, warehouseEndpoints } from './api/warehouse/endpoints.ts';
import { makeWarehouseContract } from './api/warehouse/warehouse-contract.ts';
import type { Config } from './config.ts';
import { makeAccountDirectory } from './domain/partners/account-directory.ts';
import { makeClientDirectory } from './domain/partners/client-directory.ts';
import { makeClientNetworks } from './domain/partners/client-networks.ts';
import { makeLogisticsKeyDirectory } from './domain/partners/logistics-key-directory.ts';
import { makePartnerUse, type PartnerUse } from './domain/partners/partner-use.ts';
import { makeTokenKeyDirectory } from './domain/partners/token-key-directory.ts';
import { type DomainOperations, makeDomainOperations } from './domain-operations.ts';
import { mountGauges } from './gauges.ts';
import { makeAddressGuard } from './platform/address-guard.ts';
import type { Clock } from './platform/clock.ts';
import type { Database } from './platform/database.ts';
import { makeGuessThrottle } from './platform/guess-throttle.ts';
import type { Keyring } from './platform/keyring.ts';
import { makeLoadShedder } from './platform/load-shedder.ts';
import type { Log } from './platform/log.ts';
import { type Metrics, makeMetrics } from './platform/metrics.ts';
import { makePace, type Pace } from './platform/pace.ts';
import { makeRateLimit } from './platform/rate-limit.ts';
import { makeRequestLog, type RequestLog } from './platform/request-log.ts';
import { version } from './version.ts';

export interface AppParts {
  config: Config;
  database: Database;
  keyring: Keyring;
  clock: Clock;
  /** Where it is another: signatures are checked by it, because a database whose clock is wrong must not make all nodes refuse everybody. */
  ownClock?: Clock;
  log: Log;
  /** false on a node that only works in the background: health and metrics, no APIs. */
  contracts?: boolean;
  refusalPace?: Pace;
  /** How many calls of unknown callers are written one by one. */
  anonymousLines?: Partial<AnonymousLineRules>;
  bodiesHeldMaxBytes?: number;
  /** How the direct lane learns that a request is late. */
  startDeadline?: StartDeadline;
  diagnosisTimes?: DiagnosisTimes;
  /** Another way to do what the APIs ask for, or to tell who is calling: for a benchmark to compare with. */
  operations?: Partial<WarehouseOperations>;
  checkBearer?: CheckBearer;
  /** Where the console's pages were built to, if elsewhere than usual. */
  consoleFolder?: string;
}

export interface App {
  http: FastifyInstance;
  metrics: Metrics;
  requestLog: RequestLog;
  anonymousCalls: AnonymousCalls;
  partnerUse: PartnerUse;
  /** Reads now whatever is otherwise read on first use. */
  loadLazyFiles(): Promise<void>;
  /** Readiness turns 503; requests are still served, each as the last one of its connection. */
  startDraining(): void;
  /** Requests in flight finish; then the logs are written out. */
  close(): Promise<void>;
}

const consoleFolder = fileURLToPath(new URL('../console/dist', import.meta.url));
/** Far above what honest callers bring about, far below what would take up the time of the others. */
const refusalsPerSecond = 500;
const refusalWaitMaxMs = 3000;

/** The whole service but for its socket: the same in production and in tests. */
export async function buildApp({ config, database, keyring, clock, log, contracts = true, ...parts }: AppParts): Promise<App> {
  const metrics = makeMetrics();
  const { requestLogDays: logDays, requestLogMaxBytes: logMaxBytes } = config;
  const onDropped = (count: number) => metrics.requestLogDropped.inc(count);
  const requestLog = makeRequestLog(database, { log, onDropped, maxBytes: logMaxBytes });
  const write: Parameters<typeof makeAnonymousCalls>[0]['write'] = (record, count) => writeCall(record, count, { log, requestLog });
  const anonymousCalls = makeAnonymousCalls({ logMaxBytes, logDays, metrics, rules: parts.anonymousLines, write });
  const partnerUse = makePartnerUse(database, log);
  const load = makeLoadShedder(config.inFlightMax);
  const rateLimit = makeRateLimit(config.rateLimitPerSecond);
  const refusalPace = parts.refusalPace ?? makePace({ perSecond: refusalsPerSecond, waitMaxMs: refusalWaitMaxMs });
  const { trustedProxies } = config;
  let draining = false;
  const isStopping = () => draining;
  const books = { log, metrics, requestLog, anonymousCalls, partnerUse };
  const made = makeShell({
    ...{ ...books, clock, load, rateLimit, refusalPace, trustedProxies, isStopping },
    bodiesHeldMaxBytes: parts.bodiesHeldMaxBytes ?? bodiesHeldMaxBytes,
  });
  const { app: http, shell } = made;
  if (config.directLane)
    openDirectLane(http, shell, { ...books, ...made.connections, clock, refusalPace, isStopping, startDeadline: parts.startDeadline });
  let operations: DomainOperations | null = null;
  let diagnoser: Diagnoser | null = null;

  mountGauges(metrics, { load, database });

  async function readiness(): Promise<string[]> {
    const reasons = draining ? ['the service is stopping'] : [];
    await database
      .read((sql) => sql`select 1`)
      .catch(async (error: Error) => {
        reasons.push(`database: ${(await database.explainOutage()) ?? error.message}`);
      });
    return reasons;
  }

  // Whatever is no other contract's is answered in the words of the main API.
  speak(http, shell, { name: 'main', prefix: '', word: wordMainProblem });
  mountOperations(http, { readiness, metrics, version });
  if (contracts) {
    const directory = makeAccountDirectory(database, keyring);
    const clients = makeClientDirectory(database, directory);
    diagnoser = makeDiagnoser({ accounts: directory, clients, log, ...(parts.diagnosisTimes ? { times: parts.diagnosisTimes } : {}) });
    const { warehouseBasePath, warehouseApi } = config;
    const signedBy = { directory, clock: parts.ownClock ?? clock, diagnoser };
    const warehouse = makeWarehouseContract({ prefix: warehouseBasePath, enabled: warehouseApi, ...signedBy });
    operations = makeDomainOperations({ database, directory, clock, metrics, wordCallback });
    metrics.gauge('lading_group_requests_waiting', 'Requests that wait for their group.', operations.waiting);
    await mountContract(http, shell, warehouse, warehouseEndpoints({ ...operations, ...parts.operations }));
    const networks = makeClientNetworks(database, log);
    await mountMain(http, shell, {
      operations: { ...operations, ...parts.operations },
      checkBearer: parts.checkBearer,
      clients,
      keys: makeTokenKeyDirectory(database, keyring, clock),
      keyring,
      throttle: makeGuessThrottle(networks.find),
      networks,
      clock,
      lifetimeSeconds: config.tokenTtlSeconds,
    });
    const keys = makeLogisticsKeyDirectory({ database, keyring, accounts: directory, clock });
    const logistics = makeLogisticsContract({ prefix: `/${config.logisticsSegment}`, keys });
    await mountContract(http, shell, logistics, logisticsEndpoints(operations, makeAddressGuard(config.callbackAllowCidrs)));
    mountConsolePages(http, { folder: parts.consoleFolder ?? consoleFolder });
    const { publicUrl: serverUrl, logisticsSegment } = config;
    const addresses = { serverUrl, warehouseBasePath, logisticsSegment };
    await mountConsole(http, shell, { database, keyring, directory, clock, operations, version, addresses, publicUrl: serverUrl });
    mountReference(http, { serverUrl, warehouseBasePath, logisticsSegment, version });
  }

  return {
    http,
    metrics,
    requestLog,
    anonymousCalls,
    partnerUse,
    loadLazyFiles: () => makeAllNow(http),
    startDraining() {
      draining = true;
    },
    async close() {
      draining = true;
      await http.close();
      load.close();
      await operations?.close();
      diagnoser?.close();
      anonymousCalls.close();
      await requestLog.close();
      await partnerUse.close();
    },
  };
}
