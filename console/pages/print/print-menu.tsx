import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconPrinter } from '@tabler/icons-react';
import { basePath } from '../../kit/base-path.ts';
import { useWords } from '../../kit/language.tsx';
import { printOutNames, printPath } from './print-job.ts';
import { words } from './words.ts';

interface PrintMenuProps {
  orderIds: number[];
  disabled?: boolean;
  /** The number of labels for an order whose parcels have no numbers yet. */
  parcels?: number;
  size?: 'xs' | 'md';
}

/** Each print-out opens in a tab of its own, so that the list and its selection stay. */
export function PrintMenu({ orderIds, disabled = false, parcels, size = 'xs' }: PrintMenuProps) {
  const say = useWords(words);
  return (
    <Menu position="bottom-start" withinPortal={false}>
      <Menu.Target>
        <Button
          size={size}
          variant="default"
          disabled={disabled}
          leftSection={<IconPrinter size={15} />}
          rightSection={<IconChevronDown size={14} />}
        >
          {say.menu}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {printOutNames.map((name) => (
          <Menu.Item
            key={name}
            py={9}
            component="a"
            href={`${basePath}${printPath(name, orderIds, parcels === undefined ? {} : { parcels })}`}
            target="_blank"
            rel="noopener"
          >
            {say.printOut[name]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
