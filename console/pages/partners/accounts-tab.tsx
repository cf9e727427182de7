import { useMemo } from 'react';
import type { AccountHealth, accountsHealth } from '../../../contract/console/onboarding.ts';
import type { accountsList, ListedAccount } from '../../../contract/console/partners.ts';
import { column, idColumn, numberColumn, timeColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { useMay, useMayEverywhere } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { bodyOf, choicesFilter, textFilter, useUrlFilters } from '../../kit/url-filters.ts';
import { useAsk } from '../../kit/use-ask.ts';
import { CallbackHealth, ErrorRate } from '../onboarding/account-health.tsx';
import { words as onboardingWords } from '../onboarding/words.ts';
import { CreateButton } from './create-button.tsx';
import { EnabledBadge, LastUsed } from './partner-cells.tsx';
import type { PartnerDialogs } from './partner-dialogs.tsx';
import { PartnerList } from './partner-list.tsx';
import { states } from './partner-states.ts';
import { RowMenu } from './row-menu.tsx';
import { words } from './words.ts';

const environments = ['production', 'uat'] as const;
const description = {
  text: textFilter,
  environment: choicesFilter(environments),
  state: choicesFilter(states),
} as const;

export function AccountsTab({ dialogs }: { dialogs: PartnerDialogs }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const filters = useUrlFilters(description);
  const body = bodyOf<typeof accountsList>(filters);
  const asked = useAsk<typeof accountsList>('/accounts/list', body, {
    topics: ['partners'],
    everyMs: 30_000,
    keepPrevious: true,
  });
  const columns = useAccountColumns(dialogs);
  return (
    <>
      <FilterBar
        filters={filters}
        labels={{ text: say.search, environment: say.environment, state: say.state }}
        options={{
          environment: environments.map((value) => ({ value, label: shared.environment[value] })),
          state: states.map((value) => ({ value, label: say[value] })),
        }}
        placeholders={{ text: say.searchAccounts }}
      />
      <PartnerList
        asked={asked}
        filters={filters}
        create={
          <CreateButton label={say.create.account} onClick={() => dialogs.open({ kind: 'account', account: null })} />
        }
        empty={{ title: say.empty.accounts, hint: say.empty.accountsHint }}
      >
        {(rows, around) => (
          <DataTable
            name="accounts"
            label={say.tab.accounts}
            columns={columns}
            list={{
              ...plainRows(rows, (row) => row.account_no),
              question: { path: '/accounts/list', body },
            }}
            rowName={(row) => row.account_no}
            rowLink={(row) => `/partners/accounts/${encodeURIComponent(row.account_no)}`}
            {...around}
          />
        )}
      </PartnerList>
    </>
  );
}

/** Otherwise the table would be wider than a usual screen. The page of the account has them. */
const hidden = { hiddenAtFirst: true };

function useAccountColumns(dialogs: PartnerDialogs): Column<ListedAccount>[] {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const onboarding = useWords(onboardingWords);
  const seesAll = useMayEverywhere('read-only');
  const mayChange = useMay('admin');
  const health = useAsk<typeof accountsHealth>('/accounts/health', {}, { enabled: seesAll, everyMs: 60_000 }).answer;
  const byAccount = useMemo(() => new Map(health?.accounts.map((one) => [one.account_no, one])), [health]);
  const healthOf = (row: ListedAccount) => byAccount.get(row.account_no);
  function menuOf(row: ListedAccount) {
    return (
      <RowMenu
        name={row.account_no}
        dialogs={dialogs}
        edit={{ kind: 'account', account: row }}
        accountNo={row.account_no}
        secrets={[
          {
            kind: 'account_secret',
            owner: row.account_no,
            since: row.created_at,
            previous_valid_until: null,
            is_weak: false,
          },
        ]}
        target={{ kind: 'account', account_no: row.account_no, clients: row.clients, keys: row.keys }}
        enabled={row.enabled}
      />
    );
  }
  return [
    idColumn('number', say.account, (row) => row.account_no, { alwaysShown: true }),
    column('name', say.name, (row) => row.name),
    column('environment', say.environment, (row) => shared.environment[row.environment]),
    column('state', say.state, (row) => <EnabledBadge enabled={row.enabled} />),
    column('api', say.warehouseApi, (row) => (row.warehouse_api ? shared.yes : shared.no), hidden),
    numberColumn('tenants', say.tenants, (row) => row.tenants, hidden),
    numberColumn('clients', say.clients, (row) => row.clients, hidden),
    numberColumn('keys', say.keys, (row) => row.keys, hidden),
    column('used', say.lastUsed, (row) => <LastUsed at={row.last_used_at} />),
    ...(seesAll
      ? [
          column('errors', `${onboarding.errorRate} (24 h / 7 d)`, (row: ListedAccount) => (
            <ErrorRate health={healthOf(row)} />
          )),
          column('callbacks', onboarding.callbacksColumn, (row: ListedAccount) => (
            <CallbackHealth health={healthOf(row)} />
          )),
          column('volume', onboarding.callsPerDay, (row: ListedAccount) => perDay(healthOf(row)), { align: 'right' }),
        ]
      : []),
    timeColumn('created', shared.noun.created, (row) => row.created_at, hidden),
    ...(mayChange ? [column('actions', shared.noun.actions, menuOf, { width: 1, alwaysShown: true })] : []),
  ];
}

/** The average of the last seven days. */
function perDay(health: AccountHealth | undefined): string {
  return health === undefined ? '…' : formatNumber(Math.round(health.calls_7d / 7));
}
