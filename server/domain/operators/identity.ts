import type { OperatorRole } from './operator.ts';

/** Which claims of the identity provider make an operator. */
export interface IdentityRules {
  usernameClaim: string;
  roleClaim: string;
  /** The values of the role claim that give each role. */
  roles: Record<OperatorRole, string[]>;
}

/** A person, as the identity provider describes them. */
export interface Identity {
  issuer: string;
  subject: string;
  /** null: the claim is missing or no user name. */
  username: string | null;
  /** null: none of the roles is ours. */
  role: OperatorRole | null;
}

/** The same form as in a provisioning file. */
const usernameForm = /^[!-~]{1,64}$/;
const highestFirst: readonly OperatorRole[] = ['admin', 'staff', 'read-only'];

export function identityOf(
  claims: Record<string, unknown> & { iss: string; sub: string },
  { usernameClaim, roleClaim, roles }: IdentityRules,
): Identity {
  const username = claimAt(claims, usernameClaim);
  const given = new Set([claimAt(claims, roleClaim)].flat().filter((value) => typeof value === 'string'));
  return {
    issuer: claims.iss,
    subject: claims.sub,
    username: typeof username === 'string' && usernameForm.test(username) ? username : null,
    role: highestFirst.find((role) => roles[role].some((value) => given.has(value))) ?? null,
  };
}

/** A claim may have dots in its own name, as namespaced claims have; otherwise they lead into objects. */
function claimAt(claims: Record<string, unknown>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path.split('.').reduce<unknown>((value, step) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
    return isObject ? (value as Record<string, unknown>)[step] : undefined;
  }, claims);
}
