import type { accountsList, ListedAccount } from '../../../contract/console/partners.ts';
import { column, idColumn, numberColumn, timeColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { useWords } from '../../kit/language.tsx';
import { plainRows } from '../../kit/plain-rows.ts';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { choicesFilter, textFilter, useUrlFilters } from '../../kit/url-filters.ts';
import { useAsk } from '../../kit/use-ask.ts';
import { CreateButton } from './create-button.tsx';
import { EnabledBadge, LastUsed } from './partner-cells.tsx';
import type { PartnerDialogs } from './partner-dialogs.tsx';
import { hasText, isWanted, states } from './partner-filters.ts';
import { PartnerList } from './partner-list.tsx';
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
  const asked = useAsk<typeof accountsList>('/accounts/list', {}, { topics: ['partners'], everyMs: 30_000 });
  const { text, environment, state } = filters.values;
  const fits = (row: ListedAccount) =>
    hasText([row.account_no, row.name], text) &&
    isWanted(row.environment, environment) &&
    isWanted(row.enabled ? 'enabled' : 'disabled', state);
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
            list={plainRows(rows.filter(fits), (row) => row.account_no)}
            rowName={(row) => row.account_no}
            rowLink={(row) => `/partners/accounts/${encodeURIComponent(row.account_no)}`}
            {...around}
          />
        )}
      </PartnerList>
    </>
  );
}

function useAccountColumns(dialogs: PartnerDialogs): Column<ListedAccount>[] {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const mayChange = useMay('admin');
  function menuOf(row: ListedAccount) {
    return (
      <RowMenu
        name={row.account_no}
        dialogs={dialogs}
        edit={{ kind: 'account', account: row }}
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
    column('api', say.warehouseApi, (row) => (row.warehouse_api ? shared.yes : shared.no)),
    numberColumn('tenants', say.tenants, (row) => row.tenants),
    numberColumn('clients', say.clients, (row) => row.clients),
    numberColumn('keys', say.keys, (row) => row.keys),
    column('used', say.lastUsed, (row) => <LastUsed at={row.last_used_at} />),
    timeColumn('created', shared.noun.created, (row) => row.created_at, { hiddenAtFirst: true }),
    ...(mayChange ? [column('actions', shared.noun.actions, menuOf, { width: 1, alwaysShown: true })] : []),
  ];
}
