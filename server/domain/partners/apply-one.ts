import { type Mistake, makeChecker } from '../../platform/json/schema.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { AddressGuard } from '../../platform/outgoing/address-guard.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { ApplyOutcome } from './apply-outcome.ts';
import { applyProvisioning } from './apply-provisioning.ts';
import { Provisioning } from './provisioning.ts';
import type { SubjectKind } from './subject.ts';

export type ApplyOneOutcome =
  | Extract<ApplyOutcome, { kind: 'applied' | 'refused' }>
  /** The item does not have the format of a provisioning file. */
  | { kind: 'malformed'; mistakes: Mistake[] };

const check = makeChecker(Provisioning);

/**
 * Creates or changes one partner through a provisioning file with one item, so the checks and the wording are the same.
 */
export async function applyOne(
  database: Database,
  keyring: Keyring,
  document: object,
  {
    actor,
    expect,
    keepsAnAdmin = false,
    ...more
  }: {
    actor: string;
    expect: { kind: SubjectKind; state: 'new' | 'existing' };
    keepsAnAdmin?: boolean;
    guard?: Pick<AddressGuard, 'whyPlainlyRefused'>;
  },
): Promise<ApplyOneOutcome> {
  const checked = check(document);
  if (checked.kind === 'mistakes') return { kind: 'malformed', mistakes: checked.mistakes };
  const outcome = await applyProvisioning(database, keyring, checked.value, { actor, expect, keepsAnAdmin, ...more });
  if (outcome.kind === 'not_empty') throw new Error('only the demo asks for an empty service');
  return outcome;
}
