import { createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Message } from '../../../messages/message.ts';
import { reason } from '../../../messages/reason-texts.ts';
import type { AccountDirectory, KnownAccount } from '../../domain/partners/account-directory.ts';
import { signatureOf, skewMaxSeconds } from '../../domain/partners/request-signature.ts';
import type { Clock } from '../../platform/clock.ts';

export type SignatureCheck =
  | { kind: 'verified'; account: KnownAccount }
  | { kind: 'refused'; reason: Message; claimedBy?: string };

/** Used for unknown accounts, so that their requests take the same time. */
const nobodysKey = createSecretKey(randomBytes(32));

/** The reason is only for the request log; the caller gets the same response for every failure. */
export async function checkSignature(
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  directory: AccountDirectory,
  clock: Clock,
): Promise<SignatureCheck> {
  const accountNo = headerText(headers['account-no']);
  const timestamp = headerText(headers.timestamp);
  const sign = headerText(headers.sign);
  if (accountNo === null) return refused(reason('header_absent', { name: 'account-no' }));
  if (timestamp === null) return refused(reason('header_absent', { name: 'timestamp' }));
  if (sign === null) return refused(reason('header_absent', { name: 'sign' }));
  if (!/^[0-9]{10}$/.test(timestamp)) return refused(reason('timestamp_not_seconds'));
  if (!/^[0-9a-f]{64}$/.test(sign)) return refused(reason('sign_not_hex'));
  const now = clock.now();
  const skewSeconds = Number(timestamp) - Math.floor(now.getTime() / 1000);
  if (Math.abs(skewSeconds) > skewMaxSeconds) return refused(reason('timestamp_off', { seconds: skewSeconds }));

  const given = Buffer.from(sign, 'hex');
  const isSignedBy = (account: KnownAccount | null) =>
    keysToTry(account, now).filter((key) => timingSafeEqual(signatureOf(key, body, timestamp), given)).length > 0;
  const known = await directory.find(accountNo);
  if (isSignedBy(known)) return { kind: 'verified', account: known! };
  // The account or its new secret may be more recent than the cached directory.
  const account = await directory.findNow(accountNo);
  if (isSignedBy(account)) return { kind: 'verified', account: account! };
  return account
    ? { ...refused(reason('signature_mismatch')), claimedBy: accountNo }
    : refused(reason('account_not_registered'));
}

/** Never empty, so that the response time does not reveal whether an account exists. */
function keysToTry(account: KnownAccount | null, now: Date): KeyObject[] {
  const valid = account?.secrets.filter(({ validUntil }) => validUntil === null || validUntil > now) ?? [];
  return valid.length > 0 ? valid.map(({ key }) => key) : [nobodysKey];
}

function refused(why: Message) {
  return { kind: 'refused', reason: why } as const;
}

function headerText(value: string | string[] | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
