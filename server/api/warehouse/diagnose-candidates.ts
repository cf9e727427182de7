import { isUtf8 } from 'node:buffer';
import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { fieldsOf, type JsonTree, jsonStyles, readTree, writeTree } from './diagnose-json-styles.ts';

/** One way in which a part of the signature may have been made; `words` is null for the right way. */
export interface Candidate<Value> {
  words: string | null;
  value: Value;
  /** Too rare to be tried together with another mistake. */
  rare?: true;
}

/** What a message may be put together from. */
export interface MessageParts {
  body: Buffer;
  timestamp: string;
  accountNo: string;
  path: string;
  secret: KeyObject;
}

export interface Layout {
  /** false: a plain hash, the secret being part of the message. */
  keyed: boolean;
  /** The secret is no part of it, so that a match proves nothing about who signed. */
  secretless?: true;
  message(parts: MessageParts): (Buffer | string)[];
  /** Where it is not the secret. */
  key?(parts: MessageParts): Buffer;
}

type Rarity = 'usual' | 'rare';

function candidate<Value>(words: string | null, value: Value, rarity: Rarity = 'usual'): Candidate<Value> {
  return rarity === 'rare' ? { words, value, rare: true } : { words, value };
}

const separators: [name: string, text: string][] = [
  ['a dot', '.'],
  ['a line break', '\n'],
  ['a colon', ':'],
  ['a bar', '|'],
  ['an ampersand', '&'],
  ['a comma', ','],
  ['a space', ' '],
];

const keyedLayouts: [words: string | null, message: Layout['message'], rarity?: Rarity][] = [
  [null, ({ body, timestamp }) => [body, timestamp]],
  ['the timestamp stood before the body', ({ body, timestamp }) => [timestamp, body]],
  ['the body alone was signed, without the timestamp', ({ body }) => [body]],
  ['a line break followed the timestamp (echo adds one; printf does not)', ({ body, timestamp }) => [body, timestamp, '\n']],
  ['a CRLF followed the timestamp', ({ body, timestamp }) => [body, timestamp, '\r\n']],
  ['the timestamp alone was signed, without the body', ({ timestamp }) => [timestamp]],
  [
    'everything was in UTF-16 (Encoding.Unicode in .NET), which must be UTF-8',
    ({ body, timestamp }) => [Buffer.from(`${body.toString('utf8')}${timestamp}`, 'utf16le')],
    'rare',
  ],
  ...separators.flatMap(([name, text]): [string, Layout['message']][] => [
    [`${name} stood between the body and the timestamp`, ({ body, timestamp }) => [body, text, timestamp]],
    [`the timestamp stood before the body, with ${name} between them`, ({ body, timestamp }) => [timestamp, text, body]],
  ]),
  ['the account number stood before the body', ({ body, timestamp, accountNo }) => [accountNo, body, timestamp], 'rare'],
  ['the account number stood at the end', ({ body, timestamp, accountNo }) => [body, timestamp, accountNo], 'rare'],
  ['account number, timestamp and body were signed', ({ body, timestamp, accountNo }) => [accountNo, timestamp, body], 'rare'],
  ['timestamp, account number and body were signed', ({ body, timestamp, accountNo }) => [timestamp, accountNo, body], 'rare'],
  ['account number and timestamp were signed, without the body', ({ timestamp, accountNo }) => [accountNo, timestamp], 'rare'],
  ['the path stood before the body', ({ body, timestamp, path }) => [path, body, timestamp], 'rare'],
  ['timestamp, path and body were signed', ({ body, timestamp, path }) => [timestamp, path, body], 'rare'],
  ['method and path stood before the body', ({ body, timestamp, path }) => ['POST', path, body, timestamp], 'rare'],
  ['timestamp, method, path and body were signed', ({ body, timestamp, path }) => [timestamp, 'POST', path, body], 'rare'],
  ['method, path, timestamp and body were signed', ({ body, timestamp, path }) => ['POST', path, timestamp, body], 'rare'],
  [
    'method, path, timestamp and body were signed, on a line each',
    ({ body, timestamp, path }) => ['POST\n', path, '\n', timestamp, '\n', body],
    'rare',
  ],
];

type PlainMessage = (parts: Omit<MessageParts, 'secret'> & { secret: Buffer }) => (Buffer | string)[];

const plainLayouts: [order: string, message: PlainMessage, secretless?: 'secretless'][] = [
  ['body, timestamp and secret', ({ body, timestamp, secret }) => [body, timestamp, secret]],
  ['secret, body and timestamp', ({ body, timestamp, secret }) => [secret, body, timestamp]],
  ['secret, timestamp and body', ({ body, timestamp, secret }) => [secret, timestamp, body]],
  ['timestamp, body and secret', ({ body, timestamp, secret }) => [timestamp, body, secret]],
  ['body, secret and timestamp', ({ body, timestamp, secret }) => [body, secret, timestamp]],
  ['body and timestamp, without a secret', ({ body, timestamp }) => [body, timestamp], 'secretless'],
  ['the body, without a secret', ({ body }) => [body], 'secretless'],
];

export const layoutCandidates: Candidate<Layout>[] = [
  ...keyedLayouts.map(([words, message, rarity]) => candidate(words, { keyed: true, message }, rarity)),
  ...plainLayouts.map(([order, message, secretless]) =>
    candidate(
      `there was no HMAC but a plain hash of ${order}`,
      {
        keyed: false,
        ...(secretless && { secretless: true as const }),
        message: (parts: MessageParts) => message({ ...parts, secret: parts.secret.export() }),
      },
      'rare',
    ),
  ),
  candidate(
    'key and message were exchanged: the secret was signed, with body and timestamp as the key',
    {
      keyed: true,
      message: ({ secret }: MessageParts) => [secret.export()],
      key: ({ body, timestamp }: MessageParts) => Buffer.concat([body, Buffer.from(timestamp)]),
    },
    'rare',
  ),
];

/** Of what was signed instead of the body. */
const variantMaxBytes = 131_072;
const lineBreak = Buffer.from('\n');
const byteOrderMark = Buffer.from('\ufeff');
const hashOf = (algorithm: string, body: Buffer) => createHash(algorithm).update(body).digest('hex');

/** What may have been signed for a body, though it is not what came; null where it would make no difference. */
const bodyMistakes: [words: string, transform: (body: Buffer, text: string) => Buffer | string | null, rarity?: Rarity][] = [
  ['with a line break at its end that was not sent', (body) => Buffer.concat([body, lineBreak])],
  ['with a CRLF at its end that was not sent', (body) => Buffer.concat([body, Buffer.from('\r\n')])],
  ['without the line break at its end', (_body, text) => text.replace(/\r?\n$/, '')],
  ['without the byte order mark with which it was sent', (_body, text) => text.replace(/^\ufeff/, '')],
  ['without the white space around it', (_body, text) => text.trim()],
  ['as if it were empty', () => ''],
  ['with LF where CRLF was sent', (_body, text) => text.replaceAll('\r\n', '\n')],
  ['with CRLF where LF was sent', (_body, text) => text.replace(/(?<!\r)\n/g, '\r\n')],
  ['without its line breaks', (_body, text) => text.replace(/[\r\n]/g, '')],
  ['without any white space', (_body, text) => text.replace(/\s/g, ''), 'rare'],
  ['with a byte order mark that was not sent', (body) => Buffer.concat([byteOrderMark, body]), 'rare'],
  ['as "[object Object]" (an object where its JSON text was meant)', () => '[object Object]', 'rare'],
  ['as "{}"', () => '{}', 'rare'],
  ['as "null"', () => 'null', 'rare'],
  ['as "undefined"', () => 'undefined', 'rare'],
  ['as a JSON text inside a JSON string (JSON.stringify twice)', (_body, text) => JSON.stringify(text)],
  ['as its JSON text, but what came is that text inside a JSON string (as requests.post(json=TEXT) sends it)', textInside],
  ['in UTF-8, but what came is UTF-8 encoded twice', (_body, text) => onceEncoded(text)],
  ['as a Python bytes literal (str() of bytes)', (_body, text) => `b'${text}'`, 'rare'],
  ['in Latin-1, with ? for other characters', (_body, text) => Buffer.from(text.replace(/[^\0-\xff]/g, '?'), 'latin1')],
  ['in Latin-1, with its characters cut to one byte', (_body, text) => Buffer.from(text, 'latin1')],
  ['in ASCII, with ? for other characters', (_body, text) => text.replace(/[^\0-\x7f]/g, '?')],
  ['in UTF-16 (little-endian)', (_body, text) => Buffer.from(text, 'utf16le'), 'rare'],
  ['in UTF-16 (big-endian)', (_body, text) => Buffer.from(text, 'utf16le').swap16(), 'rare'],
  ['in UTF-8 encoded twice', (body) => Buffer.from(body.toString('latin1'), 'utf8')],
  ['in base64', (body) => body.toString('base64'), 'rare'],
  ['as its SHA-256 in hex', (body) => hashOf('sha256', body), 'rare'],
  ['as its MD5 in hex', (body) => hashOf('md5', body), 'rare'],
  ['before it was compressed', uncompressed, 'rare'],
  ['URL-encoded', (_body, text) => encodeURIComponent(text.toWellFormed()), 'rare'],
];

function textInside(_body: Buffer, text: string): string | null {
  if (!text.startsWith('"')) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function onceEncoded(text: string): Buffer | null {
  if (/[^\0-\xff]/.test(text)) return null;
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes : null;
}

function uncompressed(body: Buffer): Buffer | null {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return null;
  try {
    return gunzipSync(body, { maxOutputLength: variantMaxBytes });
  } catch {
    return null;
  }
}

const treeMistakes: [words: string, write: (tree: JsonTree, lengthMax: number) => string | null, rarity?: Rarity][] = [
  ...jsonStyles.map((style): [string, (tree: JsonTree, lengthMax: number) => string | null] => [
    style.words,
    (tree, lengthMax) => writeTree(tree, style, lengthMax),
  ]),
  ['as a form (name=value&name=value, URL-encoded)', (tree) => String(new URLSearchParams(fieldsOf(tree))), 'rare'],
  ['as name=value pairs with & between them', (tree) => joined(fieldsOf(tree)), 'rare'],
  ['as name=value pairs, sorted, with & between them', (tree) => joined(fieldsOf(tree).sort(([a], [b]) => (a < b ? -1 : 1))), 'rare'],
];

function joined(fields: [name: string, value: string][]): string {
  return fields.map(([name, value]) => `${name}=${value}`).join('&');
}

/** A body seldom grows by more when it is written in another way, but for small ones. */
const growthMax = 4;
const smallMaxBytes = 16_384;

/** Each is made when it is first asked for, and once; null where it is a body that was tried before, or grows too much. */
export function bodyCandidates(body: Buffer): Candidate<() => Buffer | null>[] {
  const made: Buffer[] = [body];
  const text = once(() => body.toString('utf8'));
  const tree = once(() => readTree(body));
  const lengthMax = Math.max(growthMax * body.length, smallMaxBytes);

  function onlyIfNew(make: () => Buffer | string | null): () => Buffer | null {
    return once(() => {
      const variant = make();
      if (variant === null) return null;
      const bytes = typeof variant === 'string' ? Buffer.from(variant) : variant;
      if (bytes.length > variantMaxBytes || made.some((other) => other.equals(bytes))) return null;
      made.push(bytes);
      return bytes;
    });
  }

  function onlyRead(): null {
    tree();
    return null;
  }

  return [
    candidate(null, () => body),
    candidate('read, which comes to nothing but is a step of its own', onlyRead, 'rare'),
    ...treeMistakes.map(([words, write, rarity]) =>
      candidate(
        words,
        onlyIfNew(() => (tree() === undefined ? null : write(tree()!, lengthMax))),
        rarity,
      ),
    ),
    ...bodyMistakes.map(([words, transform, rarity]) =>
      candidate(
        words,
        onlyIfNew(() => transform(body, text())),
        rarity,
      ),
    ),
  ];
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** What may have been made of a secret before it was used; null where it would make no difference. */
const secretMistakes: [words: string, transform: (secret: string) => Buffer | string | null, rarity?: Rarity][] = [
  ['with a line break at its end (as a file has one)', (secret) => `${secret}\n`],
  ['with a CRLF at its end', (secret) => `${secret}\r\n`],
  ['with a carriage return at its end (as a line of a Windows file has one)', (secret) => `${secret}\r`],
  ['with a space at its end', (secret) => `${secret} `],
  ['with a semicolon at its end', (secret) => `${secret};`, 'rare'],
  ['in UTF-16 (Encoding.Unicode in .NET)', (secret) => Buffer.from(secret, 'utf16le'), 'rare'],
  ['with a byte order mark before it', (secret) => `\ufeff${secret}`, 'rare'],
  ['with LADING_SECRET= before it', (secret) => `LADING_SECRET=${secret}`, 'rare'],
  ['with a space before it', (secret) => ` ${secret}`, 'rare'],
  ['without the white space around it', (secret) => secret.trim()],
  ['with double quotes around it', (secret) => `"${secret}"`],
  ['with single quotes around it', (secret) => `'${secret}'`],
  ['with angle brackets around it', (secret) => `<${secret}>`, 'rare'],
  ['without its prefix', withoutPrefix],
  ['decoded from base64', (secret) => Buffer.from(secret, 'base64')],
  ['without its prefix, decoded from base64', (secret) => Buffer.from(withoutPrefix(secret) ?? '', 'base64')],
  ['decoded from hex', (secret) => (/^([0-9a-f]{2})+$/i.test(secret) ? Buffer.from(secret, 'hex') : null)],
  ['in base64', (secret) => Buffer.from(secret).toString('base64')],
  ['in hex', (secret) => Buffer.from(secret).toString('hex'), 'rare'],
  ['with SECRET= before it', (secret) => `SECRET=${secret}`, 'rare'],
  ['with secret= before it', (secret) => `secret=${secret}`, 'rare'],
  ['without its last character', (secret) => secret.slice(0, -1), 'rare'],
  ['without its first character', (secret) => secret.slice(1), 'rare'],
  ['in lower case', (secret) => secret.toLowerCase(), 'rare'],
  ['in upper case', (secret) => secret.toUpperCase(), 'rare'],
  ['as its SHA-256 in hex', (secret) => hashOf('sha256', Buffer.from(secret)), 'rare'],
  ['as its MD5 in hex', (secret) => hashOf('md5', Buffer.from(secret)), 'rare'],
];

function withoutPrefix(secret: string): string | null {
  return /^[a-z]+_(.+)$/s.exec(secret)?.[1] ?? null;
}

/** What stands where no secret was put in. */
const placeholders = [
  'las_...',
  '<SHARED_SECRET>',
  '{{sharedSecret}}',
  '{{secret}}',
  'undefined',
  'null',
  'None',
  '$LADING_SECRET',
  'secret',
];

/** The valid secrets of an account are right; whatever else may have been taken for one is not. */
export function keyCandidates(accountNo: string, valid: KeyObject[], ended: KeyObject[]): Candidate<KeyObject>[] {
  const altered = valid.slice(0, 1).flatMap((key) =>
    secretMistakes.flatMap(([words, transform, rarity]) => {
      const secret = key.export();
      const variant = transform(secret.toString('utf8'));
      const bytes = typeof variant === 'string' ? Buffer.from(variant) : variant;
      if (bytes === null || bytes.equals(secret)) return [];
      return [candidate(`The secret was used ${words}. Use it exactly as it was given.`, createSecretKey(bytes), rarity)];
    }),
  );
  return [
    ...valid.map((key) => candidate(null, key)),
    ...ended.map((key) => candidate('It was signed with a former secret of the account, which has ended. Use the current one.', key)),
    ...altered,
    candidate('It was signed with an empty secret. Check where the secret is read from.', createSecretKey(Buffer.alloc(0))),
    ...placeholders.map((text) =>
      candidate(
        `It was signed with "${text}" as the secret: where the secret should be, there is none yet.`,
        createSecretKey(text, 'utf8'),
        'rare',
      ),
    ),
    candidate(
      'It was signed with the account number as the secret. Use the secret of the account.',
      createSecretKey(accountNo, 'utf8'),
      'rare',
    ),
  ];
}

const secondsApartMax = 5;

/** The text that was signed as the timestamp; the header's own is right. */
export function timestampCandidates(header: string, seconds: number | null): Candidate<string>[] {
  if (seconds === null) return [candidate(null, header)];
  const apart = Array.from({ length: secondsApartMax }, (_, index) => index + 1).flatMap((distance) => [-distance, distance]);
  const others: [words: string, text: string, rarity?: Rarity][] = [
    ['in seconds', String(seconds)],
    ['in milliseconds', `${seconds}000`],
    ...apart.map((distance): [string, string, Rarity] => [
      `${Math.abs(distance)} s ${distance < 0 ? 'earlier' : 'later'}`,
      String(seconds + distance),
      'rare',
    ]),
  ];
  return [
    candidate(null, header),
    ...others.filter(([, text]) => text !== header).map(([words, text, rarity]) => candidate(words, text, rarity)),
  ];
}

/** Every millisecond of the second: who signs in milliseconds and sends seconds has cut them off. */
export function millisecondCandidates(seconds: number | null): Candidate<string>[] {
  if (seconds === null) return [];
  return Array.from({ length: 999 }, (_, index) => candidate('in milliseconds', `${seconds}${String(index + 1).padStart(3, '0')}`));
}
