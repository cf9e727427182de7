import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from './child-process.ts';

/** `lading audit`, as an operator would run it: `clean`, or what it says. */
export async function runAudit(dataDir: string): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/', DATA_DIR: dataDir };
  const child = spawn(join(root, 'bin/lading'), ['audit'], { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return code === 0 ? 'clean' : `ended with ${code}: ${output.trim()}`;
}
