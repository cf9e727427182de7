import type { FastifyInstance } from 'fastify';
import { consoleBasePath } from '../../../contract/console/console-call.ts';
import type { IdentityRules } from '../../domain/operators/identity.ts';
import { makeSecondFactor, wrongCodeForgottenAfterMs, wrongCodesMax } from '../../domain/operators/second-factor.ts';
import { makeSessions, type SessionRules } from '../../domain/operators/sessions.ts';
import { makeCursors } from '../../http/cursor.ts';
import { mountContract } from '../../http/mount-contract.ts';
import { ProblemError } from '../../http/problem.ts';
import { rejectErrors } from '../../http/reject.ts';
import type { ServerContext } from '../../http/server-context.ts';
import { makeBruteForceLimiter, makeFailureCounts } from '../../platform/limits/brute-force-limiter.ts';
import { makePerKeyLimiter, shareOf } from '../../platform/limits/per-key-limiter.ts';
import { makeRateLimit } from '../../platform/limits/rate-limit.ts';
import { makeOidcClient, type OidcSettings } from '../../platform/outgoing/oidc-client.ts';
import { alertEndpoints } from './alerts.ts';
import { auditLogSearchCall } from './audit-log.ts';
import { callbackEndpoints } from './callbacks.ts';
import { type ConsoleEndpoint, consoleEnvelope, guarded, makeConsoleContract } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { cookieFormOf, makeDeviceCookie, makeSessionCookie } from './cookies.ts';
import { countEndpoints } from './counts.ts';
import { exportFileEndpoint } from './exports.ts';
import { handoverEndpoints } from './handover.ts';
import { homeEndpoints } from './home.ts';
import { importEndpoints } from './imports.ts';
import { importTemplateEndpoint } from './imports-template.ts';
import { inboundEndpoints } from './inbound.ts';
import { mountLive } from './live.ts';
import { mountOidc } from './oidc.ts';
import { onboardingEndpoints } from './onboarding.ts';
import { operatorEndpoints } from './operators.ts';
import { orderEndpoints } from './orders.ts';
import { packingEndpoints } from './packing.ts';
import { partnerEndpoints } from './partners.ts';
import { systemPersonalDataCall } from './personal-data.ts';
import { pickingEndpoints } from './picking.ts';
import { printEndpoints } from './print.ts';
import { productEndpoints } from './products.ts';
import { requestEndpoints } from './requests.ts';
import { searchFindCall } from './search.ts';
import { secondFactorEndpoints } from './second-factor.ts';
import { makeSessionContract, openSessionEndpoints, sessionEndpoints } from './sessions.ts';
import { shippingEndpoints } from './shipping.ts';
import { stockEndpoints } from './stock.ts';
import { systemEndpoints } from './system.ts';
import { trendEndpoints } from './trends.ts';
import { viewEndpoints } from './views.ts';

type GivenParts = Omit<
  ConsoleParts,
  'sessions' | 'secondFactor' | 'cursors' | 'bruteForceLimiter' | 'checkInTurn' | 'signIn' | 'alertTestLimit'
> & {
  publicUrl: string;
  signIn: SessionRules & { oidc: (OidcSettings & IdentityRules & { name: string }) | null };
};

/** A test connects to servers that somebody has named. */
const alertTestsPerMinute = 10;
const passwordChecks = { atOnce: 2, waitingMax: 50, waitMaxMs: 3000 };

/** The console's API: sign-in, the endpoints for operators, and live change events. */
export async function mountConsole(app: FastifyInstance, context: ServerContext, given: GivenParts): Promise<void> {
  const { database, reads, keyring, clock, publicUrl, version, signIn } = given;
  const issuer = `Lading (${new URL(publicUrl).host})`;
  const wrongCodes = makeFailureCounts(wrongCodesMax, wrongCodeForgottenAfterMs, 'wrong codes', context.counts);
  const secondFactor = makeSecondFactor({ database, keyring, clock, issuer, wrongCodes });
  const sessions = makeSessions(database, { keyring, clock, secondFactor, rules: signIn });
  const cookie = makeSessionCookie(publicUrl);
  const bruteForceLimiter = makeBruteForceLimiter(sessions.networksOf, 'sign-ins', context.counts);
  const checkInTurn = makePerKeyLimiter(shareOf(passwordChecks, context.counts));
  const cursors = makeCursors(keyring);
  const testWindow = { name: 'alert tests', windowSeconds: 60, counts: context.counts };
  const alertTestLimit = makeRateLimit(alertTestsPerMinute / testWindow.windowSeconds, testWindow);
  const limits = { bruteForceLimiter, checkInTurn, alertTestLimit };
  const parts: ConsoleParts = { ...given, sessions, secondFactor, ...limits, cursors };

  const device = makeDeviceCookie(keyring, cookieFormOf(publicUrl), () => clock.now().getTime());
  const options = { oidc_name: signIn.oidc?.name ?? null, passwords: signIn.passwordSignIn };
  const signing = { database, reads, sessions, cookie, device, bruteForceLimiter, checkInTurn, version, options };
  await mountContract(app, context, makeSessionContract(cookie), sessionEndpoints(signing));
  const calls = consoleEndpoints(parts);
  const endpoints = calls.map((one) => guarded(parts, one));
  endpoints.push(exportFileEndpoint(parts, calls, context.counts), importTemplateEndpoint(parts.clock));
  await mountContract(app, context, makeConsoleContract(sessions, cookie, reads), endpoints);
  await app.register(async (scope) => {
    rejectErrors(scope, context, consoleEnvelope);
    mountLive(scope, { database, reads, sessions, cookie, counts: context.counts });
    if (signIn.oidc !== null) {
      const client = makeOidcClient(signIn.oidc, clock);
      const identityLimiter = makeBruteForceLimiter(async () => new Set(), 'identity sign-ins', context.counts);
      mountOidc(scope, { ...signing, identityLimiter, keyring, clock, publicUrl, client, rules: signIn.oidc });
    }
    mountUnknownGets(scope, context);
  });
}

/** Without this, an unknown GET of the API would be answered with the console's HTML page. */
function mountUnknownGets(scope: FastifyInstance, context: ServerContext): void {
  scope.get(`${consoleBasePath}/*`, { exposeHeadRoute: true }, async (request) => {
    throw new ProblemError(context.problemOfUnknownRoute(request));
  });
}

function consoleEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [
    ...homeEndpoints(parts),
    ...orderEndpoints(parts),
    ...pickingEndpoints(parts),
    ...packingEndpoints(parts),
    ...shippingEndpoints(parts),
    ...inboundEndpoints(parts),
    ...stockEndpoints(parts),
    ...countEndpoints(parts),
    ...productEndpoints(parts),
    ...importEndpoints(parts),
    ...printEndpoints(parts),
    ...callbackEndpoints(parts),
    ...requestEndpoints(parts),
    ...trendEndpoints(parts),
    ...partnerEndpoints(parts),
    ...onboardingEndpoints(parts),
    ...handoverEndpoints(parts),
    ...operatorEndpoints(parts),
    ...secondFactorEndpoints(parts),
    ...systemEndpoints(parts),
    ...alertEndpoints(parts),
    ...openSessionEndpoints(parts),
    ...viewEndpoints(parts),
    systemPersonalDataCall(parts),
    auditLogSearchCall(parts),
    searchFindCall(parts),
  ];
}
