import { ActionIcon, Button, Checkbox, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { IconBookmark, IconShare, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { SavedView, viewsDelete, viewsList, viewsSave } from '../../contract/console/views.ts';
import { basePath } from './base-path.ts';
import { CopyButton } from './copy-button.tsx';
import { useWords } from './language.tsx';
import { useNotices } from './notices.tsx';
import { formatNumber } from './number.ts';
import { useSession } from './session.tsx';
import { sharedWords } from './shared-words.ts';
import { useAsk } from './use-ask.ts';
import { useChange } from './use-change.tsx';
import { words } from './words.ts';

const nameMaxLength = 60;

/** The operator's saved filters, and those that others share: a view is the query of a page. */
export function SavedViews({ page }: { page: string }) {
  const say = useWords(words);
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} width={340} position="bottom-start" shadow="sm" trapFocus>
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
  const { username } = useSession();
  const { search } = useLocation();
  const list = useAsk<typeof viewsList>('/views/list', { page });
  const views = list.answer?.views ?? [];
  const isOwn = ({ owner }: SavedView) => owner === username;
  const groups = [
    { title: say.ownViews, rows: views.filter(isOwn) },
    { title: say.sharedViews, rows: views.filter((view) => !isOwn(view)) },
  ].filter(({ rows }) => rows.length > 0);
  return (
    <Stack gap="sm" mah="70vh" style={{ overflowY: 'auto' }}>
      {views.length === 0 && (
        <Text size="sm" c="dimmed">
          {say.viewsEmpty}
        </Text>
      )}
      {groups.map(({ title, rows }) => (
        <section key={title} aria-label={title}>
          <Text size="xs" fw={600} c="dimmed">
            {title}
          </Text>
          {rows.map((view) => (
            <ViewRow key={`${view.owner} ${view.name}`} page={page} view={view} isOwn={isOwn(view)} onClose={onClose} />
          ))}
        </section>
      ))}
      {search.length > 1 && <SaveForm page={page} />}
    </Stack>
  );
}

interface ViewRowProps {
  page: string;
  view: SavedView;
  isOwn: boolean;
  onClose(): void;
}

function ViewRow({ page, view, isOwn, onClose }: ViewRowProps) {
  const say = useWords(words);
  const { pathname } = useLocation();
  const notices = useNotices();
  const save = useChange<typeof viewsSave>('/views/save');
  const remove = useChange<typeof viewsDelete>('/views/delete');
  const { name, query, shared, owner, can_change } = view;
  const key = { page, name, ...(!isOwn && { owner }) };
  const path = query === '' ? pathname : `${pathname}?${query}`;
  const warn = (answer: { kind: string } | undefined) => answer?.kind === 'not_found' && notices.refused(say.viewGone);
  return (
    <Group gap={4} wrap="nowrap" justify="space-between">
      <Button component={Link} to={path} variant="subtle" justify="flex-start" flex={1} onClick={onClose}>
        <span>
          {name}
          {shared && (
            <Text component="span" size="xs" c="dimmed" display="block" ta="left">
              {isOwn ? say.sharedByYou : say.sharedBy(owner)}
            </Text>
          )}
        </span>
      </Button>
      <CopyButton value={`${location.origin}${basePath}${path}`} label={say.linkOfView(name)} />
      {can_change && (
        <>
          <ActionIcon
            size="sm"
            aria-label={say.shareNamed(name)}
            title={say.shareNamed(name)}
            aria-pressed={shared}
            variant={shared ? 'light' : 'subtle'}
            onClick={() => void save.run({ ...key, query, shared: !shared }).then(warn)}
          >
            <IconShare size={15} />
          </ActionIcon>
          <ActionIcon size="sm" aria-label={say.deleteView(name)} onClick={() => void remove.run(key).then(warn)}>
            <IconTrash size={15} />
          </ActionIcon>
        </>
      )}
    </Group>
  );
}

function SaveForm({ page }: { page: string }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const notices = useNotices();
  const { search } = useLocation();
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const save = useChange<typeof viewsSave>('/views/save');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    const answer = await save.run({ page, name: name.trim(), query: search.slice(1), shared: isShared });
    if (answer?.kind === 'saved') setName('');
    if (answer?.kind === 'too_many') notices.refused(say.tooManyViews(formatNumber(answer.max)));
  };
  return (
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
      <Checkbox
        mt={8}
        size="xs"
        label={say.shareView}
        checked={isShared}
        onChange={(event) => setShared(event.currentTarget.checked)}
      />
    </form>
  );
}
