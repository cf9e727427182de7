import type { DeliveryRules } from '../server/domain/callbacks/retry-schedule.ts';
import type { Service } from './child-process.ts';
import { startWorker } from './worker-process.ts';

/** Starts a process that only delivers callbacks; resolves once it is running. */
export async function startDeliveryWorker(
  dataDir: string,
  settings: Partial<DeliveryRules> = {},
  env: Record<string, string> = {},
): Promise<Service> {
  return await startWorker('deliver-process.ts', { says: 'delivering', dataDir, settings, env });
}
