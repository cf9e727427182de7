import { randomFillSync } from 'node:crypto';

const poolBytes = 4096;
const pool = Buffer.alloc(poolBytes);
let used = poolBytes;

/**
 * Random bytes as hex, taken from a pool because requesting a few bytes from the system costs as much as requesting
 * many.
 */
export function randomHex(bytesWanted: number): string {
  return take(bytesWanted).toString('hex');
}

function take(bytesWanted: number): Buffer {
  if (used + bytesWanted > poolBytes) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytesWanted;
  return pool.subarray(used - bytesWanted, used);
}

/** A version 7 UUID: the first 48 bits are the time in milliseconds, so that an index on it only grows at one end. */
export function newTraceId(nowMs: number): string {
  const bytes = take(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Event IDs have the same format as trace ids. */
export const newEventId = newTraceId;

/** The creation time of a trace id; null if it is not one of ours. */
export function timeOfTraceId(traceId: string): Date | null {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(traceId)) return null;
  return new Date(Number.parseInt(traceId.slice(0, 8) + traceId.slice(9, 13), 16));
}

/** The lower bound of all trace ids created at this time or later. */
export function lowestTraceIdAt(instant: Date): string {
  const hex = instant.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
