import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createConnection } from 'node:net';
import { after, test } from 'node:test';
import { version } from '../../server/version.ts';
import { signedHeaders, startTestApp, type TestApp } from '../support/app.ts';
import { promtoolMissing } from '../support/promtool.ts';
import { listenRaw, rawRequest } from '../support/raw-http.ts';

const app = await startTestApp();
const stopping = await startTestApp();
const stopped = await startTestApp();
const connectToStopping = await listenRaw(stopping);
const connectToStopped = await listenRaw(stopped);

const product = (skuId: string) => ({ sku_id: skuId, sku_name: 'Oolong', storage_type: 1 });
function syncRequest({ clock }: TestApp, skuId: string): Buffer {
  const body = Buffer.from(JSON.stringify(product(skuId)));
  const headers = { 'content-type': 'application/json', ...signedHeaders(body, clock) };
  return rawRequest('POST', '/warehouse/v1/product/sync', Object.entries(headers), body);
}

const metrics = async () => (await app.http.inject('/metrics')).payload;

test('live names the version, and ready says that requests are welcome', async () => {
  const live = await app.http.inject('/health/live');
  assert.match(live.headers['content-type'] as string, /^application\/json/);
  assert.deepEqual([live.statusCode, live.json()], [200, { status: 'ok', version }]);
  const ready = await app.http.inject('/health/ready');
  assert.deepEqual([ready.statusCode, ready.json()], [200, { status: 'ready' }]);
});

test('a service that is stopping is not ready and says so, but still serves', async () => {
  stopping.startDraining();
  const ready = await stopping.http.inject('/health/ready');
  assert.equal(ready.statusCode, 503);
  assert.deepEqual(ready.json(), { status: 'not_ready', reasons: ['the service is stopping'] });
  assert.equal((await stopping.http.inject('/health/live')).statusCode, 200);
  assert.equal((await stopping.callWarehouse('/product/sync', product('DRAIN'))).status, 200);
});

test('a service that is stopping closes each connection with an answer', async () => {
  const requests = [rawRequest('GET', '/health/live'), syncRequest(stopping, 'LAST')];
  stopping.startDraining();
  for (const request of requests) {
    const connection = await connectToStopping();
    connection.send(request);
    const answer = await connection.answer();
    assert.deepEqual([answer?.status, answer?.headers.connection], [200, 'close']);
    await connection.closed;
  }
});

test('metrics are in the text format of Prometheus, with the series of the service in base units', async () => {
  await app.callWarehouse('/product/sync', product('METRIC'));
  const answer = await app.http.inject('/metrics');
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  const names = [...answer.payload.matchAll(/^# TYPE (lading_\w+) (\w+)$/gm)].map(
    ([, name, type]) => `${name} ${type}`,
  );
  assert.deepEqual(names.toSorted(), [
    'lading_alert_attempts_total counter',
    'lading_alert_channels_failing gauge',
    'lading_build_info gauge',
    'lading_callback_longest_due_seconds gauge',
    'lading_callback_oldest_undelivered_seconds gauge',
    'lading_callback_receivers_failing gauge',
    'lading_clock_ahead_seconds gauge',
    'lading_database_archiving_failing gauge',
    'lading_database_commits_total counter',
    'lading_database_connections gauge',
    'lading_database_connections_busy gauge',
    'lading_database_replication_lag_bytes gauge',
    'lading_database_replication_lag_seconds gauge',
    'lading_database_requests_waiting gauge',
    'lading_database_role gauge',
    'lading_database_standby_missing gauge',
    'lading_database_timeline gauge',
    'lading_documents_purged_total counter',
    'lading_group_requests_waiting gauge',
    'lading_group_size_requests histogram',
    'lading_group_troubles_total counter',
    'lading_heap_limit_bytes gauge',
    'lading_http_request_duration_seconds histogram',
    'lading_http_requests_in_flight gauge',
    'lading_http_requests_refused_total counter',
    'lading_http_requests_total counter',
    'lading_http_requests_waiting gauge',
    'lading_job_runs_total counter',
    'lading_orders_longest_waiting_seconds gauge',
    'lading_orders_rejected gauge',
    'lading_purge_timestamp_seconds gauge',
    'lading_read_replica_reads_total counter',
    'lading_ready gauge',
    'lading_recipients_erased_total counter',
    'lading_request_log_dropped_total counter',
    'lading_request_log_suppressed_total counter',
    'lading_stock_audit_findings gauge',
    'lading_stock_audit_timestamp_seconds gauge',
    'lading_trace_spans_total counter',
    'lading_wave_longest_due_seconds gauge',
  ]);
  assert.match(await metrics(), /^process_cpu_seconds_total /m);
  assert.match(await metrics(), /^nodejs_eventloop_lag_seconds /m);
});

test('Prometheus finds nothing to correct in the metrics', { skip: promtoolMissing }, async () => {
  await app.callWarehouse('/product/sync', product('LINTED'));
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: await metrics() });
  assert.deepEqual([status, String(stdout), String(stderr)], [0, '', '']);
});

test('the versions of the service, of Node and of PostgreSQL are labels of one series', async () => {
  const [{ server_version }] = await app.store.database.read(
    (sql) => sql<[{ server_version: string }]>`show server_version`,
  );
  const postgres = /^[\d.]+/.exec(server_version)![0];
  const [line] = (await metrics()).match(/^lading_build_info.*$/gm)!;
  assert.equal(line, `lading_build_info{version="${version}",node="${process.version}",postgres="${postgres}"} 1`);
});

test('the metrics say whether the node is ready, and how far its clock is off', async () => {
  assert.match(await metrics(), /^lading_ready 1$/m);
  assert.match(await metrics(), /^lading_clock_ahead_seconds 0$/m);
  const text = (await stopping.http.inject('/metrics')).payload;
  assert.match(text, /^lading_ready 0$/m);
});

test('responses are counted by contract, endpoint and status only: no data of a partner is in a label', async () => {
  await app.callWarehouse('/product/sync', product('SECRET-SKU'));
  await app.callWarehouse('/product/sync', product('SECRET-SKU'), { secret: 'wrong' });
  await app.callWarehouse('/SECRET-PATH', {});
  await app.callWarehouse('/product/sync?SECRET-QUERY', '{');
  await app.http.inject('/SECRET-ROOT/deeper');
  const text = await metrics();

  const series = [
    'contract="warehouse",endpoint="/warehouse/v1/product/sync",status="401"',
    'contract="warehouse",endpoint="/warehouse/v1/product/sync",status="400"',
    'contract="warehouse",endpoint="(unknown)",status="404"',
    'contract="main",endpoint="(unknown)",status="404"',
  ];
  for (const labels of series) assert.ok(text.includes(`\nlading_http_requests_total{${labels}} 1\n`), labels);
  assert.doesNotMatch(text, /SECRET|ALPHA|alpha/);
  const labels = new Set(
    [...text.matchAll(/^lading_http_requests_total\{([^}]*)\}/gm)].flatMap(([, set]) => set!.match(/\w+(?==")/g) ?? []),
  );
  assert.deepEqual([...labels].toSorted(), ['contract', 'endpoint', 'status']);
});

test('health and metrics themselves are not counted as answers', async () => {
  const counts = async () => (await metrics()).match(/^lading_http_requests_total.*$/gm);
  const before = await counts();
  await app.http.inject('/health/live');
  await app.http.inject('/health/ready');
  assert.deepEqual(await counts(), before);
});

test('a stop waits for no connection that is silent, idle, in the middle of its headers, or not closed after its last answer', async () => {
  const [silent, idle, halfway] = [await connectToStopped(), await connectToStopped(), await connectToStopped()];
  idle.send(rawRequest('GET', '/health/live'));
  assert.equal((await idle.answer())?.status, 200);
  halfway.send(Buffer.from('POST /warehouse/v1/product/sync HTTP/1.1\r\nhost: localhost\r\nacc'));
  const { port } = stopped.http.server.address() as AddressInfo;
  const lingering = createConnection({ port, host: '127.0.0.1', allowHalfOpen: true }).resume();
  after(() => lingering.destroy());
  stopped.startDraining();
  lingering.write(syncRequest(stopped, 'LAST'));
  await once(lingering, 'end');

  await stopped.http.close();
  await Promise.all([silent.closed, idle.closed, halfway.closed]);
});
