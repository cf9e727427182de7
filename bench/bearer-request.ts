import { faultClient } from '../faults/child-process.ts';
import { AccessToken } from '../sdk/access-token.ts';

/** For requests as bytes, which carry it themselves. */
export async function getToken(url: string): Promise<string> {
  return await new AccessToken({ url, ...faultClient }).current();
}

/** A request to the main API as the bytes that go over the socket. */
export function bearerRequest(path: string, content: object, token: string): Buffer {
  const body = Buffer.from(JSON.stringify(content));
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nauthorization: Bearer ${token}\r\n` +
      `content-length: ${body.length}\r\n\r\n${body}`,
  );
}
