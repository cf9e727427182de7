import { useSearchParams } from 'react-router';
import type { stockSummary } from '../../../contract/console/stock.ts';
import { useWords } from '../../kit/language.tsx';
import { formatCapped } from '../../kit/number.ts';
import { StatTile, StatTiles } from '../../kit/stat-tile.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { words } from './words.ts';

const countedMax = 1000;
/** Counting costs more than loading a page of lots, and stock in a busy warehouse changes all the time. */
const countedEveryMs = 30_000;
const bands = ['expired', 'unsellable', 'within_30_days', 'within_90_days'] as const;

/** The accounts that the page is filtered by. */
export function accountsIn(parameters: URLSearchParams): string[] {
  return (parameters.get('accounts') ?? '').split(',').filter((account) => account !== '');
}

/** Counts the lots of the selected accounts that need attention, with links to them. */
export function StockTiles() {
  const say = useWords(words);
  const [parameters] = useSearchParams();
  const accounts = accountsIn(parameters);
  const { answer } = useAsk<typeof stockSummary>('/stock/summary', accounts.length > 0 ? { accounts } : {}, {
    everyMs: countedEveryMs,
  });
  const linkTo = (filter: string) =>
    `/stock?${filter}${accounts.length > 0 ? `&accounts=${encodeURIComponent(accounts.join())}` : ''}`;
  return (
    <StatTiles>
      {bands.map((band) => (
        <StatTile
          key={band}
          label={say.band[band]}
          value={answer && formatCapped(answer.bands[band], countedMax)}
          to={linkTo(`band=${band}`)}
          note={say.tilesNote[band]}
          attention={(band === 'expired' || band === 'unsellable') && (answer?.bands[band] ?? 0) > 0}
        />
      ))}
      <StatTile
        label={say.defective}
        value={answer && formatCapped(answer.bad, countedMax)}
        to={linkTo('type=bad')}
        note={say.tilesNote.defective}
      />
    </StatTiles>
  );
}
