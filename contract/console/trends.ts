import { Type } from 'typebox';
import { CalendarDate } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { AccountNo, listFields, record, Uuid } from './console-values.ts';
import { requestRange } from './requests.ts';
import { Warehouses } from './stock.ts';

/** More than a year. */
export const trendDaysMax = 400;
export const trendCarriersMax = 100;

const whichAccounts = {
  /** Default: all production accounts. */
  accounts: listFields.accounts,
  /** Test accounts (UAT), too, if no account is named. */
  test_accounts: Type.Optional(Type.Boolean()),
};
/** Both days are included. Default: the last 30 days. */
const days = { from: Type.Optional(CalendarDate), to: Type.Optional(CalendarDate) };
export const trendDaysDefault = 30;

export interface OrderTrendCounts {
  created: number;
  shipped: number;
  /** Shipped orders without some of their units. */
  short: number;
  delivered: number;
  undelivered: number;
  cancelled: number;
  /** Orders that had to be shipped on these days, without today, and those of them that were. */
  due: number;
  on_time: number;
}

/** The classes of age of open orders, in days: today, 1, 2-3, 4-7, more. */
export const backlogAges = 5;

export interface OrderTrends {
  /** Every day of the range; those of the future are left out. */
  days: ({ day: string } & OrderTrendCounts & {
      /** Open orders by age at the end of the day; null: not counted on that day. */
      backlog: number[] | null;
    })[];
  by_warehouse: ({ warehouse_no: number } & OrderTrendCounts)[];
  by_account: ({ account_no: string } & OrderTrendCounts)[];
  /** Empty: orders without a carrier; `other`: one of too many. */
  by_carrier: ({ carrier: string } & OrderTrendCounts)[];
  /** The open orders by age. */
  backlog: number[];
  /** Carriers of these accounts. */
  carriers: string[];
  /** Warehouses without a cut-off, whose orders are never due. */
  without_cut_off: number[];
  /** null: not yet. */
  counted_at: string | null;
  next_cursor: null;
}

export const trendsOrders = consoleCall<OrderTrends>()(
  '/trends/orders',
  record({
    ...days,
    ...whichAccounts,
    warehouse_no: Type.Optional(Warehouses),
    carrier: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: trendCarriersMax })),
  }),
);

export interface ExpiryMonth {
  /** 2026-11; `expired`: before today. */
  month: string;
  good: number;
  bad: number;
}

export const trendsStock = consoleCall<{
  months: ExpiryMonth[];
  /** Only the lots that expire first were read: those of at least one account are complete until this day only. */
  complete_until: string | null;
}>()('/trends/stock', record({ ...whichAccounts, warehouse_no: Type.Optional(Warehouses) }));

export interface ReceiverTrend {
  account_no: string;
  receiver_id: string;
  address: string;
  attempts: number;
  failed: number;
  /** Callbacks that arrived, and callbacks that were given up. */
  delivered: number;
  given_up: number;
  /** Half of the responses came within this time, and 95 %; null: there were none. */
  p50_ms: number | null;
  p95_ms: number | null;
}

/** The attempts of a day, to all receivers or to the one that is asked for. */
export interface CallbackDay {
  day: string;
  attempts: number;
  failed: number;
  p50_ms: number | null;
  p95_ms: number | null;
}

export const receiversMax = 200;
export const trendsCallbacks = consoleCall<{
  days: CallbackDay[];
  /** The one with the most failed attempts first. */
  rows: ReceiverTrend[];
  has_more: boolean;
  next_cursor: null;
}>()('/trends/callbacks', record({ ...days, ...whichAccounts, receiver_id: Type.Optional(Uuid) }));

export interface CallCounts {
  calls: number;
  /** Statuses from 400 to 499, and from 500 on. */
  refused: number;
  failed: number;
}

export type CallerTrend = CallCounts & { account_no: string; average_ms: number | null; last_call_at: string | null };

export const trendsCalls = consoleCall<{
  days: ({ day: string } & CallCounts)[];
  /** The account with the most calls first. */
  rows: CallerTrend[];
  next_cursor: null;
}>()('/trends/calls', record({ ...days, ...whichAccounts }));

/** Calls by hour. A range of less than a day is extended to the last 24 hours before its end. */
export const requestsTrend = consoleCall<{
  hours: ({ from: string } & CallCounts)[];
  /** There were too many calls since the last count to add them all. */
  is_behind: boolean;
}>()('/requests/trend', record({ ...requestRange, account_no: Type.Optional(AccountNo) }));
