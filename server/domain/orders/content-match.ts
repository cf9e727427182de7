import { digestHexLength } from '../../platform/json/content-digest.ts';
import type { Keyring } from '../../platform/keyring.ts';

/** An order with the digest of its content, as it is stored. */
interface DigestedOrder {
  accountId: number;
  partnerNumber: string;
  payloadDigest: string;
}

const keyIdLength = 8;

/**
 * The digest of an order whose recipient is erased. The plain digest would still confirm a guess: anybody with a copy of
 * the database could try all phone numbers. This one needs the master key, and equal content of two orders differs.
 */
export function keyedDigest(keyring: Keyring, order: DigestedOrder): string {
  return keyring.currentKeyId + digestWith(keyring, order, order.payloadDigest, keyring.currentKeyId);
}

/**
 * Whether a repeat has the content of the original. If the recipient of the original was erased under a master key that
 * is no longer configured, this cannot be known any more, and the repeat counts as equal.
 */
export function hasContentOf(keyring: Keyring, original: DigestedOrder, payloadDigest: string): boolean {
  const stored = original.payloadDigest;
  if (stored.length === digestHexLength) return stored === payloadDigest;
  const keyId = stored.slice(0, keyIdLength);
  if (!keyring.keyIds.includes(keyId)) return true;
  return stored.slice(keyIdLength) === digestWith(keyring, original, payloadDigest, keyId);
}

function digestWith(
  keyring: Keyring,
  { accountId, partnerNumber }: DigestedOrder,
  payloadDigest: string,
  keyId: string,
): string {
  return keyring.digest(payloadDigest, `content of order ${accountId}/${partnerNumber}`, keyId).toString('hex');
}
