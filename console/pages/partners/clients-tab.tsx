import type { clientsList } from '../../../contract/console/partners.ts';
import { useWords } from '../../kit/language.tsx';
import { bodyOf, useUrlFilters } from '../../kit/url-filters.ts';
import { useAsk } from '../../kit/use-ask.ts';
import { BelongingsTab, belongingFilters } from './belongings-tab.tsx';
import { ClientTable } from './client-table.tsx';
import { CreateButton } from './create-button.tsx';
import type { PartnerDialogs } from './partner-dialogs.tsx';
import { words } from './words.ts';

export function ClientsTab({ dialogs }: { dialogs: PartnerDialogs }) {
  const say = useWords(words);
  const filters = useUrlFilters(belongingFilters);
  const body = bodyOf<typeof clientsList>(filters);
  const asked = useAsk<typeof clientsList>('/clients/list', body, {
    topics: ['partners'],
    everyMs: 30_000,
    keepPrevious: true,
  });
  return (
    <BelongingsTab
      asked={asked}
      filters={filters}
      placeholder={say.searchClients}
      create={
        <CreateButton
          label={say.create.client}
          onClick={() => dialogs.open({ kind: 'client', accountNo: null, client: null })}
        />
      }
      empty={{ title: say.empty.clients, hint: say.empty.clientsHint }}
    >
      {(clients, around) => (
        <ClientTable clients={clients} dialogs={dialogs} question={{ path: '/clients/list', body }} {...around} />
      )}
    </BelongingsTab>
  );
}
