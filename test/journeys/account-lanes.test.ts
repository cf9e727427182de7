import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpha, beta, startTestApp } from '../support/app.ts';
import {
  assertBalancesAreSums,
  type Caller,
  cancelOrders,
  createInbound,
  order,
  stockOf,
  syncProducts,
} from '../support/warehouse.ts';

const app = await startTestApp({ env: { ACCOUNT_LANES: '4' } });
const gamma: Caller = {
  accountNo: 'GAMMA',
  secret: 'gamma-secret-of-thirty-two-characters-or-more',
  warehouseTpwId: 'TPW-G',
};
await app.provision({
  accounts: [
    {
      account_no: gamma.accountNo,
      environment: 'uat',
      secret: gamma.secret,
      tenants: [
        {
          warehouse_tpw_id: gamma.warehouseTpwId,
          warehouse_no: 1,
          store_no: 10,
          sellable_days_before_expiry: null,
        },
      ],
    },
  ],
});
const callers: Caller[] = [alpha, beta, gamma];

/** The rows of a table, by the transactions that wrote them: how many accounts each transaction has. */
async function accountsPerTransaction(table: string): Promise<number[]> {
  const rows = await app.store.database.read((sql) =>
    sql.unsafe(`select count(distinct account_id)::integer as accounts from ${table} group by xmin::text`),
  );
  return [...new Set(rows.map((row) => row.accounts as number))];
}

test('with ACCOUNT_LANES, three accounts order at once, and no transaction has two of them', async () => {
  await Promise.all(callers.map((caller) => syncProducts(app, ['TEA'], caller)));
  await Promise.all(callers.map((caller) => createInbound(app, 'IN-1', { TEA: [[null, 100]] }, caller)));
  const numbers = Array.from({ length: 40 }, (_, index) => `OUT-${index}`);
  await Promise.all(numbers.flatMap((number) => callers.map((caller) => order(app, number, [['TEA', 2]], caller))));
  await Promise.all(
    numbers.slice(0, 10).flatMap((number) => callers.map((caller) => cancelOrders(app, [number], caller))),
  );

  for (const caller of callers) {
    const [row] = await stockOf(app, 'TEA', caller);
    assert.deepEqual([row!.qty, row!.qty_lock], [100, 60], caller.accountNo);
  }
  await assertBalancesAreSums(app);
  for (const table of ['product', 'inbound_document', 'orders', 'order_line', 'movement'])
    assert.deepEqual(await accountsPerTransaction(table), [1], table);
});
