import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { environmentWith, root } from './child-process.ts';

const endsWithinMs = 300_000;

/** Runs `lading audit`; returns `clean` or its output. */
export async function runAudit(dataDir: string, settings: Record<string, string> = {}, tree = root): Promise<string> {
  const env = environmentWith({ DATA_DIR: dataDir, ...settings });
  const child = spawn(join(tree, 'bin/lading'), ['audit'], {
    cwd: tree,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: endsWithinMs,
  });
  const [output, complaint, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return code === 0 ? 'clean' : `ended with ${code ?? signal}: ${output.trim()} ${complaint.trim()}`.trim();
}
