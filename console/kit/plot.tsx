import 'uplot/dist/uPlot.min.css';
import './plot.css';
import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useEffectEvent, useRef } from 'react';
import UPlot from 'uplot';
import { formatInstant } from './time-text.ts';

export interface PlotSeries {
  name: string;
  /** One value per instant; null leaves a gap. */
  values: (number | null)[];
  kind?: 'line' | 'bars';
  /** `failed` is for errors. */
  colour?: PlotColour;
}

type PlotColour = 'first' | 'second' | 'third' | 'fourth' | 'failed';

export interface PlotProps {
  at: string[];
  series: PlotSeries[];
  heightPx: number;
  format(value: number): string;
  timeLabel: string;
  /** The instants are days. */
  isByDay: boolean;
  /** The instant whose values are shown; null: that under the pointer. */
  place: number | null;
}

const colours: Record<'light' | 'dark', Record<PlotColour, string> & { axis: string; grid: string }> = {
  light: {
    first: '#0b6a66',
    second: '#2f6db8',
    third: '#b07a16',
    fourth: '#7b4fb5',
    failed: '#c0392f',
    axis: '#56626c',
    grid: '#e3e8eb',
  },
  dark: {
    first: '#52b5ae',
    second: '#7fb2ee',
    third: '#e0b352',
    fourth: '#bd9cf0',
    failed: '#ff8a80',
    axis: '#9aa6b0',
    grid: '#2a3239',
  },
};
const order: PlotColour[] = ['first', 'second', 'third', 'fourth', 'failed'];

const aloneHalfStepSeconds = 1800;
const daySeconds = 86_400;
const daysBetweenTicks = [1, 2, 7, 14, 28, 56, 112];

/** The indexes of values without a neighbour. */
export function lonePlaces(values: ArrayLike<number | null | undefined>): number[] {
  const isAlone = (place: number) => values[place] != null && values[place - 1] == null && values[place + 1] == null;
  return Array.from(values, (_value, place) => place).filter(isAlone);
}

/** The drawing itself, which only `chart.tsx` uses. */
export default function Plot(props: PlotProps) {
  const { at, series, heightPx, timeLabel } = props;
  const scheme = useComputedColorScheme('light');
  const { ref, width } = useElementSize<HTMLDivElement>();
  const canvas = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const data = [
    at.map((instant) => Date.parse(instant) / 1000),
    ...series.map(({ values }) => values),
  ] as UPlot.AlignedData;
  const shape = JSON.stringify([timeLabel, ...series.map(({ name, kind, colour }) => [name, kind, colour])]);

  const draw = useEffectEvent((element: HTMLDivElement) => new UPlot(optionsOf(props, scheme, width), data, element));

  // biome-ignore lint/correctness/useExhaustiveDependencies: colours and shape are fixed when it is drawn, so it is redrawn when they change.
  useEffect(() => {
    if (canvas.current === null || width === 0) return;
    plot.current = draw(canvas.current);
    return () => plot.current?.destroy();
  }, [scheme, shape, heightPx, width > 0]);
  const { place } = props;
  useEffect(() => {
    const drawn = plot.current;
    if (drawn === null) return;
    const second = place === null ? undefined : drawn.data[0][place];
    drawn.setCursor(second === undefined ? { left: -10, top: -10 } : { left: drawn.valToPos(second, 'x'), top: 10 });
  }, [place]);
  useEffect(() => {
    if (width > 0) plot.current?.setSize({ width, height: heightPx });
  }, [width, heightPx]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same numbers need not be drawn again.
  useEffect(() => plot.current?.setData(data), [JSON.stringify(data)]);
  return (
    <div ref={ref} style={{ minHeight: heightPx + 30 }} data-cursor={place === null ? undefined : true}>
      <div ref={canvas} />
    </div>
  );
}

function optionsOf(
  { at, series, heightPx, format, timeLabel, isByDay }: PlotProps,
  scheme: keyof typeof colours,
  width: number,
): UPlot.Options {
  const halfStep = at.length > 1 ? (Date.parse(at[1]!) - Date.parse(at[0]!)) / 2000 : aloneHalfStepSeconds;
  const needsRoom = at.length === 1 || series.some(({ kind }) => kind === 'bars');
  const palette = colours[scheme];
  const axis = {
    stroke: palette.axis,
    grid: { stroke: palette.grid, width: 1 },
    ticks: { stroke: palette.grid },
    font: '12px system-ui',
  };
  return {
    width: Math.max(width, 200),
    height: heightPx,
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), 'Asia/Taipei'),
    cursor: { drag: { x: false, y: false } },
    scales: {
      // Bars and a single instant need half an interval more on both sides, so that all bars are equally wide.
      x: { range: (_plot, min, max) => (needsRoom ? [min - halfStep, max + halfStep] : [min, max]) },
      y: { range: (_plot, _min, max) => [0, Math.max(max * 1.1, 1)] },
    },
    axes: [
      {
        ...axis,
        // Days have no hours between them.
        ...(isByDay && { incrs: daysBetweenTicks.map((days) => days * daySeconds) }),
        values: [
          [86_400, '{MM}-{DD}', null, null, null, null, null, null, 1],
          [60, '{HH}:{mm}', '\n{MM}-{DD}', null, '\n{MM}-{DD}', null, null, null, 1],
          [1, '{HH}:{mm}:{ss}', null, null, null, null, null, null, 1],
        ],
      },
      { ...axis, size: 56, values: (_plot, splits) => splits.map((value) => format(value)) },
    ],
    series: [
      {
        label: timeLabel,
        value: (_plot, seconds) =>
          seconds == null ? '' : formatInstant(new Date(seconds * 1000)).slice(5, isByDay ? 10 : 16),
      },
      ...series.map((one, place) => seriesOf(one, palette[one.colour ?? order[place % order.length]!], format)),
    ],
  };
}

function seriesOf(
  { name, kind = 'line' }: PlotProps['series'][number],
  stroke: string,
  format: PlotProps['format'],
): UPlot.Series {
  return {
    label: name,
    stroke,
    width: 1.6,
    // A line needs two points: a value without neighbours is drawn as a dot.
    points: {
      show: false,
      size: 6,
      fill: stroke,
      filter: (plot, place) => (kind === 'line' ? lonePlaces(plot.data[place]!) : null),
    },
    value: (_plot, value) => (value == null ? '' : format(value)),
    ...(kind === 'bars' ? { fill: `${stroke}99`, paths: UPlot.paths.bars!({ size: [0.7, 40] }) } : {}),
  };
}
