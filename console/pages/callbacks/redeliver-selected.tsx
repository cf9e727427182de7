import { Button } from '@mantine/core';
import { useState } from 'react';
import type { callbackRedeliver } from '../../../contract/console/callbacks.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useChange } from '../../kit/use-change.tsx';
import { formatRedelivered } from './callback-words.ts';
import { words } from './words.ts';

const selectedMax = 500;

export function RedeliverSelected({ keys, onDone }: { keys: ReadonlySet<string>; onDone(): void }) {
  const say = useWords(words);
  const notices = useNotices();
  const [isOpen, setOpen] = useState(false);
  const redeliver = useChange<typeof callbackRedeliver>('/callbacks/redeliver', {
    onAnswer: (counts) => {
      setOpen(false);
      notices.done(formatRedelivered(counts, say));
      onDone();
    },
  });
  const count = formatNumber(keys.size);
  const open = () =>
    keys.size > selectedMax ? notices.refused(say.tooManySelected(formatNumber(selectedMax))) : setOpen(true);
  return (
    <>
      <Button onClick={open}>{say.redeliverSelected(count)}</Button>
      <ConfirmDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={say.redeliverSelectedQuestion(count)}
        confirmLabel={say.redeliverSelected(count)}
        isRunning={redeliver.isRunning}
        onConfirm={() => void redeliver.run({ callback_ids: [...keys].map(Number) })}
      >
        {say.redeliverSelectedEffect}
      </ConfirmDialog>
    </>
  );
}
