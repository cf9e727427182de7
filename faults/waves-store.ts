import type { AddressInfo } from 'node:net';
import { WarehouseClient } from '../sdk/client.ts';
import { buildApp } from '../server/app.ts';
import { readConfig } from '../server/config.ts';
import { applyProvisioning } from '../server/domain/partners/apply-provisioning.ts';
import { inEveryAccount } from '../server/domain/partners/every-account.ts';
import { openStore, type Store } from '../server/open-store.ts';
import { systemClock } from '../server/platform/clock.ts';
import { makeLog } from '../server/platform/log.ts';
import { noAccounts, type Sql } from '../server/platform/postgres/sql.ts';

/** A database with orders of two production accounts, for a warehouse with its own system and a simulated one. */
export interface WavesStore {
  /** Creates orders of one unit concurrently for both accounts. */
  orderAll(warehouseNo: number, numbers: string[]): Promise<void>;
  /** Number of orders that still have to be transferred, without rejected ones. */
  waiting(): Promise<number>;
  /** Every order of a warehouse, in the order of creation. */
  ordersOf(warehouseNo: number): Promise<StoredOrder[]>;
  close(): Promise<void>;
}

export interface StoredOrder {
  account_id: number;
  number: string;
  status: string;
  transfer: string | null;
  /** Number of state changes from waiting to transferred. */
  transfers: number;
}

export const postedWarehouse = 1;
export const simulatedWarehouse = 2;

const accounts = ['FAULTS-1', 'FAULTS-2'].map((accountNo) => ({
  accountNo,
  secret: `the secret of ${accountNo}-of-thirty-two-characters-or-more`,
}));
const sku = 'TEA';

const tenants = [postedWarehouse, simulatedWarehouse].map((warehouse_no) => ({
  warehouse_tpw_id: `TPW-${warehouse_no}`,
  warehouse_no,
  store_no: 1,
  receiving: 'on_create' as const,
}));

export async function openWavesStore(dataDir: string, url: string): Promise<WavesStore> {
  const reading = readConfig({ DATA_DIR: dataDir, RATE_LIMIT: 'off' });
  if (reading.kind === 'mistakes') throw new Error(reading.mistakes.join('; '));
  const { config } = reading;
  const store = await openStore(config, { migrations: 'apply', deadlineSeconds: 60, onProgress: () => {} });
  const { database, keyring } = store;
  await provision(store, url);
  const app = await buildApp({ config, database, keyring, clock: systemClock, log: makeLog('silent') });

  await app.http.listen({ host: '127.0.0.1', port: 0 });
  const address = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  const partners = accounts.map(
    (account) => new WarehouseClient({ url: address, basePath: config.warehouseBasePath, ...account }),
  );
  await receiveStock(partners);
  return {
    async orderAll(warehouseNo, numbers) {
      const orders = numbers.map((outbound_short_id, index) =>
        partners[index % partners.length]!.outboundCreate({
          outbound_short_id,
          warehouse_tpw_id: `TPW-${warehouseNo}`,
          consignee_country: 'TW',
          logistics_type: 'home',
          express_type: 'tcat',
          details: [{ sku_id: sku, qty: 1 }],
        }),
      );
      await Promise.all(orders);
    },
    waiting: () => database.read(noAccounts, countWaiting),
    ordersOf: (warehouseNo) => database.read(noAccounts, (sql) => findOrdersOf(sql, warehouseNo)),
    async close() {
      await app.close();
      await store.close();
    },
  };
}

async function countWaiting(sql: Sql): Promise<number> {
  const counts = await inEveryAccount(
    sql,
    (own, accountId) => own<{ count: number }[]>`
      select count(*)::integer as count from orders o left join transfer t using (account_id, order_id)
      where account_id = ${accountId} and o.status = 'pending_warehouse_transfer' and t.status is distinct from 'rejected'`,
  );
  return counts.reduce((sum, { count }) => sum + count, 0);
}

async function findOrdersOf(sql: Sql, warehouseNo: number): Promise<StoredOrder[]> {
  const orders = await inEveryAccount(
    sql,
    (own, accountId) => own<(StoredOrder & { order_id: number; created_s: number })[]>`
      select account_id, order_id, extract(epoch from o.created_at)::float8 as created_s, partner_number as number, o.status, t.status as transfer, (
        select count(*)::integer from state_change c
        where c.account_id = ${accountId} and document_type = 'order' and document_id = o.order_id and event = 'transfer') as transfers
      from orders o left join transfer t using (account_id, order_id)
      where account_id = ${accountId} and o.warehouse_no = ${warehouseNo}`,
  );
  return orders
    .toSorted((one, other) => one.created_s - other.created_s || one.order_id - other.order_id)
    .map(({ order_id: _, created_s: __, ...order }) => order);
}

async function provision({ database, keyring }: Store, url: string): Promise<void> {
  await applyProvisioning(
    database,
    keyring,
    {
      warehouses: [
        { warehouse_no: postedWarehouse, connector: { type: 'http', url }, transfer_every_s: 1 },
        { warehouse_no: simulatedWarehouse, connector: { type: 'simulator', step_s: 86_400 }, transfer_every_s: 1 },
      ],
      stores: [{ store_no: 1 }],
      accounts: accounts.map(({ accountNo, secret }) => ({
        account_no: accountNo,
        environment: 'production',
        secret,
        tenants,
      })),
    },
    { actor: 'faults' },
  );
}

async function receiveStock(partners: WarehouseClient[]): Promise<void> {
  for (const [index, partner] of partners.entries()) {
    await partner.productSync({ sku_id: sku, sku_name: 'Tea', storage_type: 1 });
    for (const { warehouse_tpw_id } of tenants) {
      const details = [{ sku_id: sku, expires: [{ expire_date: '2030-01-01', qty: 1_000_000 }] }];
      await partner.inboundCreate({ inbound_short_id: `IN-${index}-${warehouse_tpw_id}`, warehouse_tpw_id, details });
    }
  }
}
