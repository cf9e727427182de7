const progressEveryMs = 1000;

/** Prints the progress of a long command to standard error, at a limited rate. */
export function makeProgress(): (line: string) => void {
  let printedAtMs = performance.now();
  return (line) => {
    if (performance.now() - printedAtMs < progressEveryMs) return;
    printedAtMs = performance.now();
    process.stderr.write(`${line}\n`);
  };
}
