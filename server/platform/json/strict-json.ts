import { isUtf8 } from 'node:buffer';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { errorMessage } from '../../../messages/errors.ts';
import type { Message } from '../../../messages/message.ts';
import { LongDecimal, significantDigits } from './decimal.ts';
import { findSyntaxMistake } from './json-syntax.ts';
import { findKeyFault, forgetAllKeys, forgetKeys, type KeysInScan, makeKeysInScan } from './object-keys.ts';

export type JsonReading = { kind: 'value'; value: unknown } | { kind: 'refused'; message: Message };

export const depthMax = 32;
/**
 * The maximum number of fields, array entries, objects and arrays: more than any valid document of 1 MiB has, and few
 * enough that they do not delay other requests.
 */
export const valuesMax = 100_000;
/** More than any valid document has. */
export const longDecimalsMax = 1000;
export const longDecimalLengthMax = 1000;
/** A decimal with at most 15 significant digits is exact as a double, within the range of full precision. */
const plainMantissaLengthMax = 15;
const plainMagnitudeMax = 307;
const fullPrecisionMin = 2.2250738585072014e-308;
/**
 * Parses JSON strictly: ambiguous or lossy input is rejected. Positions count from 0.
 *
 * Whether a fraction with more digits than a double can represent may be rounded depends on its field. If `longDecimals` is given, such
 * a number is parsed as a LongDecimal and added to it, and the caller must reject those that were not rounded.
 */
export function readJson(bytes: Uint8Array, longDecimals?: LongDecimal[]): JsonReading {
  const wrong = notText(bytes);
  if (wrong !== undefined) return refused(wrong);
  const body = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

  // JSON.parse runs second because it takes 50 ms for a million open brackets, while the depth limit stops at 33.
  const scan = startScan(body, longDecimals, keysOfSmallBodies);
  scanUpTo(scan, body.length);
  return scan.fault === undefined ? parse(body, longDecimals) : refused(scan.fault);
}

/** The same in slices, between which other requests are served. */
export async function readLargeJson(
  body: Buffer,
  longDecimals?: LongDecimal[],
  sliceBytes = sliceMax,
): Promise<JsonReading> {
  const wrong = notText(body);
  if (wrong !== undefined) return refused(wrong);

  const scan = startScan(body, longDecimals, makeKeysInScan(depthMax));
  while (!scan.isOver) {
    scanUpTo(scan, scan.at + sliceBytes);
    await yieldToOthers();
  }
  return scan.fault === undefined ? parse(body, longDecimals) : refused(scan.fault);
}

/** A slice takes up to 5 ms. */
const sliceMax = 64 * 1024;

function notText(bytes: Uint8Array): Message | undefined {
  if (bytes.length === 0) return errorMessage('no_body');
  if (!isUtf8(bytes)) return errorMessage('not_utf8');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return errorMessage('byte_order_mark');
  return undefined;
}

function parse(body: Buffer, longDecimals: LongDecimal[] | undefined): JsonReading {
  const text = body.toString('utf8');
  try {
    return { kind: 'value', value: longDecimals?.length ? parseWith(longDecimals, text) : JSON.parse(text) };
  } catch {
    return refused(describeSyntax(text));
  }
}

/** The reviver visits the same numbers, but in a different order if keys look like array indexes. */
function parseWith(longDecimals: LongDecimal[], text: string): unknown {
  const byLiteral = Map.groupBy(longDecimals, ({ literal }) => literal);
  return (JSON.parse as ParseWithSource)(text, (_key, value, { source }) =>
    typeof value === 'number' ? (byLiteral.get(source!)?.shift() ?? value) : value,
  );
}

/** The types of TypeScript do not include the third argument of a reviver yet. */
type ParseWithSource = (
  text: string,
  reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
) => unknown;

function refused(message: Message): JsonReading {
  return { kind: 'refused', message };
}

const quote = 0x22;
const plus = 0x2b;
const comma = 0x2c;
const minus = 0x2d;
const point = 0x2e;
const digitZero = 0x30;
const digitNine = 0x39;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const letterE = 0x65;
const letterU = 0x75;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const lowerCaseBit = 0x20;

/** Reused, because such a body is scanned without a pause. */
const keysOfSmallBodies = makeKeysInScan(depthMax);

/** How far a scan has come. */
interface Scan {
  body: Buffer;
  longDecimals: LongDecimal[] | undefined;
  keys: KeysInScan;
  depth: number;
  at: number;
  values: number;
  isOver: boolean;
  fault: Message | undefined;
}

function startScan(body: Buffer, longDecimals: LongDecimal[] | undefined, keys: KeysInScan): Scan {
  forgetAllKeys(keys);
  return { body, longDecimals, keys, depth: 0, at: 0, values: 1, isOver: false, fault: undefined };
}

/** Scans the tokens that begin before `end`. */
function scanUpTo(scan: Scan, end: number): void {
  scan.fault = findFault(scan, Math.min(end, scan.body.length));
  scan.isOver ||= scan.fault !== undefined || scan.at >= scan.body.length;
}

/**
 * Scans the bytes for content that JSON.parse would accept or alter. The grammar is left to JSON.parse: for a text that
 * is not JSON, this pass only has to terminate, because JSON.parse rejects the text afterwards.
 */
function findFault(scan: Scan, scanEnd: number): Message | undefined {
  const { body, longDecimals, keys } = scan;
  const length = body.length;
  let { depth, at, values } = scan;
  while (at < scanEnd) {
    const byte = body[at]!;
    if (byte === quote) {
      const start = at + 1;
      let end = skipPlain(body, start);
      const escaped = end < length && body[end] === backslash;
      if (escaped) {
        end = skipEscaped(body, end);
        if (end < 0) return describeEscape(body, -end);
      }
      at = skipSpace(body, end + 1);
      if (at < length && body[at] === colon) {
        const fault = findKeyFault(body, start, end, escaped, depth, keys);
        if (fault !== undefined) return fault;
        at++;
      }
    } else if ((byte >= digitZero && byte <= digitNine) || byte === minus) {
      const start = at;
      const mantissaEnd = skipDigits(body, start + 1);
      at = skipExponent(body, mantissaEnd);
      if (!isPlainNumber(body, start, mantissaEnd, at)) {
        const literal = body.toString('latin1', start, at);
        if (!survivesDouble(literal, mantissaEnd - start) && !keepAsLongDecimal(literal, start, longDecimals)) {
          return describeAltered(start);
        }
      }
    } else if (byte === openBrace || byte === openBracket) {
      depth++;
      if (depth > depthMax) return errorMessage('too_deep', { levels: depthMax, position: at });
      if (++values > valuesMax) return describeValues(at);
      forgetKeys(keys, depth);
      at++;
    } else if (byte === comma) {
      if (++values > valuesMax) return describeValues(at);
      at++;
    } else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 0) {
        scan.isOver = true;
        return undefined;
      }
      depth--;
      at++;
    } else {
      at++;
    }
  }
  scan.depth = depth;
  scan.at = at;
  scan.values = values;
  return undefined;
}

export function describeAltered(at: number): Message {
  return errorMessage('inexact_number', { position: at });
}

function describeValues(at: number): Message {
  return errorMessage('too_many_values', { values: valuesMax, position: at });
}

function skipPlain(body: Buffer, from: number): number {
  let at = from;
  while (at < body.length && body[at] !== quote && body[at] !== backslash) at++;
  return at;
}

/** Returns the end of the string, or a negative number for the position of the first escape that cannot be stored. */
function skipEscaped(body: Buffer, from: number): number {
  let at = from;
  while (at < body.length && body[at] !== quote) {
    const unit = body[at + 1] === letterU ? hexUnit(body, at + 2) : -1;
    if (unit === 0 || isLowSurrogate(unit)) return -at;
    if (isHighSurrogate(unit)) {
      const paired = body[at + 6] === backslash && body[at + 7] === letterU && isLowSurrogate(hexUnit(body, at + 8));
      if (!paired) return -at;
      at += 10;
    }
    at = skipPlain(body, at + 2);
  }
  return at;
}

/** Returns the UTF-16 code unit of four hexadecimal digits, or a negative number if they are not digits. */
function hexUnit(body: Buffer, at: number): number {
  return (
    (hexDigit(body[at]) << 12) | (hexDigit(body[at + 1]) << 8) | (hexDigit(body[at + 2]) << 4) | hexDigit(body[at + 3])
  );
}

function hexDigit(byte = 0): number {
  if (byte >= digitZero && byte <= digitNine) return byte - digitZero;
  const letter = byte | lowerCaseBit;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function describeEscape(body: Buffer, at: number): Message {
  return hexUnit(body, at + 2) === 0
    ? errorMessage('nul_character', { position: at })
    : errorMessage('half_surrogate', { position: at });
}

function skipSpace(body: Buffer, from: number): number {
  let at = from;
  while (at < body.length && body[at]! <= 0x20) at++;
  return at;
}

function skipDigits(body: Buffer, from: number): number {
  let at = from;
  while (at < body.length && ((body[at]! >= digitZero && body[at]! <= digitNine) || body[at] === point)) at++;
  return at;
}

function skipExponent(body: Buffer, from: number): number {
  if (from >= body.length || (body[from]! | lowerCaseBit) !== letterE) return from;
  const sign = body[from + 1];
  return skipDigits(body, sign === plus || sign === minus ? from + 2 : from + 1);
}

/** Accepts ordinary numbers by their length alone, without creating a string. */
function isPlainNumber(body: Buffer, start: number, mantissaEnd: number, end: number): boolean {
  if (mantissaEnd - start > plainMantissaLengthMax) return false;
  let exponent = 0;
  for (let at = mantissaEnd + 1; at < end; at++) {
    if (body[at]! >= digitZero) exponent = Math.min(exponent * 10 + body[at]! - digitZero, plainMagnitudeMax + 1);
  }
  return mantissaEnd - start + exponent <= plainMagnitudeMax;
}

/** Whether the nearest double prints as the same decimal as the literal. */
function survivesDouble(literal: string, mantissaLength: number): boolean {
  const value = Number(literal);
  if (Number.isNaN(value)) return true;
  if (!Number.isFinite(value)) return false;
  if (mantissaLength <= plainMantissaLengthMax && Math.abs(value) >= fullPrecisionMin) return true;
  const printed = String(value);
  return printed === literal || canonicalDecimal(printed) === canonicalDecimal(literal);
}

function canonicalDecimal(literal: string): string {
  const { digits, exponent } = significantDigits(literal);
  return `${digits}e${exponent}`;
}

/** Only fractions may be rounded; rounding an integer would change its meaning. */
function keepAsLongDecimal(literal: string, at: number, longDecimals: LongDecimal[] | undefined): boolean {
  if (longDecimals === undefined || longDecimals.length === longDecimalsMax || literal.length > longDecimalLengthMax)
    return false;
  const { digits, exponent } = significantDigits(literal);
  if (exponent >= digits.length) return false;
  longDecimals.push(new LongDecimal(literal, at));
  return true;
}

/** Uses our own scan, because the engine often reports no position and quotes the body. */
function describeSyntax(text: string): Message {
  const mistake = findSyntaxMistake(text);
  switch (mistake.kind) {
    case 'ends_early':
      return errorMessage('ends_early');
    case 'comma_before_close':
      return errorMessage('trailing_comma', { position: mistake.at });
    case 'unexpected':
      return errorMessage('not_json', { position: mistake.at });
    default:
      return mistake satisfies never;
  }
}
