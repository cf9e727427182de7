import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Command, CommanderError } from 'commander';
import { ladingProgram } from '../../cli/lading.ts';
import { settings } from '../../server/config.ts';
import { connect } from '../../server/platform/database.ts';
import { newTraceId } from '../../server/platform/ids.ts';
import { dumpTables } from '../partners/dump.ts';
import { alpha, startTestApp } from '../support/app.ts';
import { settingsFor } from '../support/command.ts';
import { dropTestDatabase, makeTestDatabase } from '../support/database.ts';
import { quickChildren } from './quick-children.ts';
import { makeRunHere } from './run-here.ts';

const app = await startTestApp();
const { database } = app.store;
const ownSettings = settingsFor(app.store);
const { run, json, folder } = quickChildren(ownSettings);
const here = makeRunHere(ownSettings);
const emptyDatabase = await makeTestDatabase('template0');
after(() => dropTestDatabase(emptyDatabase));

function fileWith(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const { commands } = await ladingProgram([]);

/** The help of a command and of everything below it, as it is printed. */
async function helpOf(command: Command, path: string[] = []): Promise<[path: string, help: string, exitCode: number][]> {
  const printed: string[] = [];
  const capture = { writeOut: (text: string) => void printed.push(text), writeErr: (text: string) => void printed.push(text) };
  for (const one of [command, ...command.commands]) one.configureOutput(capture);
  const ended = await command.parseAsync(['--help'], { from: 'user' }).catch((error: unknown) => error);
  const exitCode = ended instanceof CommanderError ? ended.exitCode : -1;
  const ownPath = [...path, command.name()];
  const below = await Promise.all(command.commands.map((one) => helpOf(one, ownPath)));
  return [[ownPath.join(' '), printed.join(''), exitCode], ...below.flat()];
}

test('every command and every subcommand has help that names it, says what it does, and offers --json', async () => {
  const helps = (await Promise.all(commands.map((command) => helpOf(command)))).flat();

  assert.equal(new Set(helps.map(([path]) => path)).size, helps.length);
  for (const [path, help, exitCode] of helps) {
    assert.equal(exitCode, 0, path);
    assert.match(help, new RegExp(`^Usage: lading ${path} .*\n\n\\w`), path);
    assert.match(help, /--json +answer in JSON/, path);
  }
  const partnerCommands = helps.map(([path]) => path).filter((path) => path.includes(' '));
  const always = ['create', 'list', 'history'];
  assert.deepEqual(partnerCommands, [
    ...[...always, 'rotate'].map((verb) => `warehouse ${verb}`),
    ...always.map((verb) => `store ${verb}`),
    ...[...always, 'rotate', 'disable', 'enable'].map((verb) => `account ${verb}`),
    ...[...always, 'disable', 'enable'].map((verb) => `tenant ${verb}`),
    ...['client', 'key', 'operator'].flatMap((word) => [...always, 'rotate', 'disable', 'enable'].map((verb) => `${word} ${verb}`)),
    'token-key list',
    'token-key rotate',
    ...['list', 'movements', 'expiring', 'correct', 'regrade'].map((verb) => `stock ${verb}`),
    'order show',
    'inbound show',
    ...['list', 'schedule', 'retry', 'push'].map((verb) => `transfer ${verb}`),
    ...['list', 'show', 'redeliver', 'listen'].map((verb) => `callbacks ${verb}`),
  ]);
});

test('lading --help lists every command, every setting and every exit code, needs no settings, and exits with 0', async () => {
  const [all, one] = await Promise.all([run(['--help'], { PORT: 'wrong' }), run(['account', 'rotate', '--help'], { PORT: 'wrong' })]);

  for (const { code, stderr } of [all, one]) assert.deepEqual([code, stderr], [0, '']);
  const listed = /\nCommands:\n(.*?)\n\n/s.exec(all.stdout)![1]!.matchAll(/^ {2}([\w-]+)/gm);
  assert.deepEqual(
    [...listed].map(([, name]) => name),
    [...commands.map((command) => command.name()), 'help'],
  );
  for (const { name, fallback } of settings)
    assert.ok(all.stdout.includes(`  ${name} `) && all.stdout.includes(`(default: ${fallback}`), name);
  assert.match(all.stdout, /Exit codes:\n {2}0 .*\n {2}1 .*\n {2}2 .*\n {2}3 /);
  assert.match(one.stdout, /--overlap <time>/);
});

test('a command, an option or an argument that is unknown, missing or wrong exits with 2 and says so', async () => {
  const realOnes = 2;
  const wrong: [args: string[], message: RegExp][] = [
    [['serv'], /^error: unknown command 'serv'/],
    [['account', 'list', '--nonsense'], /^error: unknown option '--nonsense'/],
    [['account', 'rotate', 'ALPHA', '--overlap', '90'], /It must be like 90s, 30m, 24h, 7d or 0\./],
    [['warehouse', 'create', 'one'], /^lading: nothing was changed:\n {2}warehouse_no: must be integer\n$/],
    [['apply', join(folder, 'none.yaml')], /none\.yaml cannot be read \(ENOENT\)\n$/],
  ];
  const before = await dumpTables(database);
  const results = await Promise.all(wrong.map(([args], index) => (index < realOnes ? run(args) : here.run(args))));

  results.forEach(({ code, stdout, stderr }, index) => {
    assert.deepEqual([code, stdout], [2, ''], stderr);
    assert.match(stderr, wrong[index]![1]);
  });
  assert.deepEqual(await dumpTables(database), before);
});

test('wrong settings exit with 2 and are all listed, also as JSON', async () => {
  const env = { PORT: 'x', RATE_LIMIT: 'x', DATABASE_URL: 'mysql://hidden@db/x', MASTER_KEY: 'hidden' };
  const details = [
    'PORT must be a whole number from 0 to 65535, not "x"',
    'DATABASE_URL must be a URL such as postgres://user:password@host/database; of several hosts the primary is used (target_session_attrs: any, primary or read-write)',
    'MASTER_KEY must be 32 bytes in base64',
    `RATE_LIMIT must be 'off' or a whole number from 1 to 1000000, not "x"`,
  ];
  const [words, asJson] = await Promise.all([run(['account', 'list'], env), run(['serve', '--json'], env)]);

  assert.deepEqual(words, {
    code: 2,
    stdout: '',
    stderr: `lading: these settings are wrong:\n${details.map((line) => `  ${line}\n`).join('')}`,
  });
  assert.deepEqual([asJson.code, asJson.stdout], [2, '']);
  assert.deepEqual(JSON.parse(asJson.stderr), { error: 'these settings are wrong:', details });
});

test('a database that refuses us exits with 3 at once, and the password is not repeated', async () => {
  const env = settingsFor({ ...app.store, connection: { ...app.store.connection, database: 'no_such_database' } });
  assert.deepEqual(await run(['account', 'list'], env), {
    code: 3,
    stdout: '',
    stderr: 'lading: the database refuses us (3D000): check user, password and name in DATABASE_URL\n',
  });
});

test('apply tells what it changed and shows new secrets once; the second time there are no changes', async () => {
  const file = fileWith(
    'right.yaml',
    'stores: [{ store_no: 77 }]\naccounts: [{ account_no: APPLIED, environment: uat }, { account_no: ALPHA, name: Alef }]\n',
  );
  const first = await run(['apply', file]);
  const after = await dumpTables(database);
  const [second, asJson] = await Promise.all([
    here.run(['apply', file]),
    run(['apply', '-', '--json'], ownSettings, 'stores: [{ store_no: 77 }]'),
  ]);

  const secret = /las_[A-Za-z0-9_-]{43}/.exec(first.stdout)![0];
  assert.deepEqual(first, {
    code: 0,
    stdout:
      'created store 77\ncreated account APPLIED\nchanged account ALPHA: name\n\n' +
      `new secrets, shown this once:\n  account secret of APPLIED: ${secret}\n`,
    stderr: '',
  });
  assert.deepEqual(second, { code: 0, stdout: 'no changes\n', stderr: '' });
  assert.deepEqual(asJson, { code: 0, stdout: `${JSON.stringify({ changes: [], secrets: [], warnings: [] }, null, 2)}\n`, stderr: '' });
  assert.deepEqual(await dumpTables(database), after);
});

test('apply of a wrong file exits with 1, names every mistake with its line, and changes nothing', async () => {
  const unread = fileWith('unread.yaml', 'stores:\n  - store_no: x\n    color: red\n');
  const refused = fileWith(
    'refused.yaml',
    'stores: [{ store_no: 78 }]\nclients:\n  - { client_id: c, account_no: NOBODY }\n  - client_id: d\n',
  );
  const before = await dumpTables(database);
  const [first, second] = await Promise.all([here.run(['apply', unread]), here.run(['apply', refused, '--json'])]);

  assert.deepEqual(first, {
    code: 1,
    stdout: '',
    stderr:
      `lading: ${unread} has mistakes; nothing was changed:\n` +
      '  line 2, stores[0].store_no: must be integer\n  line 3, stores[0].color: unknown field\n',
  });
  const details = [
    'line 3, clients[0].account_no: account NOBODY does not exist',
    'line 4, clients[1]: account_no is missing, and client d is new',
  ];
  assert.deepEqual([second.code, second.stdout], [1, '']);
  assert.deepEqual(JSON.parse(second.stderr), { error: `${refused} has mistakes; nothing was changed:`, details });
  assert.deepEqual(await dumpTables(database), before);
});

test('on a database of your own, migrations wait for lading migrate; a database newer than the software is refused', async () => {
  const env = settingsFor({ ...app.store, connection: emptyDatabase });
  const lacking = /^lading: the database lacks migrations: 0001_partners\.sql, .*; run "lading migrate"\n$/;
  const serveSettings = { ...env, PORT: '0', LOG_LEVEL: 'silent' };
  const waiting = [run(['account', 'list'], env), run(['serve', '--no-migrate'], serveSettings)];
  for (const { code, stdout, stderr } of await Promise.all(waiting)) {
    assert.deepEqual([code, stdout], [3, '']);
    assert.match(stderr, lacking);
  }

  const migrated = await run(['migrate'], env);
  assert.deepEqual([migrated.code, migrated.stdout], [0, 'the database is up to date\n']);
  assert.match(migrated.stderr, /^applied migrations: 0001_partners\.sql, /);
  const [again, list] = await Promise.all([run(['migrate', '--json'], env), run(['account', 'list'], env)]);
  assert.deepEqual([again.code, JSON.parse(again.stdout)], [0, { up_to_date: true, progress: [] }]);
  assert.deepEqual(list, { code: 0, stdout: 'there is no account yet; make one with: lading account create --help\n', stderr: '' });

  const sql = connect(emptyDatabase, 1);
  await sql`insert into schema_migration (version, name, checksum) values (9999, '9999_tomorrow.sql', 'x')`;
  await sql.end();
  assert.deepEqual(await run(['migrate'], env), {
    code: 3,
    stdout: '',
    stderr: 'lading: the database is newer than this version of Lading: it has 9999_tomorrow.sql\n',
  });
});

test('doctor tells what became of a call and why, also what the caller was not told', async () => {
  const refused = await app.callWarehouse('/product/sync', {}, { secret: 'wrong' });
  await app.requestLog.flush();
  const traceId = refused.headers['trace-id'] as string;
  const [words, line] = await Promise.all([here.run(['doctor', traceId]), here.json(['doctor', traceId])]);

  assert.deepEqual([words.code, words.stderr], [0, '']);
  assert.match(words.stdout, /^call +POST \/warehouse\/v1\/product\/sync \(warehouse API\)$/m);
  assert.match(words.stdout, /^account +ALPHA$/m);
  assert.match(words.stdout, /^why +the signature does not match$/m);
  assert.deepEqual([line.trace_id, line.account_no, line.status, line.reason], [traceId, 'ALPHA', 401, 'the signature does not match']);
});

test('doctor exits with 1 for a call it does not know, and with 2 for what is no trace id', async () => {
  const unknown = newTraceId(Date.UTC(2026, 0, 1));
  const ofTheFuture = 'ffffffff-ffff-7fff-bfff-ffffffffffff';
  const young = newTraceId(Date.now() - 10_000);
  const [first, second, ...others] = await Promise.all(
    [unknown, young, 'garbage', ofTheFuture].map((traceId) => here.run(['doctor', traceId])),
  );

  assert.deepEqual(first, {
    code: 1,
    stdout: '',
    stderr: 'lading: no call with this trace id is in the request log (it is kept for REQUEST_LOG_DAYS)\n',
  });
  assert.deepEqual(second, {
    code: 1,
    stdout: '',
    stderr: 'lading: no call with this trace id is in the request log yet: ask again in a moment\n',
  });
  for (const other of others) assert.deepEqual(other, { code: 2, stdout: '', stderr: 'lading: this is not a trace id of ours\n' });
});

test('sign prints the headers for exactly the given bytes: from an argument, a file or standard input', async () => {
  const body = '{"sku_name": "烏龍茶 "}\n';
  const secretFile = fileWith('secret', 'secret-from-file\n');
  const results = await Promise.all([
    headersOf(run(['sign', body, '--account', 'ALPHA'])),
    json(['sign', `@${fileWith('body', body)}`, '--account', 'ALPHA']),
    // With the secret at hand, no database is needed.
    headersOf(run(['sign', '-', '--account', 'ELSEWHERE', '--secret-file', secretFile], {}, body)),
  ]);
  const signers = [alpha, alpha, { accountNo: 'ELSEWHERE', secret: 'secret-from-file' }];

  results.forEach((headers, index) => {
    const { accountNo, secret } = signers[index]!;
    assert.deepEqual(Object.keys(headers), ['account-no', 'timestamp', 'sign']);
    assert.equal(headers['account-no'], accountNo);
    assert.match(headers.timestamp!, /^\d{10}$/);
    assert.equal(headers.sign, createHmac('sha256', secret).update(`${body}${headers.timestamp}`).digest('hex'));
  });
});

async function headersOf(result: ReturnType<typeof run>): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await result;
  assert.deepEqual([code, stderr], [0, '']);
  return Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(': ') as [string, string]),
  );
}

test('sign for an account that is not here exits with 1', async () => {
  assert.deepEqual(await here.run(['sign', '{}', '--account', 'NOBODY']), {
    code: 1,
    stdout: '',
    stderr: 'lading: there is no account NOBODY here; give --secret-file to sign for one elsewhere\n',
  });
});

test('what apply changed is written down with the command and the user who ran it', async () => {
  const [row] = await database.read((sql) => sql`select actor from partner_change where subject_kind = 'store' and subject = '77'`);
  assert.equal(row!.actor, `apply (${userInfo().username})`);
});
