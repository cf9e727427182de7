import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { auditStock } from '../../server/domain/audit/audit-stock.ts';
import { distribute } from '../../server/platform/postgres/distribute.ts';
import { migrate } from '../../server/platform/postgres/migrate.ts';
import { noAccounts } from '../../server/platform/postgres/sql.ts';
import { startTestApp } from '../support/app.ts';
import { asOwner } from '../support/citus-cluster.ts';
import {
  type ConnectionOptions,
  dropTestDatabase,
  onCitus,
  openTestStore,
  patienceSeconds,
  serviceRole,
  testServers,
} from '../support/database.ts';
import { accountIdOf } from '../support/main.ts';
import { goodRow, order, receive, stockOf } from '../support/warehouse.ts';

const skip = onCitus ? false : 'needs Citus: npm run test:citus';
const limits = { max: 5, deadlineSeconds: patienceSeconds };
const quiet = { isDryRun: false, onProgress() {} };

/** A migrated database of which the coordinator knows all workers, but no table is distributed. */
async function makeUndistributed(): Promise<ConnectionOptions> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  const servers = testServers();
  for (const server of servers) {
    await asOwner(server, (sql) => sql.unsafe(`create database ${name}`));
    await asOwner({ ...server, database: name }, (sql) => sql.unsafe('create extension citus'));
  }
  const [coordinator, ...workers] = servers;
  const connection = { ...coordinator!, database: name };
  await asOwner(connection, async (sql) => {
    await sql`select citus_set_coordinator_host(${coordinator!.host}, ${coordinator!.port}::integer)`;
    for (const { host, port } of workers) await sql`select citus_add_node(${host}, ${port}::integer)`;
  });
  await migrate(connection, { apply: true, service: { name: serviceRole, password: '' } });
  return connection;
}

test('lading distribute keeps all rows, continues an interrupted run, and then has nothing to do', {
  skip,
}, async (t) => {
  const connection = await makeUndistributed();
  t.after(() => dropTestDatabase(connection));
  const before = await startTestApp({ store: openTestStore(connection, limits) });
  await receive(before, { TEA: [['2030-01-01', 10]] });
  await order(before, 'BEFORE', [['TEA', 3]]);

  let placed = 0;
  const stopping = () => {
    if (++placed === 9) throw new Error('interrupted');
  };
  await assert.rejects(
    asOwner(connection, (sql) => distribute(sql, { isDryRun: false, onProgress: stopping })),
    /interrupted/,
  );
  const unplaced = async () => {
    const tables = await asOwner(connection, (sql) => distribute(sql, quiet));
    return tables.filter(({ isPlaced }) => !isPlaced).length;
  };
  assert.deepEqual([await unplaced(), await unplaced()], [30 - 8, 0]);

  const { keyring, masterKey } = before.store;
  const after = await startTestApp({ store: { ...openTestStore(connection, limits), keyring, masterKey } });
  await order(after, 'AFTER', [['TEA', 2]]);
  assert.deepEqual(await stockOf(after, ['TEA']), [goodRow('TEA', '2030-01-01', 10, 5)]);
  assert.deepEqual((await auditStock(after.store.service)).findings, []);
});

test('row-level security holds on the workers: without a stated account, no row is seen or changed', {
  skip,
}, async () => {
  const app = await startTestApp();
  await receive(app, { TEA: [['2030-01-01', 10]] });
  const { service } = app.store;
  const [alpha, beta] = [await accountIdOf(app, 'ALPHA'), await accountIdOf(app, 'BETA')];
  const lotsSeen = async (accounts: readonly number[]) =>
    (await service.read(accounts, (sql) => sql`select from lot where account_id = ${alpha}`)).length;

  assert.deepEqual([await lotsSeen([alpha]), await lotsSeen([beta]), await lotsSeen(noAccounts)], [1, 0, 0]);
  const changed = await service.transaction(
    [beta],
    (tx) => tx`update lot set on_hand = 99 where account_id = ${alpha}`,
  );
  assert.equal(changed.count, 0);
  await assert.rejects(
    service.transaction([alpha], (tx) => tx`delete from movement where account_id = ${alpha}`),
    { code: '42501' },
  );
  await assert.rejects(
    service.transaction([alpha], (tx) => tx`update orders set partner_number = 'X' where account_id = ${alpha}`),
    { code: '42501' },
  );
});
