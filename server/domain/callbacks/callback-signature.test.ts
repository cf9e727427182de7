import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { signCallback, verifyCallbackSignature } from './callback-signature.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const [secret, nextSecret, strangeSecret] = [newSecret(), newSecret(), newSecret()];
const now = new Date();
const timestampSeconds = Math.floor(now.getTime() / 1000);
const eventId = '019a8400-0000-7000-8000-000000000001';
const body = '{"name":"茶 é","qty":3}';

function signed(secrets: string[], seconds = timestampSeconds): Record<string, string> {
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signCallback({ eventId, timestampSeconds: seconds, body }, secrets),
  };
}

const finding = (headers: Record<string, string | undefined>, secrets = [secret], text: string | Uint8Array = body) =>
  verifyCallbackSignature(headers, text, secrets, { now });

test('the example of the specification gives the signature of the specification', () => {
  const example = { eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestampSeconds: 1614265330, body: '{"test": 2432232314}' };
  assert.equal(signCallback(example, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']), 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('the library of the specification accepts what we sign, and we what it signs', () => {
  assert.deepEqual(new Webhook(secret).verify(body, signed([secret])), JSON.parse(body));
  const theirs = { ...signed([]), 'webhook-signature': new Webhook(secret).sign(eventId, now, body) };
  assert.deepEqual(finding(theirs), { kind: 'valid' });
  assert.deepEqual(finding(theirs, [secret], Buffer.from(body)), { kind: 'valid' });
});

test('during a rotation a receiver may know either secret', () => {
  const headers = signed([nextSecret, secret]);
  assert.match(headers['webhook-signature']!, /^v1,\S{44} v1,\S{44}$/);
  for (const known of [secret, nextSecret]) {
    assert.deepEqual(new Webhook(known).verify(body, headers), JSON.parse(body));
    assert.deepEqual(finding(headers, [known]), { kind: 'valid' });
  }
  assert.deepEqual(finding(headers, [strangeSecret]), { kind: 'wrong_signature' });
  assert.deepEqual(finding(signed([secret]), [nextSecret, secret]), { kind: 'valid' });
});

test('it is said what is wrong', () => {
  const headers = signed([secret]);
  for (const header of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    assert.deepEqual(finding({ ...headers, [header]: undefined }), { kind: 'missing_header', header });
    assert.deepEqual(finding({ ...headers, [header]: '' }), { kind: 'missing_header', header });
  }
  assert.deepEqual(finding({ ...headers, 'webhook-timestamp': 'today' }), { kind: 'malformed_timestamp' });
  assert.deepEqual(finding(headers, [secret], `${body} `), { kind: 'wrong_signature' });
  assert.deepEqual(finding({ ...headers, 'webhook-id': 'another' }), { kind: 'wrong_signature' });
  assert.deepEqual(finding({ ...headers, 'webhook-timestamp': String(timestampSeconds + 1) }), { kind: 'wrong_signature' });
  assert.deepEqual(finding({ ...headers, 'webhook-signature': 'v1,short' }), { kind: 'wrong_signature' });
  assert.deepEqual(finding({ ...headers, 'webhook-signature': 'v1a,c2lnbmVk v2,c2lnbmVk' }), { kind: 'no_known_version' });
});

test('what is older or newer than five minutes is not believed, however well it is signed', () => {
  assert.deepEqual(finding(signed([secret], timestampSeconds - 300)), { kind: 'valid' });
  assert.deepEqual(finding(signed([secret], timestampSeconds - 301)), { kind: 'too_old', ageSeconds: 301 });
  assert.deepEqual(finding(signed([secret], timestampSeconds + 300)), { kind: 'valid' });
  assert.deepEqual(finding(signed([secret], timestampSeconds + 301)), { kind: 'too_new', aheadSeconds: 301 });
  const patient = verifyCallbackSignature(signed([secret], timestampSeconds - 301), body, [secret], { now, toleranceSeconds: 600 });
  assert.deepEqual(patient, { kind: 'valid' });
});
