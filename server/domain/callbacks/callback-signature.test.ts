import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { CallbackError, verifyCallback } from '../../../sdk/client.ts';
import { signCallback } from './callback-signature.ts';

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

/** The result that a receiver gets from the SDK. */
function finding(
  headers: Record<string, string | undefined>,
  secrets = [secret],
  text: string | Uint8Array = body,
): string {
  try {
    const { duplicate: _, ...callback } = verifyCallback({ headers, body: text }, { secrets, now });
    assert.deepEqual(callback, JSON.parse(body));
    return 'valid';
  } catch (error) {
    assert.ok(error instanceof CallbackError);
    return error.reason;
  }
}

test('the example of the specification yields the signature of the specification', () => {
  const example = {
    eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestampSeconds: 1614265330,
    body: '{"test": 2432232314}',
  };
  assert.equal(
    signCallback(example, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']),
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

test('the library of the specification accepts our signatures, and the SDK accepts its signatures', () => {
  assert.deepEqual(new Webhook(secret).verify(body, signed([secret])), JSON.parse(body));
  const theirs = { ...signed([]), 'webhook-signature': new Webhook(secret).sign(eventId, now, body) };
  assert.equal(finding(theirs), 'valid');
  assert.equal(finding(theirs, [secret], Buffer.from(body)), 'valid');
});

test('during a rotation a receiver may use either secret', () => {
  const headers = signed([nextSecret, secret]);
  assert.match(headers['webhook-signature']!, /^v1,\S{44} v1,\S{44}$/);
  for (const known of [secret, nextSecret]) {
    assert.deepEqual(new Webhook(known).verify(body, headers), JSON.parse(body));
    assert.equal(finding(headers, [known]), 'valid');
  }
  assert.equal(finding(headers, [strangeSecret]), 'wrong_signature');
  assert.equal(finding(signed([secret]), [nextSecret, secret]), 'valid');
});

test('a signature is valid only for its event, its time and its bytes', () => {
  const headers = signed([secret]);
  for (const header of Object.keys(headers)) {
    assert.equal(finding({ ...headers, [header]: undefined }), 'missing_header');
    assert.equal(finding({ ...headers, [header]: '' }), 'missing_header');
  }
  assert.equal(finding(headers, [secret], `${body} `), 'wrong_signature');
  assert.equal(finding({ ...headers, 'webhook-id': 'another' }), 'wrong_signature');
  assert.equal(finding({ ...headers, 'webhook-timestamp': String(timestampSeconds + 1) }), 'wrong_signature');
  assert.equal(finding({ ...headers, 'webhook-signature': 'v1,short' }), 'wrong_signature');
  assert.equal(finding({ ...headers, 'webhook-signature': 'v1a,c2lnbmVk v2,c2lnbmVk' }), 'no_known_version');
});
