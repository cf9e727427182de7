import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Config, readConfig, settings } from './config.ts';

const folder = mkdtempSync(join(tmpdir(), 'config-test-'));
after(() => rmSync(folder, { recursive: true }));

const databaseUrl = 'postgres://lading:hunter2@db.example/lading';
const masterKey = Buffer.alloc(32, 7);

function fileWith(text: string): string {
  const path = join(folder, `${Math.random()}`);
  writeFileSync(path, text);
  return path;
}

function configOf(env: Record<string, string>): Config {
  const reading = readConfig(env);
  assert.equal(reading.kind, 'config', JSON.stringify(reading));
  return (reading as Extract<typeof reading, { kind: 'config' }>).config;
}

function mistakesOf(env: Record<string, string>): string[] {
  const reading = readConfig(env);
  assert.equal(reading.kind, 'mistakes');
  return (reading as Extract<typeof reading, { kind: 'mistakes' }>).mistakes;
}

const defaults: Config = {
  host: '127.0.0.1',
  port: 8080,
  publicUrl: 'http://127.0.0.1:8080',
  trustedProxies: [],
  dataDir: null,
  databaseUrl: null,
  databasePool: 10,
  masterKey: null,
  masterKeysPrevious: [],
  callbackAllowCidrs: [],
  rateLimitPerSecond: 500,
  tokenTtlSeconds: 3600,
  warehouseApi: true,
  warehouseBasePath: '/warehouse/v1',
  logisticsSegment: 'logistics',
  uatRetentionDays: 30,
  requestLogDays: 30,
  requestLogMaxBytes: 10_240 * 1_048_576,
  inFlightMax: 1000,
  directLane: true,
  drainSeconds: 1,
  logLevel: 'info',
};

test('without any setting, every default holds', () => {
  assert.deepEqual(configOf({}), { ...configOf({}), ...defaults });
});

test('an empty value counts as not set, also in a file', () => {
  const empty = Object.fromEntries(settings.flatMap(({ name }) => [[name, '']]));
  assert.deepEqual(configOf(empty), configOf({}));
  assert.deepEqual(configOf({ HOST: '  ', MASTER_KEY: '\t', MASTER_KEY_FILE: '', DATABASE_URL_FILE: fileWith(' \n') }), configOf({}));
});

test('every setting is read', () => {
  const given = configOf({
    HOST: '::1',
    PORT: '9000',
    TRUSTED_PROXIES: '10.0.0.7, 192.168.0.0/16,fd00::/8',
    DATA_DIR: '/srv/lading',
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: '500',
    MASTER_KEY: masterKey.toString('base64'),
    MASTER_KEY_PREVIOUS: `${Buffer.alloc(32, 8).toString('base64')}, ${Buffer.alloc(32, 9).toString('base64url')}`,
    CALLBACK_ALLOW_CIDRS: '10.0.0.0/8, fd00::/8',
    RATE_LIMIT: '1',
    TOKEN_TTL_S: '60',
    WAREHOUSE_API: 'off',
    WAREHOUSE_BASE_PATH: '/tpw',
    LOGISTICS_SEGMENT: 'wms',
    UAT_RETENTION_DAYS: '7',
    REQUEST_LOG_DAYS: '8',
    REQUEST_LOG_MAX_MIB: '500',
    IN_FLIGHT_MAX: '9',
    DIRECT_LANE: 'off',
    DRAIN_S: '0',
    LOG_LEVEL: 'trace',
  });
  const expected: Config = {
    host: '::1',
    port: 9000,
    publicUrl: 'http://[::1]:9000',
    trustedProxies: ['10.0.0.7', '192.168.0.0/16', 'fd00::/8'],
    dataDir: '/srv/lading',
    databaseUrl,
    databasePool: 500,
    masterKey,
    masterKeysPrevious: [Buffer.alloc(32, 8), Buffer.alloc(32, 9)],
    callbackAllowCidrs: ['10.0.0.0/8', 'fd00::/8'],
    rateLimitPerSecond: 1,
    tokenTtlSeconds: 60,
    warehouseApi: false,
    warehouseBasePath: '/tpw',
    logisticsSegment: 'wms',
    uatRetentionDays: 7,
    requestLogDays: 8,
    requestLogMaxBytes: 500 * 1_048_576,
    inFlightMax: 9,
    directLane: false,
    drainSeconds: 0,
    logLevel: 'trace',
  };
  assert.deepEqual(given, { ...given, ...expected });
  assert.equal(configOf({ RATE_LIMIT: 'off' }).rateLimitPerSecond, null);
});

test('DATABASE_URL may name several hosts, and must lead to a server that accepts writes', () => {
  const key = { MASTER_KEY: masterKey.toString('base64') };
  const usable = ['postgres://db/lading', 'postgresql://u:p%40w@db1,db2:5433,[::1]:5434/lading?target_session_attrs=read-write'];
  for (const url of usable) assert.equal(configOf({ ...key, DATABASE_URL: url }).databaseUrl, url);
  const unusable = ['postgres://db/lading?target_session_attrs=standby', 'postgres://db1,db2:99999/lading', 'postgres://db:x/lading'];
  for (const url of unusable) assert.deepEqual(mistakesOf({ ...key, DATABASE_URL: url }), [wrongDatabaseUrl], url);
});

test('the public URL loses its last slash, because paths begin with one', () => {
  assert.equal(configOf({ PUBLIC_URL: 'https://lading.example/' }).publicUrl, 'https://lading.example');
  assert.equal(configOf({ PUBLIC_URL: 'https://lading.example/a\'b"c$&/' }).publicUrl, 'https://lading.example/a%27b%22c$&');
});

const wrongDatabaseUrl =
  'DATABASE_URL must be a URL such as postgres://user:password@host/database; of several hosts the primary is used ' +
  '(target_session_attrs: any, primary or read-write)';

const wrong: Record<string, [value: string, mistake: string]> = {
  HOST: ['two words', 'HOST must be a host name or an address, not "two words"'],
  PORT: ['65536', 'PORT must be a whole number from 0 to 65535, not "65536"'],
  PUBLIC_URL: ['ftp://lading.example', 'PUBLIC_URL must be an http(s) URL, not "ftp://lading.example"'],
  TRUSTED_PROXIES: [
    'proxy.example',
    'TRUSTED_PROXIES must be a comma list of addresses and ranges such as 10.0.0.7, fd00::/8, not "proxy.example"',
  ],
  DATABASE_URL: ['mysql://root:hunter2@db/lading', wrongDatabaseUrl],
  DATABASE_POOL: ['0', 'DATABASE_POOL must be a whole number from 1 to 500, not "0"'],
  MASTER_KEY: ['aHVudGVyMg==', 'MASTER_KEY must be 32 bytes in base64'],
  MASTER_KEY_PREVIOUS: ['aHVudGVyMg==,', 'MASTER_KEY_PREVIOUS must be a comma list of keys of 32 bytes in base64'],
  CALLBACK_ALLOW_CIDRS: ['10.0.0.0/33', 'CALLBACK_ALLOW_CIDRS must be a comma list of ranges such as 10.0.0.0/8, not "10.0.0.0/33"'],
  RATE_LIMIT: ['0', `RATE_LIMIT must be 'off' or a whole number from 1 to 1000000, not "0"`],
  TOKEN_TTL_S: ['1h', 'TOKEN_TTL_S must be a whole number from 1 to 86400, not "1h"'],
  WAREHOUSE_API: ['yes', 'WAREHOUSE_API must be one of on, off, not "yes"'],
  WAREHOUSE_BASE_PATH: ['tpw', 'WAREHOUSE_BASE_PATH must be a path such as /warehouse/v1 that is not the service’s own, not "tpw"'],
  LOGISTICS_SEGMENT: ['a/b', 'LOGISTICS_SEGMENT must be one path segment such as logistics that is not the service’s own, not "a/b"'],
  UAT_RETENTION_DAYS: ['-1', 'UAT_RETENTION_DAYS must be a whole number from 1 to 36500, not "-1"'],
  REQUEST_LOG_MAX_MIB: ['63', 'REQUEST_LOG_MAX_MIB must be a whole number from 64 to 10000000, not "63"'],
  REQUEST_LOG_DAYS: ['1.5', 'REQUEST_LOG_DAYS must be a whole number from 1 to 3650, not "1.5"'],
  IN_FLIGHT_MAX: ['1e3', 'IN_FLIGHT_MAX must be a whole number from 1 to 1000000, not "1e3"'],
  DIRECT_LANE: ['no', 'DIRECT_LANE must be one of on, off, not "no"'],
  DRAIN_S: ['301', 'DRAIN_S must be a whole number from 0 to 300, not "301"'],
  LOG_LEVEL: ['INFO', 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "INFO"'],
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

for (const [name, [value, mistake]] of Object.entries(wrong)) {
  test(`${name}=${value} alone is one mistake`, () => {
    assert.deepEqual(mistakesOf({ [name]: value }), [mistake]);
  });
}

test('no more than a part of all addresses can be trusted to be proxies', () => {
  for (const range of ['0.0.0.0/0', '::/0', '10.0.0.7, 0.0.0.0/0']) assert.equal(mistakesOf({ TRUSTED_PROXIES: range }).length, 1, range);
});

test('a long bad value is cut off in its mistake', () => {
  assert.deepEqual(mistakesOf({ PORT: '9'.repeat(5000) }), [`PORT must be a whole number from 0 to 65535, not "${'9'.repeat(60)}…"`]);
});

test('each bad range of CALLBACK_ALLOW_CIDRS is refused', () => {
  for (const range of ['10.0.0.0', '10.0.0.0/', '10.0.0/8', '10.0.0.0/8/8', 'fd00::/129', 'localhost/8', '10.0.0.0/8,,10.1.0.0/16']) {
    assert.equal(mistakesOf({ CALLBACK_ALLOW_CIDRS: range }).length, 1, range);
  }
});

test('a secret setting can come from a file, its line end does not count', () => {
  const config = configOf({
    DATABASE_URL_FILE: fileWith(`${databaseUrl}\n`),
    MASTER_KEY_FILE: fileWith(`${masterKey.toString('base64')}\r\n`),
    MASTER_KEY_PREVIOUS_FILE: fileWith(Buffer.alloc(32, 8).toString('base64')),
  });
  assert.equal(config.databaseUrl, databaseUrl);
  assert.deepEqual(config.masterKey, masterKey);
  assert.deepEqual(config.masterKeysPrevious, [Buffer.alloc(32, 8)]);
});

test('a secret setting and its file at the same time is a mistake, and neither value is repeated', () => {
  const other = Buffer.alloc(32, 8).toString('base64');
  assert.deepEqual(mistakesOf({ MASTER_KEY: masterKey.toString('base64'), MASTER_KEY_FILE: fileWith(other) }), [
    'MASTER_KEY and MASTER_KEY_FILE are both set; set one of them',
  ]);
});

test('a file that cannot be read is a mistake, and its path (perhaps the secret itself) is not repeated', () => {
  assert.deepEqual(mistakesOf({ DATABASE_URL_FILE: join(folder, 'hunter2'), MASTER_KEY_FILE: folder }), [
    'DATABASE_URL_FILE cannot be read (ENOENT)',
    'MASTER_KEY_FILE cannot be read (EISDIR)',
  ]);
});

test('a wrong secret in a file is a mistake, and it is not repeated', () => {
  assert.deepEqual(mistakesOf({ MASTER_KEY_FILE: fileWith('hunter2') }), ['MASTER_KEY must be 32 bytes in base64']);
});

test('only secrets have a file variant', () => {
  assert.equal(configOf({ PORT_FILE: fileWith('9000') }).port, 8080);
});

test('DATABASE_URL without MASTER_KEY is a mistake, also where former keys are wrong', () => {
  const missing = 'MASTER_KEY is missing: with DATABASE_URL it must be given (make one with: openssl rand -base64 32)';
  assert.deepEqual(mistakesOf({ DATABASE_URL: databaseUrl }), [missing]);
  assert.deepEqual(mistakesOf({ DATABASE_URL: databaseUrl, MASTER_KEY_PREVIOUS: 'short' }), [
    'MASTER_KEY_PREVIOUS must be a comma list of keys of 32 bytes in base64',
    missing,
  ]);
});

test('a MASTER_KEY that is wrong is not said to be missing as well', () => {
  assert.deepEqual(mistakesOf({ DATABASE_URL: databaseUrl, MASTER_KEY: 'short' }), ['MASTER_KEY must be 32 bytes in base64']);
  assert.deepEqual(mistakesOf({ DATABASE_URL: databaseUrl, MASTER_KEY_FILE: join(folder, 'none') }), [
    'MASTER_KEY_FILE cannot be read (ENOENT)',
  ]);
});

test("the service's own paths are refused for the warehouse and the logistics API", () => {
  for (const segment of ['api', 'docs', 'openapi.json', 'console', 'health', 'metrics', '.well-known']) {
    assert.deepEqual(mistakesOf({ WAREHOUSE_BASE_PATH: `/${segment}/v1`, LOGISTICS_SEGMENT: segment }), [
      `WAREHOUSE_BASE_PATH must be a path such as /warehouse/v1 that is not the service’s own, not "/${segment}/v1"`,
      `LOGISTICS_SEGMENT must be one path segment such as logistics that is not the service’s own, not "${segment}"`,
    ]);
  }
});

test('paths that are no plain path are refused', () => {
  for (const path of ['/', '/a/', '//a', '/a b', '/a?b', '/:id', '/*'])
    assert.equal(mistakesOf({ WAREHOUSE_BASE_PATH: path }).length, 1, path);
});

test('the warehouse and the logistics API cannot share their first segment', () => {
  const mistake = 'WAREHOUSE_BASE_PATH and LOGISTICS_SEGMENT must not begin with the same segment';
  assert.deepEqual(mistakesOf({ WAREHOUSE_BASE_PATH: '/logistics/v1' }), [mistake]);
  assert.deepEqual(mistakesOf({ LOGISTICS_SEGMENT: 'warehouse' }), [mistake]);
});
