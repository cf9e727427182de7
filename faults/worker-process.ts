import { freePort, hasEnded, type Service, startProgram } from './child-process.ts';
import { until } from './patience.ts';

/** Also a busy machine starts a program within this time. */
const startsWithinMs = 120_000;

/** A program of this folder that does one job of the service and nothing else; it is at it, and has said so, when this resolves. */
export async function startWorker(
  program: string,
  { says, dataDir, settings, env = {} }: { says: string; dataDir: string; settings: object; env?: Record<string, string> },
): Promise<Service> {
  const options = { dataDir, port: await freePort(), env: { LOG_LEVEL: 'error', ...env } };
  const worker = startProgram([`faults/${program}`, JSON.stringify(settings)], options);
  const isAtWork = () => {
    throwIfEnded(worker);
    return worker.output.text.includes(says);
  };
  await until(isAtWork, { withinMs: startsWithinMs, what: `${program} was to say "${says}"` });
  return worker;
}

/** For whoever waits for what it does. */
export function throwIfEnded(worker: Service): void {
  if (hasEnded(worker)) throw new Error(`a worker ended by itself: ${worker.output.text}`);
}
