import { execFileSync } from 'node:child_process';

export function runTool(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
}

/** For removals: the thing may not exist. */
export function tryTool(program: string, ...args: string[]): void {
  try {
    runTool(program, ...args);
  } catch {
    // The caller wants it gone, and it is.
  }
}

/** The first line of the reason that a tool gave. */
export function formatToolFailure(error: unknown): string {
  const { code, stderr, message } = error as { code?: string; stderr?: string; message: string };
  return (stderr?.trim() || code || message).split('\n', 1)[0]!;
}
