import type { RequestRow } from '../../../contract/console/request-search.ts';

export const lowestRefusal = 400;

/** The status, and of a refusal the contract's own code. */
export function wordAnswer({ status, code }: Pick<RequestRow, 'status' | 'code'>): string {
  return code === null || status < lowestRefusal ? String(status) : `${status} ${code}`;
}

/** To a tenth below a hundred milliseconds: most calls take a few. */
export function wordDuration(durationMs: number, milliseconds: (value: string) => string): string {
  return milliseconds(durationMs < 100 ? durationMs.toFixed(1) : Math.round(durationMs).toLocaleString('en-US'));
}
