import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAuthority } from '../test/support/certificates.ts';
import { configOf, fileWith, mistakesOf } from '../test/support/config.ts';

const from = { SMTP_FROM: 'Lading 警示 <alerts@mail.example>' };

test('without SMTP_URL there is no mail server; a URL says host, port, TLS and password', () => {
  assert.equal(configOf({}).mail, null);
  const ofUrl = (SMTP_URL: string) => {
    const { host, port, tls, login } = configOf({ SMTP_URL, ...from }).mail!;
    return [host, port, tls, login];
  };
  const login = { user: 'alerts@mail.example', password: 'p@ss/word%' };
  const credentials = 'alerts%40mail.example:p%40ss%2Fword%25';
  assert.deepEqual(ofUrl(`smtps://${credentials}@mail.example`), ['mail.example', 465, 'implicit', login]);
  assert.deepEqual(ofUrl(`smtp://${credentials}@mail.example`), ['mail.example', 587, 'starttls', login]);
  assert.deepEqual(ofUrl('smtp://mail.example:25'), ['mail.example', 25, 'starttls', null]);
  assert.deepEqual(ofUrl('smtp://relay.local:25?starttls=off'), ['relay.local', 25, 'off', null]);
  assert.deepEqual(ofUrl('smtp://127.0.0.1:25'), ['127.0.0.1', 25, 'if_offered', null]);
  assert.deepEqual(ofUrl('smtp://[::1]:25?starttls=off'), ['::1', 25, 'off', null]);

  const authority = makeAuthority('private').certificate;
  const file = { SMTP_URL_FILE: fileWith('smtps://mail.example\n'), SMTP_CA: fileWith(authority) };
  const mail = configOf({ ...file, SMTP_FROM: 'alerts@mail.example' }).mail!;
  assert.deepEqual(
    [mail.host, mail.from, mail.ca],
    ['mail.example', { name: '', address: 'alerts@mail.example' }, authority],
  );
  assert.deepEqual(configOf({ SMTP_URL: 'smtps://mail.example', ...from }).mail!.from, {
    name: 'Lading 警示',
    address: 'alerts@mail.example',
  });
});

test('a wrong mail setting has a clear line without the password', () => {
  const form =
    'SMTP_URL must be a URL such as smtps://user:password@mail.example or smtp://user:password@mail.example:587';
  for (const [SMTP_URL, mistake] of [
    ['mail.example', form],
    ['https://mail.example', form],
    ['smtp://', form],
    ['smtps://user:hunter2@mail.example/inbox', 'SMTP_URL must have no path'],
    ['smtps://user@mail.example', 'SMTP_URL must have both a user and a password, or neither'],
    [
      'smtps://user:hunter2%@mail.example',
      'SMTP_URL has a % in the user or password that is not an escape; write % as %25',
    ],
    ['smtp://mail.example?tls=off', 'SMTP_URL may have only the parameter starttls=off'],
    ['smtp://mail.example:0', 'SMTP_URL must have a port from 1 to 65535'],
    [
      'smtp://user:hunter2@mail.example?starttls=off',
      'SMTP_URL must not have starttls=off together with smtps or a password',
    ],
    ['smtps://mail.example?starttls=off', 'SMTP_URL must not have starttls=off together with smtps or a password'],
  ] as const)
    assert.deepEqual(mistakesOf({ SMTP_URL, ...from }), [mistake]);

  const url = { SMTP_URL: 'smtps://user:hunter2@mail.example' };
  assert.deepEqual(mistakesOf(url), ['SMTP_FROM is missing: it is required with SMTP_URL']);
  assert.deepEqual(mistakesOf(from), ['SMTP_FROM has no effect without SMTP_URL; set both or neither']);
  for (const SMTP_FROM of ['nobody', 'a@b, c@d', 'a@b\r\nBcc: c@d', 'Lading <a@b', '"x" <a@b>', 'a@b>'])
    assert.deepEqual(mistakesOf({ ...url, SMTP_FROM }), [
      `SMTP_FROM must be an address such as alerts@mail.example or Lading <alerts@mail.example>, not ${JSON.stringify(SMTP_FROM)}`,
    ]);
  const SMTP_CA = fileWith('no certificate');
  assert.deepEqual(mistakesOf({ ...url, ...from, SMTP_CA }), [
    `SMTP_CA must be a file with certificates in PEM format, not ${JSON.stringify(SMTP_CA)}`,
  ]);
});
