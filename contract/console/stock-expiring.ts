import { Type } from 'typebox';
import { PlaceNumber } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { AccountNo, record } from './console-values.ts';
import type { StockType } from './stock-values.ts';

export const expiringDaysMax = 36_500;
export const expiringLimitMax = 200;

export interface ExpiringRow {
  account_no: string;
  warehouse_no: number;
  sku_id: string;
  stock_type: StockType;
  batch_id: string;
  expire_date: string;
  /** 0: today is its last day; less: it has expired. */
  days_left: number;
  on_hand: number;
  locked: number;
  free: number;
  is_sellable: boolean;
}

/** Lots on hand that have expired or soon will, the earliest first. */
export const stockExpiring = consoleCall<{ lots: ExpiringRow[]; is_more: boolean }>()(
  '/stock/expiring',
  record({
    account_no: Type.Optional(AccountNo),
    warehouse_no: Type.Optional(PlaceNumber),
    within_days: Type.Integer({ minimum: 0, maximum: expiringDaysMax }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: expiringLimitMax })),
  }),
);
