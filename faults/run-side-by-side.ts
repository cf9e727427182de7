import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { root } from './child-process.ts';

/**
 * Each fault as a run of its own, some at a time, since much of a short run is waiting; in the order given. What each says on its way is handed on line
 * by line; its result is the JSON line that it prints.
 */
export async function runSideBySide<Row>(
  names: string[],
  options: { atOnce: number; arguments: string[]; say(line: string): void; onRow(row: Row): void },
): Promise<void> {
  const left = [...names];
  const running = new Set<ChildProcess>();
  let isBrokenOff = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      isBrokenOff = true;
      for (const child of running) child.kill('SIGTERM');
    });
  }

  async function runNext(): Promise<void> {
    for (let name = left.shift(); name !== undefined && !isBrokenOff; name = left.shift()) {
      const child = spawn(process.execPath, [join(root, 'faults/run.ts'), name, '--json', ...options.arguments], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      running.add(child);
      createInterface(child.stderr).on('line', (line) => line.trim() !== '' && options.say(`${name}: ${line.trim()}`));
      const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
      running.delete(child);
      if (isBrokenOff) return;
      options.onRow(rowIn(name, printed));
    }
  }
  await Promise.all(Array.from({ length: options.atOnce }, runNext));
  if (isBrokenOff) process.exit(1);
}

function rowIn<Row>(name: string, printed: string): Row {
  try {
    return JSON.parse(printed) as Row;
  } catch {
    throw new Error(`${name} ended without a result:\n${printed}`);
  }
}
