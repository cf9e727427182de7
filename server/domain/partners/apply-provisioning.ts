import { isDeepStrictEqual } from 'node:util';
import { errorMessage } from '../../../messages/errors.ts';
import type { Mistake } from '../../platform/json/schema.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { type AddressGuard, makeAddressGuard } from '../../platform/outgoing/address-guard.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import type { ApplyOutcome, IssuedSecret, PartnerChange, PartnerMistake, RotatedSecret } from './apply-outcome.ts';
import { applySecrets, type SecretsOutcome, secretMistakes } from './apply-secrets.ts';
import {
  findPartner,
  hasAccounts,
  hasEnabledAdmin,
  insertPartner,
  lockPartners,
  recordChange,
  updatePartner,
} from './partner-queries.ts';
import type { Provisioning } from './provisioning.ts';
import { secretKinds } from './secret.ts';
import { referenceColumns, type Subject, type SubjectKind, subjectsOf } from './subject.ts';

interface ApplyOptions {
  actor: string;
  /**
   * For single-item commands: the subject must be new, or must exist; everything else they refer to must exist.
   * `all_new`: every subject must be new.
   */
  expect?: { kind: SubjectKind; state: 'new' | 'existing' } | 'all_new';
  /**
   * Mistakes of the file that are already known, by subject. The file will be rejected, but only after all mistakes are
   * found.
   */
  mistakes?: Mistake[];
  mistaken?: string[];
  /** Judges the addresses of callbacks; by default only public ones are allowed. */
  guard?: Pick<AddressGuard, 'whyPlainlyRefused'>;
  /** For the demo: applies only if there is no account yet. */
  onlyIfEmpty?: boolean;
  /**
   * For the console: rejects changes that leave no administrator. The command line is the way back in, so it may do
   * that.
   */
  keepsAnAdmin?: boolean;
  /** Writes more in the same transaction, if everything was applied. */
  alsoWrite?(tx: Tx, issued: IssuedSecret[]): Promise<void>;
}

/** Applies everything or nothing; applying the same file again changes nothing. */
export async function applyProvisioning(
  database: Database,
  keyring: Keyring,
  provisioning: Provisioning,
  options: ApplyOptions,
): Promise<ApplyOutcome> {
  const { subjects, mistakes: mistakesOfFile } = subjectsOf(provisioning);
  try {
    return await database.transaction(noAccounts, async (tx) => {
      await lockPartners(tx);
      if (options.onlyIfEmpty && (await hasAccounts(tx))) return { kind: 'not_empty' };

      const outcomes: SubjectOutcome[] = [];
      const mistaken = new Set(options.mistaken);
      for (const subject of subjects) {
        const outcome = await applySubject(tx, keyring, subject, options, mistaken);
        if (outcome.mistakes.length > 0) mistaken.add(`${subject.kind} ${subject.name}`);
        outcomes.push(outcome);
      }
      const mistakes = [
        ...(options.mistakes ?? []),
        ...mistakesOfFile,
        ...outcomes.flatMap((outcome) => outcome.mistakes),
      ];
      if (options.keepsAnAdmin && !(await hasEnabledAdmin(tx))) mistakes.push(lastAdminMistake);
      // All mistakes are found only by going through the whole file; the transaction is then rolled back.
      if (mistakes.length > 0) throw new Refused(mistakes);
      const issued = outcomes.flatMap(({ secrets }) => secrets.issued);
      await options.alsoWrite?.(tx, issued);
      return {
        kind: 'applied',
        changes: outcomes.flatMap(({ change }) => change ?? []),
        issued,
        kept: outcomes.flatMap(({ secrets }) => secrets.kept),
        warnings: outcomes.flatMap(({ warnings }) => warnings),
      };
    });
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', mistakes: error.mistakes };
    throw error;
  }
}

const lastAdminMistake: PartnerMistake = { path: [], message: 'no enabled admin would be left', reason: 'last_admin' };

class Refused extends Error {
  mistakes: PartnerMistake[];
  constructor(mistakes: PartnerMistake[]) {
    super('refused');
    this.mistakes = mistakes;
  }
}

interface SubjectOutcome {
  mistakes: PartnerMistake[];
  secrets: SecretsOutcome;
  /** Items that were accepted but have no effect yet. */
  warnings: string[];
  change?: PartnerChange;
}

async function applySubject(
  tx: Tx,
  keyring: Keyring,
  subject: Subject,
  options: ApplyOptions,
  mistaken: Set<string>,
): Promise<SubjectOutcome> {
  const account =
    subject.accountNo === undefined ? null : await findPartner(tx, 'account', { account_no: subject.accountNo });
  if (subject.accountNo !== undefined && !account)
    return refuse(...(await withoutAccountMistakes(tx, keyring, subject, options, mistaken)));
  // Clients are identified by their id alone, tenants and keys only within their account.
  const ownedKey =
    account && subject.kind !== 'client' ? { account_id: account.account_id as number, ...subject.key } : subject.key;
  const current = await findPartner(tx, subject.kind, ownedKey);

  const unexpected = existenceMistakes(subject, current !== null, options.expect);
  if (unexpected.length > 0) return refuse(...unexpected);
  const references = await unknownReferences(tx, subject, mistaken);
  const mistakes = [
    ...(current ? fixedMistakes(subject, current, account) : neededMistakes(subject)),
    ...references.mistakes,
    ...receiveAfterMistakes(subject, account),
    ...(await secretMistakes(tx, keyring, subject)),
    ...addressMistakes(subject, options.guard),
  ];
  if (mistakes.length > 0 || references.includeMistaken) return refuse(...mistakes);

  const changedFields = current ? differences(subject.given, current) : rowOfNew(subject, account);
  const accountId = (account ?? current)?.account_id as number | undefined;
  const own = accountId === undefined ? tx : tx.forAccounts([accountId]);
  if (!current) {
    await insertPartner(own, subject.kind, {
      ...ownedKey,
      ...(account ? { account_id: account.account_id } : {}),
      ...changedFields,
    });
  } else if (Object.keys(changedFields).length > 0) {
    await updatePartner(own, subject.kind, ownedKey, changedFields);
  }
  const secrets = await applySecrets(tx, keyring, subject, current === null);
  const fields = [...Object.keys(changedFields), ...secrets.set];
  const warnings = [...warningsOf(subject, { ...current, ...changedFields }), ...secrets.weak.map(weakWarning)];
  if (current && fields.length === 0) return { mistakes: [], secrets, warnings };

  const change = current ? 'changed' : 'created';
  await recordChange(tx, options.actor, subject, change, {
    ...changedFields,
    ...Object.fromEntries(secrets.set.map((field) => [field, 'set'])),
  });
  return { mistakes: [], secrets, warnings, change: { kind: subject.kind, name: subject.name, change, fields } };
}

/** The mistakes of an item whose account does not exist. */
async function withoutAccountMistakes(
  tx: Tx,
  keyring: Keyring,
  subject: Subject,
  { expect }: ApplyOptions,
  mistaken: Set<string>,
): Promise<PartnerMistake[]> {
  const ownMistakes = [
    ...(await takenClientMistakes(tx, subject, expect)),
    ...(await unknownReferences(tx, subject, mistaken)).mistakes,
    ...(await secretMistakes(tx, keyring, subject)),
  ];
  // If the file has a mistake in the account itself, that mistake is reported instead.
  if (mistaken.has(`account ${subject.accountNo}`)) return ownMistakes;
  const message = `account ${subject.accountNo} does not exist`;
  return [{ path: [...subject.path, 'account_no'], message, reason: 'unknown' }, ...ownMistakes];
}

function refuse(...mistakes: PartnerMistake[]): SubjectOutcome {
  return { mistakes, secrets: { set: [], issued: [], kept: [], weak: [] }, warnings: [] };
}

function existenceMistakes(subject: Subject, exists: boolean, expect: ApplyOptions['expect']): PartnerMistake[] {
  if (!expect) return [];
  const wanted = expect === 'all_new' ? 'new' : subject.kind === expect.kind ? expect.state : 'existing';
  if (wanted === 'new' && exists)
    return [
      {
        path: expect === 'all_new' ? namePathOf(subject) : [],
        message: `${subject.kind} ${subject.name} already exists`,
        reason: 'exists',
      },
    ];
  if (wanted === 'existing' && !exists)
    return [{ path: [], message: `${subject.kind} ${subject.name} does not exist`, reason: 'unknown' }];
  return [];
}

/** The field with the name of the subject, which is the last one of its key. */
function namePathOf({ path, key }: Subject): (string | number)[] {
  return [...path, ...Object.keys(key).slice(-1)];
}

/** The id of a client is unique among all accounts, so it may be taken even if its account cannot be created. */
async function takenClientMistakes(
  tx: Tx,
  subject: Subject,
  expect: ApplyOptions['expect'],
): Promise<PartnerMistake[]> {
  if (subject.kind !== 'client' || expect !== 'all_new') return [];
  return existenceMistakes(subject, (await findPartner(tx, 'client', subject.key)) !== null, expect);
}

function neededMistakes({ kind, name, needed, given, accountNo, path }: Subject): PartnerMistake[] {
  return needed
    .filter((field) => given[field] === undefined && !(field === 'account_no' && accountNo !== undefined))
    .map((field) => ({ path, message: `${field} is missing, and ${kind} ${name} is new`, reason: 'missing' }));
}

function fixedMistakes(
  subject: Subject,
  current: Record<string, unknown>,
  account: Record<string, unknown> | null,
): PartnerMistake[] {
  return Object.entries(subject.fixed).flatMap(([field, why]) => {
    const moved =
      field === 'account_no'
        ? account !== null && account.account_id !== current.account_id
        : subject.given[field] !== undefined && subject.given[field] !== current[field];
    const message = `${field} of ${subject.kind} ${subject.name} cannot change: ${why}`;
    return moved ? [{ path: [...subject.path, field], message, reason: 'fixed' as const }] : [];
  });
}

/**
 * The warehouses and stores that a subject refers to and that do not exist. One that the file itself defines wrongly is
 * not reported again.
 */
async function unknownReferences(
  tx: Tx,
  subject: Subject,
  mistaken: Set<string>,
): Promise<{ mistakes: PartnerMistake[]; includeMistaken: boolean }> {
  const mistakes: PartnerMistake[] = [];
  let includeMistaken = false;
  if (subject.kind === 'warehouse' || subject.kind === 'store') return { mistakes, includeMistaken };
  for (const { field, column, number } of referencesOf(subject)) {
    const kind = referenceColumns[column];
    if (await findPartner(tx, kind, { [column]: number })) continue;
    if (mistaken.has(`${kind} ${number}`)) includeMistaken = true;
    else
      mistakes.push({
        path: [...subject.path, field],
        message: `${kind} ${number} does not exist`,
        reason: 'unknown',
      });
  }
  return { mistakes, includeMistaken };
}

/** An operator may refer to several warehouses. */
function referencesOf({ given }: Subject): { field: string; column: keyof typeof referenceColumns; number: number }[] {
  const columns = Object.keys(referenceColumns) as (keyof typeof referenceColumns)[];
  const several = (given.warehouse_nos ?? []) as number[];
  return [
    ...columns.flatMap((column) =>
      given[column] === undefined ? [] : [{ field: column, column, number: given[column] as number }],
    ),
    ...several.map((number) => ({ field: 'warehouse_nos', column: 'warehouse_no' as const, number })),
  ];
}

const publicOnly = makeAddressGuard([]);

/** The same rule as for addresses that partners send with their documents. */
function addressMistakes({ given, path }: Subject, guard: ApplyOptions['guard'] = publicOnly): PartnerMistake[] {
  const url = given.callback_url;
  const rule = typeof url === 'string' ? guard.whyPlainlyRefused(url) : null;
  if (rule === null) return [];
  return [{ path: [...path, 'callback_url'], message: errorMessage(rule), reason: 'address' }];
}

function warningsOf({ kind, name }: Subject, { permissions }: Record<string, unknown>): string[] {
  const isUseless = kind === 'client' && (permissions as string[]).length === 0;
  return isUseless ? [`client ${name} has no permissions, so every call that it makes is refused`] : [];
}

function weakWarning({ kind, owner }: RotatedSecret): string {
  return `the ${secretKinds[kind].called} of ${owner} is weak by the present rules; it still works, but should be replaced`;
}

const receiveAfterSecondsOfNew = 30;

/** Production goods arrive when the warehouse says so. */
function receiveAfterMistakes(
  { kind, given, path }: Subject,
  account: Record<string, unknown> | null,
): PartnerMistake[] {
  if (kind !== 'logistics_key' || account?.environment !== 'production' || !given.receive_after_s) return [];
  const message = 'only keys of UAT accounts receive forms by themselves; in production it must be 0';
  return [{ path: [...path, 'receive_after_s'], message, reason: 'fixed' }];
}

function rowOfNew(subject: Subject, account: Record<string, unknown> | null): Record<string, unknown> {
  const environment = account?.environment;
  const isUat = environment === 'uat';
  const receiving = subject.needed.includes('warehouse_no') ? { receiving: isUat ? 'on_create' : 'on_confirm' } : {};
  const receiveAfter = subject.kind === 'logistics_key' && isUat ? { receive_after_s: receiveAfterSecondsOfNew } : {};
  return { ...subject.defaults, ...receiving, ...receiveAfter, ...subject.given };
}

function differences(given: Record<string, unknown>, current: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).filter(([field, value]) => !isDeepStrictEqual(value, current[field])),
  );
}
