import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Command, CommanderError } from 'commander';
import { ladingProgram } from '../../cli/lading.ts';
import { connect } from '../../server/platform/postgres/database.ts';
import { settings } from '../../server/settings.ts';
import { dumpTables } from '../partners/dump.ts';
import { startTestApp } from '../support/app.ts';
import { migratingSettingsFor, runLading, settingsFor } from '../support/command.ts';
import { dropTestDatabase, makeTestDatabase } from '../support/database.ts';
import { makeRunHere } from './run-here.ts';

const app = await startTestApp();
const { database } = app.store;
const ownSettings = settingsFor(app.store);
const here = makeRunHere(ownSettings);
const emptyDatabase = await makeTestDatabase('template0');
const folder = mkdtempSync(join(tmpdir(), 'commands-test-'));
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await dropTestDatabase(emptyDatabase);
});

function fileWith(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const { commands } = await ladingProgram([]);

/** The printed help of a command and of its subcommands. */
async function helpOf(
  command: Command,
  path: string[] = [],
): Promise<[path: string, help: string, exitCode: number][]> {
  const printed: string[] = [];
  const capture = {
    writeOut: (text: string) => void printed.push(text),
    writeErr: (text: string) => void printed.push(text),
  };
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
    assert.match(help, new RegExp(`^Usage: lading ${path}(?:\\|\\w+)? .*\n\n\\w`), path);
    assert.match(help, /--json +print the result as JSON/, path);
  }
  const partnerCommands = helps.map(([path]) => path).filter((path) => path.includes(' '));
  const always = ['create', 'list', 'history'];
  assert.deepEqual(partnerCommands, [
    ...[...always, 'rotate'].map((verb) => `warehouse ${verb}`),
    ...always.map((verb) => `store ${verb}`),
    ...[...always, 'rotate', 'callback', 'disable', 'enable'].map((verb) => `account ${verb}`),
    ...[...always, 'rotate', 'callback', 'disable', 'enable'].map((verb) => `tenant ${verb}`),
    ...['client', 'key', 'operator'].flatMap((word) =>
      [...always, 'rotate', 'disable', 'enable'].map((verb) => `${word} ${verb}`),
    ),
    ...['warehouses', 'reset-totp', 'break-glass'].map((verb) => `operator ${verb}`),
    'token-key list',
    'token-key rotate',
    'products import',
    ...['list', 'movements', 'expiring', 'adjust', 'regrade', 'move'].map((verb) => `stock ${verb}`),
    ...['show', 'update', 'hold', 'release', 'forget'].map((verb) => `order ${verb}`),
    'inbound show',
    ...['list', 'schedule', 'retry', 'push'].map((verb) => `transfer ${verb}`),
    ...['list', 'show', 'redeliver', 'test', 'listen'].map((verb) => `callbacks ${verb}`),
  ]);
});

test('lading --help lists every command, every setting and every exit code, needs no settings, and exits with 0', async () => {
  const [all, one] = await Promise.all([
    runLading(['--help'], { PORT: 'wrong' }),
    runLading(['account', 'rotate', '--help'], { PORT: 'wrong' }),
  ]);
  for (const { code, stderr } of [all, one]) assert.deepEqual([code, stderr], [0, '']);
  const listed = /\nCommands:\n(.*?)\n\n/s.exec(all.stdout)![1]!.matchAll(/^ {2}([\w-]+)/gm);
  const names = [...listed].map(([, name]) => name);
  assert.deepEqual(names, [...commands.map((command) => command.name()), 'help']);
  for (const { name, fallback } of settings)
    assert.ok(all.stdout.includes(`  ${name} `) && all.stdout.includes(`(default: ${fallback}`), name);
  assert.match(all.stdout, /Exit codes:\n {2}0 .*\n {2}1 .*\n {2}2 .*\n {2}3 /);
  assert.match(one.stdout, /--overlap <time>/);
});

test('an unknown, missing or wrong command, option or argument exits with 2 and is named', async () => {
  const wrong: [command: string, message: RegExp][] = [
    ['account list --nonsense', /^error: unknown option '--nonsense'/],
    ['account rotate ALPHA --overlap 90', /It must be a duration such as 90s, 30m, 24h, 7d or 0\./],
    [
      'tenant create ALPHA T --warehouse 1 --store 1 --over-delivery 2000',
      /It must be a whole number between 0 and 1000\./,
    ],
    [
      'warehouse create one',
      /^lading: nothing was changed:\n {2}warehouse_no: must be a whole number between 1 and 2147483647\n$/,
    ],
    [`apply ${join(folder, 'none.yaml')}`, /none\.yaml cannot be read \(ENOENT\)\n$/],
  ];
  const before = await dumpTables(database);
  const unknown = await runLading(['serv'], ownSettings);
  assert.deepEqual([unknown.code, unknown.stdout], [2, '']);
  assert.match(unknown.stderr, /^error: unknown command 'serv'/);
  for (const [command, message] of wrong) {
    const { code, stdout, stderr } = await here.run(command);
    assert.deepEqual([code, stdout], [2, ''], stderr);
    assert.match(stderr, message);
  }
  assert.deepEqual(await dumpTables(database), before);
});

test('wrong settings exit with 2 and are all listed, also as JSON', async () => {
  const wrong = makeRunHere({ PORT: 'x', RATE_LIMIT: 'x', DATABASE_URL: 'mysql://hidden@db/x', MASTER_KEY: 'hidden' });
  const details = [
    'PORT must be a whole number from 0 to 65535, not "x"',
    'DATABASE_URL must be a URL such as postgres://user:password@host/database; if several hosts are listed, the primary is used',
    'MASTER_KEY must be 32 bytes in base64',
    `RATE_LIMIT must be 'off' or a whole number from 1 to 1000000, not "x"`,
  ];
  const stderr = `lading: invalid settings:\n${details.map((line) => `  ${line}\n`).join('')}`;
  assert.deepEqual(await wrong.run('account list'), { code: 2, stdout: '', stderr });
  const asJson = await wrong.run('serve --json');
  assert.deepEqual([asJson.code, asJson.stdout], [2, '']);
  assert.deepEqual(JSON.parse(asJson.stderr), { error: 'invalid settings:', details });
});

test('a database that rejects the connection exits with 3 at once, and the password is not repeated', async () => {
  const env = settingsFor({ ...app.store, connection: { ...app.store.connection, database: 'no_such_database' } });
  assert.deepEqual(await runLading(['account', 'list'], env), {
    code: 3,
    stdout: '',
    stderr:
      'lading: the database rejects the connection (3D000): check user, password and database name in DATABASE_URL\n',
  });
});

test('apply reports its changes and shows new secrets once, under the name of its user; the second time there are no changes', async () => {
  const text =
    'stores: [{ store_no: 77 }]\naccounts: [{ account_no: APPLIED, environment: uat }, { account_no: ALPHA, name: Alef }]\n';
  const file = fileWith('right.yaml', text);
  const first = await here.run(`apply ${file}`);
  const applied = await dumpTables(database);
  const secret = /las_[A-Za-z0-9_-]{43}/.exec(first.stdout)![0];
  assert.deepEqual(first, {
    code: 0,
    stdout:
      'created store 77\ncreated account APPLIED\nchanged account ALPHA: name\n\n' +
      `new secrets, shown only once:\n  account secret of APPLIED: ${secret}\n`,
    stderr: '',
  });
  const [row] = await database.read((sql) => sql`select actor from partner_change where subject = '77'`);
  assert.equal(row!.actor, `apply (${userInfo().username})`);

  assert.deepEqual(await here.run(`apply ${file}`), { code: 0, stdout: 'no changes\n', stderr: '' });
  const nothing = JSON.stringify({ changes: [], secrets: [], warnings: [] }, null, 2);
  const fromInput = await runLading(['apply', '-', '--json'], ownSettings, text);
  assert.deepEqual(fromInput, { code: 0, stdout: `${nothing}\n`, stderr: '' });
  assert.deepEqual(await dumpTables(database), applied);
});

test('apply of a wrong file exits with 1, names every mistake with its line, and changes nothing', async () => {
  const unread = fileWith('unread.yaml', 'stores:\n  - store_no: x\n    color: red\n    nmae: Web\n');
  const refused = fileWith(
    'refused.yaml',
    'stores: [{ store_no: 78 }]\nclients:\n  - { client_id: c, account_no: NOBODY }\n  - client_id: d\n',
  );
  const before = await dumpTables(database);
  assert.deepEqual(await here.run(`apply ${unread}`), {
    code: 1,
    stdout: '',
    stderr:
      `lading: ${unread} contains errors; nothing was changed:\n` +
      '  line 2, stores[0].store_no: must be a whole number between 1 and 2147483647\n  line 3, stores[0].color: unknown field\n  line 4, stores[0].nmae: unknown field; did you mean name?\n',
  });
  const { code, stdout, stderr } = await here.run(`apply ${refused} --json`);
  assert.deepEqual([code, stdout], [1, '']);
  assert.deepEqual(JSON.parse(stderr), {
    error: `${refused} contains errors; nothing was changed:`,
    details: [
      'line 3, clients[0].account_no: account NOBODY does not exist',
      'line 4, clients[1]: account_no is missing, and client d is new',
    ],
  });
  assert.deepEqual(await dumpTables(database), before);
});

test('on an external database, migrations wait for lading migrate; a database that a newer version has migrated is used unless that version broke it', async () => {
  const env = { ...migratingSettingsFor({ ...app.store, connection: emptyDatabase }), PORT: '0', LOG_LEVEL: 'silent' };
  const external = makeRunHere(env);
  for (const command of ['account list', 'serve --no-migrate']) {
    const { code, stdout, stderr } = await external.run(command);
    assert.deepEqual([code, stdout], [3, '']);
    assert.match(
      stderr,
      /^lading: the database lacks migrations: 0001_schema\.sql(, \d{4}_\w+\.sql)*; run "lading migrate"\n$/,
    );
  }

  const migrated = await runLading(['migrate'], env);
  assert.deepEqual([migrated.code, migrated.stdout], [0, 'the database is up to date\n']);
  assert.match(migrated.stderr, /^applied \d+ migrations: 0001_schema\.sql to \d{4}_\w+\.sql\n/);
  assert.deepEqual(await external.json('migrate'), { up_to_date: true, progress: [] });
  assert.deepEqual(await external.run('account list'), {
    code: 0,
    stdout: 'there are no accounts yet; create one with: lading account create --help\n',
    stderr: '',
  });

  const sql = connect(emptyDatabase, 1);
  await sql`insert into schema_migration (version, name, checksum) values (9998, '9998_tomorrow.sql', 'x')`;
  const newer = 'a newer version of Lading has migrated the database (9998_tomorrow.sql); this one uses it unchanged';
  assert.deepEqual(await external.json('migrate'), { up_to_date: true, progress: [newer] });

  await sql`insert into schema_migration (version, name, checksum) values (9999, '9999_breaking_later.sql', 'x')`;
  await sql.end();
  assert.deepEqual(await external.run('migrate'), {
    code: 3,
    stdout: '',
    stderr:
      'lading: the database is newer than this version of Lading, which cannot use it after 9999_breaking_later.sql\n',
  });
});
