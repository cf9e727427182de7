import { signRequest } from '../sdk/client.ts';
import { faultAccount, faultKey } from './child-process.ts';
import type { FuzzCaller } from './fuzz-caller.ts';
import { rawRequest } from './raw-connection.ts';

type Header = [name: string, value: string];

/** Bytes, and which statuses may be answered to them. */
export interface HostileRequest {
  name: string;
  bytes: Buffer;
  statuses: number[];
  method?: string;
  /** null: too broken to have one. */
  path: string | null;
}

const syncPath = '/warehouse/v1/product/sync';
const searchPath = '/api/v2/default/getProductsData/searchList';
const orderPath = '/logistics/orders/order';
const product = Buffer.from(JSON.stringify({ sku_id: 'HOSTILE', sku_name: 'Hostile', storage_type: 1 }));
const json: Header = ['content-type', 'application/json'];
const { accountNo, secret } = faultAccount;

/** All of them are to be refused, except for those that say 200: those ask for nothing but stock. */
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

function wrongSignatures(): HostileRequest[] {
  const right = signRequest({ accountNo, secret, body: product });
  const { sign, timestamp } = right;
  const nowSeconds = Number(timestamp);
  const with_ = (change: Partial<Record<string, string>>): Header[] => [json, ...(Object.entries({ ...right, ...change }) as Header[])];
  const without = (name: string): Header[] => [json, ...Object.entries(right).filter(([other]) => other !== name)];
  const signs = [
    ...[
      '',
      sign.slice(1),
      `${sign}0`,
      sign.toUpperCase(),
      `0x${sign}`,
      `"${sign}"`,
      `sha256=${sign}`,
      `${sign},${sign}`,
      `${sign} ${sign}`,
    ],
    ...[sign.replace(/^./, 'g'), '0'.repeat(64), 'null', 'undefined', '[object Object]', Buffer.from(sign, 'hex').toString('base64')],
    ...[
      binary('茶'.repeat(21)),
      binary('\u202e'),
      'é',
      'x'.repeat(4000),
      '../'.repeat(21),
      "' or 1=1 --",
      '%00'.repeat(21),
      sign.replace(/^./, 'O'),
    ],
    ...[
      sign.split('').reverse().join(''),
      `${sign.slice(0, 63)}${sign[63] === '0' ? '1' : '0'}`,
      signRequest({ accountNo, secret: 'other', body: product }).sign,
    ],
    ...[
      signRequest({ accountNo, secret, body: '' }).sign,
      signRequest({ accountNo, secret, body: product, timestamp: nowSeconds + 1 }).sign,
    ],
  ];
  const timestamps = [
    ...[
      '',
      '0',
      '-1',
      `-${timestamp}`,
      `+${timestamp}`,
      `${timestamp}.0`,
      `${timestamp}000`,
      `${timestamp}e0`,
      `0x${nowSeconds.toString(16)}`,
      `0${timestamp}`,
    ],
    ...[
      '1e10',
      'NaN',
      'Infinity',
      'now',
      new Date().toISOString(),
      '9'.repeat(20),
      '9'.repeat(400),
      binary('１７６３２００００１'),
      `${timestamp},${timestamp}`,
    ],
    ...[nowSeconds - 301, nowSeconds + 305, nowSeconds - 86_400, nowSeconds + 86_400, 2 ** 31, 2 ** 53].map(String),
  ];
  const accounts = [
    '',
    'NOBODY',
    accountNo.toLowerCase(),
    `${accountNo} x`,
    'x'.repeat(3000),
    binary('茶'),
    '%',
    '__proto__',
    'constructor',
    "';--",
    `${accountNo},X`,
  ];
  const signedAs = (account: string, at: string): Header[] => {
    // What is no number cannot be signed by the SDK; the bytes are what counts.
    const signed = signRequest({ accountNo: account, secret, body: product, timestamp: Number(at) || nowSeconds });
    return [json, ['account-no', account], ['timestamp', at], ['sign', signed.sign]];
  };
  const cases: [string, Header[]][] = [
    ...signs.map((value): [string, Header[]] => [`sign ${value.slice(0, 80)}`, with_({ sign: value })]),
    ...timestamps.map((value): [string, Header[]] => [`timestamp ${value.slice(0, 80)}`, signedAs(accountNo, value)]),
    ...accounts.map((value): [string, Header[]] => [`account ${value.slice(0, 80)}`, signedAs(value, timestamp)]),
    ...['sign', 'timestamp', 'account-no'].map((name): [string, Header[]] => [`without ${name}`, without(name)]),
    ...['sign', 'timestamp', 'account-no'].map((name): [string, Header[]] => [
      `${name} twice`,
      [...with_({}), [name.toUpperCase(), right[name as 'sign']]],
    ]),
    ['another body', with_({ sign: signRequest({ accountNo, secret, body: '{}' }).sign })],
    ['no headers at all', [json]],
  ];
  return cases.map(([name, headers]) => ({ name, bytes: rawRequest('POST', syncPath, headers, product), statuses: [401], path: syncPath }));
}

const base64url = (value: object | string) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

function wrongTokens(caller: FuzzCaller): HostileRequest[] {
  const [[, right]] = caller.credentialsFor(searchPath, product) as [Header];
  const token = right.slice('Bearer '.length);
  const [head, payload, signature] = token.split('.') as [string, string, string];
  const header = JSON.parse(Buffer.from(head, 'base64url').toString());
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const forged = (change: object, more: object = {}) =>
    `${base64url({ ...header, ...change })}.${base64url({ ...claims, ...more })}.${signature}`;
  const tokens = [
    ...[
      '',
      'x',
      '.',
      '..',
      '...',
      'a.b',
      'a.b.c',
      'a.b.c.d',
      `${head}..${signature}`,
      `${head}.${payload}.`,
      `${head}.${payload}`,
      `${token}.`,
      `${token}A`,
    ],
    ...[
      token.slice(0, -1),
      token.slice(1),
      token.toUpperCase(),
      `${token} ${token}`,
      `${token},${token}`,
      `${head}.${payload}.${'A'.repeat(86)}`,
      'A'.repeat(5000),
    ],
    ...[
      `${'A'.repeat(3000)}.${'A'.repeat(500)}.${'A'.repeat(86)}`,
      forged({ alg: 'none' }),
      forged({ alg: 'HS256' }),
      forged({ alg: 'RS256' }),
      forged({ alg: ['ES256'] }),
    ],
    ...[
      forged({ kid: '../../etc/passwd' }),
      forged({ kid: "' or 1=1" }),
      forged({ kid: 7 }),
      forged({ kid: '\u0000' }),
      forged({ jku: 'http://127.0.0.1/' }),
      forged({ jwk: {} }),
    ],
    ...[
      forged({ crit: ['exp'] }),
      forged({ b64: false }),
      forged({ typ: 'JWT' }),
      forged({}, { exp: 9_999_999_999 }),
      forged({}, { sub: 'nobody' }),
      forged({}, { exp: '1' }),
    ],
    ...[
      `${base64url('{')}.${payload}.${signature}`,
      `${base64url('[]')}.${payload}.${signature}`,
      `${base64url('null')}.${payload}.${signature}`,
      binary('茶.茶.茶'),
    ],
    ...[
      `${base64url('{"alg":"ES256","alg":"none"}')}.${payload}.${signature}`,
      `${base64url('{"__proto__":{"alg":"ES256"}}')}.${payload}.${signature}`,
    ],
  ];
  const schemes = [
    '',
    'Bearer',
    'Bearer ',
    `Basic ${token}`,
    `Bearer\t${token}`,
    `Token ${token}`,
    token,
    `Bearer:${token}`,
    `"Bearer ${token}"`,
  ];
  const authorizations = [...tokens.map((one) => `Bearer ${one}`), ...schemes];
  return [
    ...authorizations.map((value): [string, Header[]] => [`authorization ${value.slice(0, 100)}`, [json, ['authorization', value]]]),
    ['no authorization', [json]] as [string, Header[]],
    ['authorization twice', [json, ['authorization', right], ['authorization', right]]] as [string, Header[]],
  ].map(([name, headers]) => ({ name, bytes: rawRequest('POST', searchPath, headers, '{}'), statuses: [401], path: searchPath }));
}

function wrongKeys(): HostileRequest[] {
  const keys = [
    '',
    'x',
    `${faultKey.apiKey}x`,
    faultKey.apiKey.slice(1),
    faultKey.apiKey.toUpperCase(),
    `Basic ${faultKey.apiKey}`,
    'x'.repeat(8000),
    binary('茶'),
  ];
  const odd = [
    '__proto__',
    "' or '1'='1",
    'Bearer',
    'Bearer ',
    `Bearer  ${faultKey.apiKey}x`,
    `${faultKey.apiKey},${faultKey.apiKey}`,
    '%00',
    'null',
  ];
  return [...keys, ...odd].map((key) => ({
    name: `key ${key.slice(0, 60)}`,
    bytes: rawRequest('POST', orderPath, [json, ['authorization', key]], '{}'),
    statuses: [401],
    path: orderPath,
  }));
}

function wrongContentTypes(caller: FuzzCaller): HostileRequest[] {
  const types = [
    ...[
      '',
      'text/plain',
      'text/json',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json5',
    ],
    ...[
      'application/json; charset=big5',
      'application/json; charset=utf-16',
      'application/json, text/plain',
      'application/json;;',
      'application/jsonx',
      '*/*',
      'json',
    ],
    ...[
      'application/problem+json',
      binary('application/茶'),
      `application/json; ${'x'.repeat(4000)}`,
      'application/ json',
      '"application/json"',
      'application/json\t;x=y',
    ],
  ];
  const bodyHeaders = caller.credentialsFor(syncPath, product);
  const ofTypes = types.map((type) => ({
    name: `content type ${type.slice(0, 60)}`,
    headers: [['content-type', type], ...bodyHeaders] as Header[],
  }));
  const encodings = ['gzip', 'deflate', 'br', 'identity', 'x'].map((encoding) => ({
    name: `content encoding ${encoding}`,
    headers: [json, ['content-encoding', encoding], ...bodyHeaders] as Header[],
  }));
  const twice = { name: 'content type twice', headers: [['content-type', 'text/plain'], json, ...bodyHeaders] as Header[] };
  return [...ofTypes, ...encodings, twice].map(({ name, headers }) => ({
    name,
    bytes: rawRequest('POST', syncPath, headers, product),
    statuses: [415],
    path: syncPath,
  }));
}

const stockPath = '/warehouse/v1/stock/query';
const question = Buffer.from('{"sku_ids":["HOSTILE"]}');

/** Asks for stock, signed, with this said about its body. */
function framed(headers: Header[], body: string | Buffer, signedBody: Uint8Array = question): Buffer {
  const signed = Object.entries(signRequest({ accountNo, secret, body: signedBody }));
  return rawRequest('POST', stockPath, [json, ...signed, ...headers], body);
}

const inChunks = (chunks: string[]) =>
  `${chunks.map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`;

function wrongFraming(): HostileRequest[] {
  const chunked: Header = ['transfer-encoding', 'chunked'];
  const text = question.toString();
  const broken: [string, Buffer][] = [
    ['chunk size of letters', framed([chunked], `zz\r\n${text}\r\n0\r\n\r\n`)],
    ['negative chunk size', framed([chunked], `-5\r\n${text}\r\n0\r\n\r\n`)],
    ['chunk size of 17 digits', framed([chunked], `fffffffffffffffff\r\n${text}`)],
    ['chunk size with 0x', framed([chunked], `0x17\r\n${text}\r\n0\r\n\r\n`)],
    ['chunk without its end', framed([chunked], `5\r\n${text}0\r\n\r\n`)],
    ['chunk ended by LF', framed([chunked], `17\n${text}\n0\n\n`)],
    ['empty chunk size', framed([chunked], `\r\n${text}\r\n0\r\n\r\n`)],
    ['length and chunks', framed([chunked, ['content-length', '23']], inChunks([text]))],
    [
      'two lengths',
      framed(
        [
          ['content-length', '23'],
          ['content-length', '24'],
        ],
        text,
      ),
    ],
    ['length of two numbers', framed([['content-length', '23, 23']], text)],
    ['length with a sign', framed([['content-length', '+23']], text)],
    ['negative length', framed([['content-length', '-23']], text)],
    ['length with a point', framed([['content-length', '23.0']], text)],
    ['length in hexadecimal', framed([['content-length', '0x17']], text)],
    ['length of letters', framed([['content-length', 'long']], text)],
    ['length beyond 64 bits', framed([['content-length', '99999999999999999999']], text)],
    ['chunked twice', framed([['transfer-encoding', 'chunked, chunked']], inChunks([text]))],
    ['xchunked', framed([['transfer-encoding', 'xchunked']], inChunks([text]))],
    ['chunked and then gzip', framed([['transfer-encoding', 'chunked, gzip']], inChunks([text]))],
  ];
  const tooLarge: [string, Buffer][] = [
    ['a length of 2 MiB', framed([['content-length', '2097152']], text)],
    ['a length of 1 TB', framed([['content-length', '1000000000000']], text)],
    ['a chunk of 2 MiB', framed([chunked], `200000\r\n${'x'.repeat(1_100_000)}`)],
  ];
  const whole: [string, Buffer][] = [
    ['a byte a chunk', framed([chunked], inChunks([...text]))],
    ['chunk extensions', framed([chunked], `17;a=b;c="d"\r\n${text}\r\n0\r\n\r\n`)],
    ['trailers', framed([chunked], `17\r\n${text}\r\n0\r\nsign: 0\r\nx: y\r\n\r\n`)],
    [
      'an expectation',
      framed(
        [
          ['expect', '100-continue'],
          ['content-length', '23'],
        ],
        text,
      ),
    ],
    [
      'another expectation',
      framed(
        [
          ['expect', 'the unexpected'],
          ['content-length', '23'],
        ],
        text,
      ),
    ],
    [
      'an upgrade',
      framed(
        [
          ['connection', 'upgrade'],
          ['upgrade', 'websocket'],
          ['content-length', '23'],
        ],
        text,
      ),
    ],
    [
      'an upgrade to h2c',
      framed(
        [
          ['connection', 'Upgrade, HTTP2-Settings'],
          ['upgrade', 'h2c'],
          ['http2-settings', 'AAMAAABk'],
          ['content-length', '23'],
        ],
        text,
      ),
    ],
    [
      'headers named after prototypes',
      framed(
        [
          ['constructor', '1'],
          ['__proto__', '1'],
          ['toString', '1'],
          ['hasOwnProperty', '1'],
        ],
        text,
      ),
    ],
    ['unknown headers, many times', framed(Array(200).fill(['x-again', 'y']), text)],
  ];
  return [
    ...broken.map(([name, bytes]) => ({ name, bytes, statuses: [400, 401, 413], path: null })),
    ...tooLarge.map(([name, bytes]) => ({ name, bytes, statuses: [413], path: stockPath })),
    ...whole.map(([name, bytes]) => ({ name, bytes, statuses: [200], path: stockPath })),
  ];
}

function wrongHeads(): HostileRequest[] {
  const line = `POST ${stockPath} HTTP/1.1\r\nhost: x\r\n`;
  const bytes = (head: string) => Buffer.from(`${head}\r\n\r\n`, 'latin1');
  const malformed = [
    ...[
      'na me: x',
      'name : x',
      ': x',
      'no colon',
      'na\u0000me: x',
      'name: a\u0000b',
      'name: a\u0001b',
      'name: a\rb',
      ' folded: x',
      'name: a\r\n folded',
      'n\u00e4me: x',
      'name\t: x',
    ],
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
    { name: 'an odd host', bytes: bytes(`POST ${stockPath} HTTP/1.1\r\nhost: ../../x:99999`), statuses: [401], path: stockPath },
  ];
}

function wrongTargets(): HostileRequest[] {
  const paths = [
    ...[
      '/',
      '//',
      '/.',
      '/..',
      '/../../etc/passwd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/..%2f..%2fetc%2fpasswd',
      '/%00',
      '/%ff',
      '/%',
      '/%zz',
      '/%c0%ae',
      '/%u0041',
      '/\\..\\',
    ],
    ...[
      '/warehouse',
      '/warehouse/',
      '/warehouse/v1',
      '/warehouse/v1/',
      '/warehouse/v1/product/sync/',
      '/WAREHOUSE/v1/product/sync',
      '/warehouse/v1//product/sync',
      '/warehouse/v1/product%2fsync',
    ],
    ...[
      '/warehouse/v1/%',
      '/logistics/%',
      '/api/v2/default/%e8',
      '/logistics',
      '/logistics/orders',
      '/api',
      '/api/v2',
      '/api/v2/default',
      '/api/v2/default/__proto__',
      '/constructor',
      '/favicon.ico',
    ],
    ...[
      '/docs/..%2f..%2fpackage.json',
      '/docs/%2e%2e/%2e%2e/package.json',
      '/docs/../server/main.ts',
      '/docs/lading-client.tgz/..',
      '/docs/__proto__',
      '/.well-known/',
      '/metrics/',
      '/health',
      '/openapi.json/x',
    ],
    ...[
      '/warehouse/v1/product/sync?a=b',
      '/?%',
      '/?__proto__=1',
      `/${'a/'.repeat(3000)}`,
      `/?${'a&'.repeat(3000)}`,
      '/a;b=c',
      '/~root',
      '/*',
      '*',
      'http://other.example/warehouse/v1/product/sync',
      'x',
      '?',
      '/\u00e4',
    ],
  ];
  const methods = ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH', 'PURGE', 'HEAD', 'QUERY'];
  const ofPaths = paths.map((target) => ({
    name: `POST ${target.slice(0, 80)}`,
    bytes: rawRequest('POST', target, [json], '{}'),
    path: knownPath(target),
  }));
  const isFrontPage = (target: string) => ['/', '*'].includes(knownPath(target));
  const ofGets = paths
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

/** As the service sees it: an absolute target has a path, too. */
function knownPath(target: string): string {
  return target.replace(/^http:\/\/[^/]+/, '').split('?', 1)[0]!;
}

/** What is not HTTP/1.1, or no HTTP at all. */
function notHttp(): HostileRequest[] {
  const lines = [
    ...[
      'GET',
      'GET /x',
      'GET /x HTTP/9.9',
      'GET /x HTTP/2.0',
      'GET /x HTTP/1.10',
      'GET  /x HTTP/1.1',
      'get /x HTTP/1.1',
      'GET /x http/1.1',
      'GET /x HTTP/1.1 x',
      'GET\t/x HTTP/1.1',
      'G\u00cbT /x HTTP/1.1',
    ],
    ...[
      'PRI * HTTP/2.0\r\n\r\nSM',
      'SSH-2.0-OpenSSH_9.6',
      'EHLO x',
      'hello',
      '{"a":1}',
      '\u0000\u0000\u0000',
      'POST /x HTTP/1.1\nhost: x\n\n',
      'POST /x HTTP/1.1\rhost: x\r\r',
      'CONNECTX / HTTP/1.1',
    ],
  ];
  const tlsHello = Buffer.from('16030100c8010000c40303000102030405060708090a0b0c0d0e0f', 'hex');
  const postgresHello = Buffer.from('0000000804d2162f', 'hex');
  return [
    ...lines.map((line) => ({ name: JSON.stringify(line), bytes: Buffer.from(`${line}\r\nhost: x\r\n\r\n`, 'latin1') })),
    { name: 'TLS', bytes: Buffer.concat([tlsHello, Buffer.alloc(200)]) },
    { name: 'PostgreSQL', bytes: postgresHello },
    { name: 'zeros', bytes: Buffer.alloc(5000) },
    { name: 'ones', bytes: Buffer.alloc(5000, 0xff) },
  ].map((one) => ({ ...one, statuses: [400, 401, 404, 405], path: null }));
}
