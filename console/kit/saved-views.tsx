import { ActionIcon, Button, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { IconBookmark, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { viewsDelete, viewsList, viewsSave } from '../../contract/console/views.ts';
import { useWords } from './language.tsx';
import { useNotices } from './notices.tsx';
import { formatNumber } from './number.ts';
import { sharedWords } from './shared-words.ts';
import { useAsk } from './use-ask.ts';
import { useChange } from './use-change.tsx';
import { words } from './words.ts';

const nameMaxLength = 60;

/** The operator's saved filters: a view is the query of a page. */
export function SavedViews({ page }: { page: string }) {
  const say = useWords(words);
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} width={300} position="bottom-start" shadow="sm" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconBookmark size={15} />} onClick={() => setOpened(!opened)}>
          {say.views}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <ViewList page={page} onClose={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function ViewList({ page, onClose }: { page: string; onClose(): void }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const { pathname, search } = useLocation();
  const [name, setName] = useState('');
  const list = useAsk<typeof viewsList>('/views/list', { page });
  const save = useChange<typeof viewsSave>('/views/save');
  const remove = useChange<typeof viewsDelete>('/views/delete');
  const notices = useNotices();
  const views = list.answer?.views ?? [];

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    const answer = await save.run({ page, name: name.trim(), query: search.slice(1) });
    if (answer?.kind === 'saved') setName('');
    if (answer?.kind === 'too_many') notices.refused(say.tooManyViews(formatNumber(answer.max)));
  };
  return (
    <Stack gap="sm">
      {views.length === 0 && (
        <Text size="sm" c="dimmed">
          {say.viewsEmpty}
        </Text>
      )}
      {views.map((view) => (
        <Group key={view.name} gap="xs" wrap="nowrap" justify="space-between">
          <Button
            component={Link}
            to={`${pathname}?${view.query}`}
            variant="subtle"
            justify="flex-start"
            flex={1}
            onClick={onClose}
          >
            {view.name}
          </Button>
          <ActionIcon aria-label={say.deleteView(view.name)} onClick={() => void remove.run({ page, name: view.name })}>
            <IconTrash size={15} />
          </ActionIcon>
        </Group>
      ))}
      {search.length > 1 && (
        <form onSubmit={submit}>
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <TextInput
              label={say.viewName}
              value={name}
              maxLength={nameMaxLength}
              flex={1}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" loading={save.isRunning} aria-label={say.saveView}>
              {shared.verb.save}
            </Button>
          </Group>
        </form>
      )}
    </Stack>
  );
}
