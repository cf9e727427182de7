import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configOf, fileWith, mistakesOf } from '../test/support/config.ts';

const oidcEnv = {
  OIDC_ISSUER: 'https://id.example/realms/lading',
  OIDC_CLIENT_ID: 'lading',
  OIDC_ADMIN_ROLES: 'lading-admins, ops',
};

test('an identity provider needs a client id and a mapping of roles; the rest has defaults', () => {
  assert.deepEqual(configOf(oidcEnv).signIn, {
    requireTotp: 'off',
    passwordSignIn: true,
    oidc: {
      issuer: 'https://id.example/realms/lading',
      clientId: 'lading',
      clientSecret: null,
      scopes: 'openid profile email',
      name: 'Single sign-on',
      usernameClaim: 'preferred_username',
      roleClaim: 'roles',
      roles: { admin: ['lading-admins', 'ops'], staff: [], 'read-only': [] },
    },
  });
  const given = configOf({
    ...oidcEnv,
    PASSWORD_SIGN_IN: 'off',
    OIDC_CLIENT_SECRET_FILE: fileWith('hunter2\n'),
    OIDC_NAME: 'Acme',
    OIDC_SCOPES: 'openid groups',
    OIDC_USERNAME_CLAIM: 'email',
    OIDC_ROLE_CLAIM: 'groups',
    OIDC_STAFF_ROLES: 'pickers',
    OIDC_READ_ONLY_ROLES: 'auditors',
  }).signIn;
  const { clientSecret, scopes, name, usernameClaim, roleClaim, roles } = given.oidc!;
  assert.deepEqual(
    [given.passwordSignIn, clientSecret, scopes, name, usernameClaim, roleClaim],
    [false, 'hunter2', 'openid groups', 'Acme', 'email', 'groups'],
  );
  assert.deepEqual(roles, { admin: ['lading-admins', 'ops'], staff: ['pickers'], 'read-only': ['auditors'] });
  for (const issuer of ['http://127.0.0.1:9/x', 'http://localhost:9', 'http://[::1]:9', 'https://10.0.0.1'])
    assert.equal(configOf({ ...oidcEnv, OIDC_ISSUER: issuer }).signIn.oidc?.issuer, issuer);
});

test('a sign-in that nobody could use, or a provider in plain text, is refused with its reason', () => {
  const issuerRule = 'OIDC_ISSUER must be an https URL (http only for this machine) without query, not ';
  const cases: [env: Record<string, string>, mistakes: string[]][] = [
    [{ PASSWORD_SIGN_IN: 'off' }, ['PASSWORD_SIGN_IN=off needs OIDC_ISSUER: nobody could sign in']],
    [{ OIDC_CLIENT_ID: 'x', OIDC_NAME: 'y' }, ['OIDC_CLIENT_ID, OIDC_NAME has no effect without OIDC_ISSUER']],
    [
      { OIDC_ISSUER: 'https://id.example' },
      [
        'OIDC_CLIENT_ID is missing: it is required with OIDC_ISSUER',
        'one of OIDC_ADMIN_ROLES, OIDC_STAFF_ROLES, OIDC_READ_ONLY_ROLES is required with OIDC_ISSUER: nobody would have a role',
      ],
    ],
    [{ ...oidcEnv, OIDC_SCOPES: 'profile' }, ['OIDC_SCOPES must contain openid']],
    [{ ...oidcEnv, OIDC_ISSUER: 'http://id.example' }, [`${issuerRule}"http://id.example"`]],
    [{ ...oidcEnv, OIDC_ISSUER: 'https://u@id.example' }, [`${issuerRule}"https://u@id.example"`]],
    [{ REQUIRE_TOTP: 'admin' }, ['REQUIRE_TOTP must be one of off, admins, all, not "admin"']],
  ];
  for (const [env, mistakes] of cases) assert.deepEqual(mistakesOf(env), mistakes);
});
