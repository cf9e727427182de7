import type { Keyring } from '../../platform/keyring.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import type { IssuedSecret, PartnerMistake, RotatedSecret } from './apply-outcome.ts';
import { isWeakMachineSecret, machineSecretLengthMin, passwordRule, weaknessOfPassword } from './password-rules.ts';
import {
  callbackSecretForm,
  digestsToLookFor,
  generateSecret,
  isUsableCallbackSecret,
  keepSecret,
  type SecretKind,
  secretEquals,
  signsWebhooks,
} from './secret.ts';
import { currentSecret, isLogisticsKeyTaken, lastSecretFromFile, markWeak, replaceSecret } from './secret-queries.ts';
import type { Subject } from './subject.ts';

export interface SecretsOutcome {
  set: string[];
  issued: IssuedSecret[];
  kept: RotatedSecret[];
  /** Secrets that were set under earlier rules. */
  weak: RotatedSecret[];
}

export async function secretMistakes(tx: Tx, keyring: Keyring, subject: Subject): Promise<PartnerMistake[]> {
  const mistakes: PartnerMistake[] = [];
  for (const { kind, field, owner, given } of subject.secrets) {
    const path = [...subject.path, ...field.split('.')];
    if (given === undefined) continue;
    if (kind === 'logistics_key' && (await isLogisticsKeyTaken(tx, digestsToLookFor(keyring, kind, given), owner))) {
      mistakes.push({ path, message: 'this key is already in use; every key must be different', reason: 'taken' });
    }
    const rule = brokenRule(kind, owner, given);
    if (rule !== null && !(await isStoredSecret(tx, keyring, { kind, owner }, given))) {
      mistakes.push({ path, message: `must ${rule}` });
    }
  }
  return mistakes;
}

/** The rule for new secrets that this one breaks; null if there is none. */
function brokenRule(kind: SecretKind, owner: string, given: string): string | null {
  if (kind === 'operator_password') return weaknessOfPassword(given, owner) === null ? null : passwordRule;
  if (signsWebhooks(kind, given)) return isUsableCallbackSecret(given) ? null : `be ${callbackSecretForm}`;
  return isWeakMachineSecret(given) ? `have at least ${machineSecretLengthMin} characters` : null;
}

/** Secrets that were stored under earlier rules keep working, and so does the file that contains them. */
async function isStoredSecret(
  tx: Tx,
  keyring: Keyring,
  { kind, owner }: { kind: SecretKind; owner: string },
  given: string,
): Promise<boolean> {
  const stored = [await currentSecret(tx, kind, owner), await lastSecretFromFile(tx, kind, owner)];
  for (const secret of stored) if (secret && (await secretEquals(keyring, kind, owner, secret, given))) return true;
  return false;
}

export async function applySecrets(
  tx: Tx,
  keyring: Keyring,
  subject: Subject,
  isNew: boolean,
): Promise<SecretsOutcome> {
  const outcome: SecretsOutcome = { set: [], issued: [], kept: [], weak: [] };
  for (const { kind, field, owner, given, generate } of subject.secrets) {
    const current = await currentSecret(tx, kind, owner);
    // An operator of an identity provider has no password, and a change of the role must not create one.
    const isGenerated = generate && (isNew || kind !== 'operator_password');
    if (given === undefined && (current || !isGenerated)) continue;
    if (given !== undefined && current && (await secretEquals(keyring, kind, owner, current, given))) {
      if (brokenRule(kind, owner, given) === null) continue;
      await markWeak(tx, [{ kind, owner }]);
      outcome.weak.push({ kind, owner });
      continue;
    }
    const fromFile = given === undefined ? null : await lastSecretFromFile(tx, kind, owner);
    if (given !== undefined && fromFile && (await secretEquals(keyring, kind, owner, fromFile, given))) {
      outcome.kept.push({ kind, owner });
      continue;
    }

    const value = given ?? generateSecret(kind);
    const kept = await keepSecret(keyring, kind, owner, value);
    await replaceSecret(tx, { kind, owner }, { ...kept, from_file: given !== undefined }, 0);
    if (given === undefined) outcome.issued.push({ kind, owner, value });
    outcome.set.push(field);
  }
  return outcome;
}
