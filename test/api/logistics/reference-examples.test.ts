import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { callbackEvents } from '../../../contract/logistics/callback.ts';
import { overview } from '../../../contract/logistics/overview.ts';
import { logisticsReference } from '../../../contract/logistics/reference.ts';
import type { ExampleReference } from '../../../contract/reference.ts';
import { signCallback } from '../../../server/domain/callbacks/callback-signature.ts';
import { deliveryRules } from '../../../server/domain/callbacks/retry-schedule.ts';
import { permissions } from '../../../server/domain/partners/provisioning.ts';
import { missingFor, runProgram } from '../../docs/programs.ts';
import { startTestApp } from '../../support/app.ts';
import { cancelShipping, form, formPath, orderPath, owedFor, take } from '../../support/logistics.ts';

/** As in the demo account of a first start, so that the examples can be sent there too. */
const demo = { apiKey: 'demo-api-key', clientId: 'demo', checkValue: 'demo-check-value' };
/** As a production account has it: goods count when the warehouse has them. */
const confirming = 'demo-confirm-key';
const app = await startTestApp();
await app.provision({
  stores: [{ store_no: 1 }],
  accounts: [{ account_no: 'DEMO', environment: 'uat', secret: 'demo-secret' }],
  clients: [{ client_id: demo.clientId, check_value: demo.checkValue, account_no: 'DEMO', permissions: [...permissions] }],
  logistics_keys: [
    { name: 'demo', key: demo.apiKey, account_no: 'DEMO', warehouse_no: 1, store_no: 1 },
    { name: 'confirm', key: confirming, account_no: 'DEMO', warehouse_no: 1, store_no: 1, receiving: 'on_confirm' },
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

const decidedByUs = new Set([200, 400, 409]);

// Goods first: then the first order finds them.
for (const path of [formPath, orderPath]) {
  test(`the service answers as its reference shows: ${path}`, async () => {
    const { answers } = endpointOf(path);
    for (const { status, examples } of answers.filter((answer) => decidedByUs.has(answer.status))) {
      for (const [name, example] of Object.entries(examples)) {
        const apiKey = ['expected', 'stopped'].includes(name) ? confirming : demo.apiKey;
        const answer = await app.callLogistics(path, bodyOf(path, name, example), { apiKey });
        assert.equal(answer.status, status, `${name}: ${answer.text}`);
        assert.deepEqual(answer.json, example.value, name);
      }
    }
  });
}

function bodyOf(path: string, name: string, { sent }: ExampleReference): unknown {
  if (name === 'unreadable') return '{"form_no":';
  return sent ?? endpointOf(path).body!.example;
}

const [callback] = logisticsReference.webhooks!;
const shown = (name: string) => callback!.body.examples[name]!.value as Record<string, unknown>;

test('callbacks of these examples are those that the reference shows', async () => {
  assert.deepEqual(await cancelShipping(app, ['WMS-2026-0001'], demo), [{ internal_name: 'WMS-2026-0001', status: 'cancelled' }]);
  for (const [documentNo, example] of [
    ['PO-2026-0001', 'inbound_received'],
    ['PO-2026-0002', 'inbound_stopped'],
    ['WMS-2026-0001', 'order_cancelled'],
  ] as const) {
    const bodies = (await owedFor(app, documentNo)).map(({ body }) => withoutOurNumbers(JSON.parse(body)));
    assert.deepEqual(bodies, [withoutOurNumbers(shown(example))]);
    assert.deepEqual(Object.keys(bodies[0]!), Object.keys(shown(example)));
  }
  const { event, status, shipment_no, carrier, ...rest } = shown('order_cancelled');
  const { event: shipped, shipment_no: shipmentNo, ...other } = shown('order_shipped');
  assert.deepEqual([event, status, shipment_no, carrier], ['order.cancelled', 'cancelled', null, null]);
  assert.deepEqual(other, { ...rest, status: 'shipped', carrier: other.carrier });
  assert.deepEqual([shipped, typeof shipmentNo, typeof other.carrier], ['order.shipped', 'string', 'string']);
});

/** What differs each time, by its form. */
function withoutOurNumbers(body: object): Record<string, unknown> {
  const text = JSON.stringify(body)
    .replace(/"event_id":"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"/, '"event_id":"ours"')
    .replace(/"si_[0-9a-f]{20}"/, '"si_ours"')
    .replace(/"(ow_WMS-2026-0001_)[0-9a-f]{10}"/, '"$1ours"')
    .replace(/"occurred_at":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+08:00"/, '"occurred_at":"then"');
  return JSON.parse(text);
}

test('the overview names every event', () => {
  const named = [...overview.matchAll(/`((?:order|inbound|return)\.[a-z]+)`/g)].map((match) => match[1]!);
  assert.deepEqual([...new Set(named)].sort(), [...callbackEvents].sort());
});

test('the overview and the answers speak of retries as they are', () => {
  const { retryDelaysSeconds, jitter, retryAfterMaxSeconds, attemptSeconds } = deliveryRules;
  const words = overview.replaceAll('\n', ' ');
  assert.ok(words.includes(`again after ${retryDelaysSeconds.map(wordSeconds).join(', ')}, each up to a tenth longer`));
  assert.equal(jitter, 0.1);
  assert.ok(words.includes(`up to ${wordSeconds(retryAfterMaxSeconds)}.`));
  assert.ok(words.includes(`Any 2xx within ${wordSeconds(attemptSeconds)} `));
  const hours = retryDelaysSeconds.reduce((sum, seconds) => sum + seconds, 0) / 3600;
  assert.ok(words.includes(`about ${Math.round(hours)} hours`));
  const { '2XX': arrived, default: again } = callback!.answers;
  assert.match(arrived!, new RegExp(`within ${wordSeconds(attemptSeconds)}\\.`));
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
    ...{ 'webhook-id': eventId, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature },
  });
  const byLibrary = (timestamp: number) => new Webhook(secret).sign(eventId, new Date(timestamp * 1000), body);
  const headers = signedAt(now, byLibrary(now));
  const bothSigned = signedAt(now, signCallback({ eventId, timestampSeconds: now, body }, [secret, oldSecret]));
  const { 'webhook-signature': _, ...unsigned } = headers;
  const { 'webhook-timestamp': __, ...untimed } = headers;
  const good = { genuine: true, headers, body, secret };
  const bad = { ...good, genuine: false };
  return [
    { ...good, how: 'signed by the library' },
    { ...good, how: 'during a rotation, who knows the new secret', headers: bothSigned },
    { ...good, how: 'during a rotation, who knows the old secret', headers: bothSigned, secret: oldSecret },
    { ...good, how: 'almost 5 minutes old', headers: signedAt(now - 290, byLibrary(now - 290)) },
    { ...bad, how: 'too old', headers: signedAt(now - 310, byLibrary(now - 310)) },
    { ...bad, how: 'of the future', headers: signedAt(now + 320, byLibrary(now + 320)) },
    { ...bad, how: 'another secret', secret: oldSecret },
    { ...bad, how: 'another body', body: `${body} ` },
    { ...bad, how: 'another id', headers: { ...headers, 'webhook-id': eventId.replace('0', '1') } },
    { ...bad, how: 'another time', headers: { ...headers, 'webhook-timestamp': String(now - 1) } },
    { ...bad, how: 'a signature cut short', headers: { ...headers, 'webhook-signature': headers['webhook-signature'].slice(0, -1) } },
    { ...bad, how: 'no signature', headers: unsigned },
    { ...bad, how: 'no timestamp', headers: untimed },
    { ...bad, how: 'no headers', headers: {} },
  ];
}

const [plainSample, librarySample] = [...overview.matchAll(/```ts\n(.*?)```/gs)].map((match) => match[1]!);

/** Each calls the function of a sample as a receiver would, and prints whether it has taken the callback for genuine. */
for (const [name, source, call] of [
  ['without a library', plainSample, 'isGenuine(headers, Buffer.from(body), secret)'],
  ['with standardwebhooks', librarySample, 'readCallback(headers, Buffer.from(body), secret).event === "order.cancelled"'],
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

for (const [label, file] of [
  ['TypeScript', 'call.mts'],
  ['curl', 'call.sh'],
  ['Python', 'call.py'],
] as const) {
  test(`the sample calls with its key: ${label}`, async (t) => {
    const missing = await missingFor(file);
    if (missing) return t.skip(`${missing} is not on this machine`);
    const stdout = await runProgram(file, await sampleFor(label), { LADING_API_KEY: demo.apiKey });
    assert.match(stdout, /"done":true,"msg":"success","retval":\{"document_no":"PO-2026-0001","status":"received","idempotent":true\}/);
  });
}

async function sampleFor(label: string): Promise<string> {
  if (!app.http.server.listening) await app.http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.http.server.address() as AddressInfo;
  const samples = logisticsReference.samples!(`http://127.0.0.1:${port}/logistics${formPath}`, endpointOf(formPath).body!.example);
  return samples.find((sample) => sample.label === label)!.source;
}
