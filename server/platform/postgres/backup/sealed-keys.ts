import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

/** The master keys in a backup, encrypted with a passphrase. Binary values are in base64. */
export interface SealedKeys {
  method: typeof method;
  salt: string;
  nonce: string;
  tag: string;
  sealed: string;
}

const method = 'scrypt-131072-8-1+aes-256-gcm';
/** 128 MiB of memory for each guess, as OWASP recommends. */
const cost = { N: 131_072, r: 8, p: 1, maxmem: 256 * 1_048_576 };
const keyBytes = 32;
const saltBytes = 16;
const nonceBytes = 12;
const purpose = Buffer.from('lading backup master keys v1');
const deriveKey = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt);

export const passphraseLengthMin = 12;

/** Why a passphrase cannot be used; null if it can. */
export function mistakeInPassphrase(passphrase: string): string | null {
  if (passphrase.length < passphraseLengthMin) return `must have at least ${passphraseLengthMin} characters`;
  return /\p{Cc}/u.test(passphrase) ? 'must be a single line' : null;
}

/** The first key is the one in use, the others are previous ones. */
export async function sealKeys(keys: Buffer[], passphrase: string): Promise<SealedKeys> {
  const [salt, nonce] = [randomBytes(saltBytes), randomBytes(nonceBytes)];
  const key = await deriveKey(passphrase.normalize('NFC'), salt, keyBytes, cost);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(purpose);
  const plain = JSON.stringify(keys.map((one) => one.toString('base64')));
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  const inText = (bytes: Buffer) => bytes.toString('base64');
  return {
    method,
    salt: inText(salt),
    nonce: inText(nonce),
    tag: inText(cipher.getAuthTag()),
    sealed: inText(sealed),
  };
}

/** null if the passphrase is wrong, or if the sealed keys were changed. */
export async function unsealKeys(sealed: SealedKeys, passphrase: string): Promise<Buffer[] | null> {
  if (sealed.method !== method) throw new Error(`unknown encryption ${sealed.method}`);
  const inBytes = (text: string) => Buffer.from(text, 'base64');
  const key = await deriveKey(passphrase.normalize('NFC'), inBytes(sealed.salt), keyBytes, cost);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, inBytes(sealed.nonce), { authTagLength: 16 })
      .setAAD(purpose)
      .setAuthTag(inBytes(sealed.tag));
    const plain = Buffer.concat([decipher.update(inBytes(sealed.sealed)), decipher.final()]).toString('utf8');
    return (JSON.parse(plain) as string[]).map(inBytes);
  } catch {
    return null;
  }
}
