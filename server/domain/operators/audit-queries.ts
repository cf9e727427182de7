import type { Fragment, Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import { ownedName } from '../partners/owned-name.ts';
import { accountNoColumn } from '../partners/owned-name-queries.ts';
import { fieldsBefore } from '../partners/partner-list-queries.ts';
import type { AuditPosition, AuditQuestion, AuditScan, FoundAction, FoundChange } from './audit-entry.ts';

/** However a page is filtered, it scans no more rows of each table than this. */
export const auditScannedMax = 5000;
/** Among rows of the same microsecond, actions of operators come before changes of partners. */
export const sourceRank = { action: 1, change: 2 } as const;

/** The actions of operators that match, newest first, and where the scan ended if it did not reach the end. */
export async function scanActions(sql: Sql, question: AuditQuestion): Promise<AuditScan<FoundAction>> {
  const { who, action, subject, account } = question;
  const filters: Fragment[] = [
    ...(subject === undefined ? [] : [sql`subject = ${subject}`]),
    ...(who === undefined ? [] : [sql`username = ${who}`]),
    ...(account === undefined ? [] : [sql`account_no = ${account}`]),
    ...(action === undefined ? [] : [sql`action = ${action}`]),
  ];
  // The first filter is looked up in its index, which is in time order; the others are checked row by row.
  const [lookedUp, ...compared] = filters;
  const rows = await sql<Scanned<FoundAction>[]>`
    select 'action' as source, operator_action_id as id, ${sql.unsafe(taipeiTime('at'))}, username, role, action, subject, account_no, details, address, trace_id,
      outcome, ${allOf(sql, compared)} as fits, scanned = ${auditScannedMax} as ends
    from (
      select *, row_number() over (order by at desc, operator_action_id desc) as scanned from (
        select * from operator_action where ${lookedUp ?? sql`true`} and ${within(sql, question, 'action', sql`at`, sql`operator_action_id`)}
        order by at desc, operator_action_id desc limit ${compared.length === 0 ? question.pageSize + 1 : auditScannedMax}) as found) as listed
    where ${allOf(sql, compared)} or scanned = ${auditScannedMax} order by scanned limit ${question.pageSize + 1}`;
  return scanOf(rows);
}

/** Changes of partners, however they were made. */
export async function scanChanges(sql: Sql, question: AuditQuestion): Promise<AuditScan<FoundChange>> {
  const { who, action, subject, account } = question;
  const filters: Fragment[] = [
    ...(subject === undefined ? [] : [sql`subject = ${subject}`]),
    ...(who === undefined ? [] : [sql`actor in (${who}, ${`operator ${who}`})`]),
    ...(account === undefined ? [] : [ofAccount(sql, account)]),
    ...(action === undefined ? [] : [sql`subject_kind || '/' || change = ${action}`]),
  ];
  const rows = await sql<Scanned<FoundChange>[]>`
    select 'change' as source, partner_change_id as id, ${sql.unsafe(taipeiTime('changed_at', 'at'))}, actor, subject_kind, subject, change, fields,
      ${sql.unsafe(fieldsBefore)}, case when subject_kind = 'account' then subject
        when subject_kind in ('tenant', 'logistics_key') then ${accountNoColumn(sql, 'subject')}
        when subject_kind = 'client' then (select account_no from client join account using (account_id) where client_id = subject) end as account_no,
      ${allOf(sql, filters)} as fits, scanned = ${auditScannedMax} as ends
    from (
      select *, row_number() over (order by changed_at desc, partner_change_id desc) as scanned from (
        select * from partner_change where ${within(sql, question, 'change', sql`changed_at`, sql`partner_change_id`)}
        order by changed_at desc, partner_change_id desc limit ${filters.length === 0 ? question.pageSize + 1 : auditScannedMax}) as found) as p
    where ${allOf(sql, filters)} or scanned = ${auditScannedMax} order by scanned limit ${question.pageSize + 1}`;
  return scanOf(rows);
}

type Scanned<Row> = Row & { fits: boolean; ends: boolean };

function scanOf<Row extends { source: 'action' | 'change'; at: string; id: number }>(
  rows: Scanned<Row>[],
): AuditScan<Row> {
  const last = rows.find(({ ends }) => ends);
  return {
    rows: rows.filter(({ fits }) => fits),
    endsAt: last ? { at: last.at, source: last.source, id: last.id } : null,
  };
}

function within(
  sql: Sql,
  { from, until, after }: AuditQuestion,
  source: AuditPosition['source'],
  at: Fragment,
  id: Fragment,
): Fragment {
  return allOf(sql, [
    ...(from === undefined ? [] : [sql`${at} >= ${from}::timestamptz`]),
    ...(until === undefined ? [] : [sql`${at} < ${until}::timestamptz`]),
    ...(after === null ? [] : [behind(sql, after, source, at, id)]),
  ]);
}

function behind(sql: Sql, after: AuditPosition, source: AuditPosition['source'], at: Fragment, id: Fragment): Fragment {
  const placeAt = sql`${after.at}::timestamptz`;
  if (source !== after.source)
    return sourceRank[source] < sourceRank[after.source] ? sql`${at} <= ${placeAt}` : sql`${at} < ${placeAt}`;
  return sql`(${at}, ${id}) < (${placeAt}, ${after.id}::bigint)`;
}

function ofAccount(sql: Sql, accountNo: string): Fragment {
  return sql`(subject_kind = 'account' and subject = ${accountNo}
    or subject_kind in ('tenant', 'logistics_key') and starts_with(subject, ${ownedName(accountNo, '')})
    or subject_kind = 'client' and subject in (select client_id from client join account using (account_id) where account_no = ${accountNo}))`;
}

function allOf(sql: Sql, conditions: Fragment[]): Fragment {
  return conditions.reduce((all, one) => sql`${all} and ${one}`, sql`true`);
}
