import type { ExpiryBand } from '../../../contract/console/stock.ts';
import { useWords } from '../../kit/language.tsx';
import { StatusBadge, type Tone } from '../../kit/status-badge.tsx';
import classes from './stock.module.css';
import { words } from './words.ts';

/** The most urgent first. Only types of the contract are imported, to keep the bundle small. */
export const expiryBands = [
  'expired',
  'unsellable',
  'within_30_days',
  'within_90_days',
  'later',
  'none',
] as const satisfies readonly ExpiryBand[];

const bandTone = {
  expired: 'failed',
  unsellable: 'failed',
  within_30_days: 'waiting',
  within_90_days: 'todo',
} as const satisfies Partial<Record<ExpiryBand, Tone>>;

/** The expiry date, with a badge if it is near. */
export function Expiry({ date, band }: { date: string | null; band: ExpiryBand }) {
  const say = useWords(words);
  if (date === null) return <span className={classes.dimmed}>{say.band.none}</span>;
  return (
    <span className={classes.expiry}>
      <span className={classes.date}>{date}</span>
      <BandBadge band={band} />
    </span>
  );
}

export function BandBadge({ band }: { band: ExpiryBand }) {
  const say = useWords(words);
  return band === 'later' || band === 'none' ? null : <StatusBadge tone={bandTone[band]}>{say.band[band]}</StatusBadge>;
}
