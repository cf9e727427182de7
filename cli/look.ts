import { styleText } from 'node:util';

/** How a command prints text for people. `--json` prints everything, in any look. */
export interface Look {
  /** Columns of the terminal; null: lines may have any length, as in a file or with `--wide`. */
  width: number | null;
  /** Times in UTC instead of Asia/Taipei. */
  utc: boolean;
}

export const plainLook: Look = { width: null, utc: false };

let look = plainLook;

/** A command line has one look. It is set before its action runs. */
export function chooseLook({ wide = false, utc = false }: { wide?: boolean; utc?: boolean }): void {
  const { isTTY, columns } = process.stdout;
  // A terminal that does not know its size says 0.
  look = { width: isTTY && !wide && columns > 0 ? columns : null, utc };
}

export function currentLook(): Look {
  return look;
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

export function isTime(value: unknown): value is Date | string {
  return value instanceof Date || (typeof value === 'string' && instant.test(value));
}

/** `2026-11-19 01:28:23` in Asia/Taipei, or `2026-11-18 17:28:23Z` in UTC. */
export function formatTime(value: Date | string, { utc }: Pick<Look, 'utc'> = look): string {
  const time = typeof value === 'string' ? new Date(value) : value;
  const shown = new Date(time.getTime() + (utc ? 0 : taipeiOffsetMs)).toISOString();
  return `${shown.slice(0, 10)} ${shown.slice(11, 19)}${utc ? 'Z' : ''}`;
}

/** Taiwan has had no daylight saving time since 1979. */
const taipeiOffsetMs = 8 * 3_600_000;

/** The states of documents, callbacks, jobs and partners that need a look, are under way, or are as they should be. */
const colorOf: Record<string, 'green' | 'yellow' | 'red' | 'dim'> = {
  ...colored('green', ['shipped', 'arrived', 'delivered', 'received', 'enabled', 'active', 'current', 'true', 'fine']),
  ...colored('yellow', ['awaiting_stock', 'pending', 'sending', 'receiving', 'partially_shipped', 'paused', 'warning']),
  ...colored('red', ['rejected', 'failed', 'undelivered', 'on_hold', 'blocked', 'disabled', 'false', 'critical']),
  ...colored('dim', ['cancelled', 'stopped', '-']),
};

function colored<Color extends string>(color: Color, states: string[]): Record<string, Color> {
  return Object.fromEntries(states.map((state) => [state, color]));
}

/** Colours a state on a terminal; never in a pipe, nor with NO_COLOR. `padded` may have spaces at its end. */
export function paintState(padded: string): string {
  const color = colorOf[padded.trimEnd()];
  return color === undefined ? padded : styleText(color, padded, { stream: process.stdout });
}
