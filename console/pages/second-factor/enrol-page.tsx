import { Button, Stack, Text } from '@mantine/core';
import type { AskError } from '../../kit/ask-error.ts';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { useSession, useSessionKeeper } from '../../kit/session.tsx';
import { SignInFrame } from '../sign-in/sign-in-frame.tsx';
import { Enrolment } from './enrolment.tsx';
import { words } from './words.ts';

/** Shown instead of the console to an operator who must set up one-time codes first. */
export default function EnrolPage() {
  const say = useWords(words);
  const notices = useNotices();
  const { username } = useSession();
  const { refresh, signOut } = useSessionKeeper();
  const leave = () => {
    signOut().catch((error: AskError) => notices.failed(error));
  };
  const help = (
    <>
      {username} ·{' '}
      <Button variant="subtle" size="compact-sm" onClick={leave}>
        {say.signOut}
      </Button>
    </>
  );
  return (
    <SignInFrame title={say.requiredTitle} help={help}>
      <Stack gap="md">
        <Text size="sm">{say.requiredHint}</Text>
        <Enrolment isEnrolled={false} onDone={refresh} />
      </Stack>
    </SignInFrame>
  );
}
