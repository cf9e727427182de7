import { faultClient } from '../faults/child-process.ts';

export async function getToken(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/token/getToken`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ClientId: faultClient.clientId, CheckValue: faultClient.checkValue }),
    signal: AbortSignal.timeout(10_000),
  });
  const { msg, retval } = (await answer.json()) as { msg: string; retval: { access_token: string } | null };
  if (retval === null) throw new Error(`the token call answered ${answer.status}: ${msg}`);
  return retval.access_token;
}

/** A request to the main API as the bytes that go over the socket. */
export function bearerRequest(path: string, content: object, token: string): Buffer {
  const body = Buffer.from(JSON.stringify(content));
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nauthorization: Bearer ${token}\r\n` +
      `content-length: ${body.length}\r\n\r\n${body}`,
  );
}
