import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatMessage } from '../../messages/format-message.ts';
import { makeAddressGuard } from '../../server/platform/outgoing/address-guard.ts';
import { makeOutgoingHttp, type OutgoingHttp, type PostOutcome } from '../../server/platform/outgoing/http-client.ts';
import {
  answers,
  type Behaviour,
  drips,
  expiredCertificate,
  gzipBomb,
  hangs,
  hangsUp,
  head,
  resets,
  says,
  saysEndlessly,
  saysThenResets,
  startHostileReceiver,
  testCertificate,
  testKey,
} from './hostile-receiver.ts';

const loopback = makeAddressGuard(['127.0.0.0/8', '::1/128']);
const publicOnly = makeAddressGuard([]);
const bodyMax = 16_384;
/** Long enough for the slowest machine, so that only what never ends meets it. */
const patientMs = 20_000;
const impatientMs = 300;

const http = make({});

function make(options: Partial<Parameters<typeof makeOutgoingHttp>[0]>): OutgoingHttp {
  const made = makeOutgoingHttp({ guard: loopback, ...options });
  after(() => made.close());
  return made;
}

function post(url: string, { over = http, body = '{}', deadlineMs = patientMs } = {}): Promise<PostOutcome> {
  return over.post({
    url,
    headers: { 'content-type': 'application/json', 'accept-encoding': 'identity' },
    body,
    purpose: 'callback',
    deadlineMs,
  });
}

/** Without the duration, of which nothing exact can be said. */
function outcome({ durationMs, ...rest }: PostOutcome) {
  assert.ok(Number.isInteger(durationMs) && durationMs >= 0);
  return rest.kind === 'failed' ? { ...rest, error: formatMessage(rest.error) } : rest;
}

const answered = (status: number, response: string, retryAfter: string | null = null) => ({
  kind: 'answered',
  status,
  retryAfter,
  response,
  address: '127.0.0.1',
});
const failed = (error: string, address: string | null = '127.0.0.1') => ({ kind: 'failed', error, address });
const timedOut = failed('timed out after 0.3 s');

/** Each behaviour leads to its outcome with one request, and its connection is closed. */
async function assertOutcomes(cases: [behaviour: Behaviour, expected: object][]): Promise<void> {
  for (const [behaviour, expected] of cases) {
    const receiver = await startHostileReceiver(behaviour);
    assert.deepEqual(outcome(await post(receiver.url)), expected);
    assert.equal(receiver.requests.length, 1);
    await receiver.allClosed();
  }
}

async function inParallel<T>(cases: T[], check: (each: T) => Promise<void>): Promise<void> {
  await Promise.all(cases.map(check));
}

test('a post arrives as it is, and its answer is returned', async () => {
  const receiver = await startHostileReceiver(answers(200, '{"ok":"好"}'));
  const body = '{"event":"order.shipped","note":"ü 好 🚚"}';
  assert.deepEqual(outcome(await post(`${receiver.url}?key=a%20b#part`, { body })), answered(200, '{"ok":"好"}'));
  assert.deepEqual(receiver.requests, [
    {
      method: 'POST',
      path: '/callbacks?key=a%20b',
      headers: {
        host: `127.0.0.1:${receiver.port}`,
        connection: 'keep-alive',
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        'content-length': String(Buffer.byteLength(body)),
      },
      body,
    },
  ]);
});

test('every final status is an answer, and a redirect is not followed', async () => {
  const elsewhere = await startHostileReceiver(answers(200));
  const cases: [behaviour: Behaviour, expected: object][] = [
    [answers(204), answered(204, '')],
    [answers(410, 'gone'), answered(410, 'gone')],
    [answers(429, 'slow down', { 'retry-after': '120' }), answered(429, 'slow down', '120')],
    [
      answers(503, '', { 'Retry-After': 'Wed, 21 Oct 2026 07:28:00 GMT' }),
      answered(503, '', 'Wed, 21 Oct 2026 07:28:00 GMT'),
    ],
    [answers(500, 'broken'), answered(500, 'broken')],
    [answers(301, '', { location: elsewhere.url }), answered(301, '')],
    [answers(307, '', { location: elsewhere.url }), answered(307, '')],
    [
      says('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n'),
      answered(200, 'onetwo'),
    ],
    [
      (socket) => socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nuntil the end'),
      answered(200, 'until the end'),
    ],
    [(socket) => socket.end('HTTP/1.0 202 OK\r\n\r\nold'), answered(202, 'old')],
  ];
  for (const [behaviour, expected] of cases) {
    const receiver = await startHostileReceiver(behaviour);
    assert.deepEqual(outcome(await post(receiver.url)), expected);
    assert.equal(receiver.requests.length, 1);
  }
  assert.equal(elsewhere.connections(), 0);
});

test('informational answers are no answers', async () => {
  const final = 'HTTP/1.1 201 Created\r\ncontent-length: 4\r\n\r\ndone';
  const hint = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
  const goOn = 'HTTP/1.1 100 Continue\r\n\r\n';
  const texts = [hint + final, hint + hint + final, goOn + final, goOn + goOn + hint + final];
  await inParallel([...texts.map(says), ...texts.map(drips)], async (behaviour) => {
    const receiver = await startHostileReceiver(behaviour);
    assert.deepEqual(outcome(await post(receiver.url)), answered(201, 'done'));
    assert.deepEqual(outcome(await post(receiver.url)), answered(201, 'done'), 'the next one over the same connection');
    assert.equal(receiver.connections(), 1);
  });
});

test('a receiver that does not answer in time, or only with informational answers, is given up, and the connection is closed', async () => {
  const unfinished = ['HTTP/1.1 103 Early Hints\r\n\r\n', 'HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 10'].map(says);
  const slow = drips(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(10_000)}`);
  await inParallel([hangs, slow, ...unfinished], async (behaviour) => {
    const receiver = await startHostileReceiver(behaviour);
    assert.deepEqual(outcome(await post(receiver.url, { deadlineMs: impatientMs })), timedOut);
    await receiver.allClosed();
  });
});

test('a receiver that does not read is given up as well', async () => {
  const receiver = await startHostileReceiver(hangs, {
    onConnection: (socket) => void setImmediate(() => socket.pause()),
  });
  assert.deepEqual(
    outcome(await post(receiver.url, { deadlineMs: impatientMs, body: 'x'.repeat(30_000_000) })),
    timedOut,
  );
  receiver.cut();
});

test('an answer whose body does not come to its end is an answer with what had come', async () => {
  const started = 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nsome';
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nsome\r\n';
  const endless: Behaviour[] = [says(started), says(chunked)];
  const broken: Behaviour[] = [
    saysThenResets(started),
    saysThenResets(chunked),
    (socket) => socket.end(started),
    (socket) => socket.end(chunked),
    says(`${chunked}this is no length\r\n`),
  ];
  await inParallel([...endless, ...broken], async (behaviour) => {
    const receiver = await startHostileReceiver(behaviour);
    const deadlineMs = endless.includes(behaviour) ? 1000 : patientMs;
    assert.deepEqual(outcome(await post(receiver.url, { deadlineMs })), answered(200, 'some'));
    await receiver.allClosed();
  });
});

test('a body that drips is cut at the deadline', async () => {
  const receiver = await startHostileReceiver((socket, request) => {
    socket.write(head(202, { 'content-length': '100000' }));
    drips('.'.repeat(100_000))(socket, request);
  });
  const given = await post(receiver.url, { deadlineMs: 1000 });
  assert.ok(given.kind === 'answered');
  assert.equal(given.status, 202);
  assert.match(given.response, /^\.+$/);
  await receiver.allClosed();
});

test('connections that break before an answer have failed, and nothing is sent again', async () => {
  const behaviours: Behaviour[] = [
    resets,
    hangsUp,
    saysThenResets('HTTP/1.1 200 OK\r\nx-'),
    (socket) => socket.end('HTTP/1.1 200 OK\r\nx-'),
  ];
  await assertOutcomes(behaviours.map((behaviour) => [behaviour, failed('connection reset')]));
});

test('a port that nobody listens on refuses', async () => {
  const receiver = await startHostileReceiver(hangs);
  await receiver.stop();
  assert.deepEqual(outcome(await post(receiver.url)), failed('connection refused'));
});

test('of an answer that is too long no more is read than what is returned, and what was on its way', async () => {
  const megabyte = 'x'.repeat(1_048_576);
  const behaviours: Behaviour[] = [
    saysEndlessly('HTTP/1.1 200 OK\r\n\r\n', megabyte),
    saysEndlessly('HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n', megabyte),
    saysEndlessly('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', `100000\r\n${megabyte}\r\n`),
    saysEndlessly('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\nx\r\n'.repeat(10_000)),
  ];
  for (const behaviour of behaviours) {
    const receiver = await startHostileReceiver(behaviour);
    assert.deepEqual(outcome(await post(receiver.url)), answered(200, 'x'.repeat(bodyMax)));
    await receiver.allClosed();
    // The buffers of both kernels hold some megabytes; a reader who goes on reading takes hundreds.
    assert.ok(receiver.bytesSent() < 30_000_000, `${receiver.bytesSent()} bytes`);
  }
});

test('an answer of exactly 16 KiB is returned in full, and its connection serves the next one', async () => {
  const receiver = await startHostileReceiver(answers(200, 'x'.repeat(bodyMax)));
  for (let nth = 0; nth < 3; nth++)
    assert.deepEqual(outcome(await post(receiver.url)), answered(200, 'x'.repeat(bodyMax)));
  assert.equal(receiver.connections(), 1);
});

test('what has no bound of its own in HTTP is bounded too', async () => {
  const tooLong = failed('malformed HTTP: no answer within 256 KiB');
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nsome\r\n';
  const cases: [behaviour: Behaviour, expected: object][] = [
    [saysEndlessly('HTTP/1.1 200 ', 'O'.repeat(10_000)), tooLong],
    [saysEndlessly('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)), tooLong],
    [saysEndlessly('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)), tooLong],
    [saysEndlessly('HTTP/1.1 100 ', 'O'.repeat(10_000)), tooLong],
    [saysEndlessly(`${chunked}4;`, 'extension'.repeat(1000)), answered(200, 'some')],
    [saysEndlessly(`${chunked}0\r\n`, 'trailer: value\r\n'.repeat(1000)), answered(200, 'some')],
  ];
  await assertOutcomes(cases);
});

test('headers beyond 16 KiB and what is not HTTP are malformed', async () => {
  const beyond = failed('malformed HTTP: headers beyond 16 KiB');
  const malformed = failed('malformed HTTP');
  const cases: [behaviour: Behaviour, expected: object][] = [
    [answers(200, '', { 'x-long': 'x'.repeat(17_000) }), beyond],
    [saysEndlessly('HTTP/1.1 200 OK\r\n', 'x: y\r\n'.repeat(100)), beyond],
    [says('220 mail.example ESMTP\r\n'), malformed],
    [says('\0\x01\x02\x03'.repeat(1000)), malformed],
    [says('<html></html>\r\n\r\n'), malformed],
    [says('HTTP/1.1 000 Nothing\r\n\r\n'), malformed],
    [says('HTTP/1.1 20 Short\r\n\r\n'), malformed],
    [says('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'), malformed],
    [says('HTTP/1.1 200 OK\r\nbad header\r\n\r\n'), malformed],
    [says('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'), malformed],
    [says('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), malformed],
  ];
  await assertOutcomes(cases);
});

test('what is kept of an answer is harmless text', async () => {
  const nulls = Buffer.from([
    0x61, 0x00, 0x62, 0x1b, 0x5b, 0x33, 0x31, 0x6d, 0x07, 0x7f, 0xc2, 0x9b, 0x09, 0x0d, 0x0a, 0x0d, 0x63,
  ]);
  const cases: [behaviour: Behaviour, response: string | RegExp][] = [
    [answers(200, nulls), 'a\ufffdb\ufffd[31m\ufffd\ufffd\ufffd\t\n\nc'],
    [answers(200, Buffer.from([0x61, 0xff, 0xfe, 0xed, 0xa0, 0x80, 0x62])), /^a\ufffd+b$/],
    [answers(200, 'left\u202eright'), 'left\ufffdright'],
    [answers(200, '好'.repeat(10_000)), /^好{5461}\ufffd?$/],
    [answers(200, Buffer.alloc(100_000, 0xff)), '\ufffd'.repeat(bodyMax)],
    [answers(200, 'plain', { 'content-encoding': 'identity' }), 'plain'],
    [answers(200, 'squeezed', { 'content-encoding': 'BR' }), '[br, 8 bytes]'],
    [answers(200, 'squeezed', { 'content-encoding': '<script>' }), '[encoded, 8 bytes]'],
    [answers(200, '', { 'content-encoding': 'gzip' }), ''],
    [gzipBomb, '[gzip, 16384 bytes]'],
  ];
  for (const [behaviour, response] of cases) {
    const receiver = await startHostileReceiver(behaviour);
    const given = await post(receiver.url);
    assert.ok(given.kind === 'answered');
    if (typeof response === 'string') assert.equal(given.response, response);
    else assert.match(given.response, response);
  }
});

test('posts that follow each other go over one connection, those at the same time over one each', async () => {
  const receiver = await startHostileReceiver(answers(200));
  for (let nth = 0; nth < 10; nth++)
    assert.deepEqual(outcome(await post(receiver.url, { body: String(nth) })), answered(200, ''));
  assert.equal(receiver.connections(), 1);
  assert.deepEqual(
    receiver.requests.map(({ body }) => Number(body)),
    [...Array(10).keys()],
  );

  const together = await Promise.all(
    Array.from({ length: 20 }, (_, nth) => post(receiver.url, { body: `together ${nth}` })),
  );
  assert.deepEqual(new Set(together.map(outcome)).size, 20);
  assert.ok(together.every(({ kind }) => kind === 'answered'));
  assert.equal(receiver.connections(), 20);
  assert.equal(new Set(receiver.requests.map(({ body }) => body)).size, 30);
});

test('of the idle connections the oldest are closed where they are too many', async () => {
  const few = make({ idleConnectionsMax: 2 });
  const receivers = await Promise.all(Array.from({ length: 5 }, () => startHostileReceiver(answers(200))));
  for (const { url } of receivers) assert.equal((await post(url, { over: few })).kind, 'answered');
  await Promise.all(receivers.slice(0, 3).map(({ allClosed }) => allClosed()));
  for (const { url } of receivers.slice(3)) assert.equal((await post(url, { over: few })).kind, 'answered');
  assert.deepEqual(
    receivers.map(({ connections }) => connections()),
    [1, 1, 1, 1, 1],
  );
});

test('a connection that the receiver closed while it was idle costs no post', async () => {
  const receiver = await startHostileReceiver(answers(200));
  for (let nth = 0; nth < 5; nth++) {
    assert.equal((await post(receiver.url)).kind, 'answered');
    receiver.cut();
    await receiver.allClosed();
  }
  assert.equal(receiver.requests.length, 5);

  const hinting = await startHostileReceiver(answers(200, '', { 'keep-alive': 'timeout=1' }));
  for (let nth = 0; nth < 5; nth++) assert.equal((await post(hinting.url)).kind, 'answered');
  assert.equal(hinting.connections(), 5, 'a connection that soon ends is not used again');

  const closing = await startHostileReceiver((socket) =>
    socket.end(head(200, { connection: 'close', 'content-length': '0' })),
  );
  for (let nth = 0; nth < 5; nth++) assert.equal((await post(closing.url)).kind, 'answered');
  assert.equal(closing.requests.length, 5);
});

test('a connection that is reset when it is used again fails the post, and nothing is sent twice', async () => {
  let seen = 0;
  const receiver = await startHostileReceiver((socket, request) =>
    (++seen % 2 === 1 ? answers(200) : resets)(socket, request),
  );
  assert.equal((await post(receiver.url)).kind, 'answered');
  assert.deepEqual(outcome(await post(receiver.url)), failed('connection reset'));
  assert.equal(receiver.requests.length, 2);
  assert.equal((await post(receiver.url)).kind, 'answered');
});

test('an answer that nobody asked for is not taken for the answer to the next post', async () => {
  let seen = 0;
  const receiver = await startHostileReceiver((socket, request) => {
    answers(200, `honest ${++seen}`)(socket, request);
    if (seen === 1) answers(200, 'smuggled')(socket, request);
  });
  assert.deepEqual(outcome(await post(receiver.url)), answered(200, 'honest 1'));
  await sleep(20);
  assert.deepEqual(outcome(await post(receiver.url)), answered(200, 'honest 2'));
});

test('URLs and headers that cannot be sent fail without a connection', async () => {
  const cases: [url: string, error: string][] = [
    ['', 'not an http(s) URL'],
    ['nonsense', 'not an http(s) URL'],
    ['ftp://receiver.test/', 'not an http(s) URL'],
    ['http://user:secret@receiver.test/', 'user name or password in the URL'],
    ['http://0xa9fea9fe/latest/meta-data/', 'address 169.254.169.254 is not allowed'],
    ['http://[::ffff:10.0.0.1]/', 'address ::ffff:a00:1 is not allowed'],
  ];
  for (const [url, error] of cases) assert.deepEqual(outcome(await post(url)), failed(error, null));

  const receiver = await startHostileReceiver(answers(200));
  const bad = await http.post({
    url: receiver.url,
    headers: { 'x-split': 'a\r\nb: c' },
    body: '',
    purpose: 'callback',
    deadlineMs: patientMs,
  });
  assert.deepEqual(outcome(bad), failed('headers that cannot be sent'));
  assert.equal(receiver.requests.length, 0);
});

test('without an allowance the loopback addresses are refused, by number and by name', async () => {
  const receiver = await startHostileReceiver(answers(200));
  const strict = make({ guard: publicOnly });
  const named = make({ guard: publicOnly, resolve: async () => ['127.0.0.1'] });
  const refused = failed('address 127.0.0.1 is not allowed', null);
  assert.deepEqual(outcome(await post(receiver.url, { over: strict })), refused);
  assert.deepEqual(outcome(await post(`http://receiver.test:${receiver.port}/`, { over: named })), refused);
  assert.deepEqual(outcome(await post(`https://receiver.test:${receiver.port}/`, { over: named })), refused);
  assert.equal(receiver.connections(), 0);
});

test('a name is refused when any of its addresses is, or when it has none', async () => {
  const receiver = await startHostileReceiver(answers(200));
  const notFound = Object.assign(new Error('getaddrinfo ENOTFOUND secret.test'), { code: 'ENOTFOUND' });
  const cases: [resolve: () => Promise<string[]>, error: string][] = [
    [async () => ['127.0.0.1', '192.168.1.1'], 'address 192.168.1.1 is not allowed'],
    [async () => ['127.0.0.1', 'fe80::1%eth0'], 'address fe80::1%eth0 is not allowed'],
    [async () => ['no address'], 'address no address is not allowed'],
    [async () => [], 'name does not resolve'],
    [async () => Promise.reject(notFound), 'name does not resolve'],
    [
      async () => Promise.reject(Object.assign(new Error(), { code: 'EAI_AGAIN' })),
      'name does not resolve at the moment',
    ],
    [
      () => {
        throw new Error('secret');
      },
      'unexpected error',
    ],
    [async () => Promise.reject(null), 'unexpected error'],
  ];
  for (const [resolve, error] of cases) {
    const over = make({ resolve });
    assert.deepEqual(outcome(await post(`http://receiver.test:${receiver.port}/`, { over })), failed(error, null));
  }
  assert.equal(receiver.connections(), 0);
});

test('a name that is never resolved ends at the deadline, and is looked up once for all who wait', async () => {
  let asked = 0;
  const never = make({ resolve: () => new Promise(() => asked++) });
  const given = await Promise.all(
    Array.from({ length: 5 }, () => post('http://receiver.test/', { over: never, deadlineMs: impatientMs })),
  );
  for (const each of given) assert.deepEqual(outcome(each), failed('timed out after 0.3 s', null));
  assert.equal(asked, 1);
});

test('a lookup that failed is tried again by the next post', async () => {
  const receiver = await startHostileReceiver(answers(200));
  let asked = 0;
  const recovering = make({
    resolve: () => {
      if (++asked === 1) throw new Error('not yet');
      return Promise.resolve(['127.0.0.1']);
    },
  });
  const url = `http://receiver.test:${receiver.port}/`;
  assert.deepEqual(outcome(await post(url, { over: recovering })), failed('unexpected error', null));
  assert.deepEqual(outcome(await post(url, { over: recovering })), answered(200, ''));
});

test('the next address is tried where the first refuses', async (t) => {
  const receiver = await startHostileReceiver(answers(200));
  const named = make({ resolve: async () => ['::1', '127.0.0.2', '127.0.0.1'] });
  assert.deepEqual(outcome(await post(`http://receiver.test:${receiver.port}/`, { over: named })), answered(200, ''));
  assert.equal(receiver.requests[0]!.headers.host, `receiver.test:${receiver.port}`);

  const last = make({ resolve: async () => ['127.0.0.3', '127.0.0.2'] });
  assert.deepEqual(
    outcome(await post(`http://receiver.test:${receiver.port}/`, { over: last })),
    failed('connection refused', '127.0.0.2'),
  );

  if (!(await hasIpv6())) return t.skip('no IPv6 here');
  const sixth = await startHostileReceiver(answers(200), { host: '::1' });
  assert.deepEqual(outcome(await post(sixth.url)), { ...answered(200, ''), address: '::1' });
  assert.equal(sixth.requests[0]!.headers.host, `[::1]:${sixth.port}`);
});

test('names of this machine are resolved by the system', async () => {
  const receiver = await startHostileReceiver(answers(200));
  assert.deepEqual(outcome(await post(`http://localhost:${receiver.port}/`)), answered(200, ''));
});

test('https is spoken with whom the certificate names, and with nobody else', async (t) => {
  const resolve = async () => ['127.0.0.1'];
  const good = await startHostileReceiver(answers(200, 'safe'), { tls: { key: testKey, cert: testCertificate } });
  const expired = await startHostileReceiver(answers(200), { tls: { key: testKey, cert: expiredCertificate } });
  const plain = await startHostileReceiver(hangs, {
    onConnection: (socket) => void socket.write('220 mail.example ESMTP\r\n'),
  });
  const silent = await startHostileReceiver(hangs);
  const leaving = await startHostileReceiver(hangs, { onConnection: (socket) => void socket.end() });
  const trusting = make({ resolve, ca: testCertificate });
  const trustingExpired = make({ resolve, ca: expiredCertificate });
  const usual = make({ resolve });
  const cases: [over: OutgoingHttp, url: string, expected: object][] = [
    [trusting, `https://receiver.test:${good.port}/`, answered(200, 'safe')],
    [trusting, `https://receiver.test.:${good.port}/`, answered(200, 'safe')],
    [trusting, `https://localhost:${good.port}/`, answered(200, 'safe')],
    [trusting, `https://other.test:${good.port}/`, failed('TLS: ERR_TLS_CERT_ALTNAME_INVALID')],
    [trusting, `https://127.0.0.1:${good.port}/`, failed('TLS: ERR_TLS_CERT_ALTNAME_INVALID')],
    [usual, `https://receiver.test:${good.port}/`, failed('TLS: DEPTH_ZERO_SELF_SIGNED_CERT')],
    [trustingExpired, `https://receiver.test:${expired.port}/`, failed('TLS: CERT_HAS_EXPIRED')],
    [trusting, `https://receiver.test:${plain.port}/`, failed('TLS: ERR_SSL_WRONG_VERSION_NUMBER')],
    [trusting, `https://receiver.test:${leaving.port}/`, failed('connection reset')],
    [trusting, `http://receiver.test:${good.port}/`, failed('connection reset')],
  ];
  t.mock.method(process, 'emitWarning', () => {});
  t.after(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  for (const [over, url, expected] of cases) assert.deepEqual(outcome(await post(url, { over })), expected, url);
  assert.deepEqual(
    outcome(await post(`https://receiver.test:${silent.port}/`, { over: trusting, deadlineMs: impatientMs })),
    timedOut,
  );
  await silent.allClosed();

  const connectionsBefore = good.connections();
  for (let nth = 0; nth < 5; nth++) await post(`https://receiver.test:${good.port}/`, { over: trusting });
  assert.ok(good.connections() <= connectionsBefore + 1);
});

test('close ends what is under way and what comes later', async () => {
  const receiver = await startHostileReceiver(hangs);
  const closing = makeOutgoingHttp({ guard: loopback });
  const underWay = post(receiver.url, { over: closing });
  while (receiver.requests.length === 0) await sleep(5);
  await closing.close();
  assert.deepEqual(outcome(await underWay), failed('stopped'));
  assert.deepEqual(outcome(await post(receiver.url, { over: closing })), failed('stopped', null));
  await receiver.allClosed();
  assert.equal(receiver.connections(), 1);
});

async function hasIpv6(): Promise<boolean> {
  const server = createServer();
  return await new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(0, '::1', () => server.close(() => resolve(true)));
  });
}
