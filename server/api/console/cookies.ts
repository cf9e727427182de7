import { randomBytes, timingSafeEqual } from 'node:crypto';
import { rejection } from '../../../messages/rejection-texts.ts';
import type { Incoming } from '../../http/incoming.ts';
import { ProblemError } from '../../http/problem.ts';
import type { Keyring } from '../../platform/keyring.ts';

/** How a session's token travels. */
export interface SessionCookie {
  /** Under which the pages are served to the world. */
  ownOrigin: string;
  read(request: Incoming): string | null;
  set(token: string, seconds: number): string;
  clear(): string;
}

const tokenForm = /^[A-Za-z0-9_-]{43}$/;

/** The name prefix and attributes of all cookies of the console. */
interface CookieForm {
  prefix: string;
  attributes: string;
}

/**
 * Over https under a name with `__Host-`, which browsers let no other host set. Plain http is for this machine only, and there browsers
 * take no such name.
 */
export function cookieFormOf(publicUrl: string): CookieForm {
  const isSecure = new URL(publicUrl).protocol === 'https:';
  return {
    prefix: isSecure ? '__Host-' : '',
    attributes: `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`,
  };
}

/** null: there is none, or more than one. */
export function readCookie({ headers }: Incoming, name: string): string | null {
  const values = (headers.cookie ?? '').split(';').flatMap((pair) => {
    const [key, value = ''] = pair.trim().split('=', 2);
    return key === name ? [value] : [];
  });
  return values.length === 1 ? values[0]! : null;
}

export function makeSessionCookie(publicUrl: string): SessionCookie {
  const { prefix, attributes } = cookieFormOf(publicUrl);
  const name = `${prefix}lading-session`;
  return {
    ownOrigin: new URL(publicUrl).origin,
    read(request) {
      const value = readCookie(request, name);
      return value !== null && tokenForm.test(value) ? value : null;
    },
    set: (token, seconds) => `${name}=${token}; ${attributes}; Max-Age=${seconds}`,
    clear: () => `${name}=; ${attributes}; Max-Age=0`,
  };
}

/** Refuses requests from pages of other origins. Our own origin is the public one, or the address of this request. */
export function refuseForeignOrigin({ headers }: Incoming, { ownOrigin }: SessionCookie): void {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  const isForeign =
    (origin !== undefined && origin !== ownOrigin && URL.parse(origin)?.host !== host) ||
    (site !== undefined && site !== 'same-origin' && site !== 'none');
  if (isForeign) throw new ProblemError({ kind: 'not_allowed', message: rejection('foreign_page') });
}

/**
 * Marks a browser in which an operator has signed in before. It opens nothing: it only keeps guesses that others make at the operator's name from
 * throttling this browser. Signed, so that every node knows it and nobody else can make one.
 */
export interface DeviceCookie {
  /** The device, where the cookie is ours and was made for this operator; null otherwise. */
  read(request: Incoming, username: string): string | null;
  set(username: string): string;
}

const idBytes = 12;
const knownForSeconds = 180 * 86_400;

export function makeDeviceCookie(
  keyring: Keyring,
  { prefix, attributes }: CookieForm,
  nowMs: () => number,
): DeviceCookie {
  const name = `${prefix}lading-device`;
  const proofOf = (username: string, id: string, until: string, keyId: string) =>
    keyring.digest(`${username}\0${id}\0${until}`, 'console device', keyId);

  return {
    read(request, username) {
      const [, keyId, id, until, proof] =
        /^(\w+)\.([\w-]+)\.(\d+)\.([\w-]+)$/.exec(readCookie(request, name) ?? '') ?? [];
      if (proof === undefined || !keyring.keyIds.includes(keyId!) || Number(until) * 1000 < nowMs()) return null;
      const given = Buffer.from(proof, 'base64url');
      const expected = proofOf(username, id!, until!, keyId!);
      return given.length === expected.length && timingSafeEqual(given, expected) ? id! : null;
    },
    set(username) {
      const id = randomBytes(idBytes).toString('base64url');
      const until = String(Math.floor(nowMs() / 1000) + knownForSeconds);
      const proof = proofOf(username, id, until, keyring.currentKeyId).toString('base64url');
      return `${name}=${keyring.currentKeyId}.${id}.${until}.${proof}; ${attributes}; Max-Age=${knownForSeconds}`;
    },
  };
}
