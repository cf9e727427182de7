import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { Nothing, record, Uuid } from './console-values.ts';

export type OperatorRole = 'admin' | 'staff' | 'read-only';

export interface SignedIn {
  kind: 'signed_in';
  username: string;
  role: OperatorRole;
  /** Sent with every call. */
  csrf_token: string;
  session_id: string;
  expires_at: string;
  version: string;
}

const Username = Type.String({ minLength: 1, maxLength: 64 });
const Password = Type.String({ minLength: 1, maxLength: 256 });

export const sessionCurrent = consoleCall<SignedIn | { kind: 'signed_out' }>()('/session/current', Nothing);

export const sessionSignIn = consoleCall<
  SignedIn | { kind: 'refused' } | { kind: 'throttled'; retry_after_s: number }
>()('/session/sign-in', record({ username: Username, password: Password }));

export const sessionSignOut = consoleCall<{ kind: 'signed_out' }>()('/session/sign-out', Nothing);

export interface ListedSession {
  session_id: string;
  username: string;
  address: string;
  user_agent: string;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
  is_current: boolean;
}

/** The open sessions: the operator's own; for an admin, those of all operators. */
export const sessionsList = consoleCall<{ sessions: ListedSession[] }>()('/sessions/list', Nothing);

export const sessionsEnd = consoleCall<{ kind: 'ended' } | { kind: 'not_found' }>()(
  '/sessions/end',
  record({ session_id: Uuid }),
);
