import { runCommandLine } from '../../cli/command-line.ts';
import { ladingProgram } from '../../cli/lading.ts';
import type { CommandResult } from '../support/command.ts';

type Write = typeof process.stdout.write;

/** The words of a command: `'stock list --sku TEA'`, then words that contain spaces. */
export function wordsOf(command: string | string[], more: string[] = []): string[] {
  return [...(typeof command === 'string' ? command.split(' ') : command), ...more];
}

/** Runs `lading ...` in this process, one at a time: a child process takes a second, this a few milliseconds. */
export function makeRunHere(settings: Record<string, string>) {
  let previous: Promise<unknown> = Promise.resolve();

  function run(command: string | string[], ...more: string[]): Promise<CommandResult> {
    const result = previous.then(() => runOne(settings, wordsOf(command, more)));
    previous = result.catch(() => {});
    return result;
  }

  return {
    run,
    /** The parsed output of a command that must succeed. */
    async json(command: string | string[], ...more: string[]): Promise<ReturnType<typeof JSON.parse>> {
      const args = [...wordsOf(command, more), '--json'];
      const { code, stdout, stderr } = await run(args);
      if (code !== 0) throw new Error(`lading ${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
  };
}

async function runOne(settings: Record<string, string>, args: string[]): Promise<CommandResult> {
  const output = { stdout: '', stderr: '' };
  const restore = [capture('stdout', output), capture('stderr', output)];
  const ownEnvironment = process.env;
  process.env = { ...settings };
  try {
    await runCommandLine(await ladingProgram(args), args);
    return { code: Number(process.exitCode ?? 0), ...output };
  } finally {
    process.exitCode = undefined;
    process.env = ownEnvironment;
    for (const giveBack of restore) giveBack();
  }
}

/** Captures text, which commands write; the bytes that the test runner writes to the same stream pass. */
function capture(name: 'stdout' | 'stderr', output: Record<'stdout' | 'stderr', string>): () => void {
  const stream = process[name];
  const own = stream.write;
  stream.write = ((chunk: unknown, ...rest: never[]) => {
    if (typeof chunk !== 'string') return own.call(stream, chunk as Uint8Array, ...rest);
    output[name] += chunk;
    return true;
  }) as Write;
  return () => {
    stream.write = own;
  };
}
