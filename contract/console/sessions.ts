import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { Nothing, record, Uuid } from './console-values.ts';

export type OperatorRole = 'admin' | 'staff' | 'read-only';

export interface SignedIn {
  kind: 'signed_in';
  username: string;
  role: OperatorRole;
  /** The warehouses in which the operator works; null: all. */
  warehouse_nos: number[] | null;
  /** Sent with every call. */
  csrf_token: string;
  session_id: string;
  expires_at: string;
  version: string;
  /** The operator must set up one-time codes and can do nothing else before. */
  must_enrol: boolean;
  has_weak_password: boolean;
  signed_in_with: 'password' | 'oidc';
}

/** The ways to sign in that the sign-in page offers. */
export interface SignInOptions {
  kind: 'options';
  /** The name of the identity provider; null: there is none. */
  oidc_name: string | null;
  /** false: only operators with emergency access may use a password. */
  passwords: boolean;
}

/** Where the browser goes to sign in with the identity provider; `return` is the page to show afterwards. */
export const oidcStartPath = '/oidc/start';
/** The address that the provider must know, and to which it sends the browser back. */
export const oidcCallbackPath = '/oidc/callback';

/** Why a sign-in with the identity provider failed, in the address of the sign-in page. */
export type OidcProblem =
  | 'unreachable'
  | 'refused'
  | 'expired'
  | 'no_role'
  | 'no_name'
  | 'name_taken'
  | 'disabled'
  | 'throttled';

const Username = Type.String({ minLength: 1, maxLength: 64 });
const Password = Type.String({ minLength: 1, maxLength: 256 });

export const sessionCurrent = consoleCall<SignedIn | { kind: 'signed_out' }>()('/session/current', Nothing);

export const sessionSignIn = consoleCall<
  | SignedIn
  /** The password was right; a one-time code is needed as well. */
  | { kind: 'code_needed'; ticket: string }
  | { kind: 'refused' }
  | { kind: 'throttled'; retry_after_s: number }
>()('/session/sign-in', record({ username: Username, password: Password }));

/** A one-time code of the authenticator app, or a recovery code. */
export const OneTimeCode = Type.String({ minLength: 1, maxLength: 64 });

export const sessionSignInCode = consoleCall<
  | SignedIn
  | { kind: 'refused' }
  /** The password is needed again. */
  | { kind: 'expired' }
  /** This operator has had as many wrong codes as are allowed in a day. */
  | { kind: 'too_many_codes'; retry_after_s: number }
  | { kind: 'throttled'; retry_after_s: number }
>()('/session/sign-in-code', record({ ticket: Type.String({ minLength: 1, maxLength: 1024 }), code: OneTimeCode }));

export const sessionOptions = consoleCall<SignInOptions>()('/session/options', Nothing);

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
