import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '../../server/platform/postgres/database.ts';
import { DatabaseRecord } from '../../server/platform/postgres/database-record.ts';
import { noAccounts } from '../../server/platform/postgres/sql.ts';
import { startTestApp, type TestAnswer, type TestApp } from '../support/app.ts';
import { patienceSeconds, serviceRole } from '../support/database.ts';
import { errorItem } from '../support/errors.ts';
import { form, formPath, take } from '../support/logistics.ts';
import type { PostgresServer } from '../support/replicated-postgres.ts';
import { serviceUrl, startReplicatedStore } from '../support/replicated-store.ts';
import { orderBody, receive } from '../support/warehouse.ts';
import { until } from '../support/worker.ts';

const { folder, pair, store, limits } = await startReplicatedStore('standby');
const [first, second] = pair.servers;

/** A node whose DATABASE_URL is this one. */
async function startNode(databaseUrl: string): Promise<TestApp> {
  let database: Database;
  const app = await startTestApp({
    store: { ...store, close: async () => {} },
    database() {
      database = openDatabase(databaseUrl, limits);
      return database;
    },
  });
  after(() => database.close());
  return app;
}

const order = (number: string) => orderBody(number, [['TEA', 1]]);

async function readiness(app: TestApp): Promise<[number, unknown]> {
  const answer = await app.http.inject('/health/ready');
  return [answer.statusCode, answer.json()];
}

async function metric(app: TestApp, name: string): Promise<number> {
  const { payload } = await app.http.inject('/metrics');
  const line = payload.split('\n').find((one) => one.startsWith(`${name} `));
  assert.ok(line, name);
  return Number(line.slice(name.length).replace('Nan', 'NaN'));
}

/** The first answer that is not 503: connections to a server that is gone may end one after the other. */
async function onceInReach(ask: () => Promise<TestAnswer>): Promise<TestAnswer> {
  let answer = await ask();
  await until('the database is in reach', async () => {
    if (answer.status !== 503) return true;
    answer = await ask();
    return false;
  });
  return answer;
}

/** Cancels every commit that waits for the standby until there is an answer, as an operator may do. */
async function whileWaitsAreCancelled<T>(server: PostgresServer, answer: Promise<T>): Promise<T> {
  let isThere = false;
  const end = () => {
    isThere = true;
  };
  answer.then(end, end);
  await server.ask(async (sql) => {
    while (!isThere) {
      await sql`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
      await sleep(20);
    }
  });
  return await answer;
}

const app = await startNode(`${serviceUrl(second, first)}?target_session_attrs=read-write`);
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
  const urls = [serviceUrl(first, second), ...['', ...roles].map((role) => `${serviceUrl(second, first)}${role}`)];
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
  const confirmed = await onceInReach(() => app.callWarehouse('/outbound/create', order('DOUBT-1')));
  assert.deepEqual([confirmed.status, confirmed.json.data.idempotent], [200, true]);
  const [row] = await second.ask((sql) => sql`select order_no from orders where partner_number = 'DOUBT-1'`);
  assert.equal(row?.order_no, confirmed.json.data.orders_id);
});

test('while the standby is away, readiness says why, counts the doubt, and recovers by itself when the standby is back', async () => {
  // Lines that are written later would wait for the standby as well.
  await app.requestLog.flush();
  const doubts = await metric(app, 'lading_database_commits_total{outcome="in_doubt"}');
  await second.stop('SIGINT');
  assert.deepEqual(await readiness(app), [200, { status: 'ready' }]);
  await whileWaitsAreCancelled(first, app.callWarehouse('/outbound/create', order('READY-1')));
  assert.ok((await metric(app, 'lading_database_commits_total{outcome="in_doubt"}')) > doubts);
  const unknown = 'database: the outcome of the last commit is unknown';
  const waits = 'database: commits wait for the synchronous standby';
  const seen: unknown[] = [];
  await until('the wait is the reason', async () => {
    const [status, body] = await readiness(app);
    assert.equal(status, 503);
    seen.push(...(body as { reasons: string[] }).reasons);
    return seen.includes(waits);
  });
  assert.deepEqual([...new Set(seen)], [unknown, waits]);
  assert.ok(Number.isNaN(await metric(app, 'lading_database_replication_lag_bytes')));

  // A login that may see the standbys knows it before any commit waits.
  await first.ask((sql) => sql.unsafe(`grant pg_monitor to ${serviceRole}`));
  const none = 'database: no synchronous standby is connected, so commits wait';
  await until(
    'the missing standby is the reason',
    async () => (await readiness(app))[0] === 503 && JSON.stringify(await readiness(app)).includes(none),
  );
  await second.start();
  await until('the node is ready again', async () => (await readiness(app))[0] === 200);
  await until(
    'nothing is left to send',
    async () => (await metric(app, 'lading_database_replication_lag_bytes')) === 0,
  );
  await first.ask((sql) => sql.unsafe(`revoke pg_monitor from ${serviceRole}`));
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
  const confirmed = await onceInReach(stop);
  assert.deepEqual([confirmed.status, confirmed.json.retval], [200, { status: 'stopped', idempotent: true }]);
});

test('a connection that is lost during COMMIT leaves an unknown outcome: 503, and commands say so', async () => {
  const command = openDatabase(first.url, { max: 1, deadlineSeconds: null });
  await second.stop('SIGINT');
  const changing = command.transaction(noAccounts, (tx) => tx`update store set name = 'Renamed'`);
  changing.catch(() => {});
  const creating = app.callWarehouse('/outbound/create', order('CUT-1'));
  await first.ask(async (sql) => {
    const cut = new Set<string>();
    while (!(cut.has('lading') && cut.has(serviceRole))) {
      const waiting = await sql<{ usename: string }[]>`
        select usename, pg_terminate_backend(pid) from pg_stat_activity
        where wait_event = 'SyncRep' and query = 'commit'`;
      for (const { usename } of waiting) cut.add(usename);
      await sleep(20);
    }
  });
  await assert.rejects(changing, {
    name: 'OutcomeUnknown',
    message:
      'the outcome is unknown (the connection was lost during the commit: CONNECTION_CLOSED); repeat it to find out',
  });
  assert.deepEqual(codeOf(await creating), outOfReach);
  assert.deepEqual(command.record.commits, { committed: 0, in_doubt: 1, failed: 0 });
  await second.start();
  await command.close();
  const repeated = await onceInReach(() => app.callWarehouse('/outbound/create', order('CUT-1')));
  assert.equal(repeated.json.data.idempotent, true);
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
  for (const node of [lonely, app]) await until('the node is ready', async () => (await readiness(node))[0] === 200);
  for (const [index, node] of [lonely, app].entries()) {
    const created = await onceInReach(() => node.callWarehouse('/outbound/create', order(`PROMOTED-${index}`)));
    assert.equal(created.status, 200);
  }
  assert.equal(await metric(app, 'lading_database_timeline'), 2);
});

test('once a server of a higher timeline is seen, connections to the old one are closed; after a commit there, it is refused', async () => {
  const record = new DatabaseRecord();
  const [old, newer] = [second, first].map((server) =>
    openDatabase(server.url, { max: 1, deadlineSeconds: patienceSeconds, record }),
  ) as [Database, Database];
  const idle = await old.openConnection({ purpose: 'idle' });
  await old.transaction(noAccounts, (tx) => tx`select 1`);

  // Two servers believe to be the primary.
  await first.promote();
  await newer.read(noAccounts, (sql) => sql`select 1`);
  assert.equal(idle.isOpen, false);
  assert.deepEqual(Object.fromEntries(record.connectionsByPurpose()), { requests: 1 });
  assert.equal(record.timeline(), 3);
  // Nothing has been committed on the new timeline yet.
  await old.read(noAccounts, (sql) => sql`select 1`);

  await first.stop('SIGKILL');
  await first.start({ synchronous_standby_names: '' });
  await newer.transaction(noAccounts, (tx) => tx`select 1`);
  const refused = { name: 'DatabaseUnavailable', message: replaced };
  await assert.rejects(
    old.read(noAccounts, (sql) => sql`select 1`),
    refused,
  );
  await assert.rejects(old.openConnection({ purpose: 'listen' }), { name: 'ConnectionError', message: replaced });
  await Promise.all([old.close(), newer.close()]);
});

const replaced =
  'the server is on timeline 2, but this node has committed on timeline 3: it was replaced by another server; ' +
  'after a restore from a backup, restart this node';

test('a node that has committed on a new primary answers 503 while only the old one is in reach, and writes nothing there', async () => {
  await second.stop('SIGKILL');
  assert.equal((await onceInReach(() => app.callWarehouse('/outbound/create', order('NEW-1')))).status, 200);
  await second.start();
  await first.stop('SIGKILL');
  const onlyOld = `database: no server accepts writes; standbys: 0, out of reach: 1 (ECONNREFUSED), unusable: 1 (${replaced})`;
  assert.deepEqual(await readiness(app), [503, { status: 'not_ready', reasons: [onlyOld] }]);
  assert.deepEqual(codeOf(await app.callWarehouse('/outbound/create', order('OLD-1'))), outOfReach);
  assert.deepEqual(
    codeOf(await app.callWarehouse('/stock/query', { warehouse_tpw_id: 'TPW-A', sku_ids: ['TEA'] })),
    outOfReach,
  );
  const made = await second.ask((sql) => sql`select from orders where partner_number in ('OLD-1', 'NEW-1')`);
  assert.equal(made.length, 0);

  await first.start({ synchronous_standby_names: '' });
  assert.equal((await onceInReach(() => app.callWarehouse('/outbound/create', order('OLD-1')))).status, 200);
});

test('a product and an account that are lost with their primary are unknown afterwards, also on a node that has remembered them', async () => {
  const sync = (skuId: string, as = {}) =>
    app.callWarehouse('/product/sync', { sku_id: skuId, sku_name: 'Oolong', storage_type: 1 }, as);
  const ghost = { accountNo: 'GHOST', secret: 'ghost-secret-of-thirty-two-characters-or-more' };
  const accounts = [{ account_no: ghost.accountNo, environment: 'uat' as const, secret: ghost.secret, tenants: [] }];
  const orderLost = () => app.callWarehouse('/outbound/create', orderBody('LOST-1', [['LOST', 1]]));
  await Promise.all([first.stop('SIGINT'), second.stop('SIGKILL')]);
  await first.start();
  await pair.copy(first, second);
  await second.stop('SIGINT');
  assert.deepEqual(codeOf(await whileWaitsAreCancelled(first, sync('LOST'))), outOfReach);
  assert.deepEqual(codeOf(await whileWaitsAreCancelled(first, orderLost())), outOfReach);
  await assert.rejects(whileWaitsAreCancelled(first, app.provision({ accounts })), {
    name: 'OutcomeUnknown',
    message: 'the outcome is unknown (the commit came with a warning); repeat it to find out',
  });
  assert.deepEqual(codeOf(await whileWaitsAreCancelled(first, sync('TEA', ghost))), outOfReach);

  await first.stop('SIGKILL');
  await second.start({ synchronous_standby_names: '' });
  await second.promote();
  assert.equal((await onceInReach(() => sync('FOUND'))).status, 200);
  const { status, json } = await onceInReach(orderLost);
  const errors = [errorItem('unknown_sku', 'details[0].sku_id', 'sku_id not found')];
  assert.deepEqual([status, json.code, json.data], [400, 'PARAM_INVALID', { errors }]);
  assert.equal((await onceInReach(() => sync('TEA', ghost))).status, 401);
});
