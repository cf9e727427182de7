import { isDeepStrictEqual } from 'node:util';
import type { Database, Tx } from '../../platform/database.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Mistake } from '../../platform/schema.ts';
import { findPartner, hasAccounts, insertPartner, lockPartners, recordChange, updatePartner } from './partner-queries.ts';
import type { Provisioning } from './provisioning.ts';
import { digestsToLookFor, generateSecret, keepSecret, type SecretKind, secretEquals } from './secret.ts';
import { currentSecret, isLogisticsKeyTaken, replaceSecret } from './secret-queries.ts';
import { referenceColumns, type Subject, type SubjectKind, subjectsOf } from './subject.ts';

export interface PartnerChange {
  kind: SubjectKind;
  name: string;
  change: 'created' | 'changed';
  fields: string[];
}

/** A secret that we made; this is the only time it is seen. */
export interface IssuedSecret {
  kind: SecretKind;
  owner: string;
  value: string;
}

export type ApplyOutcome =
  | { kind: 'applied'; changes: PartnerChange[]; issued: IssuedSecret[] }
  | { kind: 'refused'; mistakes: Mistake[] }
  | { kind: 'not_empty' };

interface ApplyOptions {
  actor: string;
  /** The single-item commands: their subject must be new, or must be there; whatever else they name must be there. */
  expect?: { kind: SubjectKind; state: 'new' | 'existing' };
  /** For the demo: only where there is no account yet. */
  onlyIfEmpty?: boolean;
}

/** Makes it so, all of it or nothing; applied again it changes nothing. */
export async function applyProvisioning(
  database: Database,
  keyring: Keyring,
  provisioning: Provisioning,
  options: ApplyOptions,
): Promise<ApplyOutcome> {
  const { subjects, mistakes: mistakesOfFile } = subjectsOf(provisioning);
  try {
    return await database.transaction(async (tx) => {
      await lockPartners(tx);
      if (options.onlyIfEmpty && (await hasAccounts(tx))) return { kind: 'not_empty' };

      const mistakes = [...mistakesOfFile];
      const changes: PartnerChange[] = [];
      const issued: IssuedSecret[] = [];
      for (const subject of subjects) {
        const outcome = await applySubject(tx, keyring, subject, options);
        mistakes.push(...outcome.mistakes);
        issued.push(...outcome.issued);
        if (outcome.change) changes.push(outcome.change);
      }
      // Only by going through all of it are all mistakes found; what was written until then is taken back.
      if (mistakes.length > 0) throw new Refused(mistakes);
      return { kind: 'applied', changes, issued };
    });
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', mistakes: error.mistakes };
    throw error;
  }
}

class Refused extends Error {
  mistakes: Mistake[];
  constructor(mistakes: Mistake[]) {
    super('refused');
    this.mistakes = mistakes;
  }
}

interface SubjectOutcome {
  mistakes: Mistake[];
  issued: IssuedSecret[];
  change?: PartnerChange;
}

async function applySubject(tx: Tx, keyring: Keyring, subject: Subject, options: ApplyOptions): Promise<SubjectOutcome> {
  const account = subject.accountNo === undefined ? null : await findPartner(tx, 'account', { account_no: subject.accountNo });
  if (subject.accountNo !== undefined && !account) {
    return refuse({ path: [...subject.path, 'account_no'], message: `account ${subject.accountNo} does not exist` });
  }
  // Clients are known by their id alone, tenants and keys only within their account.
  const ownedKey = account && subject.kind !== 'client' ? { account_id: account.account_id as number, ...subject.key } : subject.key;
  const current = await findPartner(tx, subject.kind, ownedKey);

  const mistakes = [
    ...existenceMistakes(subject, current !== null, options.expect),
    ...(current ? fixedMistakes(subject, current, account) : neededMistakes(subject)),
    ...(await referenceMistakes(tx, subject)),
    ...(await keyMistakes(tx, keyring, subject)),
  ];
  if (mistakes.length > 0) return { mistakes, issued: [] };

  const changedFields = current ? differences(subject.given, current) : rowOfNew(subject, account);
  if (!current) {
    await insertPartner(tx, subject.kind, { ...ownedKey, ...(account ? { account_id: account.account_id } : {}), ...changedFields });
  } else if (Object.keys(changedFields).length > 0) {
    await updatePartner(tx, subject.kind, ownedKey, changedFields);
  }
  const { set, issued } = await applySecrets(tx, keyring, subject);
  const fields = [...Object.keys(changedFields), ...set];
  if (current && fields.length === 0) return { mistakes: [], issued: [] };

  const change = current ? 'changed' : 'created';
  await recordChange(tx, options.actor, subject, change, {
    ...changedFields,
    ...Object.fromEntries(set.map((field) => [field, 'set'])),
  });
  return { mistakes: [], issued, change: { kind: subject.kind, name: subject.name, change, fields } };
}

function refuse(...mistakes: Mistake[]): SubjectOutcome {
  return { mistakes, issued: [] };
}

function existenceMistakes(subject: Subject, exists: boolean, expect: ApplyOptions['expect']): Mistake[] {
  if (!expect) return [];
  const wanted = subject.kind === expect.kind ? expect.state : 'existing';
  if (wanted === 'new' && exists) return [{ path: [], message: `${subject.kind} ${subject.name} already exists` }];
  if (wanted === 'existing' && !exists) return [{ path: [], message: `${subject.kind} ${subject.name} does not exist` }];
  return [];
}

function neededMistakes({ kind, name, needed, given, accountNo, path }: Subject): Mistake[] {
  return needed
    .filter((field) => given[field] === undefined && !(field === 'account_no' && accountNo !== undefined))
    .map((field) => ({ path, message: `${field} is missing, and ${kind} ${name} is new` }));
}

function fixedMistakes(subject: Subject, current: Record<string, unknown>, account: Record<string, unknown> | null): Mistake[] {
  return Object.entries(subject.fixed).flatMap(([field, reason]) => {
    const moved =
      field === 'account_no'
        ? account !== null && account.account_id !== current.account_id
        : subject.given[field] !== undefined && subject.given[field] !== current[field];
    return moved
      ? [{ path: [...subject.path, field], message: `${field} of ${subject.kind} ${subject.name} cannot change: ${reason}` }]
      : [];
  });
}

async function referenceMistakes(tx: Tx, subject: Subject): Promise<Mistake[]> {
  const mistakes: Mistake[] = [];
  if (subject.kind === 'warehouse' || subject.kind === 'store') return mistakes;
  for (const [column, kind] of Object.entries(referenceColumns)) {
    const number = subject.given[column] as number | undefined;
    if (number === undefined || (await findPartner(tx, kind, { [column]: number }))) continue;
    mistakes.push({ path: [...subject.path, column], message: `${kind} ${number} does not exist` });
  }
  return mistakes;
}

async function keyMistakes(tx: Tx, keyring: Keyring, { secrets, path }: Subject): Promise<Mistake[]> {
  const key = secrets.find((secret) => secret.kind === 'logistics_key');
  if (key?.given === undefined) return [];
  const taken = await isLogisticsKeyTaken(tx, digestsToLookFor(keyring, 'logistics_key', key.given), key.owner);
  return taken ? [{ path: [...path, key.field], message: 'this key is already in use; every key must be different' }] : [];
}

function rowOfNew(subject: Subject, account: Record<string, unknown> | null): Record<string, unknown> {
  const environment = account?.environment;
  const receiving = subject.needed.includes('warehouse_no') ? { receiving: environment === 'uat' ? 'on_create' : 'on_confirm' } : {};
  return { ...subject.defaults, ...receiving, ...subject.given };
}

function differences(given: Record<string, unknown>, current: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([field, value]) => !isDeepStrictEqual(value, current[field])));
}

async function applySecrets(tx: Tx, keyring: Keyring, subject: Subject): Promise<{ set: string[]; issued: IssuedSecret[] }> {
  const set: string[] = [];
  const issued: IssuedSecret[] = [];
  for (const { kind, field, owner, given, generate } of subject.secrets) {
    const current = await currentSecret(tx, kind, owner);
    if (given === undefined && (current || !generate)) continue;
    if (given !== undefined && current && (await secretEquals(keyring, kind, owner, current, given))) continue;

    const value = given ?? generateSecret(kind);
    await replaceSecret(tx, kind, owner, await keepSecret(keyring, kind, owner, value), 0);
    if (given === undefined) issued.push({ kind, owner, value });
    set.push(field);
  }
  return { set, issued };
}
