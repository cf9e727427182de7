import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { tokenLifetimeMaxSeconds } from './domain/partners/token-key.ts';
import { masterKeyBytes } from './platform/keyring.ts';
import { logLevels } from './platform/log.ts';
import { mistakeIn, namesIn, type WantedRole } from './platform/postgres/connection-target.ts';
import { type AccountLanes, accountLanesMax } from './platform/postgres/group-commit.ts';

export interface Config {
  host: string;
  port: number;
  publicUrl: string;
  trustedProxies: string[];
  /** null: the default folder, which depends on the installation and the user. */
  dataDir: string | null;
  databaseUrl: string | null;
  databaseOwnerUrl: string | null;
  /** Standbys, without the role that the URL requests. */
  databaseReadUrl: string | null;
  databasePool: number;
  accountLanes: AccountLanes;
  masterKey: Buffer | null;
  masterKeysPrevious: Buffer[];
  callbackAllowCidrs: string[];
  rateLimitPerSecond: number | null;
  tokenTtlSeconds: number;
  warehouseApi: boolean;
  warehouseBasePath: string;
  logisticsSegment: string;
  uatRetentionDays: number;
  requestLogDays: number;
  requestLogMaxBytes: number;
  inFlightMax: number;
  directLane: boolean;
  drainSeconds: number;
  processes: number;
  logLevel: string;
}

type ConfigReading = { kind: 'config'; config: Config } | { kind: 'mistakes'; mistakes: string[] };
type Env = Record<string, string | undefined>;

interface Setting {
  name: string;
  meaning: string;
  /** The default value, as shown by --help. */
  fallback: string;
  secret?: true;
}

const processesMax = 64;
/** Every process needs one connection to read with while another one is in use. */
const connectionsPerProcessMin = 2;
/**
 * The embedded PostgreSQL allows 100 connections. A process needs about 12 besides its part of the pool, a restart needs
 * one process more, and commands need some connections.
 */
const processesEmbeddedMax = 5;
const databasePoolDefault = 10;

/** All settings, as printed by `--help` and read by `readConfig`. */
export const settings = [
  { name: 'HOST', meaning: 'address to listen on', fallback: '127.0.0.1' },
  { name: 'PORT', meaning: 'port to listen on', fallback: '8080' },
  { name: 'PUBLIC_URL', meaning: 'URL at which partners reach the service', fallback: 'http://HOST:PORT' },
  {
    name: 'TRUSTED_PROXIES',
    meaning: 'proxies whose X-Forwarded-For is trusted (comma-separated addresses and CIDR ranges)',
    fallback: 'none',
  },
  { name: 'DATA_DIR', meaning: 'data folder of the embedded PostgreSQL and its master key', fallback: './data' },
  {
    name: 'DATABASE_URL',
    meaning:
      'an external PostgreSQL (15 to 18) instead of the embedded one; if several hosts are listed, the primary is used',
    fallback: 'embedded',
    secret: true,
  },
  {
    name: 'DATABASE_OWNER_URL',
    meaning:
      'the login that owns the tables; "lading migrate" uses it and gives the login of DATABASE_URL its privileges',
    fallback: 'DATABASE_URL',
    secret: true,
  },
  {
    name: 'DATABASE_READ_URL',
    meaning:
      'standbys of the same database that serve lists, exports and audits, with the login of DATABASE_URL; the primary serves what they cannot',
    fallback: 'none',
    secret: true,
  },
  {
    name: 'DATABASE_POOL',
    meaning: 'maximum number of database connections for reading, shared by all processes of the node',
    fallback: '10, or 2 for each process if that is more',
  },
  {
    name: 'ACCOUNT_LANES',
    meaning:
      "limits each transaction to one account, as Citus needs it, and runs up to this many (1 to 16) side by side; 'off': accounts share transactions",
    fallback: 'off',
  },
  {
    name: 'MASTER_KEY',
    meaning: 'key that encrypts the secrets in the database (32 bytes in base64)',
    fallback: 'embedded: DATA_DIR/master.key',
    secret: true,
  },
  {
    name: 'MASTER_KEY_PREVIOUS',
    meaning: 'previous master keys that can still decrypt old secrets (comma-separated)',
    fallback: 'none',
    secret: true,
  },
  {
    name: 'CALLBACK_ALLOW_CIDRS',
    meaning: 'private CIDR ranges that callbacks may connect to (comma-separated)',
    fallback: 'none',
  },
  { name: 'RATE_LIMIT', meaning: "maximum requests per second per account, or 'off'", fallback: '500' },
  { name: 'TOKEN_TTL_S', meaning: 'lifetime of an access token in seconds', fallback: '3600' },
  { name: 'WAREHOUSE_API', meaning: "enables the warehouse API: 'on' or 'off'", fallback: 'on' },
  { name: 'WAREHOUSE_BASE_PATH', meaning: 'base path of the warehouse API', fallback: '/warehouse/v1' },
  { name: 'LOGISTICS_SEGMENT', meaning: 'first path segment of the logistics webhook', fallback: 'logistics' },
  { name: 'UAT_RETENTION_DAYS', meaning: 'days after which documents of UAT accounts are purged', fallback: '30' },
  { name: 'REQUEST_LOG_DAYS', meaning: 'retention of the request log in days', fallback: '30' },
  {
    name: 'REQUEST_LOG_MAX_MIB',
    meaning: 'maximum size of the request log in MiB; the oldest days are deleted first',
    fallback: '10240',
  },
  {
    name: 'IN_FLIGHT_MAX',
    meaning: 'maximum number of concurrent requests; excess requests wait briefly and then get 503',
    fallback: '1000',
  },
  {
    name: 'DIRECT_LANE',
    meaning: "parses simple requests without Node's HTTP parser, which is faster: 'on' or 'off'",
    fallback: 'on',
  },
  {
    name: 'DRAIN_S',
    meaning: 'seconds between the readiness probe failing and the server closing its port',
    fallback: '1',
  },
  {
    name: 'PROCESSES',
    meaning: `processes of this node (1 to ${processesMax}), which share its port and its limits; 'auto': one for each core`,
    fallback: '1',
  },
  { name: 'LOG_LEVEL', meaning: logLevels.join(', '), fallback: 'info' },
] as const satisfies Setting[];

type SettingName = (typeof settings)[number]['name'];

const secretNames = new Set<string>(settings.filter((setting) => 'secret' in setting).map((setting) => setting.name));
/** Path segments reserved for the service itself. */
const reservedSegments = ['api', 'docs', 'openapi.json', 'console', 'health', 'metrics', '.well-known'];

/** The NODE_OPTIONS for child processes, such as a debugger's port. */
export function nodeOptions(env: Env = process.env): string {
  return env.NODE_OPTIONS ?? '';
}

/** Reads all settings and reports all errors in one list. */
export function readConfig(env: Env = process.env): ConfigReading {
  const read = new SettingsReader(env);
  const config = readEach(read);
  const mistakes = [...read.mistakes, ...contradictionsIn(config, read.mistakes)];
  return mistakes.length > 0 ? { kind: 'mistakes', mistakes } : { kind: 'config', config };
}

function readEach(read: SettingsReader): Config {
  return {
    ...readAddresses(read),
    ...readDatabase(read),
    ...readProcesses(read),
    rateLimitPerSecond: read.checked(
      'RATE_LIMIT',
      500 as number | null,
      offOrWhole(1_000_000),
      "'off' or a whole number from 1 to 1000000",
    ),
    tokenTtlSeconds: read.whole('TOKEN_TTL_S', 3600, 1, tokenLifetimeMaxSeconds),
    warehouseApi: read.choice('WAREHOUSE_API', 'on', ['on', 'off']) === 'on',
    uatRetentionDays: read.whole('UAT_RETENTION_DAYS', 30, 1, 36_500),
    requestLogDays: read.whole('REQUEST_LOG_DAYS', 30, 1, 3_650),
    requestLogMaxBytes: read.whole('REQUEST_LOG_MAX_MIB', 10_240, 64, 10_000_000) * 1_048_576,
    inFlightMax: read.whole('IN_FLIGHT_MAX', 1000, 1, 1_000_000),
    directLane: read.choice('DIRECT_LANE', 'on', ['on', 'off']) === 'on',
    drainSeconds: read.whole('DRAIN_S', 1, 0, 300),
    logLevel: read.choice('LOG_LEVEL', 'info', logLevels),
  };
}

function readAddresses(read: SettingsReader) {
  const host = read.checked(
    'HOST',
    '127.0.0.1',
    (given) => (/^[A-Za-z0-9.:_-]+$/.test(given) ? given : undefined),
    'a host name or an address',
  );
  const port = read.whole('PORT', 8080, 0, 65_535);
  const ownUrl = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    host,
    port,
    publicUrl: read.checked('PUBLIC_URL', ownUrl, parsePublicUrl, 'an http(s) URL'),
    trustedProxies: read.checked(
      'TRUSTED_PROXIES',
      [],
      parseList(parseAddressOrCidr),
      'a comma-separated list of addresses and CIDR ranges such as 10.0.0.7, fd00::/8',
    ),
    callbackAllowCidrs: read.checked(
      'CALLBACK_ALLOW_CIDRS',
      [],
      parseList(parseCidr),
      'a comma-separated list of CIDR ranges such as 10.0.0.0/8',
    ),
    warehouseBasePath: read.checked(
      'WAREHOUSE_BASE_PATH',
      '/warehouse/v1',
      parseBasePath,
      'a path such as /warehouse/v1 that is not reserved for the service',
    ),
    logisticsSegment: read.checked(
      'LOGISTICS_SEGMENT',
      'logistics',
      parseSegment,
      'one path segment such as logistics that is not reserved for the service',
    ),
  };
}

function readDatabase(read: SettingsReader) {
  return {
    dataDir: read.text('DATA_DIR'),
    databaseUrl: read.databaseUrl('DATABASE_URL'),
    databaseOwnerUrl: read.databaseUrl('DATABASE_OWNER_URL'),
    databaseReadUrl: read.databaseUrl('DATABASE_READ_URL', 'standby'),
    accountLanes: read.checked(
      'ACCOUNT_LANES',
      null as AccountLanes,
      offOrWhole(accountLanesMax),
      `'off' or a whole number from 1 to ${accountLanesMax}`,
    ),
    masterKey: read.checked('MASTER_KEY', null as Buffer | null, parseMasterKey, '32 bytes in base64'),
    masterKeysPrevious: read.checked(
      'MASTER_KEY_PREVIOUS',
      [],
      parseList(parseMasterKey),
      'a comma-separated list of keys of 32 bytes in base64',
    ),
  };
}

function readProcesses(read: SettingsReader) {
  const isEmbedded = read.isUnset('DATABASE_URL');
  const auto = Math.min(availableParallelism(), isEmbedded ? processesEmbeddedMax : processesMax);
  const parse = offOrWhole(processesMax);
  const processes = read.checked(
    'PROCESSES',
    1,
    (given) => (given === 'auto' ? auto : (parse(given) ?? undefined)),
    `'auto' or a whole number from 1 to ${processesMax}`,
  );
  const poolFallback = Math.max(databasePoolDefault, connectionsPerProcessMin * processes);
  return { processes, databasePool: read.whole('DATABASE_POOL', poolFallback, 1, 500) };
}

function mistakesInProcesses({ processes, databasePool, databaseUrl }: Config): string[] {
  const mistakes: string[] = [];
  if (processes > 1 && databasePool < connectionsPerProcessMin * processes) {
    mistakes.push(
      `DATABASE_POOL must be at least ${connectionsPerProcessMin * processes} with PROCESSES=${processes}: ${connectionsPerProcessMin} connections for each process`,
    );
  }
  if (processes > processesEmbeddedMax && databaseUrl === null) {
    mistakes.push(
      `PROCESSES must be at most ${processesEmbeddedMax} with the embedded PostgreSQL, which allows 100 connections; set DATABASE_URL for more`,
    );
  }
  return mistakes;
}

function contradictionsIn(config: Config, earlier: string[]): string[] {
  const { databaseUrl, databaseOwnerUrl, databaseReadUrl, masterKey, warehouseBasePath, logisticsSegment } = config;
  const mistakes = earlier.length > 0 ? [] : mistakesInProcesses(config);
  if (databaseUrl !== null && masterKey === null && !earlier.some((mistake) => /^MASTER_KEY(_FILE)? /.test(mistake))) {
    mistakes.push(
      'MASTER_KEY is missing: it is required with DATABASE_URL (generate one with: openssl rand -base64 32)',
    );
  }
  if (databaseOwnerUrl !== null && !isSameDatabase(databaseOwnerUrl, databaseUrl)) {
    mistakes.push('DATABASE_OWNER_URL must lead to the same database as DATABASE_URL, with another login');
  }
  if (databaseReadUrl !== null && !isSameLogin(databaseReadUrl, databaseUrl)) {
    mistakes.push('DATABASE_READ_URL must have the login and the database of DATABASE_URL, on other servers');
  }
  if (warehouseBasePath.split('/')[1] === logisticsSegment) {
    mistakes.push('WAREHOUSE_BASE_PATH and LOGISTICS_SEGMENT must not start with the same segment');
  }
  return mistakes;
}

/** Reads single settings and collects the errors. An empty value counts as not set. */
class SettingsReader {
  readonly mistakes: string[];
  private readonly env: Env;

  constructor(env: Env) {
    this.env = env;
    this.mistakes = [];
  }

  isUnset(name: SettingName): boolean {
    return !this.env[name]?.trim() && !this.env[`${name}_FILE`]?.trim();
  }

  text(name: SettingName): string | null {
    const direct = this.env[name]?.trim() || null;
    const file = secretNames.has(name) ? this.env[`${name}_FILE`]?.trim() || null : null;
    if (!file) return direct;
    if (direct) this.mistakes.push(`${name} and ${name}_FILE are both set; set one of them`);
    try {
      return readFileSync(file, 'utf8').trim() || null;
    } catch (error) {
      this.mistakes.push(`${name}_FILE cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
      return null;
    }
  }

  databaseUrl(name: SettingName, wanted: WantedRole = 'primary'): string | null {
    const given = this.text(name);
    const mistake = given === null ? null : mistakeIn(given, wanted);
    if (mistake === null) return given;
    this.mistakes.push(`${name} ${mistake}`);
    return null;
  }

  whole(name: SettingName, fallback: number, min: number, max: number): number {
    const given = this.text(name);
    if (given === null) return fallback;
    const value = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    if (value >= min && value <= max) return value;
    this.mistakes.push(`${name} must be a whole number from ${min} to ${max}, not ${quote(given)}`);
    return fallback;
  }

  choice<T extends string>(name: SettingName, fallback: T, choices: readonly T[]): T {
    const given = this.text(name);
    if (given === null) return fallback;
    if ((choices as readonly string[]).includes(given)) return given as T;
    this.mistakes.push(`${name} must be one of ${choices.join(', ')}, not ${quote(given)}`);
    return fallback;
  }

  checked<T>(name: SettingName, fallback: T, parse: (given: string) => T | undefined, expectation: string): T {
    const given = this.text(name);
    if (given === null) return fallback;
    const value = parse(given);
    if (value !== undefined) return value;
    this.mistakes.push(`${name} must be ${expectation}${secretNames.has(name) ? '' : `, not ${quote(given)}`}`);
    return fallback;
  }
}

function quote(given: string): string {
  return JSON.stringify(given.length > 60 ? `${given.slice(0, 60)}…` : given);
}

function isSameDatabase(ownerUrl: string, url: string | null): boolean {
  return url !== null && namesIn(ownerUrl).database === namesIn(url).database;
}

function isSameLogin(readUrl: string, url: string | null): boolean {
  return isSameDatabase(readUrl, url) && namesIn(readUrl).user === namesIn(url!).user;
}

export function parseMasterKey(given: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/_-]+=*$/.test(given)) return undefined;
  const key = Buffer.from(given, 'base64');
  return key.length === masterKeyBytes ? key : undefined;
}

/** Normalizes the URL so that it needs no escaping between single or double quotes. */
export function parsePublicUrl(given: string): string | undefined {
  const url = URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) return undefined;
  return url.href.replace(/\/+$/, '').replaceAll("'", '%27');
}

function parseCidr(given: string): string | undefined {
  const [address, prefix, ...rest] = given.split('/');
  const family = isIP(address ?? '');
  if (family === 0 || rest.length > 0 || !/^\d{1,3}$/.test(prefix ?? '')) return undefined;
  try {
    new BlockList().addSubnet(address!, Number(prefix), family === 4 ? 'ipv4' : 'ipv6');
    return given;
  } catch {
    return undefined;
  }
}

/** Rejects a range of all addresses, because any client could then forge its address. */
function parseAddressOrCidr(given: string): string | undefined {
  if (given.endsWith('/0')) return undefined;
  return isIP(given) === 0 ? parseCidr(given) : given;
}

/** Parses a whole number from 1 to `max`; 'off' is null. */
function offOrWhole(max: number): (given: string) => number | null | undefined {
  return (given) => {
    if (given === 'off') return null;
    const value = /^\d{1,15}$/.test(given) ? Number(given) : 0;
    return value >= 1 && value <= max ? value : undefined;
  };
}

function parseBasePath(given: string): string | undefined {
  return /^(\/[A-Za-z0-9._~-]+)+$/.test(given) && !reservedSegments.includes(given.split('/')[1]!) ? given : undefined;
}

function parseSegment(given: string): string | undefined {
  return /^[A-Za-z0-9._~-]+$/.test(given) && !reservedSegments.includes(given) ? given : undefined;
}

function parseList<T>(parse: (item: string) => T | undefined): (given: string) => T[] | undefined {
  return (given) => {
    const items = given.split(',').map((item) => parse(item.trim()));
    return items.includes(undefined) ? undefined : (items as T[]);
  };
}
