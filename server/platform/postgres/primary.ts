/** A server that a database URL names. */
export interface DatabaseHost {
  host: string;
  port: number;
}

export type ServerRole = 'primary' | 'standby' | { unreachable: string };
export type AskRole = (server: DatabaseHost) => Promise<ServerRole>;

/** Finds the one server among several that accepts writes. */
export interface PrimaryFinder {
  /** The primary. If none is found, the servers in turn, so that the connection attempt fails with its own reason. */
  find(): Promise<DatabaseHost>;
  /** Why there are only standbys, for people; null if there is a primary, or if no server answers. */
  explain(): Promise<string | null>;
}

const defaultPort = 5432;
const roleParameter = 'target_session_attrs';
/** Connections that are opened at the same moment share one search. */
const foundIsValidMs = 500;

/** `host1:5432,[::1]:5433,host3`, as in libpq. The folder of a unix socket is a host too. */
export function readHosts(databaseUrl: string): DatabaseHost[] {
  return hostListOf(databaseUrl)
    .split(',')
    .map((item) => {
      const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(item) ?? [];
      return { host: bracketed ?? decodeURIComponent(plain ?? item), port: Number(port ?? defaultPort) };
    });
}

/** The same URL with one host and without a role: the driver misreads lists and some roles, so we handle both. */
export function singleHostUrl(databaseUrl: string): string {
  const url = new URL(firstHostOnly(databaseUrl));
  url.searchParams.delete(roleParameter);
  return url.href;
}

/** The roles that a URL may request. All of them lead to a primary, since everything we do may write. */
export function isUsableRole(databaseUrl: string): boolean {
  const role = new URL(firstHostOnly(databaseUrl)).searchParams.get(roleParameter);
  return role === null || ['any', 'primary', 'read-write'].includes(role);
}

function firstHostOnly(databaseUrl: string): string {
  const list = hostListOf(databaseUrl);
  return databaseUrl.replace(list, list.split(',', 1)[0]!);
}

/** The part between the credentials, if any, and the name of the database. */
function hostListOf(databaseUrl: string): string {
  const authority = databaseUrl.slice(databaseUrl.indexOf('://') + 3).split(/[/?]/, 1)[0]!;
  return authority.slice(authority.lastIndexOf('@') + 1);
}

export function makePrimaryFinder(servers: DatabaseHost[], askRole: AskRole): PrimaryFinder {
  let turn = 0;
  let last: { found: Promise<DatabaseHost | null>; atMs: number } | null = null;

  async function search(): Promise<DatabaseHost | null> {
    const asked = servers.map(async (server) => {
      if ((await askRole(server)) !== 'primary') throw new Error('not the primary');
      return server;
    });
    return await Promise.any(asked).catch(() => null);
  }

  return {
    async find() {
      if (last === null || performance.now() - last.atMs > foundIsValidMs)
        last = { found: search(), atMs: performance.now() };
      return (await last.found) ?? servers[turn++ % servers.length]!;
    },
    async explain() {
      const roles = await Promise.all(servers.map(askRole));
      return roles.includes('primary') || !roles.includes('standby') ? null : explainRoles(roles);
    },
  };
}

/** Does not name servers, because readiness is public. */
function explainRoles(roles: ServerRole[]): string {
  const causes = roles.flatMap((role) => (typeof role === 'object' ? [role.unreachable] : []));
  const standbys = roles.length - causes.length;
  if (roles.length === 1) return 'the server is a standby and accepts no writes';
  const unreachable = causes.length > 0 ? `, out of reach: ${causes.length} (${[...new Set(causes)].join(', ')})` : '';
  return `no server accepts writes; standbys: ${standbys}${unreachable}`;
}
