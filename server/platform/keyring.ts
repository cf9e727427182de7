import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/**
 * The master keys. Stored outside the database, they encrypt the secrets that we must be able to read, and key the
 * digests of all others.
 */
export interface Keyring {
  currentKeyId: string;
  /** All keys that can make digests. Retired ones can do nothing else. */
  keyIds: string[];
  canOpen(keyId: string): boolean;
  /**
   * `context` identifies the owner of the secret, so that an encrypted value cannot be decrypted if it is copied to
   * another row.
   */
  seal(plain: string, context: string): { sealed: Buffer; keyId: string };
  open(sealed: Uint8Array, keyId: string, context: string): string;
  digest(plain: string, context: string, keyId?: string): Buffer;
  /** The part of a master key that is kept when the key is retired. */
  retire(keyId: string): RetiredKey;
}

/** A former master key, reduced to the part that makes its digests. */
export interface RetiredKey {
  keyId: string;
  digesting: Buffer;
}

export const masterKeyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const gcm = { authTagLength: tagBytes };

export function makeKeyring(current: Buffer, previous: Buffer[] = [], retired: RetiredKey[] = []): Keyring {
  const whole = new Map([current, ...previous].map((master) => [keyIdOf(master), deriveKeys(master)]));
  const digesting = new Map<string, Buffer>([...whole].map(([keyId, keys]) => [keyId, keys.digesting]));
  for (const key of retired) if (!digesting.has(key.keyId)) digesting.set(key.keyId, key.digesting);
  const currentKeyId = keyIdOf(current);

  function known<Key>(keys: Map<string, Key>, keyId: string): Key {
    const found = keys.get(keyId);
    if (found === undefined) throw new UnknownMasterKey(keyId);
    return found;
  }

  return {
    currentKeyId,
    keyIds: [...digesting.keys()],
    canOpen: (keyId) => whole.has(keyId),
    seal(plain, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', known(whole, currentKeyId).sealing, nonce, gcm).setAAD(
        Buffer.from(context),
      );
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return { sealed: Buffer.concat([nonce, cipher.getAuthTag(), body]), keyId: currentKeyId };
    },
    open(sealed, keyId, context) {
      const nonce = sealed.subarray(0, nonceBytes);
      const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes);
      const decipher = createDecipheriv('aes-256-gcm', known(whole, keyId).sealing, nonce, gcm)
        .setAAD(Buffer.from(context))
        .setAuthTag(tag);
      return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]).toString(
        'utf8',
      );
    },
    digest(plain, context, keyId = currentKeyId) {
      return createHmac('sha256', known(digesting, keyId)).update(`${context}\0${plain}`).digest();
    },
    retire: (keyId) => ({ keyId, digesting: known(digesting, keyId) }),
  };
}

export class UnknownMasterKey extends Error {
  keyId: string;
  constructor(keyId: string) {
    super(`the database contains secrets encrypted with master key ${keyId}, which is not configured`);
    this.keyId = keyId;
  }
}

/** Identifies a key without revealing anything about it. */
function keyIdOf(master: Buffer): string {
  return createHash('sha256').update('lading key id').update(master).digest('hex').slice(0, 8);
}

function deriveKeys(master: Buffer) {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', master, '', `lading ${purpose} v1`, 32));
  return { sealing: derive('seal'), digesting: derive('digest') };
}
