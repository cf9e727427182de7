import { alertsHistory } from '../../../contract/console/alerts.ts';
import { auditLogSearch } from '../../../contract/console/audit-log.ts';
import { callbackSearch, receiverList } from '../../../contract/console/callbacks.ts';
import type { AnswerOf, ConsoleCall } from '../../../contract/console/console-call.ts';
import { countSearch } from '../../../contract/console/counts.ts';
import type { ExportList } from '../../../contract/console/exports.ts';
import { inboundSearch } from '../../../contract/console/inbound.ts';
import { operatorsList } from '../../../contract/console/operators.ts';
import { orderSearch } from '../../../contract/console/orders.ts';
import {
  accountsList,
  clientsList,
  logisticsKeysList,
  storesList,
  warehousesList,
} from '../../../contract/console/partners.ts';
import { productsSearch } from '../../../contract/console/products.ts';
import { requestGrouped, requestSearch } from '../../../contract/console/requests.ts';
import { stockLot, stockSearch, stockSkus } from '../../../contract/console/stock.ts';
import { trendsCallbacks, trendsCalls, trendsOrders, trendsStock } from '../../../contract/console/trends.ts';
import { findExportedInboundLines } from '../../domain/inbound/inbound-line-queries.ts';
import { findDetailLines } from '../../domain/orders/order-detail-queries.ts';
import { findRecipients } from '../../domain/orders/order-history-queries.ts';
import type { AccountDirectory } from '../../domain/partners/account-directory.ts';
import type { Reader } from '../../platform/postgres/database.ts';
import { accountsOf } from '../../platform/postgres/per-account.ts';
import {
  alertColumns,
  auditColumns,
  callbackColumns,
  countColumns,
  type ExportColumn,
  type ExportedInbound,
  type ExportedOrder,
  inboundColumns,
  inboundLineColumns,
  movementColumns,
  orderColumns,
  orderLineColumns,
  productColumns,
  receiverColumns,
  recipientColumns,
  requestColumns,
  requestErrorColumns,
  skuColumns,
  stockColumns,
} from './export-columns.ts';
import {
  accountColumns,
  clientColumns,
  keyColumns,
  operatorColumns,
  storeColumns,
  warehouseColumns,
} from './export-partner-columns.ts';
import {
  accountTrendColumns,
  callerTrendColumns,
  carrierTrendColumns,
  expiryTrendColumns,
  receiverTrendColumns,
  trendDayColumns,
  warehouseTrendColumns,
} from './export-trend-columns.ts';

/** The parts of a file that the operator may choose. */
export interface ExportParts {
  lines: boolean;
  recipients: boolean;
}

interface Lookup {
  reads: Reader;
  directory: AccountDirectory;
  parts: ExportParts;
}

/** A list as a file: its own call gives the pages, so filters, roles and warehouses are those of the list. */
export interface ExportedList {
  call: ConsoleCall;
  offers: (keyof ExportParts)[];
  columnsOf(parts: ExportParts): ExportColumn<never>[];
  /** What leads to the page after this one; null: it is the last. */
  nextPage(answer: never): Record<string, unknown> | null;
  /** The rows of the file that a page of the list gives. */
  rowsOf(answer: never, lookup: Lookup): Promise<unknown[]>;
}

const byCursor = {
  nextPage: ({ next_cursor: cursor = null }: { next_cursor?: string | null }) => (cursor === null ? null : { cursor }),
};

export const exportedLists: Record<ExportList, ExportedList> = {
  orders: {
    ...byCursor,
    call: orderSearch,
    offers: ['lines', 'recipients'],
    columnsOf: ({ lines, recipients }) => [
      ...orderColumns,
      ...(recipients ? recipientColumns : []),
      ...(lines ? orderLineColumns : []),
    ],
    rowsOf: ordersOf,
  },
  inbound: {
    ...byCursor,
    call: inboundSearch,
    offers: ['lines'],
    columnsOf: ({ lines }) => [...inboundColumns, ...(lines ? inboundLineColumns : [])],
    rowsOf: inboundsOf,
  },
  products: plain(productsSearch, productColumns, ({ rows }) => rows),
  stock: plain(stockSearch, stockColumns, ({ rows }) => rows),
  skus: plain(stockSkus, skuColumns, ({ rows }) => rows),
  movements: plain(stockLot, movementColumns, ({ rows }) => rows),
  counts: plain(countSearch, countColumns, ({ rows }) => rows),
  callbacks: plain(callbackSearch, callbackColumns, ({ rows }) => rows),
  receivers: plain(receiverList, receiverColumns, ({ receivers }) => receivers),
  requests: plain(requestSearch, requestColumns, ({ rows }) => rows),
  'request-errors': plain(requestGrouped, requestErrorColumns, ({ groups }) => groups),
  accounts: plain(accountsList, accountColumns, ({ rows }) => rows),
  clients: plain(clientsList, clientColumns, ({ rows }) => rows),
  keys: plain(logisticsKeysList, keyColumns, ({ rows }) => rows),
  warehouses: plain(warehousesList, warehouseColumns, ({ rows }) => rows),
  stores: plain(storesList, storeColumns, ({ rows }) => rows),
  operators: plain(operatorsList, operatorColumns, ({ rows }) => rows),
  'alert-history': {
    ...plain(alertsHistory, alertColumns, ({ rows }) => rows),
    nextPage: ({ rows, has_more }: AnswerOf<typeof alertsHistory>) =>
      has_more ? { before: rows.at(-1)!.alert_message_id } : null,
  },
  'audit-log': plain(auditLogSearch, auditColumns, ({ rows }) => rows),
  'trend-days': plain(trendsOrders, trendDayColumns, ({ days }) => days),
  'trend-accounts': plain(trendsOrders, accountTrendColumns, ({ by_account }) => by_account),
  'trend-warehouses': plain(trendsOrders, warehouseTrendColumns, ({ by_warehouse }) => by_warehouse),
  'trend-carriers': plain(trendsOrders, carrierTrendColumns, ({ by_carrier }) => by_carrier),
  'trend-expiry': plain(trendsStock, expiryTrendColumns, ({ months }) => months),
  'trend-receivers': plain(trendsCallbacks, receiverTrendColumns, ({ rows }) => rows),
  'trend-callers': plain(trendsCalls, callerTrendColumns, ({ rows }) => rows),
};

function plain<Call extends ConsoleCall, Row>(
  call: Call,
  columns: ExportColumn<Row>[],
  rowsOf: (answer: AnswerOf<Call>) => Row[],
): ExportedList {
  return {
    ...byCursor,
    call,
    offers: [],
    columnsOf: () => columns,
    rowsOf: async (answer: AnswerOf<Call>) => rowsOf(answer),
  };
}

async function ordersOf(
  { rows }: AnswerOf<typeof orderSearch>,
  { reads, directory, parts }: Lookup,
): Promise<ExportedOrder[]> {
  const accounts = directory.known();
  const keys = rows.map(({ account_no, order_id }) => ({
    accountId: accounts.get(account_no)!.accountId,
    orderId: order_id,
  }));
  const [lines, recipients] = await reads.read(accountsOf(keys), (sql) =>
    Promise.all([parts.lines ? findDetailLines(sql, keys) : [], parts.recipients ? findRecipients(sql, keys) : []]),
  );
  const linesOf = Map.groupBy(lines, ({ order_id }) => order_id);
  const recipientOf = new Map(recipients.map((recipient) => [recipient.order_id, recipient]));
  return rows.flatMap((order): ExportedOrder[] => {
    const recipient = recipientOf.get(order.order_id) ?? null;
    const own = linesOf.get(order.order_id);
    return own === undefined ? [{ order, recipient, line: null }] : own.map((line) => ({ order, recipient, line }));
  });
}

async function inboundsOf(
  { rows }: AnswerOf<typeof inboundSearch>,
  { reads, directory, parts }: Lookup,
): Promise<ExportedInbound[]> {
  if (!parts.lines) return rows.map((document) => ({ document, line: null }));
  const accounts = directory.known();
  const keys = rows.map(({ account_no, inbound_id }) => ({
    accountId: accounts.get(account_no)!.accountId,
    inboundId: inbound_id,
  }));
  const lines = await reads.read(accountsOf(keys), (sql) => findExportedInboundLines(sql, keys));
  const linesOf = Map.groupBy(lines, ({ inbound_id }) => inbound_id);
  return rows.flatMap((document): ExportedInbound[] => {
    const own = linesOf.get(document.inbound_id);
    return own === undefined ? [{ document, line: null }] : own.map((line) => ({ document, line }));
  });
}
