import { sessionsList } from '../../../contract/console/session.ts';
import type { Sessions } from '../../domain/operators/sessions.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';

export function sessionsListCall(sessions: Sessions): ConsoleEndpoint {
  return consoleEndpoint(sessionsList, {
    role: 'read-only',
    audit: null,
    async handle({ session }) {
      const open = await sessions.listOpen(session);
      return { sessions: open.map((one) => ({ ...one, is_current: one.session_id === session.sessionId })) };
    },
  });
}
