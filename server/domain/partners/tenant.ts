import { taipeiDay } from '../../platform/clock.ts';

/** Where the goods of an account's warehouse_tpw_id are, and the rules for receiving and selling them. */
export interface Tenant {
  warehouseNo: number;
  storeNo: number;
  receiving: 'on_create' | 'on_confirm';
  /** null: expired units are sold too. */
  sellableDaysBeforeExpiry: number | null;
  /** How many units more than announced may arrive. */
  overDeliveryPercent: number;
  /** Where callbacks of its documents go; null: to the address of the account, if there is one. */
  callbackUrl: string | null;
}

/** The first expiry date that may still be sold; null: any date. */
export function sellableFrom(
  { sellableDaysBeforeExpiry }: Pick<Tenant, 'sellableDaysBeforeExpiry'>,
  now: Date,
): string | null {
  return sellableDaysBeforeExpiry === null ? null : taipeiDay(now, sellableDaysBeforeExpiry);
}
