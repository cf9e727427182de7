import { Type } from 'typebox';
import { PlaceNumber, Title } from '../values.ts';

export const stockTypes = ['good', 'bad'] as const;
export type StockType = (typeof stockTypes)[number];

const warehousesMax = 50;
export const Warehouses = Type.Array(PlaceNumber, { minItems: 1, maxItems: warehousesMax });

/** How far from its end a lot is; `unsellable`: too near for every tenant of its account there. */
export const expiryBands = ['expired', 'unsellable', 'within_30_days', 'within_90_days', 'later', 'none'] as const;
export type ExpiryBand = (typeof expiryBands)[number];

/** Why, in the words of whoever does it; it stays with the movement. */
export const Reason = Title(500);

const lotUnitsMax = 1_000_000_000_000;
export const LotUnits = Type.Integer({ minimum: 1, maximum: lotUnitsMax, description: 'a whole number of units' });
/** More or fewer, but not none. */
export const UnitsDelta = Type.Refine(
  Type.Integer({ minimum: -lotUnitsMax, maximum: lotUnitsMax, description: 'a whole number of units other than 0' }),
  (units) => units !== 0,
  () => 'must not be 0',
);

export interface LotRow {
  lot_id: number;
  account_no: string;
  warehouse_no: number;
  product_id: number;
  sku_id: string;
  product_name: string;
  stock_type: StockType;
  /** Empty: of no batch. */
  batch_id: string;
  /** null: it does not expire. */
  expire_date: string | null;
  expiry_band: ExpiryBand;
  on_hand: number;
  /** Of these, held for orders. */
  locked: number;
  free: number;
  /** Of the free ones, what can be sold today. */
  sellable: number;
}

/** What lies of a product in a warehouse, good or bad. */
export interface ShelfRow {
  warehouse_no: number;
  stock_type: StockType;
  lots: number;
  on_hand: number;
  locked: number;
  free: number;
  sellable: number;
  /** null: none expires. */
  earliest_expiry: string | null;
}

/** Why a change of a lot was not made. Nothing has changed then. */
export type RefusedStockChange =
  | { kind: 'not_found'; what: 'account' | 'product' | 'warehouse' | 'lot' }
  | { kind: 'not_kept_there' }
  | { kind: 'too_few_free'; free: number; locked: number }
  | { kind: 'too_many_units'; on_hand: number; units_max: number };
