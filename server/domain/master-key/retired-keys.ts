import type { Keyring, RetiredKey } from '../../platform/keyring.ts';
import type { RetiredKeyRow } from './sealed-queries.ts';

/** Opens a retired key; the keyring must have the master key that seals it. */
export function openRetiredKey(keyring: Keyring, row: RetiredKeyRow): RetiredKey {
  const { retired_key_id: keyId, sealed, master_key_id } = row;
  return { keyId, digesting: Buffer.from(keyring.open(sealed, master_key_id, contextOf(keyId)), 'base64') };
}

export function sealRetiredKey(keyring: Keyring, { keyId, digesting }: RetiredKey): Buffer {
  return keyring.seal(digesting.toString('base64'), contextOf(keyId)).sealed;
}

function contextOf(keyId: string): string {
  return `retired_master_key:${keyId}`;
}
