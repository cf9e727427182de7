import { Skeleton, VisuallyHidden } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useWords } from './language.tsx';
import { formatNumber } from './number.ts';
import type { PlotSeries } from './plot.tsx';
import { sharedWords } from './shared-words.ts';
import { formatInstant } from './time-text.ts';
import { words } from './words.ts';

export interface ChartProps {
  /** The accessible name. */
  label: string;
  /** ISO instants in ascending order. */
  at: string[];
  series: PlotSeries[];
  heightPx?: number;
  /** Formats values on the axis and in the legend. */
  format?: (value: number) => string;
}

const Plot = lazy(() => import('./plot.tsx'));

/** Shows a time series as a chart, and as a table for screen readers. The plotting library is loaded lazily. */
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
