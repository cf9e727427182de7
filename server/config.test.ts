import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  configOf,
  databaseUrl,
  fileWith,
  folder,
  formerKeys,
  key,
  masterKey,
  mistakesOf,
  ownerUrl,
  readUrl,
} from '../test/support/config.ts';
import type { Config } from './config.ts';
import { settings } from './settings.ts';

/** Settings that are refused together with DATABASE_URL. */
const ofBackup = /^BACKUP_/;

/** Each setting with its field, its default, and another value as text and as it is read. */
const readings: [setting: string, field: keyof Config, fallback: unknown, text: string, value: unknown][] = [
  ['HOST', 'host', '127.0.0.1', '::1', '::1'],
  ['PORT', 'port', 8080, '9000', 9000],
  ['TRUSTED_PROXIES', 'trustedProxies', [], '10.0.0.7, fd00::/8,::1', ['10.0.0.7', 'fd00::/8', '::1']],
  ['DATA_DIR', 'dataDir', null, '/srv/lading', '/srv/lading'],
  ['DATABASE_URL', 'databaseUrl', null, databaseUrl, databaseUrl],
  ['DATABASE_OWNER_URL', 'databaseOwnerUrl', null, ownerUrl, ownerUrl],
  ['DATABASE_READ_URL', 'databaseReadUrl', null, readUrl, readUrl],
  ['DATABASE_POOL', 'databasePool', 10, '500', 500],
  ['ACCOUNT_LANES', 'accountLanes', null, '16', 16],
  ['MASTER_KEY', 'masterKey', null, masterKey.toString('base64'), masterKey],
  ['MASTER_KEY_PREVIOUS', 'masterKeysPrevious', [], formerKeys, [key(8), key(9)]],
  ['CALLBACK_ALLOW_CIDRS', 'callbackAllowCidrs', [], '10.0.0.0/8, fd00::/8', ['10.0.0.0/8', 'fd00::/8']],
  ['RATE_LIMIT', 'rateLimitPerSecond', 500, '1', 1],
  ['TOKEN_TTL_S', 'tokenTtlSeconds', 3600, '60', 60],
  ['WAREHOUSE_API', 'warehouseApi', true, 'off', false],
  ['WAREHOUSE_BASE_PATH', 'warehouseBasePath', '/warehouse/v1', '/tpw', '/tpw'],
  ['LOGISTICS_SEGMENT', 'logisticsSegment', 'logistics', 'wms', 'wms'],
  ['UAT_RETENTION_DAYS', 'uatRetentionDays', 30, '7', 7],
  ['BACKUP_DIR', 'backupDir', null, '/mnt/backups/', '/mnt/backups'],
  ['BACKUP_EVERY_H', 'backupEveryHours', null, '24', 24],
  ['BACKUP_KEEP', 'backupKeep', 7, '3', 3],
  ['BACKUP_MASTER_KEY', 'backupMasterKey', 'seal', 'seal', 'seal'],
  ['BACKUP_PASSPHRASE', 'backupPassphrase', null, 'correct horse battery', 'correct horse battery'],
  ['RECIPIENT_RETENTION_DAYS', 'recipientRetentionDays', null, '180', 180],
  ['REQUEST_LOG_DAYS', 'requestLogDays', 30, '8', 8],
  ['REQUEST_LOG_MAX_MIB', 'requestLogMaxBytes', 10_240 * 1_048_576, '500', 500 * 1_048_576],
  ['IN_FLIGHT_MAX', 'inFlightMax', 1000, '9', 9],
  ['DIRECT_LANE', 'directLane', true, 'off', false],
  ['DRAIN_S', 'drainSeconds', 1, '0', 0],
  ['METRICS_PORT', 'metricsPort', null, '9464', 9464],
  ['METRICS_HOST', 'metricsHost', '127.0.0.1', '::', '::'],
  ['METRICS_TOKEN', 'metricsToken', null, 'a'.repeat(32), 'a'.repeat(32)],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'otlpEndpoint', null, 'http://otel.example:4318/', 'http://otel.example:4318'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'otlpHeaders', {}, 'x-key=a%20b, y=', { 'x-key': 'a b', y: '' }],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'otlpProtocol', 'http/json', 'http/json', 'http/json'],
  ['OTEL_SERVICE_NAME', 'serviceName', 'lading', 'lading-uat', 'lading-uat'],
  ['OTEL_RESOURCE_ATTRIBUTES', 'resourceAttributes', {}, 'zone=a,rack=7', { zone: 'a', rack: '7' }],
  ['OTEL_TRACES_SAMPLER', 'tracesSampler', 'parentbased_always_on', 'always_off', 'always_off'],
  ['OTEL_TRACES_SAMPLER_ARG', 'tracesSamplerRatio', 1, '0.25', 0.25],
  ['PROCESSES', 'processes', 1, '64', 64],
  [
    'REQUIRE_TOTP',
    'signIn',
    { requireTotp: 'off', passwordSignIn: true, oidc: null },
    'admins',
    { requireTotp: 'admins', passwordSignIn: true, oidc: null },
  ],
  ['LOG_LEVEL', 'logLevel', 'info', 'trace', 'trace'],
];

test('without any setting every default applies, and every setting is read', () => {
  const [backups, others] = [true, false].map((isOfBackup) => {
    const some = readings.filter(([setting]) => ofBackup.test(setting) === isOfBackup);
    return configOf(Object.fromEntries(some.map(([setting, , , text]) => [setting, text])));
  });
  const given = others!;
  const defaults = configOf({});
  for (const [setting, field, fallback, , value] of readings)
    assert.deepEqual([defaults[field], (ofBackup.test(setting) ? backups! : given)[field]], [fallback, value], setting);
  assert.deepEqual([defaults.publicUrl, given.publicUrl], ['http://127.0.0.1:8080', 'http://[::1]:9000']);
  // The mail server has several settings (config-mail.test.ts).
  assert.deepEqual(
    [...readings.map(([, field]) => field), 'publicUrl', 'docsUrl', 'mail'].toSorted(),
    Object.keys(defaults).toSorted(),
  );
  assert.equal(configOf({ RATE_LIMIT: 'off' }).rateLimitPerSecond, null);
  assert.equal(configOf({ ACCOUNT_LANES: 'off' }).accountLanes, null);
});

test('an empty value counts as not set, also in a file', () => {
  const empty = Object.fromEntries(settings.flatMap(({ name }) => [[name, '']]));
  assert.deepEqual(configOf(empty), configOf({}));
  assert.deepEqual(
    configOf({ HOST: '  ', MASTER_KEY: '\t', MASTER_KEY_FILE: '', DATABASE_URL_FILE: fileWith(' \n') }),
    configOf({}),
  );
});

test('the public URL loses its last slash, because paths begin with one', () => {
  assert.equal(configOf({ PUBLIC_URL: 'https://lading.example/' }).publicUrl, 'https://lading.example');
  assert.deepEqual(
    [configOf({}), configOf({ PUBLIC_URL: 'https://lading.example/' })].map(({ docsUrl }) => docsUrl),
    ['/docs', 'https://lading.example/docs'],
  );
  assert.equal(
    configOf({ PUBLIC_URL: 'https://lading.example/a\'b"c$&/' }).publicUrl,
    'https://lading.example/a%27b%22c$&',
  );
});

const wrongDatabaseUrl =
  'DATABASE_URL must be a URL such as postgres://user:password@host/database; if several hosts are listed, the primary is used';

const wrong: Record<string, [value: string, mistake: string]> = {
  HOST: ['two words', 'HOST must be a host name or an address, not "two words"'],
  PORT: ['65536', 'PORT must be a whole number from 0 to 65535, not "65536"'],
  PUBLIC_URL: ['ftp://lading.example', 'PUBLIC_URL must be an http(s) URL, not "ftp://lading.example"'],
  TRUSTED_PROXIES: [
    'proxy.example',
    'TRUSTED_PROXIES must be a comma-separated list of addresses and CIDR ranges such as 10.0.0.7, fd00::/8, not "proxy.example"',
  ],
  DATABASE_URL: ['mysql://root:hunter2@db/lading', wrongDatabaseUrl],
  DATABASE_OWNER_URL: [
    'mysql://root:hunter2@db/lading',
    wrongDatabaseUrl.replace('DATABASE_URL', 'DATABASE_OWNER_URL'),
  ],
  DATABASE_READ_URL: [
    `${readUrl}?target_session_attrs=primary`,
    'DATABASE_READ_URL must lead to a standby: target_session_attrs may be prefer-standby, standby, read-only',
  ],
  DATABASE_POOL: ['0', 'DATABASE_POOL must be a whole number from 1 to 500, not "0"'],
  ACCOUNT_LANES: ['17', `ACCOUNT_LANES must be 'off' or a whole number from 1 to 16, not "17"`],
  MASTER_KEY: ['aHVudGVyMg==', 'MASTER_KEY must be 32 bytes in base64'],
  MASTER_KEY_PREVIOUS: [
    'aHVudGVyMg==,',
    'MASTER_KEY_PREVIOUS must be a comma-separated list of keys of 32 bytes in base64',
  ],
  CALLBACK_ALLOW_CIDRS: [
    '10.0.0.0/33',
    'CALLBACK_ALLOW_CIDRS must be a comma-separated list of CIDR ranges such as 10.0.0.0/8, not "10.0.0.0/33"',
  ],
  RATE_LIMIT: ['0', `RATE_LIMIT must be 'off' or a whole number from 1 to 1000000, not "0"`],
  TOKEN_TTL_S: ['1h', 'TOKEN_TTL_S must be a whole number from 1 to 86400, not "1h"'],
  WAREHOUSE_API: ['yes', 'WAREHOUSE_API must be one of on, off, not "yes"'],
  WAREHOUSE_BASE_PATH: [
    'tpw',
    'WAREHOUSE_BASE_PATH must be a path such as /warehouse/v1 that is not reserved for the service, not "tpw"',
  ],
  LOGISTICS_SEGMENT: [
    'a/b',
    'LOGISTICS_SEGMENT must be one path segment such as logistics that is not reserved for the service, not "a/b"',
  ],
  UAT_RETENTION_DAYS: ['-1', 'UAT_RETENTION_DAYS must be a whole number from 1 to 36500, not "-1"'],
  BACKUP_EVERY_H: ['0', `BACKUP_EVERY_H must be 'off' or a whole number of hours from 1 to 8760, not "0"`],
  BACKUP_KEEP: ['0', 'BACKUP_KEEP must be a whole number from 1 to 1000, not "0"'],
  BACKUP_MASTER_KEY: ['no', 'BACKUP_MASTER_KEY must be one of seal, exclude, not "no"'],
  BACKUP_PASSPHRASE: ['hunter2', 'BACKUP_PASSPHRASE must be a single line of at least 12 characters'],
  RECIPIENT_RETENTION_DAYS: ['0', `RECIPIENT_RETENTION_DAYS must be 'off' or a whole number from 1 to 36500, not "0"`],
  REQUEST_LOG_MAX_MIB: ['63', 'REQUEST_LOG_MAX_MIB must be a whole number from 64 to 10000000, not "63"'],
  REQUEST_LOG_DAYS: ['1.5', 'REQUEST_LOG_DAYS must be a whole number from 1 to 3650, not "1.5"'],
  IN_FLIGHT_MAX: ['1e3', 'IN_FLIGHT_MAX must be a whole number from 1 to 1000000, not "1e3"'],
  DIRECT_LANE: ['no', 'DIRECT_LANE must be one of on, off, not "no"'],
  DRAIN_S: ['301', 'DRAIN_S must be a whole number from 0 to 300, not "301"'],
  PROCESSES: ['0', `PROCESSES must be 'auto' or a whole number from 1 to 64, not "0"`],
  LOG_LEVEL: ['INFO', 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "INFO"'],
  METRICS_PORT: ['off', 'METRICS_PORT must be a whole number from 0 to 65535, not "off"'],
  METRICS_HOST: ['a b', 'METRICS_HOST must be a host name or an address, not "a b"'],
  METRICS_TOKEN: [
    'hunter2hunter2hunter2hunter2hun',
    'METRICS_TOKEN must be at least 32 letters, digits or characters of -._~+/= (generate one with: openssl rand -hex 32)',
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    '127.0.0.1:4318',
    'OTEL_EXPORTER_OTLP_ENDPOINT must be an http(s) URL such as http://127.0.0.1:4318, not "127.0.0.1:4318"',
  ],
  OTEL_EXPORTER_OTLP_HEADERS: [
    'x-key=hunter2%0a',
    'OTEL_EXPORTER_OTLP_HEADERS must be a comma-separated list of name=value',
  ],
  OTEL_RESOURCE_ATTRIBUTES: [
    'zone',
    'OTEL_RESOURCE_ATTRIBUTES must be a comma-separated list of name=value, not "zone"',
  ],
  OTEL_TRACES_SAMPLER: [
    'jaeger_remote',
    'OTEL_TRACES_SAMPLER must be one of always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, parentbased_traceidratio, not "jaeger_remote"',
  ],
  OTEL_TRACES_SAMPLER_ARG: ['1.5', 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "1.5"'],
};

test('all bad values are reported in one list in one go, and no secret is repeated', () => {
  const mistakes = mistakesOf(Object.fromEntries(Object.entries(wrong).map(([name, [value]]) => [name, value])));

  assert.deepEqual(
    mistakes.toSorted(),
    Object.values(wrong)
      .map(([, mistake]) => mistake)
      .toSorted(),
  );
  assert.doesNotMatch(mistakes.join('\n'), /hunter2|aHVudGVyMg/);
});

test('each bad value alone is one mistake', () => {
  for (const [name, [value, mistake]] of Object.entries(wrong))
    assert.deepEqual(mistakesOf({ [name]: value }), [mistake]);
  assert.deepEqual(mistakesOf({ PORT: '9'.repeat(5000) }), [
    `PORT must be a whole number from 0 to 65535, not "${'9'.repeat(60)}…"`,
  ]);
});

test('another protocol for traces is a mistake only if there is a receiver of traces', () => {
  const protocol = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
  assert.deepEqual([configOf(protocol).otlpEndpoint, configOf(protocol).otlpProtocol], [null, 'http/json']);
  assert.deepEqual(mistakesOf({ ...protocol, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }), [
    'OTEL_EXPORTER_OTLP_PROTOCOL must be one of http/json, not "grpc"',
  ]);
});

test('scheduled backups need a folder and a decision about the master key, and are only for the embedded PostgreSQL', () => {
  const schedule = { BACKUP_EVERY_H: '24', BACKUP_DIR: '/mnt/backups' };
  const passphrase = { BACKUP_PASSPHRASE: 'correct horse battery' };
  const withUrl = { DATABASE_URL: databaseUrl, MASTER_KEY: masterKey.toString('base64') };
  assert.equal(configOf({ ...schedule, BACKUP_MASTER_KEY: 'exclude' }).backupPassphrase, null);
  assert.equal(configOf({ ...schedule, ...passphrase }).backupEveryHours, 24);
  assert.equal(configOf({ ...schedule, BACKUP_EVERY_H: 'off' }).backupEveryHours, null);
  assert.deepEqual(mistakesOf({ BACKUP_EVERY_H: '24', ...passphrase }), [
    'BACKUP_DIR is missing: it is required with BACKUP_EVERY_H',
  ]);
  assert.deepEqual(mistakesOf(schedule), [
    'BACKUP_PASSPHRASE (or BACKUP_PASSPHRASE_FILE) is missing: it seals the master key in the backups of BACKUP_EVERY_H; to leave the key out of them, set BACKUP_MASTER_KEY=exclude',
  ]);
  assert.deepEqual(mistakesOf({ ...schedule, ...passphrase, BACKUP_MASTER_KEY: 'exclude' }), [
    'BACKUP_PASSPHRASE and BACKUP_MASTER_KEY=exclude contradict each other; set one of them',
  ]);
  assert.deepEqual(mistakesOf({ ...withUrl, BACKUP_KEEP: '3', BACKUP_DIR: '/mnt/backups' }), [
    'BACKUP_DIR, BACKUP_KEEP: only for the embedded PostgreSQL; with DATABASE_URL, use pgBackRest as described in docs/backup.md',
  ]);
});

/** Further values that are refused, besides those of the table above. */
const refused: Record<string, string[]> = {
  // Only a part of all addresses can be trusted to be proxies.
  TRUSTED_PROXIES: ['0.0.0.0/0', '::/0', '10.0.0.7, 0.0.0.0/0'],
  CALLBACK_ALLOW_CIDRS: [
    ...['10.0.0.0', '10.0.0.0/', '10.0.0/8', '10.0.0.0/8/8', 'fd00::/129', 'localhost/8', '10.0.0.0/8,,10.1.0.0/16'],
  ],
  WAREHOUSE_BASE_PATH: ['/', '/a/', '//a', '/a b', '/a?b', '/:id', '/*'],
};
test('ranges of all addresses, ranges that are none, and paths that are no plain path are refused', () => {
  for (const [name, values] of Object.entries(refused))
    for (const value of values) assert.equal(mistakesOf({ [name]: value }).length, 1, value);
});

test('a secret setting, and no other, can come from a file, and its line end does not count', () => {
  assert.equal(configOf({ PORT_FILE: fileWith('9000') }).port, 8080);
  const config = configOf({
    DATABASE_URL_FILE: fileWith(`${databaseUrl}\n`),
    MASTER_KEY_FILE: fileWith(`${masterKey.toString('base64')}\r\n`),
    MASTER_KEY_PREVIOUS_FILE: fileWith(key(8).toString('base64')),
  });
  assert.equal(config.databaseUrl, databaseUrl);
  assert.deepEqual(config.masterKey, masterKey);
  assert.deepEqual(config.masterKeysPrevious, [key(8)]);
});

test('a secret setting with a bad file is a mistake, and neither the secret nor the path is repeated', () => {
  const both = { MASTER_KEY: masterKey.toString('base64'), MASTER_KEY_FILE: fileWith(key(8).toString('base64')) };
  assert.deepEqual(mistakesOf(both), ['MASTER_KEY and MASTER_KEY_FILE are both set; set one of them']);
  assert.deepEqual(mistakesOf({ DATABASE_URL_FILE: join(folder, 'hunter2'), MASTER_KEY_FILE: folder }), [
    'DATABASE_URL_FILE cannot be read (ENOENT)',
    'MASTER_KEY_FILE cannot be read (EISDIR)',
  ]);
  assert.deepEqual(mistakesOf({ MASTER_KEY_FILE: fileWith('hunter2') }), ['MASTER_KEY must be 32 bytes in base64']);
});

test('PROCESSES=auto is one process for each core; each process has two connections of the pool', () => {
  const withUrl = { DATABASE_URL: databaseUrl, MASTER_KEY: masterKey.toString('base64') };
  const cores = availableParallelism();
  assert.equal(configOf({ ...withUrl, PROCESSES: 'auto' }).processes, Math.min(cores, 64));
  assert.equal(configOf({ PROCESSES: 'auto' }).processes, Math.min(cores, 5));
  for (const [processes, pool] of [
    ['1', 10],
    ['5', 10],
    ['6', 12],
    ['64', 128],
  ] as const)
    assert.equal(configOf({ ...withUrl, PROCESSES: processes }).databasePool, pool);
  assert.equal(configOf({ ...withUrl, PROCESSES: '3', DATABASE_POOL: '6' }).databasePool, 6);

  assert.deepEqual(mistakesOf({ ...withUrl, PROCESSES: '3', DATABASE_POOL: '5' }), [
    'DATABASE_POOL must be at least 6 with PROCESSES=3: 2 connections for each process',
  ]);
  assert.deepEqual(mistakesOf({ PROCESSES: '6' }), [
    'PROCESSES must be at most 5 with the embedded PostgreSQL, which allows 100 connections; set DATABASE_URL for more',
  ]);
  for (const wrong of ['65', '-1', '1.5', 'off', 'AUTO', 'all'])
    assert.deepEqual(mistakesOf({ PROCESSES: wrong }), [
      `PROCESSES must be 'auto' or a whole number from 1 to 64, not "${wrong}"`,
    ]);
});

test("the service's own paths are refused for the warehouse and the logistics API", () => {
  for (const segment of ['api', 'docs', 'openapi.json', 'console', 'health', 'metrics', '.well-known']) {
    assert.deepEqual(mistakesOf({ WAREHOUSE_BASE_PATH: `/${segment}/v1`, LOGISTICS_SEGMENT: segment }), [
      `WAREHOUSE_BASE_PATH must be a path such as /warehouse/v1 that is not reserved for the service, not "/${segment}/v1"`,
      `LOGISTICS_SEGMENT must be one path segment such as logistics that is not reserved for the service, not "${segment}"`,
    ]);
  }
});

test('the metrics cannot have the port of the APIs as a port of their own', () => {
  const mistake = 'METRICS_PORT must differ from PORT; without METRICS_PORT, /metrics is on PORT';
  assert.deepEqual(mistakesOf({ METRICS_PORT: '8080' }), [mistake]);
  assert.equal(configOf({ PORT: '0', METRICS_PORT: '0' }).metricsPort, 0);
});

test('the warehouse and the logistics API cannot share their first segment', () => {
  const mistake = 'WAREHOUSE_BASE_PATH and LOGISTICS_SEGMENT must not start with the same segment';
  assert.deepEqual(mistakesOf({ WAREHOUSE_BASE_PATH: '/logistics/v1' }), [mistake]);
  assert.deepEqual(mistakesOf({ LOGISTICS_SEGMENT: 'warehouse' }), [mistake]);
});
