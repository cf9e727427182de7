import { ActionIcon, Checkbox, Popover, Stack, Text } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useState } from 'react';
import { useWords } from './language.tsx';
import { readStored, writeStored } from './stored.ts';
import { words } from './words.ts';

interface ChoosableColumn {
  key: string;
  title: string;
  hiddenAtFirst?: boolean;
  alwaysShown?: boolean;
}

export function useHiddenColumns(
  table: string,
  columns: ChoosableColumn[],
): [ReadonlySet<string>, (hidden: ReadonlySet<string>) => void] {
  const storageName = `columns.${table}`;
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => {
    const stored = readStored(storageName);
    return new Set(stored?.split(' ') ?? columns.filter(({ hiddenAtFirst }) => hiddenAtFirst).map(({ key }) => key));
  });
  const change = (next: ReadonlySet<string>) => {
    writeStored(storageName, [...next].join(' '));
    setHidden(next);
  };
  return [hidden, change];
}

export interface ColumnMenuProps {
  columns: ChoosableColumn[];
  hidden: ReadonlySet<string>;
  onChange(hidden: ReadonlySet<string>): void;
}

export function ColumnMenu({ columns, hidden, onChange }: ColumnMenuProps) {
  const say = useWords(words);
  return (
    <Popover position="bottom-end" shadow="sm" trapFocus>
      <Popover.Target>
        <ActionIcon size="lg" title={say.columns} aria-label={say.columnsShown}>
          <IconColumns3 size={17} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <Text size="sm" fw={600}>
            {say.columnsShown}
          </Text>
          {columns.map(({ key, title, alwaysShown }) => (
            <Checkbox
              key={key}
              label={title}
              disabled={alwaysShown ?? false}
              checked={!hidden.has(key)}
              onChange={() =>
                onChange(
                  hidden.has(key) ? new Set([...hidden].filter((one) => one !== key)) : new Set([...hidden, key]),
                )
              }
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
