import {
  type OrderForgotten,
  orderForget,
  orderViewRecipient,
  recipientViewsPerHour,
} from '../../../contract/console/orders.ts';
import { reason } from '../../../messages/reason-texts.ts';
import { countRecent } from '../../domain/operators/action-queries.ts';
import type { OrderKey } from '../../domain/orders/order.ts';
import { findChangesOfOrders } from '../../domain/orders/order-change-queries.ts';
import { findOrdersById } from '../../domain/orders/order-detail-queries.ts';
import { findRecipient } from '../../domain/orders/order-history-queries.ts';
import { forgetOrder } from '../../domain/recipients/forget-order.ts';
import { ProblemError } from '../../http/problem.ts';
import { taipeiInstant } from '../../platform/clock.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { noSuchOrder } from './orders-actions.ts';
import { toChangeEntry } from './orders-changes.ts';

// Everything else in the console masks recipients.

const retryAfterSeconds = 600;

/**
 * The entry in the audit log is written first. The limit keeps a stolen session from copying all recipients; it is
 * counted in the audit log, so all nodes share it.
 */
export function orderViewRecipientCall({ database }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(orderViewRecipient, {
    role: 'staff',
    audit: auditOf,
    async handle({ session }, { order_id }) {
      const viewed = { username: session.username, action: orderViewRecipient.path.slice(1), withinMinutes: 60 };
      const count = await database.read(noAccounts, (sql) => countRecent(sql, viewed, recipientViewsPerHour + 1));
      if (count > recipientViewsPerHour)
        throw new ProblemError({ kind: 'rate_limited', retryAfterSeconds, reason: reason('too_many_views') });
      const order = await keyOf(database, order_id);
      const [recipient, changes] = await database.read([order.accountId], (sql) =>
        Promise.all([findRecipient(sql, order), findChangesOfOrders(sql, [order])]),
      );
      if (recipient === null) throw noSuchOrder();
      const { store_pickup_label_data, ...person } = recipient;
      return {
        kind: 'viewed' as const,
        recipient: person,
        store_pickup_label_data,
        changes: changes.map(toChangeEntry),
      };
    },
  });
}

export function orderForgetCall({ database, keyring }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(orderForget, {
    role: 'admin',
    audit: auditOf,
    async handle(_caller, { order_id }): Promise<OrderForgotten> {
      const order = await keyOf(database, order_id);
      const outcome = await database.transaction([order.accountId], (tx) => forgetOrder(tx, keyring, order));
      if (outcome.kind === 'not_found') throw noSuchOrder();
      return outcome.kind === 'already' ? { kind: 'already', erased_at: taipeiInstant(outcome.erasedAt) } : outcome;
    },
  });
}

function auditOf({ order_id }: { order_id: number }) {
  return { subject: `order ${order_id}` };
}

async function keyOf(database: Database, orderId: number): Promise<OrderKey> {
  const [order] = await database.read(noAccounts, (sql) => findOrdersById(sql, [orderId]));
  if (!order) throw noSuchOrder();
  return { accountId: order.account_id, orderId };
}
