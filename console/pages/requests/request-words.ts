import type { RequestRow } from '../../../contract/console/requests.ts';

export const lowestRefusal = 400;

/** The path that was called; the log has no path of a request that could not be read. */
export function endpointName(endpoint: string, unknown: string): string {
  return endpoint === '(unknown)' ? unknown : endpoint;
}

/** The HTTP status, and the error code if the request was rejected. */
export function formatAnswer({ status, code }: Pick<RequestRow, 'status' | 'code'>): string {
  return code === null || status < lowestRefusal ? String(status) : `${status} ${code}`;
}

/** Whole milliseconds: nobody acts on less. */
export function formatDuration(durationMs: number, milliseconds: (value: string) => string): string {
  return milliseconds(durationMs < 1 ? '<1' : Math.round(durationMs).toLocaleString('en-US'));
}
