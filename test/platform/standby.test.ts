import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '../../server/platform/postgres/database.ts';
import { providePostgresBinaries } from '../../server/platform/postgres/embedded/binaries.ts';
import { databaseUserFor } from '../../server/platform/postgres/embedded/database-user.ts';
import { migrate } from '../../server/platform/postgres/migrate.ts';
import { noAccounts } from '../../server/platform/postgres/sql.ts';
import { startTestApp, type TestAnswer, type TestApp } from '../support/app.ts';
import { openTestStore, patienceSeconds, serviceRole } from '../support/database.ts';
import { form, formPath, take } from '../support/logistics.ts';
import { type PostgresServer, startReplicatedPostgres } from '../support/replicated-postgres.ts';
import { orderBody, receive } from '../support/warehouse.ts';

const folder = mkdtempSync(join(tmpdir(), 'lading-standby-'));
const programs = await providePostgresBinaries(folder, databaseUserFor(folder), () => {});
const pair = await startReplicatedPostgres({ folder, programs });
const [first, second] = pair.servers;
await migrate(first.url, {
  apply: true,
  service: { name: serviceRole, password: 'any, because the servers trust everyone' },
});
const login = { username: 'lading', password: '', database: 'lading' };
const store = openTestStore(
  { host: first.host, port: first.port, ...login },
  { max: 5, deadlineSeconds: patienceSeconds },
);

/** A node whose DATABASE_URL is this one. */
async function startNode(databaseUrl: string): Promise<TestApp> {
  let database: Database;
  const app = await startTestApp({
    store: { ...store, close: async () => {} },
    database() {
      database = openDatabase(databaseUrl, { max: 5, deadlineSeconds: patienceSeconds });
      return database;
    },
  });
  after(() => database.close());
  return app;
}

function hosts(...servers: PostgresServer[]): string {
  return `postgres://${serviceRole}@${servers.map(({ host, port }) => `${host}:${port}`).join(',')}/lading`;
}

const order = (number: string) => orderBody(number, [['TEA', 1]]);

async function readiness(app: TestApp): Promise<[number, unknown]> {
  const answer = await app.http.inject('/health/ready');
  return [answer.statusCode, answer.json()];
}

async function becomes(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}

/** Cancels every commit that waits for the standby until there is an answer, as an operator may do. */
async function whileWaitsAreCancelled(server: PostgresServer, answer: Promise<TestAnswer>): Promise<TestAnswer> {
  let isThere = false;
  void answer.finally(() => {
    isThere = true;
  });
  await server.ask(async (sql) => {
    while (!isThere) {
      await sql`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
      await sleep(20);
    }
  });
  return await answer;
}

const app = await startNode(`${hosts(second, first)}?target_session_attrs=read-write`);
// Hooks run in the order in which they are added: the servers outlive the node.
after(async () => {
  await store.close();
  await pair.close();
  rmSync(folder, { recursive: true, force: true });
});

const outOfReach = [503, 'LST-TPW-5031'];
const codeOf = ({ status, json }: TestAnswer) => [status, json.code];

test('of two servers the primary is used, wherever it is in the list, with every role that accepts writes', async () => {
  const roles = ['any', 'primary', 'read-write'].map((role) => `?target_session_attrs=${role}`);
  const urls = [hosts(first, second), ...['', ...roles].map((role) => `${hosts(second, first)}${role}`)];
  for (const url of urls) {
    const database = openDatabase(url, { max: 1, deadlineSeconds: patienceSeconds });
    const [row] = await database.transaction(
      noAccounts,
      (tx) => tx`select inet_server_port() as port, pg_is_in_recovery() as is_standby`,
    );
    assert.deepEqual({ ...row }, { port: first.port, is_standby: false }, url);
    await database.close();
  }
});

test('orders are accepted through a list that begins with the standby and asks for read-write', async () => {
  await receive(app, { TEA: [['2099-01-01', 100]] });
  assert.equal((await app.callWarehouse('/outbound/create', order('OUT-1'))).status, 200);
  assert.deepEqual(await readiness(app), [200, { status: 'ready' }]);
});

test('an order whose commit no standby has confirmed is not acknowledged to a repeat either, until one has', async () => {
  await second.stop('SIGINT');
  const created = await whileWaitsAreCancelled(first, app.callWarehouse('/outbound/create', order('DOUBT-1')));
  assert.deepEqual(codeOf(created), outOfReach);
  const repeated = await whileWaitsAreCancelled(first, app.callWarehouse('/outbound/create', order('DOUBT-1')));
  assert.deepEqual(codeOf(repeated), outOfReach);

  await second.start();
  const confirmed = await app.callWarehouse('/outbound/create', order('DOUBT-1'));
  assert.deepEqual([confirmed.status, confirmed.json.data.idempotent], [200, true]);
  const [row] = await second.ask((sql) => sql`select order_no from orders where partner_number = 'DOUBT-1'`);
  assert.equal(row?.order_no, confirmed.json.data.orders_id);
});

test('a change outside of a group, whose commit no standby has confirmed, is not acknowledged, nor is its repeat', async () => {
  await store.database.transaction((tx) => tx`update logistics_key set receiving = 'on_confirm'`);
  await take(app, formPath, form('FORM-1', [{ sku: 'TEA', quantity: 5 }]));
  const token = await app.tokenOf();
  const stop = () => app.callMain('/inbounds/stop', { form_no: 'FORM-1' }, { token });

  await second.stop('SIGINT');
  assert.equal((await whileWaitsAreCancelled(first, stop())).status, 503);
  assert.equal((await whileWaitsAreCancelled(first, stop())).status, 503);

  await second.start();
  const confirmed = await stop();
  assert.deepEqual([confirmed.status, confirmed.json.retval], [200, { status: 'stopped', idempotent: true }]);
});

test('a node that reaches only a standby answers 503, is not ready and says why, and serves when the standby is promoted', async () => {
  const lonely = await startNode(second.url);
  const standby = { status: 'not_ready', reasons: ['database: the server is a standby and accepts no writes'] };
  assert.deepEqual(await readiness(lonely), [503, standby]);
  assert.deepEqual(codeOf(await lonely.callWarehouse('/outbound/create', order('STANDBY-1'))), outOfReach);
  const made = await first.ask((sql) => sql`select from orders where partner_number = 'STANDBY-1'`);
  assert.equal(made.length, 0);

  await first.stop('SIGKILL');
  const bothGone = {
    status: 'not_ready',
    reasons: ['database: no server accepts writes; standbys: 1, out of reach: 1 (ECONNREFUSED)'],
  };
  assert.deepEqual(await readiness(app), [503, bothGone]);
  await second.promote();
  await pair.copy(second, first);
  for (const node of [lonely, app]) await becomes(async () => (await readiness(node))[0] === 200);
  for (const [index, node] of [lonely, app].entries()) {
    await becomes(
      async () => (await node.callWarehouse('/outbound/create', order(`PROMOTED-${index}`))).status === 200,
    );
  }
});
