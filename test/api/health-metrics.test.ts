import assert from 'node:assert/strict';
import { test } from 'node:test';
import { version } from '../../server/version.ts';
import { signedHeaders, startTestApp } from '../support/app.ts';
import { listenRaw, rawRequest } from '../support/raw-http.ts';

const app = await startTestApp();
const stopping = await startTestApp();
const connectToStopping = await listenRaw(stopping);

const product = (skuId: string) => ({ sku_id: skuId, sku_name: 'Oolong', storage_type: 1 });
const metrics = async () => (await app.http.inject('/metrics')).payload;

test('live says that the process answers, and which version it is', async () => {
  const answer = await app.http.inject('/health/live');
  assert.equal(answer.statusCode, 200);
  assert.match(answer.headers['content-type'] as string, /^application\/json/);
  assert.deepEqual(answer.json(), { status: 'ok', version });
});

test('ready says that requests are welcome', async () => {
  const answer = await app.http.inject('/health/ready');
  assert.equal(answer.statusCode, 200);
  assert.deepEqual(answer.json(), { status: 'ready' });
});

test('a service that is stopping is not ready and says so, but still serves', async () => {
  stopping.startDraining();
  const ready = await stopping.http.inject('/health/ready');
  assert.equal(ready.statusCode, 503);
  assert.deepEqual(ready.json(), { status: 'not_ready', reasons: ['the service is stopping'] });
  assert.equal((await stopping.http.inject('/health/live')).statusCode, 200);
  assert.equal((await stopping.callWarehouse('/product/sync', product('DRAIN'))).status, 200);
});

test('a service that is stopping closes each connection with an answer, so that none is closed as its next request comes', async () => {
  const body = Buffer.from(JSON.stringify(product('LAST')));
  const headers = { 'content-type': 'application/json', ...signedHeaders(body, stopping.clock) };
  const requests = [rawRequest('GET', '/health/live'), rawRequest('POST', '/warehouse/v1/product/sync', Object.entries(headers), body)];
  stopping.startDraining();
  for (const request of requests) {
    const connection = await connectToStopping();
    connection.send(request);
    const answer = await connection.answer();
    assert.deepEqual([answer?.status, answer?.headers.connection], [200, 'close']);
    await connection.closed;
  }
});

test('metrics are in the text format of Prometheus', async () => {
  const answer = await app.http.inject('/metrics');
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
});

test('the series of the service are there, in base units', async () => {
  await app.callWarehouse('/product/sync', product('METRIC'));
  const names = [...(await metrics()).matchAll(/^# TYPE (lading_\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`);
  assert.deepEqual(names.toSorted(), [
    'lading_callback_longest_due_seconds gauge',
    'lading_callback_oldest_undelivered_seconds gauge',
    'lading_callback_receivers_failing gauge',
    'lading_database_connections_busy gauge',
    'lading_database_requests_waiting gauge',
    'lading_documents_purged_total counter',
    'lading_group_requests_waiting gauge',
    'lading_group_size_requests histogram',
    'lading_group_troubles_total counter',
    'lading_http_request_duration_seconds histogram',
    'lading_http_requests_in_flight gauge',
    'lading_http_requests_refused_total counter',
    'lading_http_requests_total counter',
    'lading_http_requests_waiting gauge',
    'lading_job_runs_total counter',
    'lading_orders_put_aside gauge',
    'lading_purge_timestamp_seconds gauge',
    'lading_request_log_dropped_total counter',
    'lading_request_log_suppressed_total counter',
    'lading_stock_audit_findings gauge',
    'lading_stock_audit_timestamp_seconds gauge',
    'lading_wave_longest_due_seconds gauge',
  ]);
  assert.match(await metrics(), /^process_cpu_seconds_total /m);
  assert.match(await metrics(), /^nodejs_eventloop_lag_seconds /m);
});

test('answers are counted by contract, endpoint and status, and nothing else: no number of a partner is in a label', async () => {
  await app.callWarehouse('/product/sync', product('SECRET-SKU'));
  await app.callWarehouse('/product/sync', product('SECRET-SKU'), { secret: 'wrong' });
  await app.callWarehouse('/SECRET-PATH', {});
  await app.callWarehouse('/product/sync?SECRET-QUERY', '{');
  await app.http.inject('/SECRET-ROOT/deeper');
  const text = await metrics();

  assert.match(text, /^lading_http_requests_total\{contract="warehouse",endpoint="\/warehouse\/v1\/product\/sync",status="401"\} 1$/m);
  assert.match(text, /^lading_http_requests_total\{contract="warehouse",endpoint="\/warehouse\/v1\/product\/sync",status="400"\} 1$/m);
  assert.match(text, /^lading_http_requests_total\{contract="warehouse",endpoint="\(unknown\)",status="404"\} 1$/m);
  assert.match(text, /^lading_http_requests_total\{contract="main",endpoint="\(unknown\)",status="404"\} 1$/m);
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
