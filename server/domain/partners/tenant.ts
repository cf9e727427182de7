import { taipeiDay } from '../../platform/clock.ts';
import type { AccountDirectory, KnownAccount } from './account-directory.ts';

/** Where the goods of an account's warehouse_tpw_id lie, and by which rules they come and go. */
export interface Tenant {
  warehouseNo: number;
  storeNo: number;
  receiving: 'on_create' | 'on_confirm';
  /** null: even what has expired is sold. */
  sellableDaysBeforeExpiry: number | null;
  /** How many units more than announced may arrive. */
  overDeliveryPercent: number;
}

/** One that is not known may have been made just now. */
export async function findTenant(directory: AccountDirectory, account: KnownAccount, warehouseTpwId: string): Promise<Tenant | null> {
  const known = account.tenants.get(warehouseTpwId);
  if (known) return known;
  const current = await directory.findNow(account.accountNo);
  return current?.tenants.get(warehouseTpwId) ?? null;
}

/** The first expiry date that may still be sold; null where every date may. */
export function sellableFrom({ sellableDaysBeforeExpiry }: Pick<Tenant, 'sellableDaysBeforeExpiry'>, now: Date): string | null {
  return sellableDaysBeforeExpiry === null ? null : taipeiDay(now, sellableDaysBeforeExpiry);
}
