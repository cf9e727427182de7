import type { Incoming } from '../incoming.ts';
import { ProblemError } from '../problem.ts';

/** How a session's token travels. */
export interface SessionCookie {
  /** Under which the pages are served to the world. */
  ownOrigin: string;
  read(request: Incoming): string | null;
  set(token: string, seconds: number): string;
  clear(): string;
}

const tokenForm = /^[A-Za-z0-9_-]{43}$/;

/** What all cookies of the console have in common. */
export interface CookieForm {
  prefix: string;
  attributes: string;
}

/**
 * Over https under a name with `__Host-`, which browsers let no other host set. Plain http is for this machine only, and there browsers
 * take no such name.
 */
export function cookieFormOf(publicUrl: string): CookieForm {
  const isSecure = new URL(publicUrl).protocol === 'https:';
  return { prefix: isSecure ? '__Host-' : '', attributes: `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}` };
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

/** Browsers say whose page is asking; only ours may. The address may be the public one, or the one that was dialled. */
export function refuseForeignOrigin({ headers }: Incoming, { ownOrigin }: SessionCookie): void {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  const isForeign =
    (origin !== undefined && origin !== ownOrigin && URL.parse(origin)?.host !== host) ||
    (site !== undefined && site !== 'same-origin' && site !== 'none');
  if (isForeign) throw new ProblemError({ kind: 'not_allowed', message: 'this is for pages of this service only' });
}
