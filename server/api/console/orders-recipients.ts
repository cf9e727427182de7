import {
  type OrderForgotten,
  orderForget,
  orderSearchByRecipient,
  orderViewRecipient,
  recipientViewsPerHour,
} from '../../../contract/console/orders.ts';
import { errorMessage } from '../../../messages/errors.ts';
import { reason } from '../../../messages/reason-texts.ts';
import { countRecent } from '../../domain/operators/action-queries.ts';
import type { OperatorSession } from '../../domain/operators/operator.ts';
import { maskRecipient } from '../../domain/orders/mask-recipient.ts';
import type { OrderKey } from '../../domain/orders/order.ts';
import { findChangesOfOrders } from '../../domain/orders/order-change-queries.ts';
import { findOrdersById } from '../../domain/orders/order-detail-queries.ts';
import { findRecipient, findRecipients } from '../../domain/orders/order-history-queries.ts';
import { type ListedOrder, listOrders } from '../../domain/orders/order-search-queries.ts';
import type { Recipient } from '../../domain/orders/recipient.ts';
import { forgetOrder } from '../../domain/recipients/forget-order.ts';
import { ProblemError } from '../../http/problem.ts';
import { taipeiInstant } from '../../platform/clock.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Page, Search } from '../../platform/postgres/keyset-search.ts';
import { noAccounts, type Sql } from '../../platform/postgres/sql.ts';
import { type ConsoleCaller, type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { type AccountNoOf, listPage, mistakeAt } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { toListedOrder } from './listed-order.ts';
import { orderQuestion } from './order-question.ts';
import { noSuchOrder } from './orders-actions.ts';
import { toChangeEntry } from './orders-changes.ts';
import { inOwnWarehouses, refuseOtherWarehouses } from './own-warehouses.ts';

// Everything else in the console masks recipients.

const retryAfterSeconds = 600;

/**
 * The entry in the audit log is written first. The limit keeps a stolen session from copying all recipients; it is
 * counted in the audit log, so all nodes share it.
 */
export function orderViewRecipientCall({ database }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(orderViewRecipient, {
    role: 'staff',
    warehouses: 'own',
    audit: auditOf,
    async handle(caller, { order_id }) {
      await refuseTooMany(database, caller.session, orderViewRecipient.path);
      const order = await keyOf(database, caller, order_id);
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

/** Limited like "show": a stolen session must not try out all phone numbers. */
export function orderSearchByRecipientCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(orderSearchByRecipient, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ by }) => ({ details: { filters: [by] } }),
    outcome: ({ rows }) => `found ${rows.length}`,
    async handle(caller, { by, text, ...body }) {
      await refuseTooMany(parts.database, caller.session, orderSearchByRecipient.path);
      const named = by === 'phone' ? byPhone(text) : { consignee_name: { prefix: text } };
      const others = await orderQuestion(parts.database, inOwnWarehouses(caller, body));
      const filters = { ...others.filters, ...named };
      return await listPage(
        parts,
        caller,
        body,
        { list: 'orders-of-recipient', filters, sort: body.sort === undefined && !body.reversed ? null : others.sort },
        listWithRecipients,
        toFoundOrder,
      );
    },
  });
}

type OrderWithRecipient = ListedOrder & { recipient: Recipient | null };

async function listWithRecipients(sql: Sql, search: Search): Promise<Page<OrderWithRecipient>> {
  const page = await listOrders(sql, search);
  const keys = page.rows.map(({ account_id, order_id }) => ({ accountId: account_id, orderId: order_id }));
  const recipients = new Map((await findRecipients(sql, keys)).map(({ order_id, ...one }) => [order_id, one]));
  return { ...page, rows: page.rows.map((row) => ({ ...row, recipient: recipients.get(row.order_id) ?? null })) };
}

function toFoundOrder({ recipient, ...order }: OrderWithRecipient, accountNoOf: AccountNoOf) {
  const masked = recipient && maskRecipient(recipient);
  return {
    ...toListedOrder(order, accountNoOf),
    recipient_name: masked?.name ?? null,
    recipient_phone: masked?.phone ?? null,
  };
}

const phoneDigitsMax = 50;
/** The shortest number of Taiwan with its area code. */
const wholePhoneDigitsMin = 9;

function byPhone(text: string): Search['filters'] {
  const digits = text.replaceAll(/\D/g, '');
  if (digits === '' || digits.length > phoneDigitsMax)
    throw mistakeAt('text', errorMessage('not_digits', { limit: phoneDigitsMax }));
  return { consignee_phone: { anyOf: digits.length < wholePhoneDigitsMin ? [digits] : atHomeAndAbroad(digits) } };
}

/** The same number of Taiwan, with and without the code of the country. */
function atHomeAndAbroad(digits: string): string[] {
  if (digits.startsWith('0')) return [digits, `886${digits.slice(1)}`];
  return digits.startsWith('886') ? [digits, `0${digits.slice(3)}`] : [digits];
}

async function refuseTooMany(database: Database, { username }: OperatorSession, path: string): Promise<void> {
  const taken = { username, action: path.slice(1), withinMinutes: 60 };
  const count = await database.read(noAccounts, (sql) => countRecent(sql, taken, recipientViewsPerHour + 1));
  if (count > recipientViewsPerHour)
    throw new ProblemError({ kind: 'rate_limited', retryAfterSeconds, reason: reason('too_many_views') });
}

export function orderForgetCall({ database, keyring }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(orderForget, {
    role: 'admin',
    audit: auditOf,
    async handle(caller, { order_id }): Promise<OrderForgotten> {
      const order = await keyOf(database, caller, order_id);
      const outcome = await database.transaction([order.accountId], (tx) => forgetOrder(tx, keyring, order));
      if (outcome.kind === 'not_found') throw noSuchOrder();
      return outcome.kind === 'already' ? { kind: 'already', erased_at: taipeiInstant(outcome.erasedAt) } : outcome;
    },
  });
}

function auditOf({ order_id }: { order_id: number }) {
  return { subject: `order ${order_id}` };
}

async function keyOf(database: Database, caller: ConsoleCaller, orderId: number): Promise<OrderKey> {
  const [order] = await database.read(noAccounts, (sql) => findOrdersById(sql, [orderId]));
  if (!order) throw noSuchOrder();
  refuseOtherWarehouses(caller, [order.warehouse_no]);
  return { accountId: order.account_id, orderId };
}
