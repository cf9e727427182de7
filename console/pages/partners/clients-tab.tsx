import type { clientsList, ListedClient } from '../../../contract/console/partner-clients.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { useWords } from '../../kit/language.tsx';
import { useAccountOptions } from '../../kit/options.ts';
import { useMay } from '../../kit/session.tsx';
import { choicesFilter, pickFilter, textFilter, useUrlFilters } from '../../kit/url-filters.ts';
import { useAsk } from '../../kit/use-ask.ts';
import { CreateButton, CutNote, hasText, states } from './accounts-tab.tsx';
import { ClientTable } from './client-table.tsx';
import type { PartnerDialogs } from './partner-dialogs.tsx';
import { PartnerEmpty } from './partner-empty.tsx';
import { words } from './words.ts';

const description = { text: textFilter, account: pickFilter, state: choicesFilter(states) } as const;

export function ClientsTab({ dialogs }: { dialogs: PartnerDialogs }) {
  const say = useWords(words);
  const mayChange = useMay('admin');
  const filters = useUrlFilters(description);
  const accounts = useAccountOptions();
  const asked = useAsk<typeof clientsList>('/clients/list', {}, { topics: ['partners'], everyMs: 30_000 });
  const { text, account, state } = filters.values;
  const fits = (row: ListedClient) =>
    hasText([row.client_id], text) &&
    (account === '' || row.account_no === account) &&
    (state.length === 0 || state.includes(row.enabled ? 'enabled' : 'disabled'));
  const create = <CreateButton label={say.create.client} onClick={() => dialogs.open({ kind: 'client', accountNo: null, client: null })} />;
  return (
    <>
      <FilterBar
        filters={filters}
        labels={{ text: say.search, account: say.account, state: say.state }}
        options={{ account: accounts ?? [], state: states.map((value) => ({ value, label: say[value] })) }}
        placeholders={{ text: say.searchClients }}
      />
      <AskedContent asked={asked}>
        {({ rows, is_cut }) => (
          <>
            <ClientTable
              clients={rows.filter(fits)}
              dialogs={dialogs}
              toolbar={mayChange && rows.length > 0 ? create : null}
              empty={
                <PartnerEmpty
                  title={say.empty.clients}
                  hint={say.empty.clientsHint}
                  action={create}
                  onClear={filters.isEmpty ? undefined : filters.clear}
                />
              }
            />
            {is_cut && <CutNote />}
          </>
        )}
      </AskedContent>
    </>
  );
}
