import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallbackError, RecentEvents, verifyCallback } from '../../sdk/client.ts';
import { signedHeaders } from '../../server/domain/callbacks/callback-signature.ts';

const secrets = ['whsec_bmV3LXNlY3JldC1mb3ItY2FsbGJhY2tz', 'whsec_b2xkLXNlY3JldC1mb3ItY2FsbGJhY2tz'] as const;
const eventId = '019a83c4-5e00-7b3c-9d41-6f2b8a1c0e57';
const body = JSON.stringify({ event_id: eventId, event: 'order.shipped', document_no: '茶-1', note: 'é "\\' });
const now = new Date('2026-11-15T09:00:00Z');
const headers = signedHeaders({ eventId, body }, [secrets[0]], now);

test('a callback of the service is verified, from the headers of Node and of fetch, from text and from bytes', () => {
  const parsed = { ...JSON.parse(body), duplicate: false };
  for (const given of [
    headers,
    new Headers(headers),
    { ...headers, 'webhook-signature': [headers['webhook-signature']!] },
  ]) {
    for (const bytes of [body, Buffer.from(body), new TextEncoder().encode(body)]) {
      assert.deepEqual(verifyCallback({ headers: given, body: bytes }, { secrets: secrets[0], now }), parsed);
    }
  }
});

test('an event that was handled is marked as a duplicate; one that failed half-way is not', () => {
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

test('the tolerance can be set, header names may be in upper case, and a signed body that is no JSON object is refused', () => {
  const later = new Date(now.getTime() + 900_000);
  const tolerant = { secrets, now: later, toleranceSeconds: 900 };
  assert.equal(verifyCallback({ headers, body }, tolerant).event_id, eventId);
  const upperCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  assert.equal(verifyCallback({ headers: upperCase, body }, { secrets, now }).event_id, eventId);
  for (const body of ['no JSON', 'null', '"text"']) {
    const signed = { headers: signedHeaders({ eventId, body }, [secrets[0]], now), body };
    const verify = () => verifyCallback(signed, { secrets, now, seen: new RecentEvents() });
    assert.throws(verify, (error) => error instanceof CallbackError && error.reason === 'not_json', body);
  }
});

test('an invalid secret and an asynchronous store of events are errors instead of letting callbacks pass', () => {
  const forged = signedHeaders({ eventId, body }, ['whsec_'], now);
  for (const secret of ['whsec_', ' ', '***', 'whsec_!!!!', 'whsec_c2hvcnQ=']) {
    assert.throws(() => verifyCallback({ headers: forged, body }, { secrets: secret, now }), TypeError, secret);
  }
  assert.throws(() => verifyCallback({ headers, body }, { secrets: [], now }), TypeError);
  assert.equal(verifyCallback({ headers, body }, { secrets: ` ${secrets[0]}\n`, now }).event_id, eventId);
  const later = { has: async () => false } as unknown as Set<string>;
  assert.throws(
    () => verifyCallback({ headers, body }, { secrets, now, seen: later }),
    /^TypeError: seen\.has must return/,
  );
});
