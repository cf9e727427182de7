import { Button } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Opens the confirmation of an irreversible action. It looks different from every other button. */
export function DangerButton({
  disabled = false,
  onClick,
  children,
}: {
  disabled?: boolean;
  onClick(): void;
  children: ReactNode;
}) {
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
