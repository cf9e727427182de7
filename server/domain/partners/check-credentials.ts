import { randomBytes } from 'node:crypto';
import type { Keyring } from '../../platform/keyring.ts';
import type { KnownClient } from './client-directory.ts';
import { digestEquals } from './secret.ts';

export type CredentialsCheck = 'right' | 'wrong' | 'right_but_disabled';

/** A client has at most two valid CheckValues: the current one, and during a rotation the previous one. */
const checkValuesMax = 2;
/** For clients that do not exist, so that computing their CheckValues takes the same time. */
const nobodysDigest = randomBytes(32);

/**
 * Always computes the same number of digests, so that an unknown client takes as long as a known one with one or two
 * CheckValues.
 */
export function checkCredentials(
  keyring: Keyring,
  client: KnownClient | null,
  given: { clientId: string; checkValue: string },
  now: Date,
): CredentialsCheck {
  // A CheckValue made under a master key that this node does not have yet cannot be compared here.
  const comparable = client?.checkValues.filter(({ masterKeyId }) => keyring.keyIds.includes(masterKeyId)) ?? [];
  const valid = comparable.filter(({ validUntil }) => validUntil === null || validUntil > now);
  const nobodys = { digest: nobodysDigest, masterKeyId: keyring.currentKeyId };
  const toCompare = Array.from({ length: checkValuesMax }, (_, index) => valid[index] ?? nobodys);
  const matches = toCompare.filter((kept) =>
    digestEquals(keyring, 'check_value', given.clientId, kept, given.checkValue),
  );

  if (!client || matches.length === 0) return 'wrong';
  return client.enabled && client.account.enabled ? 'right' : 'right_but_disabled';
}
