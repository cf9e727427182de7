import type { Database } from '../../platform/database.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { type Mistake, makeChecker } from '../../platform/schema.ts';
import { type ApplyOutcome, applyProvisioning } from './apply-provisioning.ts';
import { Provisioning } from './provisioning.ts';
import type { SubjectKind } from './subject.ts';

export type ApplyOneOutcome =
  | Extract<ApplyOutcome, { kind: 'applied' | 'refused' }>
  /** It is not of the form that a provisioning file has. */
  | { kind: 'malformed'; mistakes: Mistake[] };

const check = makeChecker(Provisioning);

/** One partner is created or changed by a provisioning file of one item: the same checks, the same words. */
export async function applyOne(
  database: Database,
  keyring: Keyring,
  document: object,
  {
    actor,
    expect,
    keepsAnAdmin = false,
  }: { actor: string; expect: { kind: SubjectKind; state: 'new' | 'existing' }; keepsAnAdmin?: boolean },
): Promise<ApplyOneOutcome> {
  const checked = check(document);
  if (checked.kind === 'mistakes') return { kind: 'malformed', mistakes: checked.mistakes };
  const outcome = await applyProvisioning(database, keyring, checked.value, { actor, expect, keepsAnAdmin });
  if (outcome.kind === 'not_empty') throw new Error('only the demo asks for an empty service');
  return outcome;
}
