export function median(values: number[]): number {
  return quantile(
    values.toSorted((one, other) => one - other),
    0.5,
  );
}

/** The percentile of values in ascending order; NaN if there are none. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

export type Goal = { atLeast: number } | { atMost: number };

/** The last columns of a row: the ratio, its goal, and whether the goal was reached. */
export function judged(ratio: number, goal: Goal | null): { ratio: number; goal: string; reached: string } {
  if (goal === null) return { ratio: rounded(ratio, 2), goal: '', reached: '' };
  const [words, isReached] =
    'atLeast' in goal
      ? [`at least ${goal.atLeast}`, ratio >= goal.atLeast]
      : [`at most ${goal.atMost}`, ratio <= goal.atMost];
  return { ratio: rounded(ratio, 2), goal: words, reached: isReached ? 'yes' : 'no' };
}

export type Figures = Record<string, number | string>;

/** A row of a result; rows with the same title form one table. */
export interface Row {
  benchmark: string;
  title: string;
  figures: Figures;
}

export interface Output {
  /** Progress output, for people only. */
  progress(line: string): void;
  row(title: string, figures: Figures): void;
  /** A row that does not appear in a table. */
  sample(title: string, figures: Figures): void;
  rows: Row[];
  /** Prints the tables. */
  end(): void;
}

/** Prints tables, or one JSON line per row with `--json`. A quick run is too short to judge goals. */
export function makeOutput(benchmark: string, { json: asJson, quick }: { json: boolean; quick: boolean }): Output {
  const rows: Row[] = [];
  const shownFigures = (figures: Figures) =>
    quick && figures.reached ? { ...figures, reached: 'too short to tell' } : figures;
  const writeJson = (title: string, figures: Figures) =>
    process.stdout.write(`${JSON.stringify({ benchmark, title, ...figures })}\n`);
  return {
    rows,
    progress: (line) => process.stderr.write(`${line}\n`),
    row(title, measured) {
      const figures = shownFigures(measured);
      rows.push({ benchmark, title, figures });
      if (asJson) writeJson(title, figures);
    },
    sample(title, figures) {
      if (asJson) writeJson(title, figures);
    },
    end() {
      if (asJson) return;
      for (const [title, those] of Map.groupBy(rows, (row) => row.title)) {
        process.stdout.write(`\n${benchmark}: ${title}\n`);
        console.table(those.map((row) => row.figures));
      }
    },
  };
}
