export function median(values: number[]): number {
  return quantile(
    values.toSorted((one, other) => one - other),
    0.5,
  );
}

/** Of values in ascending order; NaN where there are none. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

export interface Output {
  /** While it runs; for people only. */
  progress(line: string): void;
  /** A row of a result; rows of the same title stand in one table. */
  row(title: string, figures: Record<string, number | string>): void;
  /** Prints the tables. */
  end(): void;
}

/** Tables for people, or with `--json` a JSON line per row. */
export function makeOutput(benchmark: string, asJson: boolean): Output {
  const tables = new Map<string, Record<string, number | string>[]>();
  return {
    progress: (line) => process.stderr.write(`${line}\n`),
    row(title, figures) {
      if (asJson) process.stdout.write(`${JSON.stringify({ benchmark, title, ...figures })}\n`);
      else tables.set(title, [...(tables.get(title) ?? []), figures]);
    },
    end() {
      for (const [title, rows] of tables) {
        process.stdout.write(`\n${title}\n`);
        console.table(rows);
      }
    },
  };
}
