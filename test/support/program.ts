import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { after } from 'node:test';

/** A running program and everything that it has printed. */
export interface Program {
  printed(): string;
  stop(): Promise<void>;
}

/** Starts a program that runs until it is stopped, at the latest at the end of the test file. */
export function startProgram(
  [program, ...words]: [string, ...string[]],
  options: { cwd: string; env: Record<string, string> },
): Program {
  const child = spawn(program, words, { cwd: options.cwd, env: { ...process.env, ...options.env } });
  const ended = once(child, 'close');
  after(() => child.kill());
  return {
    printed: collect(child),
    async stop() {
      child.kill();
      await ended;
    },
  };
}

function collect({ stdout, stderr }: ChildProcess): () => string {
  let text = '';
  const keep = (part: string) => {
    text += part;
  };
  for (const stream of [stdout!, stderr!]) stream.setEncoding('utf8').on('data', keep);
  return () => text;
}
