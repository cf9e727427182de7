import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import type {
  OperatorRole,
  SignedIn,
  sessionCurrent,
  sessionSignIn,
  sessionSignInCode,
  sessionSignOut,
} from '../../contract/console/sessions.ts';
import { ask, askSession } from './ask.ts';
import type { AskError } from './ask-error.ts';

export type SessionState = { kind: 'unknown' } | { kind: 'unreachable'; error: AskError } | SignedOut | SignedIn;

interface SignedOut {
  kind: 'signed_out';
  /** Set if the operator signed out on purpose. The next sign-in then starts at the home page. */
  hasLeft?: true;
}

interface SessionKeeper {
  state: SessionState;
  look(): void;
  /** Reads the session again after a change of its own; the page stays. */
  refresh(): void;
  signIn(username: string, password: string): Promise<SignInOutcome>;
  /** The second step, for an operator with one-time codes. */
  signInWithCode(ticket: string, code: string): Promise<CodeOutcome>;
  signOut(): Promise<void>;
}

type SignInOutcome =
  | { kind: 'signed_in' }
  | { kind: 'code_needed'; ticket: string }
  | { kind: 'refused' }
  | { kind: 'throttled'; retry_after_s: number };
type CodeOutcome =
  | Exclude<SignInOutcome, { kind: 'code_needed' }>
  | { kind: 'expired' }
  | { kind: 'too_many_codes'; retry_after_s: number };

const SessionContext = createContext<SessionKeeper | null>(null);
const roleOrder: readonly OperatorRole[] = ['read-only', 'staff', 'admin'];

export function SessionProvider({ children, onSignedOut }: { children: ReactNode; onSignedOut: () => void }) {
  const [state, setState] = useState<SessionState>({ kind: 'unknown' });

  const enter = (next: SessionState) => {
    askSession.csrfToken = next.kind === 'signed_in' ? next.csrf_token : null;
    if (next.kind === 'signed_out') onSignedOut();
    setState(next);
  };
  const look = () => {
    setState({ kind: 'unknown' });
    refresh();
  };
  const refresh = () => {
    ask<typeof sessionCurrent>('/session/current', {}).then(enter, (error: AskError) => {
      if (error.kind !== 'signed_out') setState({ kind: 'unreachable', error });
    });
  };
  const signIn = async (username: string, password: string): Promise<SignInOutcome> => {
    const answer = await ask<typeof sessionSignIn>('/session/sign-in', { username, password });
    if (answer.kind === 'signed_in') enter(answer);
    return answer;
  };
  const signInWithCode = async (ticket: string, code: string): Promise<CodeOutcome> => {
    const answer = await ask<typeof sessionSignInCode>('/session/sign-in-code', { ticket, code });
    if (answer.kind === 'signed_in') enter(answer);
    return answer;
  };
  const signOut = async () => {
    await ask<typeof sessionSignOut>('/session/sign-out', {});
    enter({ kind: 'signed_out', hasLeft: true });
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the page is opened.
  useEffect(() => {
    askSession.onSignedOut = () => enter({ kind: 'signed_out' });
    look();
  }, []);
  return <SessionContext value={{ state, look, refresh, signIn, signInWithCode, signOut }}>{children}</SessionContext>;
}

export function useSessionKeeper(): SessionKeeper {
  const keeper = use(SessionContext);
  if (keeper === null) throw new Error('there is no SessionProvider around this');
  return keeper;
}

/** The operator who is signed in; pages are only shown after the sign-in. */
export function useSession(): SignedIn {
  const { state } = useSessionKeeper();
  if (state.kind !== 'signed_in') throw new Error('nobody is signed in');
  return state;
}

/** Whether the operator works in some warehouses only. Pages about all of them are not shown then. */
export function useIsRestricted(): boolean {
  return useSession().warehouse_nos !== null;
}

/** Whether the operator's role suffices for an action about all warehouses. */
export function useMayEverywhere(needed: OperatorRole): boolean {
  const isRestricted = useIsRestricted();
  return useMay(needed) && !isRestricted;
}

/** Whether the operator's role suffices. Actions that are not allowed are not shown. */
export function useMay(needed: OperatorRole): boolean {
  const { state } = useSessionKeeper();
  return state.kind === 'signed_in' && roleOrder.indexOf(state.role) >= roleOrder.indexOf(needed);
}
