import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconDevices, IconKeyboard, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import type { AskError } from '../kit/ask-error.ts';
import { useWords } from '../kit/language.tsx';
import { useNotices } from '../kit/notices.tsx';
import { useSession, useSessionKeeper } from '../kit/session.tsx';
import { sharedWords } from '../kit/shared-words.ts';
import { openShortcuts } from './shortcuts.tsx';
import { words } from './words.ts';

export function UserMenu() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const { username, role } = useSession();
  const { signOut } = useSessionKeeper();
  const notices = useNotices();
  const navigate = useNavigate();
  const leave = () => {
    signOut().catch((error: AskError) => notices.failed(error));
  };
  return (
    <Menu width={210}>
      <Menu.Target>
        <ActionIcon size="lg" aria-label={say.userMenu(username)}>
          <IconUserCircle size={19} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {username}
          </Text>
          {shared.role[role]}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item leftSection={<IconDevices size={15} />} onClick={() => navigate('/sessions')}>
          {say.mySessions}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={15} />} onClick={openShortcuts} visibleFrom="sm">
          {say.shortcuts}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={15} />} onClick={leave}>
          {say.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
