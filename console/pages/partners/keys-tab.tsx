import type { logisticsKeysList } from '../../../contract/console/partners.ts';
import { useWords } from '../../kit/language.tsx';
import { bodyOf, useUrlFilters } from '../../kit/url-filters.ts';
import { useAsk } from '../../kit/use-ask.ts';
import { BelongingsTab, belongingFilters } from './belongings-tab.tsx';
import { CreateButton } from './create-button.tsx';
import { KeyTable } from './key-table.tsx';
import type { PartnerDialogs } from './partner-dialogs.tsx';
import { words } from './words.ts';

export function KeysTab({ dialogs }: { dialogs: PartnerDialogs }) {
  const say = useWords(words);
  const filters = useUrlFilters(belongingFilters);
  const body = bodyOf<typeof logisticsKeysList>(filters);
  const asked = useAsk<typeof logisticsKeysList>('/logistics-keys/list', body, {
    topics: ['partners'],
    everyMs: 30_000,
    keepPrevious: true,
  });
  const openNew = () => dialogs.open({ kind: 'key', accountNo: null, logisticsKey: null });
  return (
    <BelongingsTab
      asked={asked}
      filters={filters}
      placeholder={say.searchKeys}
      create={<CreateButton label={say.create.logistics_key} onClick={openNew} />}
      empty={{ title: say.empty.keys, hint: say.empty.keysHint }}
    >
      {(keys, around) => (
        <KeyTable keys={keys} dialogs={dialogs} question={{ path: '/logistics-keys/list', body }} {...around} />
      )}
    </BelongingsTab>
  );
}
