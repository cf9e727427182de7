import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Message } from '../../../messages/message.ts';
import { reason } from '../../../messages/reason-texts.ts';
import { networkOf } from '../../platform/limits/brute-force-limiter.ts';
import { hashPassword, verifyPassword } from '../../platform/password.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import type { OperatorSession } from './operator.ts';
import {
  endSession,
  findOperator,
  findSession,
  insertSession,
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
  | { kind: 'refused'; reason: Message };

/** The operator sessions. The token is the value of the cookie; only its digest is stored. */
export interface Sessions {
  signIn(given: { username: string; password: string }, visitor: Visitor): Promise<SignInOutcome>;
  /** Whether there is an operator with this name. */
  isOperator(username: string): Promise<boolean>;
  /** The networks from which an operator has signed in recently, on any node. */
  networksOf(username: string): Promise<Set<string>>;
  /** `isAttended`: the operator is active, so the idle time starts again. */
  find(token: string, isAttended?: boolean): Promise<OperatorSession | null>;
  end(sessionId: string, endedBy: OperatorSession): Promise<'ended' | 'not_found'>;
  listOpen(viewer: OperatorSession): Promise<OpenSession[]>;
}

const tokenBytes = 32;
const userAgentLengthMax = 300;

export function makeSessions(database: Database): Sessions {
  /** For operators that do not exist, so that checking their passwords takes the same time. */
  let nobodysHash: Promise<string> | null = null;

  return {
    async signIn({ username, password }, { address, userAgent }) {
      const operator = await database.read(noAccounts, (sql) => findOperator(sql, username));
      nobodysHash ??= hashPassword(randomBytes(tokenBytes).toString('hex'));
      const isRight = await verifyPassword(password, operator?.password_hash ?? (await nobodysHash));
      if (!operator) return { kind: 'refused', reason: reason('operator_unknown') };
      if (!isRight) return { kind: 'refused', reason: reason('wrong_password', { username }) };
      if (!operator.enabled) return { kind: 'refused', reason: reason('operator_disabled', { username }) };

      const token = randomBytes(tokenBytes).toString('base64url');
      const session = { sessionId: randomUUID(), tokenDigest: digestOf(token), username, address };
      await database.transaction(noAccounts, (tx) =>
        insertSession(tx, { ...session, userAgent: userAgent.slice(0, userAgentLengthMax) }),
      );
      const made = await database.read(noAccounts, (sql) => findSession(sql, digestOf(token)));
      return made
        ? { kind: 'signed_in', token, session: made }
        : { kind: 'refused', reason: reason('operator_changed') };
    },
    isOperator: async (username) => (await database.read(noAccounts, (sql) => findOperator(sql, username))) !== null,
    networksOf: async (username) =>
      new Set((await database.read(noAccounts, (sql) => listSignInAddresses(sql, username))).map(networkOf)),
    async find(token, isAttended = false) {
      const found = await database.read(noAccounts, (sql) => findSession(sql, digestOf(token)));
      if (isAttended && found?.isSeenLongAgo)
        await database.transaction(noAccounts, (tx) => touchSession(tx, found.sessionId));
      return found;
    },
    async end(sessionId, { username, role }) {
      const ownOnly = role === 'admin' ? null : username;
      const isEnded = await database.transaction(noAccounts, (tx) => endSession(tx, sessionId, ownOnly, username));
      return isEnded ? 'ended' : 'not_found';
    },
    listOpen: ({ username, role }) =>
      database.read(noAccounts, (sql) => listOpenSessions(sql, role === 'admin' ? null : username)),
  };
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
