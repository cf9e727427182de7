import { wordTransfer } from '../../server/api/connector/word-transfer.ts';
import type { PushRules } from '../../server/domain/orders/transfer.ts';
import { connectorSecretsOf } from '../../server/domain/partners/connector-secrets.ts';
import { permissions } from '../../server/domain/partners/provisioning.ts';
import { makePushMetrics } from '../../server/jobs/push-metrics.ts';
import { type PushContext, startPush } from '../../server/jobs/push-orders.ts';
import { systemClock } from '../../server/platform/clock.ts';
import type { TestApp } from '../support/app.ts';
import { type Caller, order, receive } from '../support/warehouse.ts';
import { startTestWorker, type TestWorker, until } from '../support/worker.ts';

/** The same rules in a short time; what a test is about it sets itself. */
export const quick: Partial<PushRules> = {
  lookEverySeconds: 0.01,
  retryDelaysSeconds: [0.02],
  jitter: 0,
  postedMax: 4,
  handedOverMax: 4,
  pageMax: 3,
};

/** Two accounts whose orders do go to a warehouse. */
export const live = ['LIVE-1', 'LIVE-2'].map((accountNo) => ({
  accountNo,
  secret: `secret of ${accountNo}`,
  clientId: `client-of-${accountNo}`,
  checkValue: `check value of ${accountNo}`,
  apiKey: `key-of-${accountNo}`,
}));
export const sku = 'TEA';

export async function provisionLive(app: TestApp): Promise<void> {
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

export interface LiveWarehouse {
  warehouseNo: number;
  /** Who orders from it: one of each live account. */
  callers: Caller[];
}

type Connector = NonNullable<NonNullable<Parameters<TestApp['provision']>[0]['warehouses']>[number]['connector']>;

let warehouses = 100;

/** A warehouse of its own for a test, with stock of both accounts. Its waves come when they are asked for. */
export async function makeWarehouse(app: TestApp, connector: Connector): Promise<LiveWarehouse> {
  const warehouseNo = ++warehouses;
  const callers = live.map((account) => ({ ...account, warehouseTpwId: `TPW-${warehouseNo}` }));
  await app.provision({
    warehouses: [{ warehouse_no: warehouseNo, connector, transfer_every_s: 86_400 }],
    accounts: callers.map(({ accountNo, warehouseTpwId }) => ({
      account_no: accountNo,
      tenants: [{ warehouse_tpw_id: warehouseTpwId, warehouse_no: warehouseNo, store_no: 10, receiving: 'on_create' }],
    })),
  });
  for (const caller of callers) await receive(app, { [sku]: [['2030-01-01', 1000]] }, caller);
  return { warehouseNo, callers };
}

/** So that later tests of the file do not see it. */
export async function closeWarehouse(app: TestApp, { warehouseNo }: LiveWarehouse): Promise<void> {
  await app.provision({ warehouses: [{ warehouse_no: warehouseNo, connector: { type: 'manual' } }] });
}

/** Orders of both accounts in turn, one after the other; their numbers. */
export async function orderSome(app: TestApp, { warehouseNo, callers }: LiveWarehouse, count: number, name = 'O'): Promise<string[]> {
  const numbers = Array.from({ length: count }, (_, index) => `${name}-${warehouseNo}-${index + 1}`);
  for (const [index, number] of numbers.entries()) await order(app, number, [[sku, 1]], callers[index % callers.length]!);
  return numbers;
}

/** A worker that takes orders to their warehouses. */
export function startTestPush(app: TestApp, options: Partial<PushContext> = {}): TestWorker {
  const { database, keyring } = app.store;
  return startTestWorker(options.http, ({ http, log, registry }) =>
    startPush({
      database,
      http,
      secretsOf: (warehouseNo) => connectorSecretsOf(database, keyring, warehouseNo),
      wordTransfer,
      clock: systemClock,
      log,
      metrics: makePushMetrics(registry),
      ...options,
      settings: { ...quick, ...options.settings },
    }),
  );
}

/** What the schedule says of a warehouse. */
export async function scheduleOf(app: TestApp, { warehouseNo }: LiveWarehouse) {
  const [row] = await app.store.database.read(
    (sql) => sql<{ failures: number; lastOutcome: string | null; isFree: boolean; inSeconds: number }[]>`
      select failures, last_outcome as "lastOutcome", lease is null as "isFree", extract(epoch from next_wave_at - now())::float8 as "inSeconds"
      from push_schedule where warehouse_no = ${warehouseNo}`,
  );
  return row;
}

export async function waveNow(app: TestApp, { warehouseNo }: LiveWarehouse): Promise<void> {
  await app.store.database.read((sql) => sql`update push_schedule set next_wave_at = now() where warehouse_no = ${warehouseNo}`);
}

/** Until a wave that was begun has ended well. */
export async function untilWaveIsOver(app: TestApp, warehouse: LiveWarehouse): Promise<void> {
  await until('the wave is over', async () => {
    const schedule = await scheduleOf(app, warehouse);
    return schedule?.isFree === true && schedule.failures === 0 && schedule.inSeconds > 0;
  });
}

/** What became of each of these orders: its status, that of its transfer, and how often it was transferred. */
export async function fatesOf(
  app: TestApp,
  numbers: string[],
): Promise<Record<string, [status: string, transfer: string | null, times: number]>> {
  const rows = await app.store.database.read(
    (sql) => sql<{ number: string; status: string; transfer: string | null; times: number }[]>`
      select partner_number as number, o.status, t.status as transfer,
        (select count(*)::integer from state_change c where document_type = 'order' and document_id = o.order_id and event = 'transfer') as times
      from orders o left join transfer t using (order_id) where partner_number = any(${numbers})`,
  );
  const found = new Map(rows.map((row) => [row.number, row]));
  return Object.fromEntries(
    numbers.map((number) => [number, [found.get(number)!.status, found.get(number)!.transfer, found.get(number)!.times]]),
  );
}

export type Fate = [status: string, transfer: string | null, times: number];
export const inWarehouse: Fate = ['in_warehouse', 'accepted', 1];
export const putAside: Fate = ['pending_warehouse_transfer', 'rejected', 0];
export const beingSent: Fate = ['pending_warehouse_transfer', 'sending', 0];
export const takenBack: Fate = ['pending_warehouse_transfer', 'waiting', 0];
export const untouched: Fate = ['pending_warehouse_transfer', null, 0];
export const cancelled: Fate = ['cancelled', null, 0];

export function all(numbers: string[], fate: Fate): Record<string, Fate> {
  return Object.fromEntries(numbers.map((number) => [number, fate]));
}
