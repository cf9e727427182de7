import { faultAccount } from '../faults/child-process.ts';
import { signRequest } from '../sdk/client.ts';

/** A signed request to the warehouse API as the bytes that go over the socket. */
export function signedRequest(path: string, content: object): Buffer {
  const { accountNo, secret } = faultAccount;
  const body = Buffer.from(JSON.stringify(content));
  const signed = signRequest({ accountNo, secret, body });
  const headers = { host: 'localhost', 'content-type': 'application/json', ...signed, 'content-length': body.length };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`POST /warehouse/v1/${path} HTTP/1.1\r\n${head.join('')}\r\n`), body]);
}
