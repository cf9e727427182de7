import assert from 'node:assert/strict';
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { hmacSha256 } from './hmac.ts';

test('it is the HMAC-SHA256 that everybody computes, for secrets and messages of every length', () => {
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
