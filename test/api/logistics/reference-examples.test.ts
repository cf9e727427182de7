import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { type CallbackBody, callbackEvents, callbackSchemas } from '../../../contract/logistics/callback.ts';
import { callbackExamples } from '../../../contract/logistics/callback-examples.ts';
import { logisticsReference } from '../../../reference/logistics/endpoints.ts';
import { overview } from '../../../reference/logistics/overview.ts';
import { signCallback } from '../../../server/domain/callbacks/callback-signature.ts';
import { deliveryRules } from '../../../server/domain/callbacks/retry-schedule.ts';
import { permissions } from '../../../server/domain/partners/provisioning.ts';
import { makeChecker } from '../../../server/platform/json/schema.ts';
import { startTestApp } from '../../support/app.ts';
import { addressOf } from '../../support/clients.ts';
import { cancelShipping, form, formPath, orderPath, owedFor, take } from '../../support/logistics.ts';
import { assertExamples, testSamples, withoutOurNumbers } from '../../support/reference-examples.ts';

/** The demo account of a first start, so that the examples can be sent there too. */
const demo = {
  apiKey: 'demo-api-key-of-thirty-two-characters-or-more',
  clientId: 'demo',
  checkValue: 'demo-check-value-of-thirty-two-characters-or-more',
};
/** Under this key, goods count when the warehouse has them, as in production. */
const laterKey = 'demo-confirm-key-of-thirty-two-characters-or-more';
const app = await startTestApp();
await app.provision({
  stores: [{ store_no: 1 }],
  accounts: [{ account_no: 'DEMO', environment: 'uat', secret: 'demo-secret-of-thirty-two-characters-or-more' }],
  clients: [
    { client_id: demo.clientId, check_value: demo.checkValue, account_no: 'DEMO', permissions: [...permissions] },
  ],
  logistics_keys: [
    { name: 'demo', key: demo.apiKey, account_no: 'DEMO', warehouse_no: 1, store_no: 1, receive_after_s: 0 },
    // A new UAT key: a form stays expected for the default time, and no job runs here.
    { name: 'later', key: laterKey, account_no: 'DEMO', warehouse_no: 1, store_no: 1 },
  ],
});
await fillALot();

async function fillALot(): Promise<void> {
  const most = Array.from({ length: 500 }, () => ({ sku: 'TEA-MANY', quantity: 1_000_000_000 }));
  for (const number of ['MANY-1', 'MANY-2']) await take(app, formPath, form(number, most), demo.apiKey);
}

function endpointOf(path: string) {
  return logisticsReference.endpoints.find((endpoint) => endpoint.path === path)!;
}

// Goods first: then the first order finds them.
for (const path of [formPath, orderPath]) {
  test(`the service answers as its reference shows: ${path}`, async () => {
    await assertExamples(endpointOf(path), [200, 400, 409], (body, name) => {
      const apiKey = ['expected', 'stopped'].includes(name) ? laterKey : demo.apiKey;
      return app.callLogistics(path, body, { apiKey });
    });
  });
}

const [callback] = logisticsReference.webhooks!;
const shown = (name: string) => callback!.body.examples[name]!.value as Record<string, unknown>;

test('callbacks of these examples are those that the reference shows', async () => {
  assert.deepEqual(await cancelShipping(app, ['WMS-2026-0001'], demo), [
    { internal_name: 'WMS-2026-0001', status: 'cancelled' },
  ]);
  for (const [documentNo, example] of [
    ['PO-2026-0001', 'inbound_received'],
    ['PO-2026-0002', 'inbound_stopped'],
    ['WMS-2026-0001', 'order_cancelled'],
  ] as const) {
    const bodies = (await owedFor(app, documentNo)).map(({ body }) => withoutOurNumbers(JSON.parse(body)));
    assert.deepEqual(bodies, [withoutOurNumbers(shown(example))]);
    assert.deepEqual(Object.keys(bodies[0]!), Object.keys(shown(example)));
  }
});

test('each event has an example with the fields of its schema, in the order in which they are sent', () => {
  for (const [index, schema] of Object.values(callbackSchemas).entries()) {
    const event = callbackEvents[index]!;
    const example: CallbackBody = callbackExamples[event];
    assert.equal(example.event, event);
    assert.equal(`${example.document_type}.${example.status}`, event);
    assert.deepEqual(makeChecker(schema)(example), { kind: 'valid', value: example });
    assert.deepEqual(Object.keys(example), Object.keys(schema.properties), event);
    assert.deepEqual([schema.properties.test.type, schema.required.includes('test')], ['boolean', true], event);
  }
});

test('the overview names every event', () => {
  const named = [...overview.matchAll(/`((?:order|inbound|return)\.[a-z_]+)`/g)].map((match) => match[1]!);
  assert.deepEqual([...new Set(named)].sort(), [...callbackEvents].sort());
});

test('the overview and the answers speak of retries as they are', () => {
  const { retryDelaysSeconds, jitter, retryAfterMaxSeconds, attemptSeconds } = deliveryRules;
  const words = overview.replaceAll('\n', ' ');
  assert.ok(
    words.includes(`we retry after ${retryDelaysSeconds.map(wordSeconds).join(', ')}, each delay up to 10 % longer`),
  );
  assert.equal(jitter, 0.1);
  assert.ok(words.includes(`up to ${wordSeconds(retryAfterMaxSeconds)}.`));
  assert.ok(words.includes(`A 2xx response within ${wordSeconds(attemptSeconds)} `));
  const hours = retryDelaysSeconds.reduce((sum, seconds) => sum + seconds, 0) / 3600;
  assert.ok(words.includes(`about ${Math.round(hours)} hours`));
  const { '2XX': arrived, default: again } = callback!.answers;
  assert.match(arrived!, new RegExp(`within ${wordSeconds(attemptSeconds)}:`));
  assert.match(again!, new RegExp(`up to ${wordSeconds(retryAfterMaxSeconds)}\\)`));
});

function wordSeconds(seconds: number): string {
  if (seconds >= 3600) return `${seconds / 3600} h`;
  return seconds >= 60 ? `${seconds / 60} min` : `${seconds} s`;
}

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const oldSecret = 'whsec_b2xkLXNlY3JldC1vZi10aGlzLWtleQ==';
const eventId = '0199c3b2-7d10-7f00-8a3e-5b1d2c4f6a80';
const body = JSON.stringify({ ...shown('order_cancelled'), note: '請按兩次鈴 ' });

interface ReceivedCase {
  how: string;
  genuine: boolean;
  headers: Record<string, string>;
  body: string;
  secret: string;
}

function receivedCases(): ReceivedCase[] {
  const now = Math.floor(Date.now() / 1000);
  const signedAt = (timestamp: number, signature: string) => ({
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
  });
  const byLibrary = (timestamp: number) => new Webhook(secret).sign(eventId, new Date(timestamp * 1000), body);
  const headers = signedAt(now, byLibrary(now));
  const bothSigned = signedAt(now, signCallback({ eventId, timestampSeconds: now, body }, [secret, oldSecret]));
  const { 'webhook-signature': _, ...unsigned } = headers;
  const good = { genuine: true, headers, body, secret };
  const bad = { ...good, genuine: false };
  return [
    { ...good, how: 'signed by the library' },
    { ...good, how: 'during a rotation, who knows the old secret', headers: bothSigned, secret: oldSecret },
    { ...good, how: 'almost 5 minutes old', headers: signedAt(now - 290, byLibrary(now - 290)) },
    { ...bad, how: 'too old', headers: signedAt(now - 310, byLibrary(now - 310)) },
    { ...bad, how: 'of the future', headers: signedAt(now + 320, byLibrary(now + 320)) },
    { ...bad, how: 'another secret', secret: oldSecret },
    { ...bad, how: 'another body', body: `${body} ` },
    { ...bad, how: 'another id', headers: { ...headers, 'webhook-id': eventId.replace('0', '1') } },
    { ...bad, how: 'no signature', headers: unsigned },
  ];
}

const [plainSample, librarySample] = [...overview.matchAll(/```ts\n(.*?)```/gs)].map((match) => match[1]!);

/** Each calls the function of a sample as a receiver would, and prints whether it has taken the callback for genuine. */
for (const [name, source, call] of [
  ['without a library', plainSample, 'isGenuine(headers, Buffer.from(body), secret)'],
  [
    'with standardwebhooks',
    librarySample,
    'readCallback(headers, Buffer.from(body), secret).event === "order.cancelled"',
  ],
] as const) {
  test(`the code of the overview tells genuine callbacks from others: ${name}`, async () => {
    const cases = receivedCases();
    const program = `${source}
      const judge = ({ headers, body, secret }) => { try { return ${call}; } catch { return false; } };
      console.log(JSON.stringify(JSON.parse(process.argv[1]).map(judge)));`;
    const cwd = new URL('../../..', import.meta.url);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module-typescript', '--eval', program, JSON.stringify(cases)],
      {
        cwd,
      },
    );
    const verdicts: boolean[] = JSON.parse(stdout);
    assert.deepEqual(
      cases.map(({ how }, index) => [how, verdicts[index]]),
      cases.map(({ how, genuine }) => [how, genuine]),
    );
  });
}

testSamples(
  'the sample calls with its key',
  async () =>
    logisticsReference.samples!(`${await addressOf(app)}/logistics${formPath}`, endpointOf(formPath).body!.example),
  { LADING_API_KEY: demo.apiKey },
  /"done":true,"msg":"success","retval":\{"document_no":"PO-2026-0001","status":"received","idempotent":true\}/,
);
