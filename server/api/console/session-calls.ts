import { consoleBasePath } from '../../../contract/console/console-call.ts';
import { type SignedIn, sessionCurrent, sessionSignIn, sessionSignOut } from '../../../contract/console/session.ts';
import { beginAction, finishAction } from '../../domain/operators/action-queries.ts';
import { type OperatorSession, sessionSeconds } from '../../domain/operators/operator.ts';
import { csrfTokenOf, type Sessions, type SignInOutcome } from '../../domain/operators/sessions.ts';
import type { Database } from '../../platform/database.ts';
import type { GuessThrottle, Throttled } from '../../platform/guess-throttle.ts';
import type { Turns } from '../../platform/turns.ts';
import { type Answer, type AnyCaller, type Contract, type Endpoint, endpoint } from '../contract.ts';
import type { Incoming } from '../incoming.ts';
import { consoleDialect } from './console-contract.ts';
import type { DeviceCookie } from './device-cookie.ts';
import { refuseForeignOrigin, type SessionCookie } from './session-cookie.ts';

export interface SessionParts {
  database: Database;
  sessions: Sessions;
  cookie: SessionCookie;
  device: DeviceCookie;
  throttle: GuessThrottle;
  /** A password takes 20 ms and 19 MiB to check: so many at a time, and the others wait. */
  checkInTurn: Turns;
  version: string;
}

/** The calls by which a session begins and ends: the only ones that need none. */
export function makeSessionContract(cookie: SessionCookie): Contract<AnyCaller> {
  return {
    ...consoleDialect,
    prefix: `${consoleBasePath}/session`,
    needsAddress: true,
    isAnonymous: true,
    async authenticate(request) {
      refuseForeignOrigin(request, cookie);
      return { accountNo: null };
    },
  };
}

export function sessionEndpoints(parts: SessionParts): Endpoint<AnyCaller>[] {
  const { sessions, cookie } = parts;
  const path = (call: { path: string }) => call.path.slice('/session'.length);
  return [
    endpoint({
      path: path(sessionCurrent),
      body: sessionCurrent.body,
      async handle(_caller, _body, request) {
        const token = cookie.read(request);
        const session = token === null ? null : await sessions.find(token);
        if (token === null || session === null) return { body: { kind: 'signed_out' } };
        request.call.isAuthenticated = true;
        return { body: signedIn(session, token, parts) };
      },
    }),
    endpoint({
      path: path(sessionSignIn),
      body: sessionSignIn.body,
      handle: (_caller, given, request) => signIn(parts, given, request),
    }),
    endpoint({
      path: path(sessionSignOut),
      body: sessionSignOut.body,
      async handle(_caller, _body, request) {
        const token = cookie.read(request);
        const session = token === null ? null : await sessions.find(token);
        if (session !== null) {
          request.call.isAuthenticated = true;
          const actionId = await begin(parts, session.username, session.role, 'session/sign-out', request);
          await sessions.end(session.sessionId, session);
          await finish(parts, actionId, 'signed_out');
        }
        return { body: { kind: 'signed_out' }, cookies: [cookie.clear()] };
      },
    }),
  ];
}

const unknownOperator = '(unknown)';
/** Sign-ins do not wait behind operators who change their passwords. */
export const signInTurn = 0;
export const changePasswordTurn = 1;

async function signIn(parts: SessionParts, given: { username: string; password: string }, request: Incoming): Promise<Answer> {
  const { sessions, cookie, device, throttle, checkInTurn } = parts;
  const guess = { name: given.username, address: request.ip, device: device.read(request, given.username) };
  const verdict = (await throttle.judge(guess, performance.now())) ?? (await checkInTurn(signInTurn, evaluate));
  if (verdict?.kind === 'refused') {
    request.call.reason = verdict.reason;
    return { body: { kind: 'refused' } };
  }
  if (verdict?.kind !== 'signed_in') {
    request.call.reason = 'too many failed sign-ins';
    return { body: { kind: 'throttled', retry_after_s: verdict?.retryAfterSeconds ?? 1 } };
  }
  request.call.isAuthenticated = true;
  const cookies = [cookie.set(verdict.token, sessionSeconds), device.set(given.username)];
  return { body: signedIn(verdict.session, verdict.token, parts), cookies };

  async function evaluate(): Promise<SignInOutcome | Throttled> {
    const begun = throttle.begin(guess, performance.now());
    if (begun.kind === 'throttled') return begun;
    try {
      // What is no operator's name may be a password, typed into the wrong field.
      const username = (await sessions.isOperator(given.username)) ? given.username : unknownOperator;
      const actionId = await begin(parts, username, null, 'session/sign-in', request);
      const visitor = { address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
      const outcome = await sessions.signIn(given, visitor);
      if (outcome.kind === 'signed_in') begun.succeeded();
      await finish(parts, actionId, outcome.kind);
      return outcome;
    } catch (error) {
      begun.takeBack();
      throw error;
    }
  }
}

function begin({ database }: SessionParts, username: string, role: OperatorSession['role'] | null, action: string, request: Incoming) {
  const line = { username, role, action, subject: null, accountNo: null, details: {}, address: request.ip, traceId: request.id };
  return database.transaction((tx) => beginAction(tx, line));
}

function finish({ database }: SessionParts, actionId: number, outcome: string): Promise<void> {
  return database.transaction((tx) => finishAction(tx, actionId, outcome));
}

function signedIn(session: OperatorSession, token: string, { version }: SessionParts): SignedIn {
  const { username, role, sessionId: session_id, expiresAt: expires_at } = session;
  return { kind: 'signed_in', username, role, csrf_token: csrfTokenOf(token), session_id, expires_at, version };
}
