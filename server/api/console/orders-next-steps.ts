import {
  type AwaitedStock,
  orderNextSteps,
  orderRejectionReasons,
  orderResendReason,
  type QueuedOrder,
  queueCountMax,
  type RejectionReason,
  resentMax,
} from '../../../contract/console/orders.ts';
import { readMessage } from '../../../messages/message.ts';
import type { QueuedOrder as FoundInQueue } from '../../domain/orders/next-step-queries.ts';
import { type Awaited, readAwaited } from '../../domain/orders/next-steps.ts';
import { findOrdersById } from '../../domain/orders/order-detail-queries.ts';
import {
  type RejectionReason as FoundReason,
  findRejection,
  findRejectionReasons,
  findTransfers,
} from '../../domain/transfers/transfer-queries.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { noSuchOrder, requeueAll } from './orders-actions.ts';
import { ownOf, refuseOtherWarehouses } from './own-warehouses.ts';

/** The reasons why orders do not proceed, and what helps. */
export function orderNextStepEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [orderNextStepsCall(parts), orderRejectionReasonsCall(), orderResendReasonCall(parts)];
}

function orderNextStepsCall({ database, clock }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(orderNextSteps, {
    role: 'read-only',
    warehouses: 'own',
    audit: null,
    async handle(caller, { order_id }) {
      const [order] = await database.read(noAccounts, (sql) => findOrdersById(sql, [order_id]));
      if (!order) throw noSuchOrder();
      refuseOtherWarehouses(caller, [order.warehouse_no]);
      const key = { accountId: order.account_id, orderId: order_id };
      const [awaited, rejected] = await database.read([key.accountId], (sql) =>
        Promise.all([readAwaited(sql, key, clock.now()), findRejection(sql, key.accountId, key.orderId)]),
      );
      const reasons = rejected && (await database.read(noAccounts, (sql) => findRejectionReasons(sql, ownOf(caller))));
      // There may be more rejected orders than are looked at, but this one is among them.
      const found = reasons?.find(({ key: one }) => one === rejected?.key) ?? (rejected && { ...rejected, count: 1 });
      return { awaited: awaited && toAwaitedStock(awaited), rejection: found && toReason(found) };
    },
  });
}

function toAwaitedStock(awaited: Awaited): AwaitedStock {
  return {
    products: awaited.products.map((product) => ({
      product_id: product.productId,
      sku_id: product.skuId,
      product_name: product.productName,
      ordered: product.ordered,
      available: product.available,
      missing: product.missing,
      wanted_before: product.wantedBefore,
    })),
    inbounds: awaited.coming.map((coming) => ({
      inbound_id: coming.inboundId,
      document_no: coming.documentNo,
      partner_number: coming.partnerNumber,
      status: coming.status,
      estimated_arrival_at: coming.estimatedArrivalAt,
      sku_id: coming.skuId,
      units: coming.units,
    })),
    has_more_inbounds: awaited.hasMoreComing,
    place: Math.min(awaited.before, queueCountMax) + 1,
    behind_count: awaited.after,
    ahead: awaited.ahead.map(toQueued),
    behind: awaited.behind.map(toQueued),
  };
}

function toQueued({ orderId, partnerNumber, createdAt, units }: FoundInQueue): QueuedOrder {
  return { order_id: orderId, partner_number: partnerNumber, created_at: createdAt, units };
}

function toReason({ reason, ...rest }: FoundReason): RejectionReason {
  return { ...rest, reason: readMessage(reason) };
}

function orderRejectionReasonsCall(): ConsoleEndpoint {
  return consoleEndpoint(orderRejectionReasons, {
    role: 'read-only',
    warehouses: 'own',
    audit: null,
    isList: true,
    async handle(caller) {
      const reasons = await caller.reads.read(noAccounts, (sql) => findRejectionReasons(sql, ownOf(caller)));
      return { reasons: reasons.map(toReason) };
    },
  });
}

/** Does the same as `orderTransferRetry`, for all orders of a reason. */
function orderResendReasonCall({ database }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(orderResendReason, {
    role: 'admin',
    audit: ({ transfer_reason }) => ({ details: { transfer_reason } }),
    outcome: ({ resent }) => `waiting ${resent}`,
    async handle(_caller, { transfer_reason: reasonKey }) {
      const selection = { warehouseNo: null, status: 'rejected', numbers: null, reasonKey } as const;
      const found = await database.read(noAccounts, (sql) => findTransfers(sql, selection, resentMax + 1));
      const waiting = await requeueAll(database, found.slice(0, resentMax));
      return { resent: waiting.size, is_more: found.length > resentMax };
    },
  });
}
