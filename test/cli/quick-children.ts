import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type CommandResult, runLading } from '../support/command.ts';

export interface Children {
  run(args: string[], env?: Record<string, string>, input?: string): Promise<CommandResult>;
  /** The answer of a command that must succeed. */
  json(args: string[]): Promise<ReturnType<typeof JSON.parse>>;
  folder: string;
}

const childrenMax = 4;

/** Runs commands with these settings, four at a time. */
export function quickChildren(settings: Record<string, string>): Children {
  const folder = mkdtempSync(join(tmpdir(), 'cli-test-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const waiting: (() => void)[] = [];
  let running = 0;

  async function run(args: string[], env: Record<string, string> = settings, input = ''): Promise<CommandResult> {
    if (running === childrenMax) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await runLading(args, env, input);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  }

  return {
    folder,
    run,
    async json(args) {
      const { code, stdout, stderr } = await run([...args, '--json']);
      if (code !== 0) throw new Error(`lading ${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
  };
}
