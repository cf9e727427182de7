import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { tokenLifetimeMaxSeconds } from './domain/partners/token-key.ts';
import { readMail } from './mail-config.ts';
import { logLevels } from './platform/log.ts';
import type { SmtpSettings } from './platform/outgoing/smtp-settings.ts';
import { mistakeInPassphrase, passphraseLengthMin } from './platform/postgres/backup/sealed-keys.ts';
import { namesIn } from './platform/postgres/connection-target.ts';
import { type AccountLanes, accountLanesMax } from './platform/postgres/group-commit.ts';
import {
  parseOtlpEndpoint,
  parsePairs,
  parseRatio,
  samplers,
  type TracingSettings,
} from './platform/tracing/tracing-settings.ts';
import {
  hostExpected,
  offOrWhole,
  parseAddressOrCidr,
  parseBasePath,
  parseCidr,
  parseHost,
  parseList,
  parseMasterKey,
  parsePublicUrl,
  parseSegment,
} from './setting-values.ts';
import {
  backupHoursMax,
  connectionsPerProcessMin,
  databasePoolDefault,
  metricsTokenMin,
  processesEmbeddedMax,
  processesMax,
  retentionDaysMax,
  type SettingName,
} from './settings.ts';
import { type Env, SettingsReader } from './settings-reader.ts';
import { readSignIn, type SignInConfig } from './sign-in-config.ts';

export interface Config extends TracingSettings {
  host: string;
  port: number;
  publicUrl: string;
  /** The documentation that responses link to: absolute if the URL of the service is set. */
  docsUrl: string;
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
  /** An absolute path; null: no backups and no archive. */
  backupDir: string | null;
  backupEveryHours: number | null;
  backupKeep: number;
  backupMasterKey: 'seal' | 'exclude';
  backupPassphrase: string | null;
  /** null: recipients are kept. */
  recipientRetentionDays: number | null;
  requestLogDays: number;
  requestLogMaxBytes: number;
  inFlightMax: number;
  directLane: boolean;
  drainSeconds: number;
  processes: number;
  signIn: SignInConfig;
  /** null: there is no mail server. */
  mail: SmtpSettings | null;
  logLevel: string;
  /** null: the metrics are served with the APIs. */
  metricsPort: number | null;
  metricsHost: string;
  metricsToken: string | null;
  /** The only one that we speak. */
  otlpProtocol: string;
}

type ConfigReading = { kind: 'config'; config: Config } | { kind: 'mistakes'; mistakes: string[] };

/** The NODE_OPTIONS for child processes, such as a debugger's port. */
export function nodeOptions(env: Env = process.env): string {
  return env.NODE_OPTIONS ?? '';
}

/** Reads all settings and reports all errors in one list. */
export function readConfig(env: Env = process.env): ConfigReading {
  const read = new SettingsReader(env);
  const config = readEach(read);
  const ofBackup = read.mistakes.length > 0 ? [] : mistakesInBackup(config, read);
  const mistakes = [...read.mistakes, ...contradictionsIn(config, read.mistakes), ...ofBackup];
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
    ...readBackup(read),
    uatRetentionDays: read.whole('UAT_RETENTION_DAYS', 30, 1, retentionDaysMax),
    recipientRetentionDays: read.checked(
      'RECIPIENT_RETENTION_DAYS',
      null as number | null,
      offOrWhole(retentionDaysMax),
      `'off' or a whole number from 1 to ${retentionDaysMax}`,
    ),
    requestLogDays: read.whole('REQUEST_LOG_DAYS', 30, 1, 3_650),
    requestLogMaxBytes: read.whole('REQUEST_LOG_MAX_MIB', 10_240, 64, 10_000_000) * 1_048_576,
    inFlightMax: read.whole('IN_FLIGHT_MAX', 1000, 1, 1_000_000),
    directLane: read.choice('DIRECT_LANE', 'on', ['on', 'off']) === 'on',
    drainSeconds: read.whole('DRAIN_S', 1, 0, 300),
    signIn: readSignIn(read),
    mail: readMail(read),
    logLevel: read.choice('LOG_LEVEL', 'info', logLevels),
    ...readMetrics(read),
    ...readTracing(read),
  };
}

function readMetrics(read: SettingsReader) {
  return {
    metricsPort: read.isUnset('METRICS_PORT') ? null : read.whole('METRICS_PORT', 0, 0, 65_535),
    metricsHost: read.checked('METRICS_HOST', '127.0.0.1', parseHost, hostExpected),
    metricsToken: read.checked(
      'METRICS_TOKEN',
      null as string | null,
      (given) => (/^[\w.~+/=-]+$/.test(given) && given.length >= metricsTokenMin ? given : undefined),
      `at least ${metricsTokenMin} letters, digits or characters of -._~+/= (generate one with: openssl rand -hex 32)`,
    ),
  };
}

function readTracing(read: SettingsReader) {
  // Platforms set the OTEL_* variables of all programs. One for other programs must not stop the start if tracing is off.
  const isOff = read.isUnset('OTEL_EXPORTER_OTLP_ENDPOINT');
  const pairsExpected = 'a comma-separated list of name=value';
  return {
    otlpEndpoint: read.checked(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      null as string | null,
      parseOtlpEndpoint,
      'an http(s) URL such as http://127.0.0.1:4318',
    ),
    otlpHeaders: read.checked('OTEL_EXPORTER_OTLP_HEADERS', {}, parsePairs, pairsExpected),
    otlpProtocol: isOff
      ? ('http/json' as const)
      : read.choice('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json', ['http/json']),
    serviceName: read.text('OTEL_SERVICE_NAME') ?? 'lading',
    resourceAttributes: read.checked('OTEL_RESOURCE_ATTRIBUTES', {}, parsePairs, pairsExpected),
    tracesSampler: read.choice('OTEL_TRACES_SAMPLER', 'parentbased_always_on', samplers),
    tracesSamplerRatio: read.checked('OTEL_TRACES_SAMPLER_ARG', 1, parseRatio, 'a number from 0 to 1'),
  };
}

function readAddresses(read: SettingsReader) {
  const host = read.checked('HOST', '127.0.0.1', parseHost, hostExpected);
  const port = read.whole('PORT', 8080, 0, 65_535);
  const ownUrl = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const publicUrl = read.checked('PUBLIC_URL', null as string | null, parsePublicUrl, 'an http(s) URL');
  return {
    host,
    port,
    publicUrl: publicUrl ?? ownUrl,
    docsUrl: `${publicUrl ?? ''}/docs`,
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

const backupSettings = [
  'BACKUP_DIR',
  'BACKUP_EVERY_H',
  'BACKUP_KEEP',
  'BACKUP_MASTER_KEY',
  'BACKUP_PASSPHRASE',
] as const satisfies SettingName[];

function readBackup(read: SettingsReader) {
  const folder = read.text('BACKUP_DIR');
  return {
    backupDir: folder === null ? null : resolve(folder),
    backupEveryHours: read.checked(
      'BACKUP_EVERY_H',
      null as number | null,
      offOrWhole(backupHoursMax),
      `'off' or a whole number of hours from 1 to ${backupHoursMax}`,
    ),
    backupKeep: read.whole('BACKUP_KEEP', 7, 1, 1000),
    backupMasterKey: read.choice('BACKUP_MASTER_KEY', 'seal', ['seal', 'exclude']),
    backupPassphrase: read.checked(
      'BACKUP_PASSPHRASE',
      null as string | null,
      (passphrase) => (mistakeInPassphrase(passphrase) === null ? passphrase : undefined),
      `a single line of at least ${passphraseLengthMin} characters`,
    ),
  };
}

function mistakesInBackup(config: Config, read: SettingsReader): string[] {
  const { databaseUrl, backupDir, backupEveryHours, backupMasterKey } = config;
  const given = backupSettings.filter((name) => !read.isUnset(name));
  if (databaseUrl !== null && given.length > 0)
    return [
      `${given.join(', ')}: only for the embedded PostgreSQL; with DATABASE_URL, use pgBackRest as described in docs/backup.md`,
    ];
  if (backupEveryHours === null) return [];
  const hasPassphrase = config.backupPassphrase !== null;
  const mistakes: string[] = [];
  if (backupDir === null) mistakes.push('BACKUP_DIR is missing: it is required with BACKUP_EVERY_H');
  if (backupMasterKey === 'seal' && !hasPassphrase)
    mistakes.push(
      'BACKUP_PASSPHRASE (or BACKUP_PASSPHRASE_FILE) is missing: it seals the master key in the backups of BACKUP_EVERY_H; to leave the key out of them, set BACKUP_MASTER_KEY=exclude',
    );
  if (backupMasterKey === 'exclude' && hasPassphrase)
    mistakes.push('BACKUP_PASSPHRASE and BACKUP_MASTER_KEY=exclude contradict each other; set one of them');
  return mistakes;
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
  if (config.metricsPort !== null && config.metricsPort !== 0 && config.metricsPort === config.port) {
    mistakes.push('METRICS_PORT must differ from PORT; without METRICS_PORT, /metrics is on PORT');
  }
  if (warehouseBasePath.split('/')[1] === logisticsSegment) {
    mistakes.push('WAREHOUSE_BASE_PATH and LOGISTICS_SEGMENT must not start with the same segment');
  }
  return mistakes;
}

function isSameDatabase(ownerUrl: string, url: string | null): boolean {
  return url !== null && namesIn(ownerUrl).database === namesIn(url).database;
}

function isSameLogin(readUrl: string, url: string | null): boolean {
  return isSameDatabase(readUrl, url) && namesIn(readUrl).user === namesIn(url!).user;
}
