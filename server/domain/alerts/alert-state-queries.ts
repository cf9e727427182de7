import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { rowValues, type Tx } from '../../platform/postgres/sql.ts';
import type { AlertState } from './alert-state.ts';

export async function listStates(tx: Tx, alertRuleId: number): Promise<AlertState[]> {
  return await tx<AlertState[]>`
    select ${camelColumns('kind, count, is_more, met_since, gone_since, notified_at, notified_count, held_since, held_max')}
    from alert_state where alert_rule_id = ${alertRuleId}`;
}

/** The states of a rule are these and no others. There is at most one for each kind. */
export async function saveStates(tx: Tx, alertRuleId: number, states: AlertState[]): Promise<void> {
  await forgetStates(tx, alertRuleId);
  for (const state of states)
    await tx`
      insert into alert_state ${rowValues({
        alert_rule_id: alertRuleId,
        kind: state.kind,
        count: state.count,
        is_more: state.isMore,
        met_since: state.metSince,
        gone_since: state.goneSince,
        notified_at: state.notifiedAt,
        notified_count: state.notifiedCount,
        held_since: state.heldSince,
        held_max: state.heldMax,
      })}`;
}

export async function forgetStates(tx: Tx, alertRuleId: number): Promise<void> {
  await tx`delete from alert_state where alert_rule_id = ${alertRuleId}`;
}
