import { Type } from 'typebox';
import type { BrokenRule } from '../../messages/errors.ts';
import { CalendarDate, CallerIdentifier, IdentifierOrEmpty, PlaceNumber, stockTypes, Title } from '../values.ts';
import { consoleCall } from './console-call.ts';
import {
  AccountNo,
  countedField,
  type ListPage,
  listFields,
  Nothing,
  RowId,
  record,
  reversedField,
} from './console-values.ts';

export type StockType = (typeof stockTypes)[number];

const warehousesMax = 50;
export const Warehouses = Type.Array(PlaceNumber, { minItems: 1, maxItems: warehousesMax });

/**
 * The time until a lot expires. `unsellable`: too close to expiry for every tenant of the account in this warehouse.
 */
export const expiryBands = ['expired', 'unsellable', 'within_30_days', 'within_90_days', 'later', 'none'] as const;
export type ExpiryBand = (typeof expiryBands)[number];

/** The operator's reason, stored with the movement. */
export const Reason = Title(500);

const lotUnitsMax = 1_000_000_000_000;
export const LotUnits = Type.Integer({ minimum: 1, maximum: lotUnitsMax, description: 'a whole number of units' });
/** Units to add or, if negative, to remove. */
export const UnitsDelta = Type.Refine(
  Type.Integer({ minimum: -lotUnitsMax, maximum: lotUnitsMax, description: 'a whole number of units other than 0' }),
  (units) => units !== 0,
  (): BrokenRule => 'zero_units',
);

export interface LotRow {
  lot_id: number;
  account_no: string;
  warehouse_no: number;
  product_id: number;
  sku_id: string;
  product_name: string;
  stock_type: StockType;
  /** '' means no batch. */
  batch_id: string;
  /** null means no expiry date. */
  expire_date: string | null;
  expiry_band: ExpiryBand;
  on_hand: number;
  /** Units of `on_hand` that are locked for orders. */
  locked: number;
  free: number;
  /** Units of `free` that can be sold today. */
  sellable: number;
}

/** The stock of a product in a warehouse, good or bad. */
export interface ShelfRow {
  warehouse_no: number;
  stock_type: StockType;
  lots: number;
  on_hand: number;
  locked: number;
  free: number;
  sellable: number;
  /** null: no lot expires. */
  earliest_expiry: string | null;
}

/** The reason why a lot was not changed. */
export type RefusedStockChange =
  | { kind: 'not_found'; what: 'product' | 'warehouse' | 'lot' }
  | { kind: 'not_kept_there' }
  | { kind: 'same_warehouse' }
  | { kind: 'too_few_free'; free: number; locked: number }
  | { kind: 'too_many_units'; on_hand: number; units_max: number };

export const stockSorts = ['sku', 'expiry', 'on_hand'] as const;

/** Lots with units on hand, sorted by SKU, or by expiry date if the request filters by it; the most units on hand first. */
export const stockSearch = consoleCall<ListPage<LotRow>>()(
  '/stock/search',
  record({
    ...listFields,
    ...countedField,
    sort: Type.Optional(Type.Enum([...stockSorts])),
    ...reversedField,
    warehouse_no: Type.Optional(Warehouses),
    sku_id: Type.Optional(CallerIdentifier),
    sku_prefix: Type.Optional(CallerIdentifier),
    stock_type: Type.Optional(Type.Enum([...stockTypes])),
    /** '' selects lots without a batch. */
    batch_id: Type.Optional(Type.With(IdentifierOrEmpty(125), { normalize: { emptyIsValue: true } })),
    expiry_band: Type.Optional(Type.Enum([...expiryBands])),
    /** Both days are included. */
    expires_from: Type.Optional(CalendarDate),
    expires_to: Type.Optional(CalendarDate),
    only_free: Type.Optional(Type.Boolean()),
  }),
);

/** A product with its stock in the requested warehouses. */
export interface SkuRow {
  product_id: number;
  account_no: string;
  sku_id: string;
  product_name: string;
  warehouses: number[];
  lots: number;
  on_hand: number;
  locked: number;
  free: number;
  sellable: number;
  bad: number;
  earliest_expiry: string | null;
}

export const stockSkus = consoleCall<ListPage<SkuRow>>()(
  '/stock/skus',
  record({
    ...listFields,
    warehouse_no: Type.Optional(Warehouses),
    sku_id: Type.Optional(CallerIdentifier),
    sku_prefix: Type.Optional(CallerIdentifier),
    /** Leaves out products without stock on hand. */
    only_stocked: Type.Optional(Type.Boolean()),
  }),
);

/** Counting stops above this: `stockCountMax + 1` means any larger number. */
export const stockCountMax = 1000;

export interface StockSummary {
  /** Counts of lots with units on hand, each up to `stockCountMax + 1`. */
  bands: Record<Extract<ExpiryBand, 'expired' | 'unsellable' | 'within_30_days' | 'within_90_days'>, number>;
  bad: number;
}

export const stockSummary = consoleCall<StockSummary>()('/stock/summary', record({ accounts: listFields.accounts }));

export const lotsShownMax = 200;

export interface StockOfProduct {
  product_id: number;
  account_no: string;
  sku_id: string;
  product_name: string;
  shelves: ShelfRow[];
  /** Lots with units on hand, earliest expiry first. */
  lots: LotRow[];
  /** There are more lots than these. */
  is_more: boolean;
}

export const stockBySku = consoleCall<StockOfProduct>()('/stock/by-sku', record({ product_id: RowId }));

export const expiringDaysMax = 36_500;
export const expiringLimitMax = 200;

export interface ExpiringRow {
  account_no: string;
  warehouse_no: number;
  sku_id: string;
  stock_type: StockType;
  batch_id: string;
  expire_date: string;
  /** 0: today is the last day; negative: the lot has expired. */
  days_left: number;
  on_hand: number;
  locked: number;
  free: number;
  is_sellable: boolean;
}

/** Lots on hand that have expired or will expire soon, earliest first. */
export const stockExpiring = consoleCall<{ lots: ExpiringRow[]; is_more: boolean }>()(
  '/stock/expiring',
  record({
    account_no: Type.Optional(AccountNo),
    warehouse_no: Type.Optional(PlaceNumber),
    within_days: Type.Integer({ minimum: 0, maximum: expiringDaysMax }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: expiringLimitMax })),
  }),
);

export type MovementKind = 'receive' | 'retract' | 'lock' | 'unlock' | 'ship' | 'adjust';

export interface LedgerEntry {
  movement_id: number;
  at: string;
  kind: MovementKind;
  on_hand_delta: number;
  locked_delta: number;
  /** The balances after the movement. */
  on_hand_after: number;
  locked_after: number;
  order_id: number | null;
  inbound_id: number | null;
  /** The partner's number of the document; null without a document, or if it has been purged. */
  document_no: string | null;
  actor: string;
  trace_id: string | null;
  reason: string | null;
  /** The number that the caller gave to an adjustment or a move. */
  reference_no: string | null;
  /** Only moves: the warehouse on its other side. */
  other_warehouse_no: number | null;
}

export interface LotDetail {
  lot: LotRow & { warehouse_name: string | null; created_at: string };
  /** The lot of the same batch and expiry with the other stock type; null if there is none yet. */
  counterpart: { lot_id: number; on_hand: number; locked: number } | null;
  /** The other warehouses of the account, to which units can be moved. */
  destinations: { warehouse_no: number; name: string }[];
  /** The movements, newest first. */
  rows: LedgerEntry[];
  next_cursor: string | null;
  /** The balance minus all movements: any value other than 0 is a discrepancy. Only on the last page, otherwise null. */
  unexplained: { on_hand: number; locked: number } | null;
}

const { page_size, cursor } = listFields;

export const stockLot = consoleCall<LotDetail>()('/stock/lot', record({ lot_id: RowId, page_size, cursor }));

/** Corrects a lot after a count. Not idempotent: each call changes the lot. */
export const stockCorrect = consoleCall<
  { kind: 'corrected'; on_hand_before: number; on_hand: number; locked: number } | RefusedStockChange
>()('/stock/correct', record({ lot_id: RowId, units: UnitsDelta, reason: Reason }));

/** Moves available units of a lot from good to bad or from bad to good. Not idempotent: each call moves units. */
export const stockRegrade = consoleCall<
  { kind: 'regraded'; to: StockType; free_good: number; free_bad: number } | RefusedStockChange
>()('/stock/regrade', record({ lot_id: RowId, units: LotUnits, reason: Reason }));

/**
 * Moves available units of a lot to another warehouse of the account. With a `reference_no` the call can be repeated; the
 * same number with another content is a conflict.
 */
export const stockMove = consoleCall<
  { kind: 'moved' | 'repeated'; on_hand_from: number; on_hand_to: number } | { kind: 'conflict' } | RefusedStockChange
>()(
  '/stock/move',
  record({
    lot_id: RowId,
    to_warehouse_no: PlaceNumber,
    units: LotUnits,
    reason: Reason,
    reference_no: Type.Optional(CallerIdentifier),
  }),
);

/** An expired lot of good units. */
export interface ExpiredLotRow {
  lot_id: number;
  account_no: string;
  warehouse_no: number;
  sku_id: string;
  batch_id: string;
  expire_date: string;
  on_hand: number;
  locked: number;
}

const expiredFields = { accounts: listFields.accounts, warehouse_no: Type.Optional(Warehouses) };
export const expiredShownMax = 50;

/** The expired lots of good units that `stockBlockExpired` would change, and those with locked units, which stay. */
export interface ExpiredStock {
  /** Lots with free units and their sum, each up to the number of lots that one request changes. */
  lots: number;
  units: number;
  is_more: boolean;
  /** The first of them, earliest first. */
  free: ExpiredLotRow[];
  /** The first lots with units that orders have locked. */
  locked: ExpiredLotRow[];
}

export const stockExpired = consoleCall<ExpiredStock>()('/stock/expired', record(expiredFields));

/**
 * Moves all free units of expired good lots to bad, at most 500 lots in one request. Locked units stay. With the same
 * `reference_no` a repeat changes nothing; the same number with another content is a conflict.
 */
export const stockBlockExpired = consoleCall<
  { kind: 'blocked'; lots: number; units: number; is_more: boolean; locked: ExpiredLotRow[] } | { kind: 'conflict' }
>()(
  '/stock/block-expired',
  record({ ...expiredFields, reason: Reason, reference_no: Type.Optional(CallerIdentifier) }),
);

export interface AuditRun {
  at: string;
  lots: number;
  orders: number;
  findings: number;
}

/** The last audits, newest first, no matter whether the job, a command or an operator ran them. */
export const stockAuditLatest = consoleCall<{ audits: AuditRun[] }>()('/stock/audit-latest', Nothing);

/** A discrepancy. */
export type AuditFinding =
  | {
      kind: 'balance';
      lot_id: number;
      account_no: string;
      /** null: movements name a lot that does not exist. */
      sku_id: string | null;
      warehouse_no: number | null;
      on_hand: number;
      on_hand_moved: number;
      locked: number;
      locked_moved: number;
    }
  | {
      kind: 'lock';
      /** null: the units are locked without an order. */
      order_id: number | null;
      partner_number: string | null;
      status: string | null;
      account_no: string;
      sku_id: string;
      held: number;
      owed: number;
    }
  | {
      kind: 'parcel';
      order_id: number;
      partner_number: string | null;
      status: string | null;
      account_no: string;
      sku_id: string;
      ordered: number;
      /** In parcels, and by movements. */
      packed: number;
      shipped: number;
      /** Not to be shipped, and released by movements. */
      short: number;
      unlocked: number;
    }
  | {
      kind: 'delivery';
      order_id: number;
      partner_number: string;
      status: string;
      account_no: string;
      /** null: the order has no reason. */
      reason: string | null;
      returns: number;
    }
  | {
      kind: 'inbound';
      inbound_id: number;
      partner_number: string | null;
      status: string | null;
      account_no: string;
      sku_id: string;
      announced: number;
      received: number;
      least: number;
      most: number;
    }
  | {
      kind: 'move';
      stock_change_id: number;
      reference_no: string;
      account_no: string;
      sku_id: string;
      departed: number;
      arrived: number;
    }
  | {
      kind: 'reference';
      account_no: string;
      table: string;
      /** The id of the row, or of the document or callback that it is a part of. */
      id_column: string;
      id: number;
      /** The table and the id of the row that does not exist. */
      target: string;
      target_id: string;
    };

export const findingsShownMax = 100;

export interface AuditedStock {
  lots: number;
  orders: number;
  inbounds: number;
  findings_count: number;
  /** The first findings, up to a limit. */
  findings: AuditFinding[];
}

/** Another audit is running on this node. */
type Busy = { kind: 'busy' };
/** The audit stopped at its time limit; these are its findings so far. The hourly audit is complete. */
type Unfinished = { kind: 'unfinished' } & AuditedStock;

export const stockAuditRun = consoleCall<({ kind: 'audited' } & AuditedStock) | Unfinished | Busy>()(
  '/stock/audit-run',
  Nothing,
);

export interface AuditRepair {
  finding: AuditFinding;
  outcome: 'repaired' | 'needs_a_person' | 'nothing_left';
}

/** Audits, repairs discrepancies by movements that explain them, and audits again. */
export const stockAuditRepair = consoleCall<
  ({ kind: 'repaired'; repairs: AuditRepair[] } & AuditedStock) | Unfinished | Busy
>()('/stock/audit-repair', Nothing);
