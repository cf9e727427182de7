import { consoleBasePath } from '../../../contract/console/console-call.ts';
import {
  type SignedIn,
  type SignInOptions,
  sessionCurrent,
  sessionOptions,
  sessionSignIn,
  sessionSignInCode,
  sessionSignOut,
  sessionsEnd,
  sessionsList,
} from '../../../contract/console/sessions.ts';
import { reason } from '../../../messages/reason-texts.ts';
import { beginAction, finishAction } from '../../domain/operators/action-queries.ts';
import { type OperatorSession, sessionSeconds } from '../../domain/operators/operator.ts';
import type { TooManyCodes } from '../../domain/operators/second-factor.ts';
import { csrfTokenOf, type Sessions, type SignInOutcome, type Visitor } from '../../domain/operators/sessions.ts';
import { type AnyCaller, type Contract, type Endpoint, type EndpointResponse, endpoint } from '../../http/endpoint.ts';
import type { Incoming } from '../../http/incoming.ts';
import type { BruteForceLimiter, Throttled } from '../../platform/limits/brute-force-limiter.ts';
import type { PerKeyLimiter } from '../../platform/limits/per-key-limiter.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Reads } from '../../platform/postgres/reads.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleEndpoint, consoleEndpoint, consoleEnvelope, seenHeaders } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { type DeviceCookie, refuseForeignOrigin, type SessionCookie } from './cookies.ts';
import { signInTurn } from './guess-in-session.ts';

export interface SessionParts {
  database: Database;
  reads: Reads;
  sessions: Sessions;
  cookie: SessionCookie;
  device: DeviceCookie;
  bruteForceLimiter: BruteForceLimiter;
  /** Limits concurrent password checks: each takes 20 ms and 19 MiB. */
  checkInTurn: PerKeyLimiter;
  version: string;
  options: Omit<SignInOptions, 'kind'>;
}

/** The calls by which a session begins and ends: the only ones that need none. */
export function makeSessionContract(cookie: SessionCookie): Contract<AnyCaller> {
  return {
    ...consoleEnvelope,
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
        request.record.isAuthenticated = true;
        return { body: signedIn(session, token, parts) };
      },
    }),
    endpoint({
      path: path(sessionSignIn),
      body: sessionSignIn.body,
      handle: (_caller, given, request) => signIn(parts, given, request),
    }),
    endpoint({
      path: path(sessionSignInCode),
      body: sessionSignInCode.body,
      handle: (_caller, given, request) => signInWithCode(parts, given, request),
    }),
    endpoint({
      path: path(sessionOptions),
      body: sessionOptions.body,
      async handle(_caller, _body, request) {
        // Anybody may call it, so it is neither delayed nor written to the request log.
        request.record.isAuthenticated = true;
        request.record.contract = null;
        const options: SignInOptions = { kind: 'options', ...parts.options };
        return { body: options };
      },
    }),
    endpoint({
      path: path(sessionSignOut),
      body: sessionSignOut.body,
      async handle(_caller, _body, request) {
        const token = cookie.read(request);
        const session = token === null ? null : await sessions.find(token);
        const response = { body: { kind: 'signed_out' }, cookies: [cookie.clear()] };
        if (session === null) return response;
        request.record.isAuthenticated = true;
        const actionId = await begin(parts, session.username, session.role, 'session/sign-out', request);
        await sessions.end(session.sessionId, session);
        await finish(parts, actionId, 'signed_out');
        return { ...response, headers: await seenHeaders(parts.reads, parts.reads.seenBy([])) };
      },
    }),
  ];
}

export const unknownOperator = '(unknown)';

async function signIn(
  parts: SessionParts,
  given: { username: string; password: string },
  request: Incoming,
): Promise<EndpointResponse> {
  const { sessions } = parts;
  const verdict = await tryToSignIn(parts, request, given.username, 'session/sign-in', () =>
    sessions.signIn(given, visitorOf(request)),
  );
  if (verdict.kind === 'code_needed') {
    request.record.isAuthenticated = true;
    return { body: verdict };
  }
  return await toSignedIn(parts, request, given.username, verdict);
}

async function signInWithCode(
  parts: SessionParts,
  given: { ticket: string; code: string },
  request: Incoming,
): Promise<EndpointResponse> {
  const { sessions } = parts;
  const ticket = sessions.readTicket(given.ticket);
  if (ticket === null) {
    request.record.reason = reason('sign_in_expired');
    return { body: { kind: 'expired' } };
  }
  const { username } = ticket;
  const verdict = await tryToSignIn(parts, request, username, 'session/sign-in-code', () =>
    sessions.signInWithCode(given, visitorOf(request)),
  );
  return await toSignedIn(parts, request, username, verdict);
}

export function visitorOf(request: Incoming): Visitor {
  return { address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
}

/** The response to an attempt that has ended, with or without a session. */
async function toSignedIn(
  parts: SessionParts,
  request: Incoming,
  username: string,
  verdict: SignInOutcome | Throttled,
): Promise<EndpointResponse> {
  if (verdict.kind === 'refused') {
    request.record.reason = verdict.reason;
    return { body: { kind: 'refused' } };
  }
  if (verdict.kind === 'too_many_codes') {
    request.record.reason = reason('too_many_codes', { username });
    return { body: toTooManyCodes(verdict) };
  }
  if (verdict.kind !== 'signed_in') {
    request.record.reason = reason('too_many_sign_ins');
    return { body: { kind: 'throttled', retry_after_s: verdict.kind === 'throttled' ? verdict.retryAfterSeconds : 1 } };
  }
  request.record.isAuthenticated = true;
  const cookies = [parts.cookie.set(verdict.token, sessionSeconds), parts.device.set(username)];
  const headers = await seenHeaders(parts.reads, parts.reads.seenBy([]));
  return { body: signedIn(verdict.session, verdict.token, parts), headers, cookies };
}

export function toTooManyCodes({ kind, retryAfterSeconds }: TooManyCodes) {
  return { kind, retry_after_s: retryAfterSeconds };
}

/** Limits and audits an attempt to sign in under this name. */
async function tryToSignIn(
  parts: SessionParts,
  request: Incoming,
  name: string,
  action: string,
  attempt: () => Promise<SignInOutcome>,
): Promise<SignInOutcome | Throttled> {
  const { sessions, device, bruteForceLimiter, checkInTurn } = parts;
  const guess = { name, address: request.ip, device: device.read(request, name) };
  return (
    (await bruteForceLimiter.judge(guess, performance.now())) ??
    (await checkInTurn(signInTurn, evaluate)) ?? { kind: 'throttled', retryAfterSeconds: 1 }
  );

  async function evaluate(): Promise<SignInOutcome | Throttled> {
    const begun = bruteForceLimiter.begin(guess, performance.now());
    if (begun.kind === 'throttled') return begun;
    try {
      // An unknown name is not recorded: it may be a password typed into the wrong field.
      const username = (await sessions.isOperator(name)) ? name : unknownOperator;
      const actionId = await begin(parts, username, null, action, request);
      const outcome = await attempt();
      if (outcome.kind === 'signed_in') begun.succeeded();
      // The right password alone neither counts as a wrong guess nor clears the wrong codes before it.
      if (outcome.kind === 'code_needed') begun.takeBack();
      await finish(parts, actionId, outcome.kind);
      return outcome;
    } catch (error) {
      begun.takeBack();
      throw error;
    }
  }
}

export function begin(
  { database }: Pick<SessionParts, 'database'>,
  username: string,
  role: OperatorSession['role'] | null,
  action: string,
  request: Incoming,
) {
  const line = {
    username,
    role,
    action,
    subject: null,
    accountNo: null,
    details: {},
    address: request.ip,
    traceId: request.id,
  };
  return database.transaction(noAccounts, (tx) => beginAction(tx, line));
}

export function finish({ database }: Pick<SessionParts, 'database'>, actionId: number, outcome: string): Promise<void> {
  return database.transaction(noAccounts, (tx) => finishAction(tx, actionId, outcome));
}

function signedIn(session: OperatorSession, token: string, { version }: SessionParts): SignedIn {
  const { username, role, sessionId: session_id, expiresAt: expires_at } = session;
  return {
    kind: 'signed_in',
    username,
    role,
    warehouse_nos: session.warehouseNos,
    csrf_token: csrfTokenOf(token),
    session_id,
    expires_at,
    version,
    must_enrol: session.mustEnrol,
    has_weak_password: session.hasWeakPassword && session.signedInWith === 'password',
    signed_in_with: session.signedInWith,
  };
}

/** The sessions page: who is signed in, and where. */
export function openSessionEndpoints({ sessions }: ConsoleParts): ConsoleEndpoint[] {
  return [sessionsListCall(sessions), sessionsEndCall(sessions)];
}

function sessionsListCall(sessions: Sessions): ConsoleEndpoint {
  return consoleEndpoint(sessionsList, {
    role: 'read-only',
    warehouses: 'any',
    audit: null,
    async handle({ session }) {
      const open = await sessions.listOpen(session);
      return { sessions: open.map((one) => ({ ...one, is_current: one.session_id === session.sessionId })) };
    },
  });
}

/** Operators may end their own sessions, admins any session. */
function sessionsEndCall(sessions: Sessions): ConsoleEndpoint {
  return consoleEndpoint(sessionsEnd, {
    role: 'read-only',
    warehouses: 'any',
    audit: ({ session_id }) => ({ subject: session_id }),
    async handle({ session }, { session_id }) {
      return { kind: await sessions.end(session_id, session) };
    },
  });
}
