import { ActionIcon, Menu } from '@mantine/core';
import { IconCalendarEvent } from '@tabler/icons-react';
import { type DatePreset, datePresets } from './date-presets.ts';
import { useWords } from './language.tsx';
import { words } from './words.ts';

export interface PresetMenuProps {
  /** The name of the dates: "Created". */
  label: string;
  onChoose(preset: DatePreset): void;
}

/** The periods that people ask for every day. */
export function PresetMenu({ label, onChoose }: PresetMenuProps) {
  const say = useWords(words);
  return (
    <Menu position="bottom-end" shadow="sm" withinPortal={false}>
      <Menu.Target>
        <ActionIcon aria-label={say.periodOf(label)} title={say.periodOf(label)} size="sm">
          <IconCalendarEvent size={15} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {datePresets.map((preset) => (
          <Menu.Item key={preset} onClick={() => onChoose(preset)}>
            {say.preset[preset]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
