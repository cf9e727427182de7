import { sessionsEnd } from '../../../contract/console/session.ts';
import type { Sessions } from '../../domain/operators/sessions.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';

/** One's own, and for an admin anybody's. */
export function sessionsEndCall(sessions: Sessions): ConsoleEndpoint {
  return consoleEndpoint(sessionsEnd, {
    role: 'read-only',
    audit: ({ session_id }) => ({ subject: session_id }),
    async handle({ session }, { session_id }) {
      return { kind: await sessions.end(session_id, session) };
    },
  });
}
