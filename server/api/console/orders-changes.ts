import type { ChangedField, OrderChangeEntry } from '../../../contract/console/order-change-entry.ts';
import {
  type OrderChangeResult,
  orderHold,
  orderRelease,
  orderUpdate,
} from '../../../contract/console/order-changes.ts';
import { readMessage } from '../../../messages/message.ts';
import type { ChangeOrderOutcome } from '../../domain/orders/change-orders.ts';
import type { OrderFields, WantedChange } from '../../domain/orders/order-change.ts';
import type { OrderChange } from '../../domain/orders/order-change-queries.ts';
import type { Cause } from '../../domain/stock/movement.ts';
import { fieldsGiven } from '../order-changes.ts';
import { type ConsoleCaller, type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { auditedOrders, countKinds, ordersOfIds } from './orders-actions.ts';

export function orderHoldCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(orderHold, {
    role: 'staff',
    warehouses: 'own',
    // The reason may be about a person. It is in the history of the order, from which it is erased.
    audit: ({ order_ids }) => auditedOrders(order_ids),
    outcome: ({ results }) => countKinds(results),
    async handle(caller, { order_ids, reason }, request) {
      const change = { kind: 'hold', reason: reason ?? null } as const;
      return { results: await changeAll(parts, order_ids, change, { caller, cause: causeOf(caller, request) }) };
    },
  });
}

export function orderReleaseCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(orderRelease, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ order_ids }) => auditedOrders(order_ids),
    outcome: ({ results }) => countKinds(results),
    async handle(caller, { order_ids }, request) {
      return {
        results: await changeAll(parts, order_ids, { kind: 'release' }, { caller, cause: causeOf(caller, request) }),
      };
    },
  });
}

export function orderUpdateCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(orderUpdate, {
    role: 'staff',
    warehouses: 'own',
    // Names of fields, never their values.
    audit: ({ order_id, ...given }) => auditedOrders([order_id], { fields: Object.keys(fieldsGiven(given)) }),
    outcome: (result) => result.kind,
    async handle(caller, { order_id, ...given }, request) {
      const change = { kind: 'update', fields: fieldsGiven(given) } as const;
      const [result] = await changeAll(parts, [order_id], change, { caller, cause: causeOf(caller, request) });
      return result!;
    },
  });
}

/** Orders of several accounts and channels, each with its own result. */
async function changeAll(
  { database, directory, operations }: ConsoleParts,
  orderIds: number[],
  change: WantedChange,
  { caller, cause }: { caller: ConsoleCaller; cause: Cause },
): Promise<OrderChangeResult[]> {
  const { alike, named } = await ordersOfIds(database, directory, orderIds, caller);
  const outcomes = new Map<number, ChangeOrderOutcome>();
  await Promise.all(
    alike.map(async ({ accountId, isLogistics, orders }) => {
      const entries = orders.map(({ partner_number }) => ({ partnerNumber: partner_number, isLogistics, change }));
      const own = await operations.changeOrders({ accountId, entries, cause, isOnFloor: true });
      for (const [index, { order_id }] of orders.entries()) outcomes.set(order_id, own[index]!);
    }),
  );
  return orderIds.map((orderId) => ({
    ...named(orderId),
    ...toResult(outcomes.get(orderId) ?? { kind: 'not_found' }),
  }));
}

function toResult(outcome: ChangeOrderOutcome) {
  switch (outcome.kind) {
    case 'changed':
    case 'requested':
    case 'not_found':
    case 'unknown_ship_method':
      return { kind: outcome.kind };
    case 'too_late':
      return { kind: outcome.kind, status: outcome.status };
    case 'not_applicable':
      return { kind: outcome.kind, fields: outcome.fields };
    case 'too_many':
      return outcome;
    default:
      return outcome satisfies never;
  }
}

/** The caller decides whether the values are masked. */
export function toChangeEntry(change: OrderChange): OrderChangeEntry {
  const { kind, state, at, actor, traceId, fields, oldValues, newValues, reason, answer } = change;
  return {
    kind: 'change',
    at,
    change: kind,
    state,
    actor,
    trace_id: traceId,
    fields: fields.map(
      (field): ChangedField => ({ field, old: textOf(oldValues?.[field]), new: textOf(newValues?.[field]) }),
    ),
    is_erased: fields.length > 0 && newValues === null,
    reason,
    answer: readMessage(answer),
  };
}

function textOf(value: OrderFields[keyof OrderFields] | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
