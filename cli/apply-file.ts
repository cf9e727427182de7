import { userInfo } from 'node:os';
import { callbackGuardNow } from '../server/callback-guard.ts';
import type { Config } from '../server/config.ts';
import type { ApplyOutcome } from '../server/domain/partners/apply-outcome.ts';
import { applyProvisioning } from '../server/domain/partners/apply-provisioning.ts';
import { readProvisioning } from '../server/domain/partners/read-provisioning.ts';
import type { Store } from '../server/open-store.ts';
import { exitCodes, Failure } from './command-line.ts';

/** Shared by `serve --apply` and `apply`, so that both accept the same files and report the same errors. */
export async function applyProvisioningText(
  store: Pick<Store, 'database' | 'keyring'>,
  text: string,
  { path, actor, config }: { path: string; actor: string; config: Pick<Config, 'callbackAllowCidrs' | 'databaseUrl'> },
): Promise<Extract<ApplyOutcome, { kind: 'applied' }>> {
  const reading = readProvisioning(text);
  if (reading.kind === 'unreadable')
    throw new Failure(exitCodes.refused, `${path} contains errors; nothing was changed:`, reading.mistakes);
  const { provisioning, mistakes: mistakesOfForm, mistaken } = reading;
  const guard = await callbackGuardNow(store.database, config);
  const options = { actor: `${actor} (${userName()})`, mistakes: mistakesOfForm, mistaken, guard };
  const outcome = await applyProvisioning(store.database, store.keyring, provisioning, options);
  if (outcome.kind === 'applied') return outcome;
  const mistakes = outcome.kind === 'refused' ? reading.word(outcome.mistakes) : [];
  throw new Failure(exitCodes.refused, `${path} contains errors; nothing was changed:`, mistakes);
}

export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
