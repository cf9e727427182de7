import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  configOf,
  databaseUrl,
  fileWith,
  folder,
  masterKey,
  mistakesOf,
  ownerUrl,
  readUrl,
} from '../test/support/config.ts';

test('DATABASE_URL may name several hosts, and a wrong part is named without its value', () => {
  const withKey = { MASTER_KEY: masterKey.toString('base64') };
  const usable = [
    'postgres://db/lading',
    'postgresql://u:p%40w@db1,db2:5433,[::1]:5434/lading?target_session_attrs=read-write',
    'host=db1,db2 user=u password=hunter2 dbname=lading',
  ];
  for (const url of usable) assert.equal(configOf({ ...withKey, DATABASE_URL: url }).databaseUrl, url);
  const secretFile = fileWith('no certificate');
  const mistakes: Record<string, string> = {
    'postgres://db/lading?target_session_attrs=standby':
      'DATABASE_URL must lead to a server that accepts writes: target_session_attrs may be any, primary, read-write',
    'postgres://db1,db2:99999/lading': 'DATABASE_URL has a port that is not a number from 1 to 65535',
    'postgres://db/lading?sslmode=maybe':
      'DATABASE_URL has a wrong sslmode: use disable, allow, prefer, require, verify-ca, verify-full',
    [`postgres://db/lading?sslrootcert=${join(folder, 'none')}`]:
      'DATABASE_URL has an sslrootcert that cannot be read (ENOENT)',
    [`postgres://db/lading?sslrootcert=${secretFile}`]:
      'DATABASE_URL has an sslrootcert that holds no certificate in the PEM format',
  };
  for (const [url, mistake] of Object.entries(mistakes))
    assert.deepEqual(mistakesOf({ ...withKey, DATABASE_URL: url }), [mistake], url);
});

test('DATABASE_OWNER_URL leads to the database of DATABASE_URL', () => {
  const mistake = 'DATABASE_OWNER_URL must lead to the same database as DATABASE_URL, with another login';
  assert.deepEqual(mistakesOf({ DATABASE_OWNER_URL: ownerUrl }), [mistake]);
  const elsewhere = 'postgres://owner:hunter2@db.example/other';
  assert.deepEqual(
    mistakesOf({ DATABASE_OWNER_URL: elsewhere, DATABASE_URL: databaseUrl, MASTER_KEY: masterKey.toString('base64') }),
    [mistake],
  );
});

test('DATABASE_READ_URL leads to standbys of the database of DATABASE_URL, with its login', () => {
  const settings = { DATABASE_URL: databaseUrl, MASTER_KEY: masterKey.toString('base64') };
  for (const given of [
    readUrl,
    `${readUrl}?target_session_attrs=prefer-standby`,
    `${readUrl}?target_session_attrs=read-only&sslmode=require`,
    `${readUrl}?sslmode=require&target_session_attrs=standby`,
  ])
    assert.equal(configOf({ ...settings, DATABASE_READ_URL: given }).databaseReadUrl, given);

  const mistake = 'DATABASE_READ_URL must have the login and the database of DATABASE_URL, on other servers';
  assert.deepEqual(mistakesOf({ DATABASE_READ_URL: readUrl }), [mistake]);
  for (const other of [readUrl.replace(/[^/]+$/, 'other'), ownerUrl])
    assert.deepEqual(mistakesOf({ ...settings, DATABASE_READ_URL: other }), [mistake]);
});

test('DATABASE_URL without MASTER_KEY is a mistake, also where former keys are wrong', () => {
  const missing =
    'MASTER_KEY is missing: it is required with DATABASE_URL (generate one with: openssl rand -base64 32)';
  assert.deepEqual(mistakesOf({ DATABASE_URL: databaseUrl }), [missing]);
  assert.deepEqual(mistakesOf({ DATABASE_URL: databaseUrl, MASTER_KEY_PREVIOUS: 'short' }), [
    'MASTER_KEY_PREVIOUS must be a comma-separated list of keys of 32 bytes in base64',
    missing,
  ]);
});

test('a MASTER_KEY that is wrong is not said to be missing as well', () => {
  assert.deepEqual(mistakesOf({ DATABASE_URL: databaseUrl, MASTER_KEY: 'short' }), [
    'MASTER_KEY must be 32 bytes in base64',
  ]);
  assert.deepEqual(mistakesOf({ DATABASE_URL: databaseUrl, MASTER_KEY_FILE: join(folder, 'none') }), [
    'MASTER_KEY_FILE cannot be read (ENOENT)',
  ]);
});
