import type { operatorRoles } from '../partners/provisioning.ts';

export type OperatorRole = (typeof operatorRoles)[number];

/** Each role includes the rights of those before it. */
const rolesByRank: readonly OperatorRole[] = ['read-only', 'staff', 'admin'];

export function roleSuffices(role: OperatorRole, needed: OperatorRole): boolean {
  return rolesByRank.indexOf(role) >= rolesByRank.indexOf(needed);
}

/** A signed-in operator, as of this moment. */
export interface OperatorSession {
  sessionId: string;
  username: string;
  role: OperatorRole;
  /** The warehouses in which this operator works; null: all. */
  warehouseNos: number[] | null;
  expiresAt: string;
  /** The position that exports have shown: see `server/platform/postgres/reads.ts`. */
  seenPosition: string | null;
  signedInWith: 'password' | 'oidc';
  /** Until one-time codes are in use, this operator may do nothing else. */
  mustEnrol: boolean;
  /** The password was chosen before the present rules. */
  hasWeakPassword: boolean;
}

/** Which operators need one-time codes if they sign in with a password. */
export const totpRequirements = ['off', 'admins', 'all'] as const;
export type TotpRequirement = (typeof totpRequirements)[number];

export function needsTotp(role: OperatorRole, requirement: TotpRequirement): boolean {
  return requirement === 'all' || (requirement === 'admins' && role === 'admin');
}

/** A working day; then the password is required again. */
export const sessionSeconds = 12 * 3600;
/** Operators who are inactive for this long are signed out. */
export const sessionIdleSeconds = 2 * 3600;
/** How long ended sessions are kept. */
export const sessionsKeptDays = 90;
