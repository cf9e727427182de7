import { createTransport } from 'nodemailer';
import type { Message } from '../../../messages/message.ts';
import { sending } from '../../../messages/sending-texts.ts';
import { reasonOf } from './receiver-response.ts';
import type { SmtpSettings } from './smtp-settings.ts';

/** Sends mail through one server, which the operator has chosen. */
export interface MailClient {
  /** Never rejects. After a failure without an answer, it is unknown whether the server has taken the mail. */
  send(mail: Mail): Promise<MailOutcome>;
}

export interface Mail {
  /** The same for every attempt, so that a mail program can see a repeat. */
  id: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
}

export interface MailOutcome {
  /** The addresses for which the server has taken the mail. */
  taken: string[];
  /** The addresses that it will never take. */
  refused: string[];
  /** What the server answered, or why it did not. */
  result: Message;
}

const deadlineMs = 30_000;
const stepTimeoutMs = 10_000;
const answerLengthMax = 300;

export function makeMailClient({ host, port, tls, login, from, ca }: SmtpSettings): MailClient {
  const transport = createTransport({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'off',
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(ca === null ? {} : { ca }) },
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    socketTimeout: stepTimeoutMs,
    // Nothing in a mail may make the library read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  return {
    async send({ id, to, subject, text, html }) {
      try {
        const sent = await transport.sendMail({
          from,
          to: to.map((address) => ({ name: '', address })),
          subject,
          text,
          html,
          messageId: `<${id}@${from.address.split('@')[1]}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.timeout(deadlineMs),
        });
        const rejected = sent.rejected.map(normalized);
        return {
          taken: to.filter((address) => !rejected.includes(normalized(address))),
          refused: refusedForGood(to, sent.rejectedErrors),
          result: answer(sent.response),
        };
      } catch (error) {
        return {
          taken: [],
          refused: refusedForGood(to, (error as MailError).rejectedErrors),
          result: reasonOfMail(error),
        };
      }
    },
  };
}

interface MailError extends Error {
  code?: string | undefined;
  originalCode?: string | undefined;
  response?: string | undefined;
  recipient?: string | undefined;
  permanent?: boolean | undefined;
  rejectedErrors?: MailError[] | undefined;
}

/** Those that the server refuses with a permanent code. */
function refusedForGood(to: string[], errors: MailError[] = []): string[] {
  const refused = errors.flatMap(({ permanent, recipient }) => (permanent && recipient ? [normalized(recipient)] : []));
  return to.filter((address) => refused.includes(normalized(address)));
}

/** The library writes domains in small letters. */
function normalized(address: string): string {
  return address.toLowerCase();
}

function answer(response: string): Message {
  return sending('smtp_answer', { response: clean(response) });
}

function reasonOfMail(error: unknown): Message {
  const { code = '', originalCode = '', response, message, name } = error as MailError;
  if (name === 'AbortError') return sending('timed_out', { seconds: deadlineMs / 1000 });
  if (code === 'EAUTH')
    return sending('smtp_login_refused', { response: response === undefined ? code : clean(response) });
  if (code === 'ETLS' && response !== undefined) return sending('smtp_no_starttls');
  if (response !== undefined && response !== '') return sending('smtp_answer', { response: clean(response) });
  if (code === 'ECONNECTION') return sending('connection_reset');
  if (code === 'ETIMEDOUT') return sending('timed_out', { seconds: stepTimeoutMs / 1000 });
  if (certificateMistakes.test(originalCode) || certificateMistakes.test(code) || /certificate/i.test(message))
    return sending('smtp_certificate', { code: originalCode || code });
  return reasonOf(
    Object.assign(new Error(message), { code: originalCode || code }),
    code === 'ETLS' ? 'TLS' : undefined,
  );
}

const certificateMistakes = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT_ALTNAME_INVALID)/;

/** One line without control characters, which could manipulate a terminal. */
function clean(text: string): string {
  return text
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()
    .slice(0, answerLengthMax);
}
