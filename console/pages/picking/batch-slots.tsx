import { Link } from 'react-router';
import type { PickOrder } from '../../../contract/console/picking.ts';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import { StatusBadge, type Tone } from '../../kit/status-badge.tsx';
import classes from './picking.module.css';
import { words } from './words.ts';

/** The orders on the cart, by slot. Those that have left the batch say why, and what to put back. */
export function BatchSlots({ orders }: { orders: PickOrder[] }) {
  const say = useWords(words);
  return (
    <Section title={`${say.slots} (${formatNumber(orders.length)})`} flush>
      <ol className={classes.rows}>
        {orders.map((order) => (
          <Slot key={order.order_id} order={order} />
        ))}
      </ol>
    </Section>
  );
}

function Slot({ order }: { order: PickOrder }) {
  const say = useWords(words);
  const { order_id, account_no, partner_number, slot, state, reason, units, picked, short } = order;
  const { tone, text } = stateOf(order, say);
  const [found, missing] = [formatNumber(picked), formatNumber(short)];
  return (
    <li className={classes.row} data-left={state === 'left' || undefined}>
      <div className={classes.slot}>{formatNumber(slot)}</div>
      <div className={classes.grows}>
        <Link to={`/orders/${order_id}`} className={classes.strong}>
          {partner_number}
        </Link>
        <div className={classes.dimmed}>
          {[account_no, short > 0 && say.shortUnits(missing)].filter(Boolean).join(' · ')}
        </div>
      </div>
      <div className={classes.right}>
        <StatusBadge tone={tone}>{text}</StatusBadge>
        <div className={classes.dimmed}>
          {state === 'left'
            ? picked > 0 && reason !== 'gone' && say.putBack(found)
            : say.progress(formatNumber(picked + short), formatNumber(units))}
        </div>
      </div>
    </li>
  );
}

function stateOf(
  { state, reason, units, picked, short }: PickOrder,
  say: (typeof words)['en'] | (typeof words)['zh-TW'],
): { tone: Tone; text: string } {
  if (state === 'left') return { tone: 'stopped', text: reason === null ? say.state.left : say.left[reason] };
  if (state === 'picked') return { tone: 'done', text: say.state.picked };
  if (picked + short === units) return { tone: 'done', text: say.state.complete };
  return { tone: picked > 0 ? 'active' : 'todo', text: say.state.open };
}
