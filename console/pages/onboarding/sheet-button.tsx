import { Button } from '@mantine/core';
import { IconFileText, IconPlugConnected } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useWords } from '../../kit/language.tsx';
import { words } from './words.ts';

/** Leads from an account to the sheet for its partner. */
export function SheetButton({ accountNo }: { accountNo: string }) {
  const say = useWords(words);
  return (
    <Button
      component={Link}
      to={`/partners/accounts/${encodeURIComponent(accountNo)}/handover`}
      variant="default"
      leftSection={<IconFileText size={15} />}
    >
      {say.sheet}
    </Button>
  );
}

/** Opens the wizard. */
export function ConnectButton() {
  const say = useWords(words);
  return (
    <Button component={Link} to="/partners/connect" leftSection={<IconPlugConnected size={15} />}>
      {say.wizard}
    </Button>
  );
}
