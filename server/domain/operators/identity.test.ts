import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identityOf } from './identity.ts';

const rules = {
  usernameClaim: 'preferred_username',
  roleClaim: 'realm_access.roles',
  roles: { admin: ['lading-admin'], staff: ['lading-staff', 'pickers'], 'read-only': ['auditors'] },
};
const person = { iss: 'https://id.example', sub: '7', preferred_username: 'mei-ling' };
const roleOf = (claims: object, roleClaim = rules.roleClaim) =>
  identityOf({ ...person, ...claims }, { ...rules, roleClaim }).role;

test('the highest role of a list of claims counts, and a claim that is no list is a list of one', () => {
  assert.equal(roleOf({ realm_access: { roles: ['auditors', 'lading-admin', 'other'] } }), 'admin');
  assert.equal(roleOf({ realm_access: { roles: 'pickers' } }), 'staff');
  assert.equal(roleOf({ 'https://example/roles': ['auditors'] }, 'https://example/roles'), 'read-only');
});

test('without one of our values there is no role, however the claim looks', () => {
  const claims = [{}, { realm_access: null }, { realm_access: { roles: [] } }, { realm_access: 'lading-admin' }];
  for (const claim of [...claims, { realm_access: { roles: [{ 0: 'lading-admin' }, 1, null, 'LADING-ADMIN'] } }])
    assert.equal(roleOf(claim), null, JSON.stringify(claim));
  assert.equal(roleOf({}, 'constructor.name'), null);
});

test('a user name has the form of a provisioning file', () => {
  const nameOf = (preferred_username: unknown) => identityOf({ ...person, preferred_username }, rules).username;
  assert.equal(nameOf('mei@example.com'), 'mei@example.com');
  for (const name of [undefined, '', 'two words', '美玲', 'x'.repeat(65), 7, ['a'], 'line\n'])
    assert.equal(nameOf(name), null, String(name));
});
