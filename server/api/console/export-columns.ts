import type { ListedAlertMessage } from '../../../contract/console/alerts.ts';
import type { AuditRow } from '../../../contract/console/audit-log.ts';
import type { CallbackListRow, CappedCount, ReceiverRow } from '../../../contract/console/callbacks.ts';
import type { CountRow } from '../../../contract/console/counts.ts';
import type { ExportLanguage } from '../../../contract/console/exports.ts';
import type { InboundListRow } from '../../../contract/console/inbound.ts';
import type { OrderListRow } from '../../../contract/console/orders.ts';
import type { ProductRow } from '../../../contract/console/products.ts';
import type { RequestGroup, RequestRow } from '../../../contract/console/requests.ts';
import type { LedgerEntry, LotRow, SkuRow } from '../../../contract/console/stock.ts';
import { actionNames } from '../../../messages/action-names.ts';
import { actionOutcomes } from '../../../messages/action-outcomes.ts';
import { actorName } from '../../../messages/actor-names.ts';
import { attentionTexts } from '../../../messages/attention-texts.ts';
import type { exportColumnTitles } from '../../../messages/export-texts.ts';
import { formatMessage } from '../../../messages/format-message.ts';
import type { Message } from '../../../messages/message.ts';
import { valueNames } from '../../../messages/value-names.ts';
import type { ExportedInboundLine } from '../../domain/inbound/inbound-line-queries.ts';
import type { DetailLine } from '../../domain/orders/order-detail-queries.ts';
import type { Recipient } from '../../domain/orders/recipient.ts';
import { unknownEndpoint } from '../../http/request-record.ts';
import type { Cell, CellKind } from '../../platform/xlsx.ts';

/** The texts of one language. */
export interface Say {
  names: (typeof valueNames)['en'];
  actions: Record<string, string>;
  outcomes: Record<string, string>;
  attention: Record<keyof typeof attentionTexts, string>;
  message(message: Message | string | null): string | null;
  actor(actor: string | null): string | null;
}

export function sayIn(language: ExportLanguage): Say {
  return {
    names: valueNames[language],
    actions: actionNames[language],
    outcomes: actionOutcomes[language],
    attention: attentionNames(language),
    message: (message) => message && formatMessage(message, language),
    actor: (actor) => actor && actorName(actor, language),
  };
}

function attentionNames(language: ExportLanguage): Say['attention'] {
  const place = language === 'en' ? 0 : 1;
  const entries = Object.entries(attentionTexts).map(([kind, texts]) => [kind, texts[place]]);
  return Object.fromEntries(entries) as Say['attention'];
}

type Title = keyof typeof exportColumnTitles;

export interface ExportColumn<Row> {
  title: Title;
  kind: CellKind;
  cell(row: Row, say: Say): Cell | undefined;
}

const columnOf =
  (kind: CellKind) =>
  <Row>(title: Title, cell: ExportColumn<Row>['cell']): ExportColumn<Row> => ({ title, kind, cell });
/** Numbers of documents, phones and barcodes are texts: a spreadsheet would round them or drop leading zeros. */
export const text = columnOf('text');
export const number = columnOf('number');
export const time = columnOf('time');
export const date = columnOf('date');

/** A value that has no name is shown as it is. */
export function named(names: Record<string, string>, value: string | null): string | null {
  return value === null ? null : (names[value] ?? value);
}

/** A bulk action has a count per outcome: `cancelled 3, too_late 1`. */
function outcomesNamed(names: Record<string, string>, outcome: string | null): string | null {
  return outcome?.replaceAll(/(?<=^|, )\w+/g, (kind) => names[kind] ?? kind) ?? null;
}

export const yesNo = (value: boolean, { names }: Say) => (value ? names.yes : names.no);
const storage = (value: string | null, { names }: Say) =>
  value === 'unspecified' ? names.unspecified : named(names.storageType, value);

/** An order, one of its lines if the file has lines, and its recipient if the file has recipients. */
export interface ExportedOrder {
  order: OrderListRow;
  line: DetailLine | null;
  recipient: Recipient | null;
}

export const orderColumns: ExportColumn<ExportedOrder>[] = [
  text('account', ({ order }) => order.account_no),
  text('number', ({ order }) => order.partner_number),
  text('ourNumber', ({ order }) => order.order_no),
  text('shopOrder', ({ order }) => order.name),
  text('channel', ({ order }, { names }) => named(names.channel, order.channel)),
  text('status', ({ order }, { names }) => named(names.orderStatus, order.status)),
  text('transfer', ({ order }, { names }) => named(names.transferStatus, order.transfer_status)),
  text('held', ({ order }, say) => yesNo(order.held, say)),
  text('warehouse', ({ order }) => String(order.warehouse_no)),
  text('store', ({ order }) => String(order.store_no)),
  text('delivery', ({ order }, { names }) => named(names.shipMethod, order.logistics_type)),
  text('express', ({ order }, { names }) => named(names.shipMethod, order.express_type)),
  text('shipment', ({ order }) => order.shipment_no),
  text('carrier', ({ order }, { names }) => named(names.shipMethod, order.carrier)),
  text('reason', ({ order }, say) => say.message(order.transfer_reason)),
  number('lines', ({ order }) => order.line_count),
  number('units', ({ order }) => order.units),
  time('created', ({ order }) => order.created_at),
  time('updated', ({ order }) => order.updated_at),
];

export const orderLineColumns: ExportColumn<ExportedOrder>[] = [
  number('lineNo', ({ line }) => line?.line_no),
  text('sku', ({ line }) => line?.sku_id),
  text('productName', ({ line }) => line?.name),
  text('storage', ({ line }, say) => line && storage(line.storage_type, say)),
  number('quantity', ({ line }) => line?.qty),
  number('price', ({ line }) => line?.price),
  number('amount', ({ line }) => line && amountOf(line)),
  text('batch', ({ line }) => line?.batch_id),
  text('identifier', ({ line }) => line?.identifier),
  text('combo', ({ line }) => line?.combo_sku),
];

/** In hundredths, so that nothing is rounded. */
function amountOf({ price, qty }: DetailLine): string | null {
  if (price === null) return null;
  const [whole = '', hundredths = ''] = price.split('.');
  const amount = BigInt(whole + hundredths.padEnd(2, '0')) * BigInt(qty);
  const digits = String(amount < 0n ? -amount : amount).padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export const recipientColumns: ExportColumn<ExportedOrder>[] = [
  text('recipient', ({ recipient }) => recipient?.name),
  text('phone', ({ recipient }) => recipient?.phone),
  text('zip', ({ recipient }) => recipient?.zip),
  text('city', ({ recipient }) => recipient?.city),
  text('address', ({ recipient }) => recipient?.address),
];

export interface ExportedInbound {
  document: InboundListRow;
  line: ExportedInboundLine | null;
}

export const inboundColumns: ExportColumn<ExportedInbound>[] = [
  text('account', ({ document }) => document.account_no),
  text('number', ({ document }) => document.partner_number),
  text('ourNumber', ({ document }) => document.document_no),
  text('kind', ({ document }, { names }) => named(names.inboundKind, document.kind)),
  text('status', ({ document }, { names }) => named(names.inboundStatus, document.status)),
  text('channel', ({ document }, { names }) => named(names.channel, document.channel)),
  text('warehouse', ({ document }) => String(document.warehouse_no)),
  text('store', ({ document }) => String(document.store_no)),
  text('originalOrder', ({ document }) => document.original_order_number),
  time('arrival', ({ document }) => document.estimated_arrival_at),
  number('lines', ({ document }) => document.line_count),
  number('announced', ({ document }) => document.announced_units),
  number('arrived', ({ document }) => document.arrived_units),
  number('arrivedBad', ({ document }) => document.arrived_bad_units),
  time('created', ({ document }) => document.created_at),
  time('updated', ({ document }) => document.updated_at),
];

export const inboundLineColumns: ExportColumn<ExportedInbound>[] = [
  number('lineNo', ({ line }) => line?.line_no),
  text('sku', ({ line }) => line?.sku_id),
  text('productName', ({ line }) => line?.name),
  text('batch', ({ line }) => line?.batch_id),
  date('expiry', ({ line }) => line?.expire_date),
  text('identifier', ({ line }) => line?.identifier),
  number('quantity', ({ line }) => line?.qty),
];

export const productColumns: ExportColumn<ProductRow>[] = [
  text('account', (row) => row.account_no),
  text('sku', (row) => row.sku_id),
  text('productName', (row) => row.name),
  text('storage', (row, say) => storage(row.storage_type, say)),
  text('codes', ({ codes }) =>
    codes
      .filter(({ units }) => units === 1)
      .map(({ code }) => code)
      .join(', '),
  ),
  text('cartonCodes', ({ codes }) =>
    codes
      .filter(({ units }) => units > 1)
      .map(({ code, units }) => `${code} (${units})`)
      .join(', '),
  ),
  text('locations', ({ locations }) =>
    locations.map(({ warehouse_no, location }) => `${warehouse_no}: ${location}`).join(', '),
  ),
  number('length', (row) => row.length_cm),
  number('width', (row) => row.width_cm),
  number('height', (row) => row.height_cm),
  number('weight', (row) => row.weight_kg),
  time('created', (row) => row.created_at),
  time('updated', (row) => row.updated_at),
];

export const stockColumns: ExportColumn<LotRow>[] = [
  text('account', (row) => row.account_no),
  text('warehouse', (row) => String(row.warehouse_no)),
  text('sku', (row) => row.sku_id),
  text('productName', (row) => row.product_name),
  text('grade', (row, { names }) => names.stockType[row.stock_type]),
  text('batch', (row) => row.batch_id),
  date('expiry', (row) => row.expire_date),
  text('band', (row, { names }) => names.band[row.expiry_band]),
  number('onHand', (row) => row.on_hand),
  number('locked', (row) => row.locked),
  number('free', (row) => row.free),
  number('sellable', (row) => row.sellable),
];

export const skuColumns: ExportColumn<SkuRow>[] = [
  text('account', (row) => row.account_no),
  text('sku', (row) => row.sku_id),
  text('productName', (row) => row.product_name),
  text('warehouses', (row) => row.warehouses.join(', ')),
  number('lots', (row) => row.lots),
  number('onHand', (row) => row.on_hand),
  number('locked', (row) => row.locked),
  number('free', (row) => row.free),
  number('sellable', (row) => row.sellable),
  number('arrivedBad', (row) => row.bad),
  date('earliestExpiry', (row) => row.earliest_expiry),
];

export const movementColumns: ExportColumn<LedgerEntry>[] = [
  time('time', (row) => row.at),
  text('movement', (row, { names }) => names.movementKind[row.kind]),
  number('onHandDelta', (row) => row.on_hand_delta),
  number('onHandAfter', (row) => row.on_hand_after),
  number('lockedDelta', (row) => row.locked_delta),
  number('lockedAfter', (row) => row.locked_after),
  text('document', (row) => row.document_no),
  text('reference', (row) => row.reference_no),
  text('by', (row, { actor }) => actor(row.actor)),
  text('reason', (row) => row.reason),
  text('trace', (row) => row.trace_id),
];

export const countColumns: ExportColumn<CountRow>[] = [
  text('number', (row) => row.count_no),
  text('account', (row) => row.account_no),
  text('warehouse', (row) => String(row.warehouse_no)),
  text('scope', (row, { names }) => names.countScope[row.scope]),
  text('location', (row) => row.location),
  text('status', (row, { names }) => names.countState[row.state]),
  number('lotsCounted', (row) => row.lots_counted),
  text('by', (row) => row.created_by),
  time('created', (row) => row.created_at),
  text('endedBy', (row) => row.ended_by),
  time('ended', (row) => row.ended_at),
  text('reference', (row) => row.reference_no),
];

export const callbackColumns: ExportColumn<CallbackListRow>[] = [
  text('account', (row) => row.account_no),
  text('document', (row) => row.document_no),
  text('documentType', (row, { names }) => named(names.documentType, row.document_type)),
  text('event', (row, { names }) => named(names.event, row.event)),
  text('eventId', (row) => row.event_id),
  number('sequence', (row) => row.sequence),
  text('test', (row, say) => yesNo(row.test, say)),
  text('url', (row) => row.url),
  text('status', (row, { names }) => named(names.callbackStatus, row.status)),
  number('attempts', (row) => row.attempts),
  time('lastAttempt', (row) => row.last_attempt?.at),
  number('httpStatus', (row) => row.last_attempt?.http_status),
  text('lastError', (row, say) => say.message(row.last_attempt?.error ?? null)),
  time('nextAttempt', (row) => row.next_attempt_at),
  time('created', (row) => row.created_at),
  time('updated', (row) => row.updated_at),
];

export const receiverColumns: ExportColumn<ReceiverRow>[] = [
  text('account', (row) => row.account_no),
  text('url', (row) => row.address),
  text('state', (row, { names }) => names.receiverState[row.state]),
  number('waiting', ({ waiting }) => capped(waiting)),
  time('oldestWaiting', (row) => row.oldest_waiting_at),
  number('failedCallbacks', ({ failed }) => capped(failed)),
  number('failuresInARow', (row) => row.failures),
  time('lastSuccess', (row) => row.last_success_at),
  time('lastFailure', (row) => row.last_failure_at),
];

/** A count that stopped at its limit is a text. */
function capped({ count, is_capped }: CappedCount): Cell {
  return is_capped ? `${count}+` : count;
}

export const requestColumns: ExportColumn<RequestRow>[] = [
  time('time', (row) => row.at),
  text('contract', (row, { names }) => named(names.channel, row.contract)),
  text('method', (row) => row.method),
  text('endpoint', ({ endpoint }, { names }) => (endpoint === unknownEndpoint ? names.unknownEndpoint : endpoint)),
  number('httpStatus', (row) => row.status),
  text('code', (row) => row.code),
  text('account', (row) => row.account_no),
  text('document', (row) => row.document_no),
  number('duration', (row) => Math.round(row.duration_ms)),
  text('reason', (row, say) => say.message(row.reason)),
  text('trace', (row) => row.trace_id),
];

export const requestErrorColumns: ExportColumn<RequestGroup>[] = [
  text('contract', (row, { names }) => named(names.channel, row.contract)),
  text('endpoint', ({ endpoint }, { names }) => (endpoint === unknownEndpoint ? names.unknownEndpoint : endpoint)),
  number('httpStatus', (row) => row.status),
  text('code', (row) => row.code),
  text('account', (row) => row.account_no),
  number('requests', (row) => row.count),
  time('last', (row) => row.last_at),
  text('reason', (row, say) => say.message(row.reason)),
  text('trace', (row) => row.trace_id),
];

export const alertColumns: ExportColumn<ListedAlertMessage>[] = [
  time('time', (row) => row.created_at),
  text('rule', (row) => row.rule_name),
  text('sentBy', (row, { names }) => names.alertChannel[row.channel]),
  text('content', contentOf),
  text('state', (row, { names }) => names.alertState[row.state]),
  number('attempts', (row) => row.attempts),
  text('result', (row, say) => say.message(row.result)),
  time('nextAttempt', (row) => row.due_at),
];

function contentOf({ occasion, items }: ListedAlertMessage, { names, attention }: Say): string {
  const said = items.map(
    ({ kind, event, count, is_more }) =>
      `${attention[kind]}: ${count}${is_more ? '+' : ''} (${names.alertEvent[event]})`,
  );
  return [...(occasion === 'alert' ? [] : [names.alertOccasion[occasion]]), ...said].join('; ');
}

export const auditColumns: ExportColumn<AuditRow>[] = [
  time('time', (row) => row.at),
  text('by', (row, { actor }) => actor(row.who)),
  text('role', (row, { names }) => named(names.role, row.role)),
  text('action', (row, { actions }) => named(actions, row.action)),
  text('subject', (row) => row.subject),
  text('account', (row) => row.account_no),
  text('outcome', (row, { outcomes }) => outcomesNamed(outcomes, row.outcome)),
  text('details', ({ details }) => (details.length === 0 ? null : JSON.stringify(details))),
  text('ipAddress', (row) => row.address),
  text('trace', (row) => row.trace_id),
];
