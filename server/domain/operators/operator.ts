import type { operatorRoles } from '../partners/provisioning.ts';

export type OperatorRole = (typeof operatorRoles)[number];

/** Each may do what those before it may. */
const rolesByRank: readonly OperatorRole[] = ['read-only', 'staff', 'admin'];

export function roleSuffices(role: OperatorRole, needed: OperatorRole): boolean {
  return rolesByRank.indexOf(role) >= rolesByRank.indexOf(needed);
}

/** Somebody who is signed in, as of this moment. */
export interface OperatorSession {
  sessionId: string;
  username: string;
  role: OperatorRole;
  expiresAt: string;
}

/** A working day; then the password is asked for again. */
export const sessionSeconds = 12 * 3600;
/** Whoever has left their desk is signed out. */
export const sessionIdleSeconds = 2 * 3600;
/** How long sessions that are over can still be looked at. */
export const sessionsKeptDays = 90;
