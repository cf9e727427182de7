export type ColumnType = 'text' | 'smallint' | 'integer' | 'bigint' | 'date' | 'timestamptz' | 'uuid';

/** A value in the order of PostgreSQL; null comes after all others. */
export type OrderKey = Buffer | bigint | number | null;

/** Compares rows of several statements as PostgreSQL would have sorted them in one. */
export function compareKeys(left: readonly OrderKey[], right: readonly OrderKey[], descending: boolean): number {
  for (let index = 0; index < left.length; index++) {
    const order = compareKey(left[index]!, right[index]!);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

function compareKey(left: OrderKey, right: OrderKey): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  if (Buffer.isBuffer(left) || Buffer.isBuffer(right)) return Buffer.compare(left as Buffer, right as Buffer);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The key of a value that PostgreSQL has written as text. */
export function keyOf(text: string | null, type: ColumnType): OrderKey {
  if (text === null) return null;
  switch (type) {
    case 'text':
    case 'uuid':
      // The columns have the collation "C", which compares bytes; JavaScript compares UTF-16 units.
      return Buffer.from(text);
    case 'smallint':
    case 'integer':
    case 'bigint':
      return BigInt(text);
    case 'date':
    case 'timestamptz':
      return instantOf(text);
    default:
      return type satisfies never;
  }
}

const isoInstant = /^(\d{4,})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?([+-]\d\d)(?::(\d\d))?)?( BC)?$/;

/** Microseconds since 1970; of a date, at its beginning. A Date has only milliseconds. */
function instantOf(text: string): bigint | number {
  if (text === 'infinity') return Number.POSITIVE_INFINITY;
  if (text === '-infinity') return Number.NEGATIVE_INFINITY;
  const parts = isoInstant.exec(text);
  if (parts === null) throw new Error(`not an instant of PostgreSQL: ${text}`);
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = '', zone = '+00', zoneMinute = 0, era] =
    parts;
  const sinceEpoch = new Date(0).setUTCFullYear(era ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day));
  const zoneMinutes = Number(zone) * 60 + (zone.startsWith('-') ? -1 : 1) * Number(zoneMinute);
  const seconds = (Number(hour) * 60 + Number(minute) - zoneMinutes) * 60 + Number(second);
  return BigInt(sinceEpoch + seconds * 1000) * 1000n + BigInt(fraction.padEnd(6, '0'));
}
