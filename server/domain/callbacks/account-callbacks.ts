import { accountSigner, tenantOfSigner, tenantSigner } from '../partners/callback-signer.ts';
import type { CallbackTarget } from './callback.ts';

/** The addresses of an account for callbacks of documents that do not name one themselves. */
export interface CallbackAddresses {
  /** null: the account has no address. */
  ofAccount: string | null;
  ofTenants: ReadonlyMap<string, string>;
}

/**
 * Where the next callback of a document goes; null: nowhere. `signer` is the one that is stored with the document, if
 * there is one. A tenant's address wins over that of the account.
 */
export function currentTarget(
  signer: string | null,
  { ofAccount, ofTenants }: CallbackAddresses,
): CallbackTarget | null {
  const tenant = signer === null ? null : tenantOfSigner(signer);
  const ownUrl = tenant === null ? undefined : ofTenants.get(tenant);
  if (ownUrl !== undefined) return { keyName: tenantSigner(tenant!), url: ownUrl };
  return ofAccount === null ? null : { keyName: accountSigner, url: ofAccount };
}

/** The target of a new document of this tenant. */
export function targetOfTenant(
  warehouseTpwId: string,
  tenant: { callbackUrl: string | null },
  account: { callbackUrl: string | null },
): CallbackTarget | null {
  const ofTenants = new Map(tenant.callbackUrl === null ? [] : [[warehouseTpwId, tenant.callbackUrl]]);
  return currentTarget(tenantSigner(warehouseTpwId), { ofAccount: account.callbackUrl, ofTenants });
}

/**
 * Only documents of tenants with an address of their own must remember their tenant; all others use the address that
 * the account has when something happens.
 */
export function mustBeKept(target: CallbackTarget | null): target is CallbackTarget {
  return target !== null && tenantOfSigner(target.keyName) !== null;
}
