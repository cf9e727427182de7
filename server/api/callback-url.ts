import { Type } from 'typebox';
import { isWebAddress, WebAddress } from '../../contract/values.ts';
import type { AddressGuard } from '../platform/outgoing/address-guard.ts';

/**
 * Rejects forbidden addresses together with all other field errors; host names are checked when they are resolved at
 * delivery.
 */
export function guardedWebAddress(guard: Pick<AddressGuard, 'whyPlainlyRefused'>): typeof WebAddress {
  const guarded = Type.Refine(
    WebAddress,
    // A value that is not a URL is already reported by the base schema.
    (value) => !isWebAddress(value as string) || guard.whyPlainlyRefused(value as string) === null,
    (value) => guard.whyPlainlyRefused(value as string)!,
  );
  return guarded as unknown as typeof WebAddress;
}
