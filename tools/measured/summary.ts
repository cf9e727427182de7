import type { KeptLine } from '../../faults/measured-page.ts';
import { replaceBetweenMarks } from '../generate-between-marks.ts';
import { type BarChart, describeBars, drawBars } from './bar-chart.ts';

/** A sentence for people who choose software, and the chart that shows it. */
export interface SummaryPart {
  /** Of the chart, without its ending. */
  file: string;
  sentence: string;
  chart: BarChart;
}

const partsShown = 3;
/** Relative to the pages, which are in docs/. */
const chartFolder = 'images';

/** The page with its first parts between the marks of the summary. */
export function renderSummary(text: string, parts: SummaryPart[]): string {
  const shown = parts
    .slice(0, partsShown)
    .map(({ file, sentence, chart }) =>
      [`**${sentence}**`, `![${chart.title}. ${describeBars(chart.bars)}](${chartFolder}/${file}.svg)`].join('\n\n'),
    );
  return replaceBetweenMarks(text, 'summary', shown.join('\n\n'));
}

/** The chart with this name; empty if its figures were not measured yet. */
export function drawChart(parts: SummaryPart[], file: string): string {
  const part = parts.find((one) => one.file === file);
  return part === undefined ? '' : drawBars(part.chart);
}

/** The figures of the rows with this subject and title. */
export function figuresOf(lines: KeptLine[], subject: string, title: string): KeptLine['figures'][] {
  return lines.filter((line) => line.subject === subject && line.title === title).map(({ figures }) => figures);
}

export function withCommas(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
