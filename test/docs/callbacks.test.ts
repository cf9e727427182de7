import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { CallbackError, verifyCallback } from '../../sdk/client.ts';
import { signCallback } from '../../server/domain/callbacks/callback-signature.ts';
import { readGuide } from './guide.ts';
import { bodyOf, type CallbackVector, callbackVectors } from './vectors.ts';

const headersOf = ({ headers }: CallbackVector) => Object.fromEntries(headers);
const nowOf = ({ now }: CallbackVector) => new Date(now * 1000);

test('our signer makes the signatures of every callback vector', () => {
  for (const vector of callbackVectors.filter(({ reason }) => reason !== 'malformed_timestamp')) {
    const message = { eventId: vector.id, timestampSeconds: Number(vector.timestamp), body: bodyOf(vector) };
    assert.equal(signCallback(message, vector.signed_by), vector.signatures.join(' '), vector.name);
  }
});

test('the SDK judges the callback vectors as they say, for the reason that they give', () => {
  for (const vector of callbackVectors) {
    const verify = () =>
      verifyCallback({ headers: headersOf(vector), body: bodyOf(vector) }, { secrets: vector.secrets, now: nowOf(vector) });
    if (vector.valid) assert.equal(verify().event, 'order.shipped', vector.name);
    else assert.throws(verify, (error) => error instanceof CallbackError && error.reason === vector.reason, vector.name);
  }
});

test('the library of Standard Webhooks judges the callback vectors as they say', (t) => {
  for (const vector of callbackVectors) {
    t.mock.timers.enable({ apis: ['Date'], now: nowOf(vector) });
    assert.equal(isGenuineToLibrary(vector), vector.valid, vector.name);
    t.mock.timers.reset();
  }
});

/** It knows one secret at a time. */
function isGenuineToLibrary(vector: CallbackVector): boolean {
  return vector.secrets.some((secret) => {
    try {
      return new Webhook(secret).verify(bodyOf(vector), headersOf(vector)) !== undefined;
    } catch {
      return false;
    }
  });
}

test('each callback vector has a name of its own, and is fixed for ever', () => {
  assert.equal(new Set(callbackVectors.map(({ name }) => name)).size, callbackVectors.length);
  const digest = createHash('sha256').update(readGuide('vectors/callback-signatures.json')).digest('hex');
  assert.equal(digest, '96c8c4e3ffe484db5e4a391d9e5e869b394df637cf0a4ba2d4b4d7b4086e0b67');
});
