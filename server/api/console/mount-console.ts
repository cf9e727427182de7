import type { FastifyInstance } from 'fastify';
import { consoleBasePath } from '../../../contract/console/console-call.ts';
import { makeSessions } from '../../domain/operators/sessions.ts';
import { makeGuessThrottle } from '../../platform/guess-throttle.ts';
import { makeTurns } from '../../platform/turns.ts';
import { mountContract, refuseErrors } from '../contract.ts';
import { makeCursors } from '../cursor.ts';
import { ProblemError } from '../problem.ts';
import type { Shell } from '../shell.ts';
import { callbackEndpoints } from './callback-endpoints.ts';
import { type ConsoleEndpoint, consoleDialect, guarded, makeConsoleContract } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { makeDeviceCookie } from './device-cookie.ts';
import { homeEndpoints } from './home-endpoints.ts';
import { inboundEndpoints } from './inbound-endpoints.ts';
import { mountLive } from './live.ts';
import { orderEndpoints } from './order-endpoints.ts';
import { mountOrderExport } from './order-export.ts';
import { partnerEndpoints } from './partner-endpoints.ts';
import { requestEndpoints } from './request-endpoints.ts';
import { makeSessionContract, sessionEndpoints } from './session-calls.ts';
import { cookieFormOf, makeSessionCookie } from './session-cookie.ts';
import { sessionsEndCall } from './sessions-end.ts';
import { sessionsListCall } from './sessions-list.ts';
import { stockEndpoints } from './stock-endpoints.ts';
import { systemEndpoints } from './system-endpoints.ts';

const passwordChecks = { atOnce: 2, waitingMax: 50, waitMaxMs: 3000 };

/** The console's API: signing in, what is done once one is, and what tells pages that something has changed. */
export async function mountConsole(
  app: FastifyInstance,
  shell: Shell,
  given: Omit<ConsoleParts, 'sessions' | 'cursors' | 'throttle' | 'checkInTurn'> & { publicUrl: string },
): Promise<void> {
  const { database, keyring, publicUrl, version } = given;
  const sessions = makeSessions(database);
  const cookie = makeSessionCookie(publicUrl);
  const throttle = makeGuessThrottle(sessions.networksOf);
  const checkInTurn = makeTurns(passwordChecks);
  const parts: ConsoleParts = { ...given, sessions, throttle, checkInTurn, cursors: makeCursors(keyring) };

  const device = makeDeviceCookie(keyring, cookieFormOf(publicUrl), () => given.clock.now().getTime());
  const signing = { database, sessions, cookie, device, throttle, checkInTurn, version };
  await mountContract(app, shell, makeSessionContract(cookie), sessionEndpoints(signing));
  const endpoints = consoleEndpoints(parts).map((one) => guarded(database, one));
  await mountContract(app, shell, makeConsoleContract(sessions, cookie), endpoints);
  await app.register(async (scope) => {
    refuseErrors(scope, shell, consoleDialect);
    mountLive(scope, { database, sessions, cookie });
    mountOrderExport(scope, parts, cookie);
    mountUnknownGets(scope, shell);
  });
}

/** Every other GET below `/console` is answered with a page, which whoever asks the API cannot read. */
function mountUnknownGets(scope: FastifyInstance, shell: Shell): void {
  scope.get(`${consoleBasePath}/*`, { exposeHeadRoute: true }, async (request) => {
    throw new ProblemError(shell.problemOfUnknownRoute(request));
  });
}

function consoleEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [
    sessionsListCall(parts.sessions),
    sessionsEndCall(parts.sessions),
    ...homeEndpoints(parts),
    ...orderEndpoints(parts),
    ...inboundEndpoints(parts),
    ...stockEndpoints(parts),
    ...callbackEndpoints(parts),
    ...requestEndpoints(parts),
    ...partnerEndpoints(parts),
    ...systemEndpoints(parts),
  ];
}
