import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { root } from './child-process.ts';

interface SideBySide<Row> {
  atOnce: number;
  arguments: string[];
  say(line: string): void;
  onRow(row: Row): void;
  /** The row of a fault that ended without a result. */
  rowWithout(name: string, why: string): Row;
}

/** Five times as long as the longest fault. */
const endsWithinMs = 60 * 60_000;
const removesWithinMs = 60_000;
const keptLinesMax = 20;

/**
 * Runs each fault in a separate process, several at a time, because a quick run mostly waits. Progress lines are
 * forwarded; the result is the JSON line that the process prints.
 */
export async function runSideBySide<Row>(names: string[], options: SideBySide<Row>): Promise<void> {
  const left = [...names];
  const running = new Set<ChildProcess>();
  let isBrokenOff = false;
  const breakOff = () => {
    isBrokenOff = true;
    for (const child of running) child.kill('SIGTERM');
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, breakOff);

  async function runNext(): Promise<void> {
    for (let name = left.shift(); name !== undefined && !isBrokenOff; name = left.shift()) {
      const child = spawn(process.execPath, [join(root, 'faults/run.ts'), name, '--json', ...options.arguments], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      running.add(child);
      const said: string[] = [];
      createInterface(child.stderr).on('line', (line) => {
        if (line.trim() === '') return;
        said.push(line.trim());
        said.splice(0, said.length - keptLinesMax);
        options.say(`${name}: ${line.trim()}`);
      });
      const forget = endInTime(child);
      const [printed, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
      forget();
      running.delete(child);
      if (isBrokenOff) return;
      options.onRow(
        rowIn<Row>(printed) ??
          options.rowWithout(name, `ended with ${code ?? signal} and no result:\n${said.join('\n')}`),
      );
    }
  }
  // After a failure, wait until the other processes have cleaned up.
  await Promise.all(Array.from({ length: options.atOnce }, runNext)).catch(async (error) => {
    breakOff();
    await Promise.all([...running].map((child) => once(child, 'exit')));
    throw error;
  });
  if (isBrokenOff) process.exit(1);
}

/** On SIGTERM the process cleans up; SIGKILL follows if that takes too long. */
function endInTime(child: ChildProcess): () => void {
  const ending = setTimeout(() => child.kill('SIGTERM'), endsWithinMs);
  const killing = setTimeout(() => child.kill('SIGKILL'), endsWithinMs + removesWithinMs);
  return () => {
    clearTimeout(ending);
    clearTimeout(killing);
  };
}

function rowIn<Row>(printed: string): Row | null {
  try {
    return JSON.parse(printed) as Row;
  } catch {
    return null;
  }
}
