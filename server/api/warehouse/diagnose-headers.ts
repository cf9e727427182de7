import type { IncomingHttpHeaders } from 'node:http';

export type SignedHeader = 'account-no' | 'timestamp' | 'sign';

/** The three headers as far as they, or what was meant to be them, came; and what is wrong with how they came. */
export interface ReadHeaders {
  values: Record<SignedHeader, string | null>;
  findings: string[];
}

const signedHeaders: SignedHeader[] = ['account-no', 'timestamp', 'sign'];

/** Names, without x-, - and _, under which the same thing is sent elsewhere. */
const otherNames: Record<SignedHeader, string[]> = {
  'account-no': [
    'accountno',
    'account',
    'accountnumber',
    'accountid',
    'accountcode',
    'clientid',
    'appid',
    'apikey',
    'merchantid',
    'partnerid',
  ],
  timestamp: ['timestamp', 'time', 'ts', 'unixtime', 'requesttime', 'signtime', 'apitimestamp', 'datetime', 'date'],
  sign: [
    'sign',
    'signature',
    'signed',
    'hmac',
    'hmacsha256',
    'hubsignature',
    'hubsignature256',
    'apisign',
    'requestsignature',
    'authorization',
  ],
};

/** Longer than any value that could have been meant: nothing longer is looked at, so that looking takes no time to speak of. */
const lengthsMax: Record<SignedHeader, number> = { 'account-no': 125, timestamp: 64, sign: 256 };
const namesLookedAtMax = 200;
const queryLookedAtMax = 2048;

export function readSignedHeaders(headers: IncomingHttpHeaders, url: string): ReadHeaders {
  const reading: ReadHeaders = { values: { 'account-no': null, timestamp: null, sign: null }, findings: [] };
  for (const name of signedHeaders) {
    const { value, finding } = readHeader(name, headers, url);
    const isTooLong = value !== null && value.length > lengthsMax[name];
    reading.values[name] = isTooLong ? null : value;
    if (finding !== null) reading.findings.push(finding);
    if (isTooLong) reading.findings.push(`What came as ${name} is far too long: ${lengthsMax[name]} characters are more than enough.`);
  }
  return reading;
}

function readHeader(name: SignedHeader, headers: IncomingHttpHeaders, url: string): { value: string | null; finding: string | null } {
  const given = textOf(headers[name]);
  // Node joins what came twice; a timestamp as an HTTP date has a comma of its own.
  const [first, second] = given?.split(', ', 2) ?? [];
  if (second !== undefined && second.length === first!.length) {
    return { value: first!, finding: `The header ${name} came twice: send it once (a proxy may have added the other).` };
  }
  if (given) return { value: given, finding: null };

  const missing = given === '' ? `The header ${name} is empty` : `The header ${name} is missing`;
  const similar = Object.keys(headers)
    .slice(0, namesLookedAtMax)
    .find((other) => other !== name && isSimilar(other, name));
  if (similar !== undefined) {
    return { value: textOf(headers[similar]), finding: `${missing}, and a header ${similar} came: rename it to ${name}.` };
  }
  const query = (url.split('?', 2)[1] ?? '').slice(0, queryLookedAtMax);
  const inQuery = [...new URLSearchParams(query)].find(([other]) => isSimilar(other, name));
  if (inQuery) return { value: inQuery[1], finding: `${missing}, and its value came in the query of the URL: send it as a header.` };
  return { value: null, finding: `${missing}, and none with a similar name came: send it (a proxy may have dropped it).` };
}

function textOf(value: string | string[] | undefined): string | null {
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}

function isSimilar(other: string, name: SignedHeader): boolean {
  const bare = other.toLowerCase().replace(/^x-/, '').replace(/[-_]/g, '');
  return otherNames[name].includes(bare);
}

/** `finding` is null for what is as it should be; `seconds` for what cannot be understood at all. */
export interface ReadTimestamp {
  finding: string | null;
  seconds: number | null;
}

const sendSeconds = 'send Unix time in seconds, 10 digits';

/** [pattern, how it came, Unix seconds of it], the first that fits. */
const timestampForms: [pattern: RegExp, words: string | null, secondsOf: (text: string) => number][] = [
  [/^\d{10}$/, null, Number],
  [/^\d{13}$/, 'is in milliseconds', (text) => Number(text.slice(0, 10))],
  [/^\d{16}$/, 'is in microseconds', (text) => Number(text.slice(0, 10))],
  [/^\d{19}$/, 'is in nanoseconds', (text) => Number(text.slice(0, 10))],
  [/^\d{10}\.\d+$/, 'has a fraction', (text) => Number(text.slice(0, 10))],
  [/^\d{14}$/, 'is a date (YYYYMMDDhhmmss)', secondsOfDigits],
  [/^["'].*["']$/, 'has quotes around it', secondsOfWrapped],
  [/^\s|\s$/, 'has white space around it', secondsOfWrapped],
  [/^\+?0*\d{10}$/, 'has a sign or zeros before it', Number],
  [/^\d{4}[-/]\d\d[-/]\d\d/, 'is a date', secondsOfDate],
  [/^[A-Z][a-z]{2}, \d/, 'is an HTTP date', secondsOfDate],
];

export function readTimestamp(text: string): ReadTimestamp {
  const [, words, secondsOf] = timestampForms.find(([pattern]) => pattern.test(text)) ?? [null, 'cannot be read', () => Number.NaN];
  const seconds = secondsOf(text);
  return {
    finding: words === null ? null : `The timestamp ${words}: ${sendSeconds}.`,
    seconds: Number.isSafeInteger(seconds) && seconds > 0 ? seconds : null,
  };
}

function secondsOfWrapped(text: string): number {
  const bare = unwrap(text);
  return timestampForms.find(([pattern]) => pattern.test(bare))?.[2](bare) ?? Number.NaN;
}

/** Without the quotes and the white space around it; by hand, because a pattern for the end is tried from every place. */
function unwrap(text: string): string {
  const isWrapping = (at: number) => /[\s"']/.test(text[at]!);
  let start = 0;
  let end = text.length;
  while (start < end && isWrapping(start)) start++;
  while (end > start && isWrapping(end - 1)) end--;
  return text.slice(start, end);
}

function secondsOfDate(text: string): number {
  const isZoned = /(z|gmt|utc|[+-]\d\d:?\d\d)$/i.test(text);
  return Math.floor(Date.parse(isZoned ? text : `${text.replace(' ', 'T')}Z`) / 1000);
}

function secondsOfDigits(text: string): number {
  return secondsOfDate(text.replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6'));
}

const halfHourSeconds = 1800;
const zonesMaxSeconds = 14 * 3600;

/** null where the clock is right enough. */
export function findSkew(seconds: number, nowSeconds: number, skewMaxSeconds: number): string | null {
  const skew = seconds - nowSeconds;
  if (Math.abs(skew) <= skewMaxSeconds) return null;
  const off = `The timestamp is ${Math.abs(skew)} s ${skew < 0 ? 'behind' : 'ahead of'} our clock, where ${skewMaxSeconds} s are allowed`;
  const halfHours = Math.round(skew / halfHourSeconds);
  const isZone = halfHours !== 0 && Math.abs(skew) <= zonesMaxSeconds && Math.abs(skew - halfHours * halfHourSeconds) <= skewMaxSeconds;
  if (!isZone) return `${off}: set the clock (NTP), and sign each try anew.`;
  const place = Math.abs(halfHours) === 16 ? ', which is the zone of Taipei' : '';
  return `${off}. That is ${Math.abs(halfHours) / 2} hours${place}: local time was taken for UTC. Unix time is the same everywhere.`;
}

/** A way to understand `sign`: the bytes it stands for, whole or their beginning. */
export interface ReadSign {
  finding: string | null;
  algorithm: 'sha256' | 'sha1' | 'md5' | 'sha384' | 'sha512';
  digest: Buffer;
  /** Its bytes without their leading zeros (as %x writes them), where it may be that: then two digests are compared in this form. */
  unpadded?: string;
}

const sendHex = 'send 64 lowercase hex digits';
/** Such as sha256= or v1, but not the first byte of a hash with separators between its bytes. */
const prefix = /^(0x|(?![0-9a-f]{2}:)[a-z][a-z0-9-]{0,20}[=:, ]+)/i;

const otherHashes: [algorithm: ReadSign['algorithm'], called: string, bytes: number][] = [
  ['md5', 'MD5', 16],
  ['sha1', 'SHA-1', 20],
  ['sha384', 'SHA-384', 48],
  ['sha512', 'SHA-512', 64],
];
const digestBytes = 32;
const truncatedMinBytes = 8;

/** [pattern, how it came, the bytes], those first that cannot be mistaken. */
const signForms: [pattern: RegExp, words: string | null, bytesOf: (text: string) => Buffer][] = [
  [/^([0-9a-f]{2})+$/i, 'is the hex of its hex text', (text) => hexOfText(Buffer.from(text, 'hex').toString('latin1'))],
  [/^[A-Za-z0-9+/_-]+=*$/, 'is the base64 of its hex text', (text) => hexOfText(Buffer.from(text, 'base64').toString('latin1'))],
  [/^[0-9a-f]+$/, null, (text) => Buffer.from(text, 'hex')],
  [/^(?=[0-9]*[A-F])[0-9A-F]+$/, 'is in upper-case hex', (text) => Buffer.from(text, 'hex')],
  [/^(?=.*[a-f])(?=.*[A-F])[0-9a-fA-F]+$/, 'is in hex of mixed case', (text) => Buffer.from(text, 'hex')],
  [/^([0-9a-f]{2}[-: ])+[0-9a-f]{2}$/i, 'has separators between its bytes', (text) => Buffer.from(text.replace(/[-: ]/g, ''), 'hex')],
  [/^[0-9a-f]{50,63}$/i, 'lacks its leading zeros', (text) => Buffer.from(text.padStart(64, '0'), 'hex')],
  [/^[A-Za-z0-9+/]+=*$/, 'is in base64', (text) => Buffer.from(text, 'base64')],
  [/^[A-Za-z0-9_-]+=*$/, 'is in base64url', (text) => Buffer.from(text, 'base64url')],
];

function hexOfText(text: string): Buffer {
  return /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.alloc(0);
}

/** Every way in which it can be understood, the most likely first; none for what is no hash in any form we know. */
export function readSign(text: string): ReadSign[] {
  const unwrapped = unwrap(text);
  const [inside, ...others] = unwrapped.match(/(?<![0-9a-z])[0-9a-f]{64}(?![0-9a-z])/gi) ?? [];
  const bare = inside !== undefined && others.length === 0 ? inside : unwrapped.replace(prefix, '');
  const wrapping = [
    unwrapped === text ? [] : ['has quotes or white space around it'],
    bare === unwrapped ? [] : ['has other text around it (a label of openssl, a prefix)'],
  ].flat();
  const readings = signForms.flatMap(([pattern, words, bytesOf]) => {
    if (!pattern.test(bare)) return [];
    const bytes = bytesOf(bare);
    const length = lengthOf(bytes);
    if (length === null) return [];
    const wrong = [...wrapping, ...(words === null ? [] : [words]), ...(length.words === null ? [] : [length.words])];
    const finding = wrong.length === 0 ? null : `The header sign ${wrong.join(' and ')}: ${sendHex}.`;
    return [{ finding, algorithm: length.algorithm, digest: bytes }];
  });
  if (readings[0]?.digest.length === digestBytes) return readings.slice(0, 1);
  return [...readings, ...(/^[0-9a-f]{40,63}$/i.test(bare) ? [unpaddedReading(bare)] : [])];
}

function unpaddedReading(text: string): ReadSign {
  const finding = `The header sign lacks the leading zero of some of its bytes (%x instead of %02x): ${sendHex}.`;
  return { finding, algorithm: 'sha256', digest: Buffer.alloc(digestBytes), unpadded: text.toLowerCase() };
}

export function unpaddedHex(digest: Buffer): string {
  return Array.from(digest, (byte) => byte.toString(16)).join('');
}

function lengthOf(bytes: Buffer): { words: string | null; algorithm: ReadSign['algorithm'] } | null {
  if (bytes.length === digestBytes) return { words: null, algorithm: 'sha256' };
  const other = otherHashes.find(([, , length]) => length === bytes.length);
  if (other) return { words: `is as long as ${other[1]}, not SHA-256`, algorithm: other[0] };
  if (bytes.length < truncatedMinBytes || bytes.length > digestBytes) return null;
  return { words: `stands for ${bytes.length} bytes, not 32`, algorithm: 'sha256' };
}
