import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { useWords } from '../kit/language.tsx';
import { words } from './words.ts';

const schemes = [
  { scheme: 'light', icon: IconSun },
  { scheme: 'dark', icon: IconMoon },
  { scheme: 'auto', icon: IconDeviceDesktop },
] as const;

export function ColourMenu() {
  const say = useWords(words);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Icon = schemes.find(({ scheme }) => scheme === colorScheme)!.icon;
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon size="lg" aria-label={say.colours}>
          <Icon size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map(({ scheme, icon: SchemeIcon }) => (
          <Menu.Item
            key={scheme}
            leftSection={<SchemeIcon size={15} />}
            rightSection={scheme === colorScheme && <IconCheck size={14} />}
            onClick={() => setColorScheme(scheme)}
          >
            {say[scheme]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
