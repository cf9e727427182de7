import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after } from 'node:test';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { TestCertificate } from './certificates.ts';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Whether it came over TLS, and as which user. */
  isSecure: boolean;
  user: string | null;
  /** The headers as lines, without those that continue a line. */
  headers: string[];
  subject: string;
  text: string;
  html: string;
}

export interface MailServer {
  port: number;
  received: ReceivedMail[];
  /** Answers of the server by address: a permanent or a temporary refusal. */
  refuse: Map<string, { responseCode: number; message: string }>;
  stop(): Promise<void>;
  /** Listens on the same port again. */
  restart(): Promise<void>;
}

interface MailServerOptions {
  certificate?: TestCertificate;
  /** Without it, anybody may send. */
  login?: { user: string; password: string };
  secure?: boolean;
}

/** A mail server on a real socket, closed after the tests of the file. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { certificate, login, secure = false } = options;
  const received: ReceivedMail[] = [];
  const refuse: MailServer['refuse'] = new Map();
  const answers: SMTPServerOptions = {
    onAuth({ username, password }, _session, done) {
      if (username === login?.user && password === login?.password) done(null, { user: username! });
      else done(refusal(535, '5.7.8 authentication failed'));
    },
    onRcptTo({ address }, _session, done) {
      const refused = refuse.get(address);
      done(refused ? refusal(refused.responseCode, refused.message) : null);
    },
    onData(stream, session, done) {
      void buffer(stream).then((raw) => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          isSecure: session.secure,
          user: (session.user as unknown as string) || null,
          ...readMail(raw.toString('utf8')),
        });
        done(null, `queued as ${received.length}`);
      });
    },
  };
  const open = async (port: number): Promise<SMTPServer> => {
    const opened = new SMTPServer({
      ...answers,
      secure,
      authOptional: login === undefined,
      disabledCommands: [...(certificate ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
      ...(certificate && { key: certificate.key, cert: certificate.certificate }),
    });
    opened.on('error', () => {});
    await new Promise<void>((done) => void opened.listen(port, '127.0.0.1', done));
    return opened;
  };
  let server: SMTPServer | null = await open(0);
  const { port } = server.server.address() as AddressInfo;
  const stop = async () => {
    const closing = server;
    server = null;
    if (closing) await new Promise<void>((done) => closing.close(done));
  };
  after(stop);
  return {
    port,
    received,
    refuse,
    stop,
    async restart() {
      server = await open(port);
    },
  };
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

function readMail(raw: string): Pick<ReceivedMail, 'headers' | 'subject' | 'text' | 'html'> {
  const { headers, body } = partOf(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers.join('\n'))?.[1];
  const parts =
    boundary === undefined
      ? []
      : body
          .split(`--${boundary}`)
          .slice(1, -1)
          .map((part) => partOf(part.trimStart()));
  const contentOf = (type: string) =>
    parts.find((part) => part.headers.some((line) => line.includes(type)))?.body.replaceAll('\r\n', '\n') ?? '';
  const subject = headers.find((line) => /^subject:/i.test(line)) ?? '';
  return {
    headers,
    subject: decodeWords(subject.slice('Subject: '.length)),
    text: contentOf('text/plain'),
    html: contentOf('text/html'),
  };
}

function partOf(raw: string): { headers: string[]; body: string } {
  const end = raw.indexOf('\r\n\r\n');
  const headers = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const encoding = /^content-transfer-encoding: (\S+)/i.exec(
    headers.find((line) => /^content-transfer/i.test(line)) ?? '',
  )?.[1];
  return { headers, body: decode(raw.slice(end + 4), encoding) };
}

function decode(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  return encoding === 'quoted-printable' ? decodeQuoted(body.replace(/=\r\n/g, '')) : body;
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Decodes the words of RFC 2047. */
function decodeWords(header: string): string {
  return header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, how: string, text: string) =>
      how.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('utf8')
        : decodeQuoted(text.replaceAll('_', ' ')),
    );
}
