import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signedHeaders, startTestApp } from '../support/app.ts';
import { startNotifiedPartner, startTestBackground } from '../support/background.ts';
import { holdTransaction, lockIsAwaited } from '../support/database.ts';
import { item, orderPath, shippingOrder } from '../support/logistics.ts';
import { type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.ts';
import { listenRaw, rawRequest } from '../support/raw-http.ts';
import { orderBody, receive } from '../support/warehouse.ts';
import { until } from '../support/worker.ts';

const receiver = await startOtlpReceiver();
const app = await startTestApp({
  env: {
    CALLBACK_ALLOW_CIDRS: '127.0.0.0/8',
    OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=secret%20key',
    OTEL_SERVICE_NAME: 'lading-test',
    OTEL_RESOURCE_ATTRIBUTES: 'zone=a',
  },
});
const connect = await listenRaw(app);
const partner = await startNotifiedPartner();
await receive(app, { TEA: [['2030-01-01', 1000]] });
startTestBackground(app);

const callerTrace = '0af7651916cd43dd8448eb211c80319c';
const callerSpan = 'b7ad6b7169203331';
const traceparent = `00-${callerTrace}-${callerSpan}-01`;

/** Sends an order on a socket of its own, as the direct lane reads it; `more` can make it go by Node. */
async function sendOrder(number: string, more: [string, string][] = []) {
  const body = JSON.stringify(orderBody(number, [['TEA', 1]]));
  const headers = Object.entries({
    'content-type': 'application/json',
    ...signedHeaders(Buffer.from(body), app.clock),
  });
  const connection = await connect();
  connection.send(rawRequest('POST', '/warehouse/v1/outbound/create', [...headers, ...more], body));
  const answer = await connection.answer();
  connection.socket.destroy();
  assert.equal(answer?.status, 200, answer?.text);
  const ourTraceId = answer.headers['trace-id']!;
  // Node ends a request some moments after its response has arrived.
  await until('the request is recorded', () => app.logLines.some((line) => line.includes(ourTraceId)));
  return { ourTraceId };
}

async function spansOf(isWanted: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan[]> {
  await app.tracing!.tracer.flush();
  return receiver.spans.filter(isWanted).toSorted((one, other) => (one.startNs < other.startNs ? -1 : 1));
}

// The first order also opens a connection.
await sendOrder('FIRST');

const requestName = 'POST /warehouse/v1/outbound/create';

for (const [lane, more] of [
  ['the direct lane', []],
  ['Node', [['te', 'trailers']]],
] as [string, [string, string][]][]) {
  test(`one order is one trace of its caller: request, group and statements, read by ${lane}`, async () => {
    receiver.spans.length = 0;
    const { ourTraceId } = await sendOrder(`TRACED-${more.length}`, [['traceparent', traceparent], ...more]);
    const spans = await spansOf(({ traceId }) => traceId === callerTrace);
    const [request, ...others] = spans;
    assert.deepEqual(
      [request!.name, request!.parentSpanId, request!.kind, request!.isError],
      [requestName, callerSpan, 2, false],
    );
    assert.deepEqual(request!.attributes, {
      'lading.trace_id': ourTraceId,
      'http.request.method': 'POST',
      'http.route': '/warehouse/v1/outbound/create',
      'http.response.status_code': 200,
      'lading.contract': 'warehouse',
      'lading.code': 'LST-TPW-2000',
    });
    const group = others.find(({ name }) => name === 'group create_orders')!;
    assert.deepEqual([group.parentSpanId, group.kind], [request!.spanId, 1]);
    assert.deepEqual(group.attributes, { 'lading.operation': 'create_orders', 'lading.group.size': 1 });
    assert.deepEqual(group.links, [{ traceId: callerTrace, spanId: request!.spanId }]);
    const statements = others.filter(({ parentSpanId }) => parentSpanId === group.spanId);
    const names = statements.map(({ name }) => name);
    assert.deepEqual([names[0], names.at(-1)], ['begin', 'commit']);
    for (const expected of ['select lot', 'insert orders']) assert.ok(names.includes(expected), names.join());
    for (const { kind, attributes, startNs, endNs } of statements) {
      assert.deepEqual([kind, attributes['db.system.name']], [3, 'postgresql']);
      assert.ok(request!.startNs <= startNs && startNs <= endNs && endNs <= request!.endNs);
    }
  });
}

test('without a usable traceparent, the trace has our own trace id', async () => {
  const malformed = ['x', traceparent.toUpperCase(), `00-${'0'.repeat(32)}-${callerSpan}-01`, `${traceparent}-x`];
  for (const header of [null, ...malformed]) {
    const more: [string, string][] = header === null ? [] : [['traceparent', header]];
    const { ourTraceId } = await sendOrder(`OWN-${malformed.indexOf(header!)}`, more);
    const [request] = await spansOf(({ traceId }) => traceId === ourTraceId.replaceAll('-', ''));
    assert.deepEqual([request?.name, request?.parentSpanId], [requestName, null], String(header));
  }
});

test('a caller that does not sample its trace is not measured, and its trace id is in the log', async () => {
  receiver.spans.length = 0;
  const unsampled = `00-${'1'.repeat(32)}-${callerSpan}-00`;
  const { ourTraceId } = await sendOrder('UNSAMPLED', [['traceparent', unsampled]]);
  assert.deepEqual(await spansOf(({ traceId }) => traceId === '1'.repeat(32)), []);
  const line = app.logLines.map((one) => JSON.parse(one)).find(({ trace_id }) => trace_id === ourTraceId);
  assert.deepEqual([line.msg, line.w3c_trace_id], ['request', '1'.repeat(32)]);
});

test('the span of a group belongs to the trace of its first request and is linked with all of them', async () => {
  receiver.spans.length = 0;
  const [{ accountId } = {}] = await app.store.database.read(
    (sql) => sql`select account_id as "accountId" from lot limit 1`,
  );
  // While the first group waits for the lot, the other orders form the next one.
  const held = await holdTransaction(
    app.store.database,
    (tx) => tx`select from lot where account_id = ${accountId} for update`,
  );
  const first = sendOrder('GROUP-0');
  await lockIsAwaited(app.store.database);
  const others = [1, 2, 3].map((index) => sendOrder(`GROUP-${index}`));
  await until('the other orders wait', async () => /^lading_group_requests_waiting 3$/m.test(await metricsText()));
  await held.release();
  await Promise.all([first, ...others]);
  const spans = await spansOf(({ name }) => name === requestName || name === 'group create_orders');
  const group = spans.find(({ attributes }) => attributes['lading.group.size'] === 3)!;
  const linked = group.links.map(({ spanId }) => spans.find((span) => span.spanId === spanId)!);
  assert.equal(new Set(linked.map(({ traceId }) => traceId)).size, 3);
  assert.deepEqual([linked[0]!.traceId, linked[0]!.spanId], [group.traceId, group.parentSpanId]);
  const { traceId, spanId } = group;
  for (const other of linked.slice(1)) assert.deepEqual(other.links, [{ traceId, spanId }]);
});

const metricsText = async () => (await app.http.inject('/metrics')).payload;

test('a callback is a trace of its own, linked to its cause, and names itself to its receiver', async () => {
  receiver.spans.length = 0;
  const body = shippingOrder('LINKED', [item('TEA', 1)], { callback_url: `${partner.callbackUrl}?key=hidden` });
  assert.equal((await app.callLogistics(orderPath, body)).status, 200);
  const cancelled = await app.callMain('/orders/cancel', { internal_names: ['LINKED'] }, { headers: { traceparent } });
  assert.equal(cancelled.status, 200, cancelled.text);
  const { headers } = await partner.notified('LINKED', 'order.cancelled');

  const [group] = await spansOf(({ traceId, name }) => traceId === callerTrace && name === 'group cancel_orders');
  await until('the attempt is traced', async () => (await spansOf(({ name }) => name === 'POST callback')).length > 0);
  const [callback] = await spansOf(({ name }) => name === 'POST callback');
  assert.deepEqual(callback!.links, [{ traceId: callerTrace, spanId: group!.spanId }]);
  assert.notEqual(callback!.traceId, callerTrace);
  assert.deepEqual([callback!.parentSpanId, callback!.kind], [null, 3]);
  assert.equal(headers.traceparent, `00-${callback!.traceId}-${callback!.spanId}-01`);
  assert.deepEqual(callback!.attributes, {
    'http.request.method': 'POST',
    'server.address': new URL(partner.callbackUrl).host,
    'http.response.status_code': 204,
  });
});

test('traces reach the receiver with the settings of the operator, and hold no data of partners', async () => {
  await app.tracing!.tracer.flush();
  const { path, headers } = receiver.requests[0]!;
  assert.deepEqual([path, headers['content-type'], headers['x-key']], ['/v1/traces', 'application/json', 'secret key']);
  const { resource } = receiver.spans[0]!;
  assert.deepEqual([resource['service.name'], resource.zone], ['lading-test', 'a']);
  const sent = receiver.requests.map(({ text }) => text).join();
  assert.doesNotMatch(sent, /TRACED|LINKED|GROUP-|ALPHA|TEA|Lin Mei|Chen Wei|0900000000|hidden|\$1/);
  assert.match(await metricsText(), /^lading_trace_spans_total\{outcome="exported"\} [1-9]/m);
});

test('while the receiver is away, orders are served, and spans that find no room are counted', async () => {
  receiver.answer = { status: 503, body: '' };
  await sendOrder('AWAY');
  await app.tracing!.tracer.flush();
  const away = app.logLines.filter((line) => line.includes('the receiver of traces does not accept spans'));
  await sendOrder('AWAY-2');
  await app.tracing!.tracer.flush();
  assert.equal(away.length, 1);
  receiver.answer = { status: 200, body: '{}' };
  const kept = await spansOf(({ attributes }) => attributes['lading.operation'] === 'create_orders');
  assert.ok(kept.length >= 2, 'spans of the outage are sent afterwards');

  receiver.answer = { status: 400, body: '' };
  await sendOrder('REFUSED');
  await app.tracing!.tracer.flush();
  assert.match(await metricsText(), /^lading_trace_spans_total\{outcome="dropped"\} [1-9]/m);
});
