import { afterEach } from 'node:test';
import { formatStored } from '../../messages/format-message.ts';
import { formatChanges } from '../../server/api/connector/format-changes.ts';
import { formatTransfer } from '../../server/api/connector/format-transfer.ts';
import { connectorSecretsOf } from '../../server/domain/partners/connector-secrets.ts';
import { permissions } from '../../server/domain/partners/provisioning.ts';
import type { PushRules } from '../../server/domain/transfers/transfer.ts';
import type { PushContext } from '../../server/jobs/push-context.ts';
import { makePushMetrics } from '../../server/jobs/push-metrics.ts';
import { startPush } from '../../server/jobs/push-orders.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Caller, order, receive } from '../support/warehouse.ts';
import { startTestWorker, type TestWorker, until } from '../support/worker.ts';
import { type Behaviour, startWarehouseSystem, takes } from './warehouse-system.ts';

/** The usual rules with short times and small batches. */
const quick: Partial<PushRules> = {
  lookEverySeconds: 0.01,
  retryDelaysSeconds: [0.02],
  jitter: 0,
  postedMax: 4,
  handedOverMax: 4,
  pageMax: 3,
};

/** Two production accounts, whose orders are sent to a warehouse. */
export const live = ['LIVE-1', 'LIVE-2'].map((accountNo) => ({
  accountNo,
  secret: `secret of ${accountNo}-of-thirty-two-characters-or-more`,
  clientId: `client-of-${accountNo}`,
  checkValue: `check value of ${accountNo}-of-thirty-two-characters-or-more`,
  apiKey: `key-of-${accountNo}-of-thirty-two-characters-or-more`,
}));
export const sku = 'TEA';

export interface LiveWarehouse {
  warehouseNo: number;
  /** One caller of each live account. */
  callers: Caller[];
}

/** The warehouse with the caller of the first account only: batches are of one account each. */
export function ofOneAccount(warehouse: LiveWarehouse): LiveWarehouse {
  return { ...warehouse, callers: warehouse.callers.slice(0, 1) };
}

type Connector = NonNullable<NonNullable<Parameters<TestApp['provision']>[0]['warehouses']>[number]['connector']>;

/** The status of an order, that of its transfer, and how often it was transferred. */
export type Fate = [status: string, transfer: string | null, times: number];
export const inWarehouse: Fate = ['in_warehouse', 'accepted', 1];
export const rejected: Fate = ['pending_warehouse_transfer', 'rejected', 0];
export const beingSent: Fate = ['pending_warehouse_transfer', 'sending', 0];
export const takenBack: Fate = ['pending_warehouse_transfer', 'waiting', 0];
export const untouched: Fate = ['pending_warehouse_transfer', null, 0];
export const cancelled: Fate = ['cancelled', null, 0];

export function all(numbers: string[], fate: Fate): Record<string, Fate> {
  return Object.fromEntries(numbers.map((number) => [number, fate]));
}

/** Settings of a worker that does not retry during the test. */
export const withoutRetry = { settings: { retryDelaysSeconds: [3600] } };

/** The set-up that the tests of a file share. */
interface PushTests {
  app: TestApp;
  workers: TestWorker[];
  warehouses: LiveWarehouse[];
}

/** Starts an app for a test file. After each test its workers are closed and its warehouses get no more waves. */
export async function startPushTests() {
  const app = await startTestApp();
  await provisionAccounts(app);
  const tests: PushTests = { app, workers: [], warehouses: [] };
  afterEach(async () => {
    await Promise.all(tests.workers.splice(0).map((worker) => worker.close()));
    for (const warehouse of tests.warehouses.splice(0)) await connect(tests, warehouse, { type: 'manual' });
  });
  const bound =
    <Rest extends unknown[], Result>(work: (tests: PushTests, ...rest: Rest) => Result) =>
    (...rest: Rest) =>
      work(tests, ...rest);
  return {
    app,
    database: app.store.database,
    service: app.store.service,
    connect: bound(connect),
    makeWarehouse: bound(makeWarehouse),
    makePosted: bound(makePosted),
    orderSome: bound(orderSome),
    startWorker: bound(startWorker),
    scheduleOf: bound(scheduleOf),
    fatesOf: bound(fatesOf),
    waveNow: bound(waveNow),
    untilWaveIsOver: bound(untilWaveIsOver),
    untilFailed: bound(untilFailed),
    untilInWarehouse: bound(untilInWarehouse),
  };
}

async function provisionAccounts(app: TestApp): Promise<void> {
  await app.provision({
    accounts: live.map(({ accountNo, secret }) => ({ account_no: accountNo, environment: 'production', secret })),
    clients: live.map(({ accountNo, clientId, checkValue }) => ({
      client_id: clientId,
      check_value: checkValue,
      account_no: accountNo,
      permissions: [...permissions],
    })),
  });
}

async function connect({ app }: PushTests, { warehouseNo }: LiveWarehouse, connector: Connector): Promise<void> {
  await app.provision({ warehouses: [{ warehouse_no: warehouseNo, connector }] });
}

let warehousesSoFar = 100;

/** Creates a warehouse with stock of both accounts; after its first wave, waves start only on request. */
async function makeWarehouse({ app, warehouses }: PushTests, connector: Connector): Promise<LiveWarehouse> {
  const warehouseNo = ++warehousesSoFar;
  const callers = live.map((account) => ({ ...account, warehouseTpwId: `TPW-${warehouseNo}` }));
  const tenant = { warehouse_no: warehouseNo, store_no: 10, receiving: 'on_create' as const };
  await app.provision({
    warehouses: [{ warehouse_no: warehouseNo, connector, transfer_every_s: 86_400 }],
    accounts: callers.map(({ accountNo, warehouseTpwId }) => ({
      account_no: accountNo,
      tenants: [{ warehouse_tpw_id: warehouseTpwId, ...tenant }],
    })),
  });
  for (const caller of callers) await receive(app, { [sku]: [['2030-01-01', 1000]] }, caller);
  const warehouse = { warehouseNo, callers };
  warehouses.push(warehouse);
  return warehouse;
}

/** Creates a warehouse behind a system that behaves like this, and orders for it, of one account or of several. */
async function makePosted(tests: PushTests, behaviour: Behaviour = takes, orders = 6, callersMax = 1) {
  const system = await startWarehouseSystem(behaviour);
  const warehouse = await makeWarehouse(tests, { type: 'http', url: system.url });
  const callers = warehouse.callers.slice(0, callersMax);
  return { system, warehouse, numbers: await orderSome(tests, { ...warehouse, callers }, orders) };
}

/** Creates orders of the callers in turn, one after the other; returns their numbers. */
async function orderSome(
  { app }: PushTests,
  { warehouseNo, callers }: LiveWarehouse,
  count: number,
  name = 'O',
): Promise<string[]> {
  const numbers = Array.from({ length: count }, (_, index) => `${name}-${warehouseNo}-${index + 1}`);
  for (const [index, number] of numbers.entries())
    await order(app, number, [[sku, 1]], callers[index % callers.length]!);
  return numbers;
}

/** Starts a worker that transfers orders to their warehouses. */
function startWorker({ app, workers }: PushTests, options: Partial<PushContext> = {}): TestWorker {
  const { service, keyring } = app.store;
  const worker = startTestWorker(options.http, ({ http, log, registry }) =>
    startPush({
      database: service,
      http,
      secretsOf: (warehouseNo) => connectorSecretsOf(service, keyring, warehouseNo),
      formatTransfer,
      formatChanges,
      clock: systemClock,
      log,
      metrics: makePushMetrics(registry),
      ...options,
      settings: { ...quick, ...options.settings },
    }),
  );
  workers.push(worker);
  return worker;
}

async function scheduleOf({ app }: PushTests, { warehouseNo }: LiveWarehouse) {
  const [row] = await app.store.database.read(
    (sql) => sql<{ failures: number; lastOutcome: string | null; isFree: boolean; inSeconds: number }[]>`
      select failures, last_outcome as "lastOutcome", lease is null as "isFree", extract(epoch from next_wave_at - now())::float8 as "inSeconds"
      from push_schedule where warehouse_no = ${warehouseNo}`,
  );
  return row && { ...row, lastOutcome: formatStored(row.lastOutcome) };
}

async function fatesOf({ app }: PushTests, numbers: string[]): Promise<Record<string, Fate>> {
  const rows = await app.store.database.read(
    (sql) => sql<{ number: string; status: string; transfer: string | null; times: number }[]>`
      select partner_number as number, o.status, t.status as transfer,
        (select count(*)::integer from state_change c
          where c.account_id = o.account_id and document_type = 'order' and document_id = o.order_id and event = 'transfer') as times
      from orders o left join transfer t using (account_id, order_id) where partner_number = any(${numbers})`,
  );
  return Object.fromEntries(rows.map(({ number, status, transfer, times }) => [number, [status, transfer, times]]));
}

async function waveNow({ app }: PushTests, { warehouseNo }: LiveWarehouse): Promise<void> {
  await app.store.database.read(
    (sql) => sql`update push_schedule set next_wave_at = now() where warehouse_no = ${warehouseNo}`,
  );
}

/** Waits until a wave that was due has ended without a failure. */
async function untilWaveIsOver(tests: PushTests, warehouse: LiveWarehouse): Promise<void> {
  await until('the wave is over', async () => {
    const schedule = await scheduleOf(tests, warehouse);
    return schedule?.isFree === true && schedule.failures === 0 && schedule.inSeconds > 0;
  });
}

async function untilFailed(tests: PushTests, warehouse: LiveWarehouse, failures = 1): Promise<void> {
  await until(`${failures} waves have failed`, async () => (await scheduleOf(tests, warehouse))?.failures === failures);
}

async function untilInWarehouse(tests: PushTests, numbers: string[]): Promise<void> {
  await until('all are in the warehouse', async () =>
    Object.values(await fatesOf(tests, numbers)).every(([status]) => status === 'in_warehouse'),
  );
}
