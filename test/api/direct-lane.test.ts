import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect as connectSocket, type Socket } from 'node:net';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { readPlainRequest } from '../../server/http/plain-request.ts';
import { alpha, signedHeaders, startTestApp, type TestApp } from '../support/app.ts';
import { holdTransaction } from '../support/database.ts';
import { refusedByMain } from '../support/errors.ts';
import { httpFragments } from '../support/http-fragments.ts';
import { listenRaw, type RawAnswer, rawRequest } from '../support/raw-http.ts';
import { orderBody } from '../support/warehouse.ts';

const deadlines: { afterMs: number; isCancelled: boolean; fire(): void }[] = [];
const app = await startTestApp({
  startDeadline(afterMs, onLate) {
    const deadline = { afterMs, isCancelled: false, fire: onLate };
    deadlines.push(deadline);
    return () => {
      deadline.isCancelled = true;
    };
  },
});
const connect = await listenRaw(app);
const appWithoutLane = await startTestApp({ env: { DIRECT_LANE: 'off' } });
const connectWithoutLane = await listenRaw(appWithoutLane);
/** Tests that stop it have one of their own. */
const stoppingApp = await startTestApp();
const connectToStopping = await listenRaw(stoppingApp);

const syncPath = '/warehouse/v1/product/sync';
const json: [string, string] = ['content-type', 'application/json'];
const product = (skuId: string) => JSON.stringify({ sku_id: skuId, sku_name: 'Oolong 烏龍茶', storage_type: 1 });
const signed = (body: string): [string, string][] => [
  json,
  ...Object.entries(signedHeaders(Buffer.from(body), app.clock)),
];
const sync = (body: string, more: [string, string][] = []) =>
  rawRequest('POST', syncPath, [...signed(body), ...more], body);
const createPath = '/warehouse/v1/outbound/create';
const refusedOrder = JSON.stringify(orderBody('REFUSED', [['TEA', 1]], { ...alpha, warehouseTpwId: 'NOWHERE' }));
/** Unusual, and without any meaning here: its request goes by Node's parser. */
const unusual: [string, string] = ['te', 'trailers'];

async function exchange(bytes: Buffer): Promise<RawAnswer> {
  const connection = await connect();
  connection.send(bytes);
  const answer = await connection.answer();
  connection.socket.destroy();
  assert.ok(answer, 'closed without an answer');
  return answer;
}

test('a plain request is read directly, an unusual one by Node', () => {
  assert.equal(readPlainRequest(sync(product('A')))?.path, syncPath);
  assert.equal(readPlainRequest(sync(product('A'), [unusual])), null);
});

const keyed = (path: string, authorization: string, more: [string, string][]) =>
  rawRequest('POST', path, [json, ['authorization', authorization], ...more], '{}');
const eachKindOfAnswer: [string, (more: [string, string][]) => Buffer, number][] = [
  ['a success', (more) => sync(product('BOTH'), more), 200],
  ['a wrong field', (more) => sync('{"sku_id":7}', more), 400],
  ['an unknown field', (more) => sync(product('BOTH').replace('}', ',"skuid":1}'), more), 200],
  ['a refused order', (more) => rawRequest('POST', createPath, [...signed(refusedOrder), ...more], refusedOrder), 400],
  ['broken JSON', (more) => sync('{"sku_id":', more), 400],
  ['a duplicate key', (more) => sync('{"sku_id":"A","sku_id":"B"}', more), 400],
  ['a wrong signature', (more) => rawRequest('POST', syncPath, [...signed('{}'), ...more], product('A')), 401],
  ['no signature', (more) => rawRequest('POST', syncPath, [json, ...more], '{}'), 401],
  [
    'a bad media type',
    (more) => rawRequest('POST', syncPath, [...signed('{}').slice(1), ['content-type', ';'], ...more], '{}'),
    415,
  ],
  ['no media type', (more) => rawRequest('POST', syncPath, [...signed('{}').slice(1), ...more], '{}'), 415],
  ['an encoding', (more) => sync('{}', [['content-encoding', 'gzip'], ...more]), 415],
  ['a wrong token', (more) => keyed('/api/v2/default/getOrdersData/searchList', 'Bearer x', more), 401],
  ['a wrong API key', (more) => keyed('/logistics/orders/order', 'x', more), 401],
];
for (const [name, request, status] of eachKindOfAnswer) {
  test(`both ways give the same answer and the same line in the request log: ${name}`, async () => {
    const [direct, byNode] = [await exchange(request([])), await exchange(request([unusual]))];
    assert.equal(direct.status, status);
    assert.deepEqual(shapeOf(direct), shapeOf(byNode));
    assert.deepEqual(Object.keys(direct.headers), Object.keys(byNode.headers), 'the headers are in another order');
    assert.deepEqual(await lineOf(direct), await lineOf(byNode));
  });
}

/** Without what differs between any two answers. */
function shapeOf({ status, headers, text }: RawAnswer) {
  const { 'trace-id': traceId, date, ...others } = headers;
  assert.match(date!, / GMT$/);
  return {
    status,
    headers: others,
    text: text.replaceAll(traceId!, '(trace id)').replace(/"products_id":\d+/, '"products_id":0'),
  };
}

async function lineOf({ headers }: RawAnswer) {
  const { trace_id, at, duration_us, ...line } = (await app.requestLine(headers['trace-id']!))!;
  assert.equal(trace_id, headers['trace-id']);
  assert.ok(at instanceof Date && Number.isInteger(duration_us));
  return line;
}

test('requests on one connection are answered in their order: pipelined, in pieces, byte by byte, plain or not', async () => {
  const connection = await connect();
  connection.socket.setNoDelay(true);
  const statuses = async (count: number) => {
    const answers = [];
    for (let read = 0; read < count; read++) answers.push((await connection.answer())?.status);
    return answers;
  };
  const third = sync(product('THREE'));
  connection.send(sync(product('ONE')), sync('{}'), third.subarray(0, 50));
  assert.deepEqual(await statuses(2), [200, 400]);
  connection.send(third.subarray(50), sync(product('FOUR'), [unusual]), sync(product('FIVE')));
  assert.deepEqual(await statuses(3), [200, 200, 200]);
  for (const request of [sync(product('SIX'), [unusual]), sync(product('SEVEN')), rawRequest('GET', '/health/live')]) {
    connection.send(request);
    assert.deepEqual(await statuses(1), [200]);
  }
  connection.socket.destroy();

  const slow = await connect();
  slow.socket.setNoDelay(true);
  for (const byte of sync(product('BYTES'))) slow.send(Buffer.of(byte));
  assert.equal((await slow.answer())?.status, 200);
  slow.socket.destroy();
});

test('a request that is rejected by its head gets that rejection, although its body turns out to be no HTTP', async () => {
  const broken = 'POST /warehouse/v1/outbo%d HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n1\r\nnot a chunk';
  for (const open of [connect, connectWithoutLane]) {
    const connection = await open();
    connection.send(Buffer.from(broken));
    const answer = await connection.answer();
    assert.equal(answer?.status, 400);
    assert.equal(answer.json.message, 'the path cannot be read');
    assert.equal(await connection.answer(), null);
  }
});

test('a head and its body are read directly, whether the body comes at once, later or in pieces, and its deadline ends', async () => {
  deadlines.length = 0;
  const direct = directAnswers();
  const connection = await connect();
  connection.socket.setNoDelay(true);
  const [head, body] = headAndBody(sync(product('HALVES')));
  for (const pieces of [
    [head, body],
    [head, body],
    [head, body.subarray(0, 5), body.subarray(5, 6), body.subarray(6)],
  ]) {
    for (const piece of pieces) {
      connection.send(piece);
      // Answered when the piece has been read, since it was sent before.
      await exchange(rawRequest('GET', '/health/live'));
    }
    assert.equal((await connection.answer())?.status, 200);
  }
  direct.stop();
  assert.deepEqual(direct.paths, [syncPath, syncPath, syncPath]);
  assert.deepEqual(
    deadlines.map(({ isCancelled }) => isCancelled),
    [true, true, true],
  );
  connection.socket.destroy();
});

/** Until it is released, a product/sync of this app waits for the database. */
function holdProducts({ store }: TestApp): Promise<{ release(): Promise<void> }> {
  return holdTransaction(store.database, (tx) => tx`lock table product in access exclusive mode`);
}

function directAnswers(): { paths: string[]; stop(): void } {
  const paths: string[] = [];
  const onAnswer = (message: unknown) => paths.push((message as { path: string }).path);
  subscribe('lading.direct-response', onAnswer);
  return { paths, stop: () => void unsubscribe('lading.direct-response', onAnswer) };
}

function headAndBody(request: Buffer): [head: Buffer, body: Buffer] {
  const headEnd = request.indexOf('\r\n\r\n') + 4;
  return [request.subarray(0, headEnd), request.subarray(headEnd)];
}

test('a request whose head arrives while the previous one is processed, and whose body arrives later, is answered by the lane', async () => {
  const direct = directAnswers();
  const { release } = await holdProducts(app);
  const connection = await connect();
  connection.socket.setNoDelay(true);
  connection.send(sync(product('IN-WORK')));
  await exchange(rawRequest('GET', '/health/live'));
  const [head, body] = headAndBody(sync(product('HEAD-EARLY')));
  connection.send(head);
  await exchange(rawRequest('GET', '/health/live'));
  await release();
  assert.equal((await connection.answer())?.status, 200);
  connection.send(body);
  assert.equal((await connection.answer())?.status, 200);
  direct.stop();
  assert.deepEqual(direct.paths, [syncPath, syncPath]);
  connection.socket.destroy();
});

test('a body has 15 s from the beginning of its request, however many pieces it comes in; then the answer is 408, as with Node', async () => {
  deadlines.length = 0;
  const connection = await connect();
  connection.socket.setNoDelay(true);
  const [head, body] = headAndBody(sync(product('TOO-SLOW')));
  for (const piece of [head, body.subarray(0, 5), body.subarray(5, 10)]) {
    connection.send(piece);
    await exchange(rawRequest('GET', '/health/live'));
  }
  assert.deepEqual(
    deadlines.map(({ afterMs, isCancelled }) => ({ afterMs, isCancelled })),
    [{ afterMs: 15_000, isCancelled: false }],
  );

  deadlines[0]!.fire();
  const late = await connection.answer();
  assert.equal(late?.status, 408);
  assert.equal(late.headers.connection, 'close');
  assert.deepEqual(late.json, refusedByMain('request_timeout', 'the request took too long to arrive'));
  assert.equal(await connection.answer(), null);
  const { status, contract, method, endpoint, reason } = (await app.requestLine(late.headers['trace-id']!))!;
  assert.deepEqual([status, contract, method, endpoint, reason], [408, 'warehouse', 'POST', syncPath, late.json.msg]);
  assert.equal((await app.store.database.read((sql) => sql`select from product where sku_id = 'TOO-SLOW'`)).length, 0);
});

const expectsContinue: [string, string] = ['expect', '100-continue'];
const asksForUpgrade: [string, string][] = [
  ['connection', 'Upgrade, HTTP2-Settings'],
  ['upgrade', 'h2c'],
  ['http2-settings', 'AAMAAABk'],
];
const skusStored = async ({ store }: TestApp) => {
  const rows = await store.database.read((sql) => sql<{ sku_id: string }[]>`select sku_id from product`);
  return rows.map((row) => row.sku_id);
};

for (const { lane, served, connectTo } of [
  { lane: 'on', served: app, connectTo: connect },
  { lane: 'off', served: appWithoutLane, connectTo: connectWithoutLane },
]) {
  const askLive = async () => {
    const connection = await connectTo();
    connection.send(rawRequest('GET', '/health/live'));
    await connection.answer();
    connection.socket.destroy();
  };

  /** Sends the pieces while the first request waits for the database; resolves with all that was answered until the connection was closed. */
  async function pipelined(pieces: Buffer[]): Promise<(RawAnswer | null)[]> {
    const { release } = await holdProducts(served);
    const connection = await connectTo();
    connection.socket.setNoDelay(true);
    for (const piece of pieces) {
      connection.send(piece);
      await askLive();
    }
    await release();
    const answers: (RawAnswer | null)[] = [];
    do answers.push(await connection.answer());
    while (answers.at(-1) !== null);
    return answers;
  }

  for (const [how, inPieces] of [
    ['in one write', (requests: Buffer[]) => [Buffer.concat(requests)]],
    ['in a write each', (requests: Buffer[]) => requests],
  ] as const) {
    test(`a pipelined Expect: 100-continue is refused after the earlier response, and the connection is closed: ${how}, lane ${lane}`, async () => {
      const name = `${how} ${lane}`;
      const refused = rawRequest('GET', '/openapi.json', [expectsContinue]);
      const answers = await pipelined(
        inPieces([sync(product(`BEFORE-EXPECT ${name}`)), refused, sync(product(`AFTER-EXPECT ${name}`))]),
      );
      assert.deepEqual(
        answers.map((answer) => [answer?.status, answer?.headers.connection, answer?.json.msg]),
        [
          [200, 'keep-alive', undefined],
          [400, 'close', 'Expect: 100-continue was sent before the previous response was complete'],
          [undefined, undefined, undefined],
        ],
      );
      const { status, contract, endpoint, reason } = (await served.requestLine(answers[1]!.headers['trace-id']!))!;
      assert.deepEqual([status, contract, endpoint, reason], [400, 'main', '(unknown)', answers[1]!.json.msg]);
      const skus = await skusStored(served);
      assert.ok(skus.includes(`BEFORE-EXPECT ${name}`) && !skus.includes(`AFTER-EXPECT ${name}`));
    });

    test(`a request with Upgrade is answered as the last of its connection, and nothing behind it is done: ${how}, lane ${lane}`, async () => {
      const name = `${how} ${lane}`;
      const answers = await pipelined(
        inPieces([
          sync(product(`UPGRADE ${name}`), asksForUpgrade),
          sync(product(`BEHIND 1 ${name}`)),
          sync(product(`BEHIND 2 ${name}`)),
        ]),
      );
      assert.deepEqual(
        answers.map((answer) => [answer?.status, answer?.headers.connection]),
        [
          [200, 'close'],
          [undefined, undefined],
        ],
      );
      const skus = await skusStored(served);
      assert.deepEqual(
        ['UPGRADE', 'BEHIND 1', 'BEHIND 2'].map((start) => skus.includes(`${start} ${name}`)),
        [true, false, false],
      );
    });

    test(`requests before a CONNECT get their responses, then the connection is closed: ${how}, lane ${lane}`, async () => {
      const name = `${how} ${lane}`;
      const wrongMethod = rawRequest('OPTIONS', syncPath, signed('{}'), '{}');
      const answers = await pipelined(
        inPieces([
          sync(product(`BEFORE-CONNECT 1 ${name}`)),
          wrongMethod,
          sync(product(`BEFORE-CONNECT 2 ${name}`)),
          rawRequest('CONNECT', syncPath, signed('{}'), '{}'),
          sync(product(`AFTER-CONNECT ${name}`)),
        ]),
      );
      assert.deepEqual(
        answers.map((answer) => answer?.status),
        [200, 405, 200, undefined],
      );
      for (const answer of answers.slice(0, 3)) {
        const line = await served.requestLine(answer!.headers['trace-id']!);
        assert.equal(line?.status, answer!.status);
      }
      const skus = await skusStored(served);
      assert.deepEqual(
        ['BEFORE-CONNECT 1', 'BEFORE-CONNECT 2', 'AFTER-CONNECT'].map((start) => skus.includes(`${start} ${name}`)),
        [true, true, false],
      );
    });
  }

  test(`requests before a CONNECT end, and are logged, although their caller hangs up: lane ${lane}`, async () => {
    const { release } = await holdProducts(served);
    const connection = await connectTo();
    const skus = [1, 2, 3].map((number) => `HUNG-UP-CONNECT ${number} ${lane}`);
    connection.send(...skus.map((sku) => sync(product(sku))), rawRequest('CONNECT', syncPath, signed('{}'), '{}'));
    await askLive();
    connection.socket.resetAndDestroy();
    await release();
    const logged = async () => {
      await served.requestLog.flush();
      return await served.store.database.read(
        (sql) => sql<{ document_no: string }[]>`
          select document_no from request_log where document_no like 'HUNG-UP-CONNECT%' order by document_no`,
      );
    };
    while ((await logged()).length < skus.length) await askLive();
    assert.deepEqual(
      (await logged()).map((row) => row.document_no),
      skus,
    );
  });

  test(`an Expect: 100-continue that is not pipelined gets its 100 Continue, on a used connection too: lane ${lane}`, async () => {
    const connection = await connectTo();
    for (const times of [1, 2]) {
      const [head, body] = headAndBody(sync(product(`EXPECTED ${times} ${lane}`), [expectsContinue]));
      connection.send(sync(product(`USED ${lane}`)));
      assert.equal((await connection.answer())?.status, 200);
      connection.send(head);
      assert.equal((await connection.answer())?.status, 100);
      connection.send(body);
      assert.equal((await connection.answer())?.status, 200);
    }
    connection.socket.destroy();
  });
}

test('DIRECT_LANE=off leaves every request to Node, with the same answers', async () => {
  const direct = directAnswers();
  const connection = await connectWithoutLane();
  connection.send(sync('{}'));
  const without = await connection.answer();
  connection.socket.destroy();
  assert.deepEqual(direct.paths, []);
  const withLane = await exchange(sync('{}'));
  direct.stop();
  assert.deepEqual(direct.paths, [syncPath]);
  assert.deepEqual(shapeOf(without!), shapeOf(withLane));
});

for (const way of ['direct', 'by Node']) {
  test(`a caller that hangs up before the answer is logged as 499: ${way}`, async () => {
    const { release } = await holdProducts(app);
    const connection = await connect();
    connection.send(sync(product(`HUNG-UP ${way}`), way === 'direct' ? [] : [unusual]));
    // Its request has been taken when another one, sent later, has its answer.
    await exchange(sync('{}'));
    connection.socket.destroy();
    await connection.closed;
    const lines = async () => {
      await app.requestLog.flush();
      return app.store.database.read(
        (sql) => sql`select status, endpoint from request_log where document_no = ${`HUNG-UP ${way}`}`,
      );
    };
    while ((await lines()).length === 0) await exchange(sync('{}'));
    await release();
    assert.deepEqual([...(await lines())], [{ status: 499, endpoint: syncPath }]);
  });
}

/** Reads bytes with Node's own parser; null if it refuses them, or if they are not one whole request. */
async function readByNode(): Promise<(bytes: Buffer) => Promise<unknown>> {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { method, url, headers } = request;
    response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(pieces).toString('latin1') }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return async (bytes) => {
    const socket = connectSocket(port, '127.0.0.1');
    socket.end(bytes);
    const pieces: Buffer[] = [];
    for await (const piece of socket) pieces.push(piece as Buffer);
    const answers = Buffer.concat(pieces)
      .toString('latin1')
      .split(/^HTTP\/1\.1 /m)
      .slice(1);
    if (answers.length !== 1 || !answers[0]!.startsWith('200')) return null;
    return JSON.parse(
      Buffer.from(answers[0]!.slice(answers[0]!.indexOf('{'), answers[0]!.lastIndexOf('}') + 1), 'latin1').toString(),
    );
  };
}

test('Node reads every request that is read directly in the same way', async () => {
  const askNode = await readByNode();
  const typical = sync(product('SAME'), [
    ['connection', 'keep-alive'],
    ['user-agent', 'x/1 (y; z)'],
    ['accept', '*/*'],
  ]);
  const edit = fc.record({
    at: fc.nat(typical.length + 2),
    cut: fc.nat(3),
    text: fc.constantFrom(...httpFragments, ''),
  });
  let direct = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { maxLength: 2 }), async (edits) => {
      const bytes = edits.reduce(
        (text, { at, cut, text: added }) =>
          Buffer.concat([text.subarray(0, at), Buffer.from(added, 'latin1'), text.subarray(at + cut)]),
        typical,
      );
      const plain = readPlainRequest(bytes);
      if (plain === null || plain.body === null) return;
      direct++;
      const { path, headers, body } = plain;
      assert.deepEqual(await askNode(bytes), { method: 'POST', url: path, headers, body: body.toString('latin1') });
    }),
    { numRuns: 150 },
  );
  assert.ok(direct > 8, `only ${direct} were read directly`);
});

test('a connection is not read until its client has read our responses, and a stop waits for that', async () => {
  const accepted = once(app.http.server, 'connection') as Promise<[Socket]>;
  const connection = await connect();
  connection.socket.pause();
  const [served] = await accepted;
  const body = JSON.stringify({ sku_ids: Array.from({ length: 1000 }, (_, index) => String(index)) });
  const query = rawRequest('POST', '/warehouse/v1/stock/query', signed(body), body);
  let answers = 0;
  for (; served.writableLength === 0; answers++) {
    const before = served.bytesWritten;
    connection.send(query);
    while (served.bytesWritten === before) await new Promise(setImmediate);
  }
  const answerBytes = served.writableLength;

  connection.send(query, query);
  // Those have been sent when another one, sent later, has its answer.
  for (let count = 0; count < 3; count++) assert.equal((await exchange(sync('{}'))).status, 400);
  assert.equal(served.writableLength, answerBytes);

  const closing = app.http.close();
  await new Promise(setImmediate);
  connection.socket.resume();
  for (let count = 0; count < answers; count++) assert.equal((await connection.answer())?.status, 200);
  // Requests that arrived before the stop get a response, too; the first one closes the connection.
  assert.equal((await connection.answer())?.headers.connection, 'close');
  assert.equal(await connection.answer(), null);
  await closing;
});

test('a request that comes on an idle connection just before a stop has its answer', async () => {
  const accepted = once(stoppingApp.http.server, 'connection') as Promise<[Socket]>;
  const connection = await connectToStopping();
  const [served] = await accepted;
  const request = () =>
    rawRequest('POST', syncPath, [json, ...Object.entries(signedHeaders(Buffer.from('{}'), stoppingApp.clock))], '{}');
  connection.send(request());
  assert.equal((await connection.answer())?.headers.connection, 'keep-alive');

  const closing = new Promise((resolve) => served.once('data', () => resolve(stoppingApp.http.close())));
  connection.send(request());
  const last = await connection.answer();
  assert.equal(last?.status, 400);
  assert.equal(last.headers.connection, 'close');
  assert.equal(await connection.answer(), null);
  await closing;
});
