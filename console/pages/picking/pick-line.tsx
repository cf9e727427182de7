import { UnstyledButton } from '@mantine/core';
import type { PickLine } from '../../../contract/console/picking.ts';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { remainingOf } from './picked-batch.ts';
import classes from './picking.module.css';
import { words } from './words.ts';

/** The item to look for, large enough to read at arm's length. */
export function CurrentLine({ line }: { line: PickLine }) {
  const say = useWords(words);
  const open = line.slots.filter(({ qty, picked, short }) => qty > picked + short);
  return (
    <section className={classes.current} aria-label={say.current}>
      <div className={classes.place}>
        <span className={classes.location}>{line.location ?? say.noLocation}</span>
        <span className={classes.units}>{say.units(formatNumber(remainingOf(line)))}</span>
      </div>
      <div className={classes.sku}>{line.sku_id}</div>
      <div>{line.name}</div>
      <div className={classes.lot}>
        <Lot line={line} />
      </div>
      <ul className={classes.slots}>
        {open.map(({ slot, qty, picked, short }) => (
          <li key={slot}>
            {say.slot(formatNumber(slot))}
            <strong>{formatNumber(qty - picked - short)}</strong>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Lot({ line: { batch, expire_date, account_no } }: { line: PickLine }) {
  const say = useWords(words);
  return [batch, expire_date && say.expires(expire_date), account_no].filter(Boolean).join(' · ');
}

export function LineRow({ line, isCurrent, onChoose }: { line: PickLine; isCurrent: boolean; onChoose(): void }) {
  const say = useWords(words);
  const { sku_id, location, slots } = line;
  const sum = (name: 'qty' | 'picked' | 'short') => slots.reduce((units, slot) => units + slot[name], 0);
  return (
    <li>
      <UnstyledButton className={classes.row ?? ''} aria-current={isCurrent} onClick={onChoose}>
        <div className={classes.grows}>
          <div className={classes.strong}>
            {location ?? say.noLocation} · {sku_id}
          </div>
          <div className={classes.dimmed}>
            <Lot line={line} />
          </div>
        </div>
        <div className={classes.right}>
          <div className={classes.strong}>
            {formatNumber(sum('picked'))} / {formatNumber(sum('qty'))}
          </div>
          <div className={classes.dimmed}>
            {sum('short') > 0
              ? say.shortUnits(formatNumber(sum('short')))
              : say.slot(slots.map(({ slot }) => formatNumber(slot)).join(say.comma))}
          </div>
        </div>
      </UnstyledButton>
    </li>
  );
}
