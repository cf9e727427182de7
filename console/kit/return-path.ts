/**
 * Returns the path to open after the sign-in. It accepts only paths of the console, because an attacker may have
 * crafted the link.
 */
export function safeReturnPath(given: string | null): string {
  if (given === null || !given.startsWith('/') || given.startsWith('//') || /[\\\p{Cc}]/u.test(given)) return '/';
  return given.startsWith('/sign-in') ? '/' : given;
}

export function signInPath(here: { pathname: string; search: string }): string {
  const path = here.pathname + here.search;
  return path === '/' ? '/sign-in' : `/sign-in?return=${encodeURIComponent(path)}`;
}
