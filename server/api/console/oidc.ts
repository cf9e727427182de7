import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { consoleBasePath } from '../../../contract/console/console-call.ts';
import { type OidcProblem, oidcCallbackPath, oidcStartPath } from '../../../contract/console/sessions.ts';
import type { Message } from '../../../messages/message.ts';
import { reason } from '../../../messages/reason-texts.ts';
import { type IdentityRules, identityOf } from '../../domain/operators/identity.ts';
import { sessionSeconds } from '../../domain/operators/operator.ts';
import { signInIdentity } from '../../domain/operators/sign-in-identity.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { type BruteForceLimiter, networkOf } from '../../platform/limits/brute-force-limiter.ts';
import type { OidcAttempt, OidcClient } from '../../platform/outgoing/oidc-client.ts';
import { makeTickets } from '../../platform/sealed-ticket.ts';
import { cookieFormOf, readCookie } from './cookies.ts';
import { begin, finish, type SessionParts, unknownOperator, visitorOf } from './sessions.ts';

interface OidcParts extends SessionParts {
  /** Its names are networks, so it is not the limiter of sign-ins with passwords, whose names anybody can type. */
  identityLimiter: BruteForceLimiter;
  keyring: Keyring;
  clock: Clock;
  publicUrl: string;
  client: OidcClient;
  rules: IdentityRules;
}

/** The sign-in that a browser has begun, sealed in a cookie of this browser. */
type Begun = OidcAttempt & { returnPath: string };

const attemptSeconds = 10 * 60;
const returnPathLengthMax = 1000;

/** Sign-in with the identity provider: the browser goes there from `start` and comes back to `callback`. */
export function mountOidc(app: FastifyInstance, parts: OidcParts): void {
  const { keyring, clock, publicUrl, client } = parts;
  const tickets = makeTickets<Begun>(keyring, clock, { purpose: 'oidc', seconds: attemptSeconds });
  const cookie = makeAttemptCookie(publicUrl);
  const redirectUri = `${publicUrl}${consoleBasePath}${oidcCallbackPath}`;

  app.get(`${consoleBasePath}${oidcStartPath}`, async (request, reply) => {
    const begun = await client.begin(redirectUri);
    if (begun.kind !== 'begun') return goToSignIn(request, reply, 'unreachable', unreachable(begun.detail));
    const returnPath = returnPathOf(request.url);
    reply.header('set-cookie', cookie.set(tickets.issue({ ...begun.attempt, returnPath })));
    return reply.header('cache-control', 'no-store').redirect(begun.url, 303);
  });

  app.get(`${consoleBasePath}${oidcCallbackPath}`, async (request, reply) => {
    reply.header('set-cookie', cookie.clear());
    const ticket = cookie.read(request);
    const begun = ticket === null ? null : tickets.open(ticket);
    // Does not count: any page can make a browser call this address.
    if (begun === null) return goToSignIn(request, reply, 'expired', reason('sign_in_expired'));
    const guess = { name: networkOf(request.ip), address: request.ip };
    const counted = parts.identityLimiter.begin(guess, performance.now());
    if (counted.kind === 'throttled') return goToSignIn(request, reply, 'throttled', reason('too_many_sign_ins'));
    const returned = await comeBack(parts, request, { begun, redirectUri }).catch((error) => {
      counted.takeBack();
      throw error;
    });
    if (returned.kind !== 'signed_in') return goToSignIn(request, reply, returned.problem, returned.reason);

    counted.succeeded();
    request.record.isAuthenticated = true;
    reply.header('set-cookie', [cookie.clear(), parts.cookie.set(returned.token, sessionSeconds)]);
    return goTo(reply, returned.returnPath);
  });
}

type ComeBack =
  | { kind: 'signed_in'; token: string; returnPath: string }
  | { kind: 'failed'; problem: OidcProblem; reason: Message };

/** The browser is back: exchanges the code, finds or creates the operator, and opens a session like any other. */
async function comeBack(
  parts: OidcParts,
  request: FastifyRequest,
  { begun, redirectUri }: { begun: Begun; redirectUri: string },
): Promise<ComeBack> {
  const outcome = await identify(parts, new URL(`${redirectUri}${queryOf(request.url)}`), begun);
  const username = outcome.kind === 'failed' ? unknownOperator : outcome.username;
  const actionId = await begin(parts, username, null, 'session/sign-in-oidc', request);
  if (outcome.kind === 'failed') {
    await finish(parts, actionId, outcome.problem);
    return outcome;
  }
  const opened = await parts.sessions.open(username, visitorOf(request), 'oidc');
  await finish(parts, actionId, opened.kind);
  if (opened.kind === 'signed_in') return { kind: 'signed_in', token: opened.token, returnPath: begun.returnPath };
  return failed('refused', opened.kind === 'refused' ? opened.reason : reason('operator_changed'));
}

async function identify(
  { client, rules, database }: OidcParts,
  returned: URL,
  begun: Begun,
): Promise<{ kind: 'identified'; username: string } | Extract<ComeBack, { kind: 'failed' }>> {
  const finished = await client.finish(returned, begun);
  if (finished.kind !== 'finished') {
    const { kind, detail } = finished;
    return failed(kind, kind === 'unreachable' ? unreachable(detail) : reason('identity_refused', { detail }));
  }
  const outcome = await signInIdentity(database, identityOf(finished.claims, rules));
  return outcome.kind === 'known'
    ? { kind: 'identified', username: outcome.username }
    : failed(outcome.kind, outcome.reason);
}

function failed(problem: OidcProblem, why: Message): Extract<ComeBack, { kind: 'failed' }> {
  return { kind: 'failed', problem, reason: why };
}

function unreachable(detail: string): Message {
  return reason('identity_unreachable', { detail });
}

/** The sign-in page explains the problem in the language of the operator. */
function goToSignIn(request: FastifyRequest, reply: FastifyReply, problem: OidcProblem, why: Message): FastifyReply {
  request.record.reason = why;
  return goTo(reply, `/sign-in?problem=${problem}`);
}

/** A relative address works behind any path prefix of a proxy: from `/console/api/oidc/` to `/console/`. */
function goTo(reply: FastifyReply, path: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(`../..${path}`, 303);
}

/** A path of the console; anything else would let a link lead operators elsewhere. */
function returnPathOf(url: string): string {
  const given = new URLSearchParams(queryOf(url)).get('return') ?? '/';
  const isOwn = /^\/(?!\/)[!-~]*$/.test(given) && !given.includes('\\') && given.length <= returnPathLengthMax;
  return isOwn ? given : '/';
}

function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}

/**
 * Lax: the browser comes back from another site. It is read by `callback` only, and opens nothing without the code of
 * the provider.
 */
function makeAttemptCookie(publicUrl: string) {
  const { prefix, attributes } = cookieFormOf(publicUrl);
  const name = `${prefix}lading-oidc`;
  const lax = attributes.replace('SameSite=Strict', 'SameSite=Lax');
  return {
    read: (request: FastifyRequest) => readCookie(request, name),
    set: (ticket: string) => `${name}=${ticket}; ${lax}; Max-Age=${attemptSeconds}`,
    clear: () => `${name}=; ${lax}; Max-Age=0`,
  };
}
