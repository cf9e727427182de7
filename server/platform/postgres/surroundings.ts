import { type AccountList, listOfAccounts, noAccounts, type Query } from './sql.ts';

/** The settings under which a statement runs. */
export interface Surroundings {
  /** Row-level security shows only the rows of these accounts (migrations/0001_schema.sql). */
  accounts: AccountList;
  /**
   * Plans `of_any_values` are made once per connection. They do not depend on statistics of single accounts: PostgreSQL
   * takes an account that is not in them, because it is new, for one without rows, and would then read all rows of the
   * account for each row that it looks up. The first statistics of each table (migrations/0001_schema.sql) let a plan made
   * while a table was empty suit a full one. Plans `of_values` are made each time.
   */
  plans: 'of_values' | 'of_any_values';
}

/**
 * Statements on rows of accounts share their plans. Text that is sent once, as for searches, is planned for its values.
 * In a distributed database the servers with the rows plan every statement for its values.
 */
export function surroundingsOf(
  accounts: AccountList,
  { isPrepared }: Pick<Query, 'isPrepared'>,
  isDistributed: boolean,
): Surroundings {
  const isShared = isPrepared && accounts !== ofNoAccount && !isDistributed;
  return { accounts, plans: isShared ? 'of_any_values' : 'of_values' };
}

export const ofNoAccount = listOfAccounts(noAccounts);

export const planSettings = {
  of_values: { plan_cache_mode: 'force_custom_plan', enable_seqscan: 'on', enable_bitmapscan: 'on' },
  of_any_values: { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off', enable_bitmapscan: 'off' },
};

/** The statements that lead from one to the other, as one message; null if there is no difference. */
export function changeOf(
  during: 'session' | 'local',
  from: Pick<Surroundings, 'plans'> & { accounts: AccountList | null },
  to: Surroundings,
): Query | null {
  if (from.accounts === to.accounts && from.plans === to.plans) return null;
  const settings = [
    ...(from.accounts === to.accounts ? [] : [`lading.accounts = '${to.accounts}'`]),
    ...(from.plans === to.plans
      ? []
      : Object.entries(planSettings[to.plans]).map(([name, value]) => `${name} = ${value}`)),
  ];
  return { text: settings.map((setting) => `set ${during} ${setting}`).join('; '), values: [], isPrepared: false };
}
