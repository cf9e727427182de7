import assert from 'node:assert/strict';
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { hmacSha256 } from './hmac.ts';
import { makeKeyring, UnknownMasterKey } from './keyring.ts';
import { hashPassword, verifyPassword } from './password.ts';

test('hmacSha256 is the HMAC-SHA256 that everybody computes, for secrets and messages of every length', () => {
  for (const secretBytes of [1, 31, 32, 63, 64, 65, 200]) {
    const secret = randomBytes(secretBytes);
    const key = createSecretKey(secret);
    for (const messageBytes of [0, 1, 55, 56, 63, 64, 65, 10_000]) {
      const message = randomBytes(messageBytes);
      const parts = [message.subarray(0, 40), message.subarray(40)];
      assert.deepEqual(hmacSha256(key, parts), createHmac('sha256', secret).update(message).digest());
    }
  }
});

const oldMaster = Buffer.alloc(32, 1);
const newMaster = Buffer.alloc(32, 2);
const keyring = makeKeyring(oldMaster);

test('a sealed value opens again, whatever its characters; it does not hold the plain one, and no two are the same', () => {
  for (const plain of ['s', 'las_abc', '密碼 🔑', 'a'.repeat(256)]) {
    const { sealed, keyId } = keyring.seal(plain, 'account_secret:ALPHA');
    assert.equal(keyring.open(sealed, keyId, 'account_secret:ALPHA'), plain);
  }
  const [first, second] = [1, 2].map(() => keyring.seal('a-secret-of-some-length', 'context').sealed);
  assert.equal(first!.includes('a-secret-of-some-length'), false);
  assert.notDeepEqual(first, second);
});

test('a sealed value does not open in another context, with one bit flipped, or cut short', () => {
  const { sealed, keyId } = keyring.seal('secret', 'account_secret:ALPHA');
  for (const context of ['account_secret:BETA', '']) assert.throws(() => keyring.open(sealed, keyId, context));
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const flipped = Buffer.from(sealed);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    assert.throws(() => keyring.open(flipped, keyId, 'account_secret:ALPHA'), `bit ${bit}`);
  }
  for (let length = 0; length < sealed.length; length++)
    assert.throws(() => keyring.open(sealed.subarray(0, length), keyId, 'account_secret:ALPHA'), `${length} bytes`);
});

test('a sealed value names the key it needs: eight hex digits that differ from key to key', () => {
  const other = makeKeyring(newMaster);
  const { keyId } = keyring.seal('secret', 'context');

  assert.equal(keyId, keyring.currentKeyId);
  assert.match(keyId, /^[0-9a-f]{8}$/);
  assert.equal(makeKeyring(Buffer.from(oldMaster)).currentKeyId, keyId);
  assert.notEqual(other.currentKeyId, keyId);
});

test('after a change of the master key, the former one still opens, and new values are sealed with the new one', () => {
  const before = keyring.seal('old secret', 'context');
  const changed = makeKeyring(newMaster, [oldMaster]);
  const after = changed.seal('new secret', 'context');

  assert.deepEqual(changed.keyIds, [makeKeyring(newMaster).currentKeyId, keyring.currentKeyId]);
  assert.equal(changed.open(before.sealed, before.keyId, 'context'), 'old secret');
  assert.equal(after.keyId, makeKeyring(newMaster).currentKeyId);
  assert.equal(makeKeyring(newMaster).open(after.sealed, after.keyId, 'context'), 'new secret');
});

test('a value sealed with a master key that is not configured names it, and opens with no other', () => {
  const { sealed, keyId } = keyring.seal('secret', 'context');
  const other = makeKeyring(newMaster);
  assert.throws(
    () => other.open(sealed, keyId, 'context'),
    (error) => error instanceof UnknownMasterKey && error.keyId === keyId,
  );
  assert.throws(() => other.digest('secret', 'context', keyId), UnknownMasterKey);
  assert.throws(() => other.open(sealed, other.currentKeyId, 'context'));
});

test('a digest is the same every time, and another for another value, context or master key', () => {
  const digest = keyring.digest('value', 'context');
  assert.equal(digest.length, 32);
  assert.deepEqual(makeKeyring(oldMaster).digest('value', 'context'), digest);
  const [changed, withFormer] = [makeKeyring(newMaster), makeKeyring(newMaster, [oldMaster])];
  const others = [
    keyring.digest('valuE', 'context'),
    keyring.digest('value', 'other'),
    changed.digest('value', 'context'),
  ];
  for (const other of others) assert.notDeepEqual(other, digest);
  assert.notDeepEqual(keyring.digest('bc', 'a'), keyring.digest('c', 'ab'), 'context and value are kept apart');
  assert.deepEqual(withFormer.digest('value', 'context', keyring.currentKeyId), digest, 'under a former key');
  assert.deepEqual(withFormer.digest('value', 'context'), changed.digest('value', 'context'));
});

const stored = await hashPassword('correct horse');

test('a password is kept as argon2id with 19 MiB, two passes, one lane, a salt of 16 and a hash of 32 bytes', () => {
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
});

test('the right password verifies, any other does not; the same password is kept differently each time', async () => {
  assert.equal(await verifyPassword('correct horse', stored), true);
  for (const wrong of ['', 'correct hors', 'correct horse ', 'Correct horse', 'correct horse\0']) {
    assert.equal(await verifyPassword(wrong, stored), false, JSON.stringify(wrong));
  }
  const again = await hashPassword('correct horse');
  assert.notEqual(again, stored);
  assert.equal(await verifyPassword('correct horse', again), true);
  assert.equal(await verifyPassword('密碼 🔑', await hashPassword('密碼 🔑')), true);
});

test('a hash made at another cost still verifies: the cost is read from it', async () => {
  // From the tests of the reference implementation (phc-winner-argon2).
  const reference = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
  assert.equal(await verifyPassword('password', reference), true);
  assert.equal(await verifyPassword('differentpassword', reference), false);
});

test('a stored text that is no such hash, or was changed, verifies nothing', async () => {
  const last = stored.indexOf('$', 40) + 3;
  const others = [
    ...['', 'correct horse', '$argon2id$', `${stored}$`, `${stored}\n`],
    ...[stored.replace('argon2id', 'argon2i'), stored.replace('v=19', 'v=16')],
    stored.slice(0, last) + (stored[last] === 'A' ? 'B' : 'A') + stored.slice(last + 1),
  ];
  for (const other of others) assert.equal(await verifyPassword('correct horse', other), false, JSON.stringify(other));
});
