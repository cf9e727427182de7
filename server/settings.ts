import { mailSettings } from './mail-settings.ts';
import { logLevels } from './platform/log.ts';
import { samplers } from './platform/tracing/tracing-settings.ts';
import { signInSettings } from './sign-in-config.ts';

export interface Setting {
  name: string;
  meaning: string;
  /** The default value, as shown by --help. */
  fallback: string;
  secret?: true;
}

export const processesMax = 64;
/** Every process needs one connection to read with while another one is in use. */
export const connectionsPerProcessMin = 2;
/**
 * The embedded PostgreSQL allows 100 connections. A process needs about 12 besides its part of the pool, a restart needs
 * one process more, and commands need some connections.
 */
export const processesEmbeddedMax = 5;
export const databasePoolDefault = 10;
export const metricsTokenMin = 32;
export const backupHoursMax = 8_760;
export const retentionDaysMax = 36_500;

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
  {
    name: 'BACKUP_DIR',
    meaning:
      'folder on another disk for backups of the embedded PostgreSQL, and for a continuous archive of its write-ahead log',
    fallback: 'none',
  },
  {
    name: 'BACKUP_EVERY_H',
    meaning: "hours between verified backups in BACKUP_DIR, or 'off'",
    fallback: 'off',
  },
  { name: 'BACKUP_KEEP', meaning: 'number of verified backups to keep in BACKUP_DIR', fallback: '7' },
  {
    name: 'BACKUP_MASTER_KEY',
    meaning: "the master key in scheduled backups: 'seal' it with BACKUP_PASSPHRASE, or 'exclude' it",
    fallback: 'seal',
  },
  {
    name: 'BACKUP_PASSPHRASE',
    meaning: 'passphrase that seals the master key in backups, and opens it in a restore (at least 12 characters)',
    fallback: 'none',
    secret: true,
  },
  {
    name: 'RECIPIENT_RETENTION_DAYS',
    meaning:
      "days after the end of an order of a production account (shipped, arrived, delivered, undelivered or cancelled) at which its recipient is erased, or 'off'; recommended: 180",
    fallback: 'off',
  },
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
  ...mailSettings,
  ...signInSettings,
  { name: 'LOG_LEVEL', meaning: logLevels.join(', '), fallback: 'info' },
  {
    name: 'METRICS_PORT',
    meaning: 'port that serves /metrics instead of PORT, so that it can be closed to partners',
    fallback: 'none: /metrics is on PORT',
  },
  { name: 'METRICS_HOST', meaning: 'address to listen on with METRICS_PORT', fallback: '127.0.0.1' },
  {
    name: 'METRICS_TOKEN',
    meaning: `bearer token that /metrics requires (${metricsTokenMin} characters or more)`,
    fallback: 'none: no token is required',
    secret: true,
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    meaning: 'base URL of the OpenTelemetry receiver for traces, such as http://127.0.0.1:4318',
    fallback: 'none: tracing is off',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    meaning: 'headers for that receiver, such as its credentials (name=value, comma-separated)',
    fallback: 'none',
    secret: true,
  },
  { name: 'OTEL_EXPORTER_OTLP_PROTOCOL', meaning: 'protocol of that receiver: http/json', fallback: 'http/json' },
  { name: 'OTEL_SERVICE_NAME', meaning: 'name of this service in traces', fallback: 'lading' },
  {
    name: 'OTEL_RESOURCE_ATTRIBUTES',
    meaning: 'attributes of this node in traces (name=value, comma-separated)',
    fallback: 'none',
  },
  { name: 'OTEL_TRACES_SAMPLER', meaning: samplers.join(', '), fallback: 'parentbased_always_on' },
  {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    meaning: 'share of the requests to trace, from 0 to 1, if the sampler is a ratio',
    fallback: '1',
  },
] as const satisfies Setting[];

export type SettingName = (typeof settings)[number]['name'];
