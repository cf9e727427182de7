import { faultAccount } from '../faults/child-process.ts';
import { signatureOf } from '../server/api/warehouse/signature.ts';

/** The tenant of the account that the service is started with. */
export const tenant = 'T';

/** A signed request to the warehouse API as the bytes that go over the socket. */
export function signedRequest(path: string, content: object): Buffer {
  const body = Buffer.from(JSON.stringify(content));
  const headers = Object.entries({ host: 'localhost', ...signedHeaders(body), 'content-length': body.length });
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`POST /warehouse/v1/${path} HTTP/1.1\r\n${head}\r\n`), body]);
}

/** For what is prepared before the clock starts; anything but 200 ends the run. */
export async function callWarehouse(url: string, path: string, content: object): Promise<void> {
  const body = Buffer.from(JSON.stringify(content));
  const answer = await fetch(`${url}/warehouse/v1/${path}`, {
    method: 'POST',
    headers: signedHeaders(body),
    body,
    signal: AbortSignal.timeout(10_000),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 500)}`);
}

function signedHeaders(body: Buffer) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const sign = signatureOf(faultAccount.secret, body, timestamp).toString('hex');
  return { 'content-type': 'application/json', 'account-no': faultAccount.accountNo, timestamp, sign };
}
