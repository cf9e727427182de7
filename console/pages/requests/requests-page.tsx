import { Tabs } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { useWords } from '../../kit/language.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { SavedViews } from '../../kit/saved-views.tsx';
import { ErrorGroups } from './error-groups.tsx';
import { FindTrace } from './find-trace.tsx';
import { RequestList } from './request-list.tsx';
import { words } from './words.ts';

const tabs = ['list', 'errors'] as const;
/** Both tabs share these filters. */
const common = ['within', 'from', 'to', 'account', 'contract'];

export function Component() {
  const say = useWords(words);
  const [parameters, setParameters] = useSearchParams();
  const tab = tabs.find((one) => one === parameters.get('tab')) ?? 'list';
  const open = (next: string | null) => {
    const kept = [...parameters].filter(([name]) => common.includes(name));
    setParameters([...(next === 'errors' ? [['tab', 'errors']] : []), ...kept] as [string, string][], {
      preventScrollReset: true,
    });
  };
  return (
    <>
      <PageHeader
        title={say.title}
        subtitle={say.subtitle}
        actions={
          <>
            <FindTrace />
            <SavedViews page="requests" />
          </>
        }
      />
      <Tabs value={tab} keepMounted={false} onChange={open}>
        <Tabs.List mb="sm">
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {say.tab[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="list">
          <RequestList />
        </Tabs.Panel>
        <Tabs.Panel value="errors">
          <ErrorGroups />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
