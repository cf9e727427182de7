import assert from 'node:assert/strict';
import { after } from 'node:test';
import { formatStored } from '../../messages/format-message.ts';
import { signRequest } from '../../sdk/client.ts';
import { type App, buildApp } from '../../server/app.ts';
import { type Config, readConfig } from '../../server/config.ts';
import type { IssuedSecret } from '../../server/domain/partners/apply-outcome.ts';
import { applyProvisioning } from '../../server/domain/partners/apply-provisioning.ts';
import { type Provisioning, permissions } from '../../server/domain/partners/provisioning.ts';
import type { AnonymousLineRules } from '../../server/http/anonymous-requests.ts';
import type { StartDeadline } from '../../server/http/direct-lane.ts';
import { openTracing, type Tracing } from '../../server/open-tracing.ts';
import type { Clock } from '../../server/platform/clock.ts';
import type { Throttle } from '../../server/platform/limits/throttle.ts';
import { makeLog } from '../../server/platform/log.ts';
import { makeMetrics } from '../../server/platform/metrics.ts';
import { makeAddressGuard } from '../../server/platform/outgoing/address-guard.ts';
import type { Database } from '../../server/platform/postgres/database.ts';
import type { ReadReplica } from '../../server/platform/postgres/read-replica.ts';
import type { RepeatLimiter } from '../../server/platform/repeated-lines.ts';
import { makeTestStore, onCitus, patienceSeconds, type TestStore } from './database.ts';

export interface TestApp extends App {
  store: TestStore;
  config: Config;
  clock: Clock & { set(instant: Date | null): void };
  /** null unless the settings have a receiver of traces. */
  tracing: Tracing | null;
  /** All log lines so far, including level trace. */
  logLines: string[];
  provision(provisioning: Provisioning): Promise<IssuedSecret[]>;
  /** Sends a signed request to the warehouse API. */
  callWarehouse(path: string, body: unknown, options?: SignedCallOptions): Promise<TestAnswer>;
  /** Returns an access token, the same one until it expires. */
  tokenOf(caller?: TokenCaller): Promise<string>;
  /** Sends a request with a bearer token to the main API. */
  callMain(path: string, body: unknown, options?: MainCallOptions): Promise<TestAnswer>;
  /** Sends a request with an API key to the logistics webhook. */
  callLogistics(path: string, body: unknown, options?: LogisticsCallOptions): Promise<TestAnswer>;
  /** Waits for the request log line of a trace id. */
  requestLine(traceId: string): Promise<Record<string, unknown> | undefined>;
}

export interface SignedCallOptions {
  accountNo?: string;
  secret?: string;
  timestamp?: string;
  headers?: Record<string, string>;
}

export interface TokenCaller {
  clientId: string;
  checkValue: string;
}

export interface MainCallOptions {
  as?: TokenCaller;
  token?: string;
  headers?: Record<string, string>;
}

export interface LogisticsCallOptions {
  apiKey?: string;
  headers?: Record<string, string>;
}

export interface TestAnswer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
  json: ReturnType<typeof JSON.parse>;
}

/** The default callers of tests. */
export const alpha = {
  accountNo: 'ALPHA',
  secret: 'alpha-secret-of-thirty-two-characters-or-more',
  warehouseTpwId: 'TPW-A',
  clientId: 'alpha-erp',
  checkValue: 'alpha-check-value-of-thirty-two-characters-or-more',
  apiKey: 'alpha-api-key-of-thirty-two-characters-or-more',
  callbackSecret: 'whsec_YWxwaGEtY2FsbGJhY2stc2VjcmV0LWZvci10ZXN0cw==',
};
export const beta = {
  accountNo: 'BETA',
  secret: 'beta-secret-of-thirty-two-characters-or-more',
  warehouseTpwId: 'TPW-B',
  clientId: 'beta-erp',
  checkValue: 'beta-check-value-of-thirty-two-characters-or-more',
  apiKey: 'beta-api-key-of-thirty-two-characters-or-more',
  callbackSecret: 'whsec_YmV0YS1jYWxsYmFjay1zZWNyZXQtZm9yLXRlc3Rz',
};

/** Both tenants also sell expired units, so that most tests do not depend on the date. */
export const testProvisioning: Provisioning = {
  warehouses: [{ warehouse_no: 1, name: 'Taoyuan' }],
  stores: [{ store_no: 10, name: 'Upload test' }],
  accounts: [alpha, beta].map(({ accountNo, secret, warehouseTpwId }) => ({
    account_no: accountNo,
    environment: 'uat',
    secret,
    tenants: [{ warehouse_tpw_id: warehouseTpwId, warehouse_no: 1, store_no: 10, sellable_days_before_expiry: null }],
  })),
  clients: [alpha, beta].map(({ accountNo, clientId, checkValue }) => ({
    client_id: clientId,
    check_value: checkValue,
    account_no: accountNo,
    permissions: [...permissions],
  })),
  logistics_keys: [alpha, beta].map(({ accountNo, apiKey, callbackSecret }) => ({
    name: 'wms',
    key: apiKey,
    account_no: accountNo,
    warehouse_no: 1,
    store_no: 10,
    // Forms are received at once, so that most tests need no job.
    receive_after_s: 0,
    sellable_days_before_expiry: null,
    callback_secret: callbackSecret,
  })),
};

interface TestAppOptions {
  env?: Record<string, string>;
  /** For a test with its own database server. */
  store?: TestStore;
  database?: (store: TestStore) => Database;
  replica?: ReadReplica;
  rejectionThrottle?: Throttle;
  anonymousLines?: Partial<AnonymousLineRules>;
  bodiesHeldMaxBytes?: number;
  startDeadline?: StartDeadline;
  repeatLimiter?: RepeatLimiter;
}

/** Starts the whole app on its own database; both are removed after the tests of the file. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const store = options.store ?? (await makeTestStore());
  const config = testConfig(options.env);
  const guard = makeAddressGuard(config.callbackAllowCidrs);
  const clock = makeTestClock();
  const logLines: string[] = [];
  const stream = { write: (line: string) => void logLines.push(line) };
  const log = makeLog('trace', stream, undefined, options.repeatLimiter);
  const metrics = makeMetrics();
  const tracing = await openTracing(config, { log, metrics });
  const app = await buildApp({
    config,
    metrics,
    tracer: tracing?.tracer ?? null,
    database: options.database?.(store) ?? store.service,
    replica: options.replica ?? null,
    keyring: store.keyring,
    clock,
    log,
    // The result must not depend on the load of the machine.
    diagnosisTimes: { waitMaxMs: patienceSeconds * 1000, workMaxMs: patienceSeconds * 1000 },
    ...(process.env.LADING_TEST_CONSOLE ? { consoleFolder: process.env.LADING_TEST_CONSOLE } : {}),
    ...(options.rejectionThrottle ? { rejectionThrottle: options.rejectionThrottle } : {}),
    ...(options.anonymousLines ? { anonymousLines: options.anonymousLines } : {}),
    ...(options.bodiesHeldMaxBytes === undefined ? {} : { bodiesHeldMaxBytes: options.bodiesHeldMaxBytes }),
    ...(options.startDeadline ? { startDeadline: options.startDeadline } : {}),
  });
  await app.http.ready();
  after(async () => {
    await app.close();
    await tracing?.tracer.close();
    await store.close();
  });

  const testApp: TestApp = {
    ...app,
    store,
    config,
    clock,
    tracing,
    logLines,
    async provision(provisioning) {
      const outcome = await applyProvisioning(store.service, store.keyring, provisioning, { actor: 'test', guard });
      assert.equal(outcome.kind, 'applied', JSON.stringify(outcome));
      return outcome.kind === 'applied' ? outcome.issued : [];
    },
    callWarehouse: warehouseCalls(app, config, clock),
    ...mainCalls(app, clock),
    callLogistics: logisticsCalls(app, config),
    async requestLine(traceId) {
      await app.requestLog.flush();
      const [row] = await store.database.read((sql) => sql`select * from request_log where trace_id = ${traceId}`);
      if (row === undefined) return undefined;
      const inEnglish = (stored: string | null) => stored?.split('\n').map(formatStored).join('\n') ?? null;
      return { ...row, reason: inEnglish(row.reason), diagnosis: inEnglish(row.diagnosis) };
    },
  };
  await testApp.provision(testProvisioning);
  return testApp;
}

export function testConfig(env: Record<string, string> = {}): Config {
  const lanes = onCitus ? { ACCOUNT_LANES: '4' } : {};
  const reading = readConfig({ PORT: '0', RATE_LIMIT: 'off', DRAIN_S: '0', ...lanes, ...env });
  if (reading.kind === 'mistakes') throw new Error(reading.mistakes.join('; '));
  return reading.config;
}

/** Does not use the SDK, because tests also sign with invalid timestamps. */
export function signedHeaders(body: Uint8Array, clock: Clock, options: SignedCallOptions = {}): Record<string, string> {
  const {
    accountNo = alpha.accountNo,
    secret = alpha.secret,
    timestamp = Math.floor(clock.now().getTime() / 1000),
  } = options;
  return signRequest({ accountNo, secret, body, timestamp });
}

function bytesOf(body: unknown): Buffer {
  return typeof body === 'string' || body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
}

async function post(
  { http }: Pick<App, 'http'>,
  url: string,
  payload: Buffer,
  headers: Record<string, string>,
): Promise<TestAnswer> {
  const answer = await http.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    payload,
  });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.payload,
    json: answer.payload ? JSON.parse(answer.payload) : null,
  };
}

/** Creates a caller of the warehouse API. */
export function warehouseCalls(app: Pick<App, 'http'>, config: Config, clock: Clock): TestApp['callWarehouse'] {
  return async (path, body, options = {}) => {
    const bytes = bytesOf(body);
    const headers = { ...signedHeaders(bytes, clock, options), ...options.headers };
    return await post(app, `${config.warehouseBasePath}${path}`, bytes, headers);
  };
}

/** Creates a caller of the main API. */
export function mainCalls(app: Pick<App, 'http'>, clock: Clock): Pick<TestApp, 'tokenOf' | 'callMain'> {
  const tokens = new Map<string, { token: string; expiresAtMs: number }>();

  async function tokenOf({ clientId, checkValue }: TokenCaller = alpha): Promise<string> {
    const remembered = tokens.get(clientId);
    if (remembered && remembered.expiresAtMs > clock.now().getTime()) return remembered.token;
    const issuedAtMs = Math.floor(clock.now().getTime() / 1000) * 1000;
    const payload = { ClientId: clientId, CheckValue: checkValue };
    const { retval, msg } = (await app.http.inject({ method: 'POST', url: '/api/v1/token/getToken', payload })).json();
    assert.equal(msg, 'success');
    tokens.set(clientId, { token: retval.access_token, expiresAtMs: issuedAtMs + retval.expires_in * 1000 });
    return retval.access_token;
  }

  return {
    tokenOf,
    async callMain(path, body, { as, token, headers } = {}) {
      const authorization = `Bearer ${token ?? (await tokenOf(as))}`;
      return await post(app, `/api/v2/default${path}`, bytesOf(body), { authorization, ...headers });
    },
  };
}

/** Creates a caller of the logistics webhook. */
export function logisticsCalls(app: Pick<App, 'http'>, config: Config): TestApp['callLogistics'] {
  return (path, body, { apiKey = alpha.apiKey, headers } = {}) =>
    post(app, `/${config.logisticsSegment}${path}`, bytesOf(body), { authorization: apiKey, ...headers });
}

function makeTestClock(): TestApp['clock'] {
  let fixed: Date | null = null;
  return {
    now: () => fixed ?? new Date(),
    set(instant) {
      fixed = instant;
    },
  };
}
