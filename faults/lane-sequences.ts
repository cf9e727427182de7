import { signRequest } from '../sdk/client.ts';
import { httpFragments } from '../test/support/http-fragments.ts';
import { faultAccount, faultKey } from './child-process.ts';
import { endpointOf, soundBody } from './hostile-bodies.ts';
import type { Random } from './random.ts';

/** Bytes for one connection, cut into steps. The service has read a step before the next one is sent. */
export interface LaneSequence {
  kind: 'plain' | 'hostile' | 'mutated';
  steps: LaneStep[];
}

export interface LaneStep {
  /** Written without a pause, so the service may read them together or separately. */
  writes: Buffer[];
  /** Whether the next step waits for the responses to everything sent so far. */
  settles: boolean;
}

export interface SequenceParts {
  random: Random;
  /** Makes the document numbers of this sequence unique. */
  number: number;
  token: string;
  timestamp: number;
  /** Whether it may be cut into single bytes, which takes many steps. */
  mayBeBytes: boolean;
}

type Header = [name: string, value: string];

interface Message {
  line: string;
  headers: Header[];
  /** The body as sent: plain, or in chunks. */
  body: Buffer;
  lineEnd: string;
}

type Trick = (message: Message, random: Random) => Message;

const messagesMax = 4;
const bytewiseMaxBytes = 400;
const cutsMax = 5;

/** Most sequences are plain, so that at least half of all are accepted. */
export function makeLaneSequence(parts: SequenceParts): LaneSequence {
  const { random } = parts;
  const chance = random.next();
  const kind = chance < 0.6 ? 'plain' : chance < 0.84 ? 'hostile' : 'mutated';
  const count = random.oneIn(2) ? 1 : random.upTo(messagesMax);
  const messages = Array.from({ length: count }, (_, index) => makeMessage(parts, index));
  const tricked =
    kind === 'hostile'
      ? messages.map((message) => (random.oneIn(2) ? random.anyOf(tricks)(message, random) : message))
      : messages;
  const bytes = tricked.map(bytesOf);
  if (kind === 'mutated')
    return { kind, steps: cut(mutate(Buffer.concat(bytes), random), tricked, bytes, parts, true) };
  return { kind, steps: cut(Buffer.concat(bytes), tricked, bytes, parts, false) };
}

/** The number of the sequence that a document belongs to. */
export function sequenceOf(document: number): number {
  return Math.floor(document / messagesMax);
}

function makeMessage({ random, number, token, timestamp }: SequenceParts, index: number): Message {
  const document = number * messagesMax + index;
  const make = random.anyOf([sync, sync, sync, sync, create, create, query, query, ship, createInMain, live]);
  const message = make();
  return random.oneIn(3) ? random.anyOf(harmless)(message, random) : message;

  function post(path: string, body: object, credentials: (bytes: Buffer) => Header[]): Message {
    const bytes = Buffer.from(JSON.stringify(body));
    const headers: Header[] = [
      ['host', 'lading.test'],
      ['content-type', 'application/json'],
      ...credentials(bytes),
      ['content-length', String(bytes.length)],
    ];
    return { line: `POST ${path} HTTP/1.1`, headers, body: bytes, lineEnd: '\r\n' };
  }
  function signed(bytes: Buffer): Header[] {
    const { accountNo, secret } = faultAccount;
    return Object.entries(signRequest({ accountNo, secret, body: bytes, timestamp }));
  }
  function sync(): Message {
    return post(
      '/warehouse/v1/product/sync',
      { sku_id: `LANE-${document}`, sku_name: 'Oolong 烏龍茶', storage_type: 1 },
      signed,
    );
  }
  function create(): Message {
    return post('/warehouse/v1/outbound/create', soundBody(endpointOf('outboundCreate'), document), signed);
  }
  function query(): Message {
    return post('/warehouse/v1/stock/query', { sku_ids: ['NOT-STOCKED'] }, signed);
  }
  function ship(): Message {
    const { callback_url, ...body } = soundBody(endpointOf('shippingOrder'), document) as Record<string, unknown>;
    return post('/logistics/orders/order', body, () => [['authorization', faultKey.apiKey]]);
  }
  function createInMain(): Message {
    const body = soundBody(endpointOf('ordersCreate'), document);
    return post('/api/v2/default/orders/create', body, () => [['authorization', `Bearer ${token}`]]);
  }
  function live(): Message {
    return {
      line: 'GET /health/live HTTP/1.1',
      headers: [['host', 'lading.test']],
      body: Buffer.alloc(0),
      lineEnd: '\r\n',
    };
  }
}

function bytesOf({ line, headers, body, lineEnd }: Message): Buffer {
  const lines = [
    line,
    ...headers.map(([name, value]) => `${name}:${value === '' || value.startsWith('\t') ? value : ` ${value}`}`),
    '',
    '',
  ];
  return Buffer.concat([Buffer.from(lines.join(lineEnd), 'latin1'), body]);
}

const more =
  (...headers: Header[]): Trick =>
  (message) => ({ ...message, headers: [...message.headers, ...headers] });
const first =
  (...headers: Header[]): Trick =>
  (message) => ({ ...message, headers: [...headers, ...message.headers] });
const instead =
  (name: string, change: (value: string) => string): Trick =>
  (message) => ({
    ...message,
    headers: message.headers.map(([other, value]) => [other, other === name ? change(value) : value]),
  });
const without =
  (name: string): Trick =>
  (message) => ({ ...message, headers: message.headers.filter(([other]) => other !== name) });
const lineChanged =
  (change: (line: string) => string): Trick =>
  (message) => ({ ...message, line: change(message.line) });
const twice =
  (name: string): Trick =>
  (message) => ({ ...message, headers: [...message.headers, ...message.headers.filter(([other]) => other === name)] });

function chunked(sizeLine: (bytes: number) => string, end = '0\r\n\r\n'): Trick {
  return (message, random) => {
    const { body } = message;
    const at = random.upTo(body.length + 1) - 1;
    const chunks = [body.subarray(0, at), body.subarray(at)].filter((chunk) => chunk.length > 0);
    const framed = chunks.flatMap((chunk) => [Buffer.from(sizeLine(chunk.length)), chunk, Buffer.from('\r\n')]);
    const headers: Header[] = [...without('content-length')(message, random).headers, ['transfer-encoding', 'chunked']];
    return { ...message, headers, body: Buffer.concat([...framed, Buffer.from(end)]) };
  };
}

/** Changes the content length. The signature stays as it is, so few of these requests are accepted. */
function withLength(change: (bytes: number) => string): Trick {
  return (message) => ({
    ...message,
    headers: message.headers.map(([name, value]) => [name, name === 'content-length' ? change(Number(value)) : value]),
  });
}

const expectsContinue = more(['expect', '100-continue']);
const upgrades: Trick[] = [
  more(['connection', 'Upgrade'], ['upgrade', 'websocket']),
  more(['connection', 'Upgrade, HTTP2-Settings'], ['upgrade', 'h2c'], ['http2-settings', 'AAMAAABk']),
  more(['upgrade', 'h2c']),
  more(['connection', 'upgrade']),
];

/** Changes that keep a request valid. */
const harmless: Trick[] = [
  more(['user-agent', 'x/1 (y; z)'], ['accept', '*/*']),
  more(['connection', 'keep-alive']),
  more(['connection', 'Keep-Alive']),
  more(['connection', 'keep-alive, x-other']),
  more(['Keep-Alive', 'timeout=5']),
  more(['te', 'trailers']),
  more(['x-again', '1'], ['x-again', '2']),
  more(['x-empty', '']),
  more(['x-tab', '\ta\tb']),
  more(['x-spaces', '   a   ']),
  more(['x-latin', '\xe9\xff']),
  more(['x-long', 'y'.repeat(5000)]),
  first(['x-first', 'a: b']),
  expectsContinue,
  more(['expect', 'the unexpected']),
  chunked((bytes) => `${bytes.toString(16)}\r\n`),
  chunked((bytes) => `${bytes.toString(16)};a=b\r\n`),
  chunked((bytes) => `000${bytes.toString(16).toUpperCase()}\r\n`, '0\r\nx-trailer: 1\r\n\r\n'),
  instead('host', () => 'LADING.test:8080'),
  lineChanged((line) => line.replace(' HTTP', '?x=1 HTTP')),
  lineChanged((line) => line.replace(' /', ' http://lading.test/')),
  withLength((bytes) => `00${bytes}`),
  (message) => ({ ...message, headers: message.headers.toReversed() }),
  (message) => ({ ...message, headers: message.headers.map(([name, value]) => [name.toUpperCase(), value]) }),
  (message) => ({ ...message, line: `\r\n${message.line}` }),
];

/** Changes that may make a request invalid. The service must handle each the same way with and without the lane. */
const tricks: Trick[] = [
  ...upgrades,
  expectsContinue,
  expectsContinue,
  more(['connection', 'close']),
  more(['connection', 'close, keep-alive']),
  more(['connection', 'keep-alive'], ['connection', 'close']),
  more(['proxy-connection', 'close']),
  lineChanged((line) => line.replace('1.1', '1.0')),
  (message, random) =>
    more(['connection', 'keep-alive'])(lineChanged((line) => line.replace('1.1', '1.0'))(message, random), random),
  ...['1.2', '2.0', '0.9', '1.10', '1'].map((version) => lineChanged((line) => line.replace('1.1', version))),
  ...['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'CONNECT', 'PRI', 'post', 'POSTX', 'TRACE'].map((method) =>
    lineChanged((line) => line.replace(/^\w+/, method)),
  ),
  ...[
    (path: string) => `${path}/`,
    (path: string) => `/${path}`,
    (path: string) => path.toUpperCase(),
    (path: string) => `${path}%2f`,
    (path: string) => `${path}%`,
    (path: string) => `${path}#x`,
    (path: string) => `${path};a`,
    (path: string) => `${path}\xe9`,
    (path: string) => `${path} x`,
    (path: string) => path.slice(1),
    (path: string) => `/.${path}`,
    () => '*',
    () => '/nothing-here',
    () => '/openapi.json',
    () => '/__proto__',
  ].map((change) => lineChanged((line) => line.replace(/(?<= )\S+/, change))),
  ...['host', 'content-type', 'authorization', 'sign', 'timestamp', 'account-no', 'content-length'].flatMap((name) => [
    without(name),
    twice(name),
    instead(name, () => ''),
    instead(name, (value) => `${value},${value}`),
    instead(name, (value) => `"${value}"`),
  ]),
  ...[
    (bytes: number) => String(bytes + 1),
    (bytes: number) => String(bytes + 300),
    (bytes: number) => String(bytes - 1),
    (bytes: number) => String(Math.floor(bytes / 2)),
    () => '0',
    (bytes: number) => `+${bytes}`,
    (bytes: number) => `-${bytes}`,
    (bytes: number) => `${bytes}.0`,
    (bytes: number) => `0x${bytes.toString(16)}`,
    () => '99999',
    () => '2097152',
    () => '99999999999999999999',
  ].map(withLength),
  more(['transfer-encoding', 'chunked']),
  more(['transfer-encoding', 'gzip']),
  chunked((bytes) => `${(bytes + 1).toString(16)}\r\n`),
  chunked((bytes) => `${bytes.toString(16)}\n`),
  chunked(() => 'zz\r\n'),
  chunked((bytes) => `${bytes.toString(16)}\r\n`, '0\r\n'),
  more(['content-encoding', 'gzip']),
  instead('content-type', () => 'text/plain'),
  instead('content-type', (value) => `${value}; charset=utf-8`),
  more(['x-folded', 'a\r\n b']),
  more(['x-return', 'a\rb']),
  more(['x-feed', 'a\nb']),
  more(['x-nul', 'a\0b']),
  more(['x-del', 'a\x7fb']),
  more(['x name', 'a']),
  more(['x-name ', 'a']),
  more(['', 'a']),
  more(['x-utf8', Buffer.from('茶').toString('latin1')]),
  more(['__proto__', 'a']),
  more(['constructor', 'a']),
  more(['x-huge', 'y'.repeat(20_000)]),
  more(...Array.from({ length: 300 }, (_, index): Header => [`x-${index}`, 'y'])),
  (message) => ({ ...message, lineEnd: '\n' }),
  (message) => ({ ...message, line: `${message.line} ` }),
  (message) => ({ ...message, line: ` ${message.line}` }),
  (message) => ({ ...message, body: message.body.map((byte, index) => (index === 5 ? byte ^ 1 : byte)) as Buffer }),
  (message) => ({ ...message, body: Buffer.concat([message.body, Buffer.from('\r\n')]) }),
  ...[16_384, 17_000, 70_000].map(
    (bytes): Trick =>
      (message, random) =>
        withLength(() => String(bytes))(
          { ...message, body: Buffer.concat([message.body, Buffer.alloc(bytes, ' ')]).subarray(0, bytes) },
          random,
        ),
  ),
];

const editsMax = 3;

function mutate(bytes: Buffer, random: Random): Buffer {
  let mutated = bytes;
  for (let edits = random.upTo(editsMax); edits > 0; edits--) {
    const at = random.upTo(mutated.length) - 1;
    const dropped = random.upTo(4) - 1;
    const added = Buffer.from(random.oneIn(4) ? '' : random.anyOf(httpFragments), 'latin1');
    mutated = Buffer.concat([mutated.subarray(0, at), added, mutated.subarray(at + dropped)]);
  }
  return random.oneIn(8) ? mutated.subarray(0, random.upTo(mutated.length)) : mutated;
}

/**
 * Whether a pipelined `Expect` is rejected depends on whether it arrives before the previous response is sent. To avoid
 * this race, such a request is sent in one write with the others, or after the responses to all earlier ones.
 */
function cut(
  bytes: Buffer,
  messages: Message[],
  each: Buffer[],
  { random, mayBeBytes }: SequenceParts,
  isMutated: boolean,
): LaneStep[] {
  const whole = [{ writes: [bytes], settles: true }];
  const expects = messages.some(
    ({ headers }, index) => index > 0 && headers.some(([name, value]) => /^expect$/i.test(name) && /100/.test(value)),
  );
  if (expects)
    return isMutated || random.oneIn(2) ? whole : each.map((message) => ({ writes: [message], settles: true }));
  const settles = random.oneIn(3);
  const inSteps = (pieces: Buffer[]) => pieces.map((piece) => ({ writes: [piece], settles }));
  if (mayBeBytes && bytes.length <= bytewiseMaxBytes && random.oneIn(6))
    return Array.from(bytes, (byte) => ({ writes: [Buffer.of(byte)], settles: false }));
  switch (random.upTo(5)) {
    case 1:
      return whole;
    case 2:
      return isMutated ? whole : inSteps(each);
    case 3:
      return inSteps(splitAt(bytes, headEnds(bytes)));
    case 4:
      return inSteps(splitAt(bytes, randomCuts(bytes, random)));
    default:
      return [{ writes: splitAt(bytes, randomCuts(bytes, random)), settles: true }];
  }
}

function headEnds(bytes: Buffer): number[] {
  const ends: number[] = [];
  for (
    let at = bytes.indexOf('\r\n\r\n');
    at !== -1 && ends.length < 2 * messagesMax;
    at = bytes.indexOf('\r\n\r\n', at + 4)
  )
    ends.push(at + 4);
  return ends;
}

function randomCuts(bytes: Buffer, random: Random): number[] {
  return Array.from({ length: random.upTo(cutsMax) }, () => random.upTo(bytes.length) - 1);
}

function splitAt(bytes: Buffer, cuts: number[]): Buffer[] {
  const places = [0, ...cuts.toSorted((one, other) => one - other), bytes.length];
  return places.slice(1).flatMap((end, index) => (end > places[index]! ? [bytes.subarray(places[index]!, end)] : []));
}
