/** A stretch of the write-ahead log on one timeline. Positions have the form that PostgreSQL prints, such as `0/2000028`. */
export interface WalRange {
  timeline: number;
  start: string;
  end: string;
  segmentBytes: number;
}

const segmentName = /^[0-9A-F]{24}/;

export function positionOf(text: string): bigint {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** The files that hold this part of the log, the oldest first. */
export function segmentsOf({ timeline, start, end, segmentBytes }: WalRange): string[] {
  const size = BigInt(segmentBytes);
  const first = positionOf(start) / size;
  // The position at the end is that of the next byte, which may be in the next file.
  const last = (positionOf(end) - 1n) / size;
  const perFile = 0x1_0000_0000n / size;
  return Array.from({ length: Number(last - first) + 1 }, (_, index) => {
    const number = first + BigInt(index);
    return [BigInt(timeline), number / perFile, number % perFile].map(eightDigits).join('');
  });
}

function eightDigits(number: bigint): string {
  return number.toString(16).toUpperCase().padStart(8, '0');
}

/**
 * Whether this file of the archive is older than a segment. Timelines are ignored, as in pg_archivecleanup: positions
 * grow over all timelines. Histories of timelines are small and are never too old.
 */
export function isOlderThan(file: string, segment: string): boolean {
  return segmentName.test(file) && file.slice(8, 24) < segment.slice(8, 24);
}

/** One switch to another timeline, from the history file of a later one. */
interface TimelineSwitch {
  timeline: number;
  at: bigint;
}

export function parseHistory(text: string): TimelineSwitch[] {
  return text.split('\n').flatMap((line) => {
    const [, timeline, at] = /^\s*(\d+)\s+([0-9A-F]+\/[0-9A-F]+)/.exec(line) ?? [];
    return timeline && at ? [{ timeline: Number(timeline), at: positionOf(at) }] : [];
  });
}

/**
 * The newest timeline that continues a backup. A timeline that branched off before the end of the backup does not: it
 * was made by a restore to an earlier moment.
 */
export function newestTimelineAfter(
  backup: { timeline: number; end: string },
  histories: Map<number, TimelineSwitch[]>,
): number {
  const end = positionOf(backup.end);
  const continues = (switches: TimelineSwitch[]) =>
    switches.some(({ timeline, at }) => timeline === backup.timeline && at >= end);
  const descendants = [...histories].filter(([, switches]) => continues(switches)).map(([timeline]) => timeline);
  return Math.max(backup.timeline, ...descendants);
}
