import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after } from 'node:test';
import { type App, buildApp } from '../../server/app.ts';
import { type Config, readConfig } from '../../server/config.ts';
import { applyProvisioning, type IssuedSecret } from '../../server/domain/partners/apply-provisioning.ts';
import type { Provisioning } from '../../server/domain/partners/provisioning.ts';
import type { Clock } from '../../server/platform/clock.ts';
import type { Database } from '../../server/platform/database.ts';
import { makeLog } from '../../server/platform/log.ts';
import type { Pace } from '../../server/platform/pace.ts';
import { makeTestStore, type TestStore } from './database.ts';

export interface TestApp extends App {
  store: TestStore;
  config: Config;
  clock: Clock & { set(instant: Date | null): void };
  /** Every log line so far, at the level trace. */
  logLines: string[];
  provision(provisioning: Provisioning): Promise<IssuedSecret[]>;
  /** A signed call of the warehouse API. */
  callWarehouse(path: string, body: unknown, options?: SignedCallOptions): Promise<TestAnswer>;
  /** The line of the request log for a trace id, once it is written. */
  requestLine(traceId: string): Promise<Record<string, unknown> | undefined>;
}

export interface SignedCallOptions {
  accountNo?: string;
  secret?: string;
  timestamp?: string;
  headers?: Record<string, string>;
}

export interface TestAnswer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
  json: ReturnType<typeof JSON.parse>;
}

/** Who calls in tests, unless they say otherwise. */
export const alpha = { accountNo: 'ALPHA', secret: 'alpha-secret', warehouseTpwId: 'TPW-A' };
export const beta = { accountNo: 'BETA', secret: 'beta-secret', warehouseTpwId: 'TPW-B' };

export const testProvisioning: Provisioning = {
  warehouses: [{ warehouse_no: 1, name: 'Taoyuan' }],
  stores: [{ store_no: 10, name: 'Upload test' }],
  accounts: [alpha, beta].map(({ accountNo, secret, warehouseTpwId }) => ({
    account_no: accountNo,
    environment: 'uat',
    secret,
    tenants: [{ warehouse_tpw_id: warehouseTpwId, warehouse_no: 1, store_no: 10 }],
  })),
};

/** The whole app on a database of its own; both are gone when the tests of the file have run. */
export async function startTestApp(
  options: { env?: Record<string, string>; database?: (store: TestStore) => Database; refusalPace?: Pace } = {},
): Promise<TestApp> {
  const store = await makeTestStore();
  const config = testConfig(options.env);
  const clock = makeTestClock();
  const logLines: string[] = [];
  const log = makeLog('trace', { write: (line) => void logLines.push(line) });
  const app = await buildApp({
    config,
    database: options.database?.(store) ?? store.database,
    keyring: store.keyring,
    clock,
    log,
    ...(options.refusalPace ? { refusalPace: options.refusalPace } : {}),
  });
  await app.http.ready();
  after(async () => {
    await app.close();
    await store.close();
  });

  const testApp: TestApp = {
    ...app,
    store,
    config,
    clock,
    logLines,
    async provision(provisioning) {
      const outcome = await applyProvisioning(store.database, store.keyring, provisioning, { actor: 'test' });
      assert.equal(outcome.kind, 'applied', JSON.stringify(outcome));
      return outcome.kind === 'applied' ? outcome.issued : [];
    },
    async callWarehouse(path, body, callOptions = {}) {
      const bytes = typeof body === 'string' || body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
      const answer = await app.http.inject({
        method: 'POST',
        url: `${config.warehouseBasePath}${path}`,
        headers: { 'content-type': 'application/json', ...signedHeaders(bytes, clock, callOptions), ...callOptions.headers },
        payload: bytes,
      });
      return {
        status: answer.statusCode,
        headers: answer.headers,
        text: answer.payload,
        json: answer.payload ? JSON.parse(answer.payload) : null,
      };
    },
    async requestLine(traceId) {
      await app.requestLog.flush();
      const [row] = await store.database.read((sql) => sql`select * from request_log where trace_id = ${traceId}`);
      return row;
    },
  };
  await testApp.provision(testProvisioning);
  return testApp;
}

export function testConfig(env: Record<string, string> = {}): Config {
  const reading = readConfig({ PORT: '0', RATE_LIMIT: 'off', DRAIN_S: '0', ...env });
  if (reading.kind === 'mistakes') throw new Error(reading.mistakes.join('; '));
  return reading.config;
}

export function signedHeaders(body: Uint8Array, clock: Clock, options: SignedCallOptions = {}): Record<string, string> {
  const timestamp = options.timestamp ?? String(Math.floor(clock.now().getTime() / 1000));
  const sign = createHmac('sha256', options.secret ?? alpha.secret)
    .update(body)
    .update(timestamp)
    .digest('hex');
  return { 'account-no': options.accountNo ?? alpha.accountNo, timestamp, sign };
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
