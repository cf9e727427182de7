import type { ListedTenant } from '../../../contract/console/partners.ts';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { checkDays, checkOverDelivery, checkPicked } from './field-checks.ts';
import { numberField, pickField } from './form-dialog.tsx';
import { ReceivingSelect, StoreSelect, WarehouseSelect } from './partner-selects.tsx';
import { words } from './words.ts';

/** The rules that tenants and logistics keys have in common. */
type StockRules = Pick<
  ListedTenant,
  'warehouse_no' | 'store_no' | 'receiving' | 'sellable_days_before_expiry' | 'over_delivery_percent'
>;

export function useStockRuleFields(partner: StockRules | null) {
  const say = useWords(words);
  return {
    warehouse: pickField(WarehouseSelect, partner?.warehouse_no, checkPicked),
    store: pickField(StoreSelect, partner?.store_no, checkPicked),
    receiving: pickField(ReceivingSelect, partner?.receiving),
    // A new tenant or key sells until the expiry date; an empty field means no limit.
    days: numberField(say.sellableDays, partner === null ? 0 : partner.sellable_days_before_expiry, checkDays, {
      description: say.sellableDaysHint,
    }),
    overDelivery: numberField(say.overDelivery, partner?.over_delivery_percent, checkOverDelivery, {
      description: say.overDeliveryHint,
    }),
  };
}

type Typed = Record<keyof ReturnType<typeof useStockRuleFields>, string>;

/** The rules in the form of the request. */
export function stockRulesOf({ warehouse, store, receiving, days, overDelivery }: Typed) {
  return {
    warehouse_no: Number(warehouse),
    store_no: Number(store),
    ...(receiving !== '' && { receiving: receiving as StockRules['receiving'] }),
    sellable_days_before_expiry: days === '' ? null : Number(days),
    ...(overDelivery !== '' && { over_delivery_percent: Number(overDelivery) }),
  };
}

export function SellableDaysText({ days }: { days: number | null }) {
  const say = useWords(words);
  return days === null ? say.noSellableDays : formatNumber(days);
}
