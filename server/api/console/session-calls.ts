import { consoleBasePath } from '../../../contract/console/console-call.ts';
import { type SignedIn, sessionCurrent, sessionSignIn, sessionSignOut } from '../../../contract/console/session.ts';
import { beginAction, finishAction } from '../../domain/operators/action-queries.ts';
import { type OperatorSession, sessionSeconds } from '../../domain/operators/operator.ts';
import { csrfTokenOf, type Sessions } from '../../domain/operators/sessions.ts';
import type { Database } from '../../platform/database.ts';
import type { GuessThrottle } from '../../platform/guess-throttle.ts';
import type { Turns } from '../../platform/turns.ts';
import { type Answer, type AnyCaller, type Contract, type Endpoint, endpoint } from '../contract.ts';
import type { Incoming } from '../incoming.ts';
import { consoleDialect } from './console-contract.ts';
import { refuseForeignOrigin, type SessionCookie } from './session-cookie.ts';

export interface SessionParts {
  database: Database;
  sessions: Sessions;
  cookie: SessionCookie;
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
        return { body: { kind: 'signed_out' }, headers: { 'set-cookie': cookie.clear() } };
      },
    }),
  ];
}

const unknownOperator = '(unknown)';

async function signIn(parts: SessionParts, given: { username: string; password: string }, request: Incoming): Promise<Answer> {
  const { sessions, cookie, throttle, checkInTurn } = parts;
  const verdict = throttle.judge(given.username, request.ip, performance.now());
  if (verdict.kind === 'throttled') {
    request.call.reason = 'too many failed sign-ins';
    return { body: { kind: 'throttled', retry_after_s: verdict.retryAfterSeconds } };
  }
  // What is no operator's name may be a password, typed into the wrong field.
  const username = (await sessions.isOperator(given.username)) ? given.username : unknownOperator;
  const actionId = await begin(parts, username, null, 'session/sign-in', request);
  const visitor = { address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
  const outcome = await checkInTurn(0, () => sessions.signIn(given, visitor));
  if (outcome === null) {
    await finish(parts, actionId, 'throttled');
    return { body: { kind: 'throttled', retry_after_s: 1 } };
  }
  await finish(parts, actionId, outcome.kind);
  if (outcome.kind === 'refused') {
    throttle.failed(given.username, request.ip, performance.now());
    request.call.reason = outcome.reason;
    return { body: { kind: 'refused' } };
  }
  throttle.succeeded(given.username, request.ip, performance.now());
  request.call.isAuthenticated = true;
  return { body: signedIn(outcome.session, outcome.token, parts), headers: { 'set-cookie': cookie.set(outcome.token, sessionSeconds) } };
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
