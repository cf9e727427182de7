import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../../platform/keyring.ts';
import { hashPassword, verifyPassword } from '../../platform/password.ts';

/**
 * Secrets that we must read back to sign with them are sealed; secrets that are only compared are keyed digests;
 * passwords use argon2.
 */
export const secretKinds = {
  account_secret: { kept: 'sealed', prefix: 'las_', called: 'account secret' },
  check_value: { kept: 'digest', prefix: 'lcv_', called: 'CheckValue' },
  logistics_key: { kept: 'digest', prefix: 'llk_', called: 'logistics API key' },
  callback_secret: { kept: 'sealed', prefix: 'whsec_', called: 'callback secret' },
  account_callback_secret: { kept: 'sealed', prefix: 'whsec_', called: 'callback secret' },
  tenant_callback_secret: { kept: 'sealed', prefix: 'whsec_', called: 'callback secret' },
  connector_secret: { kept: 'sealed', prefix: 'whsec_', called: 'connector secret' },
  operator_password: { kept: 'password', prefix: 'lop_', called: 'password' },
} as const;

export type SecretKind = keyof typeof secretKinds;

/** A secret as it is stored. */
export interface KeptSecret {
  sealed: Buffer | null;
  digest: Buffer | null;
  password_hash: string | null;
  master_key_id: string | null;
}

const secretBytes = 32;

export function generateSecret(kind: SecretKind): string {
  const { prefix } = secretKinds[kind];
  // Standard Webhooks requires plain base64 for its secrets; ours avoid characters that shells and URLs treat
  // specially.
  return prefix + randomBytes(secretBytes).toString(prefix === 'whsec_' ? 'base64' : 'base64url');
}

const callbackKeyBytes = { min: 24, max: 64 };
export const callbackSecretForm = `whsec_ followed by the base64 of ${callbackKeyBytes.min} to ${callbackKeyBytes.max} bytes`;

/** A connector secret that does not have the format of Standard Webhooks is used as its bytes. */
export function signsWebhooks(kind: SecretKind, secret: string): boolean {
  return (
    kind === 'callback_secret' ||
    kind === 'account_callback_secret' ||
    kind === 'tenant_callback_secret' ||
    (kind === 'connector_secret' && secret.startsWith(secretKinds.connector_secret.prefix))
  );
}

/**
 * Whether every Standard Webhooks library can verify with it: padded base64 of the length that the specification
 * requires.
 */
export function isUsableCallbackSecret(secret: string): boolean {
  const base64 = secret.slice(secretKinds.callback_secret.prefix.length);
  const key = Buffer.from(base64, 'base64');
  return key.length >= callbackKeyBytes.min && key.length <= callbackKeyBytes.max && key.toString('base64') === base64;
}

export async function keepSecret(
  keyring: Keyring,
  kind: SecretKind,
  owner: string,
  value: string,
): Promise<KeptSecret> {
  switch (secretKinds[kind].kept) {
    case 'sealed': {
      const { sealed, keyId } = keyring.seal(value, contextOf(kind, owner));
      return { sealed, digest: null, password_hash: null, master_key_id: keyId };
    }
    case 'digest': {
      const digest = keyring.digest(value, contextOf(kind, owner));
      return { sealed: null, digest, password_hash: null, master_key_id: keyring.currentKeyId };
    }
    case 'password':
      return { sealed: null, digest: null, password_hash: await hashPassword(value), master_key_id: null };
  }
}

export async function secretEquals(
  keyring: Keyring,
  kind: SecretKind,
  owner: string,
  kept: KeptSecret,
  value: string,
): Promise<boolean> {
  if (kept.password_hash !== null) return await verifyPassword(value, kept.password_hash);
  if (kept.sealed !== null) return openSecret(keyring, kind, owner, kept) === value;
  return digestEquals(keyring, kind, owner, { digest: kept.digest!, masterKeyId: kept.master_key_id! }, value);
}

export function digestEquals(
  keyring: Keyring,
  kind: SecretKind,
  owner: string,
  kept: { digest: Buffer; masterKeyId: string },
  value: string,
): boolean {
  return timingSafeEqual(kept.digest, keyring.digest(value, contextOf(kind, owner), kept.masterKeyId));
}

export function openSecret(
  keyring: Keyring,
  kind: SecretKind,
  owner: string,
  kept: Pick<KeptSecret, 'sealed' | 'master_key_id'>,
): string {
  return keyring.open(kept.sealed!, kept.master_key_id!, contextOf(kind, owner));
}

/** Digests under every master key that we hold, because the stored one may have been made with any of them. */
export function digestsToLookFor(keyring: Keyring, kind: SecretKind, value: string): Buffer[] {
  return keyring.keyIds.map((keyId) => keyring.digest(value, kind, keyId));
}

/** A logistics key is sent without a name and found by its digest, so its owner cannot be part of the context. */
function contextOf(kind: SecretKind, owner: string): string {
  return kind === 'logistics_key' ? kind : `${kind}:${owner}`;
}
