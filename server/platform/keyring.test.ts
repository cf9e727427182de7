import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeKeyring, UnknownMasterKey } from './keyring.ts';

const oldMaster = Buffer.alloc(32, 1);
const newMaster = Buffer.alloc(32, 2);
const keyring = makeKeyring(oldMaster);

test('what was sealed opens again, whatever its characters', () => {
  for (const plain of ['s', 'las_abc', '密碼 🔑', 'a'.repeat(256)]) {
    const { sealed, keyId } = keyring.seal(plain, 'account_secret:ALPHA');
    assert.equal(keyring.open(sealed, keyId, 'account_secret:ALPHA'), plain);
  }
});

test('a sealed value does not hold the plain one, and no two are the same', () => {
  const first = keyring.seal('a-secret-of-some-length', 'context').sealed;
  const second = keyring.seal('a-secret-of-some-length', 'context').sealed;

  assert.equal(first.includes('a-secret-of-some-length'), false);
  assert.notDeepEqual(first, second);
});

test('a sealed value does not open in another context', () => {
  const { sealed, keyId } = keyring.seal('secret', 'account_secret:ALPHA');
  assert.throws(() => keyring.open(sealed, keyId, 'account_secret:BETA'));
  assert.throws(() => keyring.open(sealed, keyId, ''));
});

test('a sealed value with any one bit flipped does not open', () => {
  const { sealed, keyId } = keyring.seal('secret', 'context');
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const flipped = Buffer.from(sealed);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    assert.throws(() => keyring.open(flipped, keyId, 'context'), `bit ${bit}`);
  }
});

test('a sealed value that was cut short does not open', () => {
  const { sealed, keyId } = keyring.seal('secret', 'context');
  for (let length = 0; length < sealed.length; length++) {
    assert.throws(() => keyring.open(sealed.subarray(0, length), keyId, 'context'), `${length} bytes`);
  }
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

test('a value sealed with a master key that is not at hand names it', () => {
  const { sealed, keyId } = keyring.seal('secret', 'context');
  assert.throws(
    () => makeKeyring(newMaster).open(sealed, keyId, 'context'),
    (error) => error instanceof UnknownMasterKey && error.keyId === keyId,
  );
  assert.throws(() => makeKeyring(newMaster).digest('secret', 'context', keyId), UnknownMasterKey);
});

test('a value sealed with one master key does not open with another that is claimed for it', () => {
  const { sealed } = keyring.seal('secret', 'context');
  const other = makeKeyring(newMaster);
  assert.throws(() => other.open(sealed, other.currentKeyId, 'context'));
});

test('a digest is the same every time, and another for another value, context or master key', () => {
  const digest = keyring.digest('value', 'context');

  assert.equal(digest.length, 32);
  assert.deepEqual(makeKeyring(oldMaster).digest('value', 'context'), digest);
  assert.notDeepEqual(keyring.digest('valuE', 'context'), digest);
  assert.notDeepEqual(keyring.digest('value', 'other'), digest);
  assert.notDeepEqual(makeKeyring(newMaster).digest('value', 'context'), digest);
});

test('a digest does not depend on where its context ends and its value begins', () => {
  assert.notDeepEqual(keyring.digest('bc', 'a'), keyring.digest('c', 'ab'));
});

test('a digest under a former key can still be computed', () => {
  const changed = makeKeyring(newMaster, [oldMaster]);
  assert.deepEqual(changed.digest('value', 'context', keyring.currentKeyId), keyring.digest('value', 'context'));
  assert.deepEqual(changed.digest('value', 'context'), makeKeyring(newMaster).digest('value', 'context'));
});
