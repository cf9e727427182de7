import type { BodyOf } from '../../../contract/console/console-call.ts';
import {
  type NamedOrder,
  type OrderAdvanceResult,
  type OrderCancelResult,
  orderAdvance,
  orderCancel,
  orderNoteAdd,
  orderTransferRetry,
  type TransferRetryResult,
} from '../../../contract/console/orders.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import { addNote } from '../../domain/documents/add-note.ts';
import type { CancelOrderOutcome } from '../../domain/orders/cancel-orders.ts';
import { findOrdersById, type OrderById } from '../../domain/orders/order-detail-queries.ts';
import type { AdvanceOrderOutcome } from '../../domain/orders/progress.ts';
import type { AccountDirectory } from '../../domain/partners/account-directory.ts';
import type { Cause } from '../../domain/stock/movement.ts';
import { requeueRejected } from '../../domain/transfers/transfer-queries.ts';
import { ProblemError } from '../../http/problem.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import {
  type AuditedAction,
  type ConsoleCaller,
  type ConsoleEndpoint,
  causeOf,
  consoleEndpoint,
} from './console-contract.ts';
import { accountNosOf, mistakeAt } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { refuseOtherWarehouses } from './own-warehouses.ts';

type Body = BodyOf<typeof orderAdvance>;

const statusAfter = {
  pick: 'picking',
  pack: 'packed',
  arrive: 'arrived',
  deliver: 'delivered',
  fail: 'undelivered',
} as const;

/**
 * Advances orders as a warehouse's system does, except that `orderShip` ships. The orders may belong to several accounts and channels; each has its
 * own result.
 */
export function orderAdvanceCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(orderAdvance, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ step, reason, orders }) =>
      auditedOrders(idsOf(orders), { step, ...(reason && { reason }), ...shipmentsOf(orders) }),
    outcome: ({ results }) => countKinds(results),
    async handle(caller, body, request) {
      const orderIds = idsOf(body.orders);
      if (new Set(orderIds).size < orderIds.length) throw mistakeAt('orders', rejection('order_twice'));
      if (body.reason && body.step !== 'fail') throw mistakeAt('reason', rejection('reason_without_fail'));
      const { alike, byId, named } = await ordersOfIds(parts.database, parts.directory, orderIds, caller);
      const advanced = alike.map((those) => advanceAlike(parts, those, body, causeOf(caller, request)));
      const outcomes = new Map((await Promise.all(advanced)).flat());
      const resultOf = (orderId: number): OrderAdvanceResult => ({
        ...named(orderId),
        ...toOutcome(outcomes.get(orderId), byId.get(orderId)),
      });
      return { results: orderIds.map(resultOf) };
    },
  });
}

async function advanceAlike(
  { directory, operations }: ConsoleParts,
  { accountId, isLogistics, orders }: OrdersAlike,
  { step, reason, orders: said }: Body,
  cause: Cause,
): Promise<[number, AdvanceOrderOutcome][]> {
  const saidOf = new Map(said.map((one) => [one.order_id, one]));
  const account = [...directory.known().values()].find((one) => one.accountId === accountId);
  const entries = orders.map(({ order_id, partner_number: partnerNumber }) => {
    const { shipment_no: shipmentNo = null, carrier = null } = saidOf.get(order_id)!;
    return { partnerNumber, isLogistics, to: statusAfter[step], shipmentNo, carrier, ...(reason && { reason }) };
  });
  const outcomes = await operations.advanceOrders({
    accountId,
    isUat: account?.environment !== 'production',
    entries,
    cause,
  });
  return orders.map(({ order_id }, index) => [order_id, outcomes[index]!]);
}

/** `before` was read without a lock: it only decides whether the message says `advanced` or `already`. */
function toOutcome(outcome: AdvanceOrderOutcome | undefined, before: OrderById | undefined) {
  switch (outcome?.kind) {
    case undefined:
      return { kind: 'not_found' as const };
    case 'advanced':
      return outcome.status === before?.status ? { ...outcome, kind: 'already' as const } : outcome;
    case 'not_found':
    case 'uat':
    case 'out_of_order':
    case 'other_shipment_no':
    case 'no_reason':
      return outcome;
    case 'other_reason':
      return { kind: outcome.kind };
    // Only shipments have parcels, and reports of the console have a reason only with `fail`.
    case 'no_shipment_no':
    case 'repeated_shipment_no':
    case 'other_content':
    case 'not_held':
    case 'nothing_left':
    case 'no_more_parcels':
    case 'too_many_parcels':
    case 'no_parcels':
    case 'two_shipment_nos':
    case 'not_with_status':
    case 'units_remain':
      throw new Error(`a report of the console was refused: ${outcome.kind}`);
    default:
      return outcome satisfies never;
  }
}

function idsOf(orders: Body['orders']): number[] {
  return orders.map(({ order_id }) => order_id);
}

function shipmentsOf(orders: Body['orders']) {
  const said = orders.filter(({ shipment_no }) => shipment_no !== undefined);
  return said.length === 0 ? {} : { shipments: said.map(({ order_id, shipment_no }) => ({ order_id, shipment_no })) };
}

/** Orders of several accounts and channels, each with its own result. */
export function orderCancelCall({ database, directory, operations }: ConsoleParts): ConsoleEndpoint {
  async function cancelAlike(
    { accountId, isLogistics, orders }: OrdersAlike,
    cause: Cause,
  ): Promise<[number, CancelOrderOutcome][]> {
    const partnerNumbers = orders.map(({ partner_number }) => partner_number);
    const outcomes = await operations.cancelOrders({ accountId, isLogistics, partnerNumbers, cause });
    return orders.map(({ order_id }, index) => [order_id, outcomes[index]!]);
  }

  return consoleEndpoint(orderCancel, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ order_ids }) => auditedOrders(order_ids),
    outcome: ({ results }) => countKinds(results),
    async handle(caller, { order_ids }, request) {
      const { alike, named } = await ordersOfIds(database, directory, order_ids, caller);
      const outcomes = new Map(
        (await Promise.all(alike.map((those) => cancelAlike(those, causeOf(caller, request))))).flat(),
      );
      return {
        results: order_ids.map(
          (orderId): OrderCancelResult => ({
            ...named(orderId),
            ...(outcomes.get(orderId) ?? { kind: 'not_found' as const }),
          }),
        ),
      };
    },
  });
}

export function orderTransferRetryCall({ database, directory }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(orderTransferRetry, {
    role: 'admin',
    audit: ({ order_ids }) => auditedOrders(order_ids),
    outcome: ({ results }) => countKinds(results),
    async handle(caller, { order_ids }) {
      const { byId, named } = await ordersOfIds(database, directory, order_ids, caller);
      // An order that was cancelled after its rejection stays as it is.
      const pending = [...byId.values()].filter(({ status }) => status === 'pending_warehouse_transfer');
      const waiting = await requeueAll(database, pending);
      const kindOf = (orderId: number) =>
        waiting.has(orderId) ? 'waiting' : byId.has(orderId) ? 'not_rejected' : 'not_found';
      return {
        results: order_ids.map((orderId): TransferRetryResult => ({ ...named(orderId), kind: kindOf(orderId) })),
      };
    },
  });
}

export async function requeueAll(
  database: Database,
  orders: Pick<OrderById, 'account_id' | 'order_id'>[],
): Promise<Set<number>> {
  const waiting = new Set<number>();
  for (const [accountId, own] of Map.groupBy(orders, ({ account_id }) => account_id)) {
    const orderIds = own.map(({ order_id }) => order_id);
    const requeued = await database.transaction([accountId], (tx) => requeueRejected(tx, accountId, orderIds));
    for (const orderId of requeued) waiting.add(orderId);
  }
  return waiting;
}

export function orderNoteAddCall({ database }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(orderNoteAdd, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ order_id }) => ({ subject: `order ${order_id}` }),
    async handle(caller, { order_id, text }) {
      const [order] = await database.read(noAccounts, (sql) => findOrdersById(sql, [order_id]));
      if (!order) throw noSuchOrder();
      refuseOtherWarehouses(caller, [order.warehouse_no]);
      const note = {
        type: 'order',
        documentId: order_id,
        accountId: order.account_id,
        author: caller.session.username,
        text: text.trim(),
      } as const;
      return await database.transaction([note.accountId], (tx) => addNote(tx, note));
    },
  });
}

/**
 * Pages name orders by id, operations by the partner's number. Orders of the same account and kind of number are
 * handled together.
 */
interface OrdersAlike {
  accountId: number;
  isLogistics: boolean;
  orders: OrderById[];
}

interface OrdersOfIds {
  alike: OrdersAlike[];
  byId: Map<number, OrderById>;
  /** The numbers of an order for its result. */
  named(orderId: number): NamedOrder;
}

/** Refuses all if one is in a warehouse in which the operator does not work. */
export async function ordersOfIds(
  database: Database,
  directory: AccountDirectory,
  orderIds: number[],
  caller: ConsoleCaller,
): Promise<OrdersOfIds> {
  // An account may have been made just now.
  await directory.allNow();
  const accountNoOf = accountNosOf(directory);
  const found = await database.read(noAccounts, (sql) => findOrdersById(sql, orderIds));
  refuseOtherWarehouses(
    caller,
    found.map(({ warehouse_no }) => warehouse_no),
  );
  const byId = new Map(found.map((order) => [order.order_id, order]));
  const groups = Map.groupBy(found, ({ account_id, channel }) => `${account_id}/${channel === 'logistics'}`);
  return {
    alike: [...groups.values()].map((orders) => ({
      accountId: orders[0]!.account_id,
      isLogistics: orders[0]!.channel === 'logistics',
      orders,
    })),
    byId,
    named(orderId) {
      const order = byId.get(orderId);
      if (!order) return { order_id: orderId, account_no: null, order_no: null, partner_number: null };
      const { account_id, order_no, partner_number } = order;
      return { order_id: orderId, account_no: accountNoOf(account_id), order_no, partner_number };
    },
  };
}

export function auditedOrders(orderIds: number[], details: Record<string, unknown> = {}): AuditedAction {
  return {
    ...(orderIds.length === 1 ? { subject: `order ${orderIds[0]}` } : {}),
    details: { order_ids: orderIds, ...details },
  };
}

/** `cancelled 2, too_late 1`. */
export function countKinds(results: { kind: string }[]): string {
  return [...Map.groupBy(results, ({ kind }) => kind)].map(([kind, those]) => `${kind} ${those.length}`).join(', ');
}

export function noSuchOrder(): ProblemError {
  return new ProblemError({ kind: 'not_found', message: rejection('no_such_order') });
}
