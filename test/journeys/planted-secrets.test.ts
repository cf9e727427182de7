import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect } from '../../server/platform/postgres/database.ts';
import { makeRunHere } from '../cli/run-here.ts';
import { startTestApp } from '../support/app.ts';
import { type CommandResult, runLading, settingsFor } from '../support/command.ts';
import { onCitus } from '../support/database.ts';
import { listenRaw, rawRequest } from '../support/raw-http.ts';

/** Every planted secret carries this word; base64 of it is what a callback secret carries. */
const marker = 'PLANTED';
const markerInBase64 = Buffer.from(`${marker}-CB`).toString('base64').slice(0, 10);

const app = await startTestApp();
const settings = settingsFor(app.store);
const folder = mkdtempSync(join(tmpdir(), 'lading-planted-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let planted = 0;
const plant = (kind: string) => `${marker}-${kind}-${++planted}-${'x'.repeat(24)}`;
const plantCallbackSecret = () =>
  `whsec_${Buffer.from(`${marker}-CB-${++planted}-${'x'.repeat(24)}`).toString('base64')}`;

const accounts = Array.from({ length: 40 }, (_, index) => ({
  account_no: `P${index}`,
  environment: 'production' as const,
  secret: plant('account'),
}));
const clients = accounts.map(({ account_no }) => ({
  client_id: `c-${account_no}`,
  account_no,
  check_value: plant('check'),
  permissions: ['stocks.read'],
}));
const logistics_keys = accounts.map(({ account_no }) => ({
  name: 'k',
  account_no,
  warehouse_no: 77,
  store_no: 77,
  key: plant('key'),
  callback_secret: plantCallbackSecret(),
}));
const warehouses = Array.from({ length: 5 }, (_, index) => ({
  warehouse_no: 77 + index,
  connector: { type: 'http' as const, url: 'http://127.0.0.1:9/', secret: plant('connector') },
}));
const operators = Array.from({ length: 3 }, (_, index) => ({
  username: `op${index}`,
  role: 'staff' as const,
  password: plant('password'),
}));
const provisioning = { warehouses, stores: [{ store_no: 77 }], accounts, clients, logistics_keys, operators };

const here = makeRunHere({ ...settings, LOG_LEVEL: 'trace' });
const results: CommandResult[] = [];
async function run(args: string[], input = ''): Promise<CommandResult> {
  const result = await runLading(args, { ...settings, LOG_LEVEL: 'trace' }, input);
  results.push(result);
  return result;
}

test('planted secrets of every kind are provisioned by the command line', async () => {
  const file = join(folder, 'partners.json');
  writeFileSync(file, JSON.stringify(provisioning));
  const applied = await run(['apply', file]);
  assert.deepEqual([applied.code, applied.stderr], [0, '']);
  assert.equal((await run(['apply', file])).stdout, 'no changes\n');
});

test('no command prints or logs a planted secret: lists, histories, refusals, mistakes', async () => {
  const wrong = [
    { accounts: [{ account_no: plant('misplaced'), environment: plant('misplaced'), secret: [plant('misplaced')] }] },
    { clients: [{ client_id: `${plant('misplaced')} with a space`, check_value: { value: plant('misplaced') } }] },
    { logistics_keys: [{ ...logistics_keys[0], name: 'other', account_no: 'P1' }] },
    { operators: [{ username: 'x', role: 'admin', password: 7 }, plant('misplaced')] },
  ];
  for (const document of wrong) assert.equal((await run(['apply', '-'], JSON.stringify(document))).code, 1);
  assert.equal((await run(['apply', '-'], `accounts: [{ secret: "${plant('unclosed')} }`)).code, 1);
  assert.equal((await run(['apply', '-'], `accounts:\n  - secret: ${plant('a')}\n  secret: ${plant('b')}`)).code, 1);
  const kinds = ['warehouse', 'store', 'account', 'tenant', 'client', 'key', 'operator'];
  const commands = [
    ...kinds.map((kind) => [kind, 'list', '--json']),
    ['account', 'history', 'P1'],
    ['client', 'history', 'c-P1', '--json'],
    ['key', 'history', 'k', '--account', 'P1'],
    ['operator', 'history', 'op1'],
    ['account', 'create', 'P1', '--environment', 'uat'],
    ['account', 'disable', 'P2'],
    ['sign', '{}', '--account', 'P1'],
    ['token-key', 'list'],
  ];
  for (const args of commands) results.push(await here.run(args));
  for (const { stdout, stderr } of results) assertClean(stdout + stderr, 'a command');
});

test('no request leaves a planted secret in a log line, the request log or a response', async () => {
  const bodies = [
    { sku_id: plant('body'), sku_name: plant('body'), storage_type: plant('body') },
    {
      sku_id: { secret: plant('body') },
      sku_name: 'x'.repeat(300) + plant('body'),
      storage_type: 1,
      sku_images: [plant('body')],
    },
    { [plant('key')]: 1, sku_id: 'A', sku_name: 'B', storage_type: 1, length: plant('body') },
  ];
  const answers: string[] = [];
  for (const body of bodies) answers.push((await app.callWarehouse('/product/sync', body)).text);
  answers.push((await app.callWarehouse('/product/sync', `{"sku_id": "${plant('broken')}`)).text);
  const connect = await listenRaw(app);
  const chunked = rawRequest('POST', '/warehouse/v1/product/sync', [['transfer-encoding', 'chunked']]);
  for (const bytes of [`${plant('noise')}\r\n\r\n`, Buffer.concat([chunked, Buffer.from(`${plant('chunk')}\r\n`)])]) {
    const connection = await connect();
    connection.send(bytes);
    const answer = await connection.answer();
    assert.equal(answer?.status, 400);
    answers.push(answer.text);
  }
  const headers = ['sign', 'timestamp', 'account-no', 'authorization', 'cookie', 'x-api-key', 'content-type'];
  for (const header of headers) {
    answers.push((await app.callWarehouse('/product/sync', {}, { headers: { [header]: plant('header') } })).text);
  }
  for (const url of [
    `/api/v2/${plant('path')}`,
    `/logistics/x?key=${plant('query')}`,
    `/warehouse/v1/${plant('path')}`,
    `/${plant('path')}%zz`,
  ]) {
    answers.push((await app.http.inject({ method: 'POST', url, headers: { authorization: plant('bearer') } })).payload);
  }
  const askForToken = async (ClientId: string, CheckValue: unknown) =>
    (await app.http.inject({ method: 'POST', url: '/api/v1/token/getToken', payload: { ClientId, CheckValue } }))
      .payload;
  for (const { client_id, check_value } of clients.slice(0, 5)) answers.push(await askForToken(client_id, check_value));
  answers.push(
    await askForToken(plant('id'), plant('guess')),
    await askForToken('c-P1', plant('guess')),
    await askForToken('c-P1', [plant('x')]),
  );
  for (const authorization of [
    plant('bearer'),
    `Bearer ${plant('bearer')}`,
    `Bearer ${plant('a')}.${plant('b')}.${plant('c')}`,
  ]) {
    answers.push((await app.callMain('/orders/cancel', {}, { headers: { authorization } })).text);
  }
  for (const answer of answers) assertClean(answer, 'an answer');

  await app.requestLog.flush();
  assert.ok(app.logLines.length > 0);
  assertClean(app.logLines.join(''), 'the log');
});

// The files of the rows are on the workers there.
const skip = onCitus && 'not on Citus';

test('no planted secret is readable in a dump of the database, in its files or in its log', { skip }, async () => {
  const sql = connect(app.store.connection, 1);
  try {
    const tables = await sql<
      { name: string }[]
    >`select format('%I', tablename) as name from pg_tables where schemaname = 'public'`;
    let control = false;
    for (const { name } of tables) {
      for (const { line } of await sql.unsafe<{ line: string }[]>(`select t::text as line from ${name} t`)) {
        assertClean(decoded(line), name);
        control ||= line.includes('c-P39');
      }
    }
    assert.ok(control, 'the dump contains a value that is not secret');
    await sql`checkpoint`;
    const [place] = await sql<{ data: string; oid: number }[]>`
      select current_setting('data_directory') as data, oid::int from pg_database where datname = current_database()`;
    control = false;
    for (const part of [`base/${place!.oid}`, 'pg_wal', 'log']) {
      for (const file of readdirSync(join(place!.data, part), { withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      )) {
        const content = readFileSync(join(place!.data, part, file.name));
        assertClean(content, `${part}/${file.name}`);
        control ||= content.includes('c-P39');
      }
    }
    assert.ok(control, 'the files contain a value that is not secret');
  } finally {
    await sql.end();
  }
});

function assertClean(content: string | Buffer, where: string): void {
  for (const needle of [marker, markerInBase64])
    assert.ok(!content.includes(needle), `a planted secret is readable in ${where}`);
}

/** The line, and what its bytea columns (`\x...`) hold. */
function decoded(line: string): string {
  const held = [...line.matchAll(/\\\\?x([0-9a-f]{2,})/g)].map((match) =>
    Buffer.from(match[1]!, 'hex').toString('latin1'),
  );
  return [line, ...held].join('\n');
}
