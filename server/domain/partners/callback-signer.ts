/*
 * The owner of the secret that signs a callback, by name: a logistics key, the account itself or one of its tenants. Names
 * of keys contain no space, so these names are never those of keys.
 */

export const accountSigner = 'the account';
const tenantPrefix = 'tenant ';

export function tenantSigner(warehouseTpwId: string): string {
  return `${tenantPrefix}${warehouseTpwId}`;
}

/** null: another owner signs. */
export function tenantOfSigner(signer: string): string | null {
  return signer.startsWith(tenantPrefix) ? signer.slice(tenantPrefix.length) : null;
}

export function isKeySigner(signer: string): boolean {
  return signer !== accountSigner && tenantOfSigner(signer) === null;
}
