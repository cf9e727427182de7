import { type Message, storeMessage } from '../../../messages/message.ts';
import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { OrderFields } from '../orders/order-change.ts';
import { valuesText } from '../orders/order-change-queries.ts';
import type { AnsweredRequest, RequestedChange } from './requested-change.ts';
import { inProductionAccounts } from './transfer-queries.ts';

/**
 * Changes that this warehouse has not answered, at most `limit` of each account: of the orders with the fewest failures,
 * then of the oldest. Orders that have failed in this wave wait for the next one.
 */
export async function findRequestedChanges(
  sql: Sql,
  warehouseNo: number,
  { failedOrders, limit }: { failedOrders: number[]; limit: number },
): Promise<RequestedChange[]> {
  return await inProductionAccounts(
    sql,
    (own, accountId) => own<RequestedChange[]>`
      select ${camelColumns('c.account_id, c.order_id, c.order_change_id, c.request_id, c.old_values, c.new_values')}, c.kind, c.fields,
        c.reason, ${camelColumns('c.changes_url')}, turn.attempts, ${sql.unsafe(taipeiTime('c.at', '"requestedAt"'))},
        ${camelColumns('t.transfer_id, o.order_no, a.account_no, o.partner_number')}, o.channel = 'logistics' as "isLogistics"
      from (
        select order_id, max(attempts) as attempts, min(order_change_id) as first_id from order_change
        where account_id = ${accountId} and warehouse_no = ${warehouseNo} and state = 'requested' and order_id <> all(${failedOrders}::bigint[])
        group by order_id order by max(attempts), min(order_change_id) limit ${limit}
      ) turn
      join order_change c on c.account_id = ${accountId} and c.order_id = turn.order_id and c.warehouse_no = ${warehouseNo}
        and c.state = 'requested'
      join orders o on o.account_id = ${accountId} and o.order_id = c.order_id
      join transfer t on t.account_id = ${accountId} and t.order_id = c.order_id
      join account a on a.account_id = o.account_id
      order by turn.attempts, turn.first_id, c.order_change_id limit ${limit}`,
  );
}

/** Those of these changes that are still not answered. The caller has locked their orders, so this stays true. */
export async function findStillRequested(tx: Tx, accountId: number, changes: AnsweredRequest[]): Promise<Set<number>> {
  const rows = await tx<{ id: number }[]>`
    select order_change_id as id from order_change
    where account_id = ${accountId} and order_id = any(${changes.map(({ orderId }) => orderId)})
      and order_change_id = any(${changes.map(({ orderChangeId }) => orderChangeId)}) and state = 'requested'`;
  return new Set(rows.map(({ id }) => id));
}

export interface AnsweredChange {
  orderId: number;
  orderChangeId: number;
  /** The values that the change replaced; null: it was refused. */
  oldValues: Partial<OrderFields> | null;
  /** null: it was accepted. */
  refusal: Message | null;
}

export async function writeAnswers(tx: Tx, accountId: number, answers: AnsweredChange[]): Promise<void> {
  await tx`
    update order_change c set state = given.state, old_values = coalesce(given.old_values::json, c.old_values), answer = given.answer,
      attempts = c.attempts + 1, answered_at = now()
    from unnest(${answers.map((one) => one.orderChangeId)}::bigint[], ${answers.map((one) => (one.refusal ? 'refused' : 'made'))}::text[],
      ${answers.map((one) => one.oldValues && valuesText(one.oldValues))}::text[],
      ${answers.map((one) => one.refusal && storeMessage(one.refusal))}::text[]) as given(id, state, old_values, answer)
    where c.account_id = ${accountId} and c.order_id = any(${answers.map((one) => one.orderId)}) and c.order_change_id = given.id`;
}

/** The warehouse has not answered; `why` says what happened. */
export async function noteFailedRequest(
  tx: Tx,
  accountId: number,
  changes: RequestedChange[],
  why: Message,
): Promise<void> {
  await tx`
    update order_change set attempts = attempts + 1, answer = ${storeMessage(why)}
    where account_id = ${accountId} and order_id = any(${changes.map(({ orderId }) => orderId)})
      and order_change_id = any(${changes.map(({ orderChangeId }) => orderChangeId)}) and state = 'requested'`;
}

export type ReplacedRequest = AnsweredRequest & { warehouseNo: number; hasSystem: boolean };

/** Changes of an account that no wave will post, because their warehouse has no system or another one now. */
export async function findReplacedRequests(
  sql: Sql | Tx,
  accountId: number,
  limit: number,
): Promise<ReplacedRequest[]> {
  return await sql<ReplacedRequest[]>`
    select ${camelColumns('order_id, order_change_id, request_id, warehouse_no, new_values')}, kind, current_url is not null as "hasSystem"
    from (
      select c.*, case when w.connector->>'type' = 'http' then w.connector->>'changes_url' end as current_url
      from order_change c left join warehouse w on w.warehouse_no = c.warehouse_no
      where c.account_id = ${accountId} and c.state = 'requested'
    ) open
    where changes_url is distinct from current_url order by order_id, order_change_id limit ${limit}`;
}
