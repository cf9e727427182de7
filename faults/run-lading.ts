import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { environmentWith, root } from './child-process.ts';

const endsWithinMs = 300_000;

export interface CommandResult {
  /** null if a signal ended it. */
  code: number | null;
  stdout: string;
  /** For a finding: how it ended and everything that it wrote. */
  description: string;
}

/** Runs a command of the version in `tree`. */
export async function runLading(
  words: string[],
  settings: Record<string, string>,
  tree = root,
): Promise<CommandResult> {
  const child = spawn(join(tree, 'bin/lading'), words, {
    cwd: tree,
    env: environmentWith(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: endsWithinMs,
  });
  const [stdout, complaint, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null, string | null]>,
  ]);
  return { code, stdout, description: `ended with ${code ?? signal}: ${stdout.trim()} ${complaint.trim()}`.trim() };
}
