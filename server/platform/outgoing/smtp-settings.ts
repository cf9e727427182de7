import { isIP } from 'node:net';

/** How to reach the mail server, and in whose name mail is sent. */
export interface SmtpSettings {
  host: string;
  port: number;
  /** `implicit`: from the first byte. `starttls`: required. `if_offered`: only for servers on this machine. */
  tls: 'implicit' | 'starttls' | 'if_offered' | 'off';
  /** null: the server needs no sign-in. */
  login: { user: string; password: string } | null;
  from: MailAddress;
  /** Certificate authorities to trust instead of the public ones, as PEM. */
  ca: string | null;
}

export interface MailAddress {
  name: string;
  address: string;
}

const submissionPort = 587;
const submissionsPort = 465;

/** Returns the settings, or what is wrong with the URL. The text of a mistake has no part of the URL, which may have a password. */
export function parseSmtpUrl(given: string): Omit<SmtpSettings, 'from' | 'ca'> | string {
  const url = URL.parse(given);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    return 'must be a URL such as smtps://user:password@mail.example or smtp://user:password@mail.example:587';
  if ((url.pathname !== '' && url.pathname !== '/') || url.hash !== '') return 'must have no path';
  const [user, password] = [decode(url.username), decode(url.password)];
  if (user === null || password === null)
    return 'has a % in the user or password that is not an escape; write % as %25';
  if ((user === '') !== (password === '')) return 'must have both a user and a password, or neither';
  const starttls = url.searchParams.get('starttls');
  if ([...url.searchParams.keys()].some((name) => name !== 'starttls') || (starttls !== null && starttls !== 'off'))
    return 'may have only the parameter starttls=off';

  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isHere = isLoopback(host);
  if (starttls === 'off' && (url.protocol === 'smtps:' || (user !== '' && !isHere)))
    return 'must not have starttls=off together with smtps or a password';
  const port = url.port === '' ? (url.protocol === 'smtps:' ? submissionsPort : submissionPort) : Number(url.port);
  if (port === 0) return 'must have a port from 1 to 65535';
  const tls = url.protocol === 'smtps:' ? 'implicit' : starttls === 'off' ? 'off' : isHere ? 'if_offered' : 'starttls';
  return { host, port, tls, login: user === '' ? null : { user, password } };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** ASCII without quotes, so that nothing in it can be read as a second address or a header. */
const addressForm = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63}){0,8}$/;
const namedForm = /^([^<>"\p{Cc}]{0,100}?)\s*<([^<>]+)>$/u;

/** `alerts@mail.example` or `Lading <alerts@mail.example>`. */
export function parseMailAddress(given: string): MailAddress | undefined {
  const [, name = '', address = given] = namedForm.exec(given) ?? [];
  return addressForm.test(address) ? { name, address } : undefined;
}
