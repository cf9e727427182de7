import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { FailureCounts } from '../../platform/limits/brute-force-limiter.ts';
import { verifyPassword } from '../../platform/password.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import { makeTickets } from '../../platform/sealed-ticket.ts';
import { enrolmentUri, fromBase32, generateTotpSecret, matchingStep, toBase32 } from '../../platform/totp.ts';
import { lockPartners, recordChange } from '../partners/partner-queries.ts';
import type { OperatorSession } from './operator.ts';
import { endOtherSessions, endSessionsOf } from './operator-queries.ts';
import { findOperator } from './session-queries.ts';
import {
  acceptStep,
  countRecoveryCodes,
  deleteTotp,
  findTotp,
  insertTotp,
  spendRecoveryCode,
  type TotpRow,
} from './totp-queries.ts';

/** The proof that an operator must give before changing their second factor. A stolen session has neither of the two. */
export interface Proof {
  password: string;
  /** Needed where one-time codes are in use already. */
  code: string | null;
}

export type ProofOutcome = { kind: 'proven' } | { kind: 'wrong_password' } | { kind: 'wrong_code' } | TooManyCodes;

/** No code is evaluated, not even a right one: a guesser would learn it. */
export interface TooManyCodes {
  kind: 'too_many_codes';
  retryAfterSeconds: number;
}
export type BeginOutcome = Exclude<ProofOutcome, { kind: 'proven' }> | { kind: 'begun'; enrolment: Enrolment };
export type ConfirmOutcome =
  | { kind: 'confirmed'; recoveryCodes: string[]; sessionsEnded: number }
  | { kind: 'wrong_code' }
  /** The enrolment took too long, or another one was finished first. */
  | { kind: 'expired' };
export type RemoveOutcome = Exclude<ProofOutcome, { kind: 'proven' }> | { kind: 'removed' } | { kind: 'not_enrolled' };

export interface Enrolment {
  /** For people who cannot scan the QR code. */
  secret: string;
  uri: string;
  ticket: string;
}

/** One-time codes of operators. */
export interface SecondFactor {
  stateOf(username: string): Promise<{ enrolledAt: string | null; recoveryCodesLeft: number }>;
  begin(session: OperatorSession, proof: Proof): Promise<BeginOutcome>;
  confirm(session: OperatorSession, given: { ticket: string; code: string; actor: string }): Promise<ConfirmOutcome>;
  remove(session: OperatorSession, proof: Proof, actor: string): Promise<RemoveOutcome>;
  /** A right code, or recovery code, is then spent. */
  accept(username: string, code: string): Promise<{ kind: 'right' } | { kind: 'wrong_code' } | TooManyCodes>;
}

/**
 * Wrong codes of one operator, from anywhere. A thief of the password has 20 guesses on the first day and 10 on each
 * further one, of a million codes of which three are right.
 */
export const wrongCodesMax = 10;
export const wrongCodeForgottenAfterMs = 86_400_000 / wrongCodesMax;

export const recoveryCodesIssued = 10;
/** 80 bits: nobody finds one by trying digests, so they need no key. */
const recoveryCodeBytes = 10;
const enrolmentSeconds = 15 * 60;

interface EnrolmentTicket {
  sessionId: string;
  secret: string;
  /** Since when the codes that this enrolment replaces are in use. */
  replaces: string | null;
}

interface SecondFactorParts {
  database: Database;
  keyring: Keyring;
  clock: Clock;
  /** The name that the authenticator app shows. */
  issuer: string;
  wrongCodes: FailureCounts;
}

export function makeSecondFactor(parts: SecondFactorParts): SecondFactor {
  const { database, keyring, clock, issuer } = parts;
  const tickets = makeTickets<EnrolmentTicket>(keyring, clock, { purpose: 'totp', seconds: enrolmentSeconds });

  const accept = makeAccept(parts);

  async function prove(username: string, { password, code }: Proof): Promise<ProofOutcome> {
    const operator = await database.read(noAccounts, (sql) => findOperator(sql, username));
    if (!operator?.password_hash || !(await verifyPassword(password, operator.password_hash)))
      return { kind: 'wrong_password' };
    const isEnrolled = (await database.read(noAccounts, (sql) => findTotp(sql, username))) !== null;
    if (!isEnrolled) return { kind: 'proven' };
    // A code that was not given is no guess.
    const verdict = code === null ? { kind: 'wrong_code' as const } : await accept(username, code);
    return verdict.kind === 'right' ? { kind: 'proven' } : verdict;
  }

  return {
    accept,
    stateOf: (username) =>
      database.read(noAccounts, async (sql) => ({
        enrolledAt: (await findTotp(sql, username))?.confirmed_at ?? null,
        recoveryCodesLeft: await countRecoveryCodes(sql, username),
      })),
    async begin({ username, sessionId }, proof) {
      const outcome = await prove(username, proof);
      if (outcome.kind !== 'proven') return outcome;
      const replaced = await database.read(noAccounts, (sql) => findTotp(sql, username));
      const bytes = generateTotpSecret();
      const secret = toBase32(bytes);
      const ticket = tickets.issue({ sessionId, secret, replaces: replaced?.confirmed_at ?? null });
      return { kind: 'begun', enrolment: { secret, uri: enrolmentUri(bytes, { issuer, username }), ticket } };
    },
    confirm: async (session, { ticket, ...given }) => {
      const begun = tickets.open(ticket);
      return begun?.sessionId === session.sessionId
        ? await confirmEnrolment(parts, session, begun, given)
        : { kind: 'expired' };
    },
    async remove({ username }, proof, actor) {
      const outcome = await prove(username, proof);
      if (outcome.kind !== 'proven') return outcome;
      return await database.transaction(noAccounts, async (tx) => {
        await lockPartners(tx);
        if (!(await deleteTotp(tx, username))) return { kind: 'not_enrolled' };
        await recordChange(tx, actor, { kind: 'operator', name: username }, 'changed', { totp: 'removed' });
        return { kind: 'removed' };
      });
    },
  };
}

function makeAccept({ database, keyring, clock, wrongCodes }: SecondFactorParts): SecondFactor['accept'] {
  async function isRight(username: string, code: string, row: TotpRow): Promise<boolean> {
    const step = matchingStep(openTotp(keyring, username, row), code, clock.now());
    return await database.transaction(noAccounts, (tx) =>
      step === null ? spendRecoveryCode(tx, username, digestOfCode(username, code)) : acceptStep(tx, username, step),
    );
  }

  /** Counts the code as wrong before it is evaluated, because parallel guesses could otherwise exceed the limit. */
  return async (username, code) => {
    const row = await database.read(noAccounts, (sql) => findTotp(sql, username));
    if (row === null) return { kind: 'wrong_code' };
    // Guesses at earlier codes say nothing about new ones.
    const enrolment = `${username} ${row.confirmed_at}`;
    const nowMs = performance.now();
    const waitMs = wrongCodes.waitMs(enrolment, nowMs);
    if (waitMs > 0) return { kind: 'too_many_codes', retryAfterSeconds: Math.ceil(waitMs / 1000) };
    wrongCodes.add(enrolment, nowMs);
    const takeBack = () => wrongCodes.takeBack(enrolment, nowMs);
    const isAccepted = await isRight(username, code, row).catch((error) => {
      takeBack();
      throw error;
    });
    if (!isAccepted) return { kind: 'wrong_code' };
    takeBack();
    return { kind: 'right' };
  };
}

async function confirmEnrolment(
  { database, keyring, clock }: SecondFactorParts,
  { username, sessionId }: OperatorSession,
  { secret, replaces }: EnrolmentTicket,
  { code, actor }: { code: string; actor: string },
): Promise<ConfirmOutcome> {
  const step = matchingStep(fromBase32(secret), code, clock.now());
  if (step === null) return { kind: 'wrong_code' };

  return await database.transaction(noAccounts, async (tx) => {
    await lockPartners(tx);
    const current = await findTotp(tx, username);
    if ((current?.confirmed_at ?? null) !== replaces) return { kind: 'expired' };

    const recoveryCodes = await replaceTotp(tx, keyring, username, { secret, step });
    await recordChange(tx, actor, { kind: 'operator', name: username }, 'changed', { totp: 'set' });
    return { kind: 'confirmed', recoveryCodes, sessionsEnded: await endOtherSessions(tx, username, sessionId) };
  });
}

export type ResetOutcome = { kind: 'reset'; sessionsEnded: number } | { kind: 'not_enrolled' };

/** Somebody else removes the one-time codes of an operator who has lost them. All sessions of that operator end. */
export async function resetSecondFactor(database: Database, username: string, actor: string): Promise<ResetOutcome> {
  return await database.transaction(noAccounts, async (tx) => {
    await lockPartners(tx);
    if (!(await deleteTotp(tx, username))) return { kind: 'not_enrolled' };
    await recordChange(tx, actor, { kind: 'operator', name: username }, 'changed', { totp: 'removed' });
    return { kind: 'reset', sessionsEnded: await endSessionsOf(tx, username, actor) };
  });
}

async function replaceTotp(
  tx: Tx,
  keyring: Keyring,
  username: string,
  { secret, step }: { secret: string; step: number },
): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodesIssued }, generateRecoveryCode);
  const { sealed, keyId } = keyring.seal(secret, contextOf(username));
  await deleteTotp(tx, username);
  await insertTotp(tx, username, { sealed, keyId, step, codes: codes.map((code) => digestOfCode(username, code)) });
  return codes;
}

function openTotp(keyring: Keyring, username: string, { sealed, master_key_id }: TotpRow): Buffer {
  return fromBase32(keyring.open(sealed, master_key_id, contextOf(username)));
}

/** The same form as for all other secrets in the table. */
function contextOf(username: string): string {
  return `totp_secret:${username}`;
}

function generateRecoveryCode(): string {
  return toBase32(randomBytes(recoveryCodeBytes)).match(/.{4}/g)!.join('-');
}

/** People type them in lower case, with spaces, or without hyphens. */
function digestOfCode(username: string, code: string): Buffer {
  const letters = code.toUpperCase().replace(/[^A-Z2-7]/g, '');
  return createHash('sha256').update(`recovery code\0${username}\0${letters}`).digest();
}
