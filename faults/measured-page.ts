import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceBetweenMarks } from '../tools/generate-between-marks.ts';
import { root } from './child-process.ts';

type Figures = Record<string, number | string>;

/** A row of the table with this title. A row with a goal has the figures `ratio`, `goal` and `reached`. */
export interface MeasuredRow {
  title: string;
  figures: Figures;
}

/** A line of a results file. */
export interface KeptLine extends MeasuredRow {
  subject: string;
  /** Machine, date, commit, seed. */
  run: Figures;
}

/** Replaces the results of a subject in the file, or adds them at the end. */
export function keepMeasured(file: string, subject: string, run: Figures, rows: MeasuredRow[]): void {
  const kept = Map.groupBy(readKept(file), (line) => line.subject);
  kept.set(
    subject,
    rows.map(({ title, figures }) => ({ subject, title, figures, run })),
  );
  const lines = [...kept.values()].flat();
  writeFileSync(join(root, file), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** Rows with this title form one table for all subjects. */
export const overview = 'overview';

/** The page with the results between its marks: the runs, the overview, the goals, then the tables of each subject. */
export function renderMeasured(text: string, file: string): string {
  const parts = [...Map.groupBy(readKept(file), (line) => line.subject).values()];
  const lines = parts.flat();
  const goals = goalsOf(lines);
  const overviews = lines.filter(({ title }) => title === overview).map(({ figures }) => figures);
  const sections = [
    parts.length === 0 ? 'Not measured yet.' : runsTable(parts),
    ...(overviews.length === 0 ? [] : [tableOf(overviews)]),
    ...(goals.length === 0 ? [] : [tableOf(goals)]),
    ...parts
      .map((part) => part.filter(({ title }) => title !== overview))
      .flatMap((part) => (part.length === 0 ? [] : [renderSubject(part)])),
  ];
  return replaceBetweenMarks(text, 'measured', sections.join('\n\n'));
}

export function readKept(file: string): KeptLine[] {
  let text = '';
  try {
    text = readFileSync(join(root, file), 'utf8');
  } catch {
    // Nothing has been measured yet.
  }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as KeptLine);
}

/** One row per run, with the subjects measured in it. */
function runsTable(parts: KeptLine[][]): string {
  const runs = Map.groupBy(parts, ([first]) => JSON.stringify(first!.run));
  return tableOf(
    [...runs].map(([run, those]) => ({
      measured: those.map(([first]) => first!.subject).join(', '),
      ...JSON.parse(run),
    })),
  );
}

/** The rows that have a goal: a description, the ratio, and whether the goal was reached. */
export function goalsOf(rows: (MeasuredRow & { subject: string })[]): Figures[] {
  return rows.flatMap(({ subject, figures: { ratio = '', goal = '', reached = '', ...what } }) =>
    goal === '' ? [] : [{ of: subject, what: formatFigures(what), ratio, goal, reached }],
  );
}

function formatFigures(figures: Figures): string {
  return Object.entries(figures)
    .map(([name, value]) => (typeof value === 'string' ? value : `${name} ${formatNumber(value)}`))
    .filter((words) => words !== '')
    .join(', ');
}

function renderSubject(lines: KeptLine[]): string {
  const tables = [...Map.groupBy(lines, (line) => line.title)].map(
    ([title, those]) => `**${capital(title)}**\n\n${tableOf(those.map((line) => line.figures))}`,
  );
  return [`### ${capital(lines[0]!.subject)}`, ...tables].join('\n\n');
}

function tableOf(rows: Figures[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const cell = (value: number | string | undefined) =>
    typeof value === 'number' ? formatNumber(value) : (value ?? '').replaceAll('|', '\\|');
  return [
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map((column) => cell(row[column])))),
  ].join('\n');
}

function formatNumber(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 3, useGrouping: Math.abs(value) >= 10_000 });
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
