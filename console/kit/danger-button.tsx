import { Button } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Opens the question about something that cannot be undone; it looks like no other button beside it. */
export function DangerButton({ disabled = false, onClick, children }: { disabled?: boolean; onClick(): void; children: ReactNode }) {
  const colour = 'var(--mantine-color-error)';
  return (
    <Button
      variant="default"
      leftSection={<IconBan size={15} aria-hidden />}
      disabled={disabled}
      onClick={onClick}
      {...(!disabled && { c: colour, bd: `1px solid ${colour}` })}
    >
      {children}
    </Button>
  );
}
