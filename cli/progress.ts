const progressEveryMs = 1000;

/** How far a long command is, on standard error, and not for every line that it has to say. */
export function makeProgress(): (line: string) => void {
  let toldMs = performance.now();
  return (line) => {
    if (performance.now() - toldMs < progressEveryMs) return;
    toldMs = performance.now();
    process.stderr.write(`${line}\n`);
  };
}
