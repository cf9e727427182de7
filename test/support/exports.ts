import type { BodyOf } from '../../contract/console/console-call.ts';
import { exportEnd, type exportFile } from '../../contract/console/exports.ts';
import type { TestApp } from './app.ts';
import type { ConsoleUser } from './console.ts';

type Body = Partial<BodyOf<typeof exportFile>>;

export const exportUrl = '/console/api/exports/file';

export function exportHeaders(user: ConsoleUser): Record<string, string> {
  return { 'content-type': 'application/json', cookie: user.cookie, 'x-csrf-token': user.signedIn.csrf_token };
}

/** Defaults: the list of orders as CSV in English. */
export function exportBody(body: Body = {}) {
  return { list: 'orders', format: 'csv', language: 'en', filters: {}, ...body };
}

/** A list as a file, whatever is answered. */
export async function exported(
  app: Pick<TestApp, 'http'>,
  user: ConsoleUser,
  body: Body = {},
  headers: Record<string, string> = {},
) {
  return await app.http.inject({
    method: 'POST',
    url: exportUrl,
    headers: { ...exportHeaders(user), ...headers },
    payload: exportBody(body),
  });
}

/** The file in frames, and the numbers of rows that they gave. The last frame must be there. */
export function readFrames(bytes: Buffer): { file: Buffer; rows: number[] } {
  const parts: Buffer[] = [];
  const rows: number[] = [];
  for (let place = 0; ; ) {
    const length = bytes.readUInt32BE(place);
    rows.push(bytes.readUInt32BE(place + 4));
    place += 8;
    if (length === exportEnd) {
      if (place !== bytes.length) throw new Error('there are bytes behind the last frame');
      return { file: Buffer.concat(parts), rows };
    }
    parts.push(bytes.subarray(place, place + length));
    place += length;
  }
}
