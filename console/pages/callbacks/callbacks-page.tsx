import { Tabs } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { useWords } from '../../kit/language.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { SavedViews } from '../../kit/saved-views.tsx';
import { CallbackList } from './callback-list.tsx';
import { ReceiverList } from './receiver-list.tsx';
import { words } from './words.ts';

const tabs = ['callbacks', 'receivers'] as const;

export function Component() {
  const say = useWords(words);
  const [parameters, setParameters] = useSearchParams();
  const tab = tabs.find((one) => one === parameters.get('tab')) ?? 'callbacks';
  return (
    <>
      <PageHeader title={say.title} subtitle={say.subtitle} actions={<SavedViews page="callbacks" />} />
      <Tabs
        value={tab}
        keepMounted={false}
        mb="sm"
        onChange={(next) =>
          setParameters(next === 'receivers' ? { tab: 'receivers' } : {}, { preventScrollReset: true })
        }
      >
        <Tabs.List mb="sm">
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {say.tab[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="callbacks">
          <CallbackList />
        </Tabs.Panel>
        <Tabs.Panel value="receivers">
          <ReceiverList />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
