import type { RequestRow } from '../../../contract/console/requests.ts';

export const lowestRefusal = 400;

/** The HTTP status, and the error code if the request was rejected. */
export function formatAnswer({ status, code }: Pick<RequestRow, 'status' | 'code'>): string {
  return code === null || status < lowestRefusal ? String(status) : `${status} ${code}`;
}

/** Shows one decimal below 100 ms, because most calls take only a few milliseconds. */
export function formatDuration(durationMs: number, milliseconds: (value: string) => string): string {
  return milliseconds(durationMs < 100 ? durationMs.toFixed(1) : Math.round(durationMs).toLocaleString('en-US'));
}
