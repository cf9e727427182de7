import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type {
  CountMistake,
  CountReview,
  countBook,
  countDiscard,
  ReviewLine,
} from '../../../contract/console/counts.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useChange } from '../../kit/use-change.tsx';
import classes from './counts.module.css';
import { words } from './words.ts';

interface BookCountProps {
  review: CountReview;
  onMistakes(mistakes: CountMistake[]): void;
}

/** The end of a count: book the differences, or discard it. */
export function BookCount({ review: { count, lines }, onMistakes }: BookCountProps) {
  const { review: say } = useWords(words);
  const notices = useNotices();
  const [asks, setAsks] = useState<'book' | 'discard' | null>(null);
  const booking = useBooking((mistakes) => {
    setAsks(null);
    onMistakes(mistakes);
  });
  const discard = useChange<typeof countDiscard>('/counts/discard', {
    onAnswer(answer) {
      setAsks(null);
      if (answer.kind === 'ended') notices.refused(say.ended);
      else notices.done(say.discarded(count.count_no));
    },
  });
  const { lots, added, removed, uncounted } = sumOf(lines);
  return (
    <div className={classes.foot}>
      <Button size="md" variant="default" onClick={() => setAsks('discard')}>
        {say.discard}
      </Button>
      <Button size="md" onClick={() => setAsks('book')}>
        {say.book(formatNumber(lots))}
      </Button>
      <ConfirmDialog
        opened={asks === 'book'}
        onClose={() => setAsks(null)}
        title={say.question(count.count_no)}
        confirmLabel={say.book(formatNumber(lots))}
        isRunning={booking.isRunning}
        onConfirm={() => void booking.run({ count_id: count.count_id })}
      >
        {lots === 0 ? say.effectNone : say.effect(formatNumber(lots), formatNumber(added), formatNumber(removed))}
        {uncounted > 0 && (
          <Text size="sm" mt="xs" fw={600}>
            {say.leavesUncounted(formatNumber(uncounted))}
          </Text>
        )}
      </ConfirmDialog>
      <ConfirmDialog
        danger
        opened={asks === 'discard'}
        onClose={() => setAsks(null)}
        title={say.discardQuestion(count.count_no)}
        confirmLabel={say.discard}
        isRunning={discard.isRunning}
        onConfirm={() => void discard.run({ count_id: count.count_id })}
      >
        {say.discardEffect}
      </ConfirmDialog>
    </div>
  );
}

/** Books a count; the caller gets the lots because of which nothing was booked. */
export function useBooking(onMistakes: (mistakes: CountMistake[]) => void) {
  const { review: say } = useWords(words);
  const notices = useNotices();
  return useChange<typeof countBook>('/counts/book', {
    onAnswer(answer) {
      onMistakes(answer.kind === 'refused' ? answer.mistakes : []);
      if (answer.kind === 'ended') notices.refused(say.ended);
      if (answer.kind === 'booked' || answer.kind === 'repeated')
        notices.done(answer.lots === 0 ? say.bookedNone : say.booked(formatNumber(answer.lots)));
    },
  });
}

function sumOf(lines: ReviewLine[]) {
  const differences = lines.map(({ difference }) => difference ?? 0).filter((units) => units !== 0);
  const sum = (units: number[]) => units.reduce((total, one) => total + one, 0);
  return {
    lots: differences.length,
    added: sum(differences.filter((units) => units > 0)),
    removed: sum(differences.filter((units) => units < 0).map(Math.abs)),
    uncounted: lines.filter(({ counted }) => counted === null).length,
  };
}
