import type { FastifyInstance } from 'fastify';
import { consoleBasePath } from '../../../contract/console/console-call.ts';
import { makeSessions } from '../../domain/operators/sessions.ts';
import { makeCursors } from '../../http/cursor.ts';
import { mountContract } from '../../http/mount-contract.ts';
import { ProblemError } from '../../http/problem.ts';
import { rejectErrors } from '../../http/reject.ts';
import type { ServerContext } from '../../http/server-context.ts';
import { makeBruteForceLimiter } from '../../platform/limits/brute-force-limiter.ts';
import { makePerKeyLimiter, shareOf } from '../../platform/limits/per-key-limiter.ts';
import { auditLogSearchCall } from './audit-log.ts';
import { callbackEndpoints } from './callbacks.ts';
import { type ConsoleEndpoint, consoleEnvelope, guarded, makeConsoleContract } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { cookieFormOf, makeDeviceCookie, makeSessionCookie } from './cookies.ts';
import { homeEndpoints } from './home.ts';
import { inboundEndpoints } from './inbound.ts';
import { mountLive } from './live.ts';
import { operatorEndpoints } from './operators.ts';
import { orderEndpoints } from './orders.ts';
import { mountOrderExport } from './orders-export.ts';
import { partnerEndpoints } from './partners.ts';
import { productEndpoints } from './products.ts';
import { requestEndpoints } from './requests.ts';
import { searchFindCall } from './search.ts';
import { makeSessionContract, openSessionEndpoints, sessionEndpoints } from './sessions.ts';
import { stockEndpoints } from './stock.ts';
import { systemEndpoints } from './system.ts';
import { viewEndpoints } from './views.ts';

const passwordChecks = { atOnce: 2, waitingMax: 50, waitMaxMs: 3000 };

/** The console's API: sign-in, the endpoints for operators, and live change events. */
export async function mountConsole(
  app: FastifyInstance,
  context: ServerContext,
  given: Omit<ConsoleParts, 'sessions' | 'cursors' | 'bruteForceLimiter' | 'checkInTurn'> & { publicUrl: string },
): Promise<void> {
  const { database, reads, keyring, publicUrl, version } = given;
  const sessions = makeSessions(database);
  const cookie = makeSessionCookie(publicUrl);
  const bruteForceLimiter = makeBruteForceLimiter(sessions.networksOf, 'sign-ins', context.counts);
  const checkInTurn = makePerKeyLimiter(shareOf(passwordChecks, context.counts));
  const parts: ConsoleParts = { ...given, sessions, bruteForceLimiter, checkInTurn, cursors: makeCursors(keyring) };

  const device = makeDeviceCookie(keyring, cookieFormOf(publicUrl), () => given.clock.now().getTime());
  const signing = { database, reads, sessions, cookie, device, bruteForceLimiter, checkInTurn, version };
  await mountContract(app, context, makeSessionContract(cookie), sessionEndpoints(signing));
  const endpoints = consoleEndpoints(parts).map((one) => guarded(parts, one));
  await mountContract(app, context, makeConsoleContract(sessions, cookie, reads), endpoints);
  await app.register(async (scope) => {
    rejectErrors(scope, context, consoleEnvelope);
    mountLive(scope, { database, reads, sessions, cookie, counts: context.counts });
    mountOrderExport(scope, parts, { cookie, counts: context.counts });
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
    ...inboundEndpoints(parts),
    ...stockEndpoints(parts),
    ...productEndpoints(parts),
    ...callbackEndpoints(parts),
    ...requestEndpoints(parts),
    ...partnerEndpoints(parts),
    ...operatorEndpoints(parts),
    ...systemEndpoints(parts),
    ...openSessionEndpoints(parts),
    ...viewEndpoints(parts),
    auditLogSearchCall(parts),
    searchFindCall(parts),
  ];
}
