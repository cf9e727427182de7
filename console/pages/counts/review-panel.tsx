import { SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import type { BodyOf } from '../../../contract/console/console-call.ts';
import type {
  CountMistake,
  CountReview,
  countEnter,
  countRecount,
  countReview,
  ReviewLine,
} from '../../../contract/console/counts.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { useWords } from '../../kit/language.tsx';
import { newUuid } from '../../kit/new-uuid.ts';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { useChange } from '../../kit/use-change.tsx';
import { BookCount } from './book-count.tsx';
import { lotKey, lotOf, productsById } from './count-lot.ts';
import classes from './counts.module.css';
import { RefusedBooking } from './refused-booking.tsx';
import { ReviewRow } from './review-row.tsx';
import { words } from './words.ts';

const everyMs = 10_000;
const shows = ['differences', 'uncounted', 'all'] as const;
type Show = (typeof shows)[number];

/** The differences of a count. Whoever reviews them asks for recounts, or books them. */
export function ReviewPanel({ countId }: { countId: number }) {
  const asked = useAsk<typeof countReview>('/counts/review', { count_id: countId }, { everyMs });
  return (
    <AskedContent asked={asked} lines={8}>
      {(review) => <Review review={review} />}
    </AskedContent>
  );
}

const fits: Record<Show, (line: ReviewLine) => boolean> = {
  differences: ({ difference, moved }) => moved || (difference ?? 0) !== 0,
  uncounted: ({ counted }) => counted === null,
  all: () => true,
};

function Review({ review }: { review: CountReview }) {
  const say = useWords(words);
  const { count, lines } = review;
  const [show, setShow] = useState<Show>('differences');
  const [mistakes, setMistakes] = useState<CountMistake[]>([]);
  const actions = useReviewActions(count.count_id);
  const products = productsById(review.products);
  const isOpen = count.state === 'open';
  const shown = lines.filter(fits[show]);
  const counts = { differences: 0, uncounted: 0, all: lines.length };
  for (const one of ['differences', 'uncounted'] as const) counts[one] = lines.filter(fits[one]).length;
  const recount = (chosen: ReviewLine[]) => {
    const keys = new Set(chosen.map(lotKey));
    setMistakes((before) => before.filter((mistake) => !keys.has(lotKey(mistake))));
    actions.recount(chosen);
  };
  return (
    <>
      <SegmentedControl
        className={classes.views ?? ''}
        aria-label={say.review.show}
        value={show}
        onChange={(value) => setShow(value as Show)}
        data={shows.map((value) => ({ value, label: say.review[value](formatNumber(counts[value])) }))}
      />
      {mistakes.length > 0 && isOpen && (
        <RefusedBooking
          count={count}
          mistakes={mistakes}
          products={products}
          onRecount={() => recount(linesOf(mistakes, lines))}
          onMistakes={setMistakes}
        />
      )}
      <Section title={say.tab.review}>
        {shown.length === 0 && (
          <Text c="dimmed">{show === 'uncounted' ? say.review.everythingCounted : say.review.noDifferences}</Text>
        )}
        <ul className={`${classes.lines} ${classes.reviewed}`}>
          {shown.map((line) => (
            <ReviewRow
              key={lotKey(line)}
              line={line}
              product={products.get(line.product_id)}
              isOpen={isOpen}
              onRecount={() => recount([line])}
              onNone={() => actions.enterNone(line)}
            />
          ))}
        </ul>
      </Section>
      {isOpen && <BookCount review={review} onMistakes={setMistakes} />}
    </>
  );
}

function linesOf(mistakes: CountMistake[], lines: ReviewLine[]): ReviewLine[] {
  const keys = new Set(mistakes.map(lotKey));
  return lines.filter((line) => keys.has(lotKey(line)));
}

function useReviewActions(count_id: number) {
  const { review: say } = useWords(words);
  const notices = useNotices();
  const recount = useChange<typeof countRecount>('/counts/recount', {
    onAnswer(answer) {
      if (answer.kind === 'ended') notices.refused(say.ended);
      else notices.done(say.recounting(formatNumber(answer.lots)));
    },
  });
  const enter = useChange<typeof countEnter>('/counts/enter', {
    onAnswer: (answer) => answer.kind === 'ended' && notices.refused(say.ended),
  });
  return {
    recount(lines: ReviewLine[]) {
      const lots: BodyOf<typeof countRecount>['lots'] = lines.map((line) => ({ ...lotOf(line), round: line.round }));
      void recount.run({ count_id, lots });
    },
    /** Nobody scans a lot that is not there. */
    enterNone(line: ReviewLine) {
      void enter.run({ count_id, scan_id: newUuid(), lot: lotOf(line), units: 0 });
    },
  };
}
