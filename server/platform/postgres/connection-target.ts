import { userInfo } from 'node:os';
import { type ConnectionParameters, ConnectionStringMistake, readConnectionString } from './connection-string.ts';
import { readTls, type Tls, withoutTls } from './connection-tls.ts';

/** A server that a connection string names. */
export interface DatabaseHost {
  /** A name, an address, or the folder of a unix socket. */
  host: string;
  port: number;
  /** The address to connect to, if it is not to be looked up (`hostaddr`). */
  address?: string;
}

/** Where a database is: as a connection string (`DATABASE_URL`), or in parts (the embedded one). */
export type ConnectionTarget =
  | string
  | { host: string; port: number; username: string; password: string; database: string };

/** What connections to every server of a target have in common. */
export interface Login {
  user: string;
  password: string;
  database: string;
  tls: Tls;
  /** Settings that the target gives to each connection, such as `search_path`. */
  settings: Record<string, string>;
  connectWithinMs: number;
}

const defaultPort = 5432;
/** A request has 3.5 s, so a connection attempt must end sooner. libpq has no limit by default. */
const defaultConnectSeconds = 3;
const connectSecondsMax = 600;

/** The role of the server that a connection string leads to. */
export type WantedRole = 'primary' | 'standby';

/** The values of `target_session_attrs` that a connection string may have. */
const usableRoles: Record<WantedRole, string[]> = {
  primary: ['any', 'primary', 'read-write'],
  // Without a standby, the primary in DATABASE_URL is used, so the three mean the same.
  standby: ['prefer-standby', 'standby', 'read-only'],
};

/** Parameters that are not settings of the server. */
const ownParameters = [
  ...['host', 'hostaddr', 'port', 'user', 'password', 'dbname', 'connect_timeout', 'target_session_attrs'],
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword'],
];

/** Other parameters of libpq, with the values that change nothing here. */
const harmlessValues: Record<string, string[]> = {
  channel_binding: ['disable', 'prefer'],
  client_encoding: ['auto', 'UTF8', 'utf8'],
  gssencmode: ['disable', 'prefer'],
  keepalives: ['1'],
  load_balance_hosts: ['disable'],
  sslcertmode: ['allow'],
  sslcompression: ['0'],
  sslnegotiation: ['postgres'],
  sslsni: ['1'],
  ...Object.fromEntries(
    [
      ...['fallback_application_name', 'gssdelegation', 'gsslib', 'krbsrvname', 'passfile', 'replication'],
      ...['keepalives_count', 'keepalives_idle', 'keepalives_interval', 'tcp_user_timeout', 'require_auth'],
      ...['max_protocol_version', 'min_protocol_version', 'requirepeer', 'service', 'servicefile', 'sslcrl'],
      ...['sslcrldir', 'sslkeylogfile', 'ssl_max_protocol_version', 'ssl_min_protocol_version'],
    ].map((name) => [name, []]),
  ),
};

/** Returns the mistake in a connection string for the operator; null if there is none. */
export function mistakeIn(connectionString: string, wanted: WantedRole = 'primary'): string | null {
  try {
    readTarget(connectionString, wanted);
    return null;
  } catch (error) {
    if (error instanceof ConnectionStringMistake) return error.message;
    throw error;
  }
}

export function serversOf(target: ConnectionTarget): DatabaseHost[] {
  return typeof target === 'string' ? readServers(readConnectionString(target)) : [target];
}

export function loginOf(target: ConnectionTarget, wanted: WantedRole = 'primary'): Login {
  if (typeof target === 'string') return readTarget(target, wanted);
  const { username, password, database } = target;
  const connectWithinMs = defaultConnectSeconds * 1000;
  return { user: username, password, database, tls: withoutTls, settings: {}, connectWithinMs };
}

/** The names in a connection string, without a look at the files that it names. */
export function namesIn(connectionString: string): { database: string | undefined; user: string | undefined } {
  const { dbname, user } = readConnectionString(connectionString);
  return { database: dbname ?? user, user };
}

function readTarget(connectionString: string, wanted: WantedRole): Login {
  const parameters = readConnectionString(connectionString);
  const { user = systemUser(), password = '', dbname = user } = parameters;
  readServers(parameters);
  refuseRole(parameters.target_session_attrs, wanted);
  return {
    user,
    password,
    database: dbname,
    tls: readTls(parameters),
    settings: readSettings(parameters),
    connectWithinMs: readConnectSeconds(parameters.connect_timeout) * 1000,
  };
}

/** For logins that PostgreSQL recognizes by the user of the operating system (peer authentication). */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    throw new ConnectionStringMistake('names no user');
  }
}

/** Lists of hosts and ports as in libpq: one port is that of all hosts, otherwise each host has its own. */
function readServers({ host, hostaddr, port = '' }: ConnectionParameters): DatabaseHost[] {
  const hosts = (host ?? hostaddr ?? '').split(',');
  if (hosts.includes('')) throw new ConnectionStringMistake('names no host, or an empty one in its list');
  const addresses = hostaddr?.split(',');
  if (addresses && addresses.length !== hosts.length)
    throw new ConnectionStringMistake('must have as many addresses in hostaddr as it has hosts');
  const ports = port.split(',');
  if (ports.length !== 1 && ports.length !== hosts.length)
    throw new ConnectionStringMistake('must have one port, or as many ports as hosts');
  return hosts.map((name, index) => ({
    host: name,
    port: readPort(ports[ports.length === 1 ? 0 : index]!),
    ...(addresses?.[index] ? { address: addresses[index] } : {}),
  }));
}

function readPort(text: string): number {
  if (text === '') return defaultPort;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new ConnectionStringMistake('has a port that is not a number from 1 to 65535');
  return port;
}

function refuseRole(role: string | undefined, wanted: WantedRole): void {
  const usable = usableRoles[wanted];
  if (role === undefined || usable.includes(role)) return;
  const server = wanted === 'primary' ? 'a server that accepts writes' : 'a standby';
  throw new ConnectionStringMistake(`must lead to ${server}: target_session_attrs may be ${usable.join(', ')}`);
}

function readConnectSeconds(text: string | undefined): number {
  if (text === undefined || /^(0+|-\d+)$/.test(text)) return defaultConnectSeconds;
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= connectSecondsMax) return seconds;
  throw new ConnectionStringMistake(`has a connect_timeout that is not a number of seconds up to ${connectSecondsMax}`);
}

function readSettings(parameters: ConnectionParameters): Record<string, string> {
  const others = Object.entries(parameters).filter(([name]) => !ownParameters.includes(name));
  for (const [name, value] of others) {
    if (harmlessValues[name]?.includes(value) === false)
      throw new ConnectionStringMistake(`has the parameter ${name}, which is not supported`);
  }
  return Object.fromEntries(others.filter(([name]) => !(name in harmlessValues)));
}
