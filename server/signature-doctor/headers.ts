import type { IncomingHttpHeaders } from 'node:http';
import { diagnosis } from '../../messages/diagnosis-texts.ts';
import type { Message } from '../../messages/message.ts';

/** A value as the caller probably meant it, and what is wrong with the way it was sent. */
export interface Reading<Value> {
  value: Value;
  findings: Message[];
}

export type SignedHeader = 'account-no' | 'timestamp' | 'sign';

/** Names, without x-, - and _, under which other services expect the same value. */
const otherNames: Record<SignedHeader, RegExp> = {
  'account-no': /^(account(no|number|id|code)?|clientid|appid|apikey|merchantid|partnerid)$/,
  timestamp: /^((api)?timestamp|time|ts|unixtime|requesttime|signtime|datetime|date)$/,
  sign: /^((api)?sign|signed|(request|hub)?signature(256)?|hmac(sha256)?|authorization)$/,
};

/** Longer values are ignored, so that a diagnosis takes little time whatever is sent. */
const lengthsMax: Record<SignedHeader, number> = { 'account-no': 125, timestamp: 64, sign: 256 };
const namesMax = 200;
const queryLengthMax = 2048;

export function readHeader(name: SignedHeader, headers: IncomingHttpHeaders, url: string): Reading<string | null> {
  const { value, findings } = findHeader(name, headers, url);
  const max = lengthsMax[name];
  if (value === null || value.length <= max) return { value, findings };
  return { value: null, findings: [...findings, diagnosis('header_too_long', { name, max })] };
}

function findHeader(name: SignedHeader, headers: IncomingHttpHeaders, url: string): Reading<string | null> {
  const given = textOf(headers[name]);
  // Node joins the values of a repeated header. A timestamp that is an HTTP date has a comma of its own.
  const [first, second] = given?.split(', ', 2) ?? [];
  if (second !== undefined && second.length === first!.length)
    return { value: first!, findings: [diagnosis('header_twice', { name })] };
  if (given) return { value: given, findings: [] };

  const isSimilar = (other: string) =>
    otherNames[name].test(other.slice(0, 40).toLowerCase().replace(/^x-/, '').replace(/[-_]/g, ''));
  const other = Object.keys(headers)
    .slice(0, namesMax)
    .find((one) => one !== name && isSimilar(one));
  if (other !== undefined)
    return { value: textOf(headers[other]), findings: [diagnosis('header_renamed', { name, other })] };
  const query = new URLSearchParams((url.split('?', 2)[1] ?? '').slice(0, queryLengthMax));
  const inQuery = [...query].find(([one]) => isSimilar(one));
  if (inQuery) return { value: inQuery[1], findings: [diagnosis('header_in_query', { name })] };
  return { value: null, findings: [diagnosis('header_missing', { name })] };
}

function textOf(value: string | string[] | undefined): string | null {
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}

const firstTenDigits = (text: string) => Number(text.slice(0, 10));

/** The first pattern that matches applies; null for the right form. */
const timestampForms: [pattern: RegExp, finding: Message | null, secondsOf: (text: string) => number][] = [
  [/^\d{10}$/, null, Number],
  [/^\d{13}$/, diagnosis('timestamp_milliseconds'), firstTenDigits],
  [/^\d{16}$|^\d{19}$/, diagnosis('timestamp_finer'), firstTenDigits],
  [/^\d{10}\.\d+$/, diagnosis('timestamp_fraction'), firstTenDigits],
  [/^\d{14}$/, diagnosis('timestamp_date'), secondsOfDigits],
  [/^\d{4}[-/]\d\d[-/]\d\d/, diagnosis('timestamp_date'), secondsOfDate],
  [/^[A-Z][a-z]{2}, \d/, diagnosis('timestamp_date'), secondsOfDate],
];

/** The Unix time in seconds; null where it cannot be read. */
export function readTimestamp(text: string): Reading<number | null> {
  const bare = unwrap(text);
  const [, finding, secondsOf] = timestampForms.find(([pattern]) => pattern.test(bare)) ?? [];
  const seconds = secondsOf?.(bare) ?? Number.NaN;
  if (!Number.isSafeInteger(seconds) || seconds <= 0)
    return { value: null, findings: [diagnosis('timestamp_unreadable')] };
  const wrapped = bare === text ? [] : [diagnosis('timestamp_wrapped')];
  return { value: seconds, findings: [...wrapped, ...(finding ? [finding] : [])] };
}

/** Removes quotes and white space at both ends; without a pattern, which would backtrack over long values. */
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
const zoneMaxHours = 14;

export function findSkew(seconds: number, nowSeconds: number, max: number): Message[] {
  const skew = seconds - nowSeconds;
  if (Math.abs(skew) <= max) return [];
  const hours = Math.round(skew / halfHourSeconds) / 2;
  const isZone = hours !== 0 && Math.abs(hours) <= zoneMaxHours && Math.abs(skew - hours * 3600) <= max;
  return [isZone ? diagnosis('local_time', { hours }) : diagnosis('clock_skew', { seconds: skew, max })];
}

/** The digest that `sign` stands for. */
export interface Digest {
  algorithm: 'sha256' | 'sha1' | 'md5' | 'sha512';
  matches(digest: Buffer): boolean;
}

const algorithms: [algorithm: Digest['algorithm'], called: string, bytes: number][] = [
  ['sha256', 'SHA-256', 32],
  ['md5', 'MD5', 16],
  ['sha1', 'SHA-1', 20],
  ['sha512', 'SHA-512', 64],
];

/** A prefix such as sha256= or v1, but not the first byte of a hash with separators. */
const label = /^(0x|(?![0-9a-f]{2}:)[a-z][a-z0-9-]{0,20}[=:, ]+)/i;

const hexOf = (text: string) => Buffer.from(text, 'hex');
const hexOfText = (bytes: Buffer) => (/^[0-9a-f]{64}$/i.test(bytes.toString('latin1')) ? hexOf(String(bytes)) : null);

/** Unambiguous forms come first; null for the right form. */
const signForms: [pattern: RegExp, finding: Message | null, bytesOf: (text: string) => Buffer | null][] = [
  [/^[0-9a-f]{128}$/i, diagnosis('sign_encoded_twice'), (text) => hexOfText(hexOf(text))],
  [/^[\w+/-]+=*$/, diagnosis('sign_encoded_twice'), (text) => hexOfText(Buffer.from(text, 'base64'))],
  [/^[0-9a-f]+$/, null, hexOf],
  [/^[0-9a-f]+$/i, diagnosis('sign_upper_case'), hexOf],
  [/^([0-9a-f]{2}[-: ])+[0-9a-f]{2}$/i, diagnosis('sign_separated'), (text) => hexOf(text.replace(/[-: ]/g, ''))],
  [/^[\w+/-]+=*$/, diagnosis('sign_base64'), (text) => Buffer.from(text, 'base64')],
];

/** Every way to read it, the most likely first; none for a text that is no hash in any form we know. */
export function readSign(text: string): Reading<Digest>[] {
  const unwrapped = unwrap(text);
  const [inside, ...others] = unwrapped.match(/(?<![0-9a-z])[0-9a-f]{64}(?![0-9a-z])/gi) ?? [];
  const bare = inside !== undefined && others.length === 0 ? inside : unwrapped.replace(label, '');
  const around = [
    ...(unwrapped === text ? [] : [diagnosis('sign_wrapped')]),
    ...(bare === unwrapped ? [] : [diagnosis('sign_labelled')]),
  ];
  const readings = signForms.flatMap(([pattern, finding, bytesOf]): Reading<Digest>[] => {
    const bytes = pattern.test(bare) ? bytesOf(bare) : null;
    const [algorithm, hash] = algorithms.find(([, , length]) => length === bytes?.length) ?? [];
    if (bytes === null || algorithm === undefined) return [];
    const otherHash = algorithm === 'sha256' ? [] : [diagnosis('sign_other_hash', { hash: hash! })];
    const findings = [...around, ...(finding === null ? [] : [finding]), ...otherHash];
    return [{ value: { algorithm, matches: (digest) => digest.equals(bytes) }, findings }];
  });
  if (/^[0-9a-f]{64}$/i.test(bare)) return readings.slice(0, 1);
  return [...readings, ...(/^[0-9a-f]{40,63}$/i.test(bare) ? [withoutZeros(bare.toLowerCase(), around)] : [])];
}

/** BigInteger.toString(16) drops the zeros at the beginning, %x drops the first zero of each byte. */
function withoutZeros(text: string, around: Message[]): Reading<Digest> {
  const matches = (digest: Buffer) =>
    digest.toString('hex').replace(/^0+/, '') === text ||
    Array.from(digest, (byte) => byte.toString(16)).join('') === text;
  return { value: { algorithm: 'sha256', matches }, findings: [...around, diagnosis('sign_without_zeros')] };
}
