import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, verifyPassword } from './password.ts';

const stored = await hashPassword('correct horse');

test('a password is kept as argon2id with 19 MiB, two passes, one lane, a salt of 16 and a hash of 32 bytes', () => {
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
});

test('the right password verifies, any other does not', async () => {
  assert.equal(await verifyPassword('correct horse', stored), true);
  for (const wrong of ['', 'correct hors', 'correct horse ', 'Correct horse', 'correct horse\0']) {
    assert.equal(await verifyPassword(wrong, stored), false, JSON.stringify(wrong));
  }
});

test('the same password is kept differently each time', async () => {
  const again = await hashPassword('correct horse');
  assert.notEqual(again, stored);
  assert.equal(await verifyPassword('correct horse', again), true);
});

test('a password beyond ASCII verifies', async () => {
  assert.equal(await verifyPassword('密碼 🔑', await hashPassword('密碼 🔑')), true);
});

test('a hash made at another cost still verifies: the cost is read from it', async () => {
  // From the tests of the reference implementation (phc-winner-argon2).
  const reference = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
  assert.equal(await verifyPassword('password', reference), true);
  assert.equal(await verifyPassword('differentpassword', reference), false);
});

test('a stored text that is no such hash verifies nothing', async () => {
  const others = [
    '',
    'correct horse',
    '$argon2id$',
    stored.replace('argon2id', 'argon2i'),
    stored.replace('v=19', 'v=16'),
    `${stored}$`,
    `${stored}\n`,
  ];
  for (const other of others) assert.equal(await verifyPassword('correct horse', other), false, JSON.stringify(other));
});

test('a stored hash with one character changed verifies nothing', async () => {
  const last = stored.indexOf('$', 40) + 3;
  const changed = stored.slice(0, last) + (stored[last] === 'A' ? 'B' : 'A') + stored.slice(last + 1);
  assert.equal(await verifyPassword('correct horse', changed), false);
});
