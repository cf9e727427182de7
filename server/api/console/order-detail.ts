import { type OrderDetail, type OrderTimelineEntry, orderDetail } from '../../../contract/console/order-detail.ts';
import type { OrderStatus } from '../../../contract/console/order-search.ts';
import { maskRecipient, namesSomebody } from '../../domain/orders/mask-recipient.ts';
import { orderAfter } from '../../domain/orders/order.ts';
import { type OrderInDetail, readOrder, stepsOf } from '../../domain/orders/read-order.ts';
import { freeOf } from '../../domain/stock/lot.ts';
import type { TriedCallback } from '../../domain/timeline/told-queries.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { noSuchOrder } from './order-named.ts';
import { maySeePeople, noteRecipientSeen } from './people-seen.ts';
import { oldestFirst, wordTold } from './told-entries.ts';

/** All that is known of an order. */
export function orderDetailCall({ database, directory, clock }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(orderDetail, {
    role: 'read-only',
    audit: null,
    async handle(caller, { order_id }, request) {
      const order = await readOrder(database, directory, order_id, clock.now());
      if (order === null) throw noSuchOrder();
      const isMasked = !maySeePeople(caller);
      if (!isMasked && order.recipient !== null && namesSomebody(order.recipient)) {
        await noteRecipientSeen(database, caller, request, { orderId: order_id, accountNo: order.story.account_no });
      }
      return {
        order_id,
        ...wordFacts(order, isMasked),
        ...wordStock(order),
        timeline: wordTimeline(order),
        has_more_timeline: order.hasMoreTold,
        can: canBeDone(order),
      };
    },
  });
}

function wordFacts({ story, facts, recipient }: OrderInDetail, isMasked: boolean) {
  const { lines: _lines, lots: _lots, callbacks: _callbacks, timeline: _timeline, transfer, document_no: order_no, ...own } = story;
  const { environment, warehouse_name, store_name, delivery_charge } = facts;
  const shown = recipient && (isMasked ? maskRecipient(recipient) : recipient);
  const { store_pickup_label_data, ...person } = shown ?? { ...nobody, store_pickup_label_data: null };
  return {
    ...own,
    ...{ order_no, environment, warehouse_name, store_name, delivery_charge },
    recipient: person,
    is_masked: isMasked,
    store_pickup_label_data,
    transfer: transfer && wordTransfer(transfer),
  };
}

const nobody = { country: null, name: null, phone: null, address: null, city: null, zip: null, customer_name: null, note: null };

function wordTransfer({ transfer_id, status, attempts, reason, note, updated_at }: NonNullable<OrderInDetail['story']['transfer']>) {
  return { transfer_id, status, attempts, reason, note, updated_at };
}

function wordStock({ lines, taken, takenAt, sellableFrom, others }: OrderInDetail): Pick<OrderDetail, 'lines' | 'lots' | 'allocation'> {
  return {
    lines: lines.map(({ order_id: _order, product_id: _product, lots, ...line }) => ({
      ...line,
      lots: lots.map(({ lotId, batchId, expireDate, qty, why }) => ({
        ...{ lot_id: lotId, batch_id: batchId, expire_date: expireDate },
        ...{ qty, why },
      })),
    })),
    lots: taken.map(({ order_id: _order, movement_id: _movement, at: _at, ...lot }) => lot),
    allocation: {
      as_of: others.asOf,
      at: takenAt,
      sellable_from: sellableFrom,
      passed_over: others.passedOver.map(({ lot, skuId, why }) => ({
        ...{ lot_id: lot.lotId, sku_id: skuId, stock_type: lot.stockType, batch_id: lot.batchId, expire_date: lot.expireDate },
        ...{ on_hand: lot.onHand, free: freeOf(lot), why },
      })),
      has_more: others.hasMore,
      shortages: others.shortages.map(({ skuId, available, requested }) => ({ sku_id: skuId, available, requested })),
    },
  };
}

/** What happened, the oldest first. A call stands for itself only where nothing else came of it. */
function wordTimeline({ story, calls, callbacks, tries, notes }: OrderInDetail): OrderTimelineEntry[] {
  const callOf = new Map(calls.map((call) => [call.trace_id, `${call.contract} ${call.endpoint}`]));
  const moved = new Set(story.timeline.map(({ traceId }) => traceId));
  const others = calls.filter(({ trace_id }) => !moved.has(trace_id));
  const owed = callbacks.map((callback) => ({ ...callback, created_at: owedAt(callback, story) }));
  const { transfer } = story;
  return oldestFirst<OrderTimelineEntry>([
    ...story.timeline.map(({ event, from, to, at, actor, traceId }) => ({
      ...{ kind: 'state' as const, at, event, from: from as OrderStatus | null, to: to as OrderStatus, actor, trace_id: traceId },
      call: callOf.get(traceId ?? '') ?? null,
    })),
    ...(transfer ? [transferEntry(transfer)] : []),
    ...wordTold({ calls: others, callbacks: owed, tries }),
    ...notes.map(({ at, author, text }) => ({ kind: 'note' as const, at, actor: author, text })),
  ]);
}

/** A callback is owed by a change of state, in the same transaction; it bears the time of its beginning, which is earlier. */
function owedAt({ created_at: createdAt, event }: TriedCallback, { timeline }: OrderInDetail['story']): string {
  const told = timeline.find(({ to, at }) => event === `order.${to}` && at > createdAt);
  return told?.at ?? createdAt;
}

function transferEntry({ status, attempts, reason, note, updated_at }: NonNullable<OrderInDetail['story']['transfer']>) {
  return { kind: 'transfer' as const, at: updated_at, status, attempts, reason, note };
}

function canBeDone({ story, facts }: OrderInDetail): OrderDetail['can'] {
  const { status, transfer } = story;
  return {
    cancel: orderAfter(status, 'cancel') !== null && transfer?.status !== 'sending',
    retry_transfer: status === 'pending_warehouse_transfer' && transfer?.status === 'rejected',
    steps: stepsOf(status, facts.environment),
  };
}
