import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { CallbackError, verifyCallback, verifyCallbackAsync } from '../../sdk/client.ts';
import { signCallback, signedHeaders } from '../../server/domain/callbacks/callback-signature.ts';
import { freePort } from '../support/free-port.ts';
import { startProgram } from '../support/program.ts';
import { until } from '../support/worker.ts';
import { blockNamed, readGuide } from './guide.ts';
import { missingFor } from './programs.ts';
import { bodyOf, type CallbackVector, callbackVectors } from './vectors.ts';

const headersOf = ({ headers }: CallbackVector) => Object.fromEntries(headers);
const nowOf = ({ now }: CallbackVector) => new Date(now * 1000);

test('our signer makes the signatures of every callback vector', () => {
  for (const vector of callbackVectors.filter(({ reason }) => reason !== 'malformed_timestamp')) {
    const message = { eventId: vector.id, timestampSeconds: Number(vector.timestamp), body: bodyOf(vector) };
    assert.equal(signCallback(message, vector.signed_by), vector.signatures.join(' '), vector.name);
  }
});

test('the SDK accepts and rejects the callback vectors as stated, with their reasons, by node:crypto and by WebCrypto', async () => {
  for (const vector of callbackVectors) {
    const received = { headers: headersOf(vector), body: bodyOf(vector) };
    const options = { secrets: vector.secrets, now: nowOf(vector) };
    for (const verify of [
      async () => verifyCallback(received, options),
      () => verifyCallbackAsync(received, options),
    ]) {
      if (vector.valid) assert.equal((await verify()).event, 'order.shipped', vector.name);
      else {
        const isExpected = (error: unknown) => error instanceof CallbackError && error.reason === vector.reason;
        await assert.rejects(verify, isExpected, vector.name);
      }
    }
  }
});

test('the library of Standard Webhooks accepts and rejects the callback vectors as stated', (t) => {
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

test('each callback vector has its own name and never changes', () => {
  assert.equal(new Set(callbackVectors.map(({ name }) => name)).size, callbackVectors.length);
  const digest = createHash('sha256').update(readGuide('vectors/callback-signatures.json')).digest('hex');
  assert.equal(digest, '96c8c4e3ffe484db5e4a391d9e5e869b394df637cf0a4ba2d4b4d7b4086e0b67');
});

const folder = mkdtempSync(join(tmpdir(), 'lading-receiver-'));
after(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, 'node_modules/@lading'), { recursive: true });
symlinkSync(fileURLToPath(new URL('../../sdk', import.meta.url)), join(folder, 'node_modules/@lading/client'));
for (const file of ['php/lading.php', 'python/lading.py'])
  copyFileSync(new URL(`../../clients/${file}`, import.meta.url), join(folder, basename(file)));

const secret = 'whsec_cmVjZWl2ZXItb2YtdGhlLWd1aWRlLWZvci10ZXN0cw==';
const otherSecret = 'whsec_YW5vdGhlci1zZWNyZXQtb2YtdGhlLXNhbWUta2V5ISE=';
const [vectorSecret] = callbackVectors[0]!.secrets;
const bareSecret = vectorSecret!.replace('whsec_', '');
const eventId = '01994f3c-6d2a-7b1e-8c3d-0123456789ab';
const event = Buffer.from(
  JSON.stringify({ event_id: eventId, event: 'order.shipped', document_no: '茶-1', status: 'shipped' }),
);

interface Delivery {
  how: string;
  status: number;
  secrets?: string[];
  ageSeconds?: number;
  body?: Buffer;
  without?: string;
}
const deliveries: Delivery[] = [
  { how: 'signed with another secret', status: 400, secrets: [otherSecret] },
  {
    how: 'one bit of the body changed',
    status: 400,
    body: Buffer.from(event.toString().replace('shipped', 'shipqed')),
  },
  { how: 'signed ten minutes ago', status: 400, ageSeconds: 600 },
  { how: 'signed ten minutes ahead', status: 400, ageSeconds: -600 },
  { how: 'without its signature', status: 400, without: 'webhook-signature' },
  { how: 'without its timestamp', status: 400, without: 'webhook-timestamp' },
  { how: 'genuine', status: 200 },
  { how: 'the same again', status: 200, ageSeconds: 1 },
  { how: 'signed by the new secret and by the old one', status: 200, secrets: [otherSecret, secret] },
];

interface Receiver {
  file: string;
  /** The commands that build it and run it. */
  build?: [string, ...string[]];
  run: [string, ...string[]];
  /** The line that it prints for the event. */
  line: string;
  /** It takes one secret only. */
  hasOneSecret?: true;
}
const words = 'order.shipped 茶-1 shipped';
/** Java and C# have no JSON in their standard libraries: their receivers print the body. */
const bytes = `${eventId} ${event}`;
const receivers: Receiver[] = [
  { file: 'receiver.mts', run: [process.execPath, 'receiver.mts'], line: words, hasOneSecret: true },
  { file: 'receiver-plain.mjs', run: [process.execPath, 'receiver-plain.mjs'], line: words, hasOneSecret: true },
  { file: 'receiver.py', run: ['python3', 'receiver.py'], line: words },
  { file: 'receiver.php', run: ['php', '-S', '127.0.0.1:9090', 'receiver.php'], line: words },
  { file: 'Receiver.java', run: ['java', '-XX:TieredStopAtLevel=1', 'Receiver.java'], line: bytes },
  { file: 'Receiver.cs', build: ['mcs', 'Receiver.cs'], run: ['mono', 'Receiver.exe'], line: bytes },
  { file: 'receiver.go', build: ['go', 'build', 'receiver.go'], run: ['./receiver'], line: words },
];

for (const { file, build, run, line, hasOneSecret } of receivers) {
  test(`the receiver of the guide accepts genuine callbacks only, and handles each once: ${file}`, async (t) => {
    const missing = file.endsWith('.mjs') ? null : await missingFor(file);
    if (missing) return t.skip(`${missing} is not on this machine`);
    const port = await freePort();
    writeFileSync(join(folder, file), blockNamed(readGuide('callbacks.md'), file).replace('9090', String(port)));
    if (build) await promisify(execFile)(build[0], build.slice(1), { cwd: folder });
    const command = run.map((word) => word.replace('9090', String(port))) as Receiver['run'];
    const LADING_CALLBACK_SECRET = hasOneSecret ? secret : `${vectorSecret} ${secret}`;
    const receiver = startProgram(command, { cwd: folder, env: { LADING_CALLBACK_SECRET } });
    const url = `http://127.0.0.1:${port}/`;
    const isListening = () => fetch(url, { method: 'POST', body: '{}' }).then(Boolean, () => false);
    await until('the receiver listens', isListening);

    for (const delivery of deliveries)
      assert.equal(await deliver(url, delivery), delivery.status, `${delivery.how}: ${receiver.printed()}`);
    for (const { name, headers, body, valid } of hasOneSecret ? [] : vectorsNow()) {
      const { status } = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
      assert.equal(status, valid ? 200 : 400, `${name}: ${receiver.printed()}`);
    }
    await receiver.stop();
    assert.match(receiver.printed(), /CallbackError: the signature does not match|rejected: not signed recently/);
    const worked = receiver
      .printed()
      .split('\n')
      .filter((one) => one.includes(line));
    // PHP forgets from one request to the next: its sample leaves that to the store.
    assert.equal(worked.length, file === 'receiver.php' ? 3 : 1, receiver.printed());
  });
}

/**
 * The vectors of one secret, moved to the present, because a receiver has its own clock. Those at the limit of the
 * tolerance are left out: a second may pass.
 */
function vectorsNow() {
  const seconds = Math.floor(Date.now() / 1000) - callbackVectors[0]!.now;
  const moved = new Map(
    callbackVectors.flatMap((vector) => {
      const message = {
        eventId: vector.id,
        timestampSeconds: Number(vector.timestamp) + seconds,
        body: bodyOf(vector),
      };
      return vector.signatures.map((old, index) => [
        bare(old),
        bare(signCallback(message, [vector.signed_by[index]!])),
      ]);
    }) as [string, string][],
  );
  const moveHeader = ([name, value]: [string, string]): [string, string] => {
    if (/^\d+$/.test(value)) return [name, String(Number(value) + seconds)];
    return [name, [...moved].reduce((text, [old, now]) => text.replaceAll(old, now), value)];
  };
  return callbackVectors
    .filter(
      ({ secrets, now, timestamp }) => secrets[0]!.endsWith(bareSecret) && Math.abs(now - Number(timestamp)) < 300,
    )
    .map((vector) => ({ ...vector, headers: vector.headers.map(moveHeader), body: bodyOf(vector) }));
}

/** Without version and padding, so that truncated signatures are moved as well. */
function bare(signature: string): string {
  return signature.replace(/^v1,/, '').replace(/=$/, '');
}

async function deliver(
  url: string,
  { secrets = [secret], ageSeconds = 0, body = event, without }: Delivery,
): Promise<number> {
  const signed = signedHeaders({ eventId, body: event }, secrets, new Date(Date.now() - ageSeconds * 1000));
  const headers = Object.fromEntries(Object.entries(signed).filter(([name]) => name !== without));
  return (await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })).status;
}
