import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PublicErrorCode } from '../../contract/errors/codes.ts';
import { alpha, signedHeaders, startTestApp } from '../support/app.ts';
import { operators, provisionOperators } from '../support/console.ts';
import { errorItem, refusedByMain } from '../support/errors.ts';
import { listenRaw, type RawAnswer, rawRequest } from '../support/raw-http.ts';
import { until } from '../support/worker.ts';

const app = await startTestApp();
await provisionOperators(app);
const connect = await listenRaw(app);

const syncPath = '/warehouse/v1/product/sync';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const bodyMaxBytes = 1_048_576;
const smallBodyMaxBytes = 4096;
const json: [string, string] = ['content-type', 'application/json'];

function product(skuId: string): string {
  return JSON.stringify({ sku_id: skuId, sku_name: 'Oolong', storage_type: 1 });
}

function signed(body: string | Uint8Array): [string, string][] {
  return Object.entries(signedHeaders(Buffer.from(body), app.clock));
}

function sync(body: string | Uint8Array, headers: [string, string][] = [json]): Buffer {
  return rawRequest('POST', syncPath, [...headers, ...signed(body)], body);
}

/** Sends on a connection of its own and takes the first answer. */
async function exchange(...parts: (string | Uint8Array)[]): Promise<RawAnswer> {
  const connection = await connect();
  connection.send(...parts);
  const answer = await connection.answer();
  connection.socket.destroy();
  assert.ok(answer, 'closed without an answer');
  return answer;
}

/** A line is in the request log a moment after its answer. */
async function requestLine(traceId: string) {
  let line: Awaited<ReturnType<typeof app.requestLine>>;
  await until('the request is logged', async () => {
    line = await app.requestLine(traceId);
    return line !== undefined;
  });
  return line;
}

function logLineOf(traceId: string): Record<string, unknown> {
  const lines = app.logLines.map((line) => JSON.parse(line)).filter((line) => line.trace_id === traceId);
  assert.equal(lines.length, 1, `log lines of ${traceId}`);
  return lines[0];
}

async function products() {
  return [...(await app.store.database.read((sql) => sql`select count(*)::int, max(updated_at) from product`))];
}

async function skusLike(prefix: string): Promise<string[]> {
  const rows = await app.store.database.read(
    (sql) => sql`select sku_id from product where sku_id like ${`${prefix}%`} order by sku_id`,
  );
  return rows.map((row) => row.sku_id);
}

const everyKindOfAnswer: [string, string | Uint8Array, number][] = [
  ['a success', sync(product('TRACE')), 200],
  ['a wrong field', sync('{}'), 400],
  ['a path that cannot be decoded', rawRequest('GET', '/warehouse/v1/%zz'), 400],
  ['no host', `GET /api/v1/x HTTP/1.1\r\n\r\n`, 400],
  ['bytes that are not HTTP', 'hello\r\n\r\n', 400],
  ['a chunk that is not HTTP', rawRequest('POST', syncPath, [['transfer-encoding', 'chunked']], 'no size\r\n'), 400],
  ['a missing signature', rawRequest('POST', syncPath, [json], '{}'), 401],
  ['an unknown path', rawRequest('GET', '/nowhere'), 404],
  ['a wrong method', rawRequest('GET', syncPath), 405],
  ['a body too large', rawRequest('POST', syncPath, [['content-length', String(bodyMaxBytes + 1)]]), 413],
  ['not JSON', sync(product('TRACE'), [['content-type', 'text/plain']]), 415],
  [
    'an expectation nobody knows',
    rawRequest('POST', syncPath, [json, ['expect', 'the-unexpected'], ...signed('{}')], '{}'),
    400,
  ],
  ['headers too large', rawRequest('GET', '/nowhere', [['x', 'a'.repeat(20_000)]]), 431],
];
for (const [name, request, status] of everyKindOfAnswer) {
  test(`one trace id in the header, the log and the request log: ${name}`, async () => {
    const answer = await exchange(request);

    assert.equal(answer.status, status);
    const traceId = answer.headers['trace-id']!;
    assert.match(traceId, uuid);
    if (answer.json.trace_id !== undefined) assert.equal(answer.json.trace_id, traceId);
    assert.equal((await requestLine(traceId))?.status, status);
    assert.equal(logLineOf(traceId).status, status);
  });
}

test('health answers carry a trace id and are in no log', async () => {
  const answer = await exchange(rawRequest('GET', '/health/live'));
  assert.equal(answer.status, 200);
  assert.match(answer.headers['trace-id']!, uuid);
  assert.equal(await app.requestLine(answer.headers['trace-id']!), undefined);
  assert.ok(!app.logLines.some((line) => line.includes(answer.headers['trace-id']!)));
});

test('a caller cannot choose the trace id', async () => {
  const chosen = '01890000-0000-7000-8000-000000000000';
  const headers = ['trace-id', 'request-id'].map((name): [string, string] => [name, chosen]);
  const answer = await exchange(rawRequest('GET', '/nowhere', headers));
  assert.notEqual(answer.headers['trace-id'], chosen);
});

function warehouseEnvelope(answer: RawAnswer, error: PublicErrorCode, message: string) {
  const data = { errors: [errorItem(error, '', message)] };
  return { code: 'PARAM_INVALID', trace_id: answer.headers['trace-id'], message, success: false, data };
}

function logisticsEnvelope(_answer: RawAnswer, error: PublicErrorCode, msg: string) {
  return { done: false, msg, retval: { errors: [errorItem(error, '', msg)] } };
}

const envelopes = {
  warehouse: warehouseEnvelope,
  logistics: logisticsEnvelope,
  main: (_answer: RawAnswer, error: PublicErrorCode, msg: string) => refusedByMain(error, msg),
};
/** Paths that are nearly those of an endpoint. */
const similarPaths: Record<string, string> = {
  '/warehouse/v1/Product/sync': '/warehouse/v1/product/sync',
  '/warehouse/v10/product/sync': '/warehouse/v1/product/sync',
  '/warehouse/v1/product/sync/': '/warehouse/v1/product/sync',
  '/warehouse/v1/product//sync': '/warehouse/v1/product/sync',
};
const unknownPaths: [keyof typeof envelopes, string][] = [
  ['warehouse', '/warehouse/v1/nowhere'],
  ['warehouse', '/warehouse/v1/product/sync/'],
  ['warehouse', '/warehouse/v1/Product/sync'],
  ['warehouse', '/warehouse/v1'],
  ['warehouse', '/warehouse/v1?page=1'],
  ['warehouse', '/warehouse/v1/%zz'],
  ['warehouse', '/warehouse/v1/%ff'],
  ['logistics', '/logistics/nowhere'],
  ['logistics', '/logistics'],
  ['logistics', '/logistics/%'],
  ['main', '/api/v1/nowhere'],
  ['main', '/api/v2/default/nowhere'],
  ['main', '/api/v1/%e0%a4'],
  ['main', '/warehouse/v10/product/sync'],
  ['main', '/nowhere'],
];
function noSuchPath(path: string): string {
  const similar = similarPaths[path];
  return similar === undefined ? 'no such path' : `no such path; did you mean ${similar}?`;
}

test('an unknown path is 404, and one that cannot be decoded 400, in the envelope of its contract', async () => {
  for (const [contract, path] of unknownPaths) {
    const [status, code, reason] = path.includes('%')
      ? ([400, 'request_malformed', 'the path cannot be read'] as const)
      : ([404, 'unknown_path', noSuchPath(path)] as const);
    for (const request of [rawRequest('GET', path), rawRequest('POST', path, [json], '{}')]) {
      const answer = await exchange(request);
      assert.deepEqual([answer.status, answer.json], [status, envelopes[contract](answer, code, reason)], path);
      const line = await requestLine(answer.headers['trace-id']!);
      assert.deepEqual([line?.contract, line?.endpoint, line?.reason], [contract, '(unknown)', reason], path);
    }
  }
});

test('a wrong method is 405, and the envelope and Allow name the right one', async () => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const answer = await exchange(rawRequest(method, `${syncPath}?a=1`));
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.allow, 'POST');
    assert.deepEqual(answer.json, warehouseEnvelope(answer, 'method_not_allowed', 'this path takes POST only'));
  }
  const health = await exchange(rawRequest('POST', '/health/live', [json], '{}'));
  assert.deepEqual([health.status, health.headers.allow], [405, 'GET']);
  assert.deepEqual(health.json, refusedByMain('method_not_allowed', 'this path takes GET only'));
});

/** Rejected by its content length alone, or as soon as too much of it has come; in both cases long before its end. */
async function expectTooLarge(path: string, maxBytes: number): Promise<RawAnswer[]> {
  const tooMuch = [`${(maxBytes + 1).toString(16)}\r\n`, Buffer.alloc(maxBytes + 1, 0x20), '\r\n'];
  const answers: RawAnswer[] = [];
  for (const parts of [
    [rawRequest('POST', path, [json, ['content-length', String(maxBytes + 1)]])],
    [rawRequest('POST', path, [json, ['transfer-encoding', 'chunked']]), ...tooMuch],
  ]) {
    const connection = await connect();
    connection.send(...parts);
    answers.push((await connection.answer())!);
    await connection.closed;
  }
  return answers;
}

for (const [contract, path] of [
  ['warehouse', syncPath],
  ['warehouse', '/warehouse/v1/nowhere'],
  ['logistics', '/logistics/orders'],
  ['main', '/api/v1/x'],
] as const) {
  test(`a body over 1 MiB is rejected before it has come whole, and the connection ends: ${path}`, async () => {
    for (const answer of await expectTooLarge(path, bodyMaxBytes)) {
      assert.equal(answer.status, 413);
      assert.deepEqual(
        answer.json,
        envelopes[contract](answer, 'body_too_large', 'the body is larger than 1048576 bytes'),
      );
    }
  });
}

const { username, password } = operators.viewer;
const smallBodies: [path: string, body: object][] = [
  ['/api/v1/token/getToken', { ClientId: alpha.clientId, CheckValue: alpha.checkValue }],
  ['/console/api/session/sign-in', { username, password }],
  ['/console/api/session/current', {}],
  ['/console/api/session/sign-out', {}],
];
for (const [path, body] of smallBodies) {
  test(`before a caller is known, a body may have 4 KiB, and more is rejected before it has come whole: ${path}`, async () => {
    const actions = async () =>
      [...(await app.store.database.read((sql) => sql`select count(*)::int from operator_action`))][0];
    const before = await actions();
    for (const { status, json: said } of await expectTooLarge(path, smallBodyMaxBytes))
      assert.deepEqual([status, said.msg ?? said.error.message], [413, 'the body is larger than 4096 bytes']);
    assert.deepEqual(await actions(), before);

    const answer = await exchange(rawRequest('POST', path, [json], JSON.stringify(body).padEnd(smallBodyMaxBytes)));
    assert.equal(answer.status, 200, answer.text);
    assert.ok(answer.json.done === true || ['signed_in', 'signed_out'].includes(answer.json.kind), answer.text);
  });
}

test('a body of exactly 1 MiB is read, whole or in chunks', async () => {
  const body = Buffer.alloc(bodyMaxBytes, 0x20);
  body.write(product('LARGEST'));
  assert.equal((await exchange(sync(body))).status, 200);

  const half = body.subarray(0, bodyMaxBytes / 2);
  const rest = body.subarray(bodyMaxBytes / 2);
  const chunked = rawRequest('POST', syncPath, [json, ['transfer-encoding', 'chunked'], ...signed(body)]);
  assert.equal((await exchange(chunked, '80000\r\n', half, '\r\n80000\r\n', rest, '\r\n0\r\n\r\n')).status, 200);
});

test('the caller is checked before the body: unsigned garbage is 401, whatever its type', async () => {
  const before = await products();
  for (const type of ['application/json', 'text/plain', 'garbage', '', 'application/json; charset=latin1']) {
    const answer = await exchange(rawRequest('POST', syncPath, [['content-type', type]], '{"sku_id":'));
    assert.deepEqual([answer.status, answer.json.code], [401, 'LST-TPW-4001']);
  }
  assert.equal((await exchange(rawRequest('POST', syncPath, [], ''))).status, 401);
  assert.equal((await exchange(rawRequest('POST', syncPath, [['content-encoding', 'gzip']], 'x'))).status, 401);
  assert.deepEqual(await products(), before);
});

test('the content types that mean JSON in UTF-8 are accepted', async () => {
  const parameters = ['', ';', '; charset=utf-8', ';charset=UTF-8', '; charset="utf-8"'];
  for (const type of [...parameters.map((text) => `application/json${text}`), 'Application/JSON']) {
    const answer = await exchange(sync(product('TYPE'), [['content-type', type]]));
    assert.equal(answer.status, 200, type);
  }
});

const wrongType = 'the content type must be application/json';
const wrongEncoding = 'a content encoding is not supported';
const otherTypes: [string, [string, string][], string][] = [
  ['text', [['content-type', 'text/plain']], wrongType],
  ['a form', [['content-type', 'application/x-www-form-urlencoded']], wrongType],
  ['JSON in another charset', [['content-type', 'application/json; charset=iso-8859-1']], wrongType],
  ['another kind of JSON', [['content-type', 'application/problem+json']], wrongType],
  ['a name that is not a media type', [['content-type', 'json']], wrongType],
  ['an empty type', [['content-type', '']], wrongType],
  ['no type', [], wrongType],
  ['a content encoding', [json, ['content-encoding', 'gzip']], wrongEncoding],
  ['the content encoding identity', [json, ['content-encoding', 'identity']], wrongEncoding],
];
test('a body that is not JSON is 415 and changes nothing', async () => {
  const before = await products();
  for (const [name, headers, message] of otherTypes) {
    const answer = await exchange(sync(product('TYPE'), headers));
    assert.deepEqual(
      [answer.status, answer.json],
      [415, warehouseEnvelope(answer, 'unsupported_media_type', message)],
      name,
    );
  }
  assert.deepEqual(await products(), before);
});

test('a body that cannot be read is 400 with its reason, also in the request log, and changes nothing', async () => {
  const twice = product('STRICT').replace('}', ',"sku_id":"STRICT-2"}');
  const before = await products();
  for (const [body, message] of [
    [twice, 'The key "sku_id" at byte 57 appears twice in one object.'],
    [Buffer.from('{"sku_id":"\u00e9"}', 'latin1'), 'The body is not valid UTF-8.'],
    ['{"sku_id":"STRICT",}', 'The body is not valid JSON at character 19: a comma stands before ] or }.'],
    ['', 'The body is empty.'],
  ] as const) {
    const answer = await exchange(sync(body));
    assert.deepEqual([answer.status, answer.json], [400, warehouseEnvelope(answer, 'body_unreadable', message)]);
    assert.equal((await requestLine(answer.headers['trace-id']!))?.reason, message);
  }
  assert.deepEqual(await products(), before);
});

const singleHeaders: [string, number, string][] = [
  ['host', 400, 'PARAM_INVALID'],
  ['authorization', 401, 'LST-TPW-4001'],
  ['sign', 401, 'LST-TPW-4001'],
  ['timestamp', 401, 'LST-TPW-4001'],
  ['account-no', 401, 'LST-TPW-4001'],
];
for (const [name, status, code] of singleHeaders) {
  test(`the header ${name} sent twice is refused, even when both say the same, and nothing changed`, async () => {
    const before = await products();
    const body = product('TWICE');
    const once: [string, string][] = [['host', 'lading.test'], ['authorization', 'key'], json, ...signed(body)];
    const again = once.find(([header]) => header === name)!;
    const answer = await exchange(rawRequest('POST', syncPath, [...once, [name.toUpperCase(), again[1]]], body));

    assert.deepEqual([answer.status, answer.json.code], [status, code]);
    assert.deepEqual(await products(), before);
    const line = await requestLine(answer.headers['trace-id']!);
    assert.equal(line?.reason, `the header ${name} came twice`);
  });
}

test('a request without a host is refused in the envelope of its contract', async () => {
  const body = product('NO-HOST');
  const withHost = rawRequest('POST', syncPath, [json, ...signed(body)], body).toString();
  const answer = await exchange(withHost.replace('host: lading.test\r\n', ''));
  assert.equal(answer.status, 400);
  assert.deepEqual(answer.json, warehouseEnvelope(answer, 'request_malformed', 'the header host is missing'));
  assert.deepEqual(await skusLike('NO-HOST'), []);
});

test('complete requests before bytes that are no request are answered first, and then those bytes', async () => {
  const connection = await connect();
  connection.send(sync(product('BEFORE-1')), sync(product('BEFORE-2')), 'rubbish\r\n\r\n');
  const statuses: (number | undefined)[] = [];
  for (let count = 0; count < 3; count++) statuses.push((await connection.answer())?.status);
  assert.deepEqual(statuses, [200, 200, 400]);
  await connection.closed;
  assert.deepEqual(await skusLike('BEFORE-'), ['BEFORE-1', 'BEFORE-2']);
});

const inner = rawRequest('POST', '/smuggled');
const ambiguous = (headers: [string, string][]) => rawRequest('POST', syncPath, [json, ...headers], inner);
const start = 'POST /api/v1/x HTTP/1.1\r\nhost: lading.test\r\n';
const smuggling: [string, string | Uint8Array][] = [
  [
    'content length and transfer encoding',
    rawRequest(
      'POST',
      syncPath,
      [json, ['content-length', '4'], ['transfer-encoding', 'chunked']],
      `0\r\n\r\n${inner}`,
    ),
  ],
  ['two content lengths', ambiguous(['0', '4'].map((length) => ['content-length', length]))],
  ['the same content length twice', ambiguous(['0', '0'].map((length) => ['content-length', length]))],
  ['a list of content lengths', ambiguous([['content-length', '0, 4']])],
  ['a signed content length', ambiguous([['content-length', '+0']])],
  ['a transfer encoding that does not end in chunked', ambiguous([['transfer-encoding', 'chunked, gzip']])],
  ['lines that end in a bare LF', `${start}content-length: 0\r\n\r\n`.replaceAll('\r\n', '\n')],
  ['white space before a colon', `${start}content-length : 0\r\n\r\n`],
  ['a folded header', `${start}x: a\r\n content-length: 0\r\n\r\n`],
];
for (const [name, bytes] of smuggling) {
  test(`a request that two readers could split differently is refused and its connection closed: ${name}`, async () => {
    const connection = await connect();
    connection.send(bytes);
    const answer = (await connection.answer())!;
    assert.deepEqual([answer.status, answer.headers.connection], [400, 'close']);
    assert.deepEqual(answer.json, refusedByMain('request_malformed', 'this is not a valid HTTP request'));
    assert.equal(await connection.answer(), null);
    await connection.closed;
  });
}

test('a caller that hangs up in the middle of its body is in the request log with 499 and disturbs no other', async () => {
  const request = sync(product('HUNG-UP'));
  const left = await connect();
  left.send(request.subarray(0, request.length - 5));
  // These bytes have been read when a request that was sent later has its answer.
  assert.equal((await exchange(sync(product('STAYED')))).status, 200);
  left.socket.destroy();

  const hungUp = () =>
    app.store.database.read((sql) => sql`select contract, endpoint, account_no from request_log where status = 499`);
  await until('it is logged', async () => {
    await app.requestLog.flush();
    return (await hungUp()).length > 0;
  });
  assert.deepEqual([...(await hungUp())], [{ contract: 'warehouse', endpoint: syncPath, account_no: null }]);
  assert.deepEqual(await skusLike('HUNG-UP'), []);
});
