import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Message } from '../../../messages/message.ts';
import { reason } from '../../../messages/reason-texts.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { networkOf } from '../../platform/limits/brute-force-limiter.ts';
import { hashPassword, verifyPassword } from '../../platform/password.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { makeTickets } from '../../platform/sealed-ticket.ts';
import { weaknessOfPassword } from '../partners/password-rules.ts';
import { markWeak } from '../partners/secret-queries.ts';
import { needsTotp, type OperatorSession, type TotpRequirement } from './operator.ts';
import type { SecondFactor, TooManyCodes } from './second-factor.ts';
import {
  endSession,
  findOperator,
  findSession,
  insertSession,
  type KnownOperator,
  listOpenSessions,
  listSignInAddresses,
  type OpenSession,
  touchSession,
} from './session-queries.ts';

export interface Visitor {
  address: string;
  userAgent: string;
}

export type SignInOutcome =
  | { kind: 'signed_in'; token: string; session: OperatorSession }
  /** The password was right. The ticket and a one-time code open the session. */
  | { kind: 'code_needed'; ticket: string }
  | TooManyCodes
  | { kind: 'refused'; reason: Message };

/** The operator sessions. The token is the value of the cookie; only its digest is stored. */
export interface Sessions {
  signIn(given: { username: string; password: string }, visitor: Visitor): Promise<SignInOutcome>;
  /** The operator who may continue with a one-time code; null: the ticket is not ours or has expired. */
  readTicket(ticket: string): { username: string } | null;
  signInWithCode(given: { ticket: string; code: string }, visitor: Visitor): Promise<SignInOutcome>;
  /** For an operator whom the identity provider has identified. */
  open(username: string, visitor: Visitor, signedInWith: OperatorSession['signedInWith']): Promise<SignInOutcome>;
  /** Whether there is an operator with this name. */
  isOperator(username: string): Promise<boolean>;
  /** The networks from which an operator has signed in recently, on any node. */
  networksOf(username: string): Promise<Set<string>>;
  /** `isAttended`: the operator is active, so the idle time starts again. */
  find(token: string, isAttended?: boolean): Promise<OperatorSession | null>;
  end(sessionId: string, endedBy: OperatorSession): Promise<'ended' | 'not_found'>;
  listOpen(viewer: OperatorSession): Promise<OpenSession[]>;
}

export interface SessionRules {
  requireTotp: TotpRequirement;
  passwordSignIn: boolean;
}

interface SessionParts {
  keyring: Keyring;
  clock: Clock;
  secondFactor: SecondFactor;
  rules: SessionRules;
}

interface CodeTicket {
  username: string;
  /** A password that was changed in the meantime ends the sign-in. */
  passwordDigest: string;
}

const tokenBytes = 32;
const userAgentLengthMax = 300;
const codeTicketSeconds = 5 * 60;

export function makeSessions(database: Database, { keyring, clock, secondFactor, rules }: SessionParts): Sessions {
  /** For operators that do not exist, so that checking their passwords takes the same time. */
  let nobodysHash: Promise<string> | null = null;
  const tickets = makeTickets<CodeTicket>(keyring, clock, { purpose: 'sign-in', seconds: codeTicketSeconds });
  const look = (username: string) => database.read(noAccounts, (sql) => findOperator(sql, username));

  const find = (token: string) => findByToken(database, rules, token);
  const open: Sessions['open'] = (username, visitor, signedInWith) =>
    openSession(database, rules, { username, visitor, signedInWith });

  return {
    open,
    find: async (token, isAttended = false) => {
      const found = await find(token);
      if (isAttended && found?.isSeenLongAgo)
        await database.transaction(noAccounts, (tx) => touchSession(tx, found.sessionId));
      return found;
    },
    async signIn({ username, password }, visitor) {
      const operator = await look(username);
      nobodysHash ??= hashPassword(randomBytes(tokenBytes).toString('hex'));
      const isRight = await verifyPassword(password, operator?.password_hash ?? (await nobodysHash));
      const why = reasonToRefuse(operator, { username, isRight, passwordSignIn: rules.passwordSignIn });
      if (why !== null) return refuse(why);

      await noteWeakness(database, username, password);
      if (!operator?.has_totp) return await open(username, visitor, 'password');
      return { kind: 'code_needed', ticket: tickets.issue({ username, passwordDigest: passwordDigestOf(operator) }) };
    },
    readTicket: (ticket) => tickets.open(ticket),
    async signInWithCode({ ticket, code }, visitor) {
      const content = tickets.open(ticket);
      const operator = content === null ? null : await look(content.username);
      if (content === null || operator === null) return refuse(reason('sign_in_expired'));
      const { username, enabled, has_totp } = operator;
      if (passwordDigestOf(operator) !== content.passwordDigest || !has_totp) return refuse(reason('operator_changed'));
      if (!enabled) return refuse(reason('operator_disabled', { username }));
      const verdict = await secondFactor.accept(username, code);
      if (verdict.kind === 'too_many_codes') return verdict;
      if (verdict.kind === 'wrong_code') return refuse(reason('wrong_code', { username }));
      return await open(username, visitor, 'password');
    },
    isOperator: async (username) => (await look(username)) !== null,
    networksOf: async (username) =>
      new Set((await database.read(noAccounts, (sql) => listSignInAddresses(sql, username))).map(networkOf)),
    async end(sessionId, { username, role }) {
      const ownOnly = role === 'admin' ? null : username;
      const isEnded = await database.transaction(noAccounts, (tx) => endSession(tx, sessionId, ownOnly, username));
      return isEnded ? 'ended' : 'not_found';
    },
    listOpen: ({ username, role }) =>
      database.read(noAccounts, (sql) => listOpenSessions(sql, role === 'admin' ? null : username)),
  };
}

async function openSession(
  database: Database,
  rules: SessionRules,
  opened: { username: string; visitor: Visitor; signedInWith: OperatorSession['signedInWith'] },
): Promise<SignInOutcome> {
  const { username, visitor, signedInWith } = opened;
  const token = randomBytes(tokenBytes).toString('base64url');
  const session = { sessionId: randomUUID(), tokenDigest: digestOf(token), username, signedInWith };
  const userAgent = visitor.userAgent.slice(0, userAgentLengthMax);
  await database.transaction(noAccounts, (tx) =>
    insertSession(tx, { ...session, address: visitor.address, userAgent }),
  );
  const made = await findByToken(database, rules, token);
  return made ? { kind: 'signed_in', token, session: made } : refuse(reason('operator_changed'));
}

async function findByToken(database: Database, { requireTotp }: SessionRules, token: string) {
  const found = await database.read(noAccounts, (sql) => findSession(sql, digestOf(token)));
  if (found === null) return null;
  const { hasTotp, ...session } = found;
  const isNeeded = session.signedInWith === 'password' && needsTotp(session.role, requireTotp);
  return { ...session, mustEnrol: isNeeded && !hasTotp };
}

function refuse(why: Message): SignInOutcome {
  return { kind: 'refused', reason: why };
}

/** Only a sign-in shows a password, so passwords from before the present rules are found here. */
async function noteWeakness(database: Database, username: string, password: string): Promise<void> {
  if (weaknessOfPassword(password, username) === null) return;
  await database.transaction(noAccounts, (tx) => markWeak(tx, [{ kind: 'operator_password', owner: username }]));
}

function passwordDigestOf({ password_hash }: KnownOperator): string {
  return digestOf(password_hash ?? '').toString('base64url');
}

function reasonToRefuse(
  operator: KnownOperator | null,
  { username, isRight, passwordSignIn }: { username: string; isRight: boolean; passwordSignIn: boolean },
): Message | null {
  if (operator === null) return reason('operator_unknown');
  if (operator.password_hash === null) return reason('operator_without_password', { username });
  if (!isRight) return reason('wrong_password', { username });
  if (!operator.enabled) return reason('operator_disabled', { username });
  return passwordSignIn || operator.may_use_password ? null : reason('passwords_off', { username });
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * Derived from the session's token, so nothing else is stored. Only a client that received it from us, or that has the
 * token, knows it.
 */
export function csrfTokenOf(token: string): string {
  return createHmac('sha256', token).update('csrf').digest('base64url');
}

export function isCsrfTokenOf(token: string, given: string): boolean {
  const expected = Buffer.from(csrfTokenOf(token));
  const bytes = Buffer.from(given);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}
