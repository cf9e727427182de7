import { basePath } from './base-path.ts';
import { SeenPosition, type SharedText } from './seen-position.ts';

const cookieName = 'lading-seen';

const cookie: SharedText = {
  read() {
    const pair = document.cookie.split('; ').find((one) => one.startsWith(`${cookieName}=`));
    return pair?.slice(cookieName.length + 1) ?? '';
  },
  write(text) {
    const secure = location.protocol === 'https:' ? '; Secure' : '';
    const life = text === '' ? '; Max-Age=0' : '';
    // The cookie store of newer browsers answers later, when the next request may have been sent.
    // biome-ignore lint/suspicious/noDocumentCookie: see above.
    document.cookie = `${cookieName}=${text}; Path=${basePath}; SameSite=Strict${secure}${life}`;
  },
};

let own: SeenPosition | null = null;

/** The position up to which this tab has seen the database. */
export function seen(): SeenPosition {
  own ??= new SeenPosition(cookie);
  return own;
}
