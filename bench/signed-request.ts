import { faultAccount } from '../faults/child-process.ts';
import { signRequest } from '../sdk/client.ts';
import { plainRequest } from './bearer-request.ts';
import type { BenchAccount } from './bench-accounts.ts';

/** The raw bytes of a signed request to the warehouse API. */
export function signedRequest(path: string, content: object, account: BenchAccount = faultAccount): Buffer {
  const { accountNo, secret } = account;
  const signed = signRequest({ accountNo, secret, body: Buffer.from(JSON.stringify(content)) });
  return plainRequest(`/warehouse/v1/${path}`, content, { ...signed });
}
