import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryRules } from '../server/domain/callbacks/retry-schedule.ts';
import { freePort, hasEnded, type Service, startProgram } from './child-process.ts';

/** A process that delivers callbacks and does nothing else; it does so when this resolves. */
export async function startDeliveryWorker(
  dataDir: string,
  settings: Partial<DeliveryRules> = {},
  env: Record<string, string> = {},
): Promise<Service> {
  const options = { dataDir, port: await freePort(), env: { LOG_LEVEL: 'error', ...env } };
  const worker = startProgram(['faults/deliver-process.ts', JSON.stringify(settings)], options);
  while (!worker.output.text.includes('delivering')) {
    if (hasEnded(worker)) throw new Error(`the worker ended: ${worker.output.text}`);
    await sleep(20);
  }
  return worker;
}
