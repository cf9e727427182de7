import { Type } from 'typebox';
import { isWebAddress, WebAddress } from '../../../contract/values.ts';
import type { AddressGuard } from '../../platform/address-guard.ts';

/** An address that we would never call is refused together with all other mistakes; what only DNS can tell, at delivery. */
export function guardedWebAddress(guard: Pick<AddressGuard, 'whyPlainlyRefused'>): typeof WebAddress {
  const guarded = Type.Refine(
    WebAddress,
    // What is no address at all is told once.
    (value) => !isWebAddress(value as string) || guard.whyPlainlyRefused(value as string) === null,
    (value) => guard.whyPlainlyRefused(value as string)!,
  );
  return guarded as unknown as typeof WebAddress;
}
