import { Button } from '@mantine/core';
import { useState } from 'react';
import type { PickBatch, pickingFinish } from '../../../contract/console/picking.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useChange } from '../../kit/use-change.tsx';
import { remainingOf } from './picked-batch.ts';
import classes from './picking.module.css';
import { words } from './words.ts';

/** Closes the batch. While units are still to be found, it asks first. */
export function FinishButton({ batch }: { batch: PickBatch }) {
  const say = useWords(words);
  const notices = useNotices();
  const [isAsking, setAsking] = useState(false);
  const { run, isRunning } = useChange<typeof pickingFinish>('/picking/finish', {
    onAnswer(answer) {
      setAsking(false);
      if (answer.kind === 'finished') notices.done(say.finished(formatNumber(answer.picked)));
      else setAsking(true);
    },
  });
  const isComplete = batch.lines.every((line) => remainingOf(line) === 0);
  const open = batch.orders.filter(({ state, units, picked, short }) => state === 'open' && picked + short < units);
  if (isComplete)
    return (
      <Button
        size="lg"
        className={classes.wide ?? ''}
        loading={isRunning}
        onClick={() => void run({ batch_id: batch.batch_id })}
      >
        {say.finish}
      </Button>
    );
  return (
    <>
      <Button size="md" variant="subtle" color="gray" onClick={() => setAsking(true)}>
        {say.finishEarly}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={say.finishEarlyTitle}
        confirmLabel={say.finishEarlyButton}
        danger
        isRunning={isRunning}
        onConfirm={() => void run({ batch_id: batch.batch_id, give_back: true })}
      >
        {say.finishEarlyText(formatNumber(open.length))}
      </ConfirmDialog>
    </>
  );
}
