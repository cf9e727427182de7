import type { ListedLogisticsKey, logisticsKeysList } from '../../../contract/console/partner-keys.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { useWords } from '../../kit/language.tsx';
import { useAccountOptions } from '../../kit/options.ts';
import { useMay } from '../../kit/session.tsx';
import { choicesFilter, pickFilter, textFilter, useUrlFilters } from '../../kit/url-filters.ts';
import { useAsk } from '../../kit/use-ask.ts';
import { CreateButton, CutNote, hasText, states } from './accounts-tab.tsx';
import { KeyTable } from './key-table.tsx';
import type { PartnerDialogs } from './partner-dialogs.tsx';
import { PartnerEmpty } from './partner-empty.tsx';
import { words } from './words.ts';

const description = { text: textFilter, account: pickFilter, state: choicesFilter(states) } as const;

export function KeysTab({ dialogs }: { dialogs: PartnerDialogs }) {
  const say = useWords(words);
  const mayChange = useMay('admin');
  const filters = useUrlFilters(description);
  const accounts = useAccountOptions();
  const asked = useAsk<typeof logisticsKeysList>('/logistics-keys/list', {}, { topics: ['partners'], everyMs: 30_000 });
  const { text, account, state } = filters.values;
  const fits = (row: ListedLogisticsKey) =>
    hasText([row.name], text) &&
    (account === '' || row.account_no === account) &&
    (state.length === 0 || state.includes(row.enabled ? 'enabled' : 'disabled'));
  const create = (
    <CreateButton label={say.create.logistics_key} onClick={() => dialogs.open({ kind: 'key', accountNo: null, logisticsKey: null })} />
  );
  return (
    <>
      <FilterBar
        filters={filters}
        labels={{ text: say.search, account: say.account, state: say.state }}
        options={{ account: accounts ?? [], state: states.map((value) => ({ value, label: say[value] })) }}
        placeholders={{ text: say.searchKeys }}
      />
      <AskedContent asked={asked}>
        {({ rows, is_cut }) => (
          <>
            <KeyTable
              keys={rows.filter(fits)}
              dialogs={dialogs}
              toolbar={mayChange && rows.length > 0 ? create : null}
              empty={
                <PartnerEmpty
                  title={say.empty.keys}
                  hint={say.empty.keysHint}
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
