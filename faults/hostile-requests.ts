import { signRequest } from '../sdk/client.ts';
import { faultAccount, faultKey } from './child-process.ts';
import type { FuzzCaller } from './fuzz-caller.ts';
import { rawRequest } from './raw-connection.ts';

type Header = [name: string, value: string];

/** The bytes of a request, and the statuses that its response may have. */
export interface HostileRequest {
  name: string;
  bytes: Buffer;
  statuses: number[];
  method?: string;
  /** null: the request is too broken to have a path. */
  path: string | null;
}

const syncPath = '/warehouse/v1/product/sync';
const searchPath = '/api/v2/default/getProductsData/searchList';
const orderPath = '/logistics/orders/order';
const product = Buffer.from(JSON.stringify({ sku_id: 'HOSTILE', sku_name: 'Hostile', storage_type: 1 }));
const json: Header = ['content-type', 'application/json'];
const { accountNo, secret } = faultAccount;

/** The service must refuse all of these, except for stock queries that expect a 200. */
export function hostileRequests(caller: FuzzCaller): HostileRequest[] {
  return [
    ...wrongSignatures(),
    ...wrongTokens(caller),
    ...wrongKeys(),
    ...wrongContentTypes(caller),
    ...wrongFraming(),
    ...wrongHeads(),
    ...wrongTargets(),
    ...notHttp(),
  ];
}

const binary = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

/** Headers of a case, with its name. */
type HeaderCase = [name: string, headers: Header[]];

function casesFor(path: string, body: string | Buffer, statuses: number[], cases: HeaderCase[]): HostileRequest[] {
  return cases.map(([name, headers]) => ({ name, bytes: rawRequest('POST', path, headers, body), statuses, path }));
}

function wrongSignatures(): HostileRequest[] {
  const right = signRequest({ accountNo, secret, body: product });
  const { sign, timestamp } = right;
  const nowSeconds = Number(timestamp);
  const withSign = (value: string): Header[] => [json, ...(Object.entries({ ...right, sign: value }) as Header[])];
  const without = (name: string): Header[] => [json, ...Object.entries(right).filter(([other]) => other !== name)];
  const signedAs = (account: string, at: string): Header[] => {
    // The SDK only signs numeric timestamps, so others are sent with the signature of the current one.
    const signed = signRequest({ accountNo: account, secret, body: product, timestamp: Number(at) || nowSeconds });
    return [json, ['account-no', account], ['timestamp', at], ['sign', signed.sign]];
  };
  return casesFor(
    syncPath,
    product,
    [401],
    [
      ...wrongSigns(sign, nowSeconds).map((value): HeaderCase => [`sign ${value.slice(0, 80)}`, withSign(value)]),
      ...wrongTimestamps(nowSeconds).map(
        (value): HeaderCase => [`timestamp ${value.slice(0, 80)}`, signedAs(accountNo, value)],
      ),
      ...wrongAccounts.map((value): HeaderCase => [`account ${value.slice(0, 80)}`, signedAs(value, timestamp)]),
      ...(['sign', 'timestamp', 'account-no'] as const).flatMap((name): HeaderCase[] => [
        [`without ${name}`, without(name)],
        [`${name} twice`, [...withSign(sign), [name.toUpperCase(), right[name as 'sign']]]],
      ]),
      ['another body', withSign(signRequest({ accountNo, secret, body: '{}' }).sign)],
      ['no headers at all', [json]],
    ],
  );
}

function wrongSigns(sign: string, nowSeconds: number): string[] {
  const reversed = sign.split('').reverse().join('');
  const lastDigitChanged = `${sign.slice(0, 63)}${sign[63] === '0' ? '1' : '0'}`;
  return [
    ...['', 'null', 'undefined', '[object Object]', '0'.repeat(64), 'x'.repeat(4000), "' or 1=1 --", 'é'],
    ...['../'.repeat(21), '%00'.repeat(21), binary('茶'.repeat(21)), binary('\u202e')],
    ...[sign.slice(1), `${sign}0`, sign.toUpperCase(), `0x${sign}`, `"${sign}"`, `sha256=${sign}`],
    ...[`${sign},${sign}`, `${sign} ${sign}`, sign.replace(/^./, 'g'), sign.replace(/^./, 'O')],
    ...[Buffer.from(sign, 'hex').toString('base64'), reversed, lastDigitChanged],
    signRequest({ accountNo, secret: 'other', body: product }).sign,
    signRequest({ accountNo, secret, body: '' }).sign,
    signRequest({ accountNo, secret, body: product, timestamp: nowSeconds + 1 }).sign,
  ];
}

function wrongTimestamps(nowSeconds: number): string[] {
  const now = String(nowSeconds);
  return [
    ...[
      '',
      '0',
      '-1',
      '1e10',
      'NaN',
      'Infinity',
      'now',
      '9'.repeat(20),
      '9'.repeat(400),
      binary('１７６３２００００１'),
    ],
    ...[`-${now}`, `+${now}`, `${now}.0`, `${now}000`, `${now}e0`, `0x${nowSeconds.toString(16)}`, `0${now}`],
    ...[`${now},${now}`, new Date().toISOString()],
    ...[nowSeconds - 301, nowSeconds + 305, nowSeconds - 86_400, nowSeconds + 86_400, 2 ** 31, 2 ** 53].map(String),
  ];
}

const wrongAccounts = [
  ...['', 'NOBODY', accountNo.toLowerCase(), `${accountNo} x`, `${accountNo},X`, 'x'.repeat(3000), binary('茶')],
  ...['%', '__proto__', 'constructor', "';--"],
];

const base64url = (value: object | string) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

function wrongTokens(caller: FuzzCaller): HostileRequest[] {
  const [[, right]] = caller.credentialsFor(searchPath, product) as [Header];
  const token = right.slice('Bearer '.length);
  const schemes = [
    ...['', 'Bearer', 'Bearer ', token, `Basic ${token}`, `Token ${token}`],
    ...[`Bearer\t${token}`, `Bearer:${token}`, `"Bearer ${token}"`],
  ];
  const values = [...malformedTokens(token), ...forgedTokens(token)].map((one) => `Bearer ${one}`);
  return casesFor(
    searchPath,
    '{}',
    [401],
    [
      ...[...values, ...schemes].map(
        (value): HeaderCase => [`authorization ${value.slice(0, 100)}`, [json, ['authorization', value]]],
      ),
      ['no authorization', [json]],
      ['authorization twice', [json, ['authorization', right], ['authorization', right]]],
    ],
  );
}

function malformedTokens(token: string): string[] {
  const [head, payload, signature] = token.split('.') as [string, string, string];
  return [
    ...['', 'x', '.', '..', '...', 'a.b', 'a.b.c', 'a.b.c.d', 'A'.repeat(5000), binary('茶.茶.茶')],
    ...[`${head}..${signature}`, `${head}.${payload}.`, `${head}.${payload}`, `${token}.`, `${token}A`],
    ...[token.slice(0, -1), token.slice(1), token.toUpperCase(), `${token} ${token}`, `${token},${token}`],
    `${head}.${payload}.${'A'.repeat(86)}`,
    `${'A'.repeat(3000)}.${'A'.repeat(500)}.${'A'.repeat(86)}`,
  ];
}

function forgedTokens(token: string): string[] {
  const [head, payload, signature] = token.split('.') as [string, string, string];
  const header = JSON.parse(Buffer.from(head, 'base64url').toString());
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const headers: object[] = [
    ...['none', 'HS256', 'RS256', ['ES256']].map((alg) => ({ alg })),
    ...['../../etc/passwd', "' or 1=1", 7, '\u0000'].map((kid) => ({ kid })),
    ...[{ jku: 'http://127.0.0.1/' }, { jwk: {} }, { crit: ['exp'] }, { b64: false }, { typ: 'JWT' }],
  ];
  const payloads: object[] = [{ exp: 9_999_999_999 }, { sub: 'nobody' }, { exp: '1' }];
  const writtenHeaders = ['{', '[]', 'null', '{"alg":"ES256","alg":"none"}', '{"__proto__":{"alg":"ES256"}}'];
  return [
    ...headers.map((change) => `${base64url({ ...header, ...change })}.${base64url(claims)}.${signature}`),
    ...payloads.map((change) => `${base64url(header)}.${base64url({ ...claims, ...change })}.${signature}`),
    ...writtenHeaders.map((text) => `${base64url(text)}.${payload}.${signature}`),
  ];
}

function wrongKeys(): HostileRequest[] {
  const { apiKey } = faultKey;
  const keys = [
    ...['', 'x', 'x'.repeat(8000), binary('茶'), '__proto__', "' or '1'='1", 'Bearer', 'Bearer ', '%00', 'null'],
    ...[`${apiKey}x`, apiKey.slice(1), apiKey.toUpperCase(), `Basic ${apiKey}`, `Bearer  ${apiKey}x`],
    `${apiKey},${apiKey}`,
  ];
  const cases = keys.map((key): HeaderCase => [`key ${key.slice(0, 60)}`, [json, ['authorization', key]]]);
  return casesFor(orderPath, '{}', [401], cases);
}

const wrongTypes = [
  ...['', '*/*', 'json', 'text/plain', 'text/json', 'application/xml', 'application/json5', 'application/jsonx'],
  ...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/problem+json'],
  ...['application/json; charset=big5', 'application/json; charset=utf-16', `application/json; ${'x'.repeat(4000)}`],
  ...['application/json, text/plain', 'application/json;;', 'application/json\t;x=y', 'application/ json'],
  ...['"application/json"', binary('application/茶')],
];

function wrongContentTypes(caller: FuzzCaller): HostileRequest[] {
  const credentials = caller.credentialsFor(syncPath, product) as Header[];
  return casesFor(
    syncPath,
    product,
    [415],
    [
      ...wrongTypes.map(
        (type): HeaderCase => [`content type ${type.slice(0, 60)}`, [['content-type', type], ...credentials]],
      ),
      ...['gzip', 'deflate', 'br', 'identity', 'x'].map(
        (encoding): HeaderCase => [
          `content encoding ${encoding}`,
          [json, ['content-encoding', encoding], ...credentials],
        ],
      ),
      ['content type twice', [['content-type', 'text/plain'], json, ...credentials]],
    ],
  );
}

const stockPath = '/warehouse/v1/stock/query';
const question = Buffer.from('{"sku_ids":["HOSTILE"]}');

/** A signed stock query with these framing headers and this body. */
function framed(headers: Header[], body: string | Buffer, signedBody: Uint8Array = question): Buffer {
  const signed = Object.entries(signRequest({ accountNo, secret, body: signedBody }));
  return rawRequest('POST', stockPath, [json, ...signed, ...headers], body);
}

const inChunks = (chunks: string[]) =>
  `${chunks.map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`;

const chunked: Header = ['transfer-encoding', 'chunked'];

function wrongFraming(): HostileRequest[] {
  return [
    ...brokenFraming().map(([name, bytes]) => ({ name, bytes, statuses: [400, 401, 413], path: null })),
    ...framingTooLarge().map(([name, bytes]) => ({ name, bytes, statuses: [413], path: stockPath })),
    ...unusualFraming().map(([name, bytes]) => ({ name, bytes, statuses: [200], path: stockPath })),
  ];
}

function brokenFraming(): [name: string, bytes: Buffer][] {
  const text = question.toString();
  const bodies: [string, string][] = [
    ['chunk size of letters', `zz\r\n${text}\r\n0\r\n\r\n`],
    ['negative chunk size', `-5\r\n${text}\r\n0\r\n\r\n`],
    ['chunk size of 17 digits', `fffffffffffffffff\r\n${text}`],
    ['chunk size with 0x', `0x17\r\n${text}\r\n0\r\n\r\n`],
    ['chunk without its end', `5\r\n${text}0\r\n\r\n`],
    ['chunk ended by LF', `17\n${text}\n0\n\n`],
    ['empty chunk size', `\r\n${text}\r\n0\r\n\r\n`],
  ];
  const lengths: [string, ...string[]][] = [
    ['two lengths', '23', '24'],
    ['length of two numbers', '23, 23'],
    ['length with a sign', '+23'],
    ['negative length', '-23'],
    ['length with a point', '23.0'],
    ['length in hexadecimal', '0x17'],
    ['length of letters', 'long'],
    ['length beyond 64 bits', '99999999999999999999'],
  ];
  const encodings: [string, string][] = [
    ['chunked twice', 'chunked, chunked'],
    ['xchunked', 'xchunked'],
    ['chunked and then gzip', 'chunked, gzip'],
  ];
  return [
    ...bodies.map(([name, body]): [string, Buffer] => [name, framed([chunked], body)]),
    ...lengths.map(([name, ...values]): [string, Buffer] => [
      name,
      framed(
        values.map((value): Header => ['content-length', value]),
        text,
      ),
    ]),
    ['length and chunks', framed([chunked, ['content-length', '23']], inChunks([text]))],
    ...encodings.map(([name, encoding]): [string, Buffer] => [
      name,
      framed([['transfer-encoding', encoding]], inChunks([text])),
    ]),
  ];
}

function framingTooLarge(): [name: string, bytes: Buffer][] {
  const text = question.toString();
  return [
    ['a length of 2 MiB', framed([['content-length', '2097152']], text)],
    ['a length of 1 TB', framed([['content-length', '1000000000000']], text)],
    ['a chunk of 2 MiB', framed([chunked], `200000\r\n${'x'.repeat(1_100_000)}`)],
  ];
}

/** Unusual but valid requests. */
function unusualFraming(): [name: string, bytes: Buffer][] {
  const text = question.toString();
  const length = { 'content-length': '23' };
  const h2c = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' };
  const headers: [string, Record<string, string>][] = [
    ['an expectation', { expect: '100-continue', ...length }],
    ['another expectation', { expect: 'the unexpected', ...length }],
    ['an upgrade', { connection: 'upgrade', upgrade: 'websocket', ...length }],
    ['an upgrade to h2c', { ...h2c, ...length }],
  ];
  const ofPrototypes = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
  return [
    ['a byte a chunk', framed([chunked], inChunks([...text]))],
    ['chunk extensions', framed([chunked], `17;a=b;c="d"\r\n${text}\r\n0\r\n\r\n`)],
    ['trailers', framed([chunked], `17\r\n${text}\r\n0\r\nsign: 0\r\nx: y\r\n\r\n`)],
    ...headers.map(([name, added]): [string, Buffer] => [name, framed(Object.entries(added), text)]),
    [
      'headers named after prototypes',
      framed(
        ofPrototypes.map((name): Header => [name, '1']),
        text,
      ),
    ],
    ['unknown headers, many times', framed(Array(200).fill(['x-again', 'y']), text)],
  ];
}

function wrongHeads(): HostileRequest[] {
  const line = `POST ${stockPath} HTTP/1.1\r\nhost: x\r\n`;
  const bytes = (head: string) => Buffer.from(`${head}\r\n\r\n`, 'latin1');
  const malformed = [
    ...['na me: x', 'name : x', 'name\t: x', ': x', 'no colon', ' folded: x', 'name: a\r\n folded', 'n\u00e4me: x'],
    ...['na\u0000me: x', 'name: a\u0000b', 'name: a\u0001b', 'name: a\rb'],
    ...['(name): x', '"name": x', 'name[]: x', 'name@: x', '{name}: x'],
  ].map((header): [string, string] => [`header ${JSON.stringify(header)}`, `${line}${header}`]);
  const many = Array.from({ length: 1200 }, (_, index) => `x-${index}: some value`).join('\r\n');
  const over: [string, string][] = [
    ['headers of 20 KiB', `${line}x: ${'y'.repeat(20_000)}`],
    ['1,200 headers', `${line}${many}`],
    ['a header name of 20 KiB', `${line}${'x'.repeat(20_000)}: y`],
    ['a path of 20 KiB', `POST /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x`],
  ];
  return [
    ...malformed.map(([name, head]) => ({ name, bytes: bytes(head), statuses: [400, 401], path: null })),
    ...over.map(([name, head]) => ({ name, bytes: bytes(head), statuses: [431], path: null })),
    { name: 'no host', bytes: bytes(`POST ${stockPath} HTTP/1.1`), statuses: [400], path: stockPath },
    { name: 'two hosts', bytes: bytes(`${line}host: y`), statuses: [400], path: stockPath },
    {
      name: 'an odd host',
      bytes: bytes(`POST ${stockPath} HTTP/1.1\r\nhost: ../../x:99999`),
      statuses: [401],
      path: stockPath,
    },
  ];
}

const wrongPaths = [
  ...[
    '/',
    '//',
    '/.',
    '/..',
    '*',
    '/*',
    'x',
    '?',
    '/\\..\\',
    '/a;b=c',
    '/~root',
    '/\u00e4',
    '/constructor',
    '/favicon.ico',
  ],
  ...['/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/..%2f..%2fetc%2fpasswd'],
  ...['/%', '/%00', '/%ff', '/%zz', '/%c0%ae', '/%u0041', '/warehouse/v1/%', '/logistics/%', '/api/v2/default/%e8'],
  ...['/warehouse', '/warehouse/', '/warehouse/v1', '/warehouse/v1/', '/warehouse/v1/product/sync/'],
  ...['/WAREHOUSE/v1/product/sync', '/warehouse/v1//product/sync', '/warehouse/v1/product%2fsync'],
  ...['/logistics', '/logistics/orders', '/api', '/api/v2', '/api/v2/default', '/api/v2/default/__proto__'],
  ...['/docs/..%2f..%2fpackage.json', '/docs/%2e%2e/%2e%2e/package.json', '/docs/../cli/serve.ts'],
  ...['/docs/lading-client.tgz/..', '/docs/__proto__', '/.well-known/', '/metrics/', '/health', '/openapi.json/x'],
  ...['/warehouse/v1/product/sync?a=b', '/?%', '/?__proto__=1', `/${'a/'.repeat(3000)}`, `/?${'a&'.repeat(3000)}`],
  'http://other.example/warehouse/v1/product/sync',
];

function wrongTargets(): HostileRequest[] {
  const methods = ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH', 'PURGE', 'HEAD', 'QUERY'];
  const ofPaths = wrongPaths.map((target) => ({
    name: `POST ${target.slice(0, 80)}`,
    bytes: rawRequest('POST', target, [json], '{}'),
    path: knownPath(target),
  }));
  const isFrontPage = (target: string) => ['/', '*'].includes(knownPath(target));
  const ofGets = wrongPaths
    .filter((target) => !isFrontPage(target))
    .map((target) => ({
      name: `GET ${target.slice(0, 80)}`,
      method: 'GET',
      bytes: rawRequest('GET', target, []),
      path: knownPath(target),
    }));
  const ofMethods = methods.map((method) => ({
    name: `${method} ${stockPath}`,
    method,
    bytes: rawRequest(method, stockPath, [json], method === 'HEAD' ? '' : question),
    path: stockPath,
  }));
  return [...ofPaths, ...ofGets, ...ofMethods].map((one) => ({ ...one, statuses: [400, 401, 404, 405] }));
}

/** The path as the service sees it, also of an absolute target. */
function knownPath(target: string): string {
  return target.replace(/^http:\/\/[^/]+/, '').split('?', 1)[0]!;
}

/** Other HTTP versions, and other protocols. */
function notHttp(): HostileRequest[] {
  const lines = [
    ...['GET', 'GET /x', 'GET /x HTTP/9.9', 'GET /x HTTP/2.0', 'GET /x HTTP/1.10', 'GET  /x HTTP/1.1'],
    ...['get /x HTTP/1.1', 'GET /x http/1.1', 'GET /x HTTP/1.1 x', 'GET\t/x HTTP/1.1', 'G\u00cbT /x HTTP/1.1'],
    ...['POST /x HTTP/1.1\nhost: x\n\n', 'POST /x HTTP/1.1\rhost: x\r\r', 'CONNECTX / HTTP/1.1'],
    ...['PRI * HTTP/2.0\r\n\r\nSM', 'SSH-2.0-OpenSSH_9.6', 'EHLO x', 'hello', '{"a":1}', '\u0000\u0000\u0000'],
  ];
  const tlsHello = Buffer.from('16030100c8010000c40303000102030405060708090a0b0c0d0e0f', 'hex');
  const postgresHello = Buffer.from('0000000804d2162f', 'hex');
  return [
    ...lines.map((line) => ({
      name: JSON.stringify(line),
      bytes: Buffer.from(`${line}\r\nhost: x\r\n\r\n`, 'latin1'),
    })),
    { name: 'TLS', bytes: Buffer.concat([tlsHello, Buffer.alloc(200)]) },
    { name: 'PostgreSQL', bytes: postgresHello },
    { name: 'zeros', bytes: Buffer.alloc(5000) },
    { name: 'ones', bytes: Buffer.alloc(5000, 0xff) },
  ].map((one) => ({ ...one, statuses: [400, 401, 404, 405], path: null }));
}
