import { Skeleton, VisuallyHidden } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useWords } from './language.tsx';
import { formatNumber } from './number.ts';
import type { PlotSeries } from './plot.tsx';
import { sharedWords } from './shared-words.ts';
import { formatInstant } from './time-text.ts';
import { words } from './words.ts';

export interface ChartProps {
  /** What it shows, in words. */
  label: string;
  /** ISO instants, in order. */
  at: string[];
  series: PlotSeries[];
  heightPx?: number;
  /** How values are written at the axis and in the legend. */
  format?: (value: number) => string;
}

const Plot = lazy(() => import('./plot.tsx'));

/** A time series: drawn for the eye, as a table for who cannot see it. What draws it is only loaded with the first one. */
export function Chart({ label, at, series, heightPx = 200, format = formatNumber }: ChartProps) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <figure style={{ margin: 0 }} aria-label={label}>
      <div aria-hidden="true">
        <Suspense fallback={<Skeleton height={heightPx} />}>
          <Plot at={at} series={series} heightPx={heightPx} format={format} timeLabel={shared.noun.time} />
        </Suspense>
      </div>
      <VisuallyHidden>
        <table>
          <caption>{`${label}. ${say.chartTable}`}</caption>
          <tbody>
            {at.map((instant, place) => (
              <tr key={instant}>
                <th scope="row">{formatInstant(instant)}</th>
                {series.map(({ name, values }) => (
                  <td key={name}>{`${name}: ${values[place] == null ? '–' : format(values[place])}`}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  );
}
