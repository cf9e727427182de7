import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { AccountDirectory, KnownAccount } from '../../domain/partners/account-directory.ts';
import type { Clock } from '../../platform/clock.ts';

export type SignatureCheck = { kind: 'verified'; account: KnownAccount } | { kind: 'refused'; reason: string; claimedBy?: string };

const skewMaxSeconds = 300;
/** What an account can be called; nothing else is worth a look into the directory, which remembers whom it was asked for. */
const accountNoPattern = /^[!-~]{1,64}$/;
/** For accounts that do not exist: their requests are computed just as long. */
const nobodysSecret = randomBytes(32).toString('hex');

export function signatureOf(secret: string, body: Uint8Array, timestamp: string): Buffer {
  return createHmac('sha256', secret).update(body).update(timestamp).digest();
}

/** The reason is for the request log only: to the caller, every failure looks the same. */
export async function checkSignature(
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  directory: AccountDirectory,
  clock: Clock,
): Promise<SignatureCheck> {
  const accountNo = headerText(headers['account-no']);
  const timestamp = headerText(headers.timestamp);
  const sign = headerText(headers.sign);
  if (accountNo === null) return refused('header account-no is missing');
  if (timestamp === null) return refused('header timestamp is missing');
  if (sign === null) return refused('header sign is missing');
  if (!/^[0-9]{10}$/.test(timestamp)) return refused('timestamp is not 10 digits (Unix time in seconds)');
  if (!/^[0-9a-f]{64}$/.test(sign)) return refused('sign is not 64 lowercase hex digits');
  const now = clock.now();
  const skewSeconds = Number(timestamp) - Math.floor(now.getTime() / 1000);
  if (Math.abs(skewSeconds) > skewMaxSeconds) return refused(`timestamp is off by ${skewSeconds} s`);

  const account = accountNoPattern.test(accountNo) ? await directory.find(accountNo) : null;
  const secrets = account?.secrets.filter(({ validUntil }) => validUntil === null || validUntil > now) ?? [];
  const given = Buffer.from(sign, 'hex');
  const matching = (secrets.length > 0 ? secrets.map(({ value }) => value) : [nobodysSecret]).filter((secret) =>
    timingSafeEqual(signatureOf(secret, body, timestamp), given),
  );
  if (!account) return refused('account-no is not registered');
  return matching.length > 0 ? { kind: 'verified', account } : { ...refused('the signature does not match'), claimedBy: accountNo };
}

function refused(reason: string) {
  return { kind: 'refused', reason } as const;
}

function headerText(value: string | string[] | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
