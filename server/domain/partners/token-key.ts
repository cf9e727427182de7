import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type { Keyring } from '../../platform/keyring.ts';

/** An ES256 key that signs access tokens. */
export interface TokenKey extends TokenKeyLife {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

export interface TokenKeyLife {
  signsFrom: Date;
  /** null: in use. */
  validUntil: Date | null;
}

/** A token key as it is stored. */
export interface KeptTokenKey {
  kid: string;
  sealed: Buffer;
  master_key_id: string;
}

/** No setting allows a longer token lifetime. */
export const tokenLifetimeMaxSeconds = 86_400;
/**
 * How long a key is published before it signs. A client that caches our public keys for half of this time always knows
 * the key.
 */
export const publishedAheadSeconds = 600;
/** The clocks of two nodes may differ by this much. */
const clockDifferenceMaxSeconds = 60;
/** How long a key stays valid after the next one signs: until its last token has expired, on any node. */
export const defaultOverlapSeconds = tokenLifetimeMaxSeconds + clockDifferenceMaxSeconds;

export function generateTokenKey(keyring: Keyring): KeptTokenKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomBytes(12).toString('hex');
  const { sealed, keyId } = keyring.seal(privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, contextOf(kid));
  return { kid, sealed, master_key_id: keyId };
}

/** null: a key that does not open was not sealed by us, so its tokens are not ours. */
export function openTokenKey(
  keyring: Keyring,
  { kid, sealed, master_key_id }: KeptTokenKey,
): Pick<TokenKey, 'privateKey' | 'publicKey'> | null {
  try {
    const privateKey = createPrivateKey(keyring.open(sealed, master_key_id, contextOf(kid)));
    return { privateKey, publicKey: createPublicKey(privateKey) };
  } catch {
    return null;
  }
}

export function isValidAt({ validUntil }: TokenKeyLife, now: Date): boolean {
  return validUntil === null || validUntil > now;
}

/** The newest key that already signs; if the clock is behind, the key that signs first. */
export function keyToSignWith<Key extends TokenKeyLife>(keys: Key[], now: Date): Key | null {
  const inTurn = keys
    .filter((key) => isValidAt(key, now))
    .toSorted((a, b) => a.signsFrom.getTime() - b.signsFrom.getTime());
  return inTurn.findLast(({ signsFrom }) => signsFrom <= now) ?? inTurn[0] ?? null;
}

function contextOf(kid: string): string {
  return `token_key:${kid}`;
}
