import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { signedHeaders, startTestApp } from '../support/app.ts';
import { listenRaw, type RawAnswer, rawRequest } from '../support/raw-http.ts';

const app = await startTestApp();
const connect = await listenRaw(app);

const syncPath = '/warehouse/v1/product/sync';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const bodyMaxBytes = 1_048_576;
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

/** A line comes into the request log a moment after its answer. */
async function requestLine(traceId: string) {
  for (let tries = 0; tries < 100; tries++) {
    const line = await app.requestLine(traceId);
    if (line) return line;
    await sleep(20);
  }
  return undefined;
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
  const rows = await app.store.database.read((sql) => sql`select sku_id from product where sku_id like ${`${prefix}%`} order by sku_id`);
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
  ['an expectation nobody knows', rawRequest('POST', syncPath, [json, ['expect', 'the-unexpected'], ...signed('{}')], '{}'), 400],
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

test('every answer of the warehouse API has its trace id in the envelope too', async () => {
  for (const request of [sync(product('TRACE')), rawRequest('GET', syncPath), rawRequest('GET', '/warehouse/v1/no'), sync('{')]) {
    const answer = await exchange(request);
    assert.equal(answer.json.trace_id, answer.headers['trace-id']);
  }
});

test('a caller cannot choose the trace id', async () => {
  const chosen = '01890000-0000-7000-8000-000000000000';
  const answer = await exchange(
    rawRequest('GET', '/nowhere', [
      ['trace-id', chosen],
      ['request-id', chosen],
    ]),
  );
  assert.notEqual(answer.headers['trace-id'], chosen);
});

function warehouseEnvelope(answer: RawAnswer, message: string) {
  return { code: 'PARAM_INVALID', trace_id: answer.headers['trace-id'], message, success: false, data: {} };
}

function mainEnvelope(_answer: RawAnswer, message: string) {
  return { done: false, msg: message, retval: null };
}

const envelopes = { warehouse: warehouseEnvelope, logistics: mainEnvelope, main: mainEnvelope };
const whosePath: [keyof typeof envelopes, string][] = [
  ['warehouse', '/warehouse/v1/nowhere'],
  ['warehouse', '/warehouse/v1/product/sync/'],
  ['warehouse', '/warehouse/v1/Product/sync'],
  ['warehouse', '/warehouse/v1'],
  ['warehouse', '/warehouse/v1?page=1'],
  ['logistics', '/logistics/nowhere'],
  ['logistics', '/logistics'],
  ['main', '/api/v1/nowhere'],
  ['main', '/api/v2/default/nowhere'],
  ['main', '/warehouse/v10/product/sync'],
  ['main', '/nowhere'],
];
for (const [contract, path] of whosePath) {
  test(`an unknown path is told in the words of the contract whose path it is: ${path} is ${contract}'s`, async () => {
    for (const request of [rawRequest('GET', path), rawRequest('POST', path, [json], '{}')]) {
      const answer = await exchange(request);
      assert.equal(answer.status, 404);
      assert.deepEqual(answer.json, envelopes[contract](answer, 'no such path'));
      const line = await requestLine(answer.headers['trace-id']!);
      assert.deepEqual([line?.contract, line?.endpoint, line?.reason], [contract, '(unknown)', 'no such path']);
    }
  });
}

test('a wrong method is told which one is right, in the envelope and in Allow', async () => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const answer = await exchange(rawRequest(method, `${syncPath}?a=1`));
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.allow, 'POST');
    assert.deepEqual(answer.json, warehouseEnvelope(answer, 'this path takes POST only'));
  }
  const health = await exchange(rawRequest('POST', '/health/live', [json], '{}'));
  assert.deepEqual([health.status, health.headers.allow], [405, 'GET']);
  assert.deepEqual(health.json, { done: false, msg: 'this path takes GET only', retval: null });
});

const unreadablePaths: [keyof typeof envelopes, string][] = [
  ['warehouse', '/warehouse/v1/%zz'],
  ['warehouse', '/warehouse/v1/%ff'],
  ['logistics', '/logistics/%'],
  ['main', '/api/v1/%e0%a4'],
];
for (const [contract, path] of unreadablePaths) {
  test(`a path that cannot be decoded is a 400 in the words of ${contract}: ${path}`, async () => {
    const answer = await exchange(rawRequest('GET', path));
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.json, envelopes[contract](answer, 'the path cannot be read'));
    assert.equal((await requestLine(answer.headers['trace-id']!))?.contract, contract);
  });
}

test('a body over 1 MiB is refused before it is sent, by its content length alone, and the connection ends', async () => {
  const paths: [keyof typeof envelopes, string][] = [
    ['warehouse', syncPath],
    ['warehouse', '/warehouse/v1/nowhere'],
    ['logistics', '/logistics/orders'],
    ['main', '/api/v1/x'],
  ];
  for (const [contract, path] of paths) {
    const connection = await connect();
    connection.send(rawRequest('POST', path, [json, ['content-length', String(bodyMaxBytes + 1)]]));
    const answer = (await connection.answer())!;
    assert.equal(answer.status, 413);
    assert.deepEqual(answer.json, envelopes[contract](answer, 'the body is larger than 1048576 bytes'));
    await connection.closed;
  }
});

test('a chunked body is refused as soon as it is over 1 MiB, long before its end', async () => {
  const connection = await connect();
  connection.send(rawRequest('POST', syncPath, [json, ['transfer-encoding', 'chunked']]));
  connection.send('100001\r\n', Buffer.alloc(bodyMaxBytes + 1, 0x20), '\r\n');
  const answer = (await connection.answer())!;
  assert.equal(answer.status, 413);
  assert.deepEqual(answer.json, warehouseEnvelope(answer, 'the body is larger than 1048576 bytes'));
  await connection.closed;
});

test('a body of exactly 1 MiB is read, whole or in chunks', async () => {
  const body = Buffer.alloc(bodyMaxBytes, 0x20);
  body.write(product('LARGEST'));
  assert.equal((await exchange(sync(body))).status, 200);

  const half = body.subarray(0, bodyMaxBytes / 2);
  const rest = body.subarray(bodyMaxBytes / 2);
  const chunked = rawRequest('POST', syncPath, [json, ['transfer-encoding', 'chunked'], ...signed(body)]);
  assert.equal((await exchange(chunked, '80000\r\n', half, '\r\n80000\r\n', rest, '\r\n0\r\n\r\n')).status, 200);
});

test('who is calling is asked before what is said: unsigned garbage is a 401, whatever its type', async () => {
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
  const types = [
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON; charset="utf-8"',
    'application/json;',
  ];
  for (const type of types) {
    const answer = await exchange(sync(product('TYPE'), [['content-type', type]]));
    assert.equal(answer.status, 200, type);
  }
});

const otherTypes: [string, [string, string][], string][] = [
  ['text', [['content-type', 'text/plain']], 'the content type must be application/json'],
  ['a form', [['content-type', 'application/x-www-form-urlencoded']], 'the content type must be application/json'],
  ['JSON in another charset', [['content-type', 'application/json; charset=iso-8859-1']], 'the content type must be application/json'],
  ['another kind of JSON', [['content-type', 'application/problem+json']], 'the content type must be application/json'],
  ['what is not a media type', [['content-type', 'json']], 'the content type must be application/json'],
  ['an empty type', [['content-type', '']], 'the content type must be application/json'],
  ['no type', [], 'the content type must be application/json'],
  ['a content encoding', [json, ['content-encoding', 'gzip']], 'a content encoding is not supported'],
  ['the content encoding identity', [json, ['content-encoding', 'identity']], 'a content encoding is not supported'],
];
for (const [name, headers, message] of otherTypes) {
  test(`not JSON, so 415 and nothing changed: ${name}`, async () => {
    const before = await products();
    const answer = await exchange(sync(product('TYPE'), headers));
    assert.equal(answer.status, 415);
    assert.deepEqual(answer.json, warehouseEnvelope(answer, message));
    assert.deepEqual(await products(), before);
  });
}

const field = (text: string) => product('STRICT').replace('}', `,${text}}`);
const strictRefusals: [string, string | Uint8Array, string][] = [
  ['a duplicate key', field('"sku_id":"STRICT-2"'), 'The key "sku_id" at byte 57 appears twice in one object.'],
  ['a duplicate key in an ignored field', field('"x":[{"a":1,"\\u0061":2}]'), 'The key "a" at byte 69 appears twice in one object.'],
  ['__proto__', field('"__proto__":{}'), 'The key "__proto__" at byte 57 is not allowed.'],
  ['constructor', field('"constructor":1'), 'The key "constructor" at byte 57 is not allowed.'],
  ['depth 33', field(`"x":${'['.repeat(32)}${']'.repeat(32)}`), 'The body nests deeper than 32 levels at byte 91.'],
  ['a number that loses precision', field('"length":9007199254740993'), 'The number at byte 65 cannot be kept exactly.'],
  ['a number too large', field('"length":1e400'), 'The number at byte 65 cannot be kept exactly.'],
  [
    'invalid UTF-8',
    Buffer.concat([Buffer.from('{"sku_id":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
    'The body is not valid UTF-8.',
  ],
  ['a byte order mark', `\ufeff${product('STRICT')}`, 'The body starts with a byte order mark.'],
  ['a NUL in a string', product('STRICT').replace('Oolong', 'Oo\u0000long'), 'The body is not valid JSON at character 33.'],
  ['an escaped NUL in a string', product('STRICT\u0000'), 'A string or key holds a NUL character, which cannot be stored, at byte 17.'],
  ['a NUL after the end', `${product('STRICT')}\u0000`, 'The body is not valid JSON at character 56.'],
  ['a comma too many', '{"sku_id":"STRICT",}', 'The body is not valid JSON at character 19: a comma stands before ] or }.'],
  ['an unfinished body', '{"sku_id":', 'The body is not valid JSON: it ends too early.'],
  ['an empty body', '', 'The body is empty.'],
];
for (const [name, body, message] of strictRefusals) {
  test(`refused as 400 PARAM_INVALID with its reason, and nothing changed: ${name}`, async () => {
    const before = await products();
    const answer = await exchange(sync(body));
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.json, warehouseEnvelope(answer, message));
    assert.deepEqual(await products(), before);
    assert.equal((await requestLine(answer.headers['trace-id']!))?.reason, message);
  });
}

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
  assert.deepEqual(answer.json, warehouseEnvelope(answer, 'the header host is missing'));
  assert.deepEqual(await skusLike('NO-HOST'), []);
});

test('a connection serves one request after the other', async () => {
  const connection = await connect();
  for (let round = 1; round <= 5; round++) {
    connection.send(sync(product(`KEPT-${round}`)));
    const answer = (await connection.answer())!;
    assert.deepEqual([answer.status, answer.headers.connection], [200, 'keep-alive']);
    connection.send(rawRequest('GET', '/nowhere'));
    assert.equal((await connection.answer())!.status, 404);
  }
  connection.socket.destroy();
  assert.equal((await skusLike('KEPT-')).length, 5);
});

test('requests sent in one go are answered in their order', async () => {
  const connection = await connect();
  connection.send(
    sync(product('PIPE-1')),
    rawRequest('GET', '/nowhere'),
    sync('{}'),
    rawRequest('GET', '/health/live'),
    sync(product('PIPE-2')),
  );
  const statuses: (number | undefined)[] = [];
  for (let count = 0; count < 5; count++) statuses.push((await connection.answer())?.status);
  connection.socket.destroy();
  assert.deepEqual(statuses, [200, 404, 400, 200, 200]);
  assert.deepEqual(await skusLike('PIPE-'), ['PIPE-1', 'PIPE-2']);
});

test('what came whole before bytes that are no request is answered first, and then those', async () => {
  const connection = await connect();
  connection.send(sync(product('BEFORE-1')), sync(product('BEFORE-2')), 'rubbish\r\n\r\n');
  const statuses: (number | undefined)[] = [];
  for (let count = 0; count < 3; count++) statuses.push((await connection.answer())?.status);
  assert.deepEqual(statuses, [200, 200, 400]);
  await connection.closed;
  assert.deepEqual(await skusLike('BEFORE-'), ['BEFORE-1', 'BEFORE-2']);
});

const inner = rawRequest('POST', '/smuggled');
const smuggling: [string, string | Uint8Array][] = [
  [
    'content length and transfer encoding',
    rawRequest('POST', syncPath, [json, ['content-length', '4'], ['transfer-encoding', 'chunked']], `0\r\n\r\n${inner}`),
  ],
  ['two content lengths', rawRequest('POST', syncPath, [json, ['content-length', '0'], ['content-length', '4']], inner)],
  ['the same content length twice', rawRequest('POST', syncPath, [json, ['content-length', '0'], ['content-length', '0']], inner)],
  ['a list of content lengths', rawRequest('POST', syncPath, [json, ['content-length', '0, 4']], inner)],
  ['a signed content length', rawRequest('POST', syncPath, [json, ['content-length', '+0']], inner)],
  ['a transfer encoding that does not end in chunked', rawRequest('POST', syncPath, [json, ['transfer-encoding', 'chunked, gzip']], inner)],
  ['lines that end in a bare LF', 'POST /api/v1/x HTTP/1.1\nhost: lading.test\ncontent-length: 0\n\n'],
  ['white space before a colon', `POST /api/v1/x HTTP/1.1\r\nhost: lading.test\r\ncontent-length : 0\r\n\r\n`],
  ['a folded header', `POST /api/v1/x HTTP/1.1\r\nhost: lading.test\r\nx: a\r\n content-length: 0\r\n\r\n`],
];
for (const [name, bytes] of smuggling) {
  test(`a request that two readers could split differently is refused and its connection closed: ${name}`, async () => {
    const connection = await connect();
    connection.send(bytes);
    const answer = (await connection.answer())!;
    assert.deepEqual([answer.status, answer.headers.connection], [400, 'close']);
    assert.deepEqual(answer.json, { done: false, msg: 'this is not a valid HTTP request', retval: null });
    assert.equal(await connection.answer(), null);
    await connection.closed;
  });
}

test('a caller that hangs up in the middle of its body is in the request log with 499 and disturbs nobody', async () => {
  const others = await connect();
  const body = product('HUNG-UP');
  const request = sync(body);
  const left = await connect();
  left.send(request.subarray(0, request.length - 5));
  await sleep(50);
  left.socket.destroy();
  others.send(sync(product('STAYED')));

  assert.equal((await others.answer())!.status, 200);
  others.socket.destroy();
  assert.deepEqual(await hungUpCalls(), [{ contract: 'warehouse', endpoint: syncPath, account_no: null }]);
  assert.deepEqual(await skusLike('HUNG-UP'), []);
});

async function hungUpCalls() {
  for (let tries = 0; tries < 100; tries++) {
    await app.requestLog.flush();
    const rows = await app.store.database.read((sql) => sql`select contract, endpoint, account_no from request_log where status = 499`);
    if (rows.length > 0) return [...rows];
    await sleep(20);
  }
  return [];
}

test('neither a header, nor a query, nor a path, nor a value of a body comes into a log', async () => {
  const planted = 'planted-7f3a9c';
  const value = (text: string) => product('UNTOLD').replace('Oolong', text);
  const wrongType = product('UNTOLD').replace(':1}', `:"${planted}-type"}`);
  const requests = [
    rawRequest('POST', `${syncPath}?token=${planted}-query`, [json, ...signed(value(`${planted}-ok`))], value(`${planted}-ok`)),
    rawRequest('GET', `/warehouse/v1/${planted}-path?key=${planted}-query`, [['authorization', `${planted}-key`]]),
    rawRequest('GET', `/api/v1/%zz${planted}-path`),
    rawRequest('POST', syncPath, [json, ['account-no', `${planted}-account`], ['timestamp', '1'], ['sign', `${planted}-sign`]], '{}'),
    sync(wrongType),
    sync(`{"sku_id":"${planted}-json"`),
    sync(`{"sku_name":"${planted}-name","sku_name":"${planted}-name"}`),
    sync(product('UNTOLD'), [
      ['content-type', `${planted}-type`],
      ['cookie', `${planted}-cookie`],
    ]),
    `${planted}-noise\r\n\r\n`,
    rawRequest('POST', syncPath, [['transfer-encoding', 'chunked']], `${planted}-chunk\r\n`),
  ];
  const statuses: number[] = [];
  for (const request of requests) {
    const answer = await exchange(request);
    statuses.push(answer.status);
    assert.ok(await requestLine(answer.headers['trace-id']!));
  }

  assert.deepEqual(statuses, [200, 404, 400, 401, 400, 400, 400, 415, 400, 400]);
  assert.deepEqual(
    app.logLines.filter((line) => line.includes(planted)),
    [],
  );
  const [kept] = await app.store.database.read((sql) => sql`select string_agg(r::text, ' ') as lines from request_log r`);
  assert.ok(!kept!.lines.includes(planted));
});
