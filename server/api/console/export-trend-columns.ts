import type {
  CallerTrend,
  ExpiryMonth,
  OrderTrendCounts,
  OrderTrends,
  ReceiverTrend,
} from '../../../contract/console/trends.ts';
import { date, type ExportColumn, named, number, text, time } from './export-columns.ts';

const orderCounts: ExportColumn<OrderTrendCounts>[] = [
  number('createdOrders', (row) => row.created),
  number('shippedOrders', (row) => row.shipped),
  number('shortOrders', (row) => row.short),
  number('deliveredOrders', (row) => row.delivered),
  number('undeliveredOrders', (row) => row.undelivered),
  number('cancelledOrders', (row) => row.cancelled),
  number('dueOrders', (row) => row.due),
  number('onTimeOrders', (row) => row.on_time),
];

export const trendDayColumns: ExportColumn<OrderTrends['days'][number]>[] = [
  date('day', (row) => row.day),
  ...orderCounts,
  number('openOrders', ({ backlog }) => backlog?.reduce((sum, count) => sum + count, 0)),
];

export const accountTrendColumns: ExportColumn<OrderTrends['by_account'][number]>[] = [
  text('account', (row) => row.account_no),
  ...orderCounts,
];

export const warehouseTrendColumns: ExportColumn<OrderTrends['by_warehouse'][number]>[] = [
  text('warehouse', (row) => String(row.warehouse_no)),
  ...orderCounts,
];

export const carrierTrendColumns: ExportColumn<OrderTrends['by_carrier'][number]>[] = [
  text('express', ({ carrier }, { names }) =>
    named({ ...names.shipMethod, '': names.noCarrier, other: names.otherCarriers }, carrier),
  ),
  ...orderCounts,
];

export const expiryTrendColumns: ExportColumn<ExpiryMonth>[] = [
  text('month', ({ month }, { names }) => (month === 'expired' ? names.band.expired : month)),
  number('good', (row) => row.good),
  number('arrivedBad', (row) => row.bad),
];

export const receiverTrendColumns: ExportColumn<ReceiverTrend>[] = [
  text('account', (row) => row.account_no),
  text('url', (row) => row.address),
  number('attempts', (row) => row.attempts),
  number('failedAttempts', (row) => row.failed),
  number('arrivedCallbacks', (row) => row.delivered),
  number('givenUp', (row) => row.given_up),
  number('halfWithin', (row) => row.p50_ms),
  number('mostWithin', (row) => row.p95_ms),
];

export const callerTrendColumns: ExportColumn<CallerTrend>[] = [
  text('account', (row) => row.account_no),
  number('calls', (row) => row.calls),
  number('refusedCalls', (row) => row.refused),
  number('failedCalls', (row) => row.failed),
  number('averageTime', ({ average_ms }) => average_ms && Math.round(average_ms * 10) / 10),
  time('lastCall', (row) => row.last_call_at),
];
