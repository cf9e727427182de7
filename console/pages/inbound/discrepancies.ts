import type { InboundLine } from '../../../contract/console/inbound.ts';

export interface ComparedLine extends InboundLine {
  /** Received minus announced units: negative if units are missing, positive for surplus units. */
  difference: number;
  /** Units are missing, surplus or defective. */
  isDifferent: boolean;
}

export function compareLines(lines: InboundLine[]): ComparedLine[] {
  return lines.map((line) => {
    const difference = line.good + line.bad - line.announced;
    return { ...line, difference, isDifferent: difference !== 0 || line.bad > 0 };
  });
}

/** The sums of all lines, also of those without a difference. */
export function sumsOf(lines: ComparedLine[]): Pick<ComparedLine, 'announced' | 'good' | 'bad' | 'difference'> {
  const sum = (read: (line: ComparedLine) => number) => lines.reduce((total, line) => total + read(line), 0);
  return {
    announced: sum(({ announced }) => announced),
    good: sum(({ good }) => good),
    bad: sum(({ bad }) => bad),
    difference: sum(({ difference }) => difference),
  };
}
