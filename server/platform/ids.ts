import { randomFillSync } from 'node:crypto';

const poolBytes = 4096;
const pool = Buffer.alloc(poolBytes);
let used = poolBytes;

/** So many random bytes, as hex; out of a pool, because asking the system for a few costs as much as for many. */
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

/** A UUID of version 7: its first 48 bits are the time in milliseconds, so that an index on it grows at one end only. */
export function newTraceId(nowMs: number): string {
  const bytes = take(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** An event's number is made as a trace id is. */
export const newEventId = newTraceId;

/** The instant a trace id was made at; null for anything that is not one of ours. */
export function timeOfTraceId(traceId: string): Date | null {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(traceId)) return null;
  return new Date(Number.parseInt(traceId.slice(0, 8) + traceId.slice(9, 13), 16));
}

/** No trace id of this instant or a later one comes before it, and no other behind it. */
export function lowestTraceIdAt(instant: Date): string {
  const hex = instant.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
