import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, mock, test } from 'node:test';
import {
  ClockSkewError,
  LogisticsClient,
  MainClient,
  PayloadDiffersError,
  RefusedError,
  type ResponseEvent,
  type RetryEvent,
  signRequest,
  UnauthorizedError,
  UnavailableError,
  verifyCallback,
  version,
  WarehouseClient,
} from '../../sdk/client.ts';
import { orderBody } from '../support/warehouse.ts';

interface Asked {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}
type Reply = (response: ServerResponse, asked: Asked) => void;

/** A service that sends these replies one after the other, and the last one from then on. */
async function scripted(...replies: Reply[]): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const one = { path: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString() };
    asked.push(one);
    replies[Math.min(asked.length, replies.length) - 1]!(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const answers =
  (status: number, json: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'trace-id': 'trace-1', ...headers })
      .end(JSON.stringify(json));
const success = (data: object) =>
  answers(200, { code: 'LST-TPW-2000', message: 'success', success: true, trace_id: 'trace-1', data });
const refusal = (status: number, code: string, headers = {}) =>
  answers(status, { code, message: `refused: ${code}`, success: false, data: {} }, headers);
const busy = refusal(503, 'LST-TPW-5031', { 'retry-after': '0' });
const reset: Reply = (response) => void response.socket!.resetAndDestroy();
const silence: Reply = () => {};

const account = { accountNo: 'DEMO', secret: 'a secret' };
const clientOf = (url: string, options = {}) => new WarehouseClient({ url, ...account, ...options });
const errorOf = (call: Promise<unknown>): Promise<ReturnType<typeof JSON.parse>> => call.catch((error) => error);
const product = { sku_id: 'TEA-1', sku_name: '茶', storage_type: 1 as const };

test('a repeatable call is sent again after a 5xx, a reset and a time-out, with the same body', async () => {
  const { url, asked } = await scripted(busy, reset, silence, success({ success: true, products_id: 7 }));
  assert.deepEqual(await clientOf(url, { timeoutSeconds: 1 }).productSync(product), { products_id: 7 });
  assert.equal(asked.length, 4);
  assert.deepEqual(new Set(asked.map(({ body }) => body)).size, 1);
});

test('every attempt is signed with its own time', async () => {
  mock.timers.enable({ apis: ['Date', 'setTimeout'], now: 1_800_000_000_000 });
  try {
    const sent: { headers: Record<string, string>; body: string }[] = [];
    const fetch = async (_url: unknown, init?: RequestInit) => {
      sent.push({ headers: init!.headers as Record<string, string>, body: String(init!.body) });
      if (sent.length < 3)
        return Response.json({ code: 'LST-TPW-5031' }, { status: 503, headers: { 'retry-after': '2' } });
      return Response.json({ code: 'LST-TPW-2000', success: true, data: { success: true, products_id: 7 } });
    };
    const synced = clientOf('http://service.example', { fetch }).productSync(product);
    for (let tries = 1; tries < 3; tries++) {
      while (sent.length < tries) await new Promise(setImmediate);
      await new Promise(setImmediate);
      mock.timers.tick(3000);
    }
    await synced;
    assert.deepEqual(
      sent.map(({ headers }) => headers.timestamp),
      ['1800000000', '1800000003', '1800000006'],
    );
    for (const { headers, body } of sent) {
      const { sign } = signRequest({ ...account, body, timestamp: Number(headers.timestamp) });
      assert.deepEqual([headers.sign, headers['account-no']], [sign, 'DEMO']);
    }
  } finally {
    mock.timers.reset();
  }
});

test('after all retries the error has the last response, or says that there was none', async () => {
  const busyService = await scripted(busy);
  const tired = await errorOf(clientOf(busyService.url, { retriesMax: 2 }).productSync(product));
  assert.ok(tired instanceof UnavailableError);
  assert.deepEqual(
    [tired.status, tired.code, tired.trace_id, busyService.asked.length],
    [503, 'LST-TPW-5031', 'trace-1', 3],
  );

  const deaf = await scripted(silence);
  const late = await errorOf(clientOf(deaf.url, { retriesMax: 0, timeoutSeconds: 0.1 }).productSync(product));
  assert.ok(late instanceof UnavailableError);
  assert.deepEqual([late.status, late.code, late.trace_id], [null, null, null]);
  assert.equal(late.message, `no answer from ${deaf.url}/warehouse/v1/product/sync: none within 0.1 s`);

  const gone = await errorOf(clientOf('http://127.0.0.1:1', { retriesMax: 0 }).productSync(product));
  assert.match(gone.message, /no answer from http:\/\/127\.0\.0\.1:1\/warehouse\/v1\/product\/sync: \w/);
});

test('a call that would be refused again is not sent again, nor one for which the service asks for a long wait', async () => {
  for (const [reply, kind] of [
    [refusal(400, 'PARAM_INVALID'), RefusedError],
    [refusal(401, 'LST-TPW-4001'), UnauthorizedError],
    [refusal(503, 'LST-TPW-5030'), UnavailableError],
    [refusal(429, 'LST-TPW-4290', { 'retry-after': '3600' }), UnavailableError],
    [(response) => response.writeHead(302, { location: 'http://elsewhere.example/' }).end(), UnavailableError],
    [(response) => response.end('<html>a proxy</html>'), UnavailableError],
  ] as [Reply, new (...given: never[]) => Error][]) {
    const { url, asked } = await scripted(reply);
    const error = await errorOf(clientOf(url).productSync(product));
    assert.ok(error instanceof kind, String(error));
    assert.equal(asked.length, 1);
  }
});

const token = answers(200, {
  done: true,
  msg: 'success',
  retval: { access_token: 'one', token_type: 'Bearer', expires_in: 3600 },
});
const refusedToken = answers(401, { done: false, msg: 'the access token is not valid', retval: null });
const done = (retval: object) => answers(200, { done: true, msg: 'success', retval });
const mainOf = (url: string, options = {}) =>
  new MainClient({ url, clientId: 'demo', checkValue: 'lcv_x', ...options });

test('on 401 there is one new token and one retry, not more', async () => {
  const { url, asked } = await scripted(token, refusedToken, token, refusedToken, token);
  const error = await errorOf(mainOf(url).inboundsStop({ form_no: 'PO-1' }));
  assert.ok(error instanceof UnauthorizedError);
  assert.deepEqual(
    asked.map(({ path }) => path.split('/').at(-1)),
    ['getToken', 'stop', 'getToken', 'stop'],
  );
});

test('a call that counts each time is repeated only if it has its own number or was surely not done', async () => {
  const delivery = {
    form_no: 'PO-1',
    details: [{ sku_id: 'TEA-1', expire_date: null, qty: 1, stock_type: 'good' as const }],
  };
  const received = done({ status: 'receiving', idempotent: false });
  const tooMany = answers(429, { done: false, msg: 'too many requests', retval: null }, { 'retry-after': '0' });

  const unnumbered = await scripted(token, reset, received);
  const error = await errorOf(mainOf(unnumbered.url).inboundsReceive(delivery));
  assert.ok(error instanceof UnavailableError);
  assert.equal(unnumbered.asked.length, 2);

  const limited = await scripted(token, tooMany, received);
  assert.equal((await mainOf(limited.url).inboundsReceive(delivery)).status, 'receiving');

  const numbered = await scripted(token, reset, received);
  assert.equal((await mainOf(numbered.url).inboundsReceive({ ...delivery, receipt_no: 'R-1' })).status, 'receiving');
  assert.equal(numbered.asked.length, 3);

  const redelivery = await scripted(token, reset, done({ count: 1 }));
  await assert.rejects(mainOf(redelivery.url).callbacksRedeliver({ 'callbacks.status': 'failed' }), UnavailableError);
  assert.equal(redelivery.asked.length, 2);
});

test('a signal ends a call at once: while it is sent, while it waits for its next try, and while a token is fetched for others too', async () => {
  const reason = new Error('enough');
  const deaf = await scripted(silence);
  const during = new AbortController();
  const call = clientOf(deaf.url).productSync(product, { signal: during.signal });
  while (deaf.asked.length === 0) await new Promise(setImmediate);
  during.abort(reason);
  await assert.rejects(call, reason);

  const busyService = await scripted(refusal(503, 'LST-TPW-5031', { 'retry-after': '20' }));
  const between = new AbortController();
  const waiting = clientOf(busyService.url).productSync(product, { signal: between.signal });
  while (busyService.asked.length === 0) await new Promise(setImmediate);
  setTimeout(() => between.abort(reason), 50);
  await assert.rejects(waiting, reason);
  assert.equal(busyService.asked.length, 1);

  await assert.rejects(clientOf(deaf.url).productSync(product, { signal: AbortSignal.abort(reason) }), reason);

  const held: ServerResponse[] = [];
  const slow = await scripted((response) => void held.push(response), done({ rows: [], next_cursor: null }));
  const main = mainOf(slow.url);
  const impatient = new AbortController();
  const first = main.searchOrders({}, { signal: impatient.signal }).next();
  const second = main.searchOrders().next();
  while (held.length === 0) await new Promise(setImmediate);
  impatient.abort(reason);
  await assert.rejects(first, reason);
  token(held[0]!, slow.asked[0]!);
  assert.deepEqual(await second, { done: true, value: undefined });
  assert.equal(slow.asked.filter(({ path }) => path.endsWith('getToken')).length, 1);
});

test('a call that can never be sent fails at once', async () => {
  const { url, asked } = await scripted(success({}));
  await assert.rejects(clientOf(url, { accountNo: '帳號' }).productSync(product), TypeError);
  assert.equal(asked.length, 0);
});

test('the error of an unknown path has the address', async () => {
  const { url } = await scripted(answers(404, { done: false, msg: 'no such path', retval: null }));
  const error = await errorOf(mainOf(`${url}/api/v2`).inboundsStop({ form_no: 'PO-1' }));
  assert.ok(error instanceof RefusedError);
  assert.equal(error.reason, `no such path: ${url}/api/v2/api/v1/token/getToken`);
});

test('the time for a try begins when its token is there', async () => {
  // Each answer is far below the limit, because the machine may stop for a second; both together are beyond it.
  const slowly =
    (reply: Reply): Reply =>
    (response, one) =>
      void setTimeout(() => reply(response, one), 3200);
  const { url } = await scripted(slowly(token), slowly(done({ count: 1 })));
  assert.deepEqual(await mainOf(url, { timeoutSeconds: 6.0005 }).callbacksRedeliver({ 'callbacks.status': 'failed' }), {
    count: 1,
  });
});

test('a wait may be asked for as a date', async () => {
  const later = new Date(Date.now() + 3_600_000).toUTCString();
  const { url, asked } = await scripted(refusal(503, 'LST-TPW-5031', { 'retry-after': later }));
  const error = await errorOf(clientOf(url).productSync(product));
  assert.ok(error instanceof UnavailableError);
  assert.ok(error.retry_after_seconds! > 3500, String(error.retry_after_seconds));
  assert.equal(asked.length, 1);
});

test('the address may end with a slash, and the contracts may live elsewhere', async () => {
  const { url, asked } = await scripted(success({ success: true, products_id: 7 }));
  await clientOf(`${url}//`, { basePath: '/tpw/v9' }).productSync(product);
  assert.equal(asked[0]!.path, '/tpw/v9/product/sync');
});

test('a missing or invalid setting is named before anything is sent', () => {
  const missing = undefined as unknown as string;
  const url = 'http://service.example';
  const mistakes: [make: () => unknown, message: string][] = [
    [() => clientOf(url, { secret: missing }), 'secret is missing'],
    [() => mainOf(''), 'url is missing'],
    [() => new LogisticsClient({ url, apiKey: missing }), 'apiKey is missing'],
    [() => verifyCallback({ headers: {}, body: '' }, { secrets: missing }), 'secrets is missing'],
    [() => clientOf(url, { secret: 'las_...' }), 'secret is still the placeholder'],
    [() => clientOf('service.example'), 'url must be a URL such as https:'],
    [() => clientOf('ftp://service.example'), 'url must be a URL such as https:'],
  ];
  for (const [make, message] of mistakes) assert.throws(make, new RegExp(`^TypeError: ${message}`));
});

test('hooks see every attempt, also of the token, without its credentials; added headers cannot replace them', async () => {
  const { url, asked } = await scripted(token, busy, reset, done({ status: 'stopped' }));
  const seen: string[] = [];
  const retries: RetryEvent[] = [];
  const responses: ResponseEvent[] = [];
  const main = mainOf(url, {
    onRequest: ({ path, attempt, ...rest }: { path: string; attempt: number; url: string }) => {
      assert.deepEqual(rest, { url: `${url}${path}` });
      seen.push(`request ${path.split('/').at(-1)} ${attempt}`);
      return { traceparent: '00-1-2-01', Authorization: 'other', 'Content-Type': 'text/plain' };
    },
    onResponse: (response: ResponseEvent) => {
      responses.push(response);
      seen.push(`response ${response.status}`);
    },
    onRetry: (retry: RetryEvent) => {
      retries.push(retry);
      seen.push(`retry ${retry.attempt}`);
    },
  });
  await main.inboundsStop({ form_no: 'PO-1' });
  const tokenLines = ['request getToken 1', 'response 200'];
  const attempts = ['request stop 1', ...tokenLines, 'response 503', 'retry 1', 'request stop 2', 'retry 2'];
  assert.deepEqual(seen, [...attempts, 'request stop 3', 'response 200']);
  assert.match(
    retries.map(({ status, reason }) => `${status} ${reason}`).join(),
    /^503 HTTP 503,null (ECONNRESET|UND_ERR_SOCKET)$/,
  );
  assert.ok(retries.every(({ wait_seconds }) => wait_seconds >= 0.25 && wait_seconds <= 1));
  assert.deepEqual([responses[0]!.trace_id, responses[0]!.headers.get('trace-id')], ['trace-1', 'trace-1']);
  assert.ok(responses.every(({ seconds }) => seconds > 0));
  assert.equal(JSON.stringify([seen, retries, responses]).includes('lcv_x'), false);
  assert.deepEqual(
    asked.map(({ headers }) => [headers.authorization, headers['content-type'], headers.traceparent]),
    [['other', 'application/json', '00-1-2-01'], ...Array(3).fill(['Bearer one', 'application/json', '00-1-2-01'])],
  );
});

test('an exception in a hook ends the call and is not taken for a missing response', async () => {
  const { url, asked } = await scripted(success({ success: true, products_id: 7 }));
  const mistake = new Error('a mistake in a hook');
  const fail = () => {
    throw mistake;
  };
  await assert.rejects(clientOf(url, { onRequest: fail }).productSync(product), mistake);
  assert.equal(asked.length, 0);
  await assert.rejects(clientOf(url, { onResponse: fail }).productSync(product), mistake);
  assert.equal(asked.length, 1);
});

test('every request names the version of the client, and the platform', async () => {
  const { url, asked } = await scripted(success({ success: true, products_id: 7 }));
  await clientOf(url).productSync(product);
  await clientOf(url, { onRequest: () => ({ 'User-Agent': 'shop/1.0' }) }).productSync(product);
  assert.deepEqual(
    asked.map(({ headers }) => headers['user-agent']),
    [`lading-client/${version} (${navigator.userAgent})`, 'shop/1.0'],
  );
});

test('a call may have a timeout of its own', async () => {
  const { url } = await scripted(silence);
  const client = clientOf(url, { retriesMax: 0, timeoutSeconds: 3600 });
  const error = await errorOf(client.productSync(product, { timeoutSeconds: 0.05 }));
  assert.equal(error.message, `no answer from ${url}/warehouse/v1/product/sync: none within 0.05 s`);
  const several = await errorOf(client.stockQuery(['TEA-1'], { timeoutSeconds: 0.05 }));
  assert.ok(several instanceof UnavailableError);
});

test('a result comes with its response, a list of results with the response of each request', async () => {
  const answered = answers(200, { success: true, data: { success: true, products_id: 7 } }, { 'x-note': 'tea' });
  const { url } = await scripted(busy, answered);
  const { data, status, trace_id, headers, ...rest } = await clientOf(url).productSync(product).withResponse();
  assert.deepEqual([data, status, trace_id, rest], [{ products_id: 7 }, 200, 'trace-1', {}]);
  assert.equal(headers.get('x-note'), 'tea');

  const cancelled = (trace: string) =>
    answers(200, { success: true, data: { results: [trace] } }, { 'trace-id': trace });
  const list = await scripted(cancelled('one'), cancelled('two'));
  const numbers = Array.from({ length: 101 }, (_, index) => `OUT-${index}`);
  const { data: results, responses } = await clientOf(list.url).outboundCancel(numbers).withResponses();
  assert.deepEqual(
    [results, responses.map((response) => response.trace_id)],
    [
      ['one', 'two'],
      ['one', 'two'],
    ],
  );
  assert.deepEqual(await clientOf(list.url).outboundCancel([]).withResponses(), { data: [], responses: [] });

  const refused = await scripted(refusal(400, 'PARAM_INVALID'));
  await assert.rejects(clientOf(refused.url).productSync(product).withResponse(), RefusedError);
  await assert.rejects(clientOf(refused.url).outboundCancel(numbers).withResponses(), RefusedError);
});

test('a rejected signature names the clock if it is to blame, and only then', async () => {
  const at = (seconds: number) => ({ date: new Date(Date.now() + seconds * 1000).toUTCString() });
  const errorAt = async (status: number, headers: object) => {
    const { url } = await scripted(refusal(status, 'LST-TPW-4001', headers));
    return await errorOf(clientOf(url).productSync(product));
  };
  mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 });
  try {
    const behind = await errorAt(401, at(3600));
    assert.ok(behind instanceof ClockSkewError && behind instanceof UnauthorizedError);
    const reason =
      'the clock of this machine is 3600 s behind the clock of the service; set it, because signatures are valid for 300 s';
    assert.deepEqual([behind.reason, behind.message], [reason, `${reason} (trace_id trace-1)`]);
    const { name, status, code, skew_seconds } = behind;
    assert.deepEqual([name, status, code, skew_seconds], ['ClockSkewError', 401, 'LST-TPW-4001', -3600]);
    const ahead = await errorAt(401, at(-301));
    assert.deepEqual([ahead.skew_seconds, ahead.reason.includes('301 s ahead of the clock')], [301, true]);

    for (const headers of [at(290), at(-290), { date: 'no date' }]) {
      const wrongSecret = await errorAt(401, headers);
      assert.deepEqual([wrongSecret.name, wrongSecret.reason], ['UnauthorizedError', 'refused: LST-TPW-4001']);
    }
    assert.equal((await errorAt(400, at(3600))).name, 'RefusedError');
  } finally {
    mock.timers.reset();
  }
});

test('a different body under a known number is a warning, or an error if the client says so', async () => {
  const warnings = [{ code: 'payload_differs', path: '', message: 'it differs' }];
  const original = { success: true, orders_id: 'ow_1', idempotent: true, warnings };
  const heard: unknown[] = [];
  const onWarnings = (found: unknown, path: string) => heard.push(found, path);
  const { url } = await scripted(success(original));
  const body = orderBody('OUT-1', [['TEA-1', 1]]);
  assert.equal((await clientOf(url, { onWarnings }).outboundCreate(body)).orders_id, 'ow_1');
  const error = await errorOf(clientOf(url, { onWarnings, throwOnPayloadDiffers: true }).outboundCreate(body));
  assert.ok(error instanceof PayloadDiffersError && error instanceof RefusedError);
  assert.deepEqual([error.message, error.status, error.original], ['it differs (trace_id trace-1)', 200, original]);
  assert.deepEqual(heard, [warnings, '/warehouse/v1/outbound/create', warnings, '/warehouse/v1/outbound/create']);

  const unknown = [{ code: 'unknown_field', path: 'skuid', message: 'is not a field' }];
  const harmless = await scripted(success({ ...original, warnings: unknown }));
  assert.equal((await clientOf(harmless.url, { throwOnPayloadDiffers: true }).outboundCreate(body)).orders_id, 'ow_1');
});
