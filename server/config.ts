import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { tokenLifetimeMaxSeconds } from './domain/partners/token-key.ts';
import { masterKeyBytes } from './platform/keyring.ts';
import { logLevels } from './platform/log.ts';
import { isUsableRole, readHosts } from './platform/primary.ts';

export interface Config {
  host: string;
  port: number;
  publicUrl: string;
  trustedProxies: string[];
  /** null: the default, which depends on where the service runs and as whom. */
  dataDir: string | null;
  databaseUrl: string | null;
  databasePool: number;
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
  logLevel: string;
}

type ConfigReading = { kind: 'config'; config: Config } | { kind: 'mistakes'; mistakes: string[] };
type Env = Record<string, string | undefined>;

interface Setting {
  name: string;
  meaning: string;
  /** What stands in --help. */
  fallback: string;
  secret?: true;
}

/** Every setting there is: what `--help` prints, and what `readConfig` reads. */
export const settings = [
  { name: 'HOST', meaning: 'address to listen on', fallback: '127.0.0.1' },
  { name: 'PORT', meaning: 'port to listen on', fallback: '8080' },
  { name: 'PUBLIC_URL', meaning: 'address under which partners reach the service', fallback: 'http://HOST:PORT' },
  {
    name: 'TRUSTED_PROXIES',
    meaning: 'addresses and ranges (comma list) of proxies whose X-Forwarded-For is believed',
    fallback: 'none',
  },
  { name: 'DATA_DIR', meaning: 'folder of the embedded PostgreSQL and its master key', fallback: './data' },
  {
    name: 'DATABASE_URL',
    meaning: 'a PostgreSQL of your own (15 to 18) instead of the embedded one; of several hosts the primary is used',
    fallback: 'embedded',
    secret: true,
  },
  { name: 'DATABASE_POOL', meaning: 'connections to the database', fallback: '10' },
  {
    name: 'MASTER_KEY',
    meaning: '32 bytes in base64 that protect the secrets in the database',
    fallback: 'embedded: DATA_DIR/master.key',
    secret: true,
  },
  { name: 'MASTER_KEY_PREVIOUS', meaning: 'former master keys (comma list) that still open old secrets', fallback: 'none', secret: true },
  { name: 'CALLBACK_ALLOW_CIDRS', meaning: 'private ranges (comma list) that callbacks may connect to', fallback: 'none' },
  { name: 'RATE_LIMIT', meaning: "requests per second and account, or 'off'", fallback: '500' },
  { name: 'TOKEN_TTL_S', meaning: 'lifetime of an access token in seconds', fallback: '3600' },
  { name: 'WAREHOUSE_API', meaning: "the warehouse API as a whole: 'on' or 'off'", fallback: 'on' },
  { name: 'WAREHOUSE_BASE_PATH', meaning: 'where the warehouse API lives', fallback: '/warehouse/v1' },
  { name: 'LOGISTICS_SEGMENT', meaning: 'first path segment of the logistics webhook', fallback: 'logistics' },
  { name: 'UAT_RETENTION_DAYS', meaning: 'days after which documents of UAT accounts are purged', fallback: '30' },
  { name: 'REQUEST_LOG_DAYS', meaning: 'days for which the request log is kept', fallback: '30' },
  {
    name: 'REQUEST_LOG_MAX_MIB',
    meaning: 'size of the request log in MiB; beyond it the oldest days are dropped first',
    fallback: '10240',
  },
  { name: 'IN_FLIGHT_MAX', meaning: 'requests worked on at once; more wait a moment, then are told to come back later', fallback: '1000' },
  { name: 'DIRECT_LANE', meaning: "read plain requests without Node's HTTP parser, which is faster: 'on' or 'off'", fallback: 'on' },
  { name: 'DRAIN_S', meaning: 'seconds between readiness turning 503 and the listener closing', fallback: '1' },
  { name: 'LOG_LEVEL', meaning: logLevels.join(', '), fallback: 'info' },
] as const satisfies Setting[];

type SettingName = (typeof settings)[number]['name'];

const secretNames = new Set<string>(settings.filter((setting) => 'secret' in setting).map((setting) => setting.name));
/** Paths that are the service's own. */
const reservedSegments = ['api', 'docs', 'openapi.json', 'console', 'health', 'metrics', '.well-known'];

/** What Node itself is told by the environment, such as a debugger's port; for the processes that a command starts. */
export function nodeOptions(env: Env = process.env): string {
  return env.NODE_OPTIONS ?? '';
}

/** Reads all settings and reports every mistake in one list. An empty value counts as not set. */
export function readConfig(env: Env = process.env): ConfigReading {
  const mistakes: string[] = [];

  function text(name: SettingName): string | null {
    const direct = env[name]?.trim() || null;
    const file = secretNames.has(name) ? env[`${name}_FILE`]?.trim() || null : null;
    if (!file) return direct;
    if (direct) mistakes.push(`${name} and ${name}_FILE are both set; set one of them`);
    try {
      return readFileSync(file, 'utf8').trim() || null;
    } catch (error) {
      mistakes.push(`${name}_FILE cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
      return null;
    }
  }

  function whole(name: SettingName, fallback: number, min: number, max: number): number {
    const given = text(name);
    if (given === null) return fallback;
    const value = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    if (value >= min && value <= max) return value;
    mistakes.push(`${name} must be a whole number from ${min} to ${max}, not ${quote(given)}`);
    return fallback;
  }

  function choice<T extends string>(name: SettingName, fallback: T, choices: readonly T[]): T {
    const given = text(name);
    if (given === null) return fallback;
    if ((choices as readonly string[]).includes(given)) return given as T;
    mistakes.push(`${name} must be one of ${choices.join(', ')}, not ${quote(given)}`);
    return fallback;
  }

  function checked<T>(name: SettingName, fallback: T, parse: (given: string) => T | undefined, expectation: string): T {
    const given = text(name);
    if (given === null) return fallback;
    const value = parse(given);
    if (value !== undefined) return value;
    mistakes.push(`${name} must be ${expectation}${secretNames.has(name) ? '' : `, not ${quote(given)}`}`);
    return fallback;
  }

  const host = checked('HOST', '127.0.0.1', (given) => (/^[A-Za-z0-9.:_-]+$/.test(given) ? given : undefined), 'a host name or an address');
  const port = whole('PORT', 8080, 0, 65_535);
  const databaseUrl = checked(
    'DATABASE_URL',
    null as string | null,
    parseDatabaseUrl,
    'a URL such as postgres://user:password@host/database; of several hosts the primary is used (target_session_attrs: any, primary or read-write)',
  );
  const masterKey = checked('MASTER_KEY', null as Buffer | null, parseMasterKey, '32 bytes in base64');
  const config: Config = {
    host,
    port,
    publicUrl: checked('PUBLIC_URL', `http://${host.includes(':') ? `[${host}]` : host}:${port}`, parsePublicUrl, 'an http(s) URL'),
    trustedProxies: checked(
      'TRUSTED_PROXIES',
      [],
      parseList(parseAddressOrCidr),
      'a comma list of addresses and ranges such as 10.0.0.7, fd00::/8',
    ),
    dataDir: text('DATA_DIR'),
    databaseUrl,
    databasePool: whole('DATABASE_POOL', 10, 1, 500),
    masterKey,
    masterKeysPrevious: checked('MASTER_KEY_PREVIOUS', [], parseList(parseMasterKey), 'a comma list of keys of 32 bytes in base64'),
    callbackAllowCidrs: checked('CALLBACK_ALLOW_CIDRS', [], parseList(parseCidr), 'a comma list of ranges such as 10.0.0.0/8'),
    rateLimitPerSecond: checked('RATE_LIMIT', 500 as number | null, parseRateLimit, "'off' or a whole number from 1 to 1000000"),
    tokenTtlSeconds: whole('TOKEN_TTL_S', 3600, 1, tokenLifetimeMaxSeconds),
    warehouseApi: choice('WAREHOUSE_API', 'on', ['on', 'off']) === 'on',
    warehouseBasePath: checked(
      'WAREHOUSE_BASE_PATH',
      '/warehouse/v1',
      parseBasePath,
      'a path such as /warehouse/v1 that is not the service’s own',
    ),
    logisticsSegment: checked(
      'LOGISTICS_SEGMENT',
      'logistics',
      parseSegment,
      'one path segment such as logistics that is not the service’s own',
    ),
    uatRetentionDays: whole('UAT_RETENTION_DAYS', 30, 1, 36_500),
    requestLogDays: whole('REQUEST_LOG_DAYS', 30, 1, 3_650),
    requestLogMaxBytes: whole('REQUEST_LOG_MAX_MIB', 10_240, 64, 10_000_000) * 1_048_576,
    inFlightMax: whole('IN_FLIGHT_MAX', 1000, 1, 1_000_000),
    directLane: choice('DIRECT_LANE', 'on', ['on', 'off']) === 'on',
    drainSeconds: whole('DRAIN_S', 1, 0, 300),
    logLevel: choice('LOG_LEVEL', 'info', logLevels),
  };

  if (databaseUrl !== null && masterKey === null && !mistakes.some((mistake) => /^MASTER_KEY(_FILE)? /.test(mistake))) {
    mistakes.push('MASTER_KEY is missing: with DATABASE_URL it must be given (make one with: openssl rand -base64 32)');
  }
  if (config.warehouseBasePath.split('/')[1] === config.logisticsSegment) {
    mistakes.push('WAREHOUSE_BASE_PATH and LOGISTICS_SEGMENT must not begin with the same segment');
  }
  return mistakes.length > 0 ? { kind: 'mistakes', mistakes } : { kind: 'config', config };
}

function quote(given: string): string {
  return JSON.stringify(given.length > 60 ? `${given.slice(0, 60)}…` : given);
}

function parseDatabaseUrl(given: string): string | undefined {
  if (!/^postgres(ql)?:\/\/[^\s/]+\/[^\s/?]+/.test(given)) return undefined;
  try {
    return isUsableRole(given) && readHosts(given).every(({ port }) => port > 0 && port < 65_536) ? given : undefined;
  } catch {
    return undefined;
  }
}

export function parseMasterKey(given: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/_-]+=*$/.test(given)) return undefined;
  const key = Buffer.from(given, 'base64');
  return key.length === masterKeyBytes ? key : undefined;
}

/** As a URL is written, so that it can stand between quotes of either kind. */
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

/** Not the whole of a family: everybody could then claim any address. */
function parseAddressOrCidr(given: string): string | undefined {
  if (given.endsWith('/0')) return undefined;
  return isIP(given) === 0 ? parseCidr(given) : given;
}

function parseRateLimit(given: string): number | null | undefined {
  if (given === 'off') return null;
  const value = /^\d{1,7}$/.test(given) ? Number(given) : 0;
  return value >= 1 && value <= 1_000_000 ? value : undefined;
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
