import { errorMessage } from '../../../messages/errors.ts';
import type { Message } from '../../../messages/message.ts';

/**
 * Up to this many keys are compared one by one; larger objects use a Set, so that 100,000 keys do not take quadratic
 * time.
 */
const keysComparedMax = 24;
/**
 * The maximum number of keys that need a Set: more than any valid document has, and few enough that they do not delay
 * other requests.
 */
export const keysMax = 20_000;
const keyShownMax = 60;
/** Keys that change an object's prototype if they are assigned in a later merge or copy. */
const forbiddenKeys = ['__proto__', 'constructor'];
const forbiddenKeyBytes = forbiddenKeys.map((key) => Buffer.from(key));

/** The keys that were seen in the objects around the current position. */
export interface KeysInScan {
  /** Row `depth` contains the keys of the current object at that depth. */
  starts: Int32Array;
  ends: Int32Array;
  counts: Int32Array;
  sets: Set<string>[];
  /** The number of keys in the body that were checked with a Set. */
  inSets: number;
}
const countedInSet = -1;

export function makeKeysInScan(depthMax: number): KeysInScan {
  const places = (depthMax + 1) * keysComparedMax;
  return {
    starts: new Int32Array(places),
    ends: new Int32Array(places),
    counts: new Int32Array(depthMax + 1),
    sets: [],
    inSets: 0,
  };
}

/** Call it before the keys of a new object. */
export function forgetKeys(keys: KeysInScan, depth: number): void {
  keys.counts[depth] = 0;
}

/** Call it before a new body. */
export function forgetAllKeys(keys: KeysInScan): void {
  keys.inSets = 0;
  keys.sets = [];
  forgetKeys(keys, 0);
}

/** Finds a key that is forbidden or that its object has already. */
export function findKeyFault(
  body: Buffer,
  start: number,
  end: number,
  escaped: boolean,
  depth: number,
  keys: KeysInScan,
): Message | undefined {
  const { starts, ends, counts } = keys;
  const count = counts[depth]!;
  if (escaped || count === countedInSet || count === keysComparedMax)
    return findKeyFaultBySet(body, start, end, escaped, depth, keys);
  if (isForbidden(body, start, end)) return describeForbidden(body.toString('utf8', start, end), start);

  const row = depth * keysComparedMax;
  for (let other = row; other < row + count; other++) {
    const otherStart = starts[other]!;
    if (ends[other]! - otherStart === end - start && sameBytes(body, start, body, otherStart, end - start)) {
      return describeDuplicate(body.toString('utf8', start, end), start);
    }
  }
  starts[row + count] = start;
  ends[row + count] = end;
  counts[depth] = count + 1;
  return undefined;
}

/** Used for objects with many keys, and for keys with escapes, which must be decoded before they can be compared. */
function findKeyFaultBySet(
  body: Buffer,
  start: number,
  end: number,
  escaped: boolean,
  depth: number,
  keys: KeysInScan,
): Message | undefined {
  const key = decodeKey(body, start, end, escaped);
  if (key === undefined) return errorMessage('wrong_escape', { position: start });
  if (forbiddenKeys.includes(key)) return describeForbidden(key, start);

  if (keys.counts[depth] !== countedInSet) {
    const collected = collectKeys(body, depth, keys);
    keys.sets[depth] = collected;
    keys.counts[depth] = countedInSet;
    keys.inSets += collected.size;
  }
  const set = keys.sets[depth]!;
  if (set.has(key)) return describeDuplicate(key, start);
  if (++keys.inSets > keysMax) return errorMessage('too_many_keys', { keys: keysMax, position: start });
  set.add(key);
  return undefined;
}

function decodeKey(body: Buffer, start: number, end: number, escaped: boolean): string | undefined {
  if (!escaped) return body.toString('utf8', start, end);
  try {
    return JSON.parse(body.toString('utf8', start - 1, end + 1));
  } catch {
    return undefined;
  }
}

function collectKeys(body: Buffer, depth: number, { starts, ends, counts }: KeysInScan): Set<string> {
  const keys = new Set<string>();
  const row = depth * keysComparedMax;
  for (let at = row; at < row + counts[depth]!; at++) keys.add(body.toString('utf8', starts[at], ends[at]));
  return keys;
}

function isForbidden(body: Buffer, start: number, end: number): boolean {
  for (let index = 0; index < forbiddenKeyBytes.length; index++) {
    const forbidden = forbiddenKeyBytes[index]!;
    if (forbidden.length === end - start && sameBytes(body, start, forbidden, 0, end - start)) return true;
  }
  return false;
}

function sameBytes(left: Buffer, leftStart: number, right: Buffer, rightStart: number, length: number): boolean {
  for (let index = 0; index < length; index++) {
    if (left[leftStart + index] !== right[rightStart + index]) return false;
  }
  return true;
}

function describeForbidden(key: string, at: number): Message {
  return errorMessage('key_forbidden', { key: showKey(key), position: at });
}

function describeDuplicate(key: string, at: number): Message {
  return errorMessage('key_twice', { key: showKey(key), position: at });
}

/** Masks line breaks, direction marks and similar characters, so that a message stays on one line in a log. */
function showKey(key: string): string {
  const shown = key.slice(0, keyShownMax).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
  return `${shown}${key.length > keyShownMax ? '…' : ''}`;
}
