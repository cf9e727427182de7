import { Button } from '@mantine/core';
import type { CountProduct, ReviewLine } from '../../../contract/console/counts.ts';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { formatLot } from './count-lot.ts';
import classes from './counts.module.css';
import { words } from './words.ts';

interface ReviewRowProps {
  line: ReviewLine;
  product: CountProduct | undefined;
  isOpen: boolean;
  onRecount(): void;
  onNone(): void;
}

export function ReviewRow({ line, product, isOpen, onRecount, onNone }: ReviewRowProps) {
  const say = useWords(words);
  const sku = product?.sku_id ?? String(line.product_id);
  const isCounted = line.counted !== null;
  const isLeftOut = !isOpen && isCounted && line.difference !== 0 && line.booked === null;
  return (
    <li>
      <span className={classes.what}>
        <span className={classes.sku}>
          {product?.location && <span className={classes.location}>{product.location}</span>} {sku}
        </span>
        <span className={classes.second}>
          {product?.name} · <span className={classes.lot}>{formatLot(line, say)}</span>
          {isCounted && ` · ${say.countedBy(line.counted_by ?? '')}`}
        </span>
        {(line.off_shelf ?? 0) > 0 && (
          <span className={classes.second}>{say.review.offShelf(formatNumber(line.off_shelf!))}</span>
        )}
        {line.moved && <StatusBadge tone="failed">{say.review.moved}</StatusBadge>}
        {isLeftOut && <StatusBadge tone="stopped">{say.review.leftOut}</StatusBadge>}
        {!isCounted && (
          <StatusBadge tone={line.round > 1 ? 'failed' : 'todo'}>
            {line.round > 1 ? say.recountAsked : say.notCounted}
          </StatusBadge>
        )}
      </span>
      {isCounted && <Figures line={line} />}
      {isOpen && (
        <Button
          variant="default"
          size="md"
          aria-label={`${isCounted ? say.review.recount : say.review.none}: ${sku} ${formatLot(line, say)}`}
          onClick={isCounted ? onRecount : onNone}
        >
          {isCounted ? say.review.recount : say.review.none}
        </Button>
      )}
    </li>
  );
}

function Figures({ line: { counted, expected, difference } }: { line: ReviewLine }) {
  const { review: say } = useWords(words);
  return (
    <dl className={classes.figures}>
      <dt>{say.counted}</dt>
      <dd>{formatNumber(counted!)}</dd>
      <dt>{say.expected}</dt>
      <dd>{formatNumber(expected!)}</dd>
      <dt>{say.difference}</dt>
      <dd>{formatSigned(difference!)}</dd>
    </dl>
  );
}

function formatSigned(units: number): string {
  return units > 0 ? `+${formatNumber(units)}` : units < 0 ? `−${formatNumber(-units)}` : '0';
}
