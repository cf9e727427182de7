import { Type } from 'typebox';
import { errorMessage } from '../../messages/errors.ts';
import { locationMax } from '../main/products-update.ts';
import {
  CalendarDate,
  CallerIdentifier,
  Form,
  Identifier,
  IdentifierOrEmpty,
  PlaceNumber,
  stockTypes,
} from '../values.ts';
import { consoleCall } from './console-call.ts';
import { AccountNo, type ListPage, listFields, RowId, record, Uuid } from './console-values.ts';
import { type RefusedStockChange, type StockType, Warehouses } from './stock.ts';

export const countScopes = ['location', 'skus', 'warehouse'] as const;
export type CountScope = (typeof countScopes)[number];
export const countStates = ['open', 'booked', 'discarded'] as const;
export type CountState = (typeof countStates)[number];

export interface CountRow {
  count_id: number;
  /** Also the number of the adjustment, unless a partner had used it. */
  count_no: string;
  account_no: string;
  warehouse_no: number;
  scope: CountScope;
  location: string | null;
  /** null: all products. */
  sku_count: number | null;
  state: CountState;
  created_by: string;
  created_at: string;
  ended_by: string | null;
  ended_at: string | null;
  /** The number of the adjustment; null: not booked, or there was no difference. */
  reference_no: string | null;
  lots_counted: number;
}

/** Counts, newest first. */
export const countSearch = consoleCall<ListPage<CountRow>>()(
  '/counts/search',
  record({
    ...listFields,
    warehouse_no: Type.Optional(Warehouses),
    state: Type.Optional(Type.Array(Type.Enum([...countStates]), { minItems: 1, maxItems: countStates.length })),
  }),
);

export const countSkusMax = 200;

/** Begins a count of one account in one warehouse. A repeat with the same `request_id` finds it. */
export const countCreate = consoleCall<
  | { kind: 'created'; count_id: number; count_no: string }
  | { kind: 'not_manual' | 'nothing_to_count' }
  | { kind: 'unknown_skus'; sku_ids: string[] }
  | { kind: 'too_many_lots'; lots_max: number }
>()(
  '/counts/create',
  record({
    request_id: Uuid,
    account_no: AccountNo,
    warehouse_no: PlaceNumber,
    scope: Type.Enum([...countScopes]),
    /** Only with the scope `location`. */
    location: Type.Optional(Identifier(locationMax)),
    /** Only with the scope `skus`. */
    sku_ids: Type.Optional(Type.Array(CallerIdentifier, { minItems: 1, maxItems: countSkusMax })),
  }),
);

/** A lot of a product. */
export const CountedLot = record({
  product_id: RowId,
  stock_type: Type.Enum([...stockTypes]),
  /** '' means no batch. */
  batch_id: IdentifierOrEmpty(125),
  /** null means no expiry date. */
  expire_date: Type.Union([CalendarDate, Type.Null()], Form(errorMessage('not_date'))),
});

export interface CountLot {
  product_id: number;
  stock_type: StockType;
  batch_id: string;
  expire_date: string | null;
}

export interface CountProduct {
  product_id: number;
  sku_id: string;
  name: string;
  location: string | null;
}

/** A lot on the sheet, without the units in stock. */
export interface BlindLine extends CountLot {
  /** null: not counted in this round. */
  counted: number | null;
  /** More than 1: somebody asked for a recount. */
  round: number;
  counted_by: string | null;
}

export interface CountSheet {
  count: CountRow;
  products: CountProduct[];
  /** In walking order. */
  lines: BlindLine[];
  is_cut: boolean;
}

/** The sheet for the people who count: it does not show how many units there should be. */
export const countSheet = consoleCall<CountSheet>()('/counts/sheet', record({ count_id: RowId }));

/** The product of a scan, with its lots. `units`: what one scan of this code means. */
export const countFind = consoleCall<
  | { kind: 'found'; product: CountProduct; units: number; lines: BlindLine[] }
  | { kind: 'unknown' }
  | { kind: 'not_on_sheet'; product: CountProduct }
>()('/counts/find', record({ count_id: RowId, code: CallerIdentifier }));

type Ended = { kind: 'ended'; state: CountState };

const countedUnitsMax = 1_000_000_000;

/** Adds units to a lot; 0 says that none is there. A repeat with the same `scan_id` counts once. */
export const countEnter = consoleCall<
  { kind: 'entered' | 'repeated'; line: BlindLine } | Ended | { kind: 'not_on_sheet' | 'too_many_units' }
>()(
  '/counts/enter',
  record({
    count_id: RowId,
    scan_id: Uuid,
    lot: CountedLot,
    units: Type.Integer({ minimum: 0, maximum: countedUnitsMax }),
  }),
);

export const countUndo = consoleCall<{ kind: 'undone'; line: BlindLine } | { kind: 'no_such_scan' } | Ended>()(
  '/counts/undo',
  record({ count_id: RowId, scan_id: Uuid }),
);

/** A lot as the reviewer sees it. */
export interface ReviewLine extends BlindLine {
  counted_at: string | null;
  /** The units on the shelf when the lot was counted; null: not counted. */
  expected: number | null;
  /** Packed units that had left the shelf then. */
  off_shelf: number | null;
  difference: number | null;
  /** Units left or reached the shelf during the count: count it again. */
  moved: boolean;
  /** The balance now. */
  on_hand: number;
  locked: number;
  /** The difference that was booked; null: none. */
  booked: number | null;
}

export interface CountReview {
  count: CountRow;
  products: CountProduct[];
  lines: ReviewLine[];
  is_cut: boolean;
}

export const countReview = consoleCall<CountReview>()('/counts/review', record({ count_id: RowId }));

export const countLinesMax = 2000;

/** Begins the counts of these lots again. A repeat changes nothing, because the round is another one. */
export const countRecount = consoleCall<{ kind: 'begun'; lots: number } | Ended>()(
  '/counts/recount',
  record({
    count_id: RowId,
    lots: Type.Array(record({ ...CountedLot.properties, round: Type.Integer({ minimum: 1, maximum: 1_000_000 }) }), {
      minItems: 1,
      maxItems: countLinesMax,
    }),
  }),
);

export type CountMistake = CountLot & {
  refused: Exclude<RefusedStockChange, { kind: 'same_warehouse' }> | { kind: 'moved' };
};

/**
 * Books the differences of all lots that were counted, except those in `left_out`, as one adjustment: all or none. Lots
 * that nobody counted stay as they are.
 */
export const countBook = consoleCall<
  | { kind: 'booked' | 'repeated'; reference_no: string | null; lots: number; added: number; removed: number }
  | { kind: 'refused'; mistakes: CountMistake[] }
  | Ended
>()(
  '/counts/book',
  record({ count_id: RowId, left_out: Type.Optional(Type.Array(CountedLot, { maxItems: countLinesMax })) }),
);

/** Ends a count without booking anything. */
export const countDiscard = consoleCall<{ kind: 'discarded' } | Ended>()(
  '/counts/discard',
  record({ count_id: RowId }),
);
