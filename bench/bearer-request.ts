import { faultClient } from '../faults/child-process.ts';
import { AccessToken } from '../sdk/access-token.ts';

/** Gets an access token for requests that are built as raw bytes. */
export async function getToken(url: string): Promise<string> {
  return await new AccessToken({ url, ...faultClient }).current();
}

/** The raw bytes of a request to the main API. */
export function bearerRequest(path: string, content: object, token: string): Buffer {
  return plainRequest(path, content, { authorization: `Bearer ${token}` });
}

export function plainRequest(path: string, content: object, headers: Record<string, string> = {}): Buffer {
  const body = Buffer.from(JSON.stringify(content));
  const all = { host: 'localhost', 'content-type': 'application/json', ...headers, 'content-length': body.length };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${head.join('')}\r\n`), body]);
}
