import { faultAccount } from '../faults/child-process.ts';
import { signRequest } from '../sdk/client.ts';
import { plainRequest } from './bearer-request.ts';

/** The raw bytes of a signed request to the warehouse API. */
export function signedRequest(path: string, content: object): Buffer {
  const { accountNo, secret } = faultAccount;
  const signed = signRequest({ accountNo, secret, body: Buffer.from(JSON.stringify(content)) });
  return plainRequest(`/warehouse/v1/${path}`, content, { ...signed });
}
