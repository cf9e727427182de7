import { Tabs } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { useWords } from '../../kit/language.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { useMay } from '../../kit/session.tsx';
import { ConnectButton } from '../onboarding/sheet-button.tsx';
import { AccountsTab } from './accounts-tab.tsx';
import { ClientsTab } from './clients-tab.tsx';
import { ConnectSection } from './connect-section.tsx';
import { KeysTab } from './keys-tab.tsx';
import { usePartnerDialogs } from './partner-dialogs.tsx';
import { PlacesTab } from './places-tab.tsx';
import { words } from './words.ts';

const tabs = ['accounts', 'clients', 'keys', 'places'] as const;
const tabContents = { accounts: AccountsTab, clients: ClientsTab, keys: KeysTab, places: PlacesTab };

export function Component() {
  const say = useWords(words);
  const dialogs = usePartnerDialogs();
  const mayConnect = useMay('admin');
  const [parameters, setParameters] = useSearchParams();
  const chosen = tabs.find((tab) => tab === parameters.get('tab')) ?? 'accounts';
  return (
    <>
      <PageHeader title={say.title} subtitle={say.subtitle} actions={mayConnect && <ConnectButton />} />
      <Tabs
        value={chosen}
        keepMounted={false}
        onChange={(tab) =>
          setParameters(tab === 'accounts' || tab === null ? {} : { tab }, { preventScrollReset: true })
        }
      >
        <Tabs.List mb="md">
          {tabs.map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {say.tab[tab]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map((tab) => {
          const Content = tabContents[tab];
          return (
            <Tabs.Panel key={tab} value={tab}>
              <Content dialogs={dialogs} />
            </Tabs.Panel>
          );
        })}
      </Tabs>
      {chosen !== 'places' && <ConnectSection />}
      {dialogs.element}
    </>
  );
}
