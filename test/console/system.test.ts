import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import {
  systemOverview,
  systemPurgePreview,
  systemPushNow,
  systemRetryRejected,
} from '../../contract/console/system.ts';
import { formatMessage } from '../../messages/format-message.ts';
import { forgetOldSessionsJob } from '../../server/jobs/forget-old-sessions.ts';
import { startHeartbeat } from '../../server/jobs/heartbeat.ts';
import type { JobRun } from '../../server/jobs/job.ts';
import { DatabaseUnavailable } from '../../server/platform/postgres/deadline.ts';
import { actionsOf, column, columns, startConsole } from '../support/console.ts';
import { live, provisionLive } from '../support/live.ts';
import { dump, order, receive } from '../support/warehouse.ts';
import { until } from '../support/worker.ts';

const { app, database, service, admin, staff, viewer } = await startConsole();
await provisionLive(app);
await app.provision({
  warehouses: [
    { warehouse_no: 1, name: 'Taoyuan', connector: { type: 'manual' } },
    { warehouse_no: 2, name: '台中', connector: { type: 'simulator' } },
  ],
});
await receive(app, { 'sku-1': [['2030-01-01', 50]] }, live);

let looks = 0;
async function overview() {
  app.clock.set(new Date(Date.now() + 2000 * ++looks));
  return await viewer.ask(systemOverview, {});
}

async function actions(action: string): Promise<unknown[][]> {
  return columns(await actionsOf(app, action), 'username', 'subject', 'outcome');
}

async function statusOf(number: string): Promise<string> {
  const [row] = await database.read((sql) => sql`select status from orders where partner_number = ${number}`);
  return row!.status;
}

test('the overview shows the database, its migrations and connections, the schedule, the waves and the queues', async () => {
  await database.read(
    (sql) => sql`
      insert into schedule (name, next_run_at, last_run_at, last_outcome) values
        ('audit_stock', '2026-11-16 13:00:00+08', '2026-11-16 12:00:00+08', 'the books match'), ('purge_uat', now(), now(), 'failed')`,
  );
  await database.read(
    (sql) => sql`
      insert into purge_report (actor, made_before, finished_at, orders) values ('job', '2026-10-01 00:00:00+08', now(), 7)`,
  );
  const { database: facts, jobs, waves, queues, purges, nodes, transfers, version } = await overview();
  assert.match(facts.version, /^1[5-9]/);
  assert.ok(facts.size_bytes > 1_000_000 && facts.connections_max > 0);
  assert.deepEqual([facts.migrations.count >= 1, facts.migrations.last_name >= '0001'], [true, true]);
  assert.ok(facts.connections.reduce((sum, { count }) => sum + count, 0) > 0);
  assert.deepEqual(jobs[0], {
    name: 'audit_stock',
    last_outcome: 'the books match',
    is_failed: false,
    last_run_at: '2026-11-16T12:00:00.000000+08:00',
    next_run_at: '2026-11-16T13:00:00.000000+08:00',
  });
  assert.deepEqual([jobs[1]!.name, jobs[1]!.is_failed], ['purge_uat', true]);
  assert.deepEqual(columns(waves, 'warehouse_no', 'name', 'connector', 'failures'), [
    [1, 'Taoyuan', 'manual', 0],
    [2, '台中', 'simulator', 0],
  ]);
  assert.equal(waves[0]!.next_wave_at, null);
  assert.deepEqual(
    columns(queues, 'queue', 'count', 'is_more'),
    ['callbacks', 'orders_awaiting_stock', 'transfers_sending', 'transfers_rejected'].map((queue) => [queue, 0, false]),
  );
  assert.deepEqual(
    [purges[0]!.actor, purges[0]!.orders, purges[0]!.made_before],
    ['job', 7, '2026-10-01T00:00:00.000+08:00'],
  );
  assert.deepEqual([nodes, transfers], [[], []]);
  assert.match(version, /^\d+\.\d+\.\d+/);
});

test('a node signs while it runs and is gone when it stops; one that fell silent stays for a day', async () => {
  await database.read(
    (sql) => sql`
      insert into node (node_id, host, pid, role, version, seen_at) values
        (gen_random_uuid(), 'gone', 1, 'api', '1', now() - interval '25 hours'), (gen_random_uuid(), 'silent', 2, 'worker', '1', now() - interval '1 hour')`,
  );
  const heartbeat = startHeartbeat(service, { role: 'both', version: '9.9.9', masterKeyId: '00000000' });
  await until('it has signed', async () =>
    (await overview()).nodes.some(({ host }) => host !== 'gone' && host !== 'silent'),
  );
  await until('who is silent for a day is forgotten', async () =>
    (await overview()).nodes.every(({ host }) => host !== 'gone'),
  );
  const { nodes } = await overview();
  assert.deepEqual(columns(nodes, 'role', 'version', 'is_silent'), [
    ['both', '9.9.9', false],
    ['worker', '1', true],
  ]);
  assert.equal(nodes[0]!.pid, process.pid);
  await heartbeat.close();
  assert.deepEqual(column((await overview()).nodes, 'host'), ['silent']);
});

test('the page warns of proxies that are not trusted, of each once in the log, whichever parser reads their requests', async () => {
  const weaknesses = async (language: 'en' | 'zh-TW') =>
    (await overview()).weaknesses.map((one) => formatMessage(one, language));
  assert.deepEqual(await weaknesses('en'), []);

  await app.http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.http.server.address() as AddressInfo;
  const forwarded = { 'x-forwarded-for': '203.0.113.9', 'content-type': 'application/json' };
  for (const path of ['/warehouse/v1/stock/query', '/api/v1/token/getToken'])
    await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers: forwarded, body: '{}' });
  const viaFastify = { url: '/docs', remoteAddress: '10.9.9.9', headers: forwarded };
  for (let times = 0; times < 3; times++) await app.http.inject(viaFastify);

  const [english, ...others] = await weaknesses('en');
  assert.deepEqual(others, []);
  assert.match(english!, /^requests from 10\.9\.9\.9, 127\.0\.0\.1 have the header X-Forwarded-For, which is ignored/);
  assert.match((await weaknesses('zh-TW'))[0]!, /^來自 10\.9\.9\.9, 127\.0\.0\.1 的請求帶有 X-Forwarded-For 標頭/);
  const logged = app.logLines.filter((line) => line.includes('X-Forwarded-For')).map((line) => JSON.parse(line));
  assert.deepEqual(
    logged.map(({ level, msg }) => [level, /^requests from (\S+) have/.exec(msg)?.[1]]),
    [
      ['warn', '127.0.0.1'],
      ['warn', '10.9.9.9'],
    ],
  );
});

test('an unavailable database does not disturb the heartbeat', async () => {
  const away = { ...service, read: () => Promise.reject(new DatabaseUnavailable('away')) };
  await startHeartbeat(away, { role: 'api', version: '1', masterKeyId: '00000000' }).close();
});

test('push now transfers the waiting orders of a manual warehouse, and starts the next wave of another one', async () => {
  await order(app, 'P-1', [['sku-1', 1]], live);
  assert.deepEqual(await staff.ask(systemPushNow, { warehouse_no: 1 }), {
    kind: 'transferred',
    count: 1,
    has_more: false,
  });
  assert.equal(await statusOf('P-1'), 'in_warehouse');
  const [change] = await database.read(
    (sql) => sql`select actor, trace_id is not null as traced from state_change where event = 'transfer'`,
  );
  assert.deepEqual({ ...change }, { actor: 'operator packer', traced: true });
  assert.deepEqual(await staff.ask(systemPushNow, { warehouse_no: 2 }), { kind: 'hastened' });
  assert.deepEqual(await staff.ask(systemPushNow, { warehouse_no: 99 }), { kind: 'not_found' });
  assert.deepEqual(await actions('system/push-now'), [
    ['packer', 'warehouse 1', 'transferred'],
    ['packer', 'warehouse 2', 'hastened'],
    ['packer', 'warehouse 99', 'not_found'],
  ]);
});

test('what a warehouse rejected is listed with its reason, and goes again when an admin says so', async () => {
  await order(app, 'R-1', [['sku-1', 1]], live);
  await database.read(
    (sql) => sql`
      insert into transfer (order_id, transfer_id, account_id, warehouse_no, status, attempts, reason)
      select order_id, gen_random_uuid(), account_id, 1, 'rejected', 1, '查無此商品' from orders where partner_number = 'R-1'`,
  );
  const { transfers, queues } = await overview();
  assert.deepEqual(columns(transfers, 'partner_number', 'account_no', 'status', 'tries', 'reason'), [
    ['R-1', 'LIVE', 'rejected', 1, '查無此商品'],
  ]);
  assert.equal(queues.find(({ queue }) => queue === 'transfers_rejected')!.count, 1);

  const before = await dump(app);
  const retried = { kind: 'retried', is_more: false };
  assert.deepEqual(await admin.ask(systemRetryRejected, { warehouse_no: 2 }), { ...retried, count: 0 });
  assert.deepEqual(await dump(app), before);
  assert.deepEqual(await admin.ask(systemRetryRejected, { warehouse_no: 1 }), { ...retried, count: 1 });
  assert.deepEqual((await overview()).transfers, []);
  assert.deepEqual(await actions('system/retry-rejected'), [
    ['boss', 'warehouse 2', 'retried 0'],
    ['boss', 'warehouse 1', 'retried 1'],
  ]);
});

test('a preview of a purge counts what would go, and takes nothing away', async () => {
  await receive(app, { 'sku-1': [['2030-01-01', 50]] });
  await order(app, 'U-1', [['sku-1', 1]]);
  const before = await dump(app);
  const none = await staff.ask(systemPurgePreview, { older_than_days: 30 });
  assert.deepEqual([none.kind, none.kind === 'counted' && none.accounts], ['counted', []]);
  const preview = await staff.ask(systemPurgePreview, { older_than_days: 0 });
  assert.deepEqual(preview.kind === 'counted' && preview.accounts, [
    { account_no: 'ALPHA', orders: 1, inbounds: 1, movements: 2, callbacks: 0 },
  ]);
  assert.deepEqual(await dump(app), before);
});

test('sessions that were over 90 days ago are forgotten, and no others', async () => {
  const before = await database.read((sql) => sql`select session_id from operator_session order by session_id`);
  await database.read(
    (sql) => sql`
      insert into operator_session (session_id, token_digest, username, address, user_agent, expires_at)
      select gen_random_uuid(), sha256(days::text::bytea), 'boss', '', '', now() - days * interval '1 day' from unnest(array[89, 91, 400]) days`,
  );
  assert.deepEqual(await forgetOldSessionsJob.run({ database: service } as JobRun), {
    code: 'sessions_forgotten',
    params: { count: 2, days: 90 },
  });
  const [left] = await database.read((sql) => sql`select count(*)::integer as count from operator_session`);
  assert.equal(left!.count, before.length + 1);
});
