import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { dumpTables } from '../partners/dump.ts';
import { settingsFor } from '../support/command.ts';
import { makeTestStore } from '../support/database.ts';
import { makeRunHere } from './run-here.ts';

const store = await makeTestStore();
const folder = mkdtempSync(join(tmpdir(), 'callback-addresses-'));
after(async () => {
  rmSync(folder, { recursive: true });
  await store.close();
});
const { run, json } = makeRunHere(settingsFor(store));

const secret = `whsec_${Buffer.from('callback-secret-of-the-cli-test!').toString('base64')}`;
const files = { good: `${secret}\n`, short: 'whsec_c2hvcnQ=\n' };
const fileOf = (name: keyof typeof files) => join(folder, name);
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);

const url = 'https://alpha.example/lading';
const tenant = 'ALPHA TPW-A';
before(async () => {
  await json('warehouse create 1');
  await json('store create 10 --type upload');
  await json('account create ALPHA --environment uat');
  await json('account create LIVE --environment production');
  await json(`tenant create ${tenant} --warehouse 1 --store 10`);
  await json('key create wms --account ALPHA --warehouse 1 --store 10');
});

const done = (stdout: string) => ({ code: 0, stdout, stderr: '' });
const newSecret = /whsec_[A-Za-z0-9+/]{43}=/;

async function printed(command: string): Promise<string> {
  const { code, stdout, stderr } = await run(command);
  assert.deepEqual([code, stderr], [0, ''], command);
  return stdout.replace(newSecret, 'SECRET');
}

async function addressesOf(): Promise<unknown[]> {
  const [[account], [ofTenant]] = await Promise.all([
    json('account list').then((rows) => rows.filter((row: { account_no: string }) => row.account_no === 'ALPHA')),
    json('tenant list'),
  ]);
  return [account.callback_url, ofTenant.callback_url];
}

async function secretsOf(kind: string): Promise<unknown[]> {
  const rows = await store.database.read(
    (sql) => sql`
      select owner, valid_until is null as current from secret where kind = ${kind} order by valid_until nulls first`,
  );
  return rows.map(({ owner, current }) => [owner, current]);
}

/** Each command is refused in these words, and writes no row of any table. */
async function assertRefused(refusals: [command: string, code: number, message: string][]): Promise<void> {
  const before = await dumpTables(store.database);
  for (const [command, code, message] of refusals)
    assert.deepEqual(await run(command), { code, stdout: '', stderr: `lading: ${message}\n` }, command);
  assert.deepEqual(await dumpTables(store.database), before);
}

test('the first callback URL of an account or a tenant comes with a secret, which is shown once', async () => {
  const withSecret = (subject: string, owner: string) =>
    `changed ${subject} ${owner}: callback_url, callback_secret\n\nnew secrets, shown only once:\n  callback secret of ${owner}: SECRET\n`;
  assert.equal(await printed(`account callback ALPHA --url ${url}`), withSecret('account', 'ALPHA'));
  assert.equal(await printed(`tenant callback ${tenant} --url ${url}/tea`), withSecret('tenant', 'ALPHA/TPW-A'));
  assert.deepEqual(await addressesOf(), [url, `${url}/tea`]);
  assert.deepEqual(await secretsOf('account_callback_secret'), [['ALPHA', true]]);
  assert.deepEqual(await secretsOf('tenant_callback_secret'), [['ALPHA/TPW-A', true]]);
});

test('a URL is changed, removed and set again while its secret stays; the same again is no change', async () => {
  const changed = { kind: 'account', name: 'ALPHA', change: 'changed', fields: ['callback_url'] };
  assert.deepEqual(await run(`account callback ALPHA --url ${url}`), done('no changes\n'));
  assert.deepEqual(await json(`account callback ALPHA --url ${url}/2`), {
    changes: [changed],
    secrets: [],
    warnings: [],
  });
  assert.deepEqual(await run('account callback ALPHA --off'), done('changed account ALPHA: callback_url\n'));
  assert.deepEqual(await run(`tenant callback ${tenant} --off`), done('changed tenant ALPHA/TPW-A: callback_url\n'));
  assert.deepEqual(await addressesOf(), [null, null]);
  assert.deepEqual(await json('account callback ALPHA --off'), { changes: [], secrets: [], warnings: [] });
  const again = { ...changed, kind: 'tenant', name: 'ALPHA/TPW-A' };
  assert.deepEqual(await json(`tenant callback ${tenant} --url ${url}/tea`), {
    changes: [again],
    secrets: [],
    warnings: [],
  });
  assert.deepEqual(await run(`account callback ALPHA --url ${url}`), done('changed account ALPHA: callback_url\n'));
  assert.deepEqual(await addressesOf(), [url, `${url}/tea`]);
  assert.deepEqual(await secretsOf('account_callback_secret'), [['ALPHA', true]]);
});

test('rotate replaces the callback secret and says how long the previous one signs too', async () => {
  const { value, previous_valid_until, ...rotated } = await json('account rotate ALPHA --callback-secret --overlap 2h');
  assert.deepEqual(rotated, { kind: 'account_callback_secret', owner: 'ALPHA' });
  assert.match(value, newSecret);
  assert.match(previous_valid_until, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.deepEqual(await secretsOf('account_callback_secret'), [
    ['ALPHA', true],
    ['ALPHA', false],
  ]);
  const tenants = await printed(`tenant rotate ${tenant} --overlap 0`);
  const words = 'new callback secret of ALPHA/TPW-A, shown only once: SECRET\nthe previous one is no longer valid\n';
  assert.equal(tenants, words);
});

test('a secret from a file is used and never printed', async () => {
  const command = `account callback ALPHA --url ${url} --secret-file ${fileOf('good')}`;
  assert.deepEqual(await run(command), done('changed account ALPHA: callback_secret\n'));
  assert.deepEqual(await run(command), done('no changes\n'));
  const history = await run('account history ALPHA');
  assert.equal(`${history.stdout}${history.stderr}`.includes(secret), false);
});

test('an address or secret that is refused is named with its rule, and nothing is changed', async () => {
  const changedNothing = 'nothing was changed:\n  ';
  const reserved = `${changedNothing}callback_url: must not point to a private or reserved address`;
  await assertRefused([
    ['account callback ALPHA', 2, 'give either --url or --off'],
    [`tenant callback ${tenant} --url ${url} --off`, 2, 'give either --url or --off'],
    [`account callback NOBODY --url ${url}`, 1, `${changedNothing}account NOBODY does not exist`],
    [`tenant callback ALPHA TPW-X --url ${url}`, 1, `${changedNothing}tenant ALPHA/TPW-X does not exist`],
    ['account callback ALPHA --url http://10.0.0.7/x', 1, reserved],
    [`tenant callback ${tenant} --url http://127.0.0.1:8080/`, 1, reserved],
    [
      'account callback ALPHA --url none',
      2,
      `${changedNothing}callback_url: must be an http(s) URL without user name and password`,
    ],
    [
      'account callback ALPHA --url ftp://alpha.example/',
      2,
      `${changedNothing}callback_url: must be an http(s) URL without user name and password`,
    ],
    [
      `account callback ALPHA --url ${url}/3 --secret-file ${fileOf('short')}`,
      1,
      `${changedNothing}must be whsec_ followed by the base64 of 24 to 64 bytes`,
    ],
    ['account rotate LIVE --callback-secret', 1, 'there is no callback secret of LIVE; nothing was changed'],
    ['tenant rotate ALPHA TPW-X', 1, 'there is no callback secret of ALPHA/TPW-X; nothing was changed'],
  ]);
});

async function storedTest(eventId: string) {
  const [row] = await store.database.read(
    (sql) => sql`
      select event, document_no, key_name, url, status, test_of, body::json -> 'test' as test from callback where event_id = ${eventId}`,
  );
  return { ...row };
}

test('a test callback is queued for the URL of the account, or another one with the key that must sign', async () => {
  const { stdout } = await run('callbacks test ALPHA --event order.shipped');
  const [, eventId] = /^test callback ([0-9a-f-]{36}) goes to https:\/\/alpha\.example\/lading\n$/.exec(stdout) ?? [];
  const stored = { event: 'order.shipped', document_no: 'WMS-2026-0001', status: 'pending', test_of: 0, test: true };
  assert.deepEqual(await storedTest(eventId!), { ...stored, key_name: 'the account', url });

  const command = 'callbacks test ALPHA --event inbound.received --key wms --url https://other.example/';
  const { event_id, ...answer } = await json(command);
  const chosen = { document_no: 'PO-2026-0001', callback_url: 'https://other.example/' };
  assert.deepEqual(answer, chosen);
  assert.deepEqual(await storedTest(event_id), {
    ...stored,
    event: 'inbound.received',
    document_no: chosen.document_no,
    key_name: 'wms',
    url: chosen.callback_url,
  });
});

test('a test that is refused says why, and nothing is queued', async () => {
  const sent = 'callbacks test ALPHA --event order.shipped';
  await assertRefused([
    ['callbacks test NOBODY --event order.shipped', 1, 'there is no account NOBODY'],
    [`${sent} --document NONE`, 1, '--document not found'],
    [`${sent} --key nobody`, 1, 'there is no key nobody of ALPHA'],
    [`${sent} --url http://192.168.0.10/`, 1, '--url must not point to a private or reserved address'],
    ['callbacks test LIVE --event order.shipped', 1, '--url is missing, and no callback URL is set'],
    [
      `callbacks test LIVE --event order.shipped --url ${url}`,
      1,
      '--url must be omitted: only a UAT account chooses where a test goes',
    ],
  ]);
  const before = await dumpTables(store.database);
  for (const wrong of ['callbacks test ALPHA', 'callbacks test ALPHA --event order.lost', `${sent} --url nowhere`]) {
    const { code, stdout } = await run(wrong);
    assert.deepEqual([code === 0, stdout], [false, ''], wrong);
  }
  assert.deepEqual(await dumpTables(store.database), before);
});
