import type { clientsList } from '../../../contract/console/partners.ts';
import { useWords } from '../../kit/language.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { BelongingsTab } from './belongings-tab.tsx';
import { ClientTable } from './client-table.tsx';
import { CreateButton } from './create-button.tsx';
import type { PartnerDialogs } from './partner-dialogs.tsx';
import { words } from './words.ts';

export function ClientsTab({ dialogs }: { dialogs: PartnerDialogs }) {
  const say = useWords(words);
  const asked = useAsk<typeof clientsList>('/clients/list', {}, { topics: ['partners'], everyMs: 30_000 });
  return (
    <BelongingsTab
      asked={asked}
      placeholder={say.searchClients}
      nameOf={({ client_id }) => client_id}
      create={
        <CreateButton
          label={say.create.client}
          onClick={() => dialogs.open({ kind: 'client', accountNo: null, client: null })}
        />
      }
      empty={{ title: say.empty.clients, hint: say.empty.clientsHint }}
    >
      {(clients, around) => <ClientTable clients={clients} dialogs={dialogs} {...around} />}
    </BelongingsTab>
  );
}
