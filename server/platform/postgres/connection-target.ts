import { readFileSync } from 'node:fs';
import type { ConnectionOptions as TlsOptions } from 'node:tls';

/** A server that a database URL names. */
export interface DatabaseHost {
  host: string;
  port: number;
}

/** Where a database is: as a URL (`DATABASE_URL`), or in parts (the embedded one). */
export type ConnectionTarget =
  | string
  | { host: string; port: number; username: string; password: string; database: string };

/** What connections to every server of a target have in common. */
export interface Login {
  user: string;
  password: string;
  database: string;
  tls: Tls;
  /** Settings that the URL gives to each connection, such as `search_path`. */
  settings: Record<string, string>;
}

export type Tls = { use: 'never' } | { use: 'if_offered' | 'always'; options: TlsOptions };

const defaultPort = 5432;
const roleParameter = 'target_session_attrs';
/** Parameters of a URL that are not settings of the server. */
const ownParameters = new Set([roleParameter, 'ssl', 'sslmode', 'sslrootcert', 'connect_timeout']);

export function serversOf(target: ConnectionTarget): DatabaseHost[] {
  return typeof target === 'string' ? readHosts(target) : [target];
}

/** `host1:5432,[::1]:5433,host3`, as in libpq. The folder of a unix socket is a host too. */
export function readHosts(databaseUrl: string): DatabaseHost[] {
  return hostListOf(databaseUrl)
    .split(',')
    .map((item) => {
      const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(item) ?? [];
      return { host: bracketed ?? decodeURIComponent(plain ?? item), port: Number(port ?? defaultPort) };
    });
}

/** The roles that a URL may request. All of them lead to a primary, since everything we do may write. */
export function isUsableRole(databaseUrl: string): boolean {
  const role = new URL(firstHostOnly(databaseUrl)).searchParams.get(roleParameter);
  return role === null || ['any', 'primary', 'read-write'].includes(role);
}

export function loginOf(target: ConnectionTarget): Login {
  if (typeof target !== 'string') {
    const { username, password, database } = target;
    return { user: username, password, database, tls: { use: 'never' }, settings: {} };
  }
  const url = new URL(firstHostOnly(target));
  const user = decodeURIComponent(url.username);
  const parameters = Object.fromEntries(url.searchParams);
  return {
    user,
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)) || user,
    tls: tlsOf(parameters.sslmode ?? parameters.ssl ?? 'disable', parameters.sslrootcert),
    settings: Object.fromEntries(Object.entries(parameters).filter(([name]) => !ownParameters.has(name))),
  };
}

/** As in libpq: only the two modes that verify look at the certificate. */
function tlsOf(mode: string, rootFile: string | undefined): Tls {
  const ca = rootFile === undefined ? {} : { ca: readFileSync(rootFile) };
  switch (mode) {
    case 'disable':
    case 'allow':
    case 'false':
      return { use: 'never' };
    case 'prefer':
      return { use: 'if_offered', options: { rejectUnauthorized: false } };
    case 'require':
    case 'no-verify':
      return { use: 'always', options: { rejectUnauthorized: false } };
    case 'verify-ca':
      return { use: 'always', options: { ...ca, checkServerIdentity: () => undefined } };
    default:
      return { use: 'always', options: ca };
  }
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
