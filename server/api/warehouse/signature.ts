import { createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { AccountDirectory, KnownAccount } from '../../domain/partners/account-directory.ts';
import type { Clock } from '../../platform/clock.ts';
import { hmacSha256 } from '../../platform/hmac.ts';

export type SignatureCheck = { kind: 'verified'; account: KnownAccount } | { kind: 'refused'; reason: string; claimedBy?: string };

export const skewMaxSeconds = 300;
/** For accounts that do not exist: their requests are computed just as long. */
const nobodysKey = createSecretKey(randomBytes(32));

export function signatureOf(key: KeyObject, body: Uint8Array, timestamp: string): Buffer {
  return hmacSha256(key, [body, Buffer.from(timestamp)]);
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

  const given = Buffer.from(sign, 'hex');
  const isSignedBy = (account: KnownAccount | null) =>
    keysToTry(account, now).filter((key) => timingSafeEqual(signatureOf(key, body, timestamp), given)).length > 0;
  const known = await directory.find(accountNo);
  if (isSignedBy(known)) return { kind: 'verified', account: known! };
  // The account, or its new secret, may be younger than what the directory holds.
  const account = await directory.findNow(accountNo);
  if (isSignedBy(account)) return { kind: 'verified', account: account! };
  return account ? { ...refused('the signature does not match'), claimedBy: accountNo } : refused('account-no is not registered');
}

/** Never none: whoever does not exist takes as long as whoever does. */
function keysToTry(account: KnownAccount | null, now: Date): KeyObject[] {
  const valid = account?.secrets.filter(({ validUntil }) => validUntil === null || validUntil > now) ?? [];
  return valid.length > 0 ? valid.map(({ key }) => key) : [nobodysKey];
}

function refused(reason: string) {
  return { kind: 'refused', reason } as const;
}

function headerText(value: string | string[] | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
