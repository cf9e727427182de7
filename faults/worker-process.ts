import { freePort, hasEnded, type Service, startProgram } from './child-process.ts';
import { until } from './patience.ts';

/** Long enough for a busy machine. */
const startsWithinMs = 120_000;

/** Starts a program of this folder that runs a single job of the service; resolves once it reports that it is running. */
export async function startWorker(
  program: string,
  {
    says,
    dataDir,
    settings,
    env = {},
  }: { says: string; dataDir: string; settings: object; env?: Record<string, string> },
): Promise<Service> {
  const options = { dataDir, port: await freePort(), env: { LOG_LEVEL: 'error', ...env } };
  const worker = startProgram([`faults/${program}`, JSON.stringify(settings)], options);
  const isAtWork = () => {
    throwIfEnded(worker);
    return worker.output.text.includes(says);
  };
  await until(isAtWork, { withinMs: startsWithinMs, what: `"${says}" in the output of ${program}` });
  return worker;
}

export function throwIfEnded(worker: Service): void {
  if (hasEnded(worker)) throw new Error(`a worker ended unexpectedly: ${worker.output.text}`);
}
