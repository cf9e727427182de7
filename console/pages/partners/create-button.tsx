import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';

export function CreateButton({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <Button leftSection={<IconPlus size={15} />} onClick={onClick}>
      {label}
    </Button>
  );
}
