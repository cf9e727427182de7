import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { formatMessage } from '../../messages/format-message.ts';
import { connect, openDatabase } from '../../server/platform/postgres/database.ts';
import { migrate, readMigrations } from '../../server/platform/postgres/migrate.ts';
import { serviceLoginOf, weaknessOf } from '../../server/platform/postgres/roles.ts';
import { noAccounts } from '../../server/platform/postgres/sql.ts';
import { type ConnectionOptions, patienceSeconds, testPostgres } from '../support/database.ts';

const admin = connect(testPostgres(), 1);
const madeDatabases: string[] = [];
const madeRoles: string[] = [];
after(async () => {
  for (const name of madeDatabases) await admin.unsafe(`drop database ${name} with (force)`);
  for (const name of madeRoles) await admin.unsafe(`drop role if exists ${name}`);
  await admin.end();
});

/** An empty database whose owner is no superuser, and the login that the service will have there. */
async function makeOwnedDatabase(ownerMay: 'createrole' | 'nocreaterole') {
  const name = `roles_${randomBytes(4).toString('hex')}`;
  const [owner, service] = [`${name}_owner`, `${name}_service`];
  await admin.unsafe(`create role ${owner} login ${ownerMay} password 'of the owner'`);
  await admin.unsafe(`create database ${name} owner ${owner}`);
  madeDatabases.push(name);
  madeRoles.push(`${service}_purge`, service, owner);
  const base = { ...testPostgres(), database: name };
  return {
    owner: { ...base, username: owner, password: 'of the owner' },
    service: { ...base, username: service, password: "of the service, with ' and \\ and ü" },
  };
}

async function weaknessAs(connection: ConnectionOptions): Promise<string> {
  const database = openDatabase(connection, { max: 1, deadlineSeconds: patienceSeconds });
  try {
    const weakness = await database.read(noAccounts, weaknessOf);
    return weakness === null ? 'none' : formatMessage(weakness);
  } finally {
    await database.close();
  }
}

test('the owner creates the login of the service with the password of its URL, and a second migration changes nothing', async () => {
  const { owner, service } = await makeOwnedDatabase('createrole');
  const login = serviceLoginOf(service, owner);
  const all = await readMigrations(new URL('../../migrations/', import.meta.url));
  assert.deepEqual(await migrate(owner, { apply: true, service: login }), {
    kind: 'migrated',
    applied: all.map(({ name }) => name),
  });
  assert.equal(await weaknessAs(service), 'none');

  const grantedAt = () => admin.unsafe(`select oid, rolpassword from pg_authid where rolname = '${service.username}'`);
  const before = [...(await grantedAt())];
  assert.match(before[0]!.rolpassword, /^SCRAM-SHA-256\$4096:/);
  assert.deepEqual(await migrate(owner, { apply: true, service: login }), { kind: 'migrated', applied: [] });
  assert.deepEqual(await migrate(service, { apply: false }), { kind: 'migrated', applied: [] });
  assert.deepEqual([...(await grantedAt())], before);
});

test('an owner that may not create roles says what an administrator has to run; after that it grants the privileges', async () => {
  const { owner, service } = await makeOwnedDatabase('nocreaterole');
  const options = { apply: true, service: serviceLoginOf(service, owner) };
  const refused: Error = await migrate(owner, options).then(
    () => assert.fail('it was granted'),
    (error) => error,
  );
  const [, toRun] = /have an administrator of PostgreSQL run: (.*)\. Then run/.exec(refused.message)!;
  assert.equal(
    toRun,
    `create role "${service.username}" login noinherit password '...'; create role "${service.username}_purge"; ` +
      `grant "${service.username}_purge" to "${service.username}"`,
  );
  await admin.unsafe(toRun!.replace("'...'", `'${service.password.replaceAll("'", "''")}'`));
  assert.deepEqual(await migrate(owner, options), { kind: 'migrated', applied: [] });
  assert.equal(await weaknessAs(service), 'none');
});

test('a service that owns the tables, or is a superuser, is a weakness', async () => {
  const { owner } = await makeOwnedDatabase('nocreaterole');
  await migrate(owner, { apply: true });
  assert.match(
    await weaknessAs(owner),
    new RegExp(`logs in to PostgreSQL as ${owner.username}, which owns the tables`),
  );
  const superuser = { ...testPostgres(), database: owner.database };
  assert.match(await weaknessAs(superuser), /which is a superuser or bypasses row-level security/);
});

test('a service whose privileges are those of another version waits for lading migrate', async () => {
  const { owner, service } = await makeOwnedDatabase('createrole');
  const login = serviceLoginOf(service, owner);
  await migrate(owner, { apply: true, service: login });
  const sql = connect(owner, 1);
  after(() => sql.end());
  await sql.unsafe(
    `update granted_privileges set checksum = 'of another version'; revoke insert on orders from ${service.username}`,
  );
  for (const apply of [true, false])
    assert.deepEqual(await migrate(service, { apply }), { kind: 'pending', pending: ['privileges.sql'] });
  await migrate(owner, { apply: true, service: login });
  assert.deepEqual(await migrate(service, { apply: false }), { kind: 'migrated', applied: [] });
  const [row] = await sql.unsafe(`select has_table_privilege('${service.username}', 'orders', 'insert') as may`);
  assert.equal(row!.may, true);
});

test('two databases of one server may be migrated at the same time for the same login', async () => {
  const [one, other] = [await makeOwnedDatabase('createrole'), await makeOwnedDatabase('createrole')];
  const login = serviceLoginOf(one.service, one.owner);
  const asAdmin = ({ owner }: typeof one) => ({ ...testPostgres(), database: owner.database });
  const outcomes = await Promise.all(
    [one, other].map((each) => migrate(asAdmin(each), { apply: true, service: login })),
  );
  assert.deepEqual(
    outcomes.map(({ kind }) => kind),
    ['migrated', 'migrated'],
  );
});
