import { Skeleton, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, lazy, Suspense, useState } from 'react';
import classes from './chart.module.css';
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
  /** The instants are days. */
  isByDay?: boolean;
  /** Arrow keys go from value to value. */
  hasCursor?: boolean;
}

const Plot = lazy(() => import('./plot.tsx'));

/** Shows a time series as a chart, and as a table for screen readers. The plotting library is loaded lazily. */
export function Chart(props: ChartProps) {
  const { label, at, series, heightPx = 200, format = formatNumber, isByDay = false, hasCursor = false } = props;
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const [place, setPlace] = useState<number | null>(null);
  const nameOf = (instant: string) => formatInstant(instant).slice(0, isByDay ? 10 : undefined);
  const textOf = ({ values }: PlotSeries, index: number) => (values[index] == null ? '–' : format(values[index]));
  const shown = place === null || place >= at.length ? null : place;
  return (
    <figure className={classes.figure} aria-label={label}>
      {hasCursor && at.length > 0 && (
        <Cursor label={label} count={at.length} place={shown} onMove={setPlace}>
          {shown === null
            ? say.chartCursor
            : `${nameOf(at[shown]!)}: ${series.map((one) => `${one.name} ${textOf(one, shown)}`).join(', ')}`}
        </Cursor>
      )}
      <div aria-hidden="true">
        <Suspense fallback={<Skeleton height={heightPx} />}>
          <Plot
            {...{ at, series, heightPx, format, isByDay }}
            place={shown}
            timeLabel={isByDay ? shared.noun.day : shared.noun.time}
          />
        </Suspense>
      </div>
      <VisuallyHidden>
        <table>
          <caption>{`${label}. ${say.chartTable}`}</caption>
          <tbody>
            {at.map((instant, index) => (
              <tr key={instant}>
                <th scope="row">{nameOf(instant)}</th>
                {series.map((one) => (
                  <td key={one.name}>{`${one.name}: ${textOf(one, index)}`}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  );
}

interface CursorProps {
  label: string;
  count: number;
  place: number | null;
  onMove(place: number | null): void;
  /** The values at the cursor. */
  children: string;
}

/** Lies over the chart, lets the pointer through, and takes the arrow keys. */
function Cursor({ label, count, place, onMove, children }: CursorProps) {
  const move = (event: KeyboardEvent) => {
    const next = {
      ArrowLeft: place === null ? count - 1 : Math.max(0, place - 1),
      ArrowRight: place === null ? count - 1 : Math.min(count - 1, place + 1),
      Home: 0,
      End: count - 1,
      Escape: null,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onMove(next);
  };
  return (
    <div
      className={classes.cursor}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={count - 1}
      aria-valuenow={place ?? count - 1}
      aria-valuetext={children}
      onKeyDown={move}
      onBlur={() => onMove(null)}
    />
  );
}
