import type { Sql } from '../../platform/postgres/sql.ts';
import { inEveryAccount } from '../partners/every-account.ts';

export interface ChangeMarks {
  orders: string;
  inbound: string;
  stock: string;
  products: string;
  callbacks: string;
  partners: string;
  audit: string;
}

/**
 * A text per topic that differs after something has changed there. It is built from the sequences that number the rows:
 * this costs writers nothing, and us one row per sequence. A sequence advances shortly before its row becomes visible.
 */
export async function readChangeMarks(sql: Sql): Promise<ChangeMarks> {
  const [[row], attempts] = await Promise.all([readCounters(sql), readLastAttempts(sql)]);
  return { ...row!, callbacks: `${row!.callbacks}/${attempts}` };
}

function readCounters(sql: Sql): PromiseLike<ChangeMarks[]> {
  return sql<ChangeMarks[]>`
    with counters as (
      select (select last_value from order_id_seq)::text as orders, (select last_value from inbound_id_seq)::text as inbound,
        (select last_value from movement_id_seq)::text as movements, (select last_value from product_id_seq)::text as products,
        (select last_value from state_change_id_seq)::text as changes, (select last_value from callback_id_seq)::text as callbacks,
        (select last_value from document_note_id_seq)::text as notes,
        (select last_value from order_change_id_seq)::text as order_changes,
        (select last_value from partner_change_id_seq)::text as partners,
        (select last_value from operator_action_id_seq)::text as actions
    )
    select orders || '/' || changes || '/' || notes || '/' || order_changes as orders, inbound || '/' || changes || '/' || movements || '/' || notes as inbound,
      movements as stock, products, callbacks, partners, actions || '/' || partners as audit
    from counters`;
}

/** Attempts have no sequence, but each leaves its time with its receiver; an account has few of them. */
async function readLastAttempts(sql: Sql): Promise<string> {
  const newest = await inEveryAccount(
    sql,
    (own, accountId) => own<{ at: string | null }[]>`
      select max(greatest(last_success_at, last_failure_at, paused_at, resumed_at))::text as at
      from callback_receiver where account_id = ${accountId}`,
  );
  return newest.flatMap(({ at }) => at ?? []).join();
}
