import { type OperatorRole, type TotpRequirement, totpRequirements } from './domain/operators/operator.ts';
import { operatorRoles } from './domain/partners/provisioning.ts';
import type { OidcSettings } from './platform/outgoing/oidc-client.ts';

/** How operators sign in to the console. */
export interface SignInConfig {
  requireTotp: TotpRequirement;
  passwordSignIn: boolean;
  /** null: there is no identity provider. */
  oidc: OidcConfig | null;
}

export interface OidcConfig extends OidcSettings {
  /** The text on the button. */
  name: string;
  usernameClaim: string;
  roleClaim: string;
  /** The values of the role claim that give each role. */
  roles: Record<OperatorRole, string[]>;
}

export const signInSettings = [
  {
    name: 'REQUIRE_TOTP',
    meaning: "operators who need one-time codes besides their password: 'off', 'admins' or 'all'",
    fallback: 'off',
  },
  {
    name: 'PASSWORD_SIGN_IN',
    meaning: "lets operators sign in with a password: 'on' or 'off' (only with OIDC_ISSUER)",
    fallback: 'on',
  },
  {
    name: 'OIDC_ISSUER',
    meaning: 'URL of the identity provider (OpenID Connect) with which operators sign in',
    fallback: 'none',
  },
  { name: 'OIDC_CLIENT_ID', meaning: 'the id under which the provider knows this service', fallback: 'none' },
  {
    name: 'OIDC_CLIENT_SECRET',
    meaning: 'the secret that belongs to it; a public client has none',
    fallback: 'none',
    secret: true,
  },
  { name: 'OIDC_NAME', meaning: 'name of the provider on the sign-in page', fallback: 'Single sign-on' },
  { name: 'OIDC_SCOPES', meaning: 'scopes that are requested', fallback: 'openid profile email' },
  {
    name: 'OIDC_USERNAME_CLAIM',
    meaning: 'claim with the user name of a new operator, such as email',
    fallback: 'preferred_username',
  },
  {
    name: 'OIDC_ROLE_CLAIM',
    meaning: 'claim with the roles or groups; dots lead into objects, as in realm_access.roles',
    fallback: 'roles',
  },
  { name: 'OIDC_ADMIN_ROLES', meaning: 'values of that claim that make an admin (comma-separated)', fallback: 'none' },
  { name: 'OIDC_STAFF_ROLES', meaning: 'values that make a staff operator', fallback: 'none' },
  { name: 'OIDC_READ_ONLY_ROLES', meaning: 'values that make a read-only operator', fallback: 'none' },
] as const;

type SettingName = (typeof signInSettings)[number]['name'];

/** The part of the reader in `config.ts` that this needs. */
interface SettingsReader {
  mistakes: string[];
  text(name: SettingName): string | null;
  choice<T extends string>(name: SettingName, fallback: T, choices: readonly T[]): T;
  checked<T>(name: SettingName, fallback: T, parse: (given: string) => T | undefined, expectation: string): T;
}

const roleSettings: Record<OperatorRole, SettingName> = {
  admin: 'OIDC_ADMIN_ROLES',
  staff: 'OIDC_STAFF_ROLES',
  'read-only': 'OIDC_READ_ONLY_ROLES',
};
const otherOidcSettings = signInSettings.map(({ name }) => name).filter((name) => /^OIDC_(?!ISSUER)/.test(name));

export function readSignIn(read: SettingsReader): SignInConfig {
  const before = read.mistakes.length;
  const requireTotp = read.choice('REQUIRE_TOTP', 'off', totpRequirements);
  const passwordSignIn = read.choice('PASSWORD_SIGN_IN', 'on', ['on', 'off']) === 'on';
  const issuer = read.checked(
    'OIDC_ISSUER',
    null as string | null,
    parseIssuer,
    'an https URL (http only for this machine) without query',
  );
  if (issuer === null && read.mistakes.length === before) {
    if (!passwordSignIn) read.mistakes.push('PASSWORD_SIGN_IN=off needs OIDC_ISSUER: nobody could sign in');
    const useless = otherOidcSettings.filter((name) => read.text(name) !== null);
    if (useless.length > 0) read.mistakes.push(`${useless.join(', ')} has no effect without OIDC_ISSUER`);
  }
  return { requireTotp, passwordSignIn, oidc: issuer === null ? null : readOidc(read, issuer) };
}

function readOidc(read: SettingsReader, issuer: string): OidcConfig {
  const clientId = read.text('OIDC_CLIENT_ID');
  if (clientId === null) read.mistakes.push('OIDC_CLIENT_ID is missing: it is required with OIDC_ISSUER');
  const scopes = read.text('OIDC_SCOPES') ?? 'openid profile email';
  if (!scopes.split(' ').includes('openid')) read.mistakes.push('OIDC_SCOPES must contain openid');
  const valuesOf = (role: OperatorRole) =>
    (read.text(roleSettings[role]) ?? '')
      .split(',')
      .map((value) => value.trim())
      .filter((value) => value !== '');
  const roles = { admin: valuesOf('admin'), staff: valuesOf('staff'), 'read-only': valuesOf('read-only') };
  if (operatorRoles.every((role) => roles[role].length === 0))
    read.mistakes.push(
      `one of ${Object.values(roleSettings).join(', ')} is required with OIDC_ISSUER: nobody would have a role`,
    );
  return {
    issuer,
    clientId: clientId ?? '',
    clientSecret: read.text('OIDC_CLIENT_SECRET'),
    scopes,
    name: read.text('OIDC_NAME') ?? 'Single sign-on',
    usernameClaim: read.text('OIDC_USERNAME_CLAIM') ?? 'preferred_username',
    roleClaim: read.text('OIDC_ROLE_CLAIM') ?? 'roles',
    roles,
  };
}

const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]'];

/** A token that travels in plain text over a network would be everybody's. */
function parseIssuer(given: string): string | undefined {
  const url = URL.parse(given);
  if (!url || url.search || url.hash || url.username || url.password) return undefined;
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && loopbackHosts.includes(url.hostname));
  return isAllowed ? given : undefined;
}
