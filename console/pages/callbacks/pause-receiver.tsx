import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { ReceiverRow, receiverPause, receiverResume } from '../../../contract/console/callbacks.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { useChange } from '../../kit/use-change.tsx';
import { formatCapped } from './callback-words.ts';
import classes from './callbacks.module.css';
import { words } from './words.ts';

export function PauseReceiver({ receiver }: { receiver: ReceiverRow }) {
  const say = useWords(words);
  const notices = useNotices();
  const [isOpen, setOpen] = useState(false);
  // The state when the dialog opened: while the dialog closes, the row already has the opposite state.
  const [wasPaused, setWasPaused] = useState(false);
  const { address, account_no, waiting } = receiver;
  const onAnswer = ({ kind }: { kind: 'paused' | 'resumed' | 'already' }) => {
    setOpen(false);
    if (kind === 'already') notices.refused(say.alreadyDone);
    else notices.done(say[kind](address));
  };
  const pause = useChange<typeof receiverPause>('/receivers/pause', { onAnswer });
  const resume = useChange<typeof receiverResume>('/receivers/resume', { onAnswer });
  const isPaused = receiver.state === 'paused';
  const open = () => {
    setWasPaused(isPaused);
    setOpen(true);
  };
  return (
    <>
      <Button
        variant="default"
        size="compact-xs"
        aria-label={isPaused ? say.resumeNamed(address) : say.pauseNamed(address)}
        onClick={open}
      >
        {isPaused ? say.resume : say.pause}
      </Button>
      <ConfirmDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={wasPaused ? say.resumeQuestion : say.pauseQuestion}
        confirmLabel={wasPaused ? say.resume : say.pause}
        danger={!wasPaused}
        isRunning={pause.isRunning || resume.isRunning}
        onConfirm={() => void (wasPaused ? resume : pause).run({ account_no, address })}
      >
        <Text size="sm" fw={600} mb="xs" className={classes.whole ?? ''}>
          {address} ({account_no})
        </Text>
        {wasPaused ? say.resumeEffect(formatCapped(waiting)) : say.pauseEffect(formatCapped(waiting))}
      </ConfirmDialog>
    </>
  );
}
