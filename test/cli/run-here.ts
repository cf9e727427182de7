import { ladingProgram } from '../../cli/lading.ts';
import { runCommandLine } from '../../server/command-line.ts';
import type { CommandResult } from '../support/command.ts';

type Write = typeof process.stdout.write;

/** Runs `lading ...` in this process, one at a time: a child of its own costs a second, this a few milliseconds. */
export function makeRunHere(settings: Record<string, string>) {
  let previous: Promise<unknown> = Promise.resolve();

  function run(args: string[]): Promise<CommandResult> {
    const result = previous.then(() => runOne(settings, args));
    previous = result.catch(() => {});
    return result;
  }

  return {
    run,
    /** The answer of a command that must succeed. */
    async json(args: string[]): Promise<ReturnType<typeof JSON.parse>> {
      const { code, stdout, stderr } = await run([...args, '--json']);
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

/** Commands write text; what the test runner reports on the same stream are bytes, and pass. */
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
