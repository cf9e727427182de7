import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { CallbackError, RecentEvents, verifyCallback } from '../../sdk/client.ts';
import { signedHeaders } from '../../server/domain/callbacks/callback-signature.ts';

const secrets = ['whsec_bmV3LXNlY3JldC1mb3ItY2FsbGJhY2tz', 'whsec_b2xkLXNlY3JldC1mb3ItY2FsbGJhY2tz'] as const;
const eventId = '019a83c4-5e00-7b3c-9d41-6f2b8a1c0e57';
const body = JSON.stringify({ event_id: eventId, event: 'order.shipped', document_no: '茶-1', note: 'é "\\' });
const now = new Date('2026-11-15T09:00:00Z');
const headers = signedHeaders({ eventId, body }, [secrets[0]], now);

function reasonOf(work: () => unknown): string {
  try {
    work();
    return 'verified';
  } catch (error) {
    assert.ok(error instanceof CallbackError);
    return error.reason;
  }
}

test('a callback of the service is verified, from the headers of Node and of fetch, from text and from bytes', () => {
  const parsed = { ...JSON.parse(body), duplicate: false };
  for (const given of [headers, new Headers(headers), { ...headers, 'webhook-signature': [headers['webhook-signature']!] }]) {
    for (const bytes of [body, Buffer.from(body), new TextEncoder().encode(body)]) {
      assert.deepEqual(verifyCallback({ headers: given, body: bytes }, { secrets: secrets[0], now }), parsed);
    }
  }
});

test('either secret does during a rotation, whichever of them the receiver or the service knows', () => {
  for (const signedBy of [[secrets[0]], [secrets[1]], [...secrets]]) {
    const rotated = signedHeaders({ eventId, body }, signedBy, now);
    assert.equal(verifyCallback({ headers: rotated, body }, { secrets, now }).event_id, eventId);
  }
  const both = signedHeaders({ eventId, body }, [...secrets], now);
  for (const secret of secrets) assert.equal(verifyCallback({ headers: both, body }, { secrets: secret, now }).event_id, eventId);
});

test('an event that was dealt with is told to be a duplicate; one that failed half-way is not', () => {
  const seen = new RecentEvents(2);
  const verify = () => verifyCallback({ headers, body }, { secrets, now, seen }).duplicate;
  assert.deepEqual([verify(), verify()], [false, false]);
  seen.add(eventId);
  assert.equal(verify(), true);
  seen.add('another');
  assert.equal(verify(), true);
  seen.add('a third');
  assert.equal(verify(), false);
  assert.equal(verifyCallback({ headers, body }, { secrets, now, seen: new Set([eventId]) }).duplicate, true);
});

test('what is not genuine is told why', () => {
  const given = (changes: Record<string, string | undefined>, text = body) =>
    reasonOf(() => verifyCallback({ headers: { ...headers, ...changes }, body: text }, { secrets, now }));
  assert.equal(given({ 'webhook-id': undefined }), 'missing_header');
  assert.equal(given({ 'webhook-timestamp': 'yesterday' }), 'malformed_timestamp');
  assert.equal(given({ 'webhook-signature': 'v1a,abc' }), 'no_known_version');
  assert.equal(given({}, `${body}\n`), 'wrong_signature');
  assert.equal(given({}, JSON.stringify(JSON.parse(body), null, 1)), 'wrong_signature');
  const at = (seconds: number) => ({ secrets, now: new Date(now.getTime() + seconds * 1000) });
  assert.equal(
    reasonOf(() => verifyCallback({ headers, body }, at(300))),
    'verified',
  );
  assert.equal(
    reasonOf(() => verifyCallback({ headers, body }, at(301))),
    'too_old',
  );
  assert.equal(
    reasonOf(() => verifyCallback({ headers, body }, at(-300))),
    'verified',
  );
  assert.equal(
    reasonOf(() => verifyCallback({ headers, body }, at(-301))),
    'too_new',
  );
  assert.equal(
    reasonOf(() => verifyCallback({ headers, body }, { ...at(900), toleranceSeconds: 900 })),
    'verified',
  );
  const upperCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  assert.equal(verifyCallback({ headers: upperCase, body }, { secrets, now }).event_id, eventId);
  for (const body of ['no JSON', 'null', '"text"']) {
    const wellSigned = signedHeaders({ eventId, body }, [secrets[0]], now);
    assert.equal(
      reasonOf(() => verifyCallback({ headers: wellSigned, body }, { secrets, now, seen: new RecentEvents() })),
      'not_json',
    );
  }
});

test('a setting that is no secret, and a store that answers later, are told so instead of letting anything pass', () => {
  const forged = signedHeaders({ eventId, body }, ['whsec_'], now);
  for (const secret of ['whsec_', ' ', '***', 'whsec_!!!!', 'whsec_c2hvcnQ=']) {
    assert.throws(() => verifyCallback({ headers: forged, body }, { secrets: secret, now }), TypeError, secret);
  }
  assert.throws(() => verifyCallback({ headers, body }, { secrets: [], now }), TypeError);
  assert.equal(verifyCallback({ headers, body }, { secrets: ` ${secrets[0]}\n`, now }).event_id, eventId);
  const later = { has: async () => false } as unknown as Set<string>;
  assert.throws(() => verifyCallback({ headers, body }, { secrets, now, seen: later }), /^TypeError: seen\.has must answer/);
});

test('what the library of the specification signs is verified', () => {
  const present = new Date();
  const signed = {
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(present.getTime() / 1000)),
    'webhook-signature': new Webhook(secrets[0]).sign(eventId, present, body),
  };
  assert.equal(verifyCallback({ headers: signed, body }, { secrets }).event_id, eventId);
});
