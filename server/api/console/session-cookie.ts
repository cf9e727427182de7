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

/**
 * Over https under the name with `__Host-`, which browsers let no other host set. Plain http is for this machine only, and there browsers
 * take no such name.
 */
export function makeSessionCookie(publicUrl: string): SessionCookie {
  const { origin, protocol } = new URL(publicUrl);
  const isSecure = protocol === 'https:';
  const name = isSecure ? '__Host-lading-session' : 'lading-session';
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  return {
    ownOrigin: origin,
    read({ headers }) {
      const values = (headers.cookie ?? '').split(';').flatMap((pair) => {
        const [key, value = ''] = pair.trim().split('=', 2);
        return key === name ? [value] : [];
      });
      return values.length === 1 && tokenForm.test(values[0]!) ? values[0]! : null;
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
