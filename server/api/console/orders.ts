import {
  type OrderDetail,
  type OrderStatus,
  type OrderTimelineEntry,
  orderDetail,
  orderScan,
  orderSearch,
  type ScannedOrder,
} from '../../../contract/console/orders.ts';
import { orderStatuses } from '../../../contract/main/orders-search.ts';
import { readMessage } from '../../../messages/message.ts';
import type { NotifiedCallback } from '../../domain/callbacks/document-callback-queries.ts';
import { explainTaken } from '../../domain/orders/explain-lots.ts';
import { maskChange, recipientsIn } from '../../domain/orders/former-recipients.ts';
import { masked, maskRecipient, namesSomebody } from '../../domain/orders/mask-recipient.ts';
import { type OrderKey, orderAfter, orderHasEnded } from '../../domain/orders/order.ts';
import { canBeChanged, placeOfChange } from '../../domain/orders/order-change.ts';
import {
  type DetailLine,
  findDetailLines,
  findHandledOrders,
  findOrdersByShipment,
  findTakenLots,
  type HandledOrder,
  type TakenLot,
} from '../../domain/orders/order-detail-queries.ts';
import { findOrdersNamed } from '../../domain/orders/order-history-queries.ts';
import { heldStatuses, listOrders } from '../../domain/orders/order-search-queries.ts';
import { stepsOf } from '../../domain/orders/order-steps.ts';
import { type OrderInDetail, readOrder } from '../../domain/orders/read-order.ts';
import { nobody } from '../../domain/orders/recipient.ts';
import { makeRedact, redactMessage } from '../../domain/orders/redact-recipient.ts';
import type { KnownAccount } from '../../domain/partners/account-directory.ts';
import { freeOf } from '../../domain/stock/lot.ts';
import { distinct } from '../../platform/distinct.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { listPage } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { toListedOrder } from './listed-order.ts';
import { orderQuestion } from './order-question.ts';
import {
  noSuchOrder,
  orderAdvanceCall,
  orderCancelCall,
  orderNoteAddCall,
  orderTransferRetryCall,
} from './orders-actions.ts';
import { orderHoldCall, orderReleaseCall, orderUpdateCall, toChangeEntry } from './orders-changes.ts';
import { orderNextStepEndpoints } from './orders-next-steps.ts';
import { orderForgetCall, orderSearchByRecipientCall, orderViewRecipientCall } from './orders-recipients.ts';
import { inOwnWarehouses, isOwn, refuseOtherWarehouses } from './own-warehouses.ts';
import { oldestFirst, toTimelineEntries } from './timeline.ts';

export function orderEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [
    orderSearchCall(parts),
    orderDetailCall(parts),
    orderScanCall(parts),
    orderCancelCall(parts),
    orderAdvanceCall(parts),
    orderTransferRetryCall(parts),
    ...orderNextStepEndpoints(parts),
    orderNoteAddCall(parts),
    orderViewRecipientCall(parts),
    orderSearchByRecipientCall(parts),
    orderForgetCall(parts),
    orderHoldCall(parts),
    orderReleaseCall(parts),
    orderUpdateCall(parts),
  ];
}

function orderSearchCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(orderSearch, {
    role: 'read-only',
    warehouses: 'own',
    audit: null,
    isList: true,
    async handle(caller, body) {
      const tabs = { field: 'status', values: body.held ? heldStatuses : orderStatuses };
      const asked = await orderQuestion(caller.reads, inOwnWarehouses(caller, body));
      const question = { list: 'orders', ...asked, tabs };
      return await listPage(parts, caller, body, question, listOrders, toListedOrder);
    },
  });
}

function orderDetailCall({ database, directory, clock }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(orderDetail, {
    role: 'read-only',
    warehouses: 'own',
    audit: null,
    async handle(caller, { order_id }) {
      const order = await readOrder(database, directory, order_id, clock.now());
      if (order === null) throw noSuchOrder();
      refuseOtherWarehouses(caller, [order.history.warehouse_no]);
      return {
        order_id,
        ...toFacts(order),
        ...toStock(order),
        timeline: toTimeline(order),
        has_more_timeline: order.hasMoreEntries,
        can: canBeDone(order),
      };
    },
  });
}

function toFacts({ history, facts, recipient }: OrderInDetail) {
  const {
    lines: _lines,
    lots: _lots,
    callbacks: _callbacks,
    timeline: _timeline,
    changes: _changes,
    transfer,
    document_no: order_no,
    ...own
  } = history;
  const { environment, warehouse_name, store_name, delivery_charge } = facts;
  const { store_pickup_label_data, ...person } = maskRecipient(recipient ?? nobody);
  return {
    ...own,
    order_no,
    environment,
    warehouse_name,
    store_name,
    delivery_charge,
    recipient: person,
    has_recipient: recipient !== null && namesSomebody(recipient),
    store_pickup_label_data,
    transfer: transfer && toTransfer(transfer, makeRedact([recipient, ...recipientsIn(history.changes)])),
  };
}

type StoredTransfer = NonNullable<OrderInDetail['history']['transfer']>;
type Redact = ReturnType<typeof makeRedact>;

function toTransfer({ transfer_id, status, attempts, reason, note, updated_at }: StoredTransfer, redact: Redact) {
  return { transfer_id, status, attempts, reason: maskedReason(reason, redact), note, updated_at };
}

/** Reasons are masked before they are stored; those from before that are masked here. */
function maskedReason(reason: string | null, redact: Redact) {
  return redactMessage(readMessage(reason), redact);
}

function toStock({
  lines,
  taken,
  takenAt,
  sellableFrom,
  others,
}: OrderInDetail): Pick<OrderDetail, 'lines' | 'lots' | 'allocation'> {
  return {
    lines: lines.map(({ order_id: _order, product_id: _product, lots, ...line }) => ({
      ...line,
      lots: lots.map(({ lotId, batchId, expireDate, qty, why }) => ({
        lot_id: lotId,
        batch_id: batchId,
        expire_date: expireDate,
        qty,
        why,
      })),
    })),
    lots: taken.map(({ order_id: _order, movement_id: _movement, at: _at, ...lot }) => lot),
    allocation: {
      as_of: others.asOf,
      at: takenAt,
      sellable_from: sellableFrom,
      passed_over: others.passedOver.map(({ lot, skuId, why }) => ({
        ...{
          lot_id: lot.lotId,
          sku_id: skuId,
          stock_type: lot.stockType,
          batch_id: lot.batchId,
          expire_date: lot.expireDate,
        },
        on_hand: lot.onHand,
        free: freeOf(lot),
        why,
      })),
      has_more: others.hasMore,
      shortages: others.shortages.map(({ skuId, available, requested }) => ({ sku_id: skuId, available, requested })),
    },
  };
}

/** The timeline, the oldest first. A request is only listed if it caused no other entry. */
function toTimeline({ history, calls, callbacks, attempts, notes, recipient }: OrderInDetail): OrderTimelineEntry[] {
  const redact = makeRedact([recipient, ...recipientsIn(history.changes)]);
  const callOf = new Map(calls.map((call) => [call.trace_id, `${call.contract} ${call.endpoint}`]));
  const moved = new Set([...history.timeline, ...history.changes].map(({ traceId }) => traceId));
  const others = calls.filter(({ trace_id }) => !moved.has(trace_id));
  const owed = callbacks.map((callback) => ({ ...callback, created_at: owedAt(callback, history) }));
  const { transfer } = history;
  return oldestFirst<OrderTimelineEntry>([
    ...history.timeline.map(({ event, from, to, at, actor, traceId }) => ({
      ...{
        kind: 'state' as const,
        at,
        event,
        from: from as OrderStatus | null,
        to: to as OrderStatus,
        actor,
        trace_id: traceId,
      },
      call: callOf.get(traceId ?? '') ?? null,
    })),
    ...history.changes.map((change) => toChangeEntry(maskChange(change, redact))),
    ...(transfer ? [transferEntry(transfer, redact)] : []),
    ...toTimelineEntries({ calls: others, callbacks: owed, attempts }),
    ...notes.map(({ at, author, text }) => ({ kind: 'note' as const, at, actor: author, text: redact(text) })),
  ]);
}

/**
 * A callback is created in the transaction of its status change and has that transaction's start time, which is
 * earlier.
 */
function owedAt({ created_at: createdAt, event }: NotifiedCallback, { timeline }: OrderInDetail['history']): string {
  const change = timeline.find(({ to, at }) => event === `order.${to}` && at > createdAt);
  return change?.at ?? createdAt;
}

function transferEntry({ status, attempts, reason, note, updated_at }: StoredTransfer, redact: Redact) {
  const shown = maskedReason(reason, redact);
  return { kind: 'transfer' as const, at: updated_at, status, attempts, reason: shown, note };
}

function canBeDone({ history, facts }: OrderInDetail): OrderDetail['can'] {
  const { status, transfer } = history;
  return {
    cancel: orderAfter(status, 'cancel') !== null && transfer?.status !== 'sending',
    change: canBeChanged(
      placeOfChange({ status, transfer: transfer?.status ?? null, takesChanges: facts.takes_changes }),
    ),
    retry_transfer: status === 'pending_warehouse_transfer' && transfer?.status === 'rejected',
    forget: orderHasEnded(status) && history.recipient_erased_at === null,
    steps: stepsOf(status, facts.environment),
  };
}

/** More orders with the same number than a person can choose from. */
const scannedMax = 20;

/** The orders with this number: the partner's, ours, or that of the shipment. */
export async function findOrdersOfScan(database: Database, number: string): Promise<OrderKey[]> {
  const named = await database.read(noAccounts, (sql) => findOrdersNamed(sql, number, null));
  if (named.length === 0) return await database.read(noAccounts, (sql) => findOrdersByShipment(sql, number));
  return named.slice(0, scannedMax).map(({ account_id, document_id }) => ({
    accountId: account_id,
    orderId: document_id,
  }));
}

/** Finds an order by a scanned number. */
function orderScanCall({ database, directory }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(orderScan, {
    role: 'read-only',
    warehouses: 'own',
    audit: null,
    async handle(caller, { number }) {
      const found = await findOrdersOfScan(database, number);
      if (found.length === 0) return { kind: 'not_found' as const };
      const accounts = await directory.allNow();
      const accountOf = new Map([...accounts.values()].map((account) => [account.accountId, account]));
      const foundAccountIds = distinct(found.map(({ accountId }) => accountId));
      const [orders, lines, taken] = await database.read(foundAccountIds, (sql) =>
        Promise.all([findHandledOrders(sql, found), findDetailLines(sql, found), findTakenLots(sql, found)]),
      );
      const own = orders.filter(({ warehouse_no }) => isOwn(caller, warehouse_no));
      if (own.length === 0)
        refuseOtherWarehouses(
          caller,
          orders.map(({ warehouse_no }) => warehouse_no),
        );
      const linesOf = Map.groupBy(lines, ({ order_id }) => order_id);
      const takenOf = Map.groupBy(taken, ({ order_id }) => order_id);
      const scanned = own.map((order) =>
        toScanned(
          order,
          accountOf.get(order.account_id)!,
          linesOf.get(order.order_id) ?? [],
          takenOf.get(order.order_id) ?? [],
        ),
      );
      return scanned.length === 1
        ? { kind: 'found' as const, order: scanned[0]! }
        : { kind: 'several' as const, orders: scanned };
    },
  });
}

function toScanned(
  order: HandledOrder,
  { accountNo, environment }: KnownAccount,
  lines: DetailLine[],
  taken: TakenLot[],
): ScannedOrder {
  const { order_id, order_no, partner_number, name, status, logistics_type, express_type, shipment_no, carrier, note } =
    order;
  const lotsOf = explainTaken(lines, taken);
  return {
    order_id,
    account_no: accountNo,
    environment,
    order_no,
    partner_number,
    name,
    status,
    logistics_type,
    express_type,
    shipment_no,
    carrier,
    note: note && masked,
    lines: lines.map(({ line_no, sku_id, name, storage_type, qty }) => ({
      line_no,
      sku_id,
      name,
      storage_type,
      qty,
      lots: (lotsOf.get(line_no) ?? []).map(({ batchId, expireDate, qty }) => ({
        batch_id: batchId,
        expire_date: expireDate,
        qty,
      })),
    })),
    steps: stepsOf(status, environment),
  };
}
