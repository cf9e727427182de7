import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { formatMessage } from '../../messages/format-message.ts';
import { makeMailClient } from '../../server/platform/outgoing/smtp-client.ts';
import type { SmtpSettings } from '../../server/platform/outgoing/smtp-settings.ts';
import { makeAuthority } from '../support/certificates.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';

const authority = makeAuthority('mail authority');
const certificate = authority.issue('mail server', ['127.0.0.1', 'localhost']);
const login = { user: 'alerts', password: 'the password of the mail server' };

function settingsFor({ port }: Pick<MailServer, 'port'>, more: Partial<SmtpSettings> = {}): SmtpSettings {
  const from = { name: 'Lading 警示', address: 'alerts@mail.example' };
  return { host: '127.0.0.1', port, tls: 'starttls', login, from, ca: authority.certificate, ...more };
}

const mail = {
  id: '11111111-2222-4333-8444-555555555555',
  to: ['ops@mail.example'],
  subject: '[Lading] 訂單待補貨：3',
  text: '警示規則\n',
  html: '<p>警示規則</p>\n',
};

async function sendTo(settings: SmtpSettings, more: Partial<typeof mail> = {}) {
  const { result, ...outcome } = await makeMailClient(settings).send({ ...mail, ...more });
  return { ...outcome, result: formatMessage(result) };
}

test('mail goes through STARTTLS with a password, has the sender, both texts and the same id in every attempt', async () => {
  const server = await startMailServer({ certificate, login });
  const sent = await sendTo(settingsFor(server));
  assert.deepEqual(sent, { taken: mail.to, refused: [], result: 'the mail server answered: 250 queued as 1' });
  const [received] = server.received;
  const { from, to, isSecure, user, subject, text, html, headers } = received!;
  assert.deepEqual([from, to, isSecure, user], ['alerts@mail.example', mail.to, true, 'alerts']);
  assert.deepEqual([subject, text.trim(), html.trim()], ['[Lading] 訂單待補貨：3', '警示規則', '<p>警示規則</p>']);
  assert.ok(headers.includes(`Message-ID: <${mail.id}@mail.example>`), headers.join('\n'));
  assert.ok(headers.includes('Auto-Submitted: auto-generated'));
  assert.equal(headers.filter((line) => /^to:/i.test(line)).join(), 'To: ops@mail.example');
});

test('mail goes through TLS from the first byte, and without TLS and password where the settings say so', async () => {
  const secure = await startMailServer({ certificate, login, secure: true });
  assert.deepEqual((await sendTo(settingsFor(secure, { tls: 'implicit' }))).taken, mail.to);
  const plain = await startMailServer();
  assert.deepEqual((await sendTo(settingsFor(plain, { tls: 'off', login: null, ca: null }))).taken, mail.to);
  assert.deepEqual(
    [secure.received[0]!.isSecure, plain.received[0]!.isSecure, plain.received[0]!.user],
    [true, false, null],
  );
});

test('a wrong password, a certificate that is not trusted, a missing STARTTLS, a server that is away or silent: each has its reason', async () => {
  const server = await startMailServer({ certificate, login });
  const why = async (settings: SmtpSettings) => {
    const { taken, refused, result } = await sendTo(settings);
    assert.deepEqual([taken, refused], [[], []]);
    return result;
  };
  const wrong = { login: { user: 'alerts', password: 'hunter2' } };
  assert.equal(
    await why(settingsFor(server, wrong)),
    'the mail server refused the user or the password: 535 5.7.8 authentication failed',
  );
  assert.match(
    await why(settingsFor(server, { ca: null })),
    /^the certificate of the mail server is not trusted \(\w+\)$/,
  );
  const other = await startMailServer({ certificate: authority.issue('other', ['other.example']), login });
  assert.equal(
    await why(settingsFor(other)),
    'the certificate of the mail server is not trusted (ERR_TLS_CERT_ALTNAME_INVALID)',
  );
  const plain = await startMailServer();
  assert.equal(await why(settingsFor(plain)), 'the mail server does not offer STARTTLS');
  await plain.stop();
  assert.equal(await why(settingsFor(plain)), 'connection refused');

  const breaking = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  after(() => breaking.close());
  await new Promise((done) => breaking.once('listening', done));
  const { port } = breaking.address() as AddressInfo;
  assert.equal(await why(settingsFor({ port })), 'connection reset');
  assert.deepEqual([server.received, other.received], [[], []]);
});

test('recipients that the server refuses for good are told apart from those that may try again', async () => {
  const server = await startMailServer({ certificate, login });
  server.refuse.set('gone@mail.example', { responseCode: 550, message: '5.1.1 no such user' });
  server.refuse.set('full@mail.example', { responseCode: 452, message: '4.2.2 mailbox full' });
  const to = ['ops@MAIL.example', 'gone@mail.example', 'full@mail.example'];
  const some = await sendTo(settingsFor(server), { to });
  assert.deepEqual([some.taken, some.refused], [['ops@MAIL.example'], ['gone@mail.example']]);
  const none = await sendTo(settingsFor(server), { to: ['gone@mail.example'] });
  assert.deepEqual(none, {
    taken: [],
    refused: ['gone@mail.example'],
    result: 'the mail server answered: 550 5.1.1 no such user',
  });
});

test('nothing in a subject, a text or a recipient becomes a header, another recipient or a command', async () => {
  const server = await startMailServer({ certificate, login });
  const hostile = 'a\r\nBcc: victim@mail.example\r\n\r\nRCPT TO:<victim@mail.example>';
  await sendTo(settingsFor(server), { subject: hostile, text: `${hostile}\r\n.\r\nMAIL FROM:<x@y.example>\r\n` });
  assert.equal(server.received.length, 1);
  const [{ headers, to }] = server.received as [(typeof server.received)[0]];
  assert.deepEqual(to, mail.to);
  assert.deepEqual(
    headers.filter((line) => /^bcc:/i.test(line)),
    [],
  );
  for (const address of [
    'ops@mail.example\r\nRCPT TO:<victim@mail.example>',
    'ops@mail.example>\r\nDATA',
    '<x@y.example>, victim@mail.example',
  ])
    await sendTo(settingsFor(server), { to: [address] });
  assert.ok(
    server.received.every((one) => !one.to.includes('victim@mail.example')),
    JSON.stringify(server.received),
  );
});
