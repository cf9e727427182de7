/** A moment to the microsecond, as PostgreSQL keeps the times of commits. */
export interface Moment {
  /** Microseconds since 1970. */
  micros: bigint;
  /** In a form that PostgreSQL reads. */
  text: string;
}

const pattern = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?(Z|[+-]\d{2}:\d{2})?$/;
const offsetOfTaipei = '+08:00';
const microsPerMs = 1000n;

/** RFC 3339, or without an offset a time in Asia/Taipei. undefined if it is neither. */
export function parseMoment(given: string): Moment | undefined {
  const [, day, time, fraction = '', offset = offsetOfTaipei] = pattern.exec(given.trim().toUpperCase()) ?? [];
  if (!day || !time) return undefined;
  const ms = Date.parse(`${day}T${time}${offset}`);
  // JavaScript reads the 30th of February as the 2nd of March.
  if (Number.isNaN(ms) || Number.isNaN(Date.parse(`${day}T00:00:00Z`))) return undefined;
  if (new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) !== day) return undefined;
  const micros = BigInt(ms) * microsPerMs + BigInt(fraction.padEnd(6, '0'));
  return { micros, text: `${day} ${time}.${fraction.padEnd(6, '0')}${offset === 'Z' ? '+00:00' : offset}` };
}
