import { Alert, Button, Group, Text } from '@mantine/core';
import type { CountMistake, CountProduct, CountRow } from '../../../contract/console/counts.ts';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useBooking } from './book-count.tsx';
import { formatLot, lotKey, lotOf } from './count-lot.ts';
import classes from './counts.module.css';
import { words } from './words.ts';

interface RefusedBookingProps {
  count: CountRow;
  mistakes: CountMistake[];
  products: Map<number, CountProduct>;
  onRecount(): void;
  onMistakes(mistakes: CountMistake[]): void;
}

/** The lots because of which nothing was booked. */
export function RefusedBooking({ count, mistakes, products, onRecount, onMistakes }: RefusedBookingProps) {
  const say = useWords(words);
  // A later refusal adds to those that are left out already.
  const booking = useBooking((more) => onMistakes(more.length === 0 ? [] : [...mistakes, ...more]));
  return (
    <Alert
      color="orange"
      classNames={{ title: classes.alertTitle ?? '' }}
      title={say.review.refused}
      role="alert"
      mb="md"
    >
      <Text size="sm">{say.review.refusedHint}</Text>
      <ul className={classes.entries}>
        {mistakes.map((mistake) => (
          <li key={lotKey(mistake)}>
            <span className={classes.what}>
              <span className={classes.sku}>{products.get(mistake.product_id)?.sku_id}</span>
              <span>
                {formatLot(mistake, say)}: {formatWhy(mistake, say)}
              </span>
            </span>
          </li>
        ))}
      </ul>
      <Group gap="sm" mt="sm">
        <Button size="md" variant="default" onClick={onRecount}>
          {say.review.recountAll(formatNumber(mistakes.length))}
        </Button>
        <Button
          size="md"
          variant="default"
          loading={booking.isRunning}
          onClick={() => void booking.run({ count_id: count.count_id, left_out: mistakes.map(lotOf) })}
        >
          {say.review.bookOthers(formatNumber(mistakes.length))}
        </Button>
      </Group>
    </Alert>
  );
}

function formatWhy({ refused }: CountMistake, { review: { why } }: (typeof words)['en']): string {
  return refused.kind === 'too_few_free' ? why.too_few_free(formatNumber(refused.locked)) : why[refused.kind];
}
