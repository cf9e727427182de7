import type { accountsList, ListedAccount } from '../../../contract/console/accounts.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { Time } from '../../kit/time.tsx';
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
const description = { text: textFilter, environment: choicesFilter(environments), state: choicesFilter(states) } as const;

export function AccountsTab({ dialogs }: { dialogs: PartnerDialogs }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const mayChange = useMay('admin');
  const filters = useUrlFilters(description);
  const asked = useAsk<typeof accountsList>('/accounts/list', {}, { topics: ['partners'], everyMs: 30_000 });
  const { text, environment, state } = filters.values;
  const fits = (row: ListedAccount) =>
    hasText([row.account_no, row.name], text) &&
    isWanted(row.environment, environment) &&
    isWanted(row.enabled ? 'enabled' : 'disabled', state);
  const columns: Column<ListedAccount>[] = [
    {
      key: 'number',
      title: say.account,
      cell: (row) => <IdText value={row.account_no} label={say.accountNo} copy={false} />,
      alwaysShown: true,
    },
    { key: 'name', title: say.name, cell: (row) => row.name },
    { key: 'environment', title: say.environment, cell: (row) => shared.environment[row.environment] },
    { key: 'state', title: say.state, cell: (row) => <EnabledBadge enabled={row.enabled} /> },
    { key: 'api', title: say.warehouseApi, cell: (row) => (row.warehouse_api ? shared.yes : shared.no) },
    { key: 'tenants', title: say.tenants, align: 'right', cell: (row) => formatNumber(row.tenants) },
    { key: 'clients', title: say.clients, align: 'right', cell: (row) => formatNumber(row.clients) },
    { key: 'keys', title: say.keys, align: 'right', cell: (row) => formatNumber(row.keys) },
    { key: 'used', title: say.lastUsed, cell: (row) => <LastUsed at={row.last_used_at} /> },
    { key: 'created', title: shared.noun.created, cell: (row) => <Time at={row.created_at} />, hiddenAtFirst: true },
    ...(mayChange ? [{ key: 'actions', title: shared.noun.actions, width: 1, alwaysShown: true, cell: menuOf }] : []),
  ];
  function menuOf(row: ListedAccount) {
    return (
      <RowMenu
        name={row.account_no}
        dialogs={dialogs}
        edit={{ kind: 'account', account: row }}
        secrets={[{ kind: 'account_secret', owner: row.account_no, since: row.created_at, previous_valid_until: null }]}
        target={{ kind: 'account', account_no: row.account_no, clients: row.clients, keys: row.keys }}
        enabled={row.enabled}
      />
    );
  }
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
        create={<CreateButton label={say.create.account} onClick={() => dialogs.open({ kind: 'account', account: null })} />}
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
