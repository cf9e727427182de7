import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { escapeIdentifier } from 'pg';
import type { Message } from '../../../messages/message.ts';
import { weakness } from '../../../messages/weakness-texts.ts';
import { type ConnectionTarget, loginOf } from './connection-target.ts';
import type { PlainSql } from './database.ts';
import type { Sql, Tx } from './sql.ts';

/** The login of the service, which is not the owner of the tables. */
export interface ServiceLogin {
  name: string;
  password: string;
}

/** null if the service logs in as the owner. */
export function serviceLoginOf(service: ConnectionTarget, owner: ConnectionTarget): ServiceLogin | null {
  const { user, password } = loginOf(service);
  return user === loginOf(owner).user ? null : { name: user, password };
}

/** Why the owner cannot create a role, or cannot give it its privileges; for the operator. */
export class CannotGrant extends Error {}

const privilegesFile = new URL('../../../migrations/privileges.sql', import.meta.url);

export interface Privileges {
  text: string;
  checksum: string;
}

export async function readPrivileges(): Promise<Privileges> {
  const text = await readFile(privilegesFile, 'utf8');
  return { text, checksum: createHash('sha256').update(text).digest('hex') };
}

/** Whether the role has the privileges of this version. After a restore, the record may be there and the role not. */
export async function areGranted(sql: Sql, { name }: ServiceLogin, { checksum }: Privileges): Promise<boolean> {
  const [row] = await sql<{ granted: boolean }[]>`
    select exists (select from granted_privileges where service_role = ${name} and checksum = ${checksum}) and exists (
      select from pg_auth_members where roleid = to_regrole(quote_ident(${purgeRoleOf(name)})) and member = to_regrole(quote_ident(${name}))
    ) as granted`;
  return row!.granted;
}

/** Whether the login of this connection has the privileges of another version. */
export async function areOutdated(sql: Sql, { checksum }: Privileges): Promise<boolean> {
  return (
    (await sql`select from granted_privileges where service_role = current_user and checksum <> ${checksum}`).length > 0
  );
}

/** Creates the two roles if they do not exist, and gives them exactly the privileges of this version. */
export async function grantPrivileges(sql: PlainSql, login: ServiceLogin, privileges: Privileges): Promise<void> {
  const work = async (tx: Tx) => {
    await createRoles(tx, login);
    const [here] = await tx<Record<string, string>[]>`
      select current_schema() as schema, current_database() as database`;
    const names: Record<string, string> = { service: login.name, purge: purgeRoleOf(login.name), ...here };
    const isName = /:(service|purge|schema|database)\b/g;
    await tx.unsafe(privileges.text.replace(isName, (_, name) => escapeIdentifier(names[name]!)));
    await tx`
      insert into granted_privileges (service_role, checksum) values (${login.name}, ${privileges.checksum})
      on conflict (service_role) do update set checksum = excluded.checksum, granted_at = now()`;
  };
  for (let tries = 1; ; tries++) {
    try {
      return await sql.begin(work);
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      if (code === '42501') throw cannotGrant(login.name, error as Error);
      if (!metAnother.includes(code) || tries === triesMax) throw error;
    }
  }
}

/** Roles belong to the whole server: somebody may create the same ones for another database at the same time. */
const metAnother = ['42710', '23505', 'XX000'];
const triesMax = 5;

async function createRoles(tx: Tx, { name, password }: ServiceLogin): Promise<void> {
  const purge = purgeRoleOf(name);
  const [found] = await tx<{ service: boolean; purge: boolean; isMember: boolean; version: number }[]>`
    select current_setting('server_version_num')::int / 10000 as version,
      exists (select from pg_roles where rolname = ${name}) as service,
      exists (select from pg_roles where rolname = ${purge}) as purge,
      exists (select from pg_auth_members where roleid = to_regrole(quote_ident(${purge})) and member = to_regrole(quote_ident(${name}))) as "isMember"`;
  const [service, purgeRole] = [escapeIdentifier(name), escapeIdentifier(purge)];
  if (!found!.service) await tx.unsafe(`create role ${service} login password '${verifierOf(password)}'`);
  if (!found!.purge) await tx.unsafe(`create role ${purgeRole}`);
  if (found!.isMember) return;
  // The service has the rights of the purge role only where it becomes that role.
  const isOwnOption = found!.version >= 16;
  await tx.unsafe(`grant ${purgeRole} to ${service}${isOwnOption ? ' with inherit false' : ''}`);
  if (!isOwnOption) await tx.unsafe(`alter role ${service} noinherit`);
}

function purgeRoleOf(serviceRole: string): string {
  return `${serviceRole}_purge`;
}

/**
 * The form in which PostgreSQL stores a password (SCRAM-SHA-256). The password itself would appear in the log of a
 * server that logs statements.
 */
function verifierOf(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, scramIterations, 32, 'sha256');
  const keyOf = (label: string) => createHmac('sha256', salted).update(label).digest();
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${scramIterations}:${salt.toString('base64')}$${storedKey}:${keyOf('Server Key').toString('base64')}`;
}

const scramIterations = 4096;

function cannotGrant(name: string, cause: Error): CannotGrant {
  const [service, purge] = [escapeIdentifier(name), escapeIdentifier(purgeRoleOf(name))];
  return new CannotGrant(
    `the login of DATABASE_OWNER_URL may not create or grant the roles of the service (${cause.message}). Let it create roles (CREATEROLE), or have an ` +
      `administrator of PostgreSQL run: create role ${service} login noinherit password '...'; create role ${purge}; grant ${purge} to ${service}. ` +
      'Then run "lading migrate" again',
    { cause },
  );
}

/**
 * Lets the rest of the transaction delete documents of UAT accounts. A service that logs in as the owner of the tables
 * has no such role and needs none.
 */
export async function becomePurgeRole(tx: Tx): Promise<void> {
  await tx`
    select set_config('role', rolname, true) from pg_roles
    where rolname = session_user || '_purge' and pg_has_role(session_user, oid, 'member')`;
}

/** Why the database does not protect its rows from the service; null if it does. */
export async function weaknessOf(sql: Sql): Promise<Message | null> {
  const [role] = await sql<{ name: string; isSuperuser: boolean; isOwner: boolean }[]>`
    select current_user as name, rolsuper or rolbypassrls as "isSuperuser",
      exists (select from pg_class where oid = to_regclass('orders') and pg_has_role(relowner, 'usage')) as "isOwner"
    from pg_roles where rolname = current_user`;
  if (!role!.isSuperuser && !role!.isOwner) return null;
  const params = { login: role!.name, consequence: weakness('one_database_login') };
  return role!.isSuperuser ? weakness('service_is_superuser', params) : weakness('service_owns_tables', params);
}
